"""Many comparisons on the same units, adjusted by joint permutations: maximum t, and Tukey's HSD."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core import kernels
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, MetricNameError
from certus.core.readable import Readable
from certus.inference.interval import checked_level
from certus.inference.intervals.proportion import clopper_pearson_limits
from certus.inference.many.adjust import correction
from certus.inference.many.adjust import correction as declared_correction
from certus.statistic.common import plural, require_integer
from certus.statistic.moments import power_of_two

TOLERANCE = 1e-12
"""Statistics that differ by less than this part of the greatest possible one are equal: they were rounded."""


def unit_rows(values: ArrayLike, name: str, column: str) -> Floats:
    """Check an array with one row per unit and one column per system or comparison."""
    try:
        rows = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            "is not an array of numbers", f"give one row per unit and one column per {column}", argument=name
        ) from error
    if rows.ndim != 2:
        raise DataError(
            f"has {rows.ndim} dimensions", f"give one row per unit and one column per {column}", argument=name
        )
    if not rows.size:
        raise DataError(
            f"has {rows.shape[0]} rows and {rows.shape[1]} columns", "at least one of each is needed", argument=name
        )
    wrong = np.argwhere(~np.isfinite(rows))
    if len(wrong):
        row, index = wrong[0].tolist()
        raise DataError(
            f"holds {rows[row, index]:g} in row {row}, column {index}",
            f"every unit needs a finite value for every {column}: leave out the units that lack one",
            argument=name,
        )
    return rows


def row_order(rows: Floats, sizes: Floats | None = None, pairs: Ints | None = None) -> NDArray[np.intp]:
    """Order of the rows that does not depend on their present order, nor on the sign of a whole column.

    With `pairs` of columns the differences of the columns stand for the columns.

    >>> row_order(np.array([[3.0, 1.0], [-1.0, 2.0], [2.0, -1.0]])).tolist()
    [2, 0, 1]
    """
    compared = rows if pairs is None else rows - rows[:, :1]
    compared = compared if sizes is None else np.column_stack([compared, sizes])
    _, firsts, group = np.unique(compared, axis=0, return_index=True, return_inverse=True)
    rank = np.zeros(len(firsts), dtype=np.intp)
    tied = np.arange(len(firsts))
    for key in _keys(rows, sizes, pairs):
        if len(tied) < 2:
            break
        part = key[firsts[tied]]
        order = np.lexsort((part, rank[tied]))
        rows_there, part = tied[order], part[order]
        before = rank[rows_there]
        starts_run = np.diff(before, prepend=-1) != 0
        starts_tie = starts_run | np.append(True, part[1:] != part[:-1])
        numbers = np.arange(len(part))
        starts = [np.maximum.accumulate(np.where(is_start, numbers, 0)) for is_start in (starts_tie, starts_run)]
        rank[rows_there] = before + starts[0] - starts[1]
        tied = rows_there[~(starts_tie & np.append(starts_tie[1:], True))]
    return np.argsort(rank[group.ravel()], kind="stable")


def _keys(rows: Floats, sizes: Floats | None, pairs: Ints | None) -> Iterator[Floats]:
    """Sort keys of rows: sizes, then absolute values, then values times their column's sign."""

    def column(number: int) -> Floats:
        return rows[:, number] if pairs is None else rows[:, pairs[number, 0]] - rows[:, pairs[number, 1]]

    if sizes is not None:
        yield sizes
    numbers = range(rows.shape[1] if pairs is None else len(pairs))[::-1]
    yield from (np.abs(column(number)) for number in numbers)
    for values in map(column, numbers):
        yield values if math.fsum(values) >= 0 else -values


def check_draws(replicates: int, seed: int) -> tuple[int, int]:
    """Check the number of random draws and the seed, and return both as integers."""
    return require_integer(replicates, "replicates", 1, 2**40), require_integer(seed, "seed", 0, 2**64 - 1)


def p_of(reached: NDArray[np.uint64], draws: int, *, exact: bool) -> Floats:
    """P-values, from the number of draws that reached the observed statistic."""
    # Of random draws the observed one counts as a further one, so that the test keeps its level with any number of
    # draws (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).
    counts = np.asarray(reached, dtype=np.float64)
    return counts / draws if exact else (counts + 1) / (draws + 1)


