"""Samples whose order is known, but not their scores."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data.scores import Ordered, Scores
from certus.errors import DataError, keyword

BLOCK = 1 << 20
BYTES_PER_SAMPLE = 48
"""Bytes for each sample, where something is computed of each."""


class MarkedScores(Scores):
    """A byte for each sample, by decreasing score: AUC, AP and KS of scores that do not fit into memory need no more.

    Parameters
    ----------
    marks
        As for `Ordered`.
    memory
        Bytes that what is computed of each sample may take; None is no limit.

    Examples
    --------
    >>> MarkedScores(np.array([3, 1, 2, 2], dtype=np.uint8))
    <Scores of 2 positives and 2 negatives>
    """

    def __init__(self, marks: NDArray[np.uint8], memory: int | None = None) -> None:
        vars(self)["ordered"] = Ordered(marks, None, None, len(marks))
        vars(self)["_memory"] = memory

    _memory: int | None

    def __len__(self) -> int:
        return self.ordered.size

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The truth by decreasing score, which is made when it is needed; scores there are none."""
            if name == "truth":
                return (self.ordered.marks & 1).view(np.bool_)
            if name == "score":
                raise _no_room()
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @cached_property
    def ranked(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """The samples in their order, which is by decreasing score already."""
        self.need(BYTES_PER_SAMPLE)
        return np.arange(len(self)), self.ordered.marks

    def need(self, each: int) -> None:
        """Refuse what takes some bytes of each sample, if these are more than there are."""
        if self._memory is not None and each * len(self) > self._memory:
            raise _no_room()

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The number of positives, and of negatives."""
        marks = self.ordered.marks
        starts = range(0, len(marks), BLOCK)
        positives = sum(int(np.count_nonzero(marks[start : start + BLOCK] & 1)) for start in starts)
        return positives, len(marks) - positives

    def auc(self) -> tuple[int, int, int]:
        """The counts of `kernels.score_auc`."""
        return kernels.score_auc_of_marks(self.ordered.marks)

    def average_precision(self) -> tuple[float, float, float, float, tuple[tuple[float, ...], ...]]:
        """The values of `kernels.score_average_precision`."""
        return kernels.score_average_precision_of_marks(self.ordered.marks)

    def highest(self, number: int) -> NDArray[np.uint8]:
        """The marks of the `number` samples with the highest scores, and of all others with the last one's score."""
        marks = self.ordered.marks
        for start in range(number - 1, len(marks), BLOCK):
            steps = np.flatnonzero(marks[start : start + BLOCK] & 2)
            if len(steps):
                return marks[: start + int(steps[0]) + 1]
        return marks


def _no_room() -> DataError:
    return DataError(
        "the value or its interval needs all samples at once, which do not fit into memory",
        f"give more with {keyword('memory')}",
        argument="memory",
        subject="",
    )
