"""Losses between the absolute and the squared error, and of quantiles."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Targets
from certus.metrics._check import Between, Share
from certus.metrics._declare import metric
from certus.metrics.regression._outputs import Outputs, Summary, averaged

__all__ = ["huber", "pinball", "pinball_loss"]

Floats = NDArray[np.float64]


@metric(
    "Pinball",
    aliases=("pinball", "mean_pinball_loss", "quantile_loss"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Koenker & Bassett (1978), Econometrica 46(1):33-50, doi:10.2307/1913643",
)
def pinball(targets: Targets, *, alpha: Share = 0.5, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean loss of a predicted quantile: errors to either side cost unlike.

    ::

        pinball = mean over samples of  alpha (y - prediction)        where the prediction is too low
                                        (1 - alpha) (prediction - y)  where it is too high

    The `alpha` quantile of the target's distribution is what minimises it. With alpha = 1/2 it is half the MAE.

    Parameters
    ----------
    alpha
        Which quantile the prediction is meant to be.
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One loss per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    Too low by 2, which costs 2 * 3/4, and too high by 2, which costs 2 * 1/4.

    >>> import certus
    >>> certus.regression.pinball([3, 1], [1, 3], alpha=0.75).value
    1.0
    """
    value = _half_absolute_error if alpha == 0.5 else None
    return averaged(targets, lambda true, predicted: pinball_loss(true, predicted, alpha), multioutput, value=value)


@metric(
    "Huber",
    aliases=("huber", "huber_loss"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Huber (1964), Ann. Math. Stat. 35(1):73-101, doi:10.1214/aoms/1177703732",
)
def huber(
    targets: Targets,
    *,
    delta: Annotated[float, Between(above=0)] = 1.0,
    multioutput: Outputs = "uniform_average",
) -> Summary:
    """Mean of half the squared error of small errors and of the absolute error of large ones.

    ::

        Huber = mean over samples of  e^2 / 2                where |e| <= delta, e = y - prediction
                                      delta (|e| - delta/2)  where it is larger

    Parameters
    ----------
    delta
        From where an error counts in proportion, in the unit of the target.
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One loss per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    Errors of 1 and 3 cost 1/2 and 3 - 1/2.

    >>> import certus
    >>> certus.regression.huber([0, 0], [1, 3]).value
    1.5
    """

    def losses(true: Floats, predicted: Floats) -> Floats:
        errors = np.abs(true - predicted)
        small = np.minimum(errors, delta)
        return np.asarray(small * (errors - small / 2))

    return averaged(targets, losses, multioutput)


def _half_absolute_error(true: Floats, predicted: Floats) -> float:
    return kernels.sum_absolute_error(true, predicted) / 2


def pinball_loss(true: Floats, predicted: Floats, alpha: float) -> Floats:
    """The loss of each sample and output."""
    errors = true - predicted
    return np.asarray(np.where(errors >= 0, alpha * errors, (alpha - 1) * errors))
