"""The ladder of laws under chance, and its middle rung for sums over hits.

A probability is found on the first rung that can:

1. Exact. A law with few values is listed (`exact.Finite`), or two halves of its rankings are, and met in the middle
   (`laws.sums_of_hits`, `laws.graded`); rankings of two or three hits are counted (`laws.sums_of_hits`,
   `laws.graded`), and so are those of a far tail. Lattices of hits and rank sums know their terms (`exact.Lattice`).
2. Fourier, with its error. A law states its range, its cumulants under a tilt and its tilted characteristic function
   (`certus.transform.inversion`). Sums over hits do so here by one pass down the ranking in Rust; graded sums by
   independent ranks on condition of the counts (`laws.graded_fourier`); Mann-Whitney laws by a product. Its error is
   five times what a second inversion and the steps nearby show, or Vaaler's bound of what is cut off. Rankings too long
   to be walked through have their ranks in groups; each counts by its mean, given the hits in it. That moves a tail by
   half of the lost variance times the slope of the density, so by four times as much where groups are twice as large,
   which the second inversion does.
3. Monte Carlo. Random rankings with Clopper-Pearson limits at 99.9 % (`monte_carlo.Replicates`), where an inversion
   would take too long, has no digits left, or has an error as large as its answer.

Every error is a bound; none of the rungs is a normal approximation. A law is a `Distribution`: finite, on a lattice,
inverted, drawn, or another one scaled. A new law names its support, its moments and its first rung.
"""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite
from certus.chance.laws.sums_of_hits import (
    FewHits,
    Fixed,
    Halves,
    Hits,
    Tails,
    Term,
    all_values,
    few_hits,
    halves,
    log_bound_of_precisions,
)
from certus.chance.monte_carlo import Replicates, least_error
from certus.chance.probability import Answer, log_rest
from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.transform.inversion import Cumulants, Limits, Transform, View, around, between_lines, view
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile

_SMALLEST = math.ulp(0.0)
WORK = 1e10
"""States times frequencies of one inversion."""
_LONG = 4e8
"""From so many on, a sum that does not end is cut short."""
_TERMS = 1 << 14
_SAFE = 5.0
"""The error of an inversion was never more than 2.8 times what two inversions and the steps nearby show."""
_MAX_ATOM_SHARE = 0.01
"""Where single values have more than this share of a tail, only a bound will do."""
_SMALL = -4.0
"""Log of Chernoff's bound below which a tail is small."""
_LONG_TAIL = 32.0
"""Period in standard deviations from which on a view from below may have a shorter one."""
_BACK = 8.0
"""Tilt downwards times the distance from the least value; an inversion loses about half as many digits."""


def sided(log: float, upper: bool, relative: float, method: str) -> Tails:
    """Both tails from one; the other is what is left of 1."""
    log = min(log, 0.0)
    other = math.log1p(-math.exp(log)) if log < -1e-300 else -math.inf
    lower_log, upper_log = (other, log) if upper else (log, other)
    # A probability below the least float is 0, and that is not exact.
    return Tails(lower_log, upper_log, -math.inf, max(relative * math.exp(log), _SMALLEST), method)


def fourier(
    law: Transform, x: float, grain: float, coarser: Transform | None = None, *, with_error: bool = True
) -> Tails:
    """By Fourier inversion of the tilted generating function; `grain` is about the chance of a single value.

    The second inversion, which shows the error, is that of a coarser law where `law` has grouped ranks. Without it the
    error is NaN.
    """
    line, _ = _best_view(law, x)
    first = line.invert(_LIMITS).tail()
    if not with_error:
        return sided(first.log, line.sign > 0, math.nan, "fourier")
    second = replace(line, law=coarser or law).invert(_LIMITS, 1.15, 1.3).tail()
    tail = between_lines(first, second)
    grained = grain * math.exp(-min(tail.log, 0.0)) if tail.log > -700 else 0.0
    relative = _SAFE * tail.relative + min(grained, 2.0)
    if tail.bound is not None and (tail.bound < relative or grained > _MAX_ATOM_SHARE):
        relative = tail.bound + 1e-14  # which has half of a value at x in it
        if coarser is not None:
            relative += _SAFE * abs(math.expm1(second.log - first.log))
    return sided(tail.log, line.sign > 0, relative, "fourier")


class Remembered:
    """A law that computes its cumulants under a tilt once: views of places nearby ask for the same ones."""

    def __init__(self, law: Transform) -> None:
        self.range, self.tilted = law.range, law.tilted
        self.cumulants: Callable[..., Cumulants] = lru_cache(maxsize=256)(law.cumulants)


