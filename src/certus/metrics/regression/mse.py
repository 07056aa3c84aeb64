"""Mean squared error and its root."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Targets
from certus.metrics._declare import metric
from certus.metrics.regression._outputs import Outputs, Summary, averaged
from certus.metrics.regression._root import root_of_mean

__all__ = ["mse", "rmse", "squared_error"]

Floats = NDArray[np.float64]
SOURCE = "Legendre (1805), Nouvelles méthodes pour la détermination des orbites des comètes, appendix"


@metric(
    "MSE",
    aliases=("mse", "mean_squared_error"),
    better="lower",
    bounds=(0.0, float("inf")),
    source=SOURCE,
)
def mse(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean squared distance between the predicted and the true number.

    ::

        MSE = mean over samples of (y - prediction)^2

    The mean of the target's distribution is what minimises it. A few large errors can decide it; then its
    interval is long above, and says where even that may not be enough.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One square per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    The squared errors are 1/4, 1/4, 0 and 1.

    >>> import certus
    >>> certus.regression.mse([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value
    0.375
    """
    return averaged(targets, squared_error, multioutput, value=kernels.sum_squared_error)


@metric(
    "RMSE",
    aliases=("rmse", "root_mean_squared_error"),
    better="lower",
    bounds=(0.0, float("inf")),
    source=SOURCE,
)
def rmse(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Any:
    """Root of the mean squared error, in the unit of the target.

    ::

        RMSE = sqrt(mean over samples of (y - prediction)^2)

    Of several outputs the roots are averaged, not the squares.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, the mean of their roots; ``"raw_values"``, each by itself, as
        `Estimates`; or a weight for each, of which the part in their sum counts.

    Returns
    -------
    Influence
        The influence of each sample, or group, on the root.

    Examples
    --------
    >>> import certus
    >>> certus.regression.rmse([0, 0], [3, 3]).value
    3.0
    """
    return root_of_mean(targets, squared_error, multioutput, value=lambda *pair: math.sqrt(_mean(*pair)), squares=True)


def squared_error(true: Floats, predicted: Floats) -> Floats:
    """``(y - prediction)^2`` of each sample and output."""
    with np.errstate(over="ignore"):  # a square beyond the range of floats is infinite
        errors = np.subtract(true, predicted)
        return np.asarray(np.square(errors, out=errors))


def _mean(true: Floats, predicted: Floats) -> float:
    return kernels.sum_squared_error(true, predicted) / len(true)
