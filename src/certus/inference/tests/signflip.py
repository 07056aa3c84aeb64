"""The exact sign-flip (permutation) test of paired differences.

If two systems are exchangeable on every unit, the difference of each unit is as likely to have the other sign; the
p-value is the share of all 2^n choices of signs with a sum at least as large as that observed.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.statistic.moments import power_of_two

__all__ = ["SignFlip", "sign_flip"]

SAME = 1e-12
"""Sums that differ by less than this part of the greatest possible sum are equal: differences of floats are rounded."""
SLACK = 1e-10
"""Multiples of a unit may be off by this part of the greatest of them."""
MOST_STEPS = 2e8
"""Additions spent on counting over a lattice (about a tenth of a second)."""
LISTED = 1 << 18
"""Sums of one half of the differences that are listed first: those of 18, or of more where many are equal."""
MOST_LISTED = 1 << 20
"""Those listed where the inversion does not converge (some hundredths of a second)."""
TRIED = 12
"""Differences of a half of which no two sums are equal where listing hardly pays."""
MOST_TERMS = 2e7
"""Factors that the Fourier inversion may take (some hundredths of a second)."""
MOST_AT_ONCE = 8192
"""Frequencies of the inversion before it may end: the transform of near-multiples comes back."""
QUICK = 2000
"""Units from which on a quick p-value takes as much work as any."""
WANTED = 1e-6
"""Relative error up to which the inversion is taken before longer lists are tried; ten times as much after."""


class SignFlip(NamedTuple):
    """P(sum of the differences with random signs >= the sum observed).

    Attributes
    ----------
    p
        The probability.
    method
        ``"lattice"`` or ``"enumeration"``, which count every choice of signs; ``"fourier"``, which inverts the exact
        characteristic function; ``"rounded lattice"``, which counts with rounded differences.
    error
        0 where every choice was counted; for ``"fourier"`` eight standard deviations of what is left out of the
        inversion, rounding, and what sums of differences nearly all of one unit leave open; for
        ``"rounded lattice"`` a bound.
    """

    p: float
    method: str
    error: float


def sign_flip(differences: Floats, *, quick: bool = False) -> SignFlip:
    """The upper tail of the sum of the differences over all choices of their signs.

    Differences that are multiples of a common unit (rounded values, precisions at a cutoff, ranks) are counted by
    dynamic programming; few differences of any kind, or of few sizes, by listing the sums of each half; many by tilted
    Fourier inversion of the product of ``cosh(s d)``; where that does not converge, by longer lists, of which a far
    tail needs only a part, or by counting with the differences rounded to a fine lattice, which gives bounds. Nothing
    is drawn at random.

    Parameters
    ----------
    differences
        One finite difference per unit; zeros have no sign and drop out.
    quick
        A p-value right to about 1e-5 of itself suffices, as where a limit is searched: of less than 2,000 units a
        thirtieth of the work is spent before the next way is tried.
    """
    quick = quick and len(differences) < QUICK
    signed = np.sort(differences[differences != 0])  # the same bits for any order of the units
    signed /= power_of_two(signed)  # p has no unit, and no square overflows or vanishes
    values = np.abs(signed)
    total = float(values.sum())
    if not len(values):
        return SignFlip(1.0, "enumeration", 0.0)
    observed = min(max(float(signed.sum()), -total), total)
    unit = _unit(values)
    if unit and len(values) * (total / unit) <= (MOST_STEPS / 32 if quick else MOST_STEPS):
        steps = np.rint(values / unit).astype(np.int64)
        if int(steps.max()) < 2**32:
            target = int(steps[signed > 0].sum())
            return SignFlip(min(kernels.chosen_sum_at_least(steps.astype(np.uint32), target), 1.0), "lattice", 0.0)
    least = observed - SAME * total
    if _choices(values) <= (28 if quick else 36) or _meets(values):
        listed = _listed(values, least, LISTED >> (5 if quick else 0))
        if listed:
            return listed
    if observed < 0:  # the far tail is the accurate one; what lies strictly beyond it is the rest
        above = _many(values, -observed, unit, strictly=True, quick=quick)
        return SignFlip(1 - above.p, above.method, above.error)
    return _many(values, observed, unit, strictly=False, quick=quick)


def _unit(values: Floats) -> float:
    """A common unit of which all values are whole multiples, up to rounding; 0 where there is none."""
    unit = _divisor(np.unique(values).tolist())
    if not unit:
        return 0.0
    steps = np.rint(values / unit)
    unit = float(values.sum() / steps.sum())  # of the rounding of one value nothing is left
    fits = bool(np.abs(values - steps * unit).max() <= SLACK * float(values.max()))
    return unit if fits else 0.0


def _divisor(sizes: Sequence[float]) -> float:
    """The greatest common divisor of ascending sizes, up to rounding; 0 where it is hardly larger than rounding."""
    slack = SLACK * sizes[-1]
    least = 1e3 * slack
    if sizes[0] < least:
        return 0.0
    unit = 0.0
    for rest in sizes:
        while rest > slack:  # Euclid's algorithm, on rounded multiples
            unit, rest = rest, abs(math.remainder(unit, rest))
            if unit < least:
                return 0.0
    return unit


def _choices(values: Floats) -> float:
    """Binary logarithm of the number of choices of signs; of equal values only how many are positive matters."""
    return float(np.log2(np.unique(values, return_counts=True)[1] + 1.0).sum())


def _meets(values: Floats) -> bool:
    """True if sums of one half coincide, as on a shifted lattice, so that their list is short."""
    some = values[np.linspace(0, len(values) - 1, min(2 * TRIED, len(values))).astype(np.intp)]
    return kernels.signed_sum_listed(some, observed=-float(some.sum()), most=(1 << TRIED) - 1) is not None


def _listed(values: Floats, least: float, most: int) -> SignFlip | None:
    """P(S >= least) from every sum of one half against every sum of the other; None if there are more than `most`."""
    p = kernels.signed_sum_listed(values, observed=least, most=most)
    return None if p is None else SignFlip(min(p, 1.0), "enumeration", 0.0)


def _many(values: Floats, observed: float, unit: float, *, strictly: bool, quick: bool) -> SignFlip:
    """P(S >= observed), or P(S > observed) if `strictly`, for a sum that is not below 0."""
    # Sums on a lattice lie two units apart; half-way between two of them no atom is in the way.
    between = observed + (unit if strictly else -unit)
    # Inversion counts half of an atom. Known is the one made by signs exchanged among equal differences.
    half = 0.0 if unit else _exchanges(values, observed) / 2
    work = MOST_TERMS / 8 if quick else MOST_TERMS
    found = _inverted(values, between, 10 * WANTED if quick else WANTED, work / 4)
    least = observed + (SAME if strictly else -SAME) * float(values.sum())
    if found is None and _choices(values) <= 42:
        found = _listed(values, least, MOST_LISTED >> (4 if quick else 0))
    found = found or _inverted(values, between, 10 * WANTED, work)
    if found is not None and found.method == "fourier":
        error = found.error + half + (0.0 if unit else _apart(values, observed) * found.p)
        return SignFlip(found.p + (-half if strictly else half), found.method, error)
    found = found or _listed(values, least, MOST_LISTED >> (4 if quick else 0))
    return found or _rounded(values, observed, MOST_STEPS / 32 if quick else MOST_STEPS, strictly=strictly)


def _exchanges(values: Floats, observed: float) -> float:
    """Greatest probability of one sum that equal differences can make: all others keep their signs."""
    _, times = np.unique(values, return_counts=True)
    if times.max() == 1:
        return 0.0
    logs = [math.lgamma(k + 1) - 2 * math.lgamma(k / 2 + 1) - k * math.log(2) for k in times.tolist()]
    # Far out the sum needs nearly all signs alike; its probability is at most that of a sum as large.
    return math.exp(min(sum(logs), -(observed**2) / (2 * float((values**2).sum()))))


def _apart(values: Floats, observed: float) -> float:
    """Part of p that lies between sums of most differences where these, but not all, are multiples of one unit.

    Frequencies up to those at which the transform of a fine unit comes back are too many: the sums are taken as if they
    were smeared over two units. Each difference beside the unit takes from what comes back.
    """
    sizes = np.unique(values)
    some = sizes[np.linspace(0, len(sizes) - 1, min(65, len(sizes))).astype(np.intp)].tolist()
    found = (_unit(np.array(pair)) for pair in pairwise(some) if _divisor(pair))
    least, unit = len(values) / 2, 0.0
    for each in sorted(filter(None, found), reverse=True):
        steps = values / each
        beside = int((np.abs(steps - np.rint(steps)) > 1e-6).sum())
        if beside < least:
            least, unit = beside, each
    variance = float((values**2).sum())
    left = min(1.0, 2 ** ((8 - least) / 2))
    return 2 * unit * left * (observed / variance + 1 / math.sqrt(variance))


def _inverted(values: Floats, x: float, wanted: float, work: float) -> SignFlip | None:
    """P(S > x) + P(S = x) / 2 by Fourier inversion; None where its error is more than wanted."""
    most = work / len(values)
    least = min(MOST_AT_ONCE, 2e6 / len(values), most)
    found = kernels.signed_sum_inverted(values, x=abs(x), wanted=wanted / 4, least=int(least), most=int(most))
    if found is None:
        return None
    p, error = found[0] if x >= 0 else 1 - found[0], found[1]
    return None if error > wanted * p else SignFlip(min(p, 1.0), "fourier", error)


def _rounded(values: Floats, observed: float, most: float, *, strictly: bool) -> SignFlip:
    """The tail with each difference rounded to a lattice; the bounds hold for every way the rounding may fall."""
    unit = float(values.sum()) / (most / len(values))
    steps = np.rint(values / unit).astype(np.uint32)
    off = float(np.abs(values - steps * unit).sum()) + SAME * float(values.sum())
    # S = unit (2 positive - all), each within `off` of the true sum.
    middle, least, greatest = (
        kernels.chosen_sum_at_least(steps, max(math.ceil((sum_ / unit + int(steps.sum())) / 2), 0))
        for sum_ in (observed + (SAME if strictly else -SAME) * float(values.sum()), observed + off, observed - off)
    )
    return SignFlip(middle, "rounded lattice", max(greatest - middle, middle - least))