def _best_view(law: Transform, x: float) -> tuple[View, float]:
    """The view of x from the mean, or from below in the body of a law with a heavy upper tail, and how far it reaches.

    A tilt upwards lifts the far tail too, so that the period is long; a tilt downwards leaves nothing of it. What is
    left of 1 has fewer digits, which is why small tails are never found so.
    """
    line = view(law, x)
    from_mean = line, 4 * line.spread
    if line.sign < 0:
        return from_mean
    log = law.cumulants(line.tilt, True)[0]
    period = line.period(line.tilt, log)
    if log - line.tilt * x < _SMALL or period < _LONG_TAIL * math.sqrt(law.cumulants(0.0, True)[2]):
        return from_mean
    away = x - law.range()[0]
    tilt = _BACK / away
    lower_log, _, var, _, _ = law.cumulants(-tilt, True)
    if not var > 0:
        return from_mean
    other = around(law, -1.0, -x, tilt, math.sqrt(var))
    return (other, away / 2) if other.period(tilt, lower_log) < 0.5 * period else from_mean


class Nearby:
    """The tails at x and near it, within some standard deviations, from one inversion without its error.

    Raises
    ------
    ValueError
        If the law is too large for the engine, or has no tail at x.
    """

    def __init__(self, law: Transform, x: float) -> None:
        self._view, self._reach = _best_view(law, x)
        self._inversion = self._view.invert(_LIMITS)

    def value_at(self, lower_log: float, upper_log: float) -> float:
        """The place where the tails have these logarithms, or the end of the neighbourhood."""
        line = self._view
        wanted = math.exp(min((upper_log if line.sign > 0 else lower_log) - self._inversion.log, 700))
        return line.sign * (line.x + self._inversion.distance_to(wanted, self._reach))

    def logs(self, y: float) -> tuple[float, float]:
        """Return log P(X < y) and log P(X > y); a y outside the neighbourhood is taken for its end."""
        line = self._view
        tail_mass = self._inversion.tail_mass(min(max(line.sign * y - line.x, -self._reach), self._reach))
        log = self._inversion.log + math.log(tail_mass) if tail_mass > 0 else -math.inf
        tails = sided(log, line.sign > 0, math.nan, "fourier")
        return tails.lower, tails.upper


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


def end_log(law: Transform, sign: int) -> tuple[float, float]:
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


T = TypeVar("T")

RUNGS = ("closed", "enumeration", "counting", "fourier")
"""The ladder, as ``engine=`` names it."""

_VALUES = 1 << 18
"""All values are listed up to so many sums."""
_SUMS = 1 << 21
"""Halves are made of at most so many sums, or `_MORE` if enumeration is asked for."""
_MORE = 1 << 24
_VISITS = 300_000
"""Rankings of a far tail that are looked at one by one."""
_CELLS = 2.5e7
_QUICK = 4.5e5
"""Cells up to which a probability takes less than about a tenth of a second; 500 hits among 2,000 have 375,000."""
_GROUPED = 2.5e9
"""Cells times terms from which on ranks are grouped: an inversion of single ranks takes seconds."""
_RATIO = 0.01
"""Size of a group, as a part of the ranks above it."""
_NOTHING = -math.inf


