"""A value at the threshold where a share is first reached."""

from typing import NamedTuple

from certus.arrays import Floats

__all__ = ["Crossing"]


class Crossing(NamedTuple):
    """The value that each threshold gives if the share crosses its level there in the population.

    Thresholds stand in the order of a walk that ends where the share first reaches the level, as recall does on the way
    down the scores. Counts are effective ones where samples have weights: ``1 / sum(w^2)`` of weights with the sum 1.

    Attributes
    ----------
    share
        The level, from 0 to 1.
    successes, trials
        Of the share at each threshold.
    before, before_trials
        Of the share just before it: ties are passed at once.
    wrong, right
        Two counts whose ratio has the value ``1 / (1 + scale * odds)`` where `odds` is what it estimates.
    scale
        As said.
    """

    share: float
    successes: Floats
    trials: Floats
    before: Floats
    before_trials: Floats
    wrong: Floats
    right: Floats
    scale: Floats
