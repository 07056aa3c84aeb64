"""Discounted gain of each sample's ranked labels."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import LabelGrades
from certus.errors import DataError, called
from certus.metrics.multilabel._rows import chosen

__all__ = ["discounted"]

MOST_EXPONENT = 1000
"""The greatest grade with an exponential gain: sums of 2^1000 are far from the end of float64."""


def discounted(
    data: LabelGrades, cutoff: int | None, gain: Literal["linear", "exp"], ignore_ties: bool, *, normalised: bool
) -> tuple[NDArray[np.float64], float]:
    """The (normalised) DCG of each sample, and the least grade.

    Raises
    ------
    DataError
        A gain is too great, or a negative one is to be normalised.
    """
    grades, scores = chosen(data.grades, data.selected), chosen(data.scores, data.selected)
    least, most = (float(grades.min()), float(grades.max())) if grades.size else (0.0, 0.0)
    if normalised and least < 0:
        raise DataError(
            f"{called('y_true')} holds {least:g}; a share of the best gain is for grades of at least 0, dcg takes "
            "negative ones"
        )
    if gain == "exp" and most > MOST_EXPONENT:
        raise DataError(f"{called('y_true')} holds {most:g}; gain='exp' takes grades of at most {MOST_EXPONENT}")
    values = kernels.label_dcg(
        grades, scores, cutoff=cutoff, exponential=gain == "exp", average=not ignore_ties, normalised=normalised
    )
    return values, least
