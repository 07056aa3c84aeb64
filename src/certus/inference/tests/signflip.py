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
from certus.statistic.moments import power_of_two
from certus.transform.inversion import Cumulants, Limits, between_lines, view
from certus.transform.meeting import Sums, at_least

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
"""Frequencies of the inversion before it may end: the transform of near-multiples comes back."""
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
    return at_least(Sums(*_sums(one)), Sums(*_sums(other)), least)


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
    work, wanted = (MOST_TERMS / 32, 10 * WANTED) if quick else (MOST_TERMS, WANTED)
    law = _SignedSum(values)
    first = min(MOST_AT_ONCE, 2e6 / len(values), work / len(values))
    limits = Limits(lambda cells: work / cells, wanted / 4, law.mean_square, least=first)
    try:
        seen = view(law, observed)
        tails = []
        for line in ((1.0, 1.0), (1.15, 1.3)):
            found = seen.inverted(limits, *line)
            if not found.died:
                return None
            tails.append(found.tail())
    except ValueError:  # at the end of the range, where signs have no choice
        return None
    tail = between_lines(*tails)
    p = math.exp(tail.log)
    error = (math.expm1(abs(tails[1].log - tail.log)) + tail.left) * p
    return None if error > wanted * p else SignFlip(min(p, 1.0), "fourier", error + 1e-14 * p)


class _SignedSum:
    """The sum of values with random signs, for the transform engine."""

    def __init__(self, values: Floats) -> None:
        self._values = values

    def range(self) -> tuple[float, float]:
        """Least and greatest sum."""
        total = float(self._values.sum())
        return -total, total

    def cumulants(self, tilt: float, _rough: bool = False) -> Cumulants:
        """The log of the product of cosh(tilt d), and its first two derivatives; the engine needs no others."""
        grown = np.abs(tilt * self._values)
        log = float((grown + np.log1p(np.exp(-2 * grown)) - math.log(2)).sum())
        slopes = np.tanh(tilt * self._values)
        mean, var = float(self._values @ slopes), float(self._values**2 @ ((1 - slopes) * (1 + slopes)))
        return log, mean, var, math.nan, math.nan

    def tilted(self, tilt: float) -> "_TiltedSigns":
        """The sum under a tilt."""
        return _TiltedSigns(self._values, tilt, self.cumulants(tilt)[0])

    def mean_square(self, tilt: float) -> float:
        """Mean square of the tilted characteristic function over all frequencies."""
        return math.exp(float(np.log((1 + np.tanh(tilt * self._values) ** 2) / 2).sum()))


class _TiltedSigns(NamedTuple):
    values: Floats
    tilt: float
    log: float

    @property
    def cells(self) -> float:
        return float(len(self.values))

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        return kernels.signed_sum_transform(self.values, tilt=self.tilt, step=step, first=first, count=count)


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
