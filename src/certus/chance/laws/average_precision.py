"""Average precision of a random ranking."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from certus.chance.declare import CUTOFF, DENOMINATOR, ENGINE, ITEMS, RELEVANT, TIES, law
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import constant
from certus.chance.fourier import RUNGS, Additive
from certus.chance.laws.average_precision_moments import MAX_ITEMS, harmonic_between, moments, precisely
from certus.chance.laws.hit_rank import reciprocal_rank
from certus.chance.laws.hits import log_atom, numbers_of
from certus.chance.laws.sums_of_hits import Fixed, Hits, Mixed, Tails, log_bound_of_precisions, random_ranks
from certus.chance.laws.zhang_su import ZhangSu
from certus.chance.monte_carlo import Replicates
from certus.chance.probability import Answer, require_integer
from certus.core.arrays import Floats
from certus.core.errors import DataError, keyword
from certus.transform.quantile import RELATIVE_TOLERANCE, Start, quantile

DEEPEST = 25_000_000
"""Ranks that the engine walks through at most."""

_DRAWS_AT_ONCE = 1 << 24
"""Numbers that are drawn at most."""


class LongAveragePrecision(Distribution):
    """Average precision of too many ranks to walk through, from random rankings; moments and support are exact."""

    _method = "Monte Carlo"

    def __init__(self, n: int, m: int, divisor: int, depth: int) -> None:
        self._n, self._m, self._divisor, self._depth = n, m, divisor, depth

    def _replicates(self) -> Replicates:
        return Replicates.from_law(self)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value; of the least, what hits at the lowest ranks give."""
        m, n_others = self._m, self._n - self._m
        highest = float(min(m, self._depth)) / self._divisor
        if self._depth <= n_others:
            return 0.0, highest
        hits = self._depth - n_others  # the i-th adds i / (n_others + i)
        with precisely():
            lowest = hits - n_others * harmonic_between(n_others, self._depth)
        return float(lowest) / self._divisor, highest

    @cached_property
    def _moments(self) -> KnownMoments:
        return moments(self._n, self._m, self._depth, self._divisor)

    @cached_property
    def _rankings(self) -> Replicates:
        return Replicates.from_law(self, self._m + 1.0, self.support(), self._log_bound)

    def _log_bound(self, x: float) -> float:
        return log_bound_of_precisions(self._n, self._m, x * self._divisor)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        return self._rankings._log_side(x, upper=upper, atom=atom)

    def _log_pmf(self, x: float) -> Answer:
        return self._rankings._log_pmf(x)

    def _inverse(self, q: float, *, upper: bool) -> float:
        return self._rankings._inverse(q, upper=upper)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if self._m**2 > self._n or self._m * size > _DRAWS_AT_ONCE or math.log2(self._n) > 62:
            raise DataError(
                f"{self._m:,} hits among {self._n:,} items are too many to draw, so probabilities are out of reach",
                "give a cutoff, or use mean() and var(), which are exact",
            )
        ranks = random_ranks(self._n, self._m, size, generator)
        gains = np.where(ranks <= self._depth, np.arange(1, self._m + 1) / ranks, 0.0)
        return np.asarray(gains.sum(axis=1) / self._divisor)


_NEGLIGIBLE_LOG = 45.0
"""exp(-45) of a probability cannot be seen beside it."""
_HIDDEN = 5.0
"""exp(-5) of an error hardly adds to it."""
_TURNS = 8
_NEAR = 0.2
"""Of the distance of one unit of the normal scale: so near, one inversion of each part answers."""
_NOTHING = -math.inf
_SMALLEST = math.ulp(0.0)
_FROM_BEST = (*RUNGS, "Monte Carlo")

_Logs = Callable[[float], tuple[float, float]]


