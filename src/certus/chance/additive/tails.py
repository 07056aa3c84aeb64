"""Fourier inversion of sums over hits, as the logs of both tails."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from certus.transform.inversion import Cumulants, Limits, Transform, View, around, between_lines, view

_LEAST = math.ulp(0.0)
WORK = 1e10
"""States times frequencies of one inversion."""
_LONG = 4e8
"""From so many on, a sum that does not end is cut short."""
_TERMS = 1 << 14
_SAFE = 5.0
"""The error of an inversion was never more than 2.8 times what two inversions and the steps nearby show."""
_SEEN = 0.01
"""Where single values have more than this share of a tail, only a bound will do."""
_SMALL = -4.0
"""Log of Chernoff's bound below which a tail is small."""
_LONG_TAIL = 32.0
"""Period in standard deviations from which on a view from below may have a shorter one."""
_BACK = 8.0
"""Tilt downwards times the distance from the least value; an inversion loses about half as many digits."""


@dataclass(frozen=True)
class Tails:
    """Logs of P(X < x), P(X = x) and P(X > x).

    Where the atom is not known apart (`at` is -inf), `below` and `above` have half of it each, and `error` covers that.
    """

    below: float
    above: float
    at: float
    error: float
    method: str


def sided(log: float, upper: bool, relative: float, method: str) -> Tails:
    """Both tails from one; the other is what is left of 1."""
    log = min(log, 0.0)
    rest = math.log1p(-math.exp(log)) if log < -1e-300 else -math.inf
    below, above = (rest, log) if upper else (log, rest)
    # A probability below the least float is 0, and that is not exact.
    return Tails(below, above, -math.inf, max(relative * math.exp(log), _LEAST), method)


def fourier(law: Transform, x: float, grain: float, coarser: Transform | None = None, *, checked: bool = True) -> Tails:
    """By Fourier inversion of the tilted generating function; `grain` is about the chance of a single value.

    The second inversion, which shows the error, is that of a coarser law where `law` has grouped ranks. Without it the
    error is NaN.
    """
    seen, _ = _seen(law, x)
    first = seen.inverted(_LIMITS).tail()
    if not checked:
        return sided(first.log, seen.sign > 0, math.nan, "fourier")
    second = replace(seen, law=coarser or law).inverted(_LIMITS, 1.15, 1.3).tail()
    found = between_lines(first, second)
    grained = grain * math.exp(-min(found.log, 0.0)) if found.log > -700 else 0.0
    relative = _SAFE * found.relative + min(grained, 2.0)
    if found.bound is not None and (found.bound < relative or grained > _SEEN):
        relative = found.bound + 1e-14  # which has half of a value at x in it
        if coarser is not None:
            relative += _SAFE * abs(math.expm1(second.log - first.log))
    return sided(found.log, seen.sign > 0, relative, "fourier")


class Remembered:
    """A law that computes its cumulants under a tilt once: views of places nearby ask for the same ones."""

    def __init__(self, law: Transform) -> None:
        self.range, self.tilted = law.range, law.tilted
        self.cumulants: Callable[..., Cumulants] = lru_cache(maxsize=256)(law.cumulants)


def _seen(law: Transform, x: float) -> tuple[View, float]:
    """The view of x from the mean, or from below in the body of a law with a heavy upper tail, and how far it reaches.

    A tilt upwards lifts the far tail too, so that the period is long; a tilt downwards leaves nothing of it. What is
    left of 1 has fewer digits, which is why small tails are never found so.
    """
    seen = view(law, x)
    usual = seen, 4 * seen.spread
    if seen.sign < 0:
        return usual
    log = law.cumulants(seen.tilt, True)[0]
    period = seen.period(seen.tilt, log)
    if log - seen.tilt * x < _SMALL or period < _LONG_TAIL * math.sqrt(law.cumulants(0.0, True)[2]):
        return usual
    away = x - law.range()[0]
    tilt = _BACK / away
    below, _, var, _, _ = law.cumulants(-tilt, True)
    if not var > 0:
        return usual
    other = around(law, -1.0, -x, tilt, math.sqrt(var))
    return (other, away / 2) if other.period(tilt, below) < 0.5 * period else usual


class Nearby:
    """The tails at x and near it, within some standard deviations, from one inversion that is not checked.

    Raises
    ------
    ValueError
        If the law is too large for the engine, or has no tail at x.
    """

    def __init__(self, law: Transform, x: float) -> None:
        self._seen, self._reach = _seen(law, x)
        self._inversion = self._seen.inverted(_LIMITS)

    def place(self, below: float, above: float) -> float:
        """The place where the tails have these logarithms, or the end of the neighbourhood."""
        seen = self._seen
        wanted = math.exp(min((above if seen.sign > 0 else below) - self._inversion.log, 700))
        return seen.sign * (seen.x + self._inversion.place(wanted, self._reach))

    def logs(self, y: float) -> tuple[float, float]:
        """Logs of P(X < y) and P(X > y), of the end of the neighbourhood where y lies outside."""
        seen = self._seen
        beyond = self._inversion.beyond(min(max(seen.sign * y - seen.x, -self._reach), self._reach))
        log = self._inversion.log + math.log(beyond) if beyond > 0 else -math.inf
        found = sided(log, seen.sign > 0, math.nan, "fourier")
        return found.below, found.above


def _terms(cells: float) -> float:
    """The most terms of one inversion."""
    return min(max(_LONG / cells, _TERMS / 4), _TERMS, WORK / cells)


_LIMITS = Limits(_terms, 1e-14, settles=True)


def chernoff(law: Transform, x: float, *, upper: bool) -> Tails:
    """Half of Chernoff's bound, and as much for its error: beside an end, where the weights of all else are lost."""
    low, high = law.range()
    tilt, bound = (8 if upper else -8) / (high - low), 0.0
    for _ in range(48):
        try:
            bound = min(bound, law.cumulants(tilt)[0] - tilt * x)
        except ValueError:
            break
        tilt *= 2
    return sided(bound - math.log(2), upper, 1.0, "fourier")


def ends(law: Transform, sign: int) -> tuple[float, float]:
    """Log probability of the greatest (sign 1) or the least (-1) value: the limit of log E exp(t (X - end)).

    With it comes what it may be off: what the last step changed, and rounding of t times the end.
    """
    low, high = law.range()
    end = high if sign > 0 else low
    tilt, last = sign * 64 / (high - low), math.inf
    change = math.inf
    for _ in range(48):
        try:
            log = law.cumulants(tilt)[0] - tilt * end
        except ValueError:
            # All other rankings have lost their weight; what the last step changed says how near that is.
            if math.isinf(change):
                raise
            break
        change, last = abs(last - log), min(log, last)
        if change < 1e-10 * max(1.0, abs(last)) or log > last:
            break
        tilt *= 2
    return last, change + sys.float_info.epsilon * (4 * abs(tilt) * max(abs(low), abs(high)) + 64 * abs(last))
