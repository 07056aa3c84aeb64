"""Rank correlation."""

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Targets
from certus.metrics._declare import metric
from certus.metrics.regression._outputs import Outputs, by_output, output_weights
from certus.metrics.regression._smooth import enough, masses
from certus.metrics.regression.correlation import constant_column
from certus.statistic import Influence, tally

__all__ = ["spearman"]

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
BLOCK = 1 << 22
"""Counts of resamples held at a time: 16 MB."""


@metric(
    "Spearman",
    aliases=("spearman", "spearmanr", "rank_correlation"),
    bounds=(-1.0, 1.0),
    source="Spearman (1904), Am. J. Psychol. 15(1):72-101, doi:10.2307/1412159",
)
def spearman(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Any:
    """How nearly the predictions order the samples as the targets do: Pearson's correlation of the ranks.

    ::

        rho = Cov(rank of y, rank of prediction) / sqrt(Var(rank of y) Var(rank of prediction))

    Equal numbers have the mean of their ranks. With weights the rank is the weight below and half the weight at the
    number. Targets or predictions that are all equal have no order: it is undefined.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Influence
        The influence of each sample, or group, on the correlation, that on the ranks of the others included.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.spearman([1, 2, 3, 100], [1, 3, 2, 4]).value, 12)
    0.8
    """
    if multioutput == "raw_values":
        return by_output(targets, lambda one: spearman.__wrapped__(one))  # type: ignore[attr-defined]
    parts = output_weights(multioutput, len(targets.outputs))
    reason = enough(targets) or constant_column(targets)
    if reason:
        return Influence.later(math.nan, targets.units, lambda: np.zeros(targets.units), reason=reason)
    codes = [
        (np.unique(y, return_inverse=True)[1], np.unique(p, return_inverse=True)[1])
        for y, p in zip(targets.table[0].T, targets.table[1].T, strict=True)
    ]
    mass = np.ones(len(targets)) if targets.weights is None else targets.weights
    units = np.arange(len(targets)) if targets.groups is None else targets.groups

    def value(weights: Floats) -> float:
        return float(sum(part * _correlation(*pair, weights) for part, pair in zip(parts, codes, strict=True)))

    @cache
    def of_units() -> Floats:
        each = sum(part * _influence(*pair, mass) for part, pair in zip(parts, codes, strict=True))
        weighted = np.asarray(each * mass / mass.sum())
        return tally(units, weighted, targets.units) * targets.units

    def resample(replicates: int, seed: int, stratified: bool) -> Floats:
        del stratified  # there is one stratum
        found = np.empty(replicates)
        step = max(1, BLOCK // targets.units)
        for first in range(0, replicates, step):
            some = min(step, replicates - first)
            counts = kernels.resample_counts(targets.units, first=first, replicates=some, seed=seed)
            for i, times in enumerate(counts, start=first):
                found[i] = value(mass * times[units])
        return found

    return Influence.later(
        value(mass),
        targets.units,
        of_units,
        resample,
        unit=targets.unit,
        masses=masses(targets),
        weighted=targets.groups is None,
    )


def _ranks(codes: Codes, weights: Floats) -> Floats:
    """Twice the weight below each sample, and that of its ties once, less the whole: 0 on average."""
    levels = tally(codes, weights)
    above = np.cumsum(levels)
    return np.asarray((2 * above - levels - above[-1])[codes])


def _correlation(y: Codes, p: Codes, weights: Floats) -> float:
    one, other = _ranks(y, weights), _ranks(p, weights)
    top = float(np.abs(one).max()) or 1.0
    one, other = one / top, other / top
    squares = float(weights @ (one * one)) * float(weights @ (other * other))
    if not squares > 0:
        return math.nan
    return min(max(float(weights @ (one * other)) / math.sqrt(squares), -1.0), 1.0)


def _influence(y: Codes, p: Codes, weights: Floats) -> Floats:
    """The influence of each sample, by those on the three moments of the ranks U and V, taken as shares of the weight.

    A sample at x adds to the moment E[U V] its own u v, and to the rank of every sample above x, and half that of its
    ties: ``u v + E[V; above x] + E[U; above y] - 3 E[U V]``. The mean rank is 1/2 whatever the distribution.

    Source: Croux & Dehon (2010), Stat. Methods Appl. 19(4):497-515, doi:10.1007/s10260-010-0142-z, for the influence
    function without ties.
    """
    total = float(weights.sum())
    u, v = ((_ranks(codes, weights) / total + 1) / 2 for codes in (y, p))
    share = weights / total

    def above(codes: Codes, ranks: Floats) -> Floats:
        levels = tally(codes, share * ranks)
        return np.asarray((levels.sum() - np.cumsum(levels) + levels / 2)[codes])

    def moment(a: Floats, b: Floats, shifts: Floats) -> tuple[float, Floats]:
        mean = float(share @ (a * b))
        return mean - 0.25, a * b + shifts - 3 * mean

    cross, of_cross = moment(u, v, above(y, v) + above(p, u))
    one, of_one = moment(u, u, 2 * above(y, u))
    other, of_other = moment(v, v, 2 * above(p, v))
    root = math.sqrt(one * other)
    return np.asarray(of_cross / root - cross / root / 2 * (of_one / one + of_other / other))