class ByParts(Additive):
    """A mixture of laws of which those with few hits have values with a chance each, while the others are smooth.

    One inversion of the whole would take the frequencies of the former times the states of the latter, and its error
    would be as large as a step of the former. Asked one by one, those with few hits are counted.
    """

    def __init__(self, mixed: Mixed, moments: Callable[[], KnownMoments]) -> None:
        super().__init__([(1.0, 1, mixed)], moments)
        # The likeliest first.
        parts = sorted(mixed.terms, key=lambda term: -term[0])
        self._mixed, self._parts = mixed, [(log, Additive([(scale, 1, part)])) for log, scale, part in parts]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._mixed, self._given_moments)

    @property
    def method(self) -> str:
        """The rung of the part that stands lowest."""
        if self._law is not None:
            return self._law.method
        return max((part.method for _, part in self._parts), key=RUNGS.index)

    def _find(self, x: float, with_error: bool = True) -> Tails:
        del with_error
        tail_logs, atom_log, error, methods = [_NOTHING, _NOTHING], _NOTHING, 0.0, {"closed"}
        for log, part in self._parts:
            if log < max(min(tail_logs) - _NEGLIGIBLE_LOG, math.log(max(error, _SMALLEST)) - _HIDDEN):
                error += math.exp(log)
                continue
            tails = part.tails(x)
            tail_logs = [
                float(np.logaddexp(side, log + tail))
                for side, tail in zip(tail_logs, (tails.lower, tails.upper), strict=True)
            ]
            atom_log = float(np.logaddexp(atom_log, log + tails.atom))
            error += math.exp(log) * tails.error
            methods.add(tails.method)
        lower_log, upper_log = (min(side, 0.0) for side in tail_logs)
        return Tails(lower_log, upper_log, atom_log, error, max(methods, key=_FROM_BEST.index))

    def _inverse(self, q: float, *, upper: bool) -> float:
        if self._law is not None:
            return self._law._inverse(q, upper=upper)
        lower = not upper
        if q > 0.5:  # the small tail has the digits
            q, lower = 1 - q, not lower
        (low, high), moments = self.support(), (self.mean(), self.std(), self.skewness())
        start = Start((low, high), moments)
        from scipy.special import ndtri

        x = min(max(start.quantile(float(ndtri(q)) * (1 if lower else -1)), low), high)
        lowest_log = math.log(q) - _NEGLIGIBLE_LOG
        logs = self._near(x, lowest_log)
        for _ in range(_TURNS):
            before, unit = x, start.unit(x)
            x = quantile(logs, q, lower, (low, high), moments, _itself, width=_NEAR / 4 * unit)
            if abs(x - before) <= _NEAR * unit:
                break
            logs = self._near(x, lowest_log)
        return self._on_a_value(
            quantile(logs, q, lower, (low, high), moments, _itself, lambda *_: x, RELATIVE_TOLERANCE / 4 * (high - low))
        )

    def _near(self, x: float, lowest_log: float) -> _Logs:
        """Logs of P(X <= y) and P(X > y) for y near x, up to rounding; parts with a lower chance are left out."""
        parts = [(log, part.near(x)) for log, part in self._parts if log >= lowest_log]

        def logs(y: float) -> tuple[float, float]:
            tail_logs = np.array([(log + tail_log) for log, near in parts for tail_log in near(y)]).reshape(-1, 2)
            lower_log, upper_log = np.logaddexp.reduce(tail_logs, axis=0)
            return float(lower_log), float(upper_log)

        return logs

    def _on_a_value(self, x: float) -> float:
        """A value that a listed part has at x, up to rounding, or x."""
        low, high = self.support()
        reach = RELATIVE_TOLERANCE * (high - low)
        values = [part._law.values for _, part in self._parts if part._law is not None]
        nearest = [
            float(part_values[index])
            for part_values in values
            if (index := np.searchsorted(part_values, x - reach)) < len(part_values)
        ]
        return min((value for value in nearest if value <= x + reach), default=x)


def _itself(x: float) -> float:
    """The end of a search that halves the distance to a single value, as secants hardly move there."""
    return x


_RARE = -300.0
"""Numbers of hits whose log probability is less are left out."""

_PAPER = ("zhang-su", "zhang-su-printed")


