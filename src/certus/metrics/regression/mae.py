"""Mean absolute error."""

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Targets
from certus.metrics._declare import metric
from certus.metrics.regression._outputs import Outputs, Summary, averaged

__all__ = ["absolute_error", "mae"]

Floats = NDArray[np.float64]


@metric(
    "MAE",
    aliases=("mae", "mean_absolute_error"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Willmott & Matsuura (2005), Clim. Res. 30(1):79-82, doi:10.3354/cr030079",
)
def mae(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean distance between the predicted and the true number.

    ::

        MAE = mean over samples of |y - prediction|

    It has the unit of the target, and the median of the target's distribution is what minimises it.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One distance per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    The errors are 1/2, 1/2, 0 and 1.

    >>> import certus
    >>> certus.regression.mae([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value
    0.5
    """
    return averaged(targets, absolute_error, multioutput, value=kernels.sum_absolute_error)


def absolute_error(true: Floats, predicted: Floats) -> Floats:
    """``|y - prediction|`` of each sample and output."""
    with np.errstate(over="ignore"):  # a distance beyond the range of floats is infinite
        errors = np.subtract(true, predicted)
    return np.asarray(np.abs(errors, out=errors))
