"""Moments of the sum behind average precision, S_k = sum over t <= k of y_t (y_1 + .. + y_t) / t, as polynomials.

With y_t = 1 where rank t holds a relevant item: were the y_t independent, each 1 with probability theta, then
E S_k^p = sum over j of c_pj(k) theta^j. A random ranking of n items, m of them relevant, has the same c_pj, and in
place of theta^j the probability that j given ranks are all relevant, m(m-1)..(m-j+1) / (n(n-1)..(n-j+1)). The c_pj are
polynomials in k and harmonic sums. Those of the first two powers are derived by splitting the sums by equal indices;
those of the third and fourth were solved for in rationals from the recursion over k (31 unknowns each, 56 equations)
that tests/chance/test_moments.py runs against them.
"""

from decimal import Decimal

from certus.chance.additive.harmonic import Sums

__all__ = ["first", "fourth", "second", "third"]


def first(k: Decimal, h1: Decimal) -> list[Decimal]:
    """c_11, c_12."""
    return [h1, k - h1]


def second(k: Decimal, h1: Decimal, h2: Decimal) -> list[Decimal]:
    """c_21 .. c_24."""
    return [
        h2,
        3 * h1 - 5 * h2 + 2 * h1 * h1,
        5 * k + 2 * k * h1 - 9 * h1 + 7 * h2 - 5 * h1 * h1,
        k * k - 5 * k - 2 * k * h1 + 6 * h1 - 3 * h2 + 3 * h1 * h1,
    ]


def third(k: Decimal, sums: Sums) -> list[Decimal]:
    """c_31 .. c_36."""
    h1, h2, h3, _, s21, _, _ = sums
    return [
        h3,
        7 * h2 - 19 * h3 + 6 * s21 + 6 * h1 * h2,
        3 * k * h2 + 30 * h1 - 66 * h2 + 81 * h3 - 24 * s21 + 21 * h1 * h1 - 51 * h1 * h2 + 6 * h1 * h1 * h1,
        (
            116 * k
            + 48 * k * h1
            - 30 * k * h2
            + 12 * k * h1 * h1
            - 282 * h1
            + 343 * h2
            - 278 * h3
            + 60 * s21
            - 195 * h1 * h1
            + 258 * h1 * h2
            - 52 * h1 * h1 * h1
        )
        / 2,
        (
            30 * k * k
            + 6 * k * k * h1
            - 264 * k
            - 114 * k * h1
            + 42 * k * h2
            - 30 * k * h1 * h1
            + 402 * h1
            - 345 * h2
            + 212 * h3
            - 24 * s21
            + 273 * h1 * h1
            - 258 * h1 * h2
            + 70 * h1 * h1 * h1
        )
        / 2,
        k * k * k
        - 15 * k * k
        - 3 * k * k * h1
        + 74 * k
        + 33 * k * h1
        - 9 * k * h2
        + 9 * k * h1 * h1
        - 90 * h1
        + 60 * h2
        - 30 * h3
        - 60 * h1 * h1
        + 45 * h1 * h2
        - 15 * h1 * h1 * h1,
    ]


def fourth(k: Decimal, sums: Sums) -> list[Decimal]:
    """c_41 .. c_48."""
    h1, h2, h3, h4, s21, s31, q = sums
    return [
        h4,
        15 * h3 - 59 * h4 + 24 * s31 + 12 * h2 * h2 + 8 * h1 * h3,
        4 * k * h3
        + 129 * h2
        - 421 * h3
        + 124 * s21
        + 601 * h4
        - 240 * s31
        + 114 * h1 * h2
        - 183 * h2 * h2
        - 236 * h1 * h3
        + 72 * h1 * s21
        + 36 * h1 * h1 * h2,
        58 * k * h2
        - 76 * k * h3
        + 24 * k * s21
        + 24 * k * h1 * h2
        + 580 * h1
        - 1497 * h2
        + 2596 * h3
        - 754 * s21
        - 2415 * h4
        + 792 * s31
        + 24 * q
        + 393 * h1 * h1
        - 1428 * h1 * h2
        + 891 * h2 * h2
        + 1524 * h1 * h3
        - 456 * h1 * s21
        + 140 * h1 * h1 * h1
        - 444 * h1 * h1 * h2
        + 24 * h1 * h1 * h1 * h1,
        6 * k * k * h2
        + 1181 * k
        + 442 * k * h1
        - 444 * k * h2
        + 324 * k * h3
        - 96 * k * s21
        + 144 * k * h1 * h1
        - 204 * k * h1 * h2
        + 24 * k * h1 * h1 * h1
        - 3654 * h1
        + 5423 * h2
        - 6698 * h3
        + 1570 * s21
        + 4842 * h4
        - 1176 * s31
        - 84 * q
        - 2544 * h1 * h1
        + 5422 * h1 * h2
        - 2010 * h2 * h2
        - 4076 * h1 * h3
        + 984 * h1 * s21
        - 920 * h1 * h1 * h1
        + 1698 * h1 * h1 * h2
        - 154 * h1 * h1 * h1 * h1,
        307 * k * k
        + 78 * k * k * h1
        - 30 * k * k * h2
        + 12 * k * k * h1 * h1
        - 4415 * k
        - 1684 * k * h1
        + 1046 * k * h2
        - 556 * k * h3
        + 120 * k * s21
        - 600 * k * h1 * h1
        + 516 * k * h1 * h2
        - 104 * k * h1 * h1 * h1
        + 8054 * h1
        - 8639 * h2
        + 8504 * h3
        - 1372 * s21
        - 5184 * h4
        + 816 * s31
        + 96 * q
        + 5655 * h1 * h1
        - 8950 * h1 * h2
        + 2334 * h2 * h2
        + 5324 * h1 * h3
        - 888 * h1 * s21
        + 2058 * h1 * h1 * h1
        - 2838 * h1 * h1 * h2
        + 340 * h1 * h1 * h1 * h1,
        30 * k * k * k
        + 4 * k * k * k * h1
        - 678 * k * k
        - 174 * k * k * h1
        + 42 * k * k * h2
        - 30 * k * k * h1 * h1
        + 5352 * k
        + 2078 * k * h1
        - 990 * k * h2
        + 424 * k * h3
        - 48 * k * s21
        + 786 * k * h1 * h1
        - 516 * k * h1 * h2
        + 140 * k * h1 * h1 * h1
        - 7500 * h1
        + 6348 * h2
        - 5284 * h3
        + 432 * s21
        + 2844 * h4
        - 216 * s31
        - 36 * q
        - 5268 * h1 * h1
        + 6774 * h1 * h2
        - 1359 * h2 * h2
        - 3384 * h1 * h3
        + 288 * h1 * s21
        - 1922 * h1 * h1 * h1
        + 2178 * h1 * h1 * h2
        - 315 * h1 * h1 * h1 * h1,
        k * k * k * k
        - 30 * k * k * k
        - 4 * k * k * k * h1
        + 371 * k * k
        + 96 * k * k * h1
        - 18 * k * k * h2
        + 18 * k * k * h1 * h1
        - 2118 * k
        - 836 * k * h1
        + 330 * k * h2
        - 120 * k * h3
        - 330 * k * h1 * h1
        + 180 * k * h1 * h2
        - 60 * k * h1 * h1 * h1
        + 2520 * h1
        - 1764 * h2
        + 1288 * h3
        - 630 * h4
        + 1764 * h1 * h1
        - 1932 * h1 * h2
        + 315 * h2 * h2
        + 840 * h1 * h3
        + 644 * h1 * h1 * h1
        - 630 * h1 * h1 * h2
        + 105 * h1 * h1 * h1 * h1,
    ]
