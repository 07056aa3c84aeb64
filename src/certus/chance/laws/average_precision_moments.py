"""Exact moments of average precision under a random ranking, in O(1) for any number of items."""

import decimal
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import Any, NamedTuple

from certus.chance.probability import whole
from certus.errors import DataError, keyword

MOST = 10**30
"""Up to so many terms the digits suffice."""

_DIGITS = 140
_DIRECT = 200
"""Up to so many terms are added one by one; from here on the expansion below is accurate to 125 digits."""
_POWERS = 80

_SUMMANDS = {1: (0, 2), 2: (0, 3), 3: (0, 4), 4: (1, 2), 5: (1, 3), 6: (2, 2)}
"""Summands of the sums but the first, by their place in `Sums`: h(j)**a * j**-p as (a, p)."""

_Series = list[list[Decimal]]
"""``series[a][p]`` is the coefficient of ``(ln x + gamma)**a * x**-p``."""


class Sums(NamedTuple):
    """Sums over j = 1..k, with h(j) = 1 + 1/2 + ... + 1/j."""

    h1: Decimal
    """Of 1/j."""
    h2: Decimal
    """Of 1/j**2."""
    h3: Decimal
    """Of 1/j**3."""
    h4: Decimal
    """Of 1/j**4."""
    s21: Decimal
    """Of h(j)/j**2."""
    s31: Decimal
    """Of h(j)/j**3."""
    q: Decimal
    """Of h(j)**2/j**2."""


@contextmanager
def precisely() -> Iterator[None]:
    """Decimal arithmetic with enough digits."""
    with decimal.localcontext(decimal.Context(prec=_DIGITS)):
        yield


@lru_cache(maxsize=1024)
def harmonic(k: int) -> tuple[Decimal, Decimal]:
    """The first two of `sums`, which the mean and the variance need."""
    with precisely():
        if k <= _DIRECT:
            return _direct(k)[:2]
        return _log(k) + _value(_harmonic_series(), k), _beyond(k, 1)


@lru_cache(maxsize=256)
def sums(k: int) -> Sums:
    """All sums of k terms."""
    with precisely():
        if k <= _DIRECT:
            return _direct(k)
        return Sums(*harmonic(k), *(_beyond(k, which) for which in _SUMMANDS if which > 1))


@lru_cache(maxsize=256)
def _direct(k: int) -> Sums:
    h1 = h2 = h3 = h4 = s21 = s31 = q = Decimal(0)
    for j in range(1, k + 1):
        part = 1 / Decimal(j)
        square = part * part
        h1 += part
        h2 += square
        h3 += square * part
        h4 += square * square
        s21 += h1 * square
        s31 += h1 * square * part
        q += h1 * h1 * square
    return Sums(h1, h2, h3, h4, s21, s31, q)


def _beyond(k: int, which: int) -> Decimal:
    """Sum number `which` over k terms: the first 200 directly, the remainder by Euler and Maclaurin."""
    return _constant(which) + _value(_summed(which), k)


@lru_cache(maxsize=8)
def _constant(which: int) -> Decimal:
    """Difference between the sum of the first 200 terms and the value of the expansion there."""
    return _direct(_DIRECT)[which] - _value(_summed(which), _DIRECT)


@lru_cache(maxsize=8)
def _log(k: int) -> Decimal:
    return Decimal(k).ln() + _gamma()


@lru_cache(maxsize=1)
def _gamma() -> Decimal:
    """Euler's constant."""
    return _direct(_DIRECT).h1 - Decimal(_DIRECT).ln() - _value([_harmonic_series()[0]], _DIRECT)


def _value(series: _Series, k: int) -> Decimal:
    # The logarithm is asked for only where it occurs: Euler's constant is found by the series without it.
    powers = _powers(k)
    rows = [sum((part * power for part, power in zip(row, powers, strict=True) if part), Decimal(0)) for row in series]
    total = rows.pop()
    while rows:
        total = total * _log(k) + rows.pop()
    return total


@lru_cache(maxsize=8)
def _powers(k: int) -> list[Decimal]:
    """1, 1/k, 1/k**2, ..."""
    step = 1 / Decimal(k)
    return list(accumulate(repeat(step, _POWERS), mul, initial=Decimal(1)))


@lru_cache(maxsize=1)
def _bernoulli() -> list[Decimal]:
    """B_0, B_1, ..., by the recursion of Akiyama and Tanigawa."""
    row: list[Fraction] = []
    numbers = []
    for m in range(_POWERS + 1):
        row.append(Fraction(1, m + 1))
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
        numbers.append(Decimal(row[0].numerator) / Decimal(row[0].denominator))
    return numbers


def _nothing(logs: int) -> _Series:
    return [[Decimal(0)] * (_POWERS + 1) for _ in range(logs + 1)]


