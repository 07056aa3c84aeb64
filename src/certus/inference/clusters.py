"""Clusters of units: groups and weights as a user gives them, sums over them, and the standard error of their mean."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.statistic import Mean, Ratio, Statistic, TableFunction
from certus.statistic.common import sums_of_parts
from certus.statistic.moments import power_of_two

SHARED = 0.25
"""Variance that the units of a cluster of average size share, as a part of the variance of their independent errors."""

FREEDOM_PART = 0.6
"""Part of the degrees of freedom by the fourth moment that are taken: a sample shows less of its law's tails."""
LEAST_FREEDOM = 3.0
"""Fewer are not taken: Student's quantile would be several times as far out, and no more values be covered."""

Parts: TypeAlias = Callable[[], Iterable[tuple[Floats, Floats]]]
"""Gives terms and sizes part by part, as often as it is called."""


def cluster_mean(sums: Floats, sizes: Floats, *, weighted: bool = False) -> tuple[float, float, float]:
    """The mean ``sum(sums) / sum(sizes)`` over independent clusters, its CR2 standard error and degrees of freedom.

    With n_g the size of cluster g, N their total, ``h_g = n_g / N`` and ``r_g = sums_g - n_g value``::

        SE^2 = sum(r_g^2 / (1 - h_g)) / N^2
        df   = tr(V)^2 / tr(V^2),  V_gj = Cov(r_g, r_j) / sqrt((1 - h_g) (1 - h_j))

    The covariances are those of a working model in which a cluster's sum has the variance ``n_g + n_g^2 / (4 n)``, n
    the average size: a cluster of average size shares a quarter of the variance that independent units leave in its
    mean. Clusters of one size have G - 1 degrees of freedom and the usual standard error of G values; the more the
    sizes differ, the fewer degrees of freedom there are.

    A sum is that of the values of a cluster, or of weight times value, a size the number of its units, or their weight;
    clusters of size 0 are left out. `weighted` clusters are single units with their weights as sizes: the working model
    is that of independent units of one variance. The error is NaN for fewer than two clusters.

    Sources: Bell & McCaffrey (2002), Survey Methodology 28(2):169-181; Imbens & Kolesár (2016), Rev. Econ. Stat.
    98(4):701-712, doi:10.1162/REST_a_00552, for correlated units in the working model; Pustejovsky & Tipton (2018),
    J. Bus. Econ. Stat. 36(4):672-683, doi:10.1080/07350015.2016.1247004, for weights.

    Examples
    --------
    >>> cluster_mean(np.array([2.0, 4.0, 6.0]), np.array([2.0, 2.0, 2.0]))
    (2.0, 0.5773502691896257, 2.0)
    """
    there = sizes > 0
    sums, sizes = sums[there], sizes[there]
    if not len(sizes):
        return math.nan, math.nan, math.nan
    # Shares of the largest size cannot overflow when they are added or squared.
    unit = float(sizes.max())
    sizes, sums = sizes / unit, sums / unit
    total = kernels.exact_sum(sizes)
    value = kernels.exact_sum(sums) / total  # 0 for differences that are symmetric around it
    return value, *cluster_error((sums - sizes * value) / total, sizes, weighted=weighted)


def cluster_error(terms: Floats, sizes: Floats, *, weighted: bool = False) -> tuple[float, float]:
    """CR2 standard error and degrees of freedom of a value that is, to first order, a sum over clusters."""
    return cluster_error_of_parts(lambda: [(terms, sizes)], weighted=weighted)


