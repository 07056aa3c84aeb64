"""Laws of chance by enumeration of all rankings, in fractions."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

from certus.chance import Distribution


def law_of(value: Callable[..., Fraction | float], n: int, m: int, *more: Any) -> dict[Fraction, Fraction]:
    """The probability of each value, all choices of m of n ranks equally likely; `value` gets the ranks and `more`."""
    share = Fraction(1, math.comb(n, m))
    found: dict[Fraction, Fraction] = {}
    for ranks in combinations(range(1, n + 1), m):
        key = Fraction(value(ranks, *more))
        found[key] = found.get(key, Fraction(0)) + share
    return dict(sorted(found.items()))


def moments(law: dict[Fraction, Fraction]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Mean, and second to fourth central moment."""
    mean = sum((value * share for value, share in law.items()), Fraction(0))
    second, third, fourth = (sum((value - mean) ** k * share for value, share in law.items()) for k in (2, 3, 4))
    return mean, Fraction(second), Fraction(third), Fraction(fourth)


def agree(found: float, expected: Fraction | float, tolerance: float = 1e-12) -> bool:
    """True if the relative difference is within the tolerance."""
    expected = float(expected)
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=1e-300 if expected else 0.0)


def check(law: Distribution, expected: dict[Fraction, Fraction], values: Iterable[Fraction] | None = None) -> None:
    """Every question, at every value (or the given ones) and next to it."""
    check_moments(law, expected)
    for value in expected if values is None else values:
        check_at(law, expected, value)


def check_moments(law: Distribution, expected: dict[Fraction, Fraction]) -> None:
    """Support, mean, variance, skewness, kurtosis."""
    mean, second, third, fourth = moments(expected)
    low, high = law.support()
    assert math.isclose(low, min(expected), abs_tol=1e-15)
    assert math.isclose(high, max(expected), abs_tol=1e-15)
    assert agree(law.mean(), mean)
    if not second:
        assert law.var() == 0
        assert math.isnan(law.skewness())
        assert math.isnan(law.kurtosis())
        return
    assert agree(law.var(), second)
    assert math.isclose(law.skewness(), float(third) / float(second) ** 1.5, rel_tol=1e-11, abs_tol=1e-12)
    assert math.isclose(law.kurtosis(), float(fourth / second**2 - 3), rel_tol=1e-11, abs_tol=1e-12)


def check_at(law: Distribution, expected: dict[Fraction, Fraction], value: Fraction) -> None:
    """Probabilities and quantiles at one value, which need not be a possible one."""
    x = float(value)
    below = sum((share for other, share in expected.items() if other < value), Fraction(0))
    here = expected.get(value, Fraction(0))
    above = 1 - below - here
    assert agree(law.pmf(x), here)
    assert agree(law.cdf(x), below + here)
    assert agree(law.sf(x), above)
    assert agree(law.tail(x), above + here)
    assert float(law.pmf(x + 1e-7)) == 0
    assert agree(law.tail(x + 1e-7), above)
    assert agree(law.cdf(x - 1e-7), below)
    if here:
        assert math.isclose(law.ppf(float(law.cdf(x))), x, abs_tol=1e-12)
        if above:
            assert math.isclose(law.isf(float(law.sf(x))), x, abs_tol=1e-12)