@lru_cache(maxsize=1)
def _harmonic_series() -> _Series:
    """h(x) - ln x - gamma = 1/(2x) - sum of B_2i / (2i x**2i)."""
    series = _nothing(0)
    series[0][1] = Decimal("0.5")
    for p in range(2, _POWERS + 1, 2):
        series[0][p] = -_bernoulli()[p] / p
    return series


@lru_cache(maxsize=8)
def _summed(which: int) -> _Series:
    """The expansion of sum number `which`, but for a constant: integral + half the last term + derivatives."""
    tail = _harmonic_series()[0]
    logs, power = _SUMMANDS[which]
    terms = _nothing(logs)
    if logs == 0:
        terms[0][power] = Decimal(1)
    elif logs == 1:
        terms[1][power] = Decimal(1)
        terms[0][power:] = tail[: len(tail) - power]
    else:
        square = [sum((tail[i] * tail[p - i] for i in range(p + 1)), Decimal(0)) for p in range(_POWERS + 1)]
        terms[2][power] = Decimal(1)
        terms[1][power:] = [2 * coefficient for coefficient in tail[:-power]]
        terms[0][power:] = square[:-power]
    result = _integral(terms)
    slope, factorial = terms, Decimal(1)
    for a, row in enumerate(terms):
        for p, coefficient in enumerate(row):
            result[a][p] += coefficient / 2
    for r in range(1, _POWERS // 2):
        slope = _derivative(slope) if r == 1 else _derivative(_derivative(slope))
        factorial *= 2 * r * (2 * r - 1)
        weight = _bernoulli()[2 * r] / factorial
        for a, row in enumerate(slope):
            for p, coefficient in enumerate(row):
                if coefficient:
                    result[a][p] += weight * coefficient
    return result


def _integral(series: _Series) -> _Series:
    """The integral of L**a x**-p is (L**a x**(1-p) - a times the integral of L**(a-1) x**-p) / (1 - p)."""
    left = [row[:] for row in series]
    result = _nothing(len(series) - 1)
    for a in range(len(series) - 1, -1, -1):
        for p in range(2, _POWERS + 1):
            share = left[a][p] / (1 - p)
            result[a][p - 1] += share
            if a:
                left[a - 1][p] -= a * share
    return result


def _derivative(series: _Series) -> _Series:
    """The derivative of L**a x**-p is (a L**(a-1) - p L**a) x**(-p-1)."""
    result = _nothing(len(series) - 1)
    for a, row in enumerate(series):
        for p in range(_POWERS):
            result[a][p + 1] -= p * row[p]
            if a:
                result[a - 1][p + 1] += a * row[p]
    return result


_NAMES = ("k", "h1", "h2", "h3", "h4", "s21", "s31", "q")

_ROWS = (
    (
        "h1",
        "k - h1",
    ),
    (
        "h2",
        "3 h1 - 5 h2 + 2 h1^2",
        "5 k + 2 k h1 - 9 h1 + 7 h2 - 5 h1^2",
        "k^2 - 5 k - 2 k h1 + 6 h1 - 3 h2 + 3 h1^2",
    ),
    (
        "h3",
        "7 h2 - 19 h3 + 6 s21 + 6 h1 h2",
        "3 k h2 + 30 h1 - 66 h2 + 81 h3 - 24 s21 + 21 h1^2 - 51 h1 h2 + 6 h1^3",
        "58 k + 24 k h1 - 15 k h2 + 6 k h1^2 - 141 h1 + 171.5 h2 - 139 h3 + 30 s21 - 97.5 h1^2 + 129 h1 h2 - 26 h1^3",
        "15 k^2 + 3 k^2 h1 - 132 k - 57 k h1 + 21 k h2 - 15 k h1^2 + 201 h1 - 172.5 h2 + 106 h3 - 12 s21 + 136.5 h1^2 "
        "- 129 h1 h2 + 35 h1^3",
        "k^3 - 15 k^2 - 3 k^2 h1 + 74 k + 33 k h1 - 9 k h2 + 9 k h1^2 - 90 h1 + 60 h2 - 30 h3 - 60 h1^2 + 45 h1 h2 - "
        "15 h1^3",
    ),
    (
        "h4",
        "15 h3 - 59 h4 + 24 s31 + 12 h2^2 + 8 h1 h3",
        "4 k h3 + 129 h2 - 421 h3 + 124 s21 + 601 h4 - 240 s31 + 114 h1 h2 - 183 h2^2 - 236 h1 h3 + 72 h1 s21 + 36 "
        "h1^2 h2",
        "58 k h2 - 76 k h3 + 24 k s21 + 24 k h1 h2 + 580 h1 - 1497 h2 + 2596 h3 - 754 s21 - 2415 h4 + 792 s31 + 24 q "
        "+ 393 h1^2 - 1428 h1 h2 + 891 h2^2 + 1524 h1 h3 - 456 h1 s21 + 140 h1^3 - 444 h1^2 h2 + 24 h1^4",
        "6 k^2 h2 + 1181 k + 442 k h1 - 444 k h2 + 324 k h3 - 96 k s21 + 144 k h1^2 - 204 k h1 h2 + 24 k h1^3 - 3654 "
        "h1 + 5423 h2 - 6698 h3 + 1570 s21 + 4842 h4 - 1176 s31 - 84 q - 2544 h1^2 + 5422 h1 h2 - 2010 h2^2 - 4076 h1 "
        "h3 + 984 h1 s21 - 920 h1^3 + 1698 h1^2 h2 - 154 h1^4",
        "307 k^2 + 78 k^2 h1 - 30 k^2 h2 + 12 k^2 h1^2 - 4415 k - 1684 k h1 + 1046 k h2 - 556 k h3 + 120 k s21 - 600 "
        "k h1^2 + 516 k h1 h2 - 104 k h1^3 + 8054 h1 - 8639 h2 + 8504 h3 - 1372 s21 - 5184 h4 + 816 s31 + 96 q + 5655 "
        "h1^2 - 8950 h1 h2 + 2334 h2^2 + 5324 h1 h3 - 888 h1 s21 + 2058 h1^3 - 2838 h1^2 h2 + 340 h1^4",
        "30 k^3 + 4 k^3 h1 - 678 k^2 - 174 k^2 h1 + 42 k^2 h2 - 30 k^2 h1^2 + 5352 k + 2078 k h1 - 990 k h2 + 424 k "
        "h3 - 48 k s21 + 786 k h1^2 - 516 k h1 h2 + 140 k h1^3 - 7500 h1 + 6348 h2 - 5284 h3 + 432 s21 + 2844 h4 - "
        "216 s31 - 36 q - 5268 h1^2 + 6774 h1 h2 - 1359 h2^2 - 3384 h1 h3 + 288 h1 s21 - 1922 h1^3 + 2178 h1^2 h2 - "
        "315 h1^4",
        "k^4 - 30 k^3 - 4 k^3 h1 + 371 k^2 + 96 k^2 h1 - 18 k^2 h2 + 18 k^2 h1^2 - 2118 k - 836 k h1 + 330 k h2 - 120 "
        "k h3 - 330 k h1^2 + 180 k h1 h2 - 60 k h1^3 + 2520 h1 - 1764 h2 + 1288 h3 - 630 h4 + 1764 h1^2 - 1932 h1 h2 "
        "+ 315 h2^2 + 840 h1 h3 + 644 h1^3 - 630 h1^2 h2 + 105 h1^4",
    ),
)
"""The c_pj, j = 1 to 2p, for the powers p = 1 to 4; the sums are named as in `harmonic.Sums`."""

_Term = tuple[int, tuple[tuple[int, int], ...]]


def coefficients(power: int, k: Any, sums: Sequence[Any]) -> list[Any]:
    """c_p1 .. c_p2p at k, from the sums that they need: the first ones of `harmonic.Sums`."""
    values = (k, *sums)

    def value(terms: list[_Term]) -> Any:
        products = (twice * math.prod(values[place] ** e for place, e in factors) for twice, factors in terms)
        return sum(products, 0 * k) / 2

    return [value(row) for row in _parsed(power)]


@lru_cache(maxsize=4)
def _parsed(power: int) -> list[list[_Term]]:
    """Each row: twice the coefficient of each term, with the places and the exponents of what it multiplies."""
    return [[_term(term) for term in re.findall(r"[+-]?[^+-]+", row)] for row in _ROWS[power - 1]]


def _term(text: str) -> _Term:
    sign, number, names = re.findall(r"([+-]?) *([0-9.]*) *(.*)", text.strip())[0]
    factors = re.findall(r"([a-z][0-9]*)\^?([0-9]?)", names)
    twice = int(2 * float(f"{sign}{number or 1}"))
    return twice, tuple((_NAMES.index(name), int(exponent or 1)) for name, exponent in factors)


_NOTHING = Decimal("1e-60")

_ENOUGH = Decimal("1e-120")
"""A share of the probability that no digit of a float shows."""


class Moments:
    """Mean, variance, skewness and excess kurtosis; each computed when asked for, and correct to the last digit."""

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


def _dot(left: list[Decimal], right: list[Decimal]) -> Decimal:
    return sum((a * b for a, b in zip(left, right, strict=False)), Decimal(0))


def _falling() -> list[list[Decimal]]:
    """Coefficients of r, r**2, ... in r(r-1)..(r-j+1), j = 1..8."""
    rows: list[list[int]] = [[1]]
    for j in range(1, 8):
        rows.append([up - j * here for up, here in zip([0, *rows[-1]], [*rows[-1], 0], strict=True)])
    return [[Decimal(coefficient) for coefficient in row] for row in rows]


_FALLING = _falling()
