"""Exact limits for the difference of two shares of the same units, from the numbers of discordant units.

Of n units the first system alone is right on `above`, the second alone on `below`. With probabilities q of the first
kind and r of the second, and d = q - r, the p-value of "the difference is at most d" is Buehler's: the greatest
probability, over all q and r with q - r = d, of an outcome that is ranked at least as high as the one observed.
Whatever the ranking is, it is at most alpha with a probability of at most alpha. Outcomes are ranked by an approximate
lower limit: the d under which ``above - below`` or more has the probability 0.025 where q and r are the most likely
ones. With that ranking the probability hardly depends on the nuisance parameter, so that little is lost by its worst
case; after 0 discordant units of n the limit is ``0.025^(1/n) - 1``.

Berger and Boos look only at discordances q + r up to an exact upper limit, and add its error, `SPENT`, to p.

Source: Buehler (1957), JASA 52(280):482-493, doi:10.1080/01621459.1957.10501404; Lloyd & Moldovan (2008), Stat. Med.
27(18):3540-3549, for the ranking; Berger & Boos (1994), JASA 89(427):1012-1016, doi:10.1080/01621459.1994.10476836.
"""

import functools
import math
from functools import partial
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats, Ints
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.special import beta_upper_quantile, binomial_at_least, preload
from certus.inference.tests.mcnemar import mcnemar_test, restricted_share, tango_beyond, tango_limits
from certus.inference.tests.search import passes, passing

MOST_RARE = 100
"""Units up to which a lower limit is exact, where no more are discordant, or no more are anything but losses."""
MOST_UNITS = 1000
"""Units up to which the second is seen to: so many losses take long. Of more units two limits are added."""
SPENT = 1e-9
RANKED_AT = 0.025
_NODES = 32
TINY = math.nextafter(0.0, 1.0)
SIDES: tuple[Side, Side] = ("greater", "less")
_SLACK = 1e-9
_NOTHING = 1e-15
"""Chances that are not worth counting; all of them together are far less than `SPENT`."""


def exact_interval(above: int, below: int, n: int) -> OwnInterval:
    """The interval that belongs to McNemar's exact test."""
    return OwnInterval("exact-paired", partial(_limits, above, below, n), partial(exact_beyond, above, below, n))


def exact_limits(above: int, below: int, n: int, tail: float) -> Limits:
    """The differences d that the exact test of ``(above - below) / n = d`` does not reject.

    Examples
    --------
    >>> low, high, *_ = exact_limits(0, 0, 50, 0.025)
    >>> round(low, 4), round(high, 4)
    (-0.0711, 0.0711)
    """
    return Limits(_lower(above, below, n, tail), -_lower(below, above, n, tail))


def exact_p(above: int, below: int, n: int, difference: float) -> float:
    """The p-value of a difference of at most `difference`; of 0 it is the binomial one of the discordant units."""
    at_zero = binomial_at_least(above, above + below, 0.5)
    if difference == 0:
        return at_zero
    if not _exactly(above, below, n):
        few = n - below <= MOST_RARE
        p = _two_p(above, below, n, difference) if few else tango_beyond(above, below, n, difference, "greater")[0]
    else:
        p = _outcome(above, below, n).p(difference)
    # the two are different rankings: p rises with the difference nevertheless
    return min(p, at_zero) if difference < 0 else max(p, at_zero)


def mid_p_interval(above: int, below: int, n: int) -> OwnInterval:
    """Tango's limits on the side of 0 that the mid-P test says."""
    return OwnInterval("tango", partial(_mid_p_limits, above, below, n), partial(mid_p_beyond, above, below, n))


def _mid_p_limits(above: int, below: int, n: int, request: Request) -> Limits:
    low, high, *_ = tango_limits(above, below, n, request.tail)
    tails = [passes(mid_p_beyond(above, below, n, 0.0, side, request)[0], request.tail) for side in SIDES]
    low = min(low, 0.0) if tails[0] else max(low, TINY)
    return Limits(low, max(high, 0.0) if tails[1] else min(high, -TINY)).within(request.bounds)


