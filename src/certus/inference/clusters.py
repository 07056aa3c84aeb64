"""Standard error of a mean over clusters of units, and the degrees of freedom that this error has."""

import math
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.statistic import root_of_squares

__all__ = ["ClusterMean", "cluster_error", "cluster_mean", "freedom_by_sums", "freedom_of_squares"]

SHARED = 0.25
"""Variance that the units of a cluster of average size share, as a part of the variance of their independent errors."""

SEEN = 0.6
"""Part of the degrees of freedom by the fourth moment that are taken: a sample shows less of its law's tails."""
FEWEST = 3.0
"""Fewer are not taken: Student's quantile would be several times as far out, and no more values be covered."""


class ClusterMean(NamedTuple):
    """A mean over clusters, its standard error, and the degrees of freedom of that error."""

    value: float
    error: float
    freedom: float


def cluster_mean(sums: Floats, sizes: Floats, *, weighted: bool = False) -> ClusterMean:
    """The mean ``sum(sums) / sum(sizes)`` over independent clusters, by the CR2 variance.

    With n_g the size of cluster g, N their total, ``h_g = n_g / N`` and ``r_g = sums_g - n_g value``::

        SE^2 = sum(r_g^2 / (1 - h_g)) / N^2
        df   = tr(V)^2 / tr(V^2),  V_gj = Cov(r_g, r_j) / sqrt((1 - h_g) (1 - h_j))

    The covariances are those of a working model in which a cluster's sum has the variance ``n_g + n_g^2 / (4 n)``, n
    the average size: a cluster of average size shares a quarter of the variance that independent units leave in its
    mean. Clusters of one size have G - 1 degrees of freedom and the usual standard error of G values; the more the
    sizes differ, the fewer degrees of freedom there are.

    With independent units as the working model, as usual, 10 to 50 clusters of lognormal sizes (sigma 0.5 to 1.5) cover
    .933 to .967 at .95, over all intraclass correlations; with this one .946 to .977 (4,000 samples a setting).

    Parameters
    ----------
    sums
        The sum of the values, or of weight times value, of each cluster; shape (G,).
    sizes
        The number of units, or the sum of the weights, of each cluster; at least 0; shape (G,). A cluster of size 0 is
        left out.
    weighted
        The clusters are single units and the sizes their weights: the working model is that of independent units of one
        variance, so that a sum has the variance ``n_g^2``.

    Returns
    -------
    ClusterMean
        The error and the degrees of freedom are NaN for fewer than two clusters.

    Notes
    -----
    Sources: Bell & McCaffrey (2002), Survey Methodology 28(2):169-181; Imbens & Kolesár (2016), Rev. Econ. Stat.
    98(4):701-712, doi:10.1162/REST_a_00552, for correlated units in the working model; Pustejovsky & Tipton (2018),
    J. Bus. Econ. Stat. 36(4):672-683, doi:10.1080/07350015.2016.1247004, for weights.

    Examples
    --------
    >>> cluster_mean(np.array([2.0, 4.0, 6.0]), np.array([2.0, 2.0, 2.0]))
    ClusterMean(value=2.0, error=0.5773502691896257, freedom=2.0)
    """
    there = sizes > 0
    sums, sizes = sums[there], sizes[there]
    if not len(sizes):
        return ClusterMean(math.nan, math.nan, math.nan)
    # Shares of the largest size cannot overflow when they are added or squared.
    unit = float(sizes.max())
    sizes, sums = sizes / unit, sums / unit
    total = float(sizes.sum())
    value = float(sums.sum()) / total
    return ClusterMean(value, *cluster_error((sums - sizes * value) / total, sizes, weighted=weighted))


def cluster_error(terms: Floats, sizes: Floats, *, weighted: bool = False) -> tuple[float, float]:
    """The CR2 standard error, and its degrees of freedom, of any value that is to first order a sum over clusters.

    It is `cluster_mean` for a smooth function of sums over clusters, such as an AUC or a root of a mean, of which each
    cluster adds a known term: there ``(sums_g - n_g value) / N``.

    Parameters
    ----------
    terms
        What each cluster adds to the error of the value, 0 in all; shape (G,).
    sizes
        As of `cluster_mean`, all above 0.
    weighted
        As of `cluster_mean`.

    Returns
    -------
    tuple of float
        The standard error and the degrees of freedom; NaN for fewer than two clusters.

    Examples
    --------
    >>> error, freedom = cluster_error(np.array([-0.2, 0.1, 0.1]), np.array([5.0, 5.0, 5.0]))
    >>> round(error, 4), freedom
    (0.3, 2.0)
    """
    if len(sizes) < 2:
        return math.nan, math.nan
    sizes = sizes / sizes.max()
    share = sizes / sizes.sum()
    with np.errstate(divide="ignore", invalid="ignore"):  # one cluster may have all the weight but for rounding
        left = 1 / (1 - share)
        return root_of_squares(terms, left), _freedom(share, left, weighted=weighted)


def _freedom(share: Floats, left: Floats, *, weighted: bool) -> float:
    """``tr(V)^2 / tr(V^2)`` without the matrix: its elements off the diagonal have three terms, summed one by one."""
    if np.ptp(share) <= 1e-12:
        return float(len(share) - 1)
    variance = share**2 if weighted else share + SHARED * len(share) * share**2
    variance /= variance.sum()
    diagonal = left * (variance - 2 * share * variance + share**2)
    squares, products = float((left * share**2).sum()), float((left * share * variance).sum())
    everywhere = 2 * squares * float((left * variance**2).sum()) + 2 * products**2 + squares**2 - 4 * squares * products
    counted_too = float(((left * (share**2 - 2 * share * variance)) ** 2).sum())
    return float(diagonal.sum()) ** 2 / (everywhere - counted_too + float((diagonal**2).sum()))


def freedom_of_squares(terms: Floats, fewest: float = FEWEST) -> float:
    """The degrees of freedom of a sum of squares with the tails that the terms have, at least 3 or `fewest`.

    A sum of squares that few terms make is hardly known. It has ``2 sum(c^2)^2 / (sum(c^4) - sum(c^2)^2 / n)`` degrees
    of freedom, n for normal terms c; 0.6 times as many are taken. Measured of average precision, with 200 settings of
    50 to 2,000 samples, 5 positives or more: of the limits with n - 1 degrees of freedom 46 % covered less than .94 of
    .95, of those with these 4.5 %.

    Source: Box (1954), Ann. Math. Stat. 25(2):290-302, doi:10.1214/aoms/1177728786, for degrees of freedom by moments.

    Examples
    --------
    >>> round(freedom_of_squares(np.array([-1.0, 1.0, -1.0, 1.0, 0.0])), 9)  # 1.2 * 16 / (4 - 16 / 5)
    24.0
    """
    greatest = float(np.abs(terms).max(initial=0.0))
    if not 0 < greatest < math.inf:
        return math.inf
    squares = (terms / greatest) ** 2
    second, fourth = float(squares.sum()), float((squares**2).sum())
    return freedom_by_sums(second, fourth, len(terms), fewest)


def freedom_by_sums(second: float, fourth: float, n: int, fewest: float = FEWEST) -> float:
    """The same from the sums of the second and the fourth powers of n terms."""
    spread = fourth - second**2 / n
    return max(fewest, SEEN * 2 * second**2 / spread) if spread > 0 else math.inf
