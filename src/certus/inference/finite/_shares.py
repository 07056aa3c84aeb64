"""The shares as functions of two counts: x relevant items among the predicted ones and y among the others.

Recall ``x / (x + y)`` and F1 ``2 x / (P + x + y)`` never fall in x and never rise in y. Values are compared as the
correctly rounded quotients of whole numbers, so that a limit given back is found again.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["F1", "FAR", "Recall", "ShareOf"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FAR = np.int64(2**53)
"""More items than any population has here."""


class ShareOf(Protocol):
    """A share as a function of the two counts."""

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y, not a whole number, at which the share is r."""


class Recall:
    """``x / (x + y)``."""

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""
        return x / np.maximum(x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y at which the share is r."""
        return x * ((1 - r) / r) if r > 0 else np.where(x > 0, np.inf, 0.0)


class F1:
    """``2 x / (predicted + x + y)``."""

    def __init__(self, predicted: int) -> None:
        self.predicted = predicted

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""
        return 2 * x / np.maximum(self.predicted + x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y at which the share is r."""
        if r <= 0:
            return np.where(x > 0, np.inf, 0.0)
        return x * (2 / r - 1) - self.predicted


def first_y(share: ShareOf, x: Ints, r: float, *, strict: bool) -> Ints:
    """The least y of at least 0 with which the share is at most r, or, if `strict`, less than r."""
    guess = np.clip(share.boundary(x.astype(np.float64), r), -1.0, float(FAR)).astype(np.int64) - 1
    y = np.maximum(guess, 0)
    while True:
        value = share.value(x, y)
        short = ((value >= r) if strict else (value > r)) & (y < FAR)
        if not short.any():
            return y
        # Nowhere is the guess off by more than the rounding of the boundary: one or two steps.
        y = np.where(short, y + 1 if r > 0 else FAR, y)
