"""Exact moments of average precision under a random ranking, in O(1) for any number of items."""

import decimal
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, product, repeat
from operator import mul
from typing import Any

from certus.chance.distribution import KnownMoments
from certus.chance.laws.hits import bernoulli_numbers

MAX_ITEMS = 10**30
"""Up to so many terms the digits suffice."""

_DIGITS = 140
_DIRECT = 200
"""Up to so many terms are added one by one; from here on the expansion below is accurate to 125 digits."""
_POWERS = 80

_SUMMANDS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (2, 2))
"""Summands of the sums over j = 1..k that the moments need, as h(j)**a * j**-p by (a, p); h(j) = 1 + 1/2 + .. + 1/j."""

_Series = Mapping[tuple[int, int], Decimal]
"""The coefficient of ``(ln x + gamma)**a * x**-p`` by (a, p)."""


def precisely() -> Any:
    """Decimal arithmetic with enough digits."""
    return decimal.localcontext(decimal.Context(prec=_DIGITS))


@lru_cache(maxsize=256)
def power_sums(k: int) -> list[Decimal]:
    """The sums of all summands over j = 1..k."""
    with precisely():
        if k <= _DIRECT:
            return _direct(k)
        return [_value(_expansion(index), k) for index in range(len(_SUMMANDS))]


def harmonic_between(low: int, high: int) -> Decimal:
    """1 / (low + 1) + ... + 1 / high, to 120 digits."""
    with precisely():
        first, last = (_direct(k)[0] if k <= _DIRECT else _value(_harmonic_series(), k) for k in (low, high))
        return last - first


@lru_cache(maxsize=256)
def _direct(k: int) -> list[Decimal]:
    totals, h = [Decimal(0)] * len(_SUMMANDS), Decimal(0)
    for j in range(1, k + 1):
        h += 1 / Decimal(j)
        totals = [total + h**a / j**p for total, (a, p) in zip(totals, _SUMMANDS, strict=True)]
    return totals


@lru_cache(maxsize=8)
def _expansion(index: int) -> _Series:
    """The expansion of a sum by Euler and Maclaurin, its constant from the first 200 terms."""
    series = _harmonic_series() if index == 0 else _sum_series(*_SUMMANDS[index])
    if index:
        return {**series, (0, 0): _direct(_DIRECT)[index] - _value(series, _DIRECT)}
    return series


@lru_cache(maxsize=8)
def _log(k: int) -> Decimal:
    """Logarithm of k plus Euler's constant."""
    tail = {key: coefficient for key, coefficient in _harmonic_series().items() if key[0] == 0}
    gamma = _direct(_DIRECT)[0] - Decimal(_DIRECT).ln() - _value(tail, _DIRECT)
    return Decimal(k).ln() + gamma


def _value(series: _Series, k: int) -> Decimal:
    powers = _powers(k)
    rows: dict[int, Decimal] = defaultdict(Decimal)
    for (a, p), coefficient in series.items():
        rows[a] += coefficient * powers[p]
    return sum((_log(k) ** a * row if a else row for a, row in rows.items()), Decimal(0))


@lru_cache(maxsize=8)
def _powers(k: int) -> list[Decimal]:
    """1, 1/k, 1/k**2, ..."""
    step = 1 / Decimal(k)
    return list(accumulate(repeat(step, _POWERS), mul, initial=Decimal(1)))


@lru_cache(maxsize=1)
def _bernoulli() -> list[Decimal]:
    return [Decimal(number.numerator) / Decimal(number.denominator) for number in bernoulli_numbers(_POWERS)]


@lru_cache(maxsize=1)
def _harmonic_series() -> _Series:
    """h(x) = (ln x + gamma) + 1/(2x) - sum of B_2i / (2i x**2i)."""
    even = {(0, p): -_bernoulli()[p] / p for p in range(2, _POWERS + 1, 2)}
    return {(1, 0): Decimal(1), (0, 1): Decimal("0.5"), **even}