def mid_p_beyond(above: int, below: int, n: int, shift: float, side: Side, request: Request) -> tuple[float, str]:
    """The p-value of the mid-P test against 0, otherwise of the score test."""
    if shift == 0:
        return mcnemar_test((above, below), "mid-p", side)[0], "binomial"
    return tango_beyond(above, below, n, shift, side, request)


def _limits(above: int, below: int, n: int, request: Request) -> Limits:
    return exact_limits(above, below, n, request.tail).within(request.bounds)


def exact_beyond(above: int, below: int, n: int, shift: float, side: Side, _request: Request) -> tuple[float, str]:
    """The p-value of a difference that is the shift or beyond it, and how it was computed."""
    if side == "less":
        above, below, shift = below, above, -shift
    if _exactly(above, below, n):
        return exact_p(above, below, n, shift), "exact"
    return exact_p(above, below, n, shift), "two exact limits" if n - below <= MOST_RARE else "normal"


def _exactly(above: int, below: int, n: int) -> bool:
    """True if the lower limit is exact; with few discordant units or few others the tails of Tango's are too heavy."""
    return above + below <= MOST_RARE or (n <= MOST_UNITS and n - below <= MOST_RARE)


def _two_limits(above: int, below: int, n: int, tail: float) -> float:
    """A lower limit where nearly all units are losses, where Tango's tails of .025 measured up to .032.

    The difference is the share of wins, and that of units without a loss, less 1: each has Clopper and Pearson's lower
    limit at half of the tail, so that the sum is exceeded with a probability of at most the tail (Bonferroni).

    Examples
    --------
    >>> round(_two_limits(5, 1480, 1500, 0.025), 4), (5 - 1480) / 1500
    (-0.9915, -0.9833333333333333)
    """
    counts = [count for count in (above, n - below) if count]
    return sum(1 - beta_upper_quantile(tail / 2, n - count + 1, count) for count in counts) - 1


def _two_p(above: int, below: int, n: int, difference: float) -> float:
    """The tail at which the limit of `_two_limits` reaches the difference."""
    if _two_limits(above, below, n, 1.0) <= difference:
        return 1.0
    low, high = math.log(TINY), 0.0
    while high - low > _SLACK:
        middle = (low + high) / 2
        reached = _two_limits(above, below, n, math.exp(middle)) > difference
        low, high = (low, middle) if reached else (middle, high)
    return math.exp(high)


@functools.lru_cache(maxsize=4096)
def _lower(above: int, below: int, n: int, tail: float) -> float:
    if below == n:
        return -1.0
    at_zero = binomial_at_least(above, above + below, 0.5)
    if not _exactly(above, below, n):
        few = n - below <= MOST_RARE
        low = _two_limits(above, below, n, tail) if few else tango_limits(above, below, n, tail).low
        return min(low, 0.0) if passes(at_zero, tail) else max(low, TINY)
    scale = math.sqrt(max(above + below, 1.0)) / n
    start = _outcome(above, below, n).limit
    return passing(partial(exact_p, above, below, n), tail, -1.0, 1.0, start, scale)


class _Outcome(NamedTuple):
    """An outcome, with the outcomes ranked at least as high: for each number of losses the least number of wins."""

    n: int
    limit: float
    wins: Ints
    discordance: float

    def p(self, difference: float) -> float:
        """The greatest probability of an outcome ranked as high, over all shares with the difference."""
        difference = min(difference, self.discordance)  # beyond it the worst is the last one within
        least = max(0.0, difference)
        most = (self.discordance + difference) / 2
        if most < least:
            return SPENT
        shares = least + (most - least) * np.linspace(0.0, 1.0, _NODES) ** 2
        chances = self._chances(shares, difference)
        for _ in range(2):  # a finer grid around the greatest
            best = int(chances.argmax())
            shares = np.linspace(shares[max(best - 1, 0)], shares[min(best + 1, len(shares) - 1)], 17)
            finer = self._chances(shares, difference)
            chances = finer if finer.max() >= chances.max() else chances
            if finer is not chances:
                break
        return min(float(chances.max()) + SPENT, 1.0)

    def _chances(self, shares: Floats, difference: float) -> Floats:
        losses = np.arange(len(self.wins))
        return _chance(self.n, self.wins[np.newaxis], losses[np.newaxis], shares, shares - difference)