def cluster_error_of_parts(parts: Parts, *, weighted: bool = False) -> tuple[float, float]:
    """`cluster_error` of clusters that are read block by block, each block with its terms and its sizes."""
    n, largest, greatest = 0, 0.0, 0.0
    for terms, sizes in parts():
        n += len(sizes)
        largest = max(largest, float(sizes.max(initial=0.0)))
        greatest = max(greatest, power_of_two(terms) if terms.any() else 0.0)
    if n < 2:
        return math.nan, math.nan
    (total,) = sums_of_parts([sizes / largest] for _, sizes in parts())

    def shares() -> Iterator[tuple[Floats, Floats, Floats]]:
        """Terms, shares of the total, and the factors that make up for what each cluster takes of the mean."""
        for terms, sizes in parts():
            share = sizes / largest / total
            yield terms, share, 1 / (1 - share)

    with np.errstate(divide="ignore", invalid="ignore"):  # one cluster may have all the weight but for rounding
        scale = greatest or 1.0
        (squares,) = sums_of_parts([left * (terms / scale) ** 2] for terms, _, left in shares())
        return math.sqrt(squares) * scale, _freedom(lambda: ((share, left) for _, share, left in shares()), n, weighted)


def _freedom(parts: Parts, n: int, weighted: bool) -> float:
    """Degrees of freedom ``tr(V)^2 / tr(V^2)`` of the CR2 variance matrix V, without storing the matrix."""

    def model(share: Floats) -> Floats:
        return np.asarray(share**2 if weighted else share + SHARED * n * share**2)

    smallest, largest = math.inf, -math.inf
    for share, _ in parts():
        smallest, largest = min(smallest, float(share.min())), max(largest, float(share.max()))
    if largest - smallest <= 1e-12:
        return float(n - 1)
    (total,) = sums_of_parts([model(share)] for share, _ in parts())

    def columns() -> Iterator[tuple[Floats, ...]]:
        for share, left in parts():
            variance = model(share) / total
            diagonal = left * (variance - 2 * share * variance + share**2)
            counted_too = (left * (share**2 - 2 * share * variance)) ** 2
            yield left * share**2, left * share * variance, left * variance**2, counted_too, diagonal, diagonal**2

    squares, products, variances, double_counted, trace, diagonals = sums_of_parts(columns(), 6)
    everywhere = 2 * squares * variances + 2 * products**2 + squares**2 - 4 * squares * products
    return float(trace**2 / (everywhere - double_counted + diagonals))


def freedom_of_squares(terms: Floats, fewest: float = LEAST_FREEDOM) -> float:
    """Degrees of freedom for a sum of squares, by the kurtosis: at least 3 or `fewest`."""
    # Box (1954), Ann. Math. Stat. 25(2):290-302, doi:10.1214/aoms/1177728786, for degrees of freedom by moments.
    return freedom_of_parts(lambda: [terms], fewest)


def freedom_of_parts(parts: Callable[[], Iterable[Floats]], fewest: float = LEAST_FREEDOM) -> float:
    """Satterthwaite's degrees of freedom, from the fourth moment of terms that are read in blocks."""
    greatest = max((float(np.abs(terms).max(initial=0.0)) for terms in parts()), default=0.0)
    if not 0 < greatest < math.inf:
        return math.inf
    n = sum(len(terms) for terms in parts())
    squares = ((terms / greatest) ** 2 for terms in parts())
    second, fourth = sums_of_parts(((square, square**2) for square in squares), 2)
    return freedom_by_sums(second, fourth, n, fewest)


def freedom_by_sums(second: float, fourth: float, n: int, fewest: float = LEAST_FREEDOM) -> float:
    """Satterthwaite's degrees of freedom for n terms, from the sums of their 2nd and 4th powers."""
    spread = fourth - second**2 / n
    return max(fewest, FREEDOM_PART * 2 * second**2 / spread) if spread > 0 else math.inf


def satterthwaite(variances: Sequence[float], freedoms: Sequence[float]) -> tuple[float, float]:
    """Root of a sum of variances, with Satterthwaite's degrees for it: ``sum(v)^2 / sum(v^2 / f)``."""
    # Satterthwaite (1946), Biometrics Bulletin 2(6):110-114, doi:10.2307/3002019.
    total = sum(variances)
    if not total > 0:
        return (0.0 if total == 0 else math.nan), min(freedoms)
    spread = sum((v / total) ** 2 / freedom for v, freedom in zip(variances, freedoms, strict=True) if v)
    return math.sqrt(total), 1 / spread if spread else math.inf


