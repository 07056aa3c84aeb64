"""Limits of a value at the threshold where a share is first reached: the threshold is a nuisance parameter."""

import math

import numpy as np

from certus.core.arrays import Floats
from certus.inference.interval import Limits
from certus.inference.special import normal_quantile, preload
from certus.statistic.influence import Crossing

FEW = 3
"""Up to as many successes, or failures, have the near limit of a Poisson law."""


def limits(crossing: Crossing, tail: float) -> Limits:
    """The values that a score test does not refuse at some threshold.

    The threshold of the population is one of all. With ``s`` the standard score at which the sample speaks against a
    threshold, two counts above and below it, of which the value is a function, have Wilson's limits with ``z^2 - s^2``
    in place of ``z^2``: both errors are independent. The union over all thresholds covers at least .9375 in large
    samples at the level .95, however sharply the share of positives changes, and .95 where it changes smoothly: the
    distance of a normal pair from a curve that rises is that from a straight line, or from two half-lines at an angle
    of 90 degrees at least.
    """
    z = -normal_quantile(max(min(tail, 0.5), 5e-324))
    against = _against(crossing, z)
    open_ = np.flatnonzero(against < z) if z > 0 else np.array([int(np.argmin(against))])
    room = np.maximum(z**2 - against[open_] ** 2, 0.0)
    low, high = _wilson(crossing.wrong[open_], crossing.right[open_], room)
    scale = crossing.scale[open_]
    return Limits(float(_value(high, scale).min()), float(_value(low, scale).max()))


def _value(share: Floats, scale: Floats) -> Floats:
    return (1 - share) / ((1 - share) + scale * share)


def _wilson(successes: Floats, failures: Floats, room: Floats) -> tuple[Floats, Floats]:
    """Modified Wilson limits for the share of successes, `room` being the square of the normal quantile."""
    special = preload()
    trials = successes + failures
    twice = 2 * special.ndtr(-np.sqrt(room))

    def low(successes: Floats, failures: Floats) -> Floats:
        half = np.sqrt(room * (successes * failures / trials + room / 4))
        found = np.where(successes == 0, 0.0, (successes + room / 2 - half) / (trials + room))
        few = np.flatnonzero((successes > 0) & (successes <= FEW))
        found[few] = np.minimum(found[few], special.gammaincinv(successes[few], twice[few]) / trials[few])
        return found

    return low(successes, failures), 1 - low(failures, successes)


def _against(crossing: Crossing, z: float) -> Floats:
    """The standard score that speaks against each threshold, by exact binomial tails; infinite far beyond `z`."""
    special = preload()

    def score(successes: Floats, trials: Floats, sign: int) -> Floats:
        beyond = sign * (successes - crossing.share * trials)
        reach = z * np.sqrt(crossing.share * (1 - crossing.share) * trials) + z * z + 1
        found = np.where(beyond > reach, math.inf, 0.0)
        near = np.flatnonzero((beyond > 0) & (beyond <= reach))
        k, n = successes[near], trials[near]
        tails = (
            special.betainc(k, n - k + 1, crossing.share)
            if sign > 0
            else special.betaincc(k + 1, n - k, crossing.share)
        )
        found[near] = np.maximum(-special.ndtri(tails), 0.0)
        return found

    above = np.maximum.accumulate(score(crossing.before, crossing.before_trials, 1))
    return np.asarray(np.maximum(above, score(crossing.successes, crossing.trials, -1)))
