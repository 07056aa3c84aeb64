"""Exact moments of average precision under a random ranking, in O(1) for any number of items."""

import math
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property

from certus.chance.additive.harmonic import MOST, harmonic, precisely, sums
from certus.chance.additive.polynomials import coefficients
from certus.chance.distribution import whole
from certus.errors import DataError, keyword

_NOTHING = Decimal("1e-60")

_ENOUGH = Decimal("1e-120")
"""A share of the probability that no digit of a float shows."""


class Moments:
    """Mean, variance, skewness and excess kurtosis; each computed when it is asked for, and correct to the last digit.

    Parameters
    ----------
    relevant, items
        How many of the ranked items are relevant, and how many items are ranked.
    depth
        How many ranks are looked at.
    divisor
        What the sum of the precisions is divided by; None for the number of hits among those ranks.
    """

    def __init__(self, items: int, relevant: int, depth: int, divisor: int | None) -> None:
        self._items, self._relevant, self._depth = items, relevant, depth
        self._divisor = divisor

    @cached_property
    def mean(self) -> float:
        """Expected value."""
        with precisely():
            return float(self._raw(1))

    @cached_property
    def var(self) -> float:
        """Variance."""
        with precisely():
            return float(self._variance)

    @cached_property
    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; NaN where that is 0."""
        if not self._variance:
            return math.nan
        with precisely():
            first, second, third = (self._raw(p) for p in (1, 2, 3))
            central = third - 3 * first * second + 2 * first**3
            skewness = central / (self._variance * self._variance.sqrt())
            # A symmetric law leaves the last of 140 digits.
            return float(skewness) if abs(skewness) > _NOTHING else 0.0

    @cached_property
    def kurtosis(self) -> float:
        """Fourth central moment over the squared variance, less 3; NaN where the variance is 0."""
        if not self._variance:
            return math.nan
        with precisely():
            first, second, third, fourth = (self._raw(p) for p in (1, 2, 3, 4))
            central = fourth - 4 * first * third + 6 * first**2 * second - 3 * first**4
            return float(central / self._variance**2 - 3)

    @cached_property
    def _variance(self) -> Decimal:
        if self._relevant in (0, self._items):
            return Decimal(0)
        with precisely():
            return self._raw(2) - self._raw(1) ** 2

    def _raw(self, power: int) -> Decimal:
        """The expected power, to 100 digits."""
        weights = self._weights[: 2 * power]
        if self._divisor is not None:
            return _dot(self._polynomial(power), weights) / Decimal(self._divisor) ** power
        shared = [_dot(row, self._hit_powers[4 - power :]) for row in _FALLING[: 2 * power]]
        return _dot(self._polynomial(power), [a * b for a, b in zip(weights, shared, strict=True)])

    def _polynomial(self, power: int) -> list[Decimal]:
        power_sums = harmonic(self._depth) if power <= 2 else sums(self._depth)
        return coefficients(power, Decimal(self._depth), power_sums)

    @cached_property
    def _weights(self) -> list[Decimal]:
        """The probability that j given ranks are relevant, j = 1..8; given the hits, the part without them."""
        n, m = (self._items, self._relevant) if self._divisor is not None else (self._depth, None)
        weights, product = [], Decimal(1)
        for j in range(8):
            if n == j:
                break
            product *= Decimal(1 if m is None else m - j) / (n - j)
            weights.append(product)
        return weights + [Decimal(0)] * (8 - len(weights))

    @cached_property
    def _hit_powers(self) -> list[Decimal]:
        """E R^p for p = -3..4 over R >= 1, the hits among the ranks looked at."""
        totals = [Decimal(0)] * 9
        for hits, weight in self._hit_weights():
            totals[8] += weight
            if hits:
                term = weight / Decimal(hits) ** 3
                for index in range(8):
                    totals[index] += term
                    term *= hits
        return [total / totals[8] for total in totals[:8]]

    def _hit_weights(self) -> Iterator[tuple[int, Decimal]]:
        """Numbers of hits and their probabilities over that of the likeliest number, down and then up from it."""
        n, m, k = self._items, self._relevant, self._depth
        top = min((k + 1) * (m + 1) // (n + 2), k, m)
        weight = Decimal(1)
        for hits in range(top, max(0, k + m - n) - 1, -1):
            yield hits, weight
            weight *= Decimal(hits * (n - m - k + hits)) / ((k - hits + 1) * (m - hits + 1))
            if weight < _ENOUGH:
                break
        weight = Decimal(1)
        for hits in range(top + 1, min(k, m) + 1):
            weight *= Decimal((k - hits + 1) * (m - hits + 1)) / (hits * (n - m - k + hits))
            if weight < _ENOUGH:
                break
            yield hits, weight


def moments(
    n: int, m: int, cutoff: int | None = None, denominator: str = "relevant", total: int | None = None
) -> Moments:
    """Moments of average precision when n items, m of them relevant, are ranked at random.

    ::

        AP = (1 / D) * sum over relevant ranks t <= cutoff of (relevant items among the first t) / t

    The cost does not depend on n, but for ``denominator="hits"``, whose cost grows as the standard deviation of the
    number of hits. Without a relevant item AP is 0.

    Parameters
    ----------
    n, m
        Number of items, and of relevant ones.
    cutoff
        Look at the first `cutoff` ranks only.
    denominator
        D: ``"relevant"`` for m, ``"min"`` for the lesser of m and the cutoff, ``"hits"`` for the relevant items among
        the first `cutoff`, where AP is 0 if there is none.
    total
        Number of relevant items that D counts instead of m, when some are not among the ranked items.

    Examples
    --------
    Three items, one relevant: AP is 1, 1/2 or 1/3.

    >>> moments(3, 1).mean == 11 / 18
    True
    >>> round(moments(10**18, 10**17).mean, 12)
    0.1
    """
    n = whole(n, "items", 1)
    m = whole(m, "relevant")
    if n > MOST:
        raise DataError(f"is {n}", "moments are computed for at most 1e30 items", argument="items")
    if m > n:
        raise DataError(
            f"is {m}, but there are only {n} items", "at most all of them can be relevant", argument="relevant"
        )
    depth = n if cutoff is None else min(n, whole(cutoff, "cutoff", 1))
    divisor = m if total is None else whole(total, "total", m)
    if denominator not in ("relevant", "min", "hits"):
        raise DataError(f"is {denominator!r}", "it must be 'relevant', 'min' or 'hits'", argument="denominator")
    if denominator == "hits":
        if total is not None:
            raise DataError(
                f"is {total}, but {keyword('denominator', 'hits')} counts the hits only",
                "leave total out",
                argument="total",
            )
        return Moments(n, m, depth, None)
    if denominator == "min" and cutoff is not None:
        divisor = min(divisor, cutoff)
    return Moments(n, m, depth, max(divisor, 1))


def mean(n: int, m: int) -> float:
    """Expected average precision of a random ranking, ``(H_n + (m - 1)(n - H_n)/(n - 1)) / n``.

    Examples
    --------
    >>> round(mean(1000, 100), 7)
    0.1058428
    """
    return moments(n, m).mean


def var(n: int, m: int) -> float:
    """Variance of the average precision of a random ranking.

    Examples
    --------
    >>> round(var(1000, 100), 13)
    0.0001301537137
    """
    return moments(n, m).var


def _dot(left: list[Decimal], right: list[Decimal]) -> Decimal:
    return sum((a * b for a, b in zip(left, right, strict=False)), Decimal(0))


def _falling() -> list[list[Decimal]]:
    """Coefficients of r, r**2, ... in r(r-1)..(r-j+1), j = 1..8."""
    rows: list[list[int]] = [[1]]
    for j in range(1, 8):
        rows.append([up - j * here for up, here in zip([0, *rows[-1]], [*rows[-1], 0], strict=True)])
    return [[Decimal(coefficient) for coefficient in row] for row in rows]


_FALLING = _falling()
