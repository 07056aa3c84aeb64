"""All pairs of systems on the same units, adjusted by the range of means that shuffled systems give."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.inference.many.adjust import correction
from certus.inference.many.max_t import TOLERANCE, JointTest, check_draws, p_of, row_order, unit_rows
from certus.statistic.common import plural
from certus.statistic.moments import power_of_two

UNEVEN = 3.0
"""The largest variance of a pair's differences, as a multiple of the smallest, beyond which the level is in doubt."""
MOST_VALUES = 2e7
"""Values summed in listing all arrangements (about a quarter of a second)."""


@dataclass(frozen=True, eq=False)
class TukeyHSD(JointTest):
    """Result of the randomised Tukey HSD test; its tables have one row and one column per system.

    Attributes
    ----------
    p
        p-values of all pairs, adjusted for their number; symmetric, with 1 on the diagonal.
    difference
        Mean of the row's system less that of the column's.
    means
        Mean of each system.
    variance_ratio
        The largest variance of the differences of a pair, as a multiple of the smallest. Far above 1 the systems are
        not exchangeable, and equal means may be found different: see `tukey_hsd`.
    method_note
        ``"all 216 permutations"`` or ``"100000 random permutations"``.
    draws
        How many permutations were looked at.
    exact
        Whether these stand for all of them.
    """

    difference: Floats
    means: Floats
    variance_ratio: float

    @property
    def statistic(self) -> Floats:
        """The differences, which are compared with the range of the means."""
        return self.difference

    @property
    def method(self) -> str:
        """The name of the test."""
        return "tukey-hsd"

    def __str__(self) -> str:
        first, second = np.triu_indices(len(self.means), 1)
        smallest = f"smallest adjusted p = {float(self.p[first, second].min()):.4g}"
        return f"{plural(len(first), 'pair')} of {len(self.means)} systems, {smallest} (Tukey HSD, {self.method_note})"


@correction(
    "tukey-hsd",
    label="randomised Tukey HSD",
    short="Tukey",
    holds="any false finding, if *all* systems are exchangeable",
    note="all pairs: permutes the systems within each query. Not for near-copies beside noisy systems",
    joint=True,
    aliases=("tukey", "hsd"),
    source="Carterette (2012), ACM TOIS 30(1):4, doi:10.1145/2094072.2094076",
)
def tukey_hsd(scores: ArrayLike, *, replicates: int = 100_000, seed: int = 0) -> TukeyHSD:
    """Test all pairs of systems with the randomised Tukey HSD test, for systems that are all exchangeable.

    If all systems are exchangeable on every unit, the values of a unit could have come in any other order. The p-value
    of a pair is the share of such permutations of all units in which the largest mean of a system exceeds the smallest
    by at least the difference of the pair. Nothing is assumed of how values are distributed.

    The chance of any false finding is held to the level where all systems are exchangeable, and not where they only
    have equal means: the permutations average the variances of all pairs, so that a noisy pair among near-copies is
    held to too small a measure. `variance_ratio` shows it; `certus.inference.max_t` measures each pair by its own
    spread, finds more, and keeps its level there (docs/coverage-compare.md).

    Parameters
    ----------
    scores
        One row per unit and one column per system; the values of one system alone, such as a query's, in a row.
    replicates, seed
        Random permutations, where there are too many to list them all. The result is the same for any number of
        threads.

    Returns
    -------
    TukeyHSD
        Its p is exact where all permutations were listed. Systems with equal means have p = 1.

    Raises
    ------
    DataError
        The scores are not a full array of finite numbers with at least two columns, or the number of replicates or the
        seed is none.

    References
    ----------
    Carterette (2012), ACM TOIS 30(1):4, doi:10.1145/2094072.2094076, algorithm 1; Sakai (2018), Laboratory Experiments
    in Information Retrieval, section 4.2.

    Examples
    --------
    >>> found = tukey_hsd([[0.5, 0.4, 0.1], [0.7, 0.6, 0.3], [0.4, 0.5, 0.2]])
    >>> print(found)
    3 pairs of 3 systems, smallest adjusted p = 0.1111 (Tukey HSD, all 216 permutations)
    >>> found.p.round(4)[0].tolist()
    [1.0, 1.0, 0.1111]
    """
    rows = unit_rows(scores, "scores", "system")
    draws, seed = check_draws(replicates, seed)
    systems = rows.shape[1]
    if systems < 2:
        raise DataError("has 1 column", "a comparison of systems needs at least two", argument="scores")
    means = rows.mean(axis=0)
    # Adding to all values of a unit moves no difference; near 0 sums are exact to more digits.
    centred = rows - rows.mean(axis=1, keepdims=True)
    centred[np.ptp(rows, axis=1) == 0] = 0.0
    sums = centred.sum(axis=0)
    gaps = np.abs(np.subtract.outer(sums, sums))
    slack = TOLERANCE * float(np.abs(rows).max(axis=1).sum())
    varying = centred[centred.any(axis=1)]
    varying = np.ascontiguousarray(varying[row_order(varying)])
    all_ranges = _all_ranges(varying)
    ranges = kernels.shuffled_ranges(varying, replicates=draws, seed=seed) if all_ranges is None else all_ranges
    exact, draws = all_ranges is not None, len(ranges)
    counts = draws - np.searchsorted(np.sort(ranges), gaps - slack, side="left")
    p = p_of(counts.astype(np.uint64), draws, exact=exact)
    method_note = plural(draws, "random permutation") if not exact else _all_of(systems, len(rows))
    differences = np.subtract.outer(means, means)
    return TukeyHSD(p, method_note, draws, exact, differences, means, variance_ratio(rows))


