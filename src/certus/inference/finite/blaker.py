"""Blaker's limits for the number of hits in a finite population."""

from functools import partial

from certus.inference.finite.hypergeometric import law, lower
from certus.inference.finite.unimodal import SLACK, Window, first_true

__all__ = ["blaker", "low"]


def blaker(k: int, n: int, population: int, level: float) -> tuple[int, int]:
    """The least and the greatest number of hits that Blaker's test does not refute at 1 - `level`.

    The p-value of a count X is the chance of the tail that holds `k`, the smaller one, plus that of the largest piece
    of the other tail that is no more probable. Counts of hits that are not refuted may have gaps: the limits are those
    of their hull.

    Source: Blaker (2000), Can. J. Stat. 28(4):783-798, doi:10.2307/3315916.

    Examples
    --------
    >>> blaker(400, 500, 1000, 0.95)
    (774, 824)
    """
    return low(k, n, population, 1 - level), population - low(n - k, n, population, 1 - level)


def low(k: int, n: int, population: int, error: float) -> int:
    """The lower limit at the error 1 - level.

    Below the equal-tailed limit the smaller tail is at most half the error, and the p-value at most twice that. From
    there on X is walked up in stretches in which the piece ``K <= y`` of the other tail stays the same. In a stretch
    the p-value ``P(K >= k) + P(K <= y)`` first falls and then rises, because the ratio of what the two tails gain and
    lose from X to X + 1 is monotone. So a stretch that starts below the error is above it, if at all, from some X to
    its end, and no X is passed over unseen.
    """
    if k == 0:
        return 0
    most = population - n + k
    x = lower(k, n, population, error / 2)
    bound = error * (1 + SLACK)

    def likely(y: int, z: int) -> bool:
        return _p_value(law(population, n, z), k, y) > bound

    while True:
        here = law(population, n, x)
        tail = here.at_least(k)
        # From 1/2 on the other tail is taken whole, and the p-value is 1.
        if tail > bound or tail >= 0.5:
            return x
        y = _piece(here, tail)
        if tail + here.at_most(y) > bound:
            return x
        end = _next_stretch(k, y, n, population, x, most) - 1
        if likely(y, end):
            return first_true(partial(likely, y), x, end)
        x = end + 1


def _piece(here: Window, tail: float) -> int:
    """The greatest y for which ``P(K <= y)`` is at most the tail."""
    return here.first + int(here.below.searchsorted(tail * (1 + SLACK), side="right")) - 1


def _p_value(here: Window, k: int, y: int) -> float:
    return here.at_least(k) + here.at_most(y)


def _next_stretch(k: int, y: int, n: int, population: int, x: int, most: int) -> int:
    """The least number of hits beyond `x` under which a greater piece than ``K <= y`` is no more probable."""

    def greater(z: int) -> bool:
        here = law(population, n, z)
        return here.at_most(y + 1) <= here.at_least(k) * (1 + SLACK)

    return first_true(greater, x, most, guess=x + population // (2 * n), step=1 + population // (4 * n))