@law("ap", "AP", ITEMS, RELEVANT, CUTOFF, DENOMINATOR, TIES, ENGINE)
def average_precision(
    items: int,
    relevant: int,
    cutoff: int | None = None,
    denominator: Literal["relevant", "min", "hits"] = "relevant",
    *,
    total: int | None = None,
    ties: Sequence[int] | None = None,
    tied: Literal["average", "together"] = "average",
    engine: str | None = None,
) -> Distribution:
    """Average precision when n items, m of them relevant, are ranked at random.

    ::

        AP = (1 / D) * sum over relevant ranks t <= cutoff of (relevant items among the first t) / t

    Every set of m ranks is equally likely to be that of the relevant items. Where groups of items have equal scores,
    the sizes of the groups are fixed and every set of m items is equally likely to be relevant.

    Parameters
    ----------
    items, relevant
        Number of items, and of relevant ones.
    cutoff
        Look at the first `cutoff` ranks only.
    denominator
        D: ``"relevant"`` for m, ``"min"`` for the lesser of m and the cutoff, ``"hits"`` for the relevant items among
        the first `cutoff`, where AP is 0 if there is none.
    total
        Number of relevant items that D counts instead of m, when some are not among the ranked items.
    ties
        The sizes of the groups of items with equal scores, from the lowest score to the highest, single items included:
        ``numpy.unique(scores, return_counts=True)[1]``, as `certus.chance.auc` takes them.
    tied
        ``"average"``: AP is its mean over all orders of tied items. ``"together"``: tied items share the last rank of
        their group, as in scikit-learn's ``average_precision_score``.
    engine
        How tail probabilities are found: ``"closed"``, ``"enumeration"``, ``"counting"`` or ``"fourier"``; by default
        the first that can, and random rankings where none can. Or the normal approximation of Zhang & Su (2012), for
        comparison: ``"zhang-su"`` as its table has it, ``"zhang-su-printed"`` as its formulas are printed.

    Raises
    ------
    DataError
        If a number is not whole or out of range, a name is unknown, or arguments exclude each other.

    Examples
    --------
    >>> law = average_precision(1000, 100)
    >>> round(law.mean(), 5), round(law.std(), 5)
    (0.10584, 0.01141)
    >>> p = law.tail(0.132)
    >>> round(p, 6), p.method, p.error < 1e-12
    (0.025346, 'fourier', True)

    Three items, one relevant: AP is 1, 1/2 or 1/3.

    >>> average_precision(3, 1).tail(0.5)
    0.6666666666666666
    """
    n, m = require_integer(items, "items", 1), require_integer(relevant, "relevant")
    if n > MAX_ITEMS:
        raise DataError(f"is {n}", "moments are computed for at most 1e30 items", argument="items")
    if m > n:
        raise DataError(
            f"is {m}, but there are only {n} items", "at most all of them can be relevant", argument="relevant"
        )
    depth = n if cutoff is None else min(n, require_integer(cutoff, "cutoff", 1))
    divisor = m if total is None else require_integer(total, "total", m)
    if denominator not in ("relevant", "min", "hits"):
        raise DataError(f"is {denominator!r}", "it must be 'relevant', 'min' or 'hits'", argument="denominator")
    if denominator == "hits" and total is not None:
        raise DataError(
            f"is {total}, but {keyword('denominator', 'hits')} counts the hits only",
            "leave total out",
            argument="total",
        )
    if engine in _PAPER:
        if cutoff is not None or denominator != "relevant" or total is not None or ties is not None:
            raise DataError(
                f"engine {engine!r} is for average precision of the whole ranking", "give items and relevant only"
            )
        return ZhangSu(n, m, "zhang-su" if engine == "zhang-su" else "zhang-su-printed")
    if engine is not None and engine not in RUNGS:
        raise DataError(
            f"is {engine!r}", f"it must be one of {', '.join(map(repr, (*RUNGS, *_PAPER)))}", argument="engine"
        )
    groups = _groups(n, ties, tied)
    if groups is not None and denominator == "hits":
        raise DataError("denominator 'hits' does not apply where ties are averaged", "use 'relevant' or 'min'")
    if groups is not None and tied == "together" and depth < n:
        raise DataError("tied='together' has no cutoff: a group has one rank, its last", "use tied='average'")
    if denominator == "min" and cutoff is not None:
        divisor = min(divisor, cutoff)
    if depth > DEEPEST and m:
        return _deep(n, m, depth, divisor, denominator)
    if denominator == "hits":
        parts, hit_moments = _by_hits(n, m, depth), partial(moments, n, m, depth, None)
        return ByParts(parts, hit_moments) if engine is None else Additive([(1.0, 1, parts)], hit_moments, engine)
    divisor = max(divisor, 1)
    kind: Literal["times", "average", "together"] = "times" if groups is None else tied
    piece = Hits(n, m, kind, _inverse(depth, m), groups or ())
    return Additive(
        [(1 / divisor, 1, piece)], partial(moments, n, m, depth, divisor) if groups is None else None, engine
    )


def _deep(n: int, m: int, depth: int, divisor: int, denominator: str) -> Distribution:
    if m == divisor == 1:
        return reciprocal_rank(n, 1, depth)
    if denominator == "hits" and depth < n:
        raise DataError(f"denominator 'hits' looks at {depth:,} ranks, the most is {DEEPEST:,}", "give a lower cutoff")
    if m == n and depth == n:
        return constant(n / divisor, "closed")
    return LongAveragePrecision(n, m, divisor, depth)


def _inverse(depth: int, m: int) -> Floats:
    """1/t by rank; without a relevant item nothing is added anywhere."""
    return 1 / np.arange(1, depth + 1) if m else np.zeros(0)


def _by_hits(n: int, m: int, depth: int) -> Mixed:
    """Given the number r of hits among the first ranks they are a random ranking of their own, divided by r."""
    low, high = numbers_of(n, m, depth)
    terms: list[tuple[float, float, Hits | Fixed]] = []
    for r in range(low, high + 1):
        log = log_atom(n, m, depth, r)
        if r == 0:
            terms.append((log, 1.0, Fixed(constant(0.0, "closed"))))
        elif log > _RARE:
            terms.append((log, 1 / r, Hits(depth, r, "times", _inverse(depth, r))))
    return Mixed(tuple(terms))


def _groups(n: int, ties: Sequence[int] | None, tied: str) -> tuple[int, ...] | None:
    """The sizes of the groups in rank order; None where nothing is tied."""
    if tied not in ("average", "together"):
        raise DataError(f"is {tied!r}", "it must be 'average' or 'together'", argument="tied")
    if ties is None:
        return None
    sizes = tuple(require_integer(size, "ties", 1) for size in ties)
    if sum(sizes) != n:
        raise DataError(
            f"ties add up to {sum(sizes)}, but there are {n} items", "give the size of every group, 1 for one"
        )
    return None if max(sizes) == 1 else sizes[::-1]
