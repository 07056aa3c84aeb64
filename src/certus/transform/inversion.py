"""The transform engine: tails and quantiles of a law from its moment generating function at complex arguments.

A law is declared by three answers (`Transform`): its range, its cumulants under a real tilt, and its characteristic
function under that tilt. Hit-additive sums, graded gains and lattices are inverted here; sums with random signs along
the same line in Rust, as a comparison of many systems asks for more than a thousand of them (docs/decisions, 8).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats

_NEGLIGIBLE = 36.0
"""exp(-36) of a probability cannot be seen beside it."""
_CONVERGED_CHANGE = 1e-11
"""A faded sum that doubling changes by less than this part has settled."""
_BLOCK = 64
"""Terms that are computed together, at first."""
_FEWEST = 1024
"""Terms from which on a sum is asked whether it has settled."""

Cumulants = tuple[float, float, float, float, float]
"""Log E exp(c S); mean, variance, third and fourth central moment under the tilt exp(c S)."""


class Tilted(Protocol):
    """A law under a tilt."""

    @property
    def log(self) -> float:
        """Log E exp(c S)."""

    @property
    def cells(self) -> float:
        """Work of one frequency."""

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        """Real and imaginary part of E exp(i w S) under the tilt, at w = step * j for j from `first` on.

        Fewer than `count` where all others are 0.
        """


class Tiltable(Protocol):
    """A law by its cumulants."""

    def cumulants(self, tilt: float, rough: bool = False, /) -> Cumulants:
        """Cumulants under a tilt; `rough` ones need only be good enough to find a tilt, or to bound what is far off."""


class Transform(Tiltable, Protocol):
    """A law by its moment generating function."""

    def range(self) -> tuple[float, float]:
        """Least and greatest value."""

    def tilted(self, tilt: float) -> Tilted:
        """The law under a tilt, ready for any frequency."""


def find_tilt(law: Tiltable, x: float, near: float, sign: float = 1.0, *, rough: bool) -> tuple[float, Cumulants]:
    """The tilt under which ``sign * S`` has the mean x, up to `near` standard deviations, and the cumulants there.

    Newton's method within a bracket. Near the ends of the range the mean hardly moves and Newton's step would leap, so
    that a step at most doubles the tilt.
    """
    cumulants = start = _signed(law.cumulants(0.0, rough), sign)
    if not start[2] > 0:
        raise ValueError(f"found no tilt for the value {x}")
    unit = 1 / math.sqrt(start[2])
    tilt, low, high = 0.0, -math.inf, math.inf
    for _ in range(200):
        _, mean, var, _, _ = cumulants
        miss = x - mean
        if abs(miss) <= near * math.sqrt(min(var, start[2])) or high - low <= 1e-14 * abs(tilt):
            break
        low, high = (tilt, high) if miss > 0 else (low, tilt)
        limit = 2 * abs(tilt) + 2 * unit
        step = min(max(miss / var, -limit), limit) if var > 0 else math.copysign(limit, miss)
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
        cumulants = _signed(law.cumulants(sign * tilt, rough), sign)
    if not (math.isfinite(tilt) and cumulants[2] > 0):
        raise ValueError(f"found no tilt for the value {x}")
    return tilt, cumulants


def _signed(cumulants: Cumulants, sign: float) -> Cumulants:
    log, mean, var, third, fourth = cumulants
    return log, sign * mean, var, sign * third, fourth


@dataclass(frozen=True)
class View:
    """A value as seen from the mean: the tail beyond it is an upper one of S, or of -S."""

    law: Transform
    sign: float
    x: float
    tilt: float
    spread: float
    """Standard deviation under the tilt."""
    support: tuple[float, float]
    logs: tuple[tuple[float, float], ...]
    """The log of the generating function at some other tilts, which bounds what is far from x."""

    def period(self, tilt: float, log: float, minimum: float = 0.0) -> float:
        """A period so long that aliases add nothing: the whole range, or less by Chernoff's bound.

        Nothing to a tail, that is, or to the probability of a single value, if `minimum` is 1.
        """
        margin = _NEGLIGIBLE + math.log1p(2.5 * max(tilt, minimum) * self.spread)
        lower_width, upper_width = self.x - self.support[0], self.support[1] - self.x
        for other, theirs in self.logs:
            bound = max((theirs - log - (other - tilt) * self.x + margin) / abs(other - tilt), 0.0)
            if other > tilt:
                upper_width = min(upper_width, bound)
            elif other <= 0:
                lower_width = min(lower_width, bound)
        # A little longer, so that no value lies at an end.
        return 1.013 * max(upper_width, lower_width, 4 * self.spread)

    def invert(self, limits: "Limits", factor: float = 1.0, longer: float = 1.0) -> "Inversion":
        """The inversion under the tilt times `factor`, with a period that is `longer`."""
        tilt = factor * self.tilt
        tilted = self.law.tilted(self.sign * tilt)
        period = longer * self.period(tilt, tilted.log, float(limits.lattice))
        if limits.lattice:  # an odd number of values
            period = _smooth_odd(min(math.ceil(period), math.ceil(self.support[1] - self.support[0]) + 1))
        return Inversion(tilted, self.x, tilt, period, limits, self.sign)


def around(law: Transform, sign: float, x: float, tilt: float, spread: float) -> View:
    """The view of x, seen as a value of ``sign * S``, under a tilt with this standard deviation."""
    low, high = sorted(sign * end for end in law.range())
    other_tilts = (-1.5 / spread, -6 / spread, tilt + 2 / spread, tilt + 8 / spread)
    logs = tuple((other, law.cumulants(sign * other, True)[0]) for other in other_tilts)
    return View(law, sign, x, tilt, spread, (low, high), ((0.0, 0.0), *logs))


def view(law: Transform, x: float) -> View:
    """The view of an x strictly within the range."""
    _, mean, var, _, _ = law.cumulants(0.0, True)
    sign = 1.0 if x >= mean else -1.0
    x, mean = sign * x, sign * mean
    low, high = sorted(sign * end for end in law.range())
    if var <= 0 or not low < x < high:
        raise ValueError(f"has no tail to invert at {sign * x}")
    # Away from the mean, so that the tilt does not vanish; within the range.
    target = min(max(x, mean + 0.75 * math.sqrt(var)), max((max(x, mean) + high) / 2, x))
    tilt, cumulants = find_tilt(law, target, 1e-3, sign, rough=True)
    return around(law, sign, x, tilt, math.sqrt(cumulants[2]))


class Limits(NamedTuple):
    """The terms summed over frequencies, and the end of the sum."""

    max_terms: Callable[[float], float]
    """After this many terms in any case, by the work of one."""
    wanted: float
    """Where those left out are less than this part of the sum."""
    settles: bool = False
    """True if the sum also ends where twice as many terms change nothing."""
    lattice: bool = False
    """True if the values lie 1 apart; x then lies half-way between two of them."""
    atom: bool = False
    """True if x is a value of a lattice and its own probability is wanted."""
    min_terms: float = 0.0
    """So many terms are summed before it ends."""


class LineTail(NamedTuple):
    """A tail by inversion."""

    log: float
    """Logarithm of P(S > x) + P(S = x) / 2."""
    relative: float
    """Estimate of its relative error: the weight that a single value at x may have."""
    left: float
    """Relative size of the terms left out and of rounding, where the terms died down."""
    bound: float | None
    """Bound of its relative error but for rounding, where the sum over frequencies was cut short."""


class Inversion:
    """The tail beyond x, and near it, by Fourier inversion of the law tilted by exp(c S), c > 0.

    With the period T and h = 2 pi / T the sum ::

        exp(K(c) - c x) / T * sum over all whole j of transform(j h) exp(-i j h x) / (c + i j h)

    is that of exp(-k c T) P(S > x - k T) over all whole k. If S never lies further than a period from x, the terms
    below k = 0 vanish and those above are a geometric series, which is taken off. An atom at x counts half.

    Where the terms do not die down (few atoms, each with weight), they are faded out, which smooths the law over the
    resolution. By how much that may be off is known of another weighing (Vaaler 1985, Bull. Amer. Math. Soc.
    12(2):183-216, theorem 19): what is inverted is exp(-c y), which jumps where y is 0, and its polynomial by Vaaler's
    kernel lies within Fejer's mean of its variation over 2 n, with n the number of terms.

    Where values lie 1 apart and x half-way between two, 2 sinh((c + i w) / 2) takes the place of c + i w, and the sum
    ends at the frequency pi; without it, it is that of the probability of x itself.

    Parameters
    ----------
    tilted
        The law under the tilt.
    x, tilt
        The value, and c; where the tilted law has its mean near x is best.
    period
        The range, or so long that what lies beyond cannot be seen.
    limits
        When the sum over frequencies ends.
    sign
        -1 for the law of -S.
    """

    def __init__(self, tilted: Tilted, x: float, tilt: float, period: float, limits: Limits, sign: float = 1.0) -> None:
        self.log = tilted.log - tilt * x
        self._x, self._tilt, self._period, self._step = x, tilt, period, 2 * math.pi / period
        self._limits, self.complete = limits, False
        terms, size, value, self._left, self.died = np.empty(0, dtype=np.complex128), 0.0, 0.0, math.inf, False
        max_terms = limits.max_terms(max(tilted.cells, 1.0))
        while len(terms) < max_terms and not self.died and not (limits.settles and _has_converged(terms)):
            first = 0 if len(terms) else math.ceil(limits.min_terms)
            block = max(_BLOCK, first, 1 << max(len(terms).bit_length() - 3, 0))
            if limits.lattice:
                block = min(block, (int(period) + 1) // 2 - len(terms))
            re, im = tilted.characteristic(sign * self._step, len(terms), block)
            new = (re + 1j * im) * self._weights(np.arange(len(terms), len(terms) + len(re)))
            terms = np.append(terms, new)
            value += 2 * float(new.real.sum())
            size += 2 * float(np.abs(new).sum())
            # Terms fall off as 1 / w or faster, each with a direction of its own; eight deviations of the sum of those
            # left out. Their squares are as in the last eighth.
            squares = 8 * float((np.abs(terms[-max(len(terms) // 8, 1) :]) ** 2).sum())
            self._left = 16 * math.sqrt(squares)
            if len(re) < block or (limits.lattice and 2 * len(terms) > period):
                self._left, self.died, self.complete = 0.0, True, True
            elif len(terms) >= limits.min_terms:
                self.died = self._left <= limits.wanted * abs(value - terms[0].real)
        w = self._step * np.arange(max(len(terms) - 16, 0), len(terms))
        self._last = float(np.abs(terms[-16:] * (tilt + 1j * w)).max())
        self._size = size
        self._unfaded_terms = terms
        self._terms = terms if self.died else terms * _fade(len(terms))

    def _weights(self, j: np.ndarray) -> np.ndarray:
        """The factor of the transform at frequency number j."""
        if not self._limits.lattice:
            w = self._step * j
            return np.asarray(np.exp(-1j * w * self._x) / (self._tilt + 1j * w))
        turns = half_turns(j, -round(2 * self._x), round(self._period))
        return turns if self._limits.atom else turns / (2 * np.sinh((self._tilt + 1j * self._step * j) / 2))

    @property
    def cancelled(self) -> float:
        """Factor by which cancellation multiplies rounding: sum of ``|term|`` over ``|sum|``."""
        return self._size / self._period / self.tail_mass()

    @property
    def _aliases(self) -> float:
        """Contribution of the periods above, in units of exp(log)."""
        c_period = math.inf if self._limits.atom else self._tilt * self._period
        return math.exp(-c_period - self.log) / -math.expm1(-c_period) if c_period + self.log < 700 else 0.0

    def tail_mass(self, shift: float = 0.0) -> float:
        """The probability beyond x + shift, in units of exp(log)."""
        terms = self._terms
        if shift:
            terms = terms * np.exp(-1j * self._step * shift * np.arange(len(terms)))
        total = 2 * float(terms.real.sum()) - float(self._terms[0].real)
        return total / self._period * math.exp(-self._tilt * shift) - self._aliases

    def distance_to(self, wanted: float, reach: float) -> float:
        """Distance from x at which the tail is `wanted`, in units of exp(log), at most `reach`."""
        low, high = -reach, reach
        while high - low > 1e-13 * reach:
            middle = (low + high) / 2
            low, high = (middle, high) if self.tail_mass(middle) > wanted else (low, middle)
        return high

    def tail(self) -> LineTail:
        """The tail at x."""
        value = self.tail_mass()
        if not (value > 0 and math.isfinite(value)):
            raise ValueError("lost all digits in the inversion")
        log = self.log + math.log(value)
        left = (self._left + 1e-15 * self._size) / self._period / value
        if self.died:
            return LineTail(log, self._last / value, left, None)
        return LineTail(log, self._steps() / value, left, self._bound(value) / value)

    def _steps(self) -> float:
        """The largest steps and kinks nearby, within the resolution: as large a one may be hidden at x.

        A value right at x makes a step that is left when the slope on both sides is taken off; one beside it a kink.
        """
        reach = self._period / len(self._terms)
        near = np.array([self.tail_mass(steps * reach) for steps in range(-6, 7)])
        a, b, c, d, e = (near[k : len(near) - 4 + k] for k in range(5))
        steps, kinks = (2 * (b - d) - (a - e)) / 2, (a - 4 * b + 6 * c - 4 * d + e) / 6
        return float(max(np.abs(steps).max(), np.abs(kinks).max()))

    def _bound(self, value: float) -> float:
        """Bound of the error left by fading out, including half an atom at x."""
        terms, count = self._unfaded_terms[1:], len(self._unfaded_terms)
        share = np.arange(1, count) / count
        turn = math.pi * share
        vaaler = turn * (1 - share) / np.tan(turn) + share
        weighed = (1 / self._tilt + 2 * float((terms.real * vaaler).sum())) / self._period - self._aliases
        slopes = terms * (2 * self._tilt + 1j * self._step * np.arange(1, count))
        variation = 2 + 2 * float(((1 - share) * slopes).real.sum())
        return abs(weighed - value) + max(variation, 0.0) / (2 * count)


def _smooth_odd(minimum: int) -> int:
    """The least odd number from some one on with no prime factor above 11, for fast Fourier transforms."""
    products = [1]
    for prime in (3, 5, 7, 11):
        powers = [prime**k for k in range(minimum.bit_length())]
        products = [product * power for product in products for power in powers if product * power < prime * minimum]
    return min(product for product in products if product >= minimum)


def half_turns(numbers: NDArray[np.int64], steps: int, period: int) -> NDArray[np.complex128]:
    """exp(i pi numbers places / period), reduced as whole numbers so that no digit of a high frequency is lost."""
    turn = 2 * period
    steps %= turn
    reduced = numbers * steps % turn if turn < 1 << 36 else np.array([int(j) * steps % turn for j in numbers])
    return np.asarray(np.exp(2j * math.pi * (reduced / turn)))


def between_lines(first: LineTail, second: LineTail) -> LineTail:
    """The first of two inversions along different lines, with the errors that their difference shows."""
    gap = abs(math.expm1(second.log - first.log))
    bounds = [first.bound] if first.bound is not None else []
    if second.bound is not None:
        # The bound holds for both: what is reported is at most this far from the truth.
        bounds.append(second.bound * math.exp(second.log - first.log) + gap)
    relative = max(gap, first.relative, 2e-15)
    return LineTail(first.log, relative, max(first.left, second.left), min(bounds, default=None))


def _has_converged(terms: np.ndarray) -> bool:
    """True if the sum with its end faded out is the same for half as many terms."""
    count = len(terms)
    if count < _FEWEST or count & (count - 1):
        return False
    full, half, quarter = (
        float((terms[:part].real * _fade(part)).sum()) - 0.5 * terms[0].real for part in (count, count // 2, count // 4)
    )
    tolerance = _CONVERGED_CHANGE * abs(full)
    return bool(abs(full - half) <= tolerance and abs(half - quarter) <= 100 * tolerance)


def _fade(count: int) -> Floats:
    """Lets the last half of the terms die down smoothly: it smooths the law over the resolution and no further."""
    u = np.arange(count - count // 2) / (count - count // 2)
    with np.errstate(over="ignore"):
        falling = 1 / (1 + np.exp(1 / (1 - u) - 1 / np.maximum(u, 1e-300)))
    return np.append(np.ones(count // 2), falling)