class Additive(Distribution):
    """Distribution of a weighted sum of independent terms, such as sums over the hits in a random ranking.

    A term has a factor, a number of independent values, and the piece they come from. `engine` forces a rung.
    """

    def __init__(
        self, terms: Sequence[Term], moments: Callable[[], KnownMoments] | None = None, engine: str | None = None
    ) -> None:
        if engine is not None and engine not in RUNGS:
            raise DataError(f"is {engine!r}", f"it must be one of {', '.join(map(repr, RUNGS))}", argument="engine")
        self.terms = tuple(terms)
        self._given_moments = moments
        self._forced = engine
        self._tails = lru_cache(maxsize=256)(self._answer)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.terms, self._given_moments, self._forced)

    @property
    def method(self) -> str:
        """The rung that answers, but for far tails, which may be enumerated."""
        if self._forced not in (None, "counting"):
            return self._forced
        if self._law is not None:
            return self._law.method
        if self._halves is not None:
            return "enumeration"
        if self._few_hits is not None:
            return "enumeration" if self._few_hits.exact else "counting"
        return "fourier" if self.is_grouped or self._cells <= _CELLS else "Monte Carlo"

    @property
    def exact(self) -> bool:
        """True if probabilities are exact up to rounding."""
        return self.method in ("closed", "enumeration")

    @property
    def _cells(self) -> float:
        return sum(piece.cells for _, _, piece in self.terms)

    @cached_property
    def _sum(self) -> Remembered:
        """The sum, its ranks grouped where they are many."""
        return Remembered(_kernel(self._grouped(_RATIO) if self.is_grouped else self.terms))

    @cached_property
    def _coarser_sum(self) -> Remembered | None:
        return Remembered(_kernel(self._grouped(2 * _RATIO))) if self.is_grouped else None

    @cached_property
    def is_grouped(self) -> bool:
        """True if ranks are inverted in groups."""
        # The fewer arrangements there are, the longer the transform takes to die down.
        logs = sum(count * piece.log_arrangements for _, count, piece in self.terms)
        n_terms = 16384 if logs < 250 else 4096 if logs < 500 else 512
        return self._cells * n_terms > _GROUPED and len(self._grouped(2 * _RATIO)) == len(self.terms)

    def _grouped(self, ratio: float) -> list[Term]:
        """The terms whose ranks can be grouped, with their ranks grouped."""
        grouped = ((scale, count, piece.grouped(ratio)) for scale, count, piece in self.terms)
        return [(scale, count, piece) for scale, count, piece in grouped if piece is not None]

    def _enumerate(self, limit: int) -> Finite | None:
        return None if self._law is None else self._law._enumerate(limit)

    def _replicates(self) -> Replicates | None:
        slow = self._law is None and self._halves is None and self._few_hits is None and self._cells > _QUICK
        return Replicates.from_law(self) if slow else None

    @cached_property
    def _support(self) -> tuple[float, float]:
        return self._engine(_kernel(self.terms).range)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._support

    def _engine(self, question: Callable[[], T]) -> T:
        try:
            return question()
        except ValueError as error:
            remedy = "leave engine out, so that another rung may answer"
            if self._forced is None:
                remedy = "a cutoff makes the law smaller; mean() and var() have no such limit"
            raise DataError(str(error), remedy, argument="engine", subject=f"engine {self.method!r}") from error

    @cached_property
    def _moments(self) -> KnownMoments:
        if self._given_moments is not None:
            return self._given_moments()
        _, mean, var, third, fourth = self._engine(lambda: self._sum.cumulants(0.0))
        return KnownMoments.central(
            mean, var if var > (RELATIVE_TOLERANCE * max(1.0, abs(mean))) ** 2 else 0.0, third, fourth
        )

    # Rungs

    @cached_property
    def _law(self) -> Finite | None:
        """The whole law, where it is closed or has few values."""
        if self._forced in (None, "closed") and all(_closed(piece) for _, _, piece in self.terms):
            is_single = len(self.terms) == 1 and self.terms[0][1] == 1
            law = all_values(self.terms, _MORE if is_single else _VALUES)
            if law is not None:
                return Finite(law.values, law.logs, "closed")
        if self._forced == "closed":
            raise DataError(
                "is 'closed', which needs no relevant item, one, or only such", "leave engine out", argument="engine"
            )
        return all_values(self.terms, _VALUES) if self._forced in (None, "enumeration") else None

    @cached_property
    def _halves(self) -> Halves | None:
        if self._law is not None or self._forced not in (None, "enumeration"):
            return None
        halves_of_sum = halves(self.terms, _SUMS if self._forced is None else _MORE)
        if halves_of_sum is None and self._forced == "enumeration":
            raise DataError(
                f"is 'enumeration', which would take more than {_MORE:,} sums", "leave engine out", argument="engine"
            )
        return halves_of_sum

    @cached_property
    def _few_hits(self) -> FewHits | None:
        counted_law = few_hits(self.terms) if self._forced in (None, "counting") and self._halves is None else None
        if counted_law is None and self._forced == "counting":
            raise DataError(
                "is 'counting', which needs average precision with two or three relevant items and more ranks",
                "leave engine out",
                argument="engine",
            )
        return counted_law

    @cached_property
    def _grain(self) -> float:
        """The chance of a few single values, which an inversion cannot tell from their neighbours."""
        return 12 * math.exp(-sum(count * piece.log_arrangements for _, count, piece in self.terms))

    def _answer(self, x: float, with_error: bool = True) -> Tails:
        """The tails at x, by a bound or random rankings where the error of the other rungs is as large as a side."""
        tails = self._find(x, with_error)
        smallest = min(side for side in _tail_probabilities(tails) if side)
        if self._forced is None and tails.error >= smallest and (bound := self._log_bound(x)) < math.log(tails.error):
            return sided(bound - math.log(2), True, 1.0, "bound")
        if self._forced is None and tails.error >= smallest and tails.error > least_error(len(self._rankings)):
            sampled = self._monte_carlo_tails(x)
            if sampled.error < min(tails.error, *_tail_probabilities(sampled)[2:]):
                return sampled
        return tails

    @cached_property
    def _rankings(self) -> Replicates:
        cost = sum(count * piece.draw_cost for _, count, piece in self.terms)
        return Replicates.from_law(self, cost, self.support(), self._log_bound)

    def _log_bound(self, x: float) -> float:
        """Log of an upper bound of P(X >= x), where one is known for the only term."""
        (scale, count, piece), *further_terms = self.terms
        if further_terms or count > 1 or not isinstance(piece, Hits) or piece.kind != "times" or scale <= 0:
            return 0.0
        return log_bound_of_precisions(piece.items, piece.hits, x / scale)

    def _monte_carlo_tails(self, x: float) -> Tails:
        law = self._rankings
        for upper in (False, True):
            if (unseen := law.log_unseen(x, upper=upper)) is not None:
                log, limit, method = unseen
                return sided(log, upper, math.expm1(limit - log), method)
        lower, higher = (law._log_side(x, upper=upper, atom=False) for upper in (False, True))
        atom = law._log_pmf(x)
        errors = (law._log_side(x, upper=upper, atom=True)[1] for upper in (False, True))
        # A side with its atom is a share of one draw more.
        error = max(lower[1], atom[1], higher[1], *(side_error + 1 / len(law) for side_error in errors))
        return Tails(lower[0], higher[0], atom[0], error, law.method)

    def _find(self, x: float, with_error: bool = True) -> Tails:
        """The tails at an x within the range; without `with_error` the error of an inversion is NaN."""
        if self._halves is not None:
            lower, atom, upper = self._halves.count(x)
            return Tails(_log(lower), _log(upper), _log(atom), 0.0, "enumeration")
        if self._few_hits is not None:
            return self._few_hits.tails(x / self.terms[0][0])
        low, high = self.support()
        # A sum of constants is rounded too.
        slack = max(RELATIVE_TOLERANCE * (high - low), 4 * np.finfo(float).eps * max(abs(low), abs(high)))
        if x < low - slack or x > high + slack:
            return Tails(*((_NOTHING, 0.0) if x < low else (0.0, _NOTHING)), _NOTHING, 0.0, "closed")
        if self._forced is None and (far_tails := self._far(x)) is not None:
            return far_tails
        if high - low <= slack:
            return Tails(_NOTHING, _NOTHING, 0.0, 0.0, "closed")
        if (is_low := x < low + slack) or x > high - slack:
            if self.is_grouped:
                pieces = ((count, piece) for _, count, piece in self.terms if isinstance(piece, Hits))
                atom, off = sum(count * piece.end(upper=not is_low) for count, piece in pieces), 1e-12
            else:
                atom, off = end_log(self._sum, -1 if is_low else 1)
            error = max(math.exp(atom) * math.expm1(min(off, -atom, 700.0)), math.ulp(0.0))
            log_tails = (_NOTHING, log_rest(atom)) if is_low else (log_rest(atom), _NOTHING)
            return Tails(*log_tails, atom, error, "fourier")
        if not self.is_grouped and self._cells > _CELLS:
            if self._forced is None:
                return self._monte_carlo_tails(x)
            raise ValueError(f"would visit some {self._cells:.0e} states, the most is {_CELLS:.0e}")
        try:
            return fourier(self._sum, x, self._grain, self._coarser_sum, with_error=with_error)
        except ValueError as error:
            if self._forced == "fourier":
                lost = str(error).startswith("lost")
                raise ValueError(
                    f"has no digits left at {x:.7g}, so near an end of the values" if lost else error
                ) from error
            # The bound of grouped ranks is none of the ranks themselves.
            return self._monte_carlo_tails(x) if self.is_grouped else chernoff(self._sum, x, upper=x > self.mean())

    def _far(self, x: float) -> Tails | None:
        """The upper tail where few rankings reach it."""
        (scale, count, piece), *further_terms = self.terms
        if further_terms or count > 1 or not isinstance(piece, Hits) or piece.kind != "times" or scale <= 0:
            return None
        logs = piece.law.few_above(x / scale, _VISITS)
        if logs is None:
            return None
        upper_log, atom_log = logs
        return Tails(math.log1p(-math.exp(np.logaddexp(upper_log, atom_log))), upper_log, atom_log, 0.0, "enumeration")

    # Questions

    def tails(self, x: float) -> Tails:
        """Both tails and what is between them, on the rung that answers."""
        if self._law is None:
            return self._tails(x)
        lower_log, upper_log = (self._law._log_side(x, upper=upper, atom=False)[0] for upper in (False, True))
        return Tails(lower_log, upper_log, self._law._log_pmf(x)[0], 0.0, self._law.method)

    def near(self, x: float) -> Callable[[float], tuple[float, float]]:
        """Logs of P(X <= y) and P(X > y) for y near x: one inversion where there are too many values to list."""
        if self._law is None and self._few_hits is None and self.method == "fourier":
            try:
                return Nearby(self._sum, x).logs
            except ValueError:
                return lambda _: (_NOTHING, 0.0) if x < self.mean() else (0.0, _NOTHING)
        return lambda y: (self._log_side(y, upper=False, atom=True)[0], self._log_side(y, upper=True, atom=False)[0])

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        if self._law is not None:
            return self._law._log_side(x, upper=upper, atom=atom)
        tails = self._engine(lambda: self._tails(x))
        side = tails.upper if upper else tails.lower
        return float(np.logaddexp(side, tails.atom)) if atom else side, tails.error, tails.method

    def _log_pmf(self, x: float) -> Answer:
        if self._law is not None:
            return self._law._log_pmf(x)
        # Without the exact law, half of the chance of a single value is at most what the error says.
        tails = self._engine(lambda: self._tails(x))
        return tails.atom, tails.error if tails.atom > _NOTHING else 2 * tails.error, tails.method

    @cached_property
    def _exact_law(self) -> "Additive | None":
        """The law by an exact rung, which puts quantiles of a named rung on the values that there are."""
        law = Additive(self.terms, self._given_moments) if self._forced in ("counting", "fourier") else None
        return law if law is not None and law.exact else None

    def _inverse(self, q: float, *, upper: bool) -> float:
        if self._law is not None:
            return self._law._inverse(q, upper=upper)
        if self._exact_law is not None:
            return self._exact_law._inverse(q, upper=upper)
        if self.method == "Monte Carlo":
            return self._rankings._inverse(q, upper=upper)
        lower = not upper
        start = self.mean(), self.std(), self.skewness()

        if self._halves is None and q > 0.5:  # the small tail has the digits
            q, lower = 1 - q, not lower

        def logs(x: float) -> tuple[float, float]:
            try:
                tails = self._engine(lambda: self._tails(x, self._halves is not None))
                return float(np.logaddexp(tails.lower, tails.atom)), tails.upper
            except DataError:
                # So far out that no digit of the tail is left, which is below any q asked for.
                if abs(x - start[0]) < 3 * start[1]:
                    raise
                return (_NOTHING, 0.0) if x < start[0] else (0.0, _NOTHING)

        if self._halves is not None:
            return quantile(logs, q, lower, self.support(), start, self._halves.least_from)
        if self._few_hits is not None:
            scale, (low, high), (mean, std, skewness) = self.terms[0][0], self.support(), start
            scaled = (low / scale, high / scale), (mean / scale, std / scale, skewness)
            return scale * self._few_hits.quantile(q, lower, *scaled)
        nearer = self._nearer if self.method == "fourier" else None
        return quantile(logs, q, lower, self.support(), start, None, nearer)

    def _nearer(self, x: float, lower_log: float, upper_log: float) -> float:
        try:
            return Nearby(self._sum, x).value_at(lower_log, upper_log)
        except ValueError:
            return x

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        sample = np.zeros(size)
        for scale, count, piece in self.terms:
            for _ in range(count):
                sample += scale * piece.draw(size, generator)
        return sample


def _kernel(terms: Sequence[Term]) -> kernels.HitSum:
    return kernels.HitSum([(piece.source(), scale, count) for scale, count, piece in terms])


def _tail_probabilities(tails: Tails) -> list[float]:
    """P(X < x), P(X > x), P(X <= x) and P(X >= x)."""
    logs = [tails.lower, tails.upper, *(np.logaddexp(side, tails.atom) for side in (tails.lower, tails.upper))]
    return [math.exp(log) for log in logs]


def _closed(piece: Any) -> bool:
    """True if every rank has at most one value."""
    return isinstance(piece, Fixed) or (isinstance(piece, Hits) and piece.hits in (0, 1, piece.items))


def _log(p: float) -> float:
    return math.log(p) if p > 0 else _NOTHING
