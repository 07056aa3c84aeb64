"""The exact sign-flip (permutation) test of paired differences.

If two systems are exchangeable on every unit, the difference of each unit is as likely to have the other sign; the
p-value is the share of all 2^n choices of signs with a sum at least as large as that observed.
"""

import math
from typing import NamedTuple

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.inference.special import binomial_chances

__all__ = ["SignFlip", "sign_flip"]

SAME = 1e-12
"""Sums that differ by less than this part of the greatest possible sum are equal: differences of floats are rounded."""
MOST_STEPS = 2e8
"""Additions spent on counting over a lattice (about a tenth of a second)."""
MOST_LISTED = 1 << 18
"""Sums of one half of the differences that are listed: those of 18, or of more where many are equal."""
MOST_TERMS = 2e7
"""Factors that the Fourier inversion may take (about a tenth of a second)."""
MOST_AT_ONCE = 8192
"""Frequencies of the inversion before it is asked for the first time whether they suffice."""
QUICK = 2000
"""Units from which on a quick p-value takes as much work as any."""
WANTED = 1e-6
"""Relative error up to which the inversion is taken."""


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
        0 where every choice was counted; for ``"fourier"`` the error estimated from a second inversion; for
        ``"rounded lattice"`` a bound.
    """

    p: float
    method: str
    error: float


def sign_flip(differences: Floats, *, quick: bool = False) -> SignFlip:
    """The upper tail of the sum of the differences over all choices of their signs.

    Differences that are multiples of a common unit (rounded values, precisions at a cutoff, ranks) are counted by
    dynamic programming; few differences of any kind, or of few sizes, by listing the sums of each half; many by tilted
    Fourier inversion of the product of ``cosh(s d)``; where that does not converge, by counting with the differences
    rounded to a fine lattice, which gives bounds. Nothing is drawn at random.

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
    halves = _halves(values, MOST_LISTED >> 5 if quick else MOST_LISTED)
    if halves:
        return SignFlip(_listed(*halves, observed - SAME * total), "enumeration", 0.0)
    if observed < 0:  # the far tail is the accurate one; what lies strictly beyond it is the rest
        above = _many(values, -observed, unit, strictly=True, quick=quick)
        return SignFlip(1 - above.p, above.method, above.error)
    return _many(values, observed, unit, strictly=False, quick=quick)


def _unit(values: Floats) -> float:
    """A common unit of which all values are whole multiples, up to rounding; 0 where there is none."""
    slack = 1e-10 * float(values.max())
    unit = 0.0
    for value in np.unique(values).tolist():
        one, other = unit, value
        while other > slack:  # Euclid's algorithm, on rounded multiples
            one, other = other, abs(math.remainder(one, other))
        unit = one
        if unit < 1e3 * slack:
            return 0.0
    steps = np.rint(values / unit)
    unit = float(values.sum() / steps.sum())  # of the rounding of one value nothing is left
    fits = bool(np.abs(values - steps * unit).max() <= slack)
    return unit if fits else 0.0


Half = list[tuple[float, int]]
"""Values and how often they occur."""


def _halves(values: Floats, most: int) -> tuple[Half, Half] | None:
    """Two parts with about as many different sums each; None if there are too many to list."""
    distinct, times = np.unique(values, return_counts=True)
    if math.log2(most) * 2 < float(np.log2(times + 1.0).sum()):
        return None
    halves: tuple[Half, Half] = [], []
    sizes = [1, 1]
    for place in np.argsort(-times, kind="stable").tolist():
        smaller = int(sizes[1] < sizes[0])
        halves[smaller].append((float(distinct[place]), int(times[place])))
        sizes[smaller] *= int(times[place]) + 1
    return halves if max(sizes) <= most else None


def _listed(one: Half, other: Half, least: float) -> float:
    """Probability of a sum of at least `least`: every sum of one half against every sum of the other."""
    (left, chances), (right, theirs) = _sums(one), _sums(other)
    order = np.argsort(right)
    beyond = np.append(np.cumsum(theirs[order][::-1])[::-1], 0.0)
    descending = np.argsort(-left)  # in order, so that each search starts from where the last one left the cache
    reached = np.searchsorted(right[order], (least - left)[descending], side="left")
    return float((chances[descending] * beyond[reached]).sum())


def _sums(half: Half) -> tuple[Floats, Floats]:
    """Every sum with its probability: of equal values only how many are positive matters."""
    sums, chances = np.zeros(1), np.ones(1)
    for value, times in half:
        positive = range(times + 1)
        sums = np.add.outer(sums, value * np.array([2 * k - times for k in positive])).ravel()
        chances = np.multiply.outer(chances, binomial_chances(times)).ravel()
    return sums, chances


