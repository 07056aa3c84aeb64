"""The AP rank correlation."""

import math
from typing import Literal

import numpy as np

from certus.agreement._rankings import Scores, lower_and_equal_counts, lower_sums, paired_scores, ranks, single_valued
from certus.agreement.correlation import undefined
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, MetricNameError, keyword
from certus.inference import Estimate
from certus.statistic import Influence
from certus.statistic.cached import constant
from certus.statistic.common import sum_by_code


def tau_ap(
    a: Scores,
    b: Scores,
    *,
    ties: Literal["a", "b"] = "a",
    symmetric: bool = False,
    unit: str = "item",
) -> Estimate:
    """Rank correlation in which errors near the top count more.

    Take an item of the ranking `b` that is not its first, and any of the items above it: the value is twice the
    probability that `a` orders the two alike, less 1. So it is ``2 / (n - 1) sum over ranks i > 1 of C(i) / (i - 1), -
    1`` with C(i) of the items above rank i of `b` rightly placed above it.

    Parameters
    ----------
    a
        Scores of the true ranking, the higher the better: by name, or in the order of `b`.
    b
        Scores of the ranking that is compared with it.
    ties
        - ``"a"`` (accuracy): `a` is the truth and has no ties; tied items of `b` stand in a random order, and the value
          is the expected one.
        - ``"b"`` (agreement): both rankings may have ties, and neither is the truth. Items are drawn from outside the
          top group of ties, partners from above the item's group; the value is the mean of both directions.
    symmetric
        The mean of both directions; always so with ``ties="b"``.
    unit
        What an item is, in the singular.

    Returns
    -------
    Estimate
        In [-1, 1]; NaN where one ranking has all items tied. The interval is for the population from which the items
        were drawn: the jackknife over items, on the scale of Fisher's z.

    Raises
    ------
    DataError
        The scores do not pair up, hold NaN, there are fewer than two, or there are ties in a true ranking.
    MetricNameError
        There is no such treatment of ties.

    References
    ----------
    Yilmaz, Aslam & Robertson (2008), SIGIR, pp. 587-594, doi:10.1145/1390334.1390435. Ties: Urbano & Marrero (2017),
    ICTIR, pp. 321-324, doi:10.1145/3121050.3121106.

    Examples
    --------
    >>> truth, top_swapped, bottom_swapped = [4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]
    >>> round(float(tau_ap(truth, top_swapped)), 4), round(float(tau_ap(truth, bottom_swapped)), 4)
    (0.3333, 0.7778)
    """
    if ties not in ("a", "b"):
        raise MetricNameError(
            f"is {ties!r}", "it must be 'a' (b is compared with a) or 'b' (neither is the truth)", argument="ties"
        )
    first, second = paired_scores(a, b)
    x, y = -ranks(first), -ranks(second)
    x, y = x - x.min(), y - y.min()  # 0 is the best
    is_symmetric = symmetric or ties == "b"
    for name, column in (("a", x), ("b", y)):
        held_true = ties == "a" and (name == "a" or symmetric)
        if held_true and len(np.unique(column)) < len(column):
            raise DataError(
                "has tied scores but is held to be the truth",
                f"take {keyword('ties', 'b')} where neither ranking is",
                argument=name,
            )
    reason = single_valued(first, second)
    direction = _expected if ties == "a" else _between_groups
    if reason:
        statistic = undefined(reason, len(x), unit)
    else:
        statistic = _jackknifed([direction(*pair) for pair in ([(x, y), (y, x)] if is_symmetric else [(x, y)])], unit)
    return Estimate(
        statistic, metric="tau-AP", bounds=(-1.0, 1.0), conventions={"ties": ties, "symmetric": is_symmetric}
    )


