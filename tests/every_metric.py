"""Every metric of every task, and data that each of them can be computed from; a new one is found by itself."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import tasks
from certus.data import Clustered, Holdings, LabelGrades, MultilabelScores, Staleness
from certus.inference import Estimate, Estimates
from certus.metrics import Metric, declared
from certus.metrics.check import Parameter

TASKS = tuple(name for name in tasks.names() if name != "ranking")
"""The tasks whose metrics take columns with one row per sample."""

NEEDED = {"beta": 2.0, "recall": 0.5, "precision": 0.5, "q": 0.5}
"""Values of parameters that have no default."""
BINARY = {"FM", "LR+", "LR-"}
"""Metrics of labels that know two classes only."""


class Case(NamedTuple):
    """A metric, its data and what else it is given."""

    metric: Metric
    given: tuple[NDArray[Any], ...]
    other: dict[str, Any]

    def of(self, **conventions: Any) -> list[Estimate]:
        """The estimates, of which there is one unless the metric has several values."""
        found: Any = self.metric(*self.given, **self.other, **conventions)
        return list(found.values()) if isinstance(found, Estimates) else [found]

    def values(self, **conventions: Any) -> list[float]:
        """The values of the estimates."""
        return [each.value for each in self.of(**conventions)]

    def rows(self, rows: Any) -> "Case":
        """The same of some samples."""
        return self._replace(given=tuple(each[rows] for each in self.given))

    def perfect(self) -> "Case":
        """The same with predictions that are right throughout."""
        true, other = self.given
        if true.ndim < other.ndim:  # a column per class
            other = np.eye(other.shape[1])[true]
            if self.metric.input_types[0].__name__ == "ClassScores":  # without ties
                other = 10 * other + np.arange(len(true))[:, np.newaxis] / 1000
            return self._replace(given=(true, other))
        return self._replace(given=(true, true.astype(other.dtype)))


def ready(metric: Metric) -> Metric:
    """The metric with a value for each parameter that needs one."""
    needed = {name: NEEDED[name] for name, parameter in metric.parameters.items() if parameter.required}
    return metric.using(**needed)


def variants(metric: Metric) -> list[Metric]:
    """The metric with each choice of each parameter."""
    first = ready(metric)
    bound = [first.using(**{name: choice}) for name, p in metric.parameters.items() for choice in _choices(p)]
    return list(dict.fromkeys([first, *bound]))


def every_variant(metric: Metric) -> list[Metric]:
    """The metric with some values of each parameter."""
    tries: dict[object, list[Any]] = {
        int: [1, 2, 3, 10],
        float: [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, -1.0],
        bool: [False, True],
    }
    first = ready(metric)
    bound = [
        first.using(**{name: value})
        for name, parameter in metric.parameters.items()
        for value in [*parameter.choices, *(each for kind in parameter.types for each in tries.get(kind, ()))]
        if not isinstance(value, int | float) or isinstance(value, bool) or value in parameter.range
        if not (name == "power" and 0 < value < 1)  # no such Tweedie distribution
    ]
    return list(dict.fromkeys([first, *bound]))


def _choices(parameter: Parameter) -> list[Any]:
    return [*parameter.choices, *([False, True] if bool in parameter.types else [])]


def case(task: str, metric: Metric, n: int = 40, seed: int = 0) -> Case:
    """Data that the metric has a value and an interval for."""
    random = np.random.default_rng(seed)
    if task == "regression":
        true = random.gamma(3.0, size=n)
        return Case(metric, (true, true * random.lognormal(0.05, 0.3, n)), {})
    if Holdings in metric.input_types:
        return Case(metric, ((random.random(n) < 0.7).astype(int),), {})
    if Staleness in metric.input_types:
        return Case(metric, (random.lognormal(size=n) * (random.random(n) < 0.4),), {})
    if task in ("efficiency", "values"):
        return Case(metric, (random.lognormal(size=n),), {})
    if task == "clustering":
        pred = np.arange(n) % 3
        if Clustered in metric.input_types:
            return Case(metric, (random.normal(size=(n, 2)) + 2 * pred[:, np.newaxis], pred), {})
        return Case(metric, (np.where(random.random(n) < 0.7, pred, random.integers(0, 4, n)), pred), {})
    given = _multilabel(metric, random, n) if task == "multilabel" else _classified(metric, random, n)
    return Case(metric, given, {})


def _multilabel(metric: Metric, random: np.random.Generator, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    true = random.permuted(np.arange(5) < random.integers(1, 5, (n, 1)), axis=1)
    if metric.input_types == (MultilabelScores,):
        return true, np.round(true + random.normal(size=true.shape), 1)
    if metric.input_types == (LabelGrades,):
        grades = true * random.integers(1, 4, true.shape)
        return grades, np.round(grades + random.normal(size=true.shape), 1)
    return true.astype(int), np.where(random.random((n, 1)) < 0.4, random.permuted(true, axis=1), true).astype(int)


def _classified(metric: Metric, random: np.random.Generator, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    kind = metric.input_types[0].__name__
    average = metric.conventions.get("average", "binary" if metric.name in BINARY else None)
    if kind == "Labels" and average == "samples":
        true = random.permuted(np.arange(4) < random.integers(1, 4, (n, 1)), axis=1)
        return true.astype(int), np.where(random.random((n, 1)) < 0.4, random.permuted(true, axis=1), true).astype(int)
    positive = metric.conventions.get("confidence") == "positive"
    classes = 2 if kind == "Scores" or positive or (kind == "Labels" and average == "binary") else 3
    true, noise = np.arange(n) % classes, random.normal(size=(n, classes))
    if kind == "Labels":
        return true, np.argmax(np.eye(classes)[true] + 0.7 * noise, axis=1)
    if kind == "Scores":
        return true, np.round(true + noise[:, 0], 1)
    if positive:
        return true, np.round(1 / (1 + np.exp(-2 * true + 1 - noise[:, 0])), 2)
    scores = np.exp(np.eye(classes)[true] + noise)
    return true, scores / scores.sum(1, keepdims=True) if kind == "Probabilities" else np.round(scores, 1)


def cases(*tasks: str, variant: bool = True) -> list[tuple[str, Metric]]:
    """Every metric of the tasks (all that take samples), with every choice of its parameters unless not asked for."""
    return [
        (task, each)
        for task in tasks or TASKS
        for metric in declared(task)
        for each in (variants(metric) if variant else [ready(metric)])
    ]
