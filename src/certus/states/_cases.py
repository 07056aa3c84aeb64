"""The samples of a state as an evaluation takes them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from certus.evaluation.systems import Case, Systems
from certus.metrics import Metric
from certus.states._counted import Counted, labels_of, of_labels, of_pairs
from certus.states._keyed import GROUPS, WEIGHT, Keyed
from certus.states._losses import means_of
from certus.states._quantiles import is_quantile, quantiles_of
from certus.states._ranked import is_ranked, ranked_of
from certus.states._regressed import of_rows, statistics_of
from certus.states._saved import is_saved, saved_of
from certus.states._spilled import Spilled
from certus.states._summed import ENOUGH_OF_A_CLASS, Summed
from certus.states._units import weighed
from certus.statistic import Statistic
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.states._state import State


def systems_of(state: "State", name: str | None) -> tuple[Systems, Any]:
    """The samples, and the subgroup of each."""
    task, rows = state.task, state._rows
    needed = state.metrics is None or len(state._sums) < len(state.metrics)
    case: Case | None = None
    by = truth = None
    given: dict[str, Any]
    means: dict[Metric, Statistic] = {**state.found}
    size = ""
    if state.cuts is not None and isinstance(rows, Spilled):
        # Few rows, but of many samples, which are not to be written out in memory.
        rows.spill(always=(len(state.held) + np.float64().nbytes) * state.n > rows.memory)
    if isinstance(rows, Spilled) and rows.spill() and state.held[0].name == "by":
        case, by = Keyed(state, rows), state.held[0]
    elif isinstance(rows, Spilled) and rows.spill() and {GROUPS, WEIGHT} & {*state.held}:
        means, size, pairs = weighed(state, rows)
        case = None if pairs is None else of_pairs(state, pairs)
    elif isinstance(rows, Spilled) and rows.spill() and task.name != "classification":
        listed = [metric for metric in state.metrics or () if metric not in state._sums]
        quantiles = [metric for metric in listed if is_quantile(task, metric, state.held)]
        means |= quantiles_of(state, rows, quantiles)
        means |= saved_of(rows, filter(is_saved, listed))
        means |= ranked_of(rows, filter(is_ranked, listed))
        if left := [metric for metric in listed if metric not in means]:
            means |= statistics_of(of_rows(rows), left)
    elif isinstance(rows, Spilled) and rows.spill():
        given = labels_of(rows, state._labels)
        counts = np.array(list(rows.samples().values()))
        case = Counted(task, given, counts, state.conventions, rows, state.memory)
        truth = np.repeat(given["y_true"], np.minimum(counts, ENOUGH_OF_A_CLASS))
    elif rows is not None and (not needed or of_labels(state)):
        given, found = state.columns(repeated=False), state.settled()[1]
        counts = np.ones(len(given["y_true"]), dtype=np.int8) if found is None else found
        case = Counted(task, given, counts, state.conventions) if needed else None
        truth = np.repeat(given["y_true"], np.minimum(counts, ENOUGH_OF_A_CLASS))
    else:
        given = state.columns()
        by, truth = given.pop("by", None), given.get("y_true")
        data = {each.name: given[each.name] for each in task.data if each.name in given}
        told = {key: column for key, column in given.items() if key not in data} | state.conventions
        case = task.samples()(task, data, told) if needed else None
    if state._sums or means or size:
        classes = truth if task.name == "classification" else None
        width = sum(field.name == "y_score" for field in state.fields or ())
        means |= means_of(task, state._sums, classes, width, state.conventions)
        size = size or (plural(state.n, task.unit) if case is None else case.size_in_words)
        case = Summed(task, size, means, case)
    return Systems(task, {} if case is None else {name or "predictions": case}), by