@dataclass(frozen=True, eq=False)
class JointTest(Readable):
    """Adjusted p-values from joint permutations of units: all of them, or a random sample."""

    p: Floats
    method_note: str
    draws: int
    exact: bool

    @property
    def error(self) -> Floats:
        """Monte Carlo standard error of p; 0 if all permutations were listed."""
        return np.zeros_like(self.p) if self.exact else np.sqrt(self.p * (1 - self.p) / self.draws)

    def p_interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Limits for the p of all permutations; p itself if all were listed.

        Raises
        ------
        CertusError
            The level does not lie strictly between 0 and 1.
        """
        tail = (1 - checked_level(level)) / 2
        if self.exact:
            return self.p.copy(), self.p.copy()
        low, high = np.empty_like(self.p), np.empty_like(self.p)
        for index, value in np.ndenumerate(self.p):
            reached = round(float(value) * (self.draws + 1)) - 1
            low[index], high[index] = clopper_pearson_limits(reached, self.draws, tail)
        return low, high


MOST_STEPS = 4e8
"""Additions spent on listing all sign flips (about a quarter of a second)."""
_PER_FLIP = 20
"""Cost of a flip beside its additions."""


@dataclass(frozen=True, eq=False)
class MaxT(JointTest):
    """Result of the maximum test, each an array of one value per comparison.

    Attributes
    ----------
    p
        p-values adjusted for the number of comparisons: the chance of at least one p this small or smaller, where no
        comparison has a difference, is at most p.
    raw
        p-values of each comparison alone, from the same sign flips.
    statistic
        Paired t of each comparison, or its mean difference.
    method
        ``"step-down"`` or ``"single-step"``.
    alternative
        The side of the tests.
    method_note
        ``"all 1024 sign flips"`` or ``"100000 random sign flips"``.
    draws
        How many flips that were.
    exact
        Whether these were all.
    """

    raw: Floats
    statistic: Floats
    method: str
    alternative: str

    def __str__(self) -> str:
        values = ", ".join(f"{p:.4g}" for p in self.p.tolist())
        return f"adjusted p = {values} ({self.method} max-T, {self.method_note})"


@declared_correction(
    "max-t",
    label="the maximum t of joint sign flips",
    short="max-T",
    note="flips the signs of all differences of a query together, so it uses that systems share queries; each pair is "
    "scaled by its own standard error; more powerful for similar systems. Recommended",
    joint=True,
    single_step=True,
    aliases=("maxt", "westfall-young"),
    source="Westfall & Young (1993), Resampling-Based Multiple Testing, algorithms 2.5 and 2.8",
)
def max_t(
    differences: ArrayLike,
    *,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    statistic: Literal["t", "mean"] = "t",
    correction: Literal["step-down", "single-step"] = "step-down",
    replicates: int = 100_000,
    seed: int = 0,
) -> MaxT:
    """Test several paired comparisons at once, controlling the probability of any false rejection.

    If the systems are exchangeable on every unit, all differences of a unit are as likely to have the other sign. Signs
    are flipped for whole units, so that the comparisons stay as dependent as they are: comparisons that go together
    cost less than Bonferroni or Holm would charge. The adjusted p-value of a comparison is the share of the flips in
    which the largest statistic of all comparisons is at least as large as its own; stepping down, only those that are
    not yet found count in the maximum.

    Parameters
    ----------
    differences
        The differences of each comparison, one row per unit and one column per comparison.
    alternative
        ``"two-sided"``; ``"greater"``: differences are above 0; ``"less"``: below.
    statistic
        ``"t"``: Student's t of each column, so that every comparison has the same chance of a false finding.
        ``"mean"``: the mean difference, which is ruled by the columns that vary most.
    correction
        ``"step-down"`` finds whatever ``"single-step"`` does, and often more; single-step p-values fit simultaneous
        intervals.
    replicates, seed
        Random sign flips, where there are too many to list them all. The result is the same for any number of threads.

    Returns
    -------
    MaxT
        Its p is exact where all flips were listed (about 20 units or fewer). Comparisons without any difference
        have p = 1.

    Raises
    ------
    DataError
        The differences are not a full array of finite numbers, or the number of replicates or the seed is none.
    MetricNameError
        There is no such alternative, statistic or correction.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing, algorithms 2.5 and 2.8.

    Examples
    --------
    >>> found = max_t([[0.3, 0.1], [0.2, -0.1], [0.4, 0.2], [0.1, 0.1]])
    >>> print(found)
    adjusted p = 0.25, 0.5 (step-down max-T, all 16 sign flips)
    """
    for name, value, choices in (
        ("alternative", alternative, ("two-sided", "greater", "less")),
        ("statistic", statistic, ("t", "mean")),
        ("correction", correction, ("step-down", "single-step")),
    ):
        if value not in choices:
            raise MetricNameError(f"is {value!r}", f"it must be {' or '.join(map(repr, choices))}", argument=name)
    rows = unit_rows(differences, "differences", "comparison")
    rows = rows[row_order(rows)]
    check_draws(replicates, seed)
    scaled = _scaled(rows, statistic == "t")
    flips = _FlipColumns(
        np.ascontiguousarray(scaled[rows.any(axis=1)]),
        None,
        np.ones(rows.shape[1]),
        scaled.sum(axis=0),
        TOLERANCE * float(np.abs(scaled).sum(axis=0).max()),
        _statistic(rows, statistic),
    )
    return _maximum(flips, alternative, correction, replicates, seed)


class _FlipColumns(NamedTuple):
    """Columns whose signs are flipped, and the comparisons: single columns, or differences of two columns."""

    columns: Floats
    pairs: NDArray[np.uint32] | None
    factors: Floats
    sums: Floats
    """Of the comparisons as observed."""
    slack: float
    statistic: Floats


def max_t_of_pairs(values: Floats, pairs: Ints, *, alternative: str, replicates: int, seed: int) -> MaxT:
    """`max_t` of differences between columns, computed from flipped sums of the columns."""
    used = np.unique(pairs)
    values, pairs = values[:, used], np.searchsorted(used, pairs)
    values = values[row_order(values, pairs=pairs)]
    # Differences stay what they are, and those between systems that are near to each other keep their digits.
    columns = values - values[:, :1]
    scale = power_of_two(columns)
    columns /= scale
    sums, statistic, lengths, reach = (np.empty(len(pairs)) for _ in range(4))
    differs = np.zeros(len(values), dtype=bool)
    for block, rows in _difference_blocks(values, pairs):
        scaled = _scaled(rows, True)
        sums[block], reach[block] = scaled.sum(axis=0), np.abs(scaled).sum(axis=0)
        statistic[block] = _statistic(rows, "t")
        lengths[block] = np.abs(rows).max(axis=0) / scale * _lengths(rows)[1]
        differs |= rows.any(axis=1)
    slack = TOLERANCE * float(reach.max())
    factors = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    sizes = np.abs(columns).sum(axis=0)
    # Differences that are lost in the rounding of the systems' sums are columns of their own.
    lost = np.flatnonzero(np.finfo(np.float64).eps * (sizes[pairs[:, 0]] + sizes[pairs[:, 1]]) * factors > slack / 8)
    if len(lost):
        columns_of_pairs = _scaled(values[:, pairs[lost, 0]] - values[:, pairs[lost, 1]], True)
        none = columns.shape[1] + len(lost)
        columns = np.column_stack([columns, columns_of_pairs, np.zeros(len(values))])
        pairs = pairs.copy()
        pairs[lost, 0], pairs[lost, 1], factors[lost] = none - len(lost) + np.arange(len(lost)), none, 1.0
    flips = _FlipColumns(
        np.ascontiguousarray(columns[differs]), pairs.astype(np.uint32), factors, sums, slack, statistic
    )
    return _maximum(flips, alternative, "step-down", replicates, seed)


PER_BLOCK = 1 << 21
"""Differences that are in memory together."""


def _difference_blocks(values: Floats, pairs: Ints) -> Iterator[tuple[slice, Floats]]:
    """Differences of the pairs' two columns, for one slice of pairs after the other."""
    size = max(2, PER_BLOCK // len(values))
    for first in range(0, len(pairs), size):
        block = slice(first, first + size)
        yield block, values[:, pairs[block, 0]] - values[:, pairs[block, 1]]


def _maximum(flips: _FlipColumns, alternative: str, correction: str, draws: int, seed: int) -> MaxT:
    """Compute the maximum test from columns with flipped signs."""
    sign = -1.0 if alternative == "less" else 1.0
    two_sided = alternative == "two-sided"
    observed = np.abs(flips.sums) if two_sided else sign * flips.sums
    order = np.argsort(-observed, kind="stable")
    free = _free(len(flips.columns), len(order), two_sided)
    if flips.pairs is None:
        columns, pairs, factors = np.ascontiguousarray(sign * flips.columns[:, order]), None, None
    else:
        columns, pairs = flips.columns, np.ascontiguousarray(flips.pairs[order])
        factors = sign * flips.factors[order]
    raw, single, down = kernels.flip_signs(
        columns,
        observed[order] - flips.slack,
        absolute=two_sided,
        free=free,
        replicates=draws,
        seed=seed,
        pairs=pairs,
        factors=factors,
    )
    exact = free is not None
    draws = draws if free is None else 2**free
    reached = single if correction == "single-step" else np.maximum.accumulate(down)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return MaxT(
        p_of(reached[back], draws, exact=exact),
        _flips_text(free, two_sided, draws),
        draws,
        exact,
        p_of(raw[back], draws, exact=exact),
        flips.statistic,
        correction,
        alternative,
    )


def _scaled(rows: Floats, studentized: bool) -> Floats:
    """Scale the columns so that their sums are ordered like the statistics."""
    # Flipped signs leave the sum of squares of a column as it is, and t rises with the sum over the root of that.
    if not studentized:
        return rows / (np.abs(rows).max() or 1.0)
    even, lengths = _lengths(rows)
    return np.asarray(even / np.where(lengths == 0, 1.0, lengths))


def _lengths(rows: Floats) -> tuple[Floats, Floats]:
    """Columns divided by their largest absolute value, and the roots of their sums of squares."""
    largest = np.abs(rows).max(axis=0)
    even = rows / np.where(largest == 0, 1.0, largest)
    return even, np.sqrt((even**2).sum(axis=0))


def _free(units: int, columns: int, two_sided: bool) -> int | None:
    """Number of signs to enumerate for all sign flips; None if there are too many."""
    # Without its sign a sum is the same when all signs are turned: the last unit may keep its own.
    free = max(units - 1, 0) if two_sided else units
    return free if 2.0 ** min(free, 60) * (columns * math.ceil(units / 4) + _PER_FLIP) <= MOST_STEPS else None


def _flips_text(free: int | None, two_sided: bool, draws: int) -> str:
    """Number of sign flips in words."""
    if free is None:
        return plural(draws, "random sign flip")
    return f"all {plural(2 * draws if two_sided else draws, 'sign flip')}" if free else "all sign flips"


def _statistic(rows: Floats, name: str) -> Floats:
    """Mean or t of each column, as `name` says."""
    scale = np.abs(rows).max(axis=0)
    scale = np.where(scale == 0, 1.0, scale)
    even = rows / scale
    means = even.mean(axis=0)
    if name == "mean":
        return np.asarray(means * scale)
    if len(rows) == 1:
        return np.full_like(means, math.nan)
    spread = even.std(axis=0, ddof=1)
    spread[np.ptp(even, axis=0) <= TOLERANCE] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = means / (spread / math.sqrt(len(rows)))
    return np.where(means == 0, 0.0, ratios)


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
        """Differences of means, to be compared with the range of the means."""
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
    note="all pairs: permutes the systems within each query. Not for near-copies among noisy systems",
    joint=True,
    aliases=("tukey", "hsd"),
    source="Carterette (2012), ACM TOIS 30(1):4, doi:10.1145/2094072.2094076",
)
def tukey_hsd(scores: ArrayLike, *, replicates: int = 100_000, seed: int = 0) -> TukeyHSD:
    """Test all pairs of systems with the randomised Tukey HSD test, which assumes that all are exchangeable.

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
    method_note = plural(draws, "random permutation") if not exact else _permutations_text(systems, len(rows))
    differences = np.subtract.outer(means, means)
    return TukeyHSD(p, method_note, draws, exact, differences, means, variance_ratio(rows))


def variance_ratio(scores: Floats) -> float:
    """Largest variance of a pair's differences, divided by the smallest one above 0.

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


