"""Brier score."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus.data import Probabilities
from certus.metrics._declare import metric
from certus.metrics.classification._samples import per_sample
from certus.statistic import Mean, Ratio

__all__ = ["brier", "squared_distance"]


@metric(
    "Brier",
    aliases=("brier", "brier_score", "brier_score_loss"),
    better="lower",
    bounds=(0.0, 2.0),
    source="Brier (1950), Mon. Weather Rev. 78(1):1-3, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
)
def brier(probabilities: Probabilities, *, scale_by_half: bool | Literal["auto"] = "auto") -> Mean | Ratio:
    """Mean squared distance between the probabilities and what happened.

    ::

        Brier = mean over samples of  sum over classes c of (p(c) - [c is the true class])^2

    That is Brier's own definition, from 0 to 2. For two classes each sample counts both of them, twice the same, so
    there it is customary to halve it, which gives ``(p - y)^2`` for the probability p of the positive class.

    Parameters
    ----------
    scale_by_half
        ``"auto"``: halved for two classes, Brier's own for more, as in scikit-learn. True: halved, from 0 to 1. False:
        Brier's own, from 0 to 2.

    Returns
    -------
    Mean or Ratio
        One squared distance per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    The squared errors are 1/16 and 9/16.

    >>> import certus
    >>> certus.classification.brier([1, 1], [0.75, 0.25]).value
    0.3125
    >>> certus.classification.brier([1, 1], [0.75, 0.25], scale_by_half=False).value
    0.625
    """
    squares = squared_distance(probabilities)
    two = probabilities.scores.ndim == 1 or probabilities.scores.shape[1] <= 2
    if scale_by_half is True or (scale_by_half == "auto" and two):
        squares *= 0.5
        return per_sample(squares, probabilities, bounds=(0.0, 1.0))
    return per_sample(squares, probabilities)


def squared_distance(probabilities: Probabilities) -> NDArray[np.float64]:
    """Of each sample: the sum over all classes, Brier's own scale."""
    given, true = probabilities.scores, probabilities.true
    if given.ndim == 1:
        errors: NDArray[np.float64] = np.subtract(given, probabilities.hits, dtype=np.float64)
        np.square(errors, out=errors)
        errors *= 2
        return errors
    errors = given.astype(np.float64)
    errors[np.arange(len(true)), true] -= 1
    squares: NDArray[np.float64] = np.einsum("nc,nc->n", errors, errors)
    return squares
