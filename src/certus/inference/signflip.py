"""The exact sign-flip (permutation) test of paired differences.

If two systems are exchangeable on every unit, the difference of each unit is as likely to have the other sign; the
p-value is the share of all 2^n choices of signs with a sum at least as large as that observed.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SignFlip", "sign_flip"]

Floats = NDArray[np.float64]

SAME = 1e-12
"""Sums that differ by less than this part of the greatest possible sum are equal: differences of floats are rounded."""
MOST_STEPS = 2e8
"""Additions spent on counting over a lattice (about a quarter of a second)."""
FEW = 40
"""Differences up to which all sums are listed, half of them at a time."""
MOST_TERMS = 4e6
"""Factors that the Fourier inversion may take."""
WANTED = 1e-7
"""Relative error up to which the inversion is taken."""
LEFT = 1e-11
"""Terms below this part of the sum end the inversion: for some 50 differences they never get much smaller."""


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


def sign_flip(differences: Floats) -> SignFlip:
    """The upper tail of the sum of the differences over all choices of their signs.

    Differences that are multiples of a common unit (rounded values, precisions at a cutoff, ranks) are counted by
    dynamic programming; few differences of any kind by listing the sums of each half; many by tilted Fourier inversion
    of the product of ``cosh(s d)``; and where that does not converge, by counting with the differences rounded to a
    fine lattice, which gives bounds. Nothing is drawn at random.

    Parameters
    ----------
    differences
        One finite difference per unit; zeros have no sign and drop out.
    """
    signed = differences[differences != 0]
    values = np.abs(signed)
    total = float(values.sum())
    if not len(values):
        return SignFlip(1.0, "enumeration", 0.0)
    observed = min(max(float(signed.sum()), -total), total)
    unit = _unit(values)
    if unit and len(values) * (total / unit) <= MOST_STEPS:
        steps = np.rint(values / unit).astype(np.int64)
        return SignFlip(_at_least(_counted(steps), int(steps[signed > 0].sum())), "lattice", 0.0)
    if len(values) <= FEW:
        return SignFlip(_listed(values, observed - SAME * total), "enumeration", 0.0)
    if observed < 0:  # the far tail is the accurate one; what lies strictly beyond it is the rest
        above = _many(values, -observed, unit, strictly=True)
        return SignFlip(1 - above.p, above.method, above.error)
    return _many(values, observed, unit, strictly=False)


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


def _counted(steps: NDArray[np.int64]) -> Floats:
    """The probability of each sum of the positive steps, from 0 to the sum of all."""
    chances = np.zeros(int(steps.sum()) + 1)
    chances[0] = 1.0
    reached = 0
    for step in np.sort(steps).tolist():
        reached += step
        moved = chances[: reached - step + 1] * 0.5
        chances[: reached - step + 1] = moved
        chances[step : reached + 1] += moved
    return chances


def _at_least(chances: Floats, steps: int) -> float:
    return min(float(chances[max(steps, 0) :][::-1].cumsum()[-1]), 1.0) if steps < len(chances) else 0.0


def _listed(values: Floats, least: float) -> float:
    """Share of the choices with a sum of at least `least`: every sum of one half against every sum of the other."""
    half = len(values) // 2
    left, right = (_sums(part) for part in (values[:half], values[half:]))
    right.sort()
    above = len(right) - np.searchsorted(right, least - left, side="left")
    return math.ldexp(int(above.sum()), -len(values))


def _sums(values: Floats) -> Floats:
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _many(values: Floats, observed: float, unit: float, *, strictly: bool) -> SignFlip:
    """P(S >= observed), or P(S > observed) if `strictly`, for a sum that is not below 0."""
    # Sums on a lattice lie two units apart; half-way between two of them no atom is in the way.
    between = observed + (unit if strictly else -unit)
    found = _inverted(values, between)
    if found is not None and not unit:
        # Inversion counts half of an atom. Known is the one made by signs exchanged among equal differences.
        half = _exchanges(values, observed) / 2
        found = SignFlip(found.p + (-half if strictly else half), found.method, found.error + half)
    return found or _rounded(values, observed, strictly=strictly)


def _exchanges(values: Floats, observed: float) -> float:
    """Greatest probability of one sum that equal differences can make: all others keep their signs."""
    _, times = np.unique(values, return_counts=True)
    if times.max() == 1:
        return 0.0
    logs = [math.lgamma(k + 1) - 2 * math.lgamma(k / 2 + 1) - k * math.log(2) for k in times.tolist()]
    # Far out the sum needs nearly all signs alike; its probability is at most that of a sum as large.
    return math.exp(min(sum(logs), -(observed**2) / (2 * float((values**2).sum()))))


def _inverted(values: Floats, observed: float) -> SignFlip | None:
    """The tail by Fourier inversion along two lines; None where they disagree or do not converge."""
    norm = float(np.sqrt((values**2).sum()))
    scaled, x = values / norm, observed / norm
    tilt = _saddlepoint(scaled, x)
    first = _tail(scaled, x, max(tilt, 0.5), 1.01)
    second = None if first is None else _tail(scaled, x, max(0.8 * tilt, 0.4), 1.13)
    if first is None or second is None:
        return None
    error = abs(first[0] - second[0]) + first[1] + second[1]
    return None if error > WANTED * first[0] else SignFlip(min(first[0], 1.0), "fourier", error + 1e-14 * first[0])


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


def _tail(values: Floats, x: float, tilt: float, stretch: float) -> tuple[float, float] | None:
    """P(S >= x) where ``sum(d^2) = 1``, from the transform on the line with real part `tilt`, and the error of ending.

    The sum over frequencies ``2 pi j / period`` gives the tail at x and at all x + k period. To the right they are 0
    (``P(S >= y) <= exp(-y^2 / 2)``), to the left 1, which adds ``sum(exp(-tilt period k))``.
    """
    period = stretch * min(2 * float(values.sum()) + 1, 2 * x + 40)
    step = 2 * math.pi / period
    grown = tilt * values
    log_at_tilt = float((grown + np.log1p(np.exp(-2 * grown)) - math.log(2)).sum())
    slope = np.tanh(grown)
    level = math.exp(float(np.log((1 + slope**2) / 2).sum()) / 2)
    # Few distinct values come into step with each other again, far out: the inversion must look there.
    various = 2 * len(np.unique(values)) > len(values)
    total, block = 0.0, max(math.ceil(20 / step), int((1e5 if various else 2e6) / len(values)))
    for start in range(0, int(MOST_TERMS / len(values)), block):
        angles = step * np.arange(start, start + block)
        turned = np.multiply.outer(angles, values)
        # cosh(c + iw) / cosh(c) = cos(w) + i tanh(c) sin(w)
        terms = (np.cos(turned) + 1j * (slope * np.sin(turned))).prod(axis=1)
        terms *= np.exp(-1j * angles * x) / (tilt + 1j * angles)
        if start == 0:
            terms[0] *= 0.5
        total += 2 * float(terms.real.sum())
        # Gaussian decay ends for good; what the terms then come back to is 1 / frequency times the root mean square of
        # the transform, with phases that have nothing to do with each other. A block small by chance is followed by
        # others.
        last, terms_summed = float(np.abs(terms[-max(1, block // 8) :]).max()), start + block
        left_out = max(4 * last * math.sqrt(terms_summed), 8 * level / (step * math.sqrt(terms_summed)))
        if block * step > 1 and last < LEFT * abs(total) and left_out < WANTED * abs(total):
            scale = math.exp(log_at_tilt - tilt * x) / period
            aliases = math.exp(-tilt * period) / -math.expm1(-tilt * period)
            return total * scale - aliases, left_out * scale
    return None


def _rounded(values: Floats, observed: float, *, strictly: bool) -> SignFlip:
    """The tail with each difference rounded to a lattice; the bounds hold for every way the rounding may fall."""
    unit = float(values.sum()) / (MOST_STEPS / len(values))
    steps = np.rint(values / unit).astype(np.int64)
    off = float(np.abs(values - steps * unit).sum()) + SAME * float(values.sum())
    chances = _counted(steps)
    # S = unit (2 positive - all), each within `off` of the true sum.
    middle, least, greatest = (
        _at_least(chances, math.ceil((sum_ / unit + int(steps.sum())) / 2))
        for sum_ in (observed + (SAME if strictly else -SAME) * float(values.sum()), observed + off, observed - off)
    )
    return SignFlip(middle, "rounded lattice", max(greatest - middle, middle - least))