def _jackknifed(directions: list[tuple[float, Floats]], unit: str) -> Influence:
    """Mean of both directions, with the influence of each item from the mean without it."""
    value = sum(direction_value for direction_value, _ in directions) / len(directions)
    without = np.mean([left for _, left in directions], axis=0)
    n = len(without)
    influence = (n - 1) * (without.mean() - without)
    return Influence(value, (n,), (float(influence.var(ddof=1)),), constant((influence,)), unit=unit)


def _expected(x: Ints, y: Ints) -> tuple[float, Floats]:
    """The expected value over the orders of tied items of y, and the same without each item; x has no ties."""
    n = len(x)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, n + 1))])
    better, size = lower_and_equal_counts(y)
    first = better + 1

    def share(first: Ints, size: Ints) -> Floats:
        """Mean of 1 / (rank - 1) over the ranks of a group; 0 for the top group, above which there is nothing."""
        last = np.maximum(first + size - 2, 0)
        return np.where(first > 1, (harmonic[last] - harmonic[np.maximum(first - 2, 0)]) / np.maximum(size, 1), 0.0)

    def tied_contribution(first: Ints, size: Ints) -> Floats:
        """Contribution of the tied items to one item: half of those above it are rightly so."""
        last = np.maximum(first + size - 2, 0)
        harmonic_sum = harmonic[last] - harmonic[first - 1]
        return np.asarray((size - 1 - (first - 1) * harmonic_sum) / (2 * np.maximum(size, 1)))

    concordant = lower_sums(x, y, np.ones(n, dtype=np.int64))
    inside, shares = tied_contribution(first, size), share(first, size)
    value = 2 / (n - 1) * float((concordant * shares + inside).sum()) - 1

    # Without an item: the items below move up by one rank, and lose it if it was rightly above them.
    moved_shares = share(np.maximum(first - 1, 1), size)
    contributions, moved_contributions, n_tied = (
        (concordant * shares + inside),
        concordant * moved_shares + tied_contribution(np.maximum(first - 1, 1), size),
        size - 1,
    )
    before, within_group, after = _by_group(y, contributions, concordant.astype(np.float64), moved_contributions)
    lost = lower_sums(int(x.max()) - x, int(y.max()) - y, moved_shares)
    total = (
        before
        + (within_group - concordant) * share(first, n_tied)
        + n_tied * tied_contribution(first, n_tied)
        + after
        - lost
    )
    return value, 2 / max(n - 2, 1) * total - 1


def _between_groups(x: Ints, y: Ints) -> tuple[float, Floats]:
    """The value in which items are compared with those above their group only, and the same without each item."""
    n = len(x)
    better, size = lower_and_equal_counts(y)
    first = better + 1
    concordant = lower_sums(x, y, np.ones(n, dtype=np.int64)).astype(np.float64)
    ratio = np.divide(concordant, first - 1, out=np.zeros(n), where=first > 1)
    top = int((first == 1).sum())
    value = 2 / (n - top) * float(ratio.sum()) - 1

    weight = np.divide(1.0, first - 2, out=np.zeros(n), where=first > 2)
    before, within_group, after = _by_group(y, ratio, ratio, concordant * weight)
    lost = lower_sums(int(x.max()) - x, int(y.max()) - y, weight)
    # An item alone at the top leaves its place to the next group.
    left = n - 1 - np.where(first > 1, top, np.where(size > 1, top - 1, int((first == 2).sum())))
    total = before + within_group - ratio + after - lost
    return value, 2 * np.divide(total, left, out=np.full(n, math.nan), where=left > 0) - 1


def _by_group(y: Ints, before: Floats, tied: Floats, after: Floats) -> tuple[Floats, Floats, Floats]:
    """Sum `before` over better groups, `tied` over an item's own group and `after` over worse groups."""
    sums = [sum_by_code(y, column) for column in (before, tied, after)]
    after_sums = np.cumsum(sums[2][::-1])[::-1] - sums[2]
    return (np.cumsum(sums[0]) - sums[0])[y], sums[1][y], after_sums[y]
