"""Correlation between targets and predictions, by values or by ranks."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.data import Targets
from certus.metrics.regression.passes import LONG_TAILS, OfSums, Sums, less
from certus.metrics.regression.smooth import (
    Outputs,
    ValueInfluence,
    centred,
    cleaned,
    enough,
    in_passes,
    mass_of,
    output_metric,
    output_weights,
    smooth,
    weighted_sum,
    without_value,
)
from certus.metrics.spellings import MTEB
from certus.metrics.state_kinds import ONE_NUMBER, InPasses, Ranks
from certus.statistic import Influence
from certus.statistic.common import TOO_SKEWED, sum_by_code, unit_ranks
from certus.statistic.passes import Read

Codes = NDArray[np.intp]
BLOCK = 1 << 22
"""Counts of resamples held at a time: 16 MB."""
NOTHING_TO_AGREE_ON = "all targets and predictions are one number: there is nothing to agree on"


@output_metric(
    "Pearson",
    aliases=("pearsonr", "correlation"),
    spellings=MTEB("pearson", "cosine_pearson", "manhattan_pearson", "euclidean_pearson"),
    bounds=(-1.0, 1.0),
    source="Pearson (1896), Philos. Trans. R. Soc. A 187:253-318, doi:10.1098/rsta.1896.0007",
    state=InPasses(lambda _: PearsonSums(), when=ONE_NUMBER),
)
def pearson(targets: Targets, *, multioutput: Outputs = "uniform_average") -> ValueInfluence:
    """Closeness of the predictions to a straight line against the targets.

    ``r = Cov(y, prediction) / sqrt(Var(y) Var(prediction))``. Neither an offset nor a positive factor of the
    predictions matters. Targets or predictions that are all equal have no correlation: it is undefined.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.pearson([1, 2, 3], [1, 3, 2]).value, 12)
    0.5
    """
    return _correlation(targets, _pearson, multioutput, PearsonSums)


def _pearson(cross: Any, true_squares: Any, predicted_squares: Any, mean_difference: Any, mass: Any) -> Any:
    del mean_difference, mass
    # The root of the product is exact where both are equal; the product may leave the range of floats.
    product = true_squares * predicted_squares
    fine = (product.real > 1e-300) & np.isfinite(product)
    return cross / np.where(fine, np.sqrt(product), np.sqrt(true_squares) * np.sqrt(predicted_squares))


@output_metric(
    "CCC",
    aliases=("concordance_correlation", "lin_ccc"),
    bounds=(-1.0, 1.0),
    source="Lin (1989), Biometrics 45(1):255-268, doi:10.2307/2532051",
    state=InPasses(lambda conventions: ConcordanceSums(ddof=conventions["ddof"]), when=ONE_NUMBER),
)
def concordance(
    targets: Targets, *, ddof: Literal[0, 1] = 0, multioutput: Outputs = "uniform_average"
) -> ValueInfluence:
    """Closeness of predictions and targets: Pearson's correlation, less for a wrong mean or spread.

    ``CCC = 2 Cov(y, prediction) / (Var(y) + Var(prediction) + (mean of y - mean of prediction)^2)``. It is undefined
    where all targets and predictions are one number, and 0 where only one side is constant.

    Parameters
    ----------
    ddof
        Variances are sums over n - ddof: 0 is Lin's estimate, 1 has unbiased variances.

    Examples
    --------
    Predictions too high by 1 throughout, with variances 2/3: 4/3 over 4/3 + 1.

    >>> import certus
    >>> round(certus.regression.concordance([1, 2, 3], [2, 3, 4]).value, 4)
    0.5714
    """
    n = mass_of(targets.true, targets.weights)
    factor = 1.0 if ddof == 0 or n <= 1 else (n - 1) / n
    return _correlation(
        targets, partial(_concordance, factor), multioutput, partial(ConcordanceSums, ddof=ddof), shift=True
    )


def _concordance(
    factor: float, cross: Any, true_squares: Any, predicted_squares: Any, mean_difference: Any, mass: Any
) -> Any:
    return 2 * cross / (true_squares + predicted_squares + factor * mass * mean_difference**2)


def _correlation(
    data: Targets,
    coefficient: Callable[..., Any],
    multioutput: str | tuple[float, ...],
    passes: Callable[[Read], OfSums],
    *,
    shift: bool = False,
) -> Influence:
    """A coefficient computed from central sums of products, the mean difference and the total weight."""
    outputs = len(data.outputs)
    parts = output_weights(multioutput, outputs)
    if data.is_simple_column and len(data) > 1:
        return _in_passes(data, coefficient, passes, shift=shift)
    data, _ = data.moderate(separately=not shift)  # which changes no correlation
    true, predicted = data.table
    reason = enough(data) or ("" if shift else constant_column(data))
    if reason:
        return without_value(data, reason)
    centred_true, centred_predicted = (centred(values, data.weights)[0] for values in (true, predicted))
    mean_difference = (true[0] - centred_true[0]) - (predicted[0] - centred_predicted[0])
    function = partial(_of_sums, coefficient, mean_difference, parts)
    columns = partial(_products, centred_true, centred_predicted)
    sums = _sums(centred_true, centred_predicted, data.weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficients = coefficient(*sums[:3], weighted_sum(true - predicted, data.weights) / sums[3], sums[3])
    value = float(np.clip(coefficients, -1.0, 1.0) @ parts)
    if math.isnan(value):
        reason = NOTHING_TO_AGREE_ON
    statistic = smooth(data, columns, function, value, reason=reason)
    caution = (
        partial(_skewed_errors, data)
        if shift
        else partial(_skewed_distances, data, centred_true, centred_predicted, sums[0])
    )
    return replace(statistic, caution=caution)


def _in_passes(
    data: Targets, coefficient: Callable[..., Any], passes: Callable[[Read], OfSums], *, shift: bool
) -> Influence:
    form, data = in_passes(passes, data, separately=not shift)
    if form.reason:
        return without_value(data, form.reason)
    middle_true, middle_predicted, *_ = form.shifts
    function = partial(_of_sums, coefficient, np.array([middle_true - middle_predicted]), np.ones(1))
    statistic = smooth(data, partial(_products_of, data, form.shifts), function, form.value, passes=form)
    return replace(statistic, caution=partial(_skewed_errors, data) if form.is_extreme else form.caution)


def _products_of(data: Targets, shifts: Sequence[float]) -> Sequence[Floats]:
    true, predicted = data.table
    return _products(true - shifts[0], predicted - shifts[1])


class PearsonSums(OfSums):
    """Pearson's correlation in passes."""

    first, second = ("true", "predicted"), ("true^2", "predicted^2", "product")
    clipped = cautious = True

    def value_of(self, sums: Sums, distance: float) -> float:
        """The product sum, divided by the geometric mean of both spreads."""
        del distance
        root = _root(sums)
        return sums.cross / root if root else math.nan

    @property
    def constant(self) -> str:
        """The side on which all numbers are equal; empty where both vary."""
        means = self.totals("means")
        equal = [lowest == highest for lowest, highest in zip(means.least, means.greatest, strict=True)]
        return "targets" if equal[0] else "predictions" if equal[1] else ""

    @property
    def reason(self) -> str:
        """The reason why there is no value."""
        return f"all {self.constant} are equal: a constant has no correlation" if self.constant else super().reason

    def gains(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample."""
        times, spreads = self.n / (self.n - 1), (self.sums.true_spread, self.sums.predicted_spread)
        a = true - self.shifts[0] - self.sums.a / self.n
        b = predicted - self.shifts[1] - self.sums.b / self.n
        shares = [less(times * off * off / spread, 1.0) for off, spread in zip((a, b), spreads, strict=True)]
        shrunk = np.expm1((np.log1p(-shares[0]) + np.log1p(-shares[1])) / 2)
        return np.asarray(-(times * a * b + self.sums.cross * shrunk) / (_root(self.sums) * (1 + shrunk)))

    def differences(self, true: Floats, predicted: Floats) -> Floats:
        """Squared differences of standardised numbers."""
        a = (true - self.shifts[0]) / math.sqrt(self.sums.aa / self.n)
        b = (predicted - self.shifts[1]) / math.sqrt(self.sums.bb / self.n)
        return np.asarray((a - math.copysign(1.0, self.sums.cross) * b) ** 2)


def _root(sums: Sums) -> float:
    product = sums.true_spread * sums.predicted_spread
    if 1e-300 < product < math.inf:
        return math.sqrt(product)
    return math.sqrt(sums.true_spread) * math.sqrt(sums.predicted_spread)


class ConcordanceSums(OfSums):
    """The concordance correlation coefficient in passes."""

    first, second = ("true", "predicted", "error"), ("true^2", "predicted^2", "product")
    clipped = cautious = True

    def __init__(self, read: Read | None = None, ddof: int = 0) -> None:
        super().__init__(read)
        self.ddof = ddof

    def _denominator(self, sums: Sums, distance: float) -> float:
        factor = (self.n - 1) / self.n if self.ddof else 1.0
        return sums.true_spread + sums.predicted_spread + factor * sums.n * distance**2

    def value_of(self, sums: Sums, distance: float) -> float:
        """Twice the product sum, divided by both spreads and the squared distance of the means."""
        denominator = self._denominator(sums, distance)
        return 2 * sums.cross / denominator if denominator else math.nan

    @property
    def undefined(self) -> str:
        """The reason of a value that is NaN."""
        return NOTHING_TO_AGREE_ON

    def gains(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample."""
        n, cross, distance = self.n, self.sums.cross, self.distance
        times, factor = n / (n - 1), (n - 1) / n if self.ddof else 1.0
        a = true - self.shifts[0] - self.sums.a / n
        b = predicted - self.shifts[1] - self.sums.b / n
        wide = a - b
        nearer = distance**2 + 2 * distance * wide - wide * wide / (n - 1)
        lost = times * (a * a + b * b) + factor * nearer
        total = self._denominator(self.sums, distance)
        return np.asarray(2 * (cross * lost - times * a * b * total) / (total * (total - less(lost, total))))

    def differences(self, true: Floats, predicted: Floats) -> Floats:
        """Squared differences, in units of the spreads."""
        size = math.sqrt((self.sums.aa + self.sums.bb) / self.n) or 1.0
        return np.asarray(((true - predicted) / size) ** 2)


def _of_sums(coefficient: Callable[..., Any], mean_difference: Floats, parts: Floats, sums: Any) -> Any:
    mass = sums[..., :1]
    a, b, aa, bb, ab = np.split(sums[..., 1:], 5, axis=-1)
    spreads = cleaned(aa - a**2 / mass, aa), cleaned(bb - b**2 / mass, bb)
    values = coefficient(ab - a * b / mass, *spreads, mean_difference + (a - b) / mass, mass)
    return np.where(np.isfinite(values), values, math.nan) @ parts


def _products(true: Floats, predicted: Floats) -> Sequence[Floats]:
    return [*true.T, *predicted.T, *(true**2).T, *(predicted**2).T, *(true * predicted).T]


def _skewed_errors(data: Targets) -> str:
    true, predicted = data.table
    return TOO_SKEWED if _skewness((true - predicted) ** 2, data) > LONG_TAILS else ""


def _skewed_distances(data: Targets, centred_true: Floats, centred_predicted: Floats, cross: Floats) -> str:
    distances = _standardised(centred_true) - np.sign(cross) * _standardised(centred_predicted)
    return TOO_SKEWED if _skewness(distances**2, data) > LONG_TAILS else ""


def _standardised(values: Floats) -> Floats:
    """Distances from 0 with a mean square of 1."""
    return np.asarray(values / np.sqrt((values**2).mean(axis=0)))


def _skewness(losses: Floats, data: Targets) -> float:
    """Skewness of the mean loss over units; the greatest one of several outputs."""
    # A correlation is one less a mean squared difference over the greatest there could be: what a sample adds to the
    # one is lost off the other, so that a long tail that the influence values hide shows here.
    mass = data.mass
    skewnesses = []
    for column in losses.T:
        terms = sum_by_code(data.unit_codes, mass * (column - product(mass, column) / mass.sum()), data.units)
        largest = float(np.abs(terms).max())
        terms = terms / largest if largest else terms
        skewnesses.append(float((terms**3).sum() / ((terms**2).sum() ** 1.5 or 1.0)))
    return max(skewnesses)


def _sums(true: Floats, predicted: Floats, weights: Floats | None) -> tuple[Floats, Floats, Floats, float]:
    """Central sums: cross products, true squares, predicted squares; and the total weight."""
    mass = mass_of(true, weights)
    a, b = weighted_sum(true, weights), weighted_sum(predicted, weights)
    cross = weighted_sum(true * predicted, weights) - a * b / mass
    squares = [np.maximum(weighted_sum(x * x, weights) - s * s / mass, 0.0) for x, s in ((true, a), (predicted, b))]
    return cross, squares[0], squares[1], mass


def constant_column(data: Targets) -> str:
    """The reason of a missing correlation; empty where both columns vary in every output."""
    for quantity, values in zip(("targets", "predictions"), data.table, strict=True):
        still = (values == values[:1]).all(axis=0)
        if still.any():
            where = f" in output {data.outputs[int(np.argmax(still))]!r}" if len(data.outputs) > 1 else ""
            return f"all {quantity} are equal{where}: a constant has no correlation"
    return ""


@output_metric(
    "Spearman",
    aliases=("spearmanr", "rank_correlation"),
    spellings=MTEB("spearman", "cosine_spearman", "manhattan_spearman", "euclidean_spearman"),
    bounds=(-1.0, 1.0),
    source="Spearman (1904), Am. J. Psychol. 15(1):72-101, doi:10.2307/1412159",
    state=Ranks(),
)
def spearman(targets: Targets, *, multioutput: Outputs = "uniform_average") -> ValueInfluence:
    """Agreement of predictions and targets on the order of samples: Pearson's correlation between ranks.

    ``rho = Cov(rank of y, rank of prediction) / sqrt(Var(rank of y) Var(rank of prediction))``. Equal numbers have the
    mean of their ranks. With weights the rank is the weight below and half the weight at the number. Targets or
    predictions that are all equal have no order: it is undefined.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.spearman([1, 2, 3, 100], [1, 3, 2, 4]).value, 12)
    0.8
    """
    parts = output_weights(multioutput, len(targets.outputs))
    reason = enough(targets) or constant_column(targets)
    if reason:
        return Influence.of_units(math.nan, targets.units, partial(np.zeros, targets.units), undefined_reason=reason)
    ranked = _Ranked(
        targets,
        parts,
        [
            (np.unique(y, return_inverse=True)[1], np.unique(p, return_inverse=True)[1])
            for y, p in zip(targets.table[0].T, targets.table[1].T, strict=True)
        ],
    )
    return Influence.of_units(
        ranked.value(targets.mass),
        targets.units,
        ranked.influence,
        ranked.resample,
        unit=targets.unit,
        masses=targets.unit_masses,
        weighted=targets.groups is None,
    )


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Targets and predictions by rank codes, a pair for each output, and the part that each output has in the mean."""

    targets: Targets
    parts: Floats
    codes: list[tuple[Codes, Codes]]

    def value(self, weights: Floats) -> float:
        """Mean rank correlation of the outputs where samples have these weights."""
        pairs = zip(self.parts, self.codes, strict=True)
        return float(sum(part * _correlation_of_ranks(*pair, weights) for part, pair in pairs))

    def influence(self) -> Floats:
        """The influence value of each unit."""
        weights, units = self.targets.mass, self.targets.units
        influences = sum(part * _influence(*pair, weights) for part, pair in zip(self.parts, self.codes, strict=True))
        weighted = np.asarray(influences * weights / weights.sum())
        return sum_by_code(self.targets.unit_codes, weighted, units) * units

    def resample(self, replicates: int, seed: int, stratified: bool) -> Floats:
        """Bootstrap replicates of the value."""
        del stratified  # there is one stratum
        weights, units = self.targets.mass, self.targets.units
        columns = (column for pair in self.codes for column in pair)
        ranks = unit_ranks(self.targets.groups, *columns, weights)[self.targets.unit_codes]
        values = np.empty(replicates)
        step = max(1, BLOCK // units)
        for first in range(0, replicates, step):
            size = min(step, replicates - first)
            counts = kernels.resample_counts(units, first=first, replicates=size, seed=seed)
            for i, times in enumerate(counts, start=first):
                values[i] = self.value(weights * times[ranks])
        return values


def _ranks(codes: Codes, weights: Floats) -> Floats:
    """Twice the weight below each sample, and that of its ties once, less the denominator: 0 on average."""
    levels = sum_by_code(codes, weights)
    cumulative = np.cumsum(levels)
    return np.asarray((2 * cumulative - levels - cumulative[-1])[codes])


def _correlation_of_ranks(y: Codes, p: Codes, weights: Floats) -> float:
    true_ranks, predicted_ranks = _ranks(y, weights), _ranks(p, weights)
    top = float(np.abs(true_ranks).max()) or 1.0
    true_ranks, predicted_ranks = true_ranks / top, predicted_ranks / top
    squares = kernels.exact_dot(weights, true_ranks * true_ranks) * kernels.exact_dot(
        weights, predicted_ranks * predicted_ranks
    )
    if not squares > 0:
        return math.nan
    return min(max(kernels.exact_dot(weights, true_ranks * predicted_ranks) / math.sqrt(squares), -1.0), 1.0)


def _influence(y: Codes, p: Codes, weights: Floats) -> Floats:
    """The influence of each sample through the three moments of the ranks U and V."""
    total = kernels.exact_sum(weights)
    u, v = ((_ranks(codes, weights) / total + 1) / 2 for codes in (y, p))
    share = weights / total

    def sum_above(codes: Codes, ranks: Floats) -> Floats:
        levels = sum_by_code(codes, share * ranks)
        return np.asarray((levels.sum() - np.cumsum(levels) + levels / 2)[codes])

    def moment(a: Floats, b: Floats, shifts: Floats) -> tuple[float, Floats]:
        mean = kernels.exact_dot(share, a * b)
        return mean - 0.25, a * b + shifts - 3 * mean

    cross, of_cross = moment(u, v, sum_above(y, v) + sum_above(p, u))
    u_square, of_u_square = moment(u, u, 2 * sum_above(y, u))
    v_square, of_v_square = moment(v, v, 2 * sum_above(p, v))
    root = math.sqrt(u_square * v_square)
    return np.asarray(of_cross / root - cross / root / 2 * (of_u_square / u_square + of_v_square / v_square))
