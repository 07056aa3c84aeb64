"""Rank correlations as results, and their law under independence."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus.inference import Estimate
from certus.inference.special import normal_cdf

Alternative = Literal["two-sided", "greater", "less"]
Finding = tuple[float, str]
"""The p-value, and how it was computed."""

MOST_ENUMERATED = 9
"""All orders of up to this many items are listed: 362,880."""


def sided(lower_tail: float, upper_tail: float, alternative: Alternative) -> float:
    """The p-value from the two tails, both with the observed value in them."""
    if alternative == "two-sided":
        return min(1.0, 2 * min(lower_tail, upper_tail))
    return upper_tail if alternative == "greater" else lower_tail


def concordance_tails(n: int, inversions: int) -> tuple[float, float]:
    """P(S <= s) and P(S >= s) of S = concordant less discordant pairs, in a random order of n items without ties.

    Notes
    -----
    The number of inversions of a random order is a sum of independent uniform numbers on 0..i, i < n; see Kendall,
    Rank Correlation Methods (1970), chapter 5. Each is added by a running sum, from the near end of the symmetric law,
    so that the nearer tail is right to rounding and loses nothing to cancellation.
    """
    n_pairs = n * (n - 1) // 2
    smaller = min(inversions, n_pairs - inversions)
    law = np.zeros(smaller + 1)
    law[0] = 1.0
    for i in range(2, n + 1):
        running = np.cumsum(law)
        if i <= smaller:
            running[i:] -= running[:-i]
        law = running / i
    near = min(1.0, float(law.sum()))
    far = min(1.0, 1.0 - near + float(law[smaller]))
    # Few inversions are much concordance.
    return (far, near) if inversions == smaller else (near, far)


@cache
def orders(n: int) -> NDArray[np.int8]:
    """All orders of n items, one a row."""
    permutations = np.zeros((1, 1), dtype=np.int8)
    for size in range(2, n + 1):
        permutations = np.concatenate([np.insert(permutations, position, size - 1, axis=1) for position in range(size)])
    return permutations


def normal_tails(value: float, deviation: float) -> tuple[float, float]:
    """P(X <= value) and P(X >= value) for a normal X around 0."""
    z = value / deviation if deviation > 0 else math.copysign(math.inf, value)
    return normal_cdf(z), normal_cdf(-z)


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation(Estimate):
    """A rank correlation: an `Estimate` that also has a p-value.

    Attributes
    ----------
    alternative
        The side of the test.
    test
        Gives the p-value and how it was computed; asked when first needed.
    """

    alternative: Alternative = "two-sided"
    test: Callable[[], Finding] | None = None

    @cached_property
    def _tested(self) -> Finding:
        return (float("nan"), "") if self.reason or self.test is None else self.test()

    @property
    def p(self) -> float:
        """P-value of the null that either order says nothing about the other; NaN where `reason` says so."""
        return self._tested[0]

    @property
    def how(self) -> str:
        """The way p was computed: ``"exact"``, ``"enumeration"``, ``"normal"`` or ``"t"``."""
        return self._tested[1]

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.reason else f"{text}; p = {self.p:.4g} ({self.how})"
