"""Squared error of logarithms."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Targets
from certus.errors import DataError
from certus.metrics._declare import metric
from certus.metrics.regression._outputs import Outputs, Summary, averaged
from certus.metrics.regression._root import root_of_mean

__all__ = ["msle", "rmsle"]

Floats = NDArray[np.float64]
SOURCE = "Törnqvist, Vartia & Vartia (1985), Am. Stat. 39(1):43-46, doi:10.1080/00031305.1985.10479385"


@metric("MSLE", aliases=("msle", "mean_squared_log_error"), better="lower", bounds=(0.0, float("inf")), source=SOURCE)
def msle(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean squared difference of the logarithms of 1 + target and 1 + prediction.

    ::

        MSLE = mean over samples of (log(1 + y) - log(1 + prediction))^2

    The logarithm is natural. All numbers must be above -1; others are an error.

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
    1 + y is twice 1 + prediction, and the prediction right: (ln 2)^2 / 2.

    >>> import certus
    >>> round(certus.regression.msle([3, 1], [1, 1]).value, 4)
    0.2402
    """
    _check(targets)
    return averaged(targets, squared_log_error, multioutput)


@metric(
    "RMSLE", aliases=("rmsle", "root_mean_squared_log_error"), better="lower", bounds=(0.0, float("inf")), source=SOURCE
)
def rmsle(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Any:
    """Root of the mean squared difference of logarithms: about the usual relative error, for small ones.

    ::

        RMSLE = sqrt(mean over samples of (log(1 + y) - log(1 + prediction))^2)

    The logarithm is natural. All numbers must be above -1; others are an error.

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
    >>> round(certus.regression.rmsle([3, 1], [1, 0]).value, 4)
    0.6931
    """
    _check(targets)
    return root_of_mean(targets, squared_log_error, multioutput)


def squared_log_error(true: Floats, predicted: Floats) -> Floats:
    """``log((1 + y) / (1 + prediction))^2``, the quotient's distance from 1 being taken without cancellation."""
    ratio = (true - predicted) / (1 + predicted)
    # Far from 1 the two logarithms are subtracted: 1 + ratio would lose what is near 0.
    near = np.abs(ratio) < 0.5
    logs = np.where(near, np.log1p(np.where(near, ratio, 0.0)), np.log1p(true) - np.log1p(predicted))
    return np.asarray(logs * logs)


def _check(targets: Targets) -> None:
    for name, values in (("y_true", targets.true), ("y_pred", targets.predicted)):
        if values.size and not values.min() > -1:
            place = np.unravel_index(int(values.argmin()), values.shape)
            remedy = "the logarithm of 1 + it needs more than -1"
            raise DataError.of_cell(name, place, values[place], f"{values[place]:g}", remedy)
