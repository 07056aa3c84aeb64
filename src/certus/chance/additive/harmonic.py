"""Harmonic sums to more than a hundred digits, for any number of terms.

Moments of average precision are polynomials in such sums whose leading terms cancel: with 1e18 items the kurtosis is
what is left of numbers 1e54 times as large. Decimals of 140 digits leave all digits of a float in every case.
"""

import decimal
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import NamedTuple

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
