"""Averages over several binary problems with the same samples: one class against the rest, pairs of classes, labels."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import ClassScores, MultilabelScores, Scores
from certus.kernels import ScoreMetric
from certus.metrics.classification._ordered import Kernel, of_samples, replace_undefined
from certus.metrics.classification.per_sample import mean_with_default
from certus.statistic import Influence, Statistic
from certus.statistic.common import sum_by_code
from certus.statistic.influence import stratum_influences

Average: TypeAlias = Literal["macro", "weighted", "micro", "samples"] | None
"""Average over classes or labels; None: each by itself."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of scores, in each of the ways in which an average needs it."""

    compute: Callable[[Scores], Statistic]
    metric: ScoreMetric
    kernel: Kernel
    reason: Callable[[Scores], str]
    stratified: bool = True
    """True if the classes keep their sizes, where a sample has one class."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One binary problem: some of the samples, and which of them give it its weight in a weighted average."""

    name: str
    scores: Scores
    rows: NDArray[np.intp]
    supporting: NDArray[np.bool_]

    @property
    def support(self) -> float:
        """Number of samples that give it weight, or the sum of their weights."""
        weights = self.scores.weights
        return float(self.supporting.sum() if weights is None else weights[self.supporting].sum())


def only_scores(data: ClassScores) -> Scores | ClassScores:
    """The scores of the positive class where there are two classes; more classes as they are."""
    if data.scores.ndim == 1:
        return Scores(data.hits, data.scores, data.weights, data.groups)
    if len(data.classes) == 2:
        column: Any = np.ascontiguousarray(data.scores[:, data.positive_column])
        return Scores(data.hits, column, data.weights, data.groups)
    return data


def averaged(
    data: ClassScores | MultilabelScores, measure: Measure, average: Average, undefined: float | str
) -> Statistic | dict[Hashable, Statistic]:
    """The metric of each class against the rest, or of each label, averaged."""
    if isinstance(data, ClassScores):
        truth = data.true[:, np.newaxis] == np.arange(len(data.classes))
        columns = np.arange(len(data.classes))
        strata = data.true if measure.stratified else None
    else:
        truth, columns, strata = data.true, data.selected, None
    scores: Any = data.scores
    if average == "micro" or average == "samples":
        table, cells = np.ascontiguousarray(truth[:, columns]), np.ascontiguousarray(scores[:, columns])
        if average == "micro":
            return _micro(data, table, cells, measure)
        return mean_with_default(kernels.score_metric_of_rows(measure.metric, table, cells), data, undefined)
    rows, kind = np.arange(len(truth)), "class" if isinstance(data, ClassScores) else "label"
    problems = {}
    for k in columns.tolist():
        name, column = data.classes[k], np.ascontiguousarray(truth[:, k])
        binary = Scores(column, np.ascontiguousarray(scores[:, k]), data.weights, data.groups)
        problems[name] = Problem(f"{kind} {name!r}", binary, rows, column)
    if average is None:
        return {k: replace_undefined(measure.compute(problem.scores), undefined) for k, problem in problems.items()}
    return _combined(data, [*problems.values()], measure, average, undefined, strata)


def of_pairs(
    data: ClassScores, measure: Measure, average: Literal["macro", "weighted"], undefined: float | str
) -> Statistic:
    """The metric of each ordered pair of classes, the second being the negatives, averaged."""
    problems = []
    for k, j in permutations(range(len(data.classes)), 2):
        rows = np.flatnonzero((data.true == k) | (data.true == j))
        scores = Scores(
            data.true[rows] == k,
            np.ascontiguousarray(data.scores[rows, k]),
            None if data.weights is None else data.weights[rows],
            None,
        )
        name = f"class {data.classes[k]!r} against {data.classes[j]!r}"
        problems.append(Problem(name, scores, rows, np.ones(len(rows), dtype=np.bool_)))
    return _combined(data, problems, measure, average, undefined, data.true if measure.stratified else None)


