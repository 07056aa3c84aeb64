"""Functions of the four cells of a class against the rest, with their derivatives.

Every metric of a class is put together from ratios of sums of ``tp, fp, fn, tn``, so that each is written once, as the
sums above and below, and its averages, gradient and intervals follow.
"""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Four", "Share", "Smooth"]

Floats = NDArray[np.float64]
Four: TypeAlias = tuple[Any, Any, Any, Any]
"""tp, fp, fn, tn: one number each or arrays of one shape."""


class Smooth(Protocol):
    """A function of the four cells; NaN where it is undefined."""

    def value(self, cells: Four) -> Floats:
        """The function, for arrays of cells."""
        ...

    def slopes(self, cells: Four) -> Four:
        """The derivative by each of the cells."""
        ...

    def why(self, cells: Four) -> str:
        """Which denominator is zero, for numbers; empty if none is."""
        ...


@dataclass(frozen=True, slots=True)
class Share:
    """A ratio of sums of the cells.

    Attributes
    ----------
    above, below
        How often each of tp, fp, fn and tn counts above and below the line.
    trial
        What is counted below the line, in the singular.
    dice
        Twice tp, over that and the mistakes: increasing in the share of tp among tp and the mistakes.

    Examples
    --------
    >>> precision = Share((1, 0, 0, 0), (1, 1, 0, 0), "predicted positive")
    >>> float(precision.value((3, 1, 5, 9)))
    0.75
    """

    above: tuple[float, float, float, float]
    below: tuple[float, float, float, float]
    trial: str
    dice: bool = False

    def value(self, cells: Four) -> Floats:
        """The ratio; NaN where it is 0/0."""
        above, below = _sum(self.above, cells), _sum(self.below, cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.true_divide(above, below), dtype=np.float64)

    def slopes(self, cells: Four) -> Four:
        """``(above_i - value below_i) / sum below`` for each cell i."""
        value, below = self.value(cells), _sum(self.below, cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            tp, fp, fn, tn = ((a - value * b) / below for a, b in zip(self.above, self.below, strict=True))
        return tp, fp, fn, tn

    def why(self, cells: Four) -> str:
        """That there is nothing below the line."""
        return "" if _sum(self.below, cells) else f"there are no {self.trial}s"


def _sum(times: tuple[float, float, float, float], cells: Four) -> Any:
    """Weighted sum that leaves out cells that do not count, so that nothing is rounded without need."""
    total: Any = 0
    for factor, cell in zip(times, cells, strict=True):
        if factor:
            total = total + (cell if factor == 1 else factor * cell)
    return total
