"""The walk of a threshold down the scores, and what a metric of it changes with the weight of each sample."""

import math
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from certus.metrics.classification._ordered import Floats
from certus.statistic import tally

__all__ = ["Walked"]

Marks = NDArray[np.uint8]

NEAREST = 8
"""Units that are near a threshold at least: a share of fewer would be known too badly."""


class Walked:
    """Samples by decreasing score, tied ones together: the steps that a threshold takes through them.

    Attributes
    ----------
    a, b
        Sum of the weights of the positives, and of the negatives, of each step.
    above, passed
        The same sums of all steps up to this one, itself included.

    Examples
    --------
    Scores .9 (positive), .5 (positive and negative), .1 (negative).

    >>> walked = Walked(np.array([3, 1, 2, 2], dtype=np.uint8), np.ones(4))
    >>> walked.a.tolist(), walked.b.tolist(), walked.above.tolist(), walked.passed.tolist()
    ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 2.0, 2.0], [0.0, 1.0, 2.0])
    """

    def __init__(self, marks: Marks, weights: Floats) -> None:
        self._positive = (marks & 1).astype(bool)
        self._weights = weights
        ends = np.flatnonzero(marks & 2)
        self._step = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=-1))
        self.a: Floats = tally(self._step, np.where(self._positive, weights, 0.0), len(ends))
        self.b: Floats = tally(self._step, np.where(self._positive, 0.0, weights), len(ends))

    @classmethod
    def of(cls, a: Floats, b: Floats) -> Self:
        """The steps alone, without samples."""
        made = cls.__new__(cls)
        made.a, made.b = a, b
        return made

    @cached_property
    def above(self) -> Floats:
        return np.cumsum(self.a)

    @cached_property
    def passed(self) -> Floats:
        return np.cumsum(self.b)

    @property
    def positives(self) -> float:
        return float(self.above[-1])

    @property
    def negatives(self) -> float:
        return float(self.passed[-1])

    def terms(self, of_positive: Floats, of_negative: Floats) -> Floats:
        """What each sample adds, from the derivatives by the weight of a positive and of a negative of each step."""
        each = np.where(self._positive, of_positive[self._step], of_negative[self._step])
        return np.asarray(self._weights * each)

    def local_share(self, step: int, units: int, spread: float = 1.0) -> float | None:
        """The share of positives where a threshold at the end of this step would move to: among the samples near it.

        With n units the part ``spread / sqrt(n)`` of the weights on either side is near, about as far as the threshold
        of another sample of the same law would lie: `spread` is the standard deviation of what one unit adds to the
        depth that is wanted, less what it adds to the samples above the threshold. It is the weight of 8 units at
        least, and with the spread 1 at most. None where the step itself holds as much: its score is a value of its own,
        which the threshold does not leave.
        """
        until = self.above + self.passed
        near = float(until[-1]) / math.sqrt(units) * min(max(spread, NEAREST / math.sqrt(units)), 1.0)
        if self.a[step] + self.b[step] > near:
            return None
        first = int(np.searchsorted(until, until[step] - near, side="right"))
        last = int(np.searchsorted(until, until[step] + near))
        a, b = float(self.a[first : last + 1].sum()), float(self.b[first : last + 1].sum())
        return a / (a + b)
