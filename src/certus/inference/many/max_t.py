"""Many comparisons on the same units, adjusted by the largest statistic that joint sign flips give."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus import kernels
from certus.arrays import Floats
from certus.errors import DataError, MetricNameError
from certus.inference.interval import checked_level
from certus.inference.intervals.binomial import clopper_pearson
from certus.inference.many.adjust import correction as declared_correction
from certus.readable import Readable
from certus.renamed import renamed
from certus.statistic.common import plural, whole

__all__ = ["SAME", "MaxT", "check_draws", "max_t", "p_error", "p_limits", "p_of", "row_order", "unit_rows"]


SAME = 1e-12
"""Statistics that differ by less than this part of the greatest possible one are equal: they were rounded."""


def unit_rows(values: ArrayLike, name: str, column: str) -> Floats:
    """An array of one row per unit and one column per system or comparison, checked.

    Raises
    ------
    DataError
        It does not have two dimensions, has no row or no column, or holds NaN or infinity.
    """
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
        row, place = wrong[0].tolist()
        raise DataError(
            f"holds {rows[row, place]:g} in row {row}, column {place}",
            f"every unit needs a finite value for every {column}: leave out the units that lack one",
            argument=name,
        )
    return rows


def row_order(rows: Floats, sizes: Floats | None = None) -> NDArray[np.intp]:
    """An order of the rows that does not depend on the one given, nor on the sign of a whole column.

    Draws go to rows by their place: in this order they go to the same rows, however the units were given.

    Examples
    --------
    >>> row_order(np.array([[3.0, 1.0], [-1.0, 2.0], [2.0, -1.0]])).tolist()
    [2, 0, 1]
    """
    sides = np.array([1.0 if math.fsum(column) >= 0 else -1.0 for column in rows.T])
    keys = (*(rows * sides).T, *np.abs(rows).T)
    return np.lexsort(keys if sizes is None else (*keys, sizes))


def check_draws(replicates: int, seed: int) -> tuple[int, int]:
    """The number of random draws and the seed.

    Raises
    ------
    DataError
        One of them is not a whole number, there are no draws, or the seed is not below 2^64.
    """
    return whole(replicates, "replicates", 1, 2**40), whole(seed, "seed", 0, 2**64 - 1)


def p_of(reached: NDArray[np.uint64], draws: int, *, exact: bool) -> Floats:
    """The p-values from how many draws reached the statistic observed.

    Of random draws the observed one counts as a further one, ``(r + 1) / (R + 1)``, so that the test keeps its level
    with any number of draws (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).
    """
    counts = np.asarray(reached, dtype=np.float64)
    return counts / draws if exact else (counts + 1) / (draws + 1)


def p_error(p: Floats, draws: int, *, exact: bool) -> Floats:
    """The standard error of p-values that were drawn; 0 for those that were listed."""
    return np.zeros_like(p) if exact else np.sqrt(p * (1 - p) / draws)


def p_limits(p: Floats, draws: int, level: float, *, exact: bool) -> tuple[Floats, Floats]:
    """Clopper-Pearson limits for what the p-values would be if all were listed."""
    tail = (1 - checked_level(level)) / 2
    if exact:
        return p.copy(), p.copy()
    low, high = np.empty_like(p), np.empty_like(p)
    for place, value in np.ndenumerate(p):
        reached = round(float(value) * (draws + 1)) - 1
        low[place], high[place] = clopper_pearson(reached, draws, tail)
    return low, high


MOST_STEPS = 4e8
"""Additions spent on listing all sign flips (about a quarter of a second)."""
_PER_FLIP = 20
"""Cost of a flip beside its additions."""


@dataclass(frozen=True, eq=False)
class MaxT(Readable):
    """The findings of the maximum test, each an array of one value per comparison.

    Attributes
    ----------
    p
        p-values adjusted for the number of comparisons: the chance of at least one p this small or smaller, where no
        comparison has a difference, is at most p.
    raw
        p-values of each comparison alone, from the same sign flips.
    statistic
        Paired t of each comparison, or its mean difference.
    error
        Standard error of p through the flips drawn; 0 where all were listed.
    method
        ``"step-down"`` or ``"single-step"``.
    alternative
        The side of the tests.
    how
        ``"all 1024 sign flips"`` or ``"100000 random sign flips"``.
    draws
        How many flips that were.
    exact
        Whether these were all.
    """

    p: Floats
    raw: Floats
    statistic: Floats
    error: Floats
    method: str
    alternative: str
    how: str
    draws: int
    exact: bool

    def p_interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Limits for what each p would be if all sign flips were listed (Clopper & Pearson); p itself where they were.

        Raises
        ------
        CertusError
            The level does not lie strictly between 0 and 1.
        """
        return p_limits(self.p, self.draws, level, exact=self.exact)

    def __str__(self) -> str:
        shown = ", ".join(f"{p:.4g}" for p in self.p.tolist())
        return f"adjusted p = {shown} ({self.method} max-T, {self.how})"


