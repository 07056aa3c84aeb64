"""Balanced accuracy."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels
from certus.metrics._declare import metric
from certus.metrics.classification._average import Averaged, Undefined, of_table
from certus.metrics.classification._shares import RECALL
from certus.statistic import Cells

__all__ = ["balanced_accuracy"]

Floats = NDArray[np.float64]


def _bounds(parameters: Mapping[str, Any]) -> tuple[float, float]:
    return (-1.0 if parameters["adjusted"] else 0.0, 1.0)


@metric(
    "BalancedAccuracy",
    aliases=("balanced_accuracy", "balanced_accuracy_score"),
    bounds=_bounds,
    source="Brodersen, Ong, Stephan & Buhmann (2010), ICPR, 3121-3124, doi:10.1109/ICPR.2010.764",
)
def balanced_accuracy(data: Labels, *, adjusted: bool = False, undefined: Undefined = "nan") -> Cells:
    """Mean over classes of the share of its samples that are recognised: accuracy as if all classes were equally large.

    ::

        balanced accuracy = mean over classes of tp / (tp + fn)
        adjusted          = (balanced accuracy - 1 / classes) / (1 - 1 / classes)

    A class that is predicted but that no sample truly has is 0/0; scikit-learn leaves it out of the mean, which is
    ``undefined="skip"``.

    Parameters
    ----------
    adjusted
        Rescale so that guessing gives 0 and a perfect prediction 1. Skipped classes are not counted as classes.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of the mean) or a number.

    Returns
    -------
    Cells
        A function of the confusion matrix, in [0, 1]; adjusted in [-1, 1].

    Examples
    --------
    All of four dogs and one of two cats are recognised: the mean of 1 and 1/2.

    >>> import certus
    >>> y_true, y_pred = ["dog", "dog", "dog", "dog", "cat", "cat"], ["dog", "dog", "dog", "dog", "dog", "cat"]
    >>> certus.classification.balanced_accuracy(y_true, y_pred).value
    0.75
    >>> certus.classification.balanced_accuracy(y_true, y_pred, adjusted=True).value
    0.5
    """
    mean = Averaged(RECALL, "macro", undefined, data.selected, "square")
    return of_table(data.table, _Adjusted(mean) if adjusted else mean, data.classes)


@dataclass(frozen=True, slots=True, eq=False)
class _Adjusted:
    """A mean over classes, rescaled so that 1 / classes becomes 0."""

    mean: Averaged

    def value(self, tables: Floats) -> Floats:
        """The rescaled mean; NaN of a single class."""
        classes = self.mean.classes(tables)
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = 1 / np.where(classes > 1, classes, np.nan)
            return np.asarray((self.mean.value(tables) - chance) / (1 - chance))

    def gradient(self, table: Floats) -> Floats:
        """The derivative of the mean, rescaled."""
        classes = float(self.mean.classes(table))
        return self.mean.gradient(table) / (1 - 1 / classes if classes > 1 else math.inf)

    def why(self, table: Floats, classes: tuple[Any, ...]) -> str:
        """What is undefined."""
        return self.mean.why(table, classes) or "chance and perfection are the same for a single class"
