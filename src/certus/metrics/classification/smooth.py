"""Functions of the four cells of a class against the rest, with their derivatives.

Every metric of a class is put together from ratios of sums of ``tp, fp, fn, tn``, so that each is written once, as the
sums above and below, and its averages, gradient and intervals follow.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from certus.arrays import Floats

Four: TypeAlias = tuple[Any, Any, Any, Any]
"""tp, fp, fn, tn: one number each or arrays of one shape."""


@dataclass(frozen=True, slots=True)
class Share:
    """A ratio of sums of the cells.

    Attributes
    ----------
    numerator, denominator
        How often each of tp, fp, fn and tn counts in the numerator and in the denominator.
    trial
        What the denominator counts, in the singular.
    dice
        Twice tp, over that and the mistakes: increasing in the share of tp among tp and the mistakes.

    Examples
    --------
    >>> precision = Share((1, 0, 0, 0), (1, 1, 0, 0), "predicted positive")
    >>> float(precision.value((3, 1, 5, 9)))
    0.75
    """

    numerator: tuple[float, float, float, float]
    denominator: tuple[float, float, float, float]
    trial: str
    dice: bool = False

    def value(self, cells: Four) -> Floats:
        """The ratio; NaN where it is 0/0."""
        numerator, denominator = cell_sum(self.numerator, cells), cell_sum(self.denominator, cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.true_divide(numerator, denominator), dtype=np.float64)

    def slopes(self, cells: Four) -> Four:
        """``(numerator_i - value denominator_i) / sum denominator`` for each cell i."""
        value, denominator = self.value(cells), cell_sum(self.denominator, cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            tp, fp, fn, tn = (
                (a - value * b) / denominator for a, b in zip(self.numerator, self.denominator, strict=True)
            )
        return tp, fp, fn, tn

    def reason(self, cells: Four) -> str:
        """The denominator that is zero, in words; empty if it is not."""
        return "" if cell_sum(self.denominator, cells) else f"there are no {self.trial}s"


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of shares and a number."""

    shares: tuple[Share, ...]
    number: float

    def value(self, cells: Four) -> Floats:
        """The sum; NaN where one of the shares is 0/0."""
        first, *remaining = (share.value(cells) for share in self.shares)
        return np.asarray(sum(remaining, first) + self.number)

    def slopes(self, cells: Four) -> Four:
        """The sums of the derivatives."""
        tp, fp, fn, tn = (
            sum(cell_slopes) for cell_slopes in zip(*(share.slopes(cells) for share in self.shares), strict=True)
        )
        return tp, fp, fn, tn

    def reason(self, cells: Four) -> str:
        """The share that has nothing below the line, in words."""
        return next(filter(None, (share.reason(cells) for share in self.shares)), "")


@dataclass(frozen=True, slots=True)
class Product:
    """A product of powers of shares; infinite where it divides a positive number by 0."""

    powers: tuple[tuple[Share, float], ...]

    def value(self, cells: Four) -> Floats:
        """The product; NaN where one of the shares is 0/0, or the whole is."""
        product: Any = 1.0
        with np.errstate(divide="ignore", invalid="ignore"):
            for share, power in self.powers:
                product = product * share.value(cells) ** power
        return np.asarray(product, dtype=np.float64)

    def slopes(self, cells: Four) -> Four:
        """``product * sum of (power / share * slope of the share)``; NaN where a share is 0."""
        value = self.value(cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [
                [power / share.value(cells) * slope for slope in share.slopes(cells)] for share, power in self.powers
            ]
            tp, fp, fn, tn = (value * sum(cell_slopes) for cell_slopes in zip(*logs, strict=True))
        return tp, fp, fn, tn

    def reason(self, cells: Four) -> str:
        """The share that has nothing below the line, in words, or that the product is 0/0."""
        missing = next(filter(None, (share.reason(cells) for share, _ in self.powers)), "")
        return missing or ("the ratio is 0/0" if np.isnan(self.value(cells)) else "")


Smooth: TypeAlias = Share | Sum | Product
"""A function of the four cells, NaN where it is undefined; its slopes; and the reason, in words for numbers."""


def cell_sum(times: tuple[float, float, float, float], cells: Four) -> Any:
    """Weighted sum that leaves out cells that do not count, so that nothing is rounded without need."""
    total: Any = 0
    for factor, cell in zip(times, cells, strict=True):
        if factor:
            total = total + (cell if factor == 1 else factor * cell)
    return total


# The cells are tp, fp, fn, tn.
PRECISION = Share((1, 0, 0, 0), (1, 1, 0, 0), "predicted positive")
RECALL = Share((1, 0, 0, 0), (1, 0, 1, 0), "positive")
SPECIFICITY = Share((0, 0, 0, 1), (0, 1, 0, 1), "negative")
NPV = Share((0, 0, 0, 1), (0, 0, 1, 1), "predicted negative")
FPR = Share((0, 1, 0, 0), (0, 1, 0, 1), "negative")
FNR = Share((0, 0, 1, 0), (1, 0, 1, 0), "positive")
F1 = Share((2, 0, 0, 0), (2, 1, 1, 0), "true or predicted positive", dice=True)
JACCARD = Share((1, 0, 0, 0), (1, 1, 1, 0), "true or predicted positive")
PREVALENCE = Share((1, 0, 1, 0), (1, 1, 1, 1), "sample")

INFORMEDNESS = Sum((RECALL, SPECIFICITY), -1.0)
MARKEDNESS = Sum((PRECISION, NPV), -1.0)
POSITIVE_LIKELIHOOD = Product(((RECALL, 1.0), (FPR, -1.0)))
NEGATIVE_LIKELIHOOD = Product(((FNR, 1.0), (SPECIFICITY, -1.0)))
FOWLKES_MALLOWS = Product(((PRECISION, 0.5), (RECALL, 0.5)))


def fbeta_share(beta: float) -> Share:
    """F-beta; F1 has an interval of its own."""
    if beta == 1:
        return F1
    square = beta * beta
    return Share((1 + square, 0, 0, 0), (1 + square, 1, square, 0), "true or predicted positive")
