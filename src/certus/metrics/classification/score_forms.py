"""Metrics of a binary truth and a score as the forms that inference takes, and averages over several of them."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import permutations
from typing import Annotated, Any, Literal, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.kernels import ScoreMetric
from certus.data import ClassScores, MultilabelScores, Scores
from certus.data.scores import Ordered
from certus.metrics.check import Doc
from certus.metrics.classification.average import Undefined
from certus.metrics.classification.per_sample import mean_with_default
from certus.statistic import Influence, Statistic
from certus.statistic.common import Resample, sum_by_code
from certus.statistic.influence import UnseenUnits, masses, stratum_influences

Kernel = Callable[[NDArray[np.uint8], Floats], tuple[float, Floats]]
"""From marks and weights to the value and what each sample adds to it to first order."""
Scale = tuple[float, float]
UNIT: Scale = (0, 1)
OfTwo: TypeAlias = Annotated[Undefined, Doc('What it is without samples of one class: ``"nan"`` or a number.')]
"""Value of a metric of both classes without one of them."""
OfPositives: TypeAlias = Annotated[Undefined, Doc('What it is without positives: ``"nan"`` or a number.')]
"""Value of a metric of the positives without them."""
Form = TypeVar("Form", bound=Statistic)
Marks = NDArray[np.uint8]
NEAREST = 8
"""Units that are near a threshold at least: a share of fewer would be known too badly."""


def one_class_reason(scores: Scores) -> str:
    """The class without samples, as a reason; empty where both have some, or there are no samples at all."""
    n_positives = np.count_nonzero(scores.truth)
    if 0 < n_positives < len(scores) or not len(scores):
        return ""
    return "there are no positives" if n_positives == 0 else "there are no negatives"


def no_positives_reason(scores: Scores) -> str:
    """The reason of a value without positives; empty where there are some, or no samples at all."""
    return "there are no positives" if len(scores) and not scores.truth.any() else ""


def replace_undefined(statistic: Form, undefined: float | str) -> Form | Influence:
    """The statistic, or the number that stands in where it is undefined."""
    if isinstance(undefined, str) or not statistic.reason or not statistic.n:
        return statistic
    return Influence(undefined, (statistic.n,), (np.nan,), unit=statistic.unit)


def no_influence(*sizes: int) -> tuple[Floats, ...]:
    """Influence values of strata that are all 0, which take no room."""
    return tuple(np.broadcast_to(0.0, size) for size in sizes)


def rescale(scale: Scale, values: Any) -> Any:
    """Values from 0 to 1 moved onto a scale: 1 becomes exactly the upper end."""
    low, high = scale
    return values if scale == UNIT else high - (high - low) * (1 - values)


def resampled(scores: Scores, metric: ScoreMetric, scale: Scale = UNIT) -> Resample:
    """Bootstrap replicates; the strata are the classes, where samples are the units."""
    return partial(_resample_scores, scores, metric, scale)


def _resample_scores(
    scores: Scores, metric: ScoreMetric, scale: Scale, replicates: int, seed: int, stratified: bool
) -> Floats:
    ordered = scores.ordered
    strata = strata_of(ordered) if stratified else None
    sample = {**ordered._asdict(), "strata": strata, "replicates": replicates, "seed": seed}
    values: Floats = rescale(scale, kernels.score_bootstrap(metric, **sample))
    return values


def strata_of(ordered: Ordered) -> NDArray[np.uint32] | None:
    """The class of each unit; None where units are groups, which have none."""
    return None if ordered.units is not None else (ordered.marks & 1).astype(np.uint32)


def linear(
    scores: Scores,
    kernel: Kernel,
    metric: ScoreMetric,
    *,
    stratified: bool,
    reason: str = "",
    scale: Scale = UNIT,
    caution: Callable[[], str] | None = None,
    unseen: Callable[[Scores, float], Callable[[float], tuple[float, float]]] | None = None,
) -> Influence:
    """The metric with the influence values of its units: samples, weighted samples or groups."""
    if reason or not len(scores):
        return Influence(np.nan, (scores.units,), (np.nan,), undefined_reason=reason, unit=scores.unit)
    value, terms = of_samples(scores, kernel)
    low, high = scale
    strata = ~scores.truth if stratified else None
    options = {"stratified": stratified, "scale": scale, "unseen": unseen}
    values = stratum_influences((high - low) * terms, scores.weights, scores.groups, strata)
    kind, facts = (
        (Influence, {}) if unseen is None else (UnseenUnits, {"unseen": unseen(scores, rescale(scale, value))})
    )
    return kind.of_strata(
        rescale(scale, value),
        values,
        resample=resampled(scores, metric, scale),
        unit=scores.unit,
        masses=masses_of(scores, terms, stratified=stratified),
        weighted=scores.groups is None,
        apart=None if scores.groups is None else partial(_ungrouped, scores, kernel, metric, **options),
        caution=caution,
        **facts,
    )


def _ungrouped(scores: Scores, kernel: Kernel, metric: ScoreMetric, **options: Any) -> Influence:
    return linear(replace(scores, groups=None), kernel, metric, **options)


def masses_of(scores: Scores, terms: Floats, *, stratified: bool) -> Floats:
    """Mass of each unit, its weight in strata; `terms` are the contributions of the samples."""
    weights = scores.mass
    if stratified and scores.groups is None:
        return np.concatenate([weights[np.flatnonzero(in_class)] for in_class in (scores.truth, ~scores.truth)])
    return masses(terms, weights, scores.groups, scores.truth)


def of_samples(scores: Scores, kernel: Kernel) -> tuple[float, Floats]:
    """The value, and what each sample adds to it to first order, in the order of the data."""
    order, marks = scores.ranked
    value, terms = kernel(marks, scores.mass[order])
    contributions = np.empty(len(order))
    contributions[order] = terms
    return value, contributions


class ThresholdSteps:
    """The steps of a threshold through samples by decreasing score; `a` and `b` are the classes' weights in each."""

    def __init__(self, marks: Marks, weights: Floats) -> None:
        self._positive = (marks & 1).astype(bool)
        self._weights = weights
        group_ends = np.flatnonzero(marks & 2)
        self._step = np.repeat(np.arange(len(group_ends)), np.diff(group_ends, prepend=-1))
        self.a: Floats = sum_by_code(self._step, np.where(self._positive, weights, 0.0), len(group_ends))
        self.b: Floats = sum_by_code(self._step, np.where(self._positive, 0.0, weights), len(group_ends))

    @classmethod
    def from_scores(cls, scores: Scores, power: int = 1) -> Self:
        """The steps through all samples, with a power of their weights: 0 counts them."""
        order, marks = scores.ranked
        return cls(marks, scores.mass[order] ** power)

    @classmethod
    def from_masses(cls, a: Floats, b: Floats) -> Self:
        """The steps alone, without samples."""
        steps = cls.__new__(cls)
        steps.a, steps.b = a, b
        return steps

    @cached_property
    def true_positives(self) -> Floats:
        """The weights of the positives of all steps up to each, itself included."""
        return np.cumsum(self.a)

    @cached_property
    def false_positives(self) -> Floats:
        """The weights of the negatives of all steps up to each, itself included."""
        return np.cumsum(self.b)

    @property
    def positives(self) -> float:
        """The weight of all positives."""
        return float(self.true_positives[-1])

    @property
    def negatives(self) -> float:
        """The weight of all negatives."""
        return float(self.false_positives[-1])

    def terms(self, of_positive: Floats, of_negative: Floats) -> Floats:
        """Contribution of each sample, from a step's derivatives by the weights of positives and negatives."""
        derivatives = np.where(self._positive, of_positive[self._step], of_negative[self._step])
        return np.asarray(self._weights * derivatives)

    def local_share(self, step: int, units: int, spread: float = 1.0) -> float | None:
        """The share of positives among samples near the end of a step; None where the step has as many itself."""
        # Near is spread / sqrt(n) of the weights, about as far as the threshold of another sample of the law would lie:
        # the weight of 8 units at least. A step that holds as much is a value of its own, which the threshold does not
        # leave.
        until = self.true_positives + self.false_positives
        near = float(until[-1]) / math.sqrt(units) * min(max(spread, NEAREST / math.sqrt(units)), 1.0)
        if self.a[step] + self.b[step] > near:
            return None
        first = int(np.searchsorted(until, until[step] - near, side="right"))
        last = int(np.searchsorted(until, until[step] + near))
        a, b = float(self.a[first : last + 1].sum()), float(self.b[first : last + 1].sum())
        return a / (a + b)


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
    unit_masses = data.unit_masses
    if unit_masses is not None and strata is not None and data.groups is None:
        unit_masses = unit_masses[np.argsort(strata, kind="stable")]
    return Influence.of_strata(
        value,
        influence,
        resample=partial(_resample, problems, measure.metric, average, undefined, strata, data.groups, n),
        unit=unit,
        masses=unit_masses,
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


def _micro(
    data: ClassScores | MultilabelScores, truth: NDArray[np.bool_], scores: NDArray[Any], measure: Measure
) -> Statistic:
    """The metric with all cells of the table as one problem; a sample's cells form a cluster."""
    columns = truth.shape[1]
    groups = data.unit_codes
    flat = Scores(
        truth.ravel(),
        scores.ravel(),
        None if data.weights is None else np.repeat(data.weights, columns),
        np.repeat(groups, columns),
    )
    return replace(measure.compute(flat), unit=data.unit)
