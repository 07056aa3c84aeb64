"""Moments of the sum behind average precision, S_k = sum over t <= k of y_t (y_1 + .. + y_t) / t, as polynomials.

With y_t = 1 where rank t holds a relevant item: were the y_t independent, each 1 with probability theta, then
E S_k^p = sum over j of c_pj(k) theta^j. A random ranking of n items, m of them relevant, has the same c_pj, and in
place of theta^j the probability that j given ranks are all relevant, m(m-1)..(m-j+1) / (n(n-1)..(n-j+1)). The c_pj are
polynomials in k and harmonic sums. Those of the first two powers are derived by splitting the sums by equal indices;
those of the third and fourth were solved for in rationals from the recursion over k (31 unknowns each, 56 equations)
that tests/chance/test_moments.py runs against them.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

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
