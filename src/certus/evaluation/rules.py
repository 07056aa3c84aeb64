"""Rules that make labels of scores, a threshold or a budget, in every call on predictions."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from certus.core.errors import DataError, MetricNameError, mention
from certus.core.printable import exact
from certus.metrics import Metric
from certus.statistic.common import plural, require_integer

if TYPE_CHECKING:
    from certus.tasks import Task


class Rule(NamedTuple):
    """The rule that calls items positive: the `value` is a threshold of their scores, or a budget of items."""

    name: str
    value: float

    def __str__(self) -> str:
        return f"{self.name} {exact(self.value)}"

    def sentence(self, unit: str = "sample") -> str:
        """The rule as a note states it; documents are those of each query."""
        of_query = " of each query" if unit == "document" else ""
        if self.name == "threshold":
            return f"{unit}s{of_query} with scores of at least {exact(self.value)} are predicted positive"
        units = plural(int(self.value), unit)
        verb = "is" if self.value == 1 else "are"
        return f"the {units}{of_query} with the highest scores {verb} predicted positive"


def rules_of(conventions: Mapping[str, Any]) -> list[Rule]:
    """The thresholds or budgets among the keywords of a call."""
    set_names = [name for name in ("threshold", "budget") if conventions.get(name) is not None]
    if not set_names:
        return []
    if len(set_names) > 1:
        raise MetricNameError(f"does not go with {mention('budget')}", "give one of them", argument="threshold")
    name = set_names[0]
    value = conventions[name]
    is_list = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
    values = list(value) if is_list else [value]
    if not values:
        raise DataError("is empty", "give at least one number", argument=name)
    check = check_threshold if name == "threshold" else check_budget
    rules = [Rule(name, check(value)) for value in values]
    repeated = next((rule for rule in rules if rules.count(rule) > 1), None)
    if repeated is not None:
        raise DataError(f"has {exact(repeated.value)} twice", "give it once", argument=name)
    return rules


def check_budget(value: Any) -> int:
    """The budget; refuses what is none."""
    return require_integer(value, "budget", 1)


def check_threshold(value: Any) -> float:
    """The threshold; refuses what is none."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or math.isnan(value):
        raise DataError(f"is {value!r}", "give a number, or a list of numbers", argument="threshold")
    return value if isinstance(value, int | float) else value.item()


USED_UP = frozenset(("threshold", "budget"))
"""The keywords that rules come from."""


class Decided(NamedTuple):
    """Truth, labels that each system is predicted to have by each rule, and the keywords that are left."""

    truth: Any
    predictions: dict[str, Any]
    keywords: dict[str, Any]
    sentence: str


def decide(
    task: "Task",
    rules: Sequence[Rule],
    truth: Any,
    systems: Mapping[str, Any],
    keywords: Mapping[str, Any],
    *,
    is_batch: bool = False,
) -> Decided:
    """Make labels by rules from the scores of systems, which are a bare column or a named one."""
    if task.decide is None:
        raise MetricNameError(f"does not apply to {task.name}", "leave it out", argument=rules[0].name)
    labels, scores = (argument.name for argument in task.predicted[:2])
    predictions = {}
    true = truth
    for system, columns in systems.items():
        column = _scores(columns, task, rules[0].name, scores) if isinstance(columns, Mapping) else columns
        true, decided = task.decide()(truth, column, rules, keywords)
        for rule, values in zip(rules, decided, strict=True):
            name = f"{system} at {rule}" if system else str(rule)
            predictions[name if len(rules) > 1 else system] = {labels: values}
    is_changed = true is not truth
    if is_changed and not is_batch and keywords.get("labels") is not None and 0 < np.count_nonzero(true) < len(true):
        problem = f"names both labels, but these are known where a {rules[0].name} makes the predicted ones"
        raise MetricNameError(problem, "leave it out", argument="labels")
    used = {*USED_UP, scores, *(("labels", "pos_label", "score_labels") if is_changed else ())}
    remaining = {name: value for name, value in keywords.items() if name not in used}
    return Decided(
        true, predictions, remaining, "; ".join(rule.sentence() for rule in rules[:1]) if len(rules) == 1 else ""
    )


def _scores(columns: Mapping[str, Any], task: "Task", rule: str, name: str) -> Any:
    """The column of scores among those of a system."""
    other = next((key for key in columns if task.argument(key).name != name), None)
    if other is not None or not columns:
        raise MetricNameError(
            f"makes labels of scores, but {mention(other or task.predicted[0].name)} is given",
            f"give {mention(name)} alone",
            argument=rule,
        )
    return next(iter(columns.values()))


def check_labels(task: "Task", rules: Sequence[Rule], metrics: Sequence[Metric] | None) -> None:
    """Refuse metrics of scores where rules leave predicted labels only."""
    labels = task.predicted[0].name
    for metric in metrics or ():
        if not any(labels in getattr(kind, "arguments", ()) for kind in metric.input_types):
            raise MetricNameError(
                f"{metric} is computed from scores, but a {rules[0].name} leaves predicted labels only",
                "ask for it in a call of its own",
                argument="metrics",
                subject="",
            )