@functools.lru_cache(maxsize=4096)
def _outcome(above: int, below: int, n: int) -> _Outcome:
    discordant = above + below
    discordance = 1.0 if discordant == n else beta_upper_quantile(SPENT, discordant + 1, n - discordant)
    limit = _approximate_limit(above, below, n)
    most = min(n, math.ceil(_reach(n, discordance)))
    wins = _ranked(n, limit, most)
    wins[below] = min(int(wins[below]), above)
    wins = np.minimum.accumulate(wins[::-1])[::-1]  # fewer losses are ranked no lower
    return _Outcome(n, limit, wins, discordance)


def _reach(n: int, share: float) -> float:
    """No number of units beyond it has a chance worth counting."""
    return n * share + 7 * math.sqrt(n * share * (1 - share)) + 20


def _approximate_limit(above: int, below: int, n: int) -> float:
    low, high = -1.0, (above - below) / n
    for _ in range(48):
        middle = (low + high) / 2
        if _net_p(n, np.array([above]), np.array([below]), middle)[0] <= RANKED_AT:
            low = middle
        else:
            high = middle
    return high


def _ranked(n: int, limit: float, most: int) -> Ints:
    """For 0 to `most` losses the least number of wins with an approximate limit as high; beyond all units for none."""
    losses = np.arange(most + 1)
    none = np.minimum(n - losses, most) + 1  # more wins than `most` have no chance worth counting
    low, high = np.full(most + 1, -1), none
    while (search := high - low > 1).any():
        middle = (low + high) // 2
        reached = np.zeros(most + 1, dtype=bool)
        reached[search] = _net_p(n, middle[search], losses[search], limit) <= RANKED_AT * (1 + _SLACK)
        high, low = np.where(search & reached, middle, high), np.where(search & ~reached, middle, low)
    return np.where(high == none, n + 1, high)


def _net_p(n: int, above: Ints, below: Ints, difference: float) -> Floats:
    """The chance of as many wins less losses, or more, where the shares are the most likely ones."""
    pairs = zip(above.tolist(), below.tolist(), strict=True)
    share = np.array([restricted_share(*pair, n, difference) for pair in pairs])
    width = min(n, math.ceil(_reach(n, float(share.max()))))
    losses = np.arange(width + 1)[np.newaxis]
    return _chance(n, losses + (above - below)[:, np.newaxis], losses, share + difference, share)


def _chance(n: int, wins: Ints, losses: Ints, first: Floats, second: Floats) -> Floats:
    """The probability of at least so many wins, by the number of losses; for each pair of shares."""
    special = preload()
    first, second = (np.clip(share, 0.0, 1.0)[:, np.newaxis] for share in (first, second))
    rest = n - losses
    chance = special.binom(n, losses) if n < 1000 else None
    if chance is None:
        log = special.gammaln(n + 1) - special.gammaln(losses + 1) - special.gammaln(rest + 1)
        mass = np.exp(log + special.xlogy(losses, second) + special.xlog1py(rest, -second))
    else:
        mass = chance * second**losses * (1 - second) ** rest
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(second < 1, np.minimum(first / (1 - second), 1.0), 0.0)
    wins, rest, share, mass = np.broadcast_arrays(wins, rest, share, mass)
    tail = (wins <= 0).astype(np.float64)
    part = (wins > 0) & (wins <= rest) & (mass > _NOTHING)
    tail[part] = special.betainc(wins[part], rest[part] - wins[part] + 1, share[part])
    return np.asarray((mass * tail).sum(axis=1))