@declared_correction(
    "max-t",
    label="the maximum t of joint sign flips",
    short="max-T",
    note="flips the signs of all differences of a query at once, so it knows that the systems share queries; each pair "
    "is measured by its own spread; finds more where they are alike. Recommended",
    joint=True,
    single_step=True,
    aliases=("maxt", "westfall-young"),
    source="Westfall & Young (1993), Resampling-Based Multiple Testing, algorithms 2.5 and 2.8",
)
@renamed(method="correction")
def max_t(
    differences: ArrayLike,
    *,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    statistic: Literal["t", "mean"] = "t",
    correction: Literal["step-down", "single-step"] = "step-down",
    replicates: int = 100_000,
    seed: int = 0,
) -> MaxT:
    """Test several paired comparisons at once, with the chance of any false finding held to the level.

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
    for name, given, known in (
        ("alternative", alternative, ("two-sided", "greater", "less")),
        ("statistic", statistic, ("t", "mean")),
        ("correction", correction, ("step-down", "single-step")),
    ):
        if given not in known:
            raise MetricNameError(f"is {given!r}", f"it must be {' or '.join(map(repr, known))}", argument=name)
    rows = unit_rows(differences, "differences", "comparison")
    rows = rows[row_order(rows)]
    draws, seed = check_draws(replicates, seed)
    scaled = _scaled(rows, statistic == "t")
    sums = scaled.sum(axis=0) * (-1.0 if alternative == "less" else 1.0)
    both = alternative == "two-sided"
    observed = np.abs(sums) if both else sums
    order = np.argsort(-observed, kind="stable")
    flipped = np.ascontiguousarray(scaled[np.ix_(rows.any(axis=1), order)])
    if alternative == "less":
        flipped = -flipped
    free = _free(flipped, both)
    slack = SAME * float(np.abs(scaled).sum(axis=0).max())
    raw, single, down = kernels.flip_signs(
        flipped, observed[order] - slack, absolute=both, free=free, replicates=draws, seed=seed
    )
    exact = free is not None
    draws = draws if free is None else 2**free
    reached = single if correction == "single-step" else np.maximum.accumulate(down)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    p = p_of(reached[back], draws, exact=exact)
    return MaxT(
        p,
        p_of(raw[back], draws, exact=exact),
        _statistic(rows, statistic),
        p_error(p, draws, exact=exact),
        correction,
        alternative,
        _how(free, both, draws),
        draws,
        exact,
    )


def _scaled(rows: Floats, studentized: bool) -> Floats:
    """Columns whose sums are as far out as the statistics asked for.

    Flipped signs leave the sum of squares of a column as it is, and t rises with the sum over the root of that: no t
    need be computed for a flip.
    """
    largest = np.abs(rows).max(axis=0)
    if not studentized:
        return rows / (largest.max() or 1.0)
    even = rows / np.where(largest == 0, 1.0, largest)
    lengths = np.sqrt((even**2).sum(axis=0))
    return np.asarray(even / np.where(lengths == 0, 1.0, lengths))


def _free(flipped: Floats, both: bool) -> int | None:
    """Number of units whose signs can all be listed; None if that is too much work."""
    units, columns = flipped.shape
    # Without its sign a sum is the same when all signs are turned: the last unit may keep its own.
    free = max(units - 1, 0) if both else units
    return free if 2.0 ** min(free, 60) * (columns * math.ceil(units / 4) + _PER_FLIP) <= MOST_STEPS else None


def _how(free: int | None, both: bool, draws: int) -> str:
    if free is None:
        return plural(draws, "random sign flip")
    return f"all {plural(2 * draws if both else draws, 'sign flip')}" if free else "all sign flips"


def _statistic(rows: Floats, name: str) -> Floats:
    scale = np.abs(rows).max(axis=0)
    scale = np.where(scale == 0, 1.0, scale)
    even = rows / scale
    means = even.mean(axis=0)
    if name == "mean":
        return np.asarray(means * scale)
    if len(rows) == 1:
        return np.full_like(means, math.nan)
    spread = even.std(axis=0, ddof=1)
    spread[np.ptp(even, axis=0) <= SAME] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        found = means / (spread / math.sqrt(len(rows)))
    return np.where(means == 0, 0.0, found)