def _permutations_text(systems: int, units: int) -> str:
    """Number of all permutations in words."""
    log_count = units * math.lgamma(systems + 1)
    return f"all {math.factorial(systems) ** units} permutations" if log_count < math.log(1e15) else "all permutations"


def _all_ranges(rows: Floats) -> Floats | None:
    """Range of the column sums for all distinct arrangements of the rows but one; None if there are too many."""
    if not len(rows):
        return np.zeros(1)
    # The range is the same when columns change places in all rows alike: the row with the most arrangements stays.
    counts = [_arrangements(row) for row in rows]
    *varied, fixed = sorted(range(len(rows)), key=counts.__getitem__)
    if math.prod(counts[index] for index in varied) * rows.shape[1] > MOST_VALUES:
        return None
    sums = rows[[fixed]]
    for index in varied:
        sums = (sums[:, None, :] + _permutations(rows[index])[None, :, :]).reshape(-1, rows.shape[1])
    return np.asarray(np.ptp(sums, axis=1))


def _arrangements(row: Floats) -> int:
    """Number of distinct permutations of the values."""
    _, times = np.unique(row, return_counts=True)
    return math.factorial(len(row)) // math.prod(math.factorial(count) for count in times.tolist())


def _permutations(row: Floats) -> Floats:
    """Distinct permutations of the values, one in each row."""
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