def _many(values: Floats, observed: float, unit: float, *, strictly: bool, quick: bool) -> SignFlip:
    """P(S >= observed), or P(S > observed) if `strictly`, for a sum that is not below 0."""
    # Sums on a lattice lie two units apart; half-way between two of them no atom is in the way.
    between = observed + (unit if strictly else -unit)
    found = _inverted(values, between, quick=quick)
    if found is not None and not unit:
        # Inversion counts half of an atom. Known is the one made by signs exchanged among equal differences.
        half = _exchanges(values, observed) / 2
        found = SignFlip(found.p + (-half if strictly else half), found.method, found.error + half)
    return found or _rounded(values, observed, MOST_STEPS / 32 if quick else MOST_STEPS, strictly=strictly)


def _exchanges(values: Floats, observed: float) -> float:
    """Greatest probability of one sum that equal differences can make: all others keep their signs."""
    _, times = np.unique(values, return_counts=True)
    if times.max() == 1:
        return 0.0
    logs = [math.lgamma(k + 1) - 2 * math.lgamma(k / 2 + 1) - k * math.log(2) for k in times.tolist()]
    # Far out the sum needs nearly all signs alike; its probability is at most that of a sum as large.
    return math.exp(min(sum(logs), -(observed**2) / (2 * float((values**2).sum()))))


def _inverted(values: Floats, observed: float, *, quick: bool) -> SignFlip | None:
    """The tail by Fourier inversion along two lines; None where they disagree or do not converge."""
    norm = float(np.sqrt((values**2).sum()))
    scaled, x = values / norm, observed / norm
    tilt = _saddlepoint(scaled, x)
    most, wanted = (MOST_TERMS / 32, 10 * WANTED) if quick else (MOST_TERMS, WANTED)
    first = _tail(scaled, x, max(tilt, 0.5), 1.01, most, wanted)
    second = None if first is None else _tail(scaled, x, max(0.8 * tilt, 0.4), 1.13, most, wanted)
    if first is None or second is None:
        return None
    (p, left), (other, _) = first, second
    error = abs(p - other) + left
    return None if error > wanted * p else SignFlip(min(p, 1.0), "fourier", error + 1e-14 * p)


def _saddlepoint(values: Floats, x: float) -> float:
    """Where ``sum(d tanh(s d)) = x``; near the greatest sum any large s will do."""
    high = 1.0
    while float((values * np.tanh(high * values)).sum()) < x and high < 1e4:
        high *= 2
    low = 0.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if float((values * np.tanh(middle * values)).sum()) < x else (low, middle)
    return (low + high) / 2


def _tail(
    values: Floats, x: float, tilt: float, stretch: float, most: float, wanted: float
) -> tuple[float, float] | None:
    """P(S >= x) where ``sum(d^2) = 1``, from the transform on the line with real part `tilt`, and what may be missing.

    The sum over frequencies ``2 pi j / period`` gives the tail at x and at all x + k period. To the right they are 0
    (``P(S >= y) <= exp(-y^2 / 2)``), to the left 1, which adds ``sum(exp(-tilt period k))``.
    """
    period = stretch * min(2 * float(values.sum()) + 1, 2 * x + 40)
    step = 2 * math.pi / period
    grown = tilt * values
    log_at_tilt = float((grown + np.log1p(np.exp(-2 * grown)) - math.log(2)).sum())
    scale = math.exp(log_at_tilt - tilt * x) / period
    usual = math.exp(float(np.log((1 + np.tanh(grown) ** 2) / 2).sum()))  # mean square of what 1 / w is multiplied by
    total, block = 0.0, max(1, min(MOST_AT_ONCE, int(2e6 / len(values))))
    for start in range(0, int(most / len(values)), block):
        # cosh(c + iw) / cosh(c) = cos(w) + i tanh(c) sin(w)
        found, squares = kernels.transform_terms(values, x=x, tilt=tilt, step=step, first=start, count=block)
        total += 2 * found
        if start == 0:
            total -= 1 / tilt  # half of the term at frequency 0
        # Terms fall off as 1 / w, each with a direction of its own; eight deviations of the sum of those not computed
        # are left out. Their squares are as in the last eighth, or as large as on average over all frequencies, where a
        # few terms that are rarely met make up most of it.
        beyond = start + block
        squared = max(squares * 8 * beyond / block, usual / (step**2 * beyond))
        left = 8 * 2 * math.sqrt(squared)
        if block * step > 1 and left <= wanted / 4 * abs(total):
            aliases = math.exp(-tilt * period) / -math.expm1(-tilt * period)
            return total * scale - aliases, left * scale
    return None


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