def _combined(
    data: ClassScores | MultilabelScores,
    problems: list[Problem],
    measure: Measure,
    average: Literal["macro", "weighted"],
    undefined: float | str,
    strata: NDArray[Any] | None,
) -> Influence:
    unit, n = data.unit, data.units
    reasons = [measure.reason(problem.scores) if len(problem.rows) else "there are no samples" for problem in problems]
    supports = np.array([problem.support if average == "weighted" else 1.0 for problem in problems])
    if undefined == "skip":
        supports[[bool(reason) for reason in reasons]] = 0.0
    reason = next(
        (f"{reason} of {p.name}" for reason, p, s in zip(reasons, problems, supports, strict=True) if reason and s), ""
    )
    if not supports.any():
        reason = f"no {'class' if isinstance(data, ClassScores) else 'label'} has a value"
    if not n or (reason and (isinstance(undefined, str) or not supports.any())):
        return replace_undefined(
            Influence(np.nan, (n,), (np.nan,), undefined_reason=reason if n else "", unit=unit), undefined
        )
    terms = np.zeros(len(data))
    values = np.zeros(len(problems))
    for k, (problem, undefined_here) in enumerate(zip(problems, reasons, strict=True)):
        if not supports[k]:
            continue
        if undefined_here:
            values[k] = undefined
            continue
        values[k], contributions = of_samples(problem.scores, measure.kernel)
        terms[problem.rows] += supports[k] / supports.sum() * contributions
    value = float(values @ supports / supports.sum())
    if average == "weighted":
        for problem, class_value in zip(problems, values, strict=True):
            weights = 1.0 if problem.scores.weights is None else problem.scores.weights
            terms[problem.rows] += weights * problem.supporting * (class_value - value) / supports.sum()
    influence = stratum_influences(terms, data.weights, data.groups, strata)
    return Influence.of_strata(
        value,
        influence,
        resample=partial(_resample, problems, measure.metric, average, undefined, strata, data.groups, n),
        unit=unit,
        masses=_masses(data, strata),
        weighted=data.groups is None,
    )


def _resample(
    problems: list[Problem],
    metric: ScoreMetric,
    average: Literal["macro", "weighted"],
    undefined: float | str,
    strata: NDArray[Any] | None,
    groups: NDArray[np.int64] | None,
    units: int,
    replicates: int,
    seed: int,
    stratified: bool,
) -> Floats:
    """Bootstrap replicates of an average over problems of two classes."""
    numerator, denominator = np.zeros(replicates), np.zeros(replicates)
    keeps_strata = stratified and groups is None and strata is not None
    unit_strata = strata.astype(np.uint32) if keeps_strata and strata is not None else None
    for problem in problems:
        order, marks = problem.scores.ranked
        unit_codes = (problem.rows[order] if groups is None else groups[problem.rows[order]]).astype(np.uint32)
        weights = None if problem.scores.weights is None else problem.scores.weights[order]
        options: dict[str, Any] = {"weights": weights, "units": unit_codes, "size": units, "strata": unit_strata}
        options |= {"replicates": replicates, "seed": seed}
        values, weight = kernels.score_bootstrap(metric, marks, **options), np.ones(replicates)
        if average == "weighted":
            support = ScoreMetric.samples() if problem.supporting.all() else ScoreMetric.positives()
            weight = kernels.score_bootstrap(support, marks, **options)
        if undefined == "skip":
            weight = np.where(np.isnan(values), 0.0, weight)
        elif not isinstance(undefined, str):
            values = np.where(np.isnan(values), undefined, values)
        numerator += np.where(weight == 0, 0.0, weight * values)
        denominator += weight
    with np.errstate(invalid="ignore"):
        return numerator / denominator


def _masses(data: ClassScores | MultilabelScores, strata: NDArray[Any] | None) -> Floats | None:
    """Mass of each unit, in the order of the strata; None where all are equal."""
    if data.groups is not None:
        return sum_by_code(data.groups, np.ones(len(data)) if data.weights is None else data.weights)
    if data.weights is None or strata is None:
        return data.weights
    return data.weights[np.argsort(strata, kind="stable")]


def _micro(
    data: ClassScores | MultilabelScores, truth: NDArray[np.bool_], scores: NDArray[Any], measure: Measure
) -> Statistic:
    """The metric with all cells of the table as one problem; a sample's cells form a cluster."""
    columns = truth.shape[1]
    groups = np.arange(len(truth)) if data.groups is None else data.groups
    flat = Scores(
        truth.ravel(),
        scores.ravel(),
        None if data.weights is None else np.repeat(data.weights, columns),
        np.repeat(groups, columns),
    )
    return replace(measure.compute(flat), unit=data.unit)
