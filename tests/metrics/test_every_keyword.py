"""A keyword that does nothing is an error: every keyword of every metric's call is tried on data of each kind."""

import inspect
import random
from collections.abc import Iterator
from typing import Any

from in_a_row import in_a_row

from certus import CertusError, tasks
from certus.data import Scores
from certus.inference import Estimates
from certus.metrics import Metric, declared
from certus.metrics.check import REQUIRED

N = 40
DRAW = random.Random(1)
TRUE = [DRAW.randrange(2) for _ in range(N)]
PREDICTED = [each if DRAW.random() < 0.8 else 1 - each for each in TRUE]
SCORES = [0.05 + 0.3 * each + 0.6 * DRAW.random() for each in TRUE]
CLASSES = [DRAW.choice("ABC") for _ in range(N)]
OTHERS = [each if DRAW.random() < 0.7 else DRAW.choice("ABC") for each in CLASSES]
SHARES = [(lambda a, b: [a, b, 1 - a - b])(DRAW.random() / 2, DRAW.random() / 2) for _ in CLASSES]
TABLE = [[1, each, DRAW.randrange(2)] for each in TRUE]
GUESSES = [[1, *(each if DRAW.random() < 0.8 else 1 - each for each in row[1:])] for row in TABLE]
MARKS = [[0.1 + 0.5 * each + 0.3 * DRAW.random() for each in row] for row in TABLE]
NUMBERS = [0.1 + DRAW.random() for _ in range(N)]
NEAR = [each * (0.8 + 0.4 * DRAW.random()) for each in NUMBERS]
POINTS = [[DRAW.random(), DRAW.random()] for _ in range(N)]
QRELS = {f"q{i}": {f"d{j}": DRAW.choice((0, 1, 2)) for j in range(6)} for i in range(6)}
RUN = {f"q{i}": {f"d{j}": float(DRAW.randrange(4)) for j in DRAW.sample(range(9), 6)} for i in range(5)}

DATA: dict[str, list[tuple[Any, ...]]] = {
    "classification": [
        (TRUE, PREDICTED),
        (TRUE, SCORES),
        (TRUE, [2 * each - 1 for each in SCORES]),
        (CLASSES, OTHERS),
        (CLASSES, SHARES),
        (TABLE, GUESSES),
        (TABLE, MARKS),
    ],
    "clustering": [(CLASSES, OTHERS), (POINTS, CLASSES)],
    "efficiency": [(NUMBERS,), (TRUE,)],
    "multilabel": [(TABLE, GUESSES), (TABLE, MARKS)],
    "ranking": [(QRELS, RUN)],
    "regression": [(NUMBERS, NEAR)],
    "values": [(NUMBERS,), (TRUE,)],
}
GIVEN: dict[str, tuple[Any, ...]] = {
    "labels": (["B", "A"], ["B", "C", "A"], [0], [1, 0], ["A", "B", "C"], [0, 1]),
    "pos_label": (0, "B"),
    "sample_weight": ([1.0 + i % 3 for i in range(N)],),
    "groups": ([i // 4 for i in range(N)],),
    "units": ("ms",),
    "ids": ([i // 2 for i in range(N)],),
    "items": ([1 + i % 3 for i in range(N)],),
    "metric": ("cityblock",),
    "metric_params": ({"p": 3},),
    "contingency": ([[20, 1], [3, 16]],),
    "queries": ("judged",),
}
"""Values for each keyword of a call that is not a parameter of the metric.

How ties and unjudged documents of rankings are taken is a convention of the evaluation and holds for every metric; some
metrics do not depend on it.
"""
CHECKED = {"labels": Scores, "pos_label": Scores}
"""Keywords that say what the labels are for these data; they are checked, and the value may be the same."""
REQUIRED_VALUES = {
    "q": 0.9,
    "alpha": 0.7,
    "cutoff": 3,
    "recall": 0.5,
    "precision": 0.5,
    "fraction": 0.3,
    "beta": 2.0,
    "p": 0.8,
}


def every_keyword() -> Iterator[tuple[str, str]]:
    for task in tasks.names():
        for metric in (each for each in declared(task) if each.__module__.startswith("certus.")):
            of_call = inspect.signature(tasks.task(task).call() if task == "ranking" else metric).parameters
            for name in of_call:
                if name not in metric.parameters and name in GIVEN:
                    yield f"{task} {metric.name}", name


def made(text: str) -> Metric:
    task, _, name = text.partition(" ")
    metric = next(each for each in declared(task) if each.name == name)
    open_ones = [each for each, parameter in metric.parameters.items() if parameter.default is REQUIRED]
    chosen: dict[str, Any] = {each: REQUIRED_VALUES[each] for each in open_ones}
    return metric.using(**chosen, **({"k": 1} if name == "TopK" else {}))


def found(result: Any) -> Any:
    """Result of a call: values and units; of intervals only their basis."""
    if isinstance(result, Estimates):
        return {label: found(each) for label, each in result.items()}
    statistic = result.statistic
    spread = [getattr(statistic, name, None) for name in ("squares", "groups", "weights", "counts")]
    units = result.conventions.get("units")
    return (repr(result.value), result.n, result.unit, units, type(statistic), repr(spread))


@in_a_row("text, keyword", every_keyword(), group=lambda text, keyword: text.partition(" ")[0])
def test_a_keyword_changes_what_is_computed_or_is_refused(text: str, keyword: str) -> None:
    metric = made(text)
    seen = []
    for data in DATA[metric.task]:
        try:
            before = found(metric(*data))
        except CertusError:
            continue
        for value in GIVEN[keyword]:
            try:
                seen.append("nothing" if found(metric(*data, **{keyword: value})) == before else "a change")
            except CertusError:
                seen.append("refused")
    assert seen, f"no data of DATA are for {text}"
    checked = keyword in CHECKED and CHECKED[keyword] in metric.input_types and {"nothing", "refused"} <= set(seen)
    assert "a change" in seen or set(seen) == {"refused"} or checked
