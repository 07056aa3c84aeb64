"""The exact sign-flip (permutation) test of paired differences.

If two systems are exchangeable on every unit, the difference of each unit is as likely to have the other sign; the
p-value is the share of all 2^n choices of signs with a sum at least as large as that observed.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.statistic.moments import power_of_two

TOLERANCE = 1e-12
"""Sums that differ by less than this part of the greatest possible sum are equal: differences of floats are rounded."""
EQUAL_SLACK = 1e-14
"""Sums that differ by less than this part of the greatest of some twenty differences are equal up to rounding."""
SLACK = 1e-10
"""Multiples of a unit may be off by this part of the greatest of them."""
MAX_STEPS = 2e7
"""Additions spent on counting over a lattice (about a hundredth of a second)."""
LIST_LIMIT = 1 << 15
"""Sums of one half of the differences that are listed first: those of 15, or of more where many are equal."""
EQUAL_LIST_LIMIT = 1 << 18
"""Those of 18, where sums of different differences are equal: the inversion knows no probability of one sum."""
MAX_LISTED = 1 << 20
"""Those listed where the inversion does not converge (some hundredths of a second)."""
MOST_QUICKLY_LISTED = 40
"""Differences from which on the short lists of a quick p-value hold too few of their sums."""
GRID = 2.0**-24
"""Part of the greatest difference to which a quick p-value rounds all: of 300 the sum by 1e-5 standard deviations."""
TRIED = 10
"""Differences of a half of which no two sums are equal where listing hardly pays."""
SUBSETS = (np.arange(1 << TRIED) >> np.arange(TRIED)[:, None] & 1).astype(np.float64)
"""Membership of each difference (rows) in each subset (columns)."""
MOST_TERMS = 2e7
"""Factors that the Fourier inversion may take (some hundredths of a second)."""
MOST_AT_ONCE = 4096
"""Frequencies of the inversion before it may end: the transform of near-multiples comes back."""
FOURIER_FIRST = 256
"""Differences from which on the inversion comes first: a list would seldom be short."""
QUICK = 2000
"""Units from which on a quick p-value takes as much work as any."""
WANTED = 1e-5
"""Relative error up to which the inversion is taken."""
EQUAL_SUMS = 1e-4
"""Part of p that one sum may have where sums of different differences are equal; a third of it was seen."""
PAIRS = 24
"""Sizes of which neighbours are tried for the unit of most differences."""
MOST_SIZES = 4096
"""Sizes of differences of which a common unit is sought."""


class SignFlip(NamedTuple):
    """P(sum of the differences with random signs >= observed sum), how it was computed, and its error."""

    p: float
    method: str
    """``"lattice"``, ``"enumeration"`` (both exact), ``"fourier"`` or ``"rounded lattice"``."""
    error: float
    """Of ``"fourier"`` eight standard deviations of what the inversion leaves out, with rounding and equal sums."""


def sign_flip(differences: Floats, *, quick: bool = False) -> SignFlip:
    """Upper-tail probability of the observed sum over all choices of signs; zeros are dropped.

    Differences that are multiples of a common unit (rounded values, precisions at a cutoff, ranks) are counted by
    dynamic programming; few differences of any kind, or of few sizes, by listing the sums of each half; many by tilted
    Fourier inversion of the product of ``cosh(s d)``; where that does not converge, by longer lists, of which a far
    tail needs only a part, or by counting with the differences rounded to a fine lattice, which gives bounds. Nothing
    is drawn at random.

    With `quick` a p-value right to about 1e-4 of itself suffices (1e-2 where few large differences decide), as where a
    limit is searched, and its error may be infinite: not bounded.
    """
    quick = quick and len(differences) < QUICK
    signed = np.sort(differences[differences != 0])  # the same bits for any order of the units
    signed /= power_of_two(signed)  # p has no unit, and no square overflows or vanishes
    values = np.sort(np.abs(signed), kind="stable")
    total = float(values.sum())
    if not len(values):
        return SignFlip(1.0, "enumeration", 0.0)
    observed = min(max(float(signed.sum()), -total), total)
    sizes, counts = _count_equal(values)
    unit = _unit(sizes, counts)
    if unit and len(values) * (total / unit) <= (MAX_STEPS / 32 if quick else MAX_STEPS):
        steps = np.rint(values / unit).astype(np.int64)
        if int(steps.max()) < 2**32:
            target = int(np.rint(signed[signed > 0] / unit).sum())
            return SignFlip(min(kernels.chosen_sum_at_least(steps.astype(np.uint32), target), 1.0), "lattice", 0.0)
    if quick and not unit:
        # The shift of a search makes small differences nearly equal: rounded, only how many are positive matters.
        grid = power_of_two(values) * GRID
        values, observed = np.rint(values / grid) * grid, float((np.rint(signed / grid) * grid).sum())
        sizes, counts = _count_equal(values := values[values > 0])
    threshold = observed - TOLERANCE * total
    choices = _choices(sizes, counts)
    has_few_choices = choices <= (22 if quick else 30)
    has_equal_sums = not has_few_choices and len(values) < FOURIER_FIRST and _has_equal_sums(values)
    if has_few_choices or has_equal_sums:
        max_listed = EQUAL_LIST_LIMIT if has_equal_sums and choices <= 36 else LIST_LIMIT
        max_listed = LIST_LIMIT >> 4 if quick and has_equal_sums else max_listed
        from_list = _enumerated(values, threshold, max_listed)
        if from_list:
            return from_list
    law = _Sizes(values, sizes, counts, unit)
    # the far tail is the accurate one; what lies strictly beyond it is the rest
    far = _tail_of_many(law, abs(observed), strictly=observed < 0, quick=quick)
    error = far.error + (EQUAL_SUMS * far.p if has_equal_sums and far.method == "fourier" else 0.0)
    return SignFlip(1 - far.p if observed < 0 else far.p, far.method, error)


class _Sizes(NamedTuple):
    """Absolute differences in ascending order: all, the distinct ones with counts, and their common unit (or 0)."""

    values: Floats
    sizes: Floats
    counts: NDArray[np.int64]
    unit: float


def _count_equal(ascending: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The sizes, each once, and their counts."""
    starts = np.flatnonzero(np.append(True, ascending[1:] > ascending[:-1]))
    return ascending[starts], np.append(starts[1:], len(ascending)) - starts