class Clusters(NamedTuple):
    """The cluster of each unit, and its weight."""

    codes: NDArray[np.int64]
    weights: Floats
    size: int
    grouped: bool

    @property
    def sizes(self) -> Floats:
        """Number of units in each cluster, or their total weight."""
        return cluster_sums(self.codes, self.weights, self.size)

    def sums(self, values: Floats) -> Floats:
        """Sum of the values in each cluster, each multiplied by the unit's weight if there are weights."""
        return cluster_sums(self.codes, values * self.weights, self.size)


def cluster_sums(codes: NDArray[np.int64], values: Floats, size: int) -> Floats:
    """Sum of the values of each code, rounded once: the same bits for any order, and for all signs exchanged."""
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(size + 1)).tolist()
    if starts == list(range(size + 1)):
        return np.asarray(values[order])
    sorted_values = values[order].tolist()
    return np.array([math.fsum(sorted_values[first:last]) for first, last in pairwise(starts)])


def clusters_of(n: int, groups: ArrayLike | None, weights: ArrayLike | None) -> Clusters | None:
    """Clusters of n units; None if all units are independent and have equal weights."""
    weight = None if weights is None else _weights(weights, n)
    if groups is None:
        if weight is None:
            return None
        return Clusters(np.arange(n), weight, n, grouped=False)
    if isinstance(groups, str | bytes):
        raise DataError(f"is {groups!r}", "give one group per unit", argument="groups")
    labels = np.asarray(groups).tolist() if not isinstance(groups, list | tuple) else list(groups)
    if not isinstance(labels, list) or len(labels) != n:
        n_labels = len(labels) if isinstance(labels, list) else 1
        raise DataError(f"has {n_labels} labels for {n} units", "give one group per unit", argument="groups")
    code_of: dict[Hashable, int] = {}
    codes = np.empty(n, dtype=np.int64)
    for index, label in enumerate(labels):
        if label is None or label != label:
            raise DataError(
                f"has no value at index {index}", "give each unit a group, or leave the unit out", argument="groups"
            )
        if not isinstance(label, Hashable):
            raise DataError(f"has {label!r} at index {index}", "give one label per unit", argument="groups")
        codes[index] = code_of.setdefault(label, len(code_of))
    return Clusters(codes, np.ones(n) if weight is None else weight, len(code_of), grouped=True)


def over_clusters(statistic: Statistic, clusters: Clusters) -> Statistic | None:
    """Statistic with the clusters as its units; None if it does not know what each unit contributes."""
    unit = "group" if clusters.grouped else statistic.unit
    if isinstance(statistic, Mean) and statistic.scale == "linear" and not statistic.total:
        if statistic.reason:
            return statistic
        return Ratio(clusters.sums(statistic.values), clusters.sizes, unit=unit, bounds=statistic.bounds)
    if isinstance(statistic, Ratio):
        numerators, denominators = clusters.sums(statistic.numerators), clusters.sums(statistic.denominators)
        return Ratio(numerators, denominators, unit=unit, bounds=statistic.bounds)
    if isinstance(statistic, TableFunction) and clusters.grouped and statistic.parts is not None:
        return statistic.over(statistic.parts.over(clusters.codes), clusters.size, unit)
    return None


def _weights(values: ArrayLike, n: int) -> Floats | None:
    """Weights divided by the greatest one; None if all are equal."""
    weights = np.asarray(values, dtype=np.float64)
    if weights.shape != (n,):
        raise DataError(f"has shape {weights.shape} for {n} units", "give one weight per unit", argument="weights")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        value = weights[wrong[0]]
        raise DataError.for_value("weights", (wrong[0],), value, f"{value:g}", "a weight is finite and at least 0")
    if not weights.any():
        raise DataError("every weight is 0", "some unit must count")
    parts = np.asarray(weights / weights.max())
    return None if (parts == 1).all() else parts
