"""The counts at one threshold."""

import math
from dataclasses import dataclass

__all__ = ["OperatingPoint"]


@dataclass(frozen=True)
class OperatingPoint:
    """Counts and rates when samples with a score of at least `threshold` are called positive.

    Attributes
    ----------
    threshold
        The threshold; infinity calls nothing positive.
    true_positives, false_positives, false_negatives, true_negatives
        How many samples each is; with weights the sums of those.

    Examples
    --------
    >>> point = OperatingPoint(0.8, true_positives=4, false_positives=1, false_negatives=2, true_negatives=3)
    >>> round(point.tpr, 2), point.fpr, point.precision, point.share
    (0.67, 0.25, 0.8, 0.5)
    """

    threshold: float
    true_positives: float
    false_positives: float
    false_negatives: float
    true_negatives: float

    @property
    def tpr(self) -> float:
        """True positive rate, also called recall or sensitivity: the share of the positives that are called so."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def fpr(self) -> float:
        """False positive rate: the share of the negatives that are called positive."""
        return _share(self.false_positives, self.true_negatives)

    @property
    def precision(self) -> float:
        """The share of positives among the samples that are called so; NaN if none is."""
        return _share(self.true_positives, self.false_positives)

    @property
    def share(self) -> float:
        """The share of all samples that are called positive."""
        called = self.true_positives + self.false_positives
        return _share(called, self.false_negatives + self.true_negatives)

    @property
    def mirrored(self) -> "OperatingPoint":
        """The point of the opposite answers, at (1 - FPR, 1 - TPR); its threshold is NaN, as it belongs to no score."""
        return OperatingPoint(
            math.nan, self.false_negatives, self.true_negatives, self.true_positives, self.false_positives
        )


def _share(inside: float, outside: float) -> float:
    return inside / (inside + outside) if inside + outside else math.nan