def variance_ratio(scores: Floats) -> float:
    """Largest variance of the differences of a pair of systems, as a multiple of the smallest above 0.

    >>> round(variance_ratio(np.array([[1.0, 2.0, 5.0], [2.0, 3.0, 1.0], [4.0, 6.0, 8.0]])), 6)
    25.0
    """
    if len(scores) < 2:
        return 1.0
    first, second = np.triu_indices(scores.shape[1], 1)
    scores = scores / power_of_two(scores)
    differences = scores - scores[:, :1]
    products = np.cov(differences, rowvar=False)
    spread = np.diagonal(products)[first] + np.diagonal(products)[second] - 2 * products[first, second]
    positive = spread[spread > TOLERANCE * float(np.abs(scores).max()) ** 2]
    return float(positive.max() / positive.min()) if len(positive) else 1.0


def _all_of(systems: int, units: int) -> str:
    number = units * math.lgamma(systems + 1)
    return f"all {math.factorial(systems) ** units} permutations" if number < math.log(1e15) else "all permutations"


def _all_ranges(rows: Floats) -> Floats | None:
    """Ranges of the column sums over all distinct arrangements of all rows but one; None if that is too much work."""
    if not len(rows):
        return np.zeros(1)
    # The range is the same when columns change places in all rows alike: the row with the most arrangements stays.
    counts = [_arrangements(row) for row in rows]
    *varied, fixed = sorted(range(len(rows)), key=counts.__getitem__)
    if math.prod(counts[index] for index in varied) * rows.shape[1] > MOST_VALUES:
        return None
    sums = rows[[fixed]]
    for index in varied:
        sums = (sums[:, None, :] + _orders(rows[index])[None, :, :]).reshape(-1, rows.shape[1])
    return np.asarray(np.ptp(sums, axis=1))


def _arrangements(row: Floats) -> int:
    """The number of distinct orders of the values."""
    _, times = np.unique(row, return_counts=True)
    return math.factorial(len(row)) // math.prod(math.factorial(count) for count in times.tolist())


def _orders(row: Floats) -> Floats:
    """The distinct orders of the values, one a row."""
    values, times = np.unique(row, return_counts=True)
    memo: dict[tuple[int, ...], Floats] = {(0,) * len(values): np.zeros((1, 0))}

    def orders(left: tuple[int, ...]) -> Floats:
        if left not in memo:
            parts = []
            for index, value in enumerate(values.tolist()):
                if left[index]:
                    tails = orders((*left[:index], left[index] - 1, *left[index + 1 :]))
                    parts.append(np.column_stack([np.full(len(tails), value), tails]))
            memo[left] = np.concatenate(parts)
        return memo[left]

    return orders(tuple(times.tolist()))
