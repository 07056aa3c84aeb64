"""The middle and the greatest error."""

import inspect
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.data import Targets
from certus.errors import DataError
from certus.metrics.regression._outputs import Outputs, by_output, loss, output_weights
from certus.metrics.regression.losses import absolute_error
from certus.metrics.spellings import NEGATED, SCIKIT_LEARN
from certus.statistic import Plugin, Quantile

__all__ = ["max_error", "median_absolute_error"]


@loss(
    "MedAE",
    aliases=("medae",),
    spellings=(*SCIKIT_LEARN("median_absolute_error"), *SCIKIT_LEARN("neg_median_absolute_error", note=NEGATED)),
    source="Hyndman & Koehler (2006), Int. J. Forecast. 22(4):679-688, doi:10.1016/j.ijforecast.2006.03.001",
)
def median_absolute_error(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Any:
    """Distance between prediction and target that half of the samples do not exceed.

    ::

        MedAE = median over samples of |y - prediction|

    A few large errors do not move it. Of an even number of samples it is midway between the two in the middle. With
    weights it is the least error that at least half the weight does not exceed, or midway to the next one where the
    weight is just half.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, the mean of their medians; ``"raw_values"``, each by itself, as
        `Estimates`; or a weight for each, of which the part in their sum counts.

    Returns
    -------
    Quantile or Plugin
        The errors, whose interval holds for every distribution; a Plugin where medians are averaged.

    Examples
    --------
    The errors are 1/2, 1/2, 0 and 1.

    >>> import certus
    >>> certus.regression.median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value
    0.5
    """
    if multioutput == "raw_values":
        return by_output(targets, inspect.unwrap(median_absolute_error))
    weights = output_weights(multioutput, len(targets.outputs))
    errors = absolute_error(*targets.table)
    quantiles = [_quantile(column, targets, 0.5) for column in errors.T]
    if len(quantiles) == 1:
        return quantiles[0]
    mass = np.ones(len(targets)) if targets.weights is None else targets.weights
    units = np.arange(len(targets)) if targets.groups is None else targets.groups

    def medians(_rows: Any, times: Floats) -> float:
        of_samples = mass * times[units]
        return float(sum(part * each.of(of_samples[each.order]) for part, each in zip(weights, quantiles, strict=True)))

    return Plugin(np.arange(targets.units), medians, targets.unit)


@loss(
    "MaxError",
    aliases=("maximum_error",),
    spellings=(*SCIKIT_LEARN("max_error"), *SCIKIT_LEARN("neg_max_error", note=NEGATED)),
    source="Chebyshev's norm of the errors; as scikit-learn's max_error",
)
def max_error(targets: Targets) -> Any:
    """Greatest distance between prediction and target of any sample.

    ::

        max error = max over samples of |y - prediction|

    It grows with the number of samples, and these samples do not tell how far beyond it others can lie: it has no
    interval, and a bootstrap of it would not be one (Bickel & Freedman 1981). Weights and groups do not change it.

    Returns
    -------
    Quantile
        The errors, of which it is the last.

    Examples
    --------
    >>> import certus
    >>> certus.regression.max_error([3, 2, 7, 1], [4, 2, 7, 1]).value
    1.0
    """
    if targets.true.ndim == 2:
        raise DataError(f"there are {len(targets.outputs)} outputs; give one, the greatest error is of a single output")
    return _quantile(absolute_error(targets.true, targets.predicted), targets, 1.0)


def _quantile(errors: Floats, targets: Targets, q: float) -> Quantile:
    return Quantile(errors, q, weights=targets.weights, groups=targets.groups, unit=targets.unit)