def _unit(sizes: Floats, counts: NDArray[np.int64]) -> float:
    """Common unit of which all values are integer multiples, up to rounding; 0 if there is none."""
    unit = _divisor(_spread(sizes, MOST_SIZES).tolist())
    if not unit:
        return 0.0
    steps = np.rint(sizes / unit)
    unit = float((sizes * counts).sum() / (steps * counts).sum())  # of the rounding of one value nothing is left
    fits = bool(np.abs(sizes - steps * unit).max() <= SLACK * float(sizes[-1]))
    return unit if fits else 0.0


def _spread(ascending: Floats, max_count: int) -> Floats:
    """At most `max_count` of the sorted values, evenly spaced, including the greatest."""
    return np.ascontiguousarray(ascending[:: -max(len(ascending) // max_count, 1)][:max_count][::-1])


def _divisor(sizes: Sequence[float]) -> float:
    """Greatest common divisor of the sorted values, up to rounding; 0 if it is not clearly above rounding errors."""
    slack = SLACK * sizes[-1]
    smallest = 1e3 * slack
    if sizes[0] < smallest:
        return 0.0
    unit = 0.0
    for size in sizes:
        while size > slack:  # Euclid's algorithm, on rounded multiples
            unit, size = size, abs(math.remainder(unit, size))
            if unit < smallest:
                return 0.0
    return unit


def _has_equal_sums(values: Floats) -> bool:
    """True if many sums of one half of the values are equal, so that their list is short."""
    sample = _spread(values, 2 * TRIED)
    half = len(sample) // 2
    sums = np.sort(sample[: 2 * half].reshape(half, 2).T @ SUBSETS[:half, : 1 << half])
    return bool(((sums[:, 1:] - sums[:, :-1]).min(axis=1) <= EQUAL_SLACK * sample.sum()).all())


def _choices(sizes: Floats, counts: NDArray[np.int64]) -> float:
    """Base-2 logarithm of about the most sums that have to be listed at once, the largest values first."""
    largest, times = sizes[::-1], counts[::-1]
    products = largest * times
    smaller_sum = products[::-1].cumsum()[::-1] - products
    undecided = np.minimum(smaller_sum / np.sqrt((largest * products).cumsum()), 1.0)
    return float((np.log2(times + 1.0).cumsum() + np.log2(np.maximum(undecided, TOLERANCE))).max())


def _enumerated(values: Floats, threshold: float, max_listed: int) -> SignFlip | None:
    """P(S >= threshold), by the sums of one half against those of the other; None if there are too many."""
    p = kernels.signed_sum_listed(values, observed=threshold, most=max_listed)
    return None if p is None else SignFlip(min(p, 1.0), "enumeration", 0.0)


def _tail_of_many(law: _Sizes, observed: float, *, strictly: bool, quick: bool) -> SignFlip:
    """P(S >= observed), or P(S > observed) if `strictly`, for an observed sum of at least 0."""
    values, unit = law.values, law.unit
    # Sums on a lattice lie two units apart; half-way between two of them no atom is in the way.
    midpoint = observed + (unit if strictly else -unit)
    integral = _by_fourier(values, midpoint, MOST_TERMS / 256 if quick else MOST_TERMS, 2 * unit)
    if integral is not None:
        # Inversion counts half of an atom. Known is the one made by signs exchanged among equal differences.
        half = 0.0 if unit else _exchanges(law, observed) / 2
        part_of_p = 0.0 if unit or quick else _part_between_units(law, observed) * integral.p
        p = integral.p + (-half if strictly else half)
        return SignFlip(p, integral.method, integral.error + half + part_of_p)
    threshold = observed + (TOLERANCE if strictly else -TOLERANCE) * float(values.sum())
    max_listed = 0 if len(values) > (MOST_QUICKLY_LISTED if quick else QUICK) else MAX_LISTED >> (6 if quick else 0)
    from_list = _enumerated(values, threshold, max_listed) if max_listed else None
    return from_list or _by_rounding(values, observed, strictly=strictly, quick=quick)


def _exchanges(law: _Sizes, observed: float) -> float:
    """Upper bound, in a sign-flip test, for the probability of one sum, from the ties among differences."""
    if law.counts.max() == 1:
        return 0.0
    numbers, times = np.unique(law.counts, return_counts=True)
    logs = [math.lgamma(k + 1) - 2 * math.lgamma(k / 2 + 1) - k * math.log(2) for k in numbers.tolist()]
    # Far out the sum needs nearly all signs alike; its probability is at most that of a sum as large.
    far = -(observed**2) / (2 * float((law.values**2).sum()))
    return math.exp(min(float(np.dot(logs, times)), far))


def _part_between_units(law: _Sizes, observed: float) -> float:
    """Relative error of p if most differences are multiples of one unit but some are not."""
    # Frequencies up to those at which the transform of a fine unit comes back are too many: the sums are taken as if
    # they were smeared over two units. Each difference beside the unit takes from what comes back.
    sizes, number = law.sizes, len(law.values)
    units = {unit for pair in pairwise(_spread(sizes, PAIRS).tolist()) if (unit := _divisor(pair))}
    fewest, unit = number / 2, 0.0
    for candidate in sorted(units, reverse=True):
        steps = sizes / candidate
        beside = int(law.counts[np.abs(steps - np.rint(steps)) > 1e-6].sum())
        if beside < fewest:
            fewest, unit = beside, candidate
    variance = float((law.values**2).sum())
    left = min(1.0, 2 ** ((8 - fewest) / 2)) if fewest < 2000 else 0.0
    return 2 * unit * left * (observed / variance + 1 / math.sqrt(variance))


def _by_fourier(values: Floats, x: float, work: float, span: float) -> SignFlip | None:
    """P(S > x) + P(S = x) / 2 by Fourier inversion; `work` limits its terms. None if its error is too large."""
    max_terms = work / len(values)
    min_terms = min(MOST_AT_ONCE * work / MOST_TERMS, 2e6 / len(values), max_terms)
    integral = kernels.signed_sum_inverted(
        values, x=abs(x), wanted=WANTED / 4, least=int(min_terms), most=int(max_terms), span=span
    )
    if integral is None:
        return None
    p, error = integral[0] if x >= 0 else 1 - integral[0], integral[1]
    return None if error > WANTED * p else SignFlip(min(p, 1.0), "fourier", error)


def _by_rounding(values: Floats, observed: float, *, strictly: bool, quick: bool) -> SignFlip:
    """Tail probability after rounding each difference to a lattice, with bounds for the rounding unless `quick`."""
    unit = float(values.sum()) / (MAX_STEPS / (8 if quick else 0.1) / len(values))
    steps = np.rint(values / unit).astype(np.uint32)
    off = float(np.abs(values - steps * unit).sum()) + TOLERANCE * float(values.sum())
    threshold = observed + (TOLERANCE if strictly else -TOLERANCE) * float(values.sum())
    # S = unit (2 positive - all), each within `off` of the true sum.
    middle, *bounds = (
        kernels.chosen_sum_at_least(steps, max(math.ceil((sum_ / unit + int(steps.sum())) / 2), 0))
        for sum_ in ((threshold,) if quick else (threshold, observed + off, observed - off))
    )
    return SignFlip(middle, "rounded lattice", max((abs(bound - middle) for bound in bounds), default=math.inf))