def _sum_series(power: int, inverse_power: int) -> _Series:
    """The expansion of a sum, but for a constant: integral + half the last term + derivatives."""
    terms: _Series = {(0, inverse_power): Decimal(1)}
    for _ in range(power):
        pairs = product(terms.items(), _harmonic_series().items())
        terms = _collect(((a + b, p + q), c * d) for ((a, p), c), ((b, q), d) in pairs)
    slope, weights = terms, _bernoulli()
    result = _collect([*_integral(terms).items(), *((key, c / 2) for key, c in terms.items())])
    factorial = 1
    for r in range(1, _POWERS // 2):
        slope = _derivative(slope) if r == 1 else _derivative(_derivative(slope))
        factorial *= 2 * r * (2 * r - 1)
        result = _collect([*result.items(), *((key, c * weights[2 * r] / factorial) for key, c in slope.items())])
    return result


def _collect(terms: Iterator[tuple[tuple[int, int], Decimal]] | list[tuple[tuple[int, int], Decimal]]) -> _Series:
    """Add up the terms of equal powers, but for those beyond the last power."""
    series: dict[tuple[int, int], Decimal] = defaultdict(Decimal)
    for (a, p), coefficient in terms:
        if p <= _POWERS:
            series[a, p] += coefficient
    return series


def _integral(series: _Series) -> _Series:
    """The integral of L**a x**-p is (L**a x**(1-p) - a times the integral of L**(a-1) x**-p) / (1 - p)."""
    remaining, result = defaultdict(Decimal, series), {}
    for a, p in product((2, 1, 0), range(2, _POWERS + 1)):
        share = result[a, p - 1] = remaining[a, p] / (1 - p)
        remaining[a - 1, p] -= a * share
    return result


def _derivative(series: _Series) -> _Series:
    """The derivative of L**a x**-p is (a L**(a-1) - p L**a) x**(-p-1)."""
    terms = [((a, p + 1), -p * c) for (a, p), c in series.items()]
    return _collect(terms + [((a - 1, p + 1), a * c) for (a, p), c in series.items() if a])


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
"""The c_pj, j = 1 to 2p, for the powers p = 1 to 4; s21, s31 and q are the sums of h(j)/j^2, h(j)/j^3, h(j)^2/j^2."""


def coefficients(power: int, k: Any, sums: Sequence[Any]) -> list[Any]:
    """c_p1 .. c_p2p at k, from the `power_sums` that they need."""
    values = (k, *sums)
    products = [
        [twice * math.prod(values[index] ** e for index, e in factors) for twice, factors in terms]
        for terms in _parsed(power)
    ]
    return [sum(row, 0 * k) / 2 for row in products]


@lru_cache(maxsize=4)
def _parsed(power: int) -> list[list[tuple[int, list[tuple[int, int]]]]]:
    """Each row: twice the coefficient of each term, with the indices and the exponents of what it multiplies."""
    return [[_parse_term(term) for term in re.findall(r"[+-]?[^+-]+", row)] for row in _ROWS[power - 1]]


def _parse_term(text: str) -> tuple[int, list[tuple[int, int]]]:
    sign, number, names = re.findall(r"([+-]?) *([0-9.]*) *(.*)", text.strip())[0]
    factors = re.findall(r"([a-z][0-9]*)\^?([0-9]?)", names)
    twice = int(2 * float(f"{sign}{number or 1}"))
    return twice, [(_NAMES.index(name), int(exponent or 1)) for name, exponent in factors]


_SYMMETRIC = Decimal("1e-60")
"""A symmetric law leaves the last of 140 digits of its skewness, which is below this."""

_ENOUGH = Decimal("1e-120")
"""A share of the probability that no digit of a float shows."""


def moments(n: int, m: int, depth: int, divisor: int | None) -> KnownMoments:
    """Moments of the sum over relevant ranks t <= depth of (relevant items among the first t) / t, over a divisor.

    Without a divisor it is the number of hits among the first `depth` ranks; where there is none the value is 0. The
    cost does not depend on n, but then it grows as the standard deviation of the number of hits.
    """
    with precisely():
        first, second, third, fourth = _raw_moments(n, m, depth, divisor)
        var = second - first**2
        if m in (0, n):
            return KnownMoments(float(first), 0.0, math.nan, math.nan)
        skewness = (third - 3 * first * second + 2 * first**3) / (var * var.sqrt())
        kurtosis = (fourth - 4 * first * third + 6 * first**2 * second - 3 * first**4) / var**2 - 3
        return KnownMoments(
            float(first), float(var), float(skewness) if abs(skewness) > _SYMMETRIC else 0.0, float(kurtosis)
        )


def _raw_moments(n: int, m: int, depth: int, divisor: int | None) -> list[Decimal]:
    """Expected first to fourth power, to 100 digits."""
    sums = power_sums(depth)
    polynomials = [coefficients(power, Decimal(depth), sums) for power in range(1, 5)]
    if divisor is not None:
        weights = _coincidences(n, m)
        return [_dot(row, weights) / Decimal(divisor) ** power for power, row in enumerate(polynomials, start=1)]
    # Given the hits, the probability that j given ranks are relevant is their falling factorial over that of the depth.
    weights, hit_powers = _coincidences(depth, None), _hit_powers(n, m, depth)
    raw = []
    for power, row in enumerate(polynomials, start=1):
        expected = [_dot(numbers, hit_powers[4 - power :]) for numbers in _FALLING[: 2 * power]]
        raw.append(_dot(row, [a * b for a, b in zip(weights, expected, strict=False)]))
    return raw


def _coincidences(n: int, m: int | None) -> list[Decimal]:
    """The probability that j given ranks are relevant, j = 1..8, or without m only its denominator."""
    weights, weight = [], Decimal(1)
    for j in range(min(8, n)):
        weight *= Decimal(1 if m is None else m - j) / (n - j)
        weights.append(weight)
    return weights


def _hit_powers(n: int, m: int, depth: int) -> list[Decimal]:
    """E R^p for p = -3..4 over R >= 1, the hits among the ranks looked at."""
    totals, total = [Decimal(0)] * 8, Decimal(0)
    for hits, weight in _hit_weights(n, m, depth):
        total += weight
        if hits:
            term = weight / Decimal(hits) ** 3
            for index in range(8):
                totals[index] += term
                term *= hits
    return [power_total / total for power_total in totals]


def _hit_weights(n: int, m: int, depth: int) -> Iterator[tuple[int, Decimal]]:
    """Numbers of hits and their probabilities over that of the likeliest number, down and then up from it."""
    top = min((depth + 1) * (m + 1) // (n + 2), depth, m)
    weight = Decimal(1)
    for hits in range(top, max(0, depth + m - n) - 1, -1):
        yield hits, weight
        weight *= Decimal(hits * (n - m - depth + hits)) / ((depth - hits + 1) * (m - hits + 1))
        if weight < _ENOUGH:
            break
    weight = Decimal(1)
    for hits in range(top + 1, min(depth, m) + 1):
        weight *= Decimal((depth - hits + 1) * (m - hits + 1)) / (hits * (n - m - depth + hits))
        if weight < _ENOUGH:
            break
        yield hits, weight


def _dot(left: list[Decimal], right: list[Decimal]) -> Decimal:
    return sum((a * b for a, b in zip(left, right, strict=False)), Decimal(0))


def _falling() -> list[list[Decimal]]:
    """Coefficients of r, r**2, ... in r(r-1)..(r-j+1), j = 1..8."""
    rows: list[list[int]] = [[1]]
    for j in range(1, 8):
        rows.append([up - j * here for up, here in zip([0, *rows[-1]], [*rows[-1], 0], strict=True)])
    return [[Decimal(coefficient) for coefficient in row] for row in rows]


_FALLING = _falling()
