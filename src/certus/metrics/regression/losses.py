"""Mean losses of numbers: absolute, squared, logarithmic, quantile and relative losses."""

import math
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError
from certus.data import Targets
from certus.metrics.check import Doc, Range, Share
from certus.metrics.classification.per_sample import sample_ratio
from certus.metrics.regression.smooth import (
    Outputs,
    Roots,
    Summary,
    ValueInfluence,
    averaged,
    loss,
    output_metric,
    output_weights,
    root_of_mean,
)
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import Quantiles, SampleSums
from certus.statistic import Plugin, Quantile
from certus.statistic.common import unit_kinds

_LEGENDRE = "Legendre (1805), Nouvelles méthodes pour la détermination des orbites des comètes, appendix"
Quantiled: TypeAlias = Annotated[Any, Doc(forms=("Quantile", "Plugin"))]
"""A quantile of errors, or the mean of those of several outputs."""
_TORNQVIST = "Törnqvist, Vartia & Vartia (1985), Am. Stat. 39(1):43-46, doi:10.1080/00031305.1985.10479385"


@loss(
    "MAE",
    words=("l1 norm loss", "平均绝对误差"),
    spellings=SCIKIT_LEARN("mean_absolute_error", "neg_mean_absolute_error"),
    source="Willmott & Matsuura (2005), Clim. Res. 30(1):79-82, doi:10.3354/cr030079",
    state=SampleSums(),
)
def mae(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean distance between the predicted and the true number.

    ``MAE = mean over samples of |y - prediction|``. It has the unit of the target, and the median of the target's
    distribution is what minimises it.

    Examples
    --------
    The errors are 1/2, 1/2, 0 and 1.

    >>> import certus
    >>> certus.regression.mae([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value
    0.5
    """
    return averaged(
        targets,
        absolute_error,
        multioutput,
        value=kernels.sum_absolute_error,
        moments=kernels.moments_of_absolute_error,
    )


def absolute_error(true: Floats, predicted: Floats) -> Floats:
    """``|y - prediction|`` of each sample and output."""
    with np.errstate(over="ignore"):  # a distance beyond the range of floats is infinite
        errors = np.subtract(true, predicted)
    return np.asarray(np.abs(errors, out=errors))


@loss(
    "MSE",
    words=("l2 norm loss", "平均平方误差"),
    spellings=SCIKIT_LEARN("mean_squared_error", "neg_mean_squared_error"),
    source=_LEGENDRE,
    state=SampleSums(),
)
def mse(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean squared distance between the predicted and the true number.

    ``MSE = mean over samples of (y - prediction)^2``. The mean of the target's distribution is what minimises it. A few
    large errors can decide it; then its interval is long above, and says where even that may not be enough.

    Examples
    --------
    The squared errors are 1/4, 1/4, 0 and 1.

    >>> import certus
    >>> certus.regression.mse([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value
    0.375
    """
    return averaged(
        targets, squared_error, multioutput, value=kernels.sum_squared_error, moments=kernels.moments_of_squared_error
    )


@loss(
    "RMSE",
    spellings=SCIKIT_LEARN("root_mean_squared_error", "neg_root_mean_squared_error"),
    source=_LEGENDRE,
    state=SampleSums(root_of="MSE", several=False),
)
def rmse(targets: Targets, *, multioutput: Roots = "uniform_average") -> ValueInfluence:
    """Root of the mean squared error, in the unit of the target.

    ``RMSE = sqrt(mean over samples of (y - prediction)^2)``. Of several outputs the roots are averaged, not the
    squares.

    Examples
    --------
    >>> import certus
    >>> certus.regression.rmse([0, 0], [3, 3]).value
    3.0
    """
    return root_of_mean(
        targets,
        squared_error,
        multioutput,
        value=_root_mean_squared_error,
        moments=kernels.moments_of_squared_error,
    )


def _root_mean_squared_error(true: Floats, predicted: Floats) -> float:
    return math.sqrt(kernels.sum_squared_error(true, predicted) / len(true))


def squared_error(true: Floats, predicted: Floats) -> Floats:
    """``(y - prediction)^2`` of each sample and output."""
    with np.errstate(over="ignore"):  # a square beyond the range of floats is infinite
        errors = np.subtract(true, predicted)
        return np.asarray(np.square(errors, out=errors))


def check_logarithms(targets: Targets, **_: object) -> None:
    """Refuse numbers of which 1 + them has no logarithm."""
    for name, values in (("y_true", targets.true), ("y_pred", targets.predicted)):
        if values.size and not values.min() > -1:
            index = np.unravel_index(int(values.argmin()), values.shape)
            remedy = "the logarithm of 1 + it needs more than -1"
            raise DataError.for_value(name, index, values[index], f"{values[index]:g}", remedy)


@loss(
    "MSLE",
    domain=check_logarithms,
    spellings=SCIKIT_LEARN("mean_squared_log_error", "neg_mean_squared_log_error"),
    source=_TORNQVIST,
    state=SampleSums(),
)
def msle(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean squared difference of the logarithms of 1 + target and 1 + prediction.

    ``MSLE = mean over samples of (log(1 + y) - log(1 + prediction))^2``. The logarithm is natural. All numbers must be
    above -1; others are an error.

    Examples
    --------
    1 + y is twice 1 + prediction, and the prediction right: (ln 2)^2 / 2.

    >>> import certus
    >>> round(certus.regression.msle([3, 1], [1, 1]).value, 4)
    0.2402
    """
    return averaged(targets, squared_log_error, multioutput)


@loss(
    "RMSLE",
    domain=check_logarithms,
    spellings=SCIKIT_LEARN("root_mean_squared_log_error", "neg_root_mean_squared_log_error"),
    source=_TORNQVIST,
    state=SampleSums(root_of="MSLE", several=False),
)
def rmsle(targets: Targets, *, multioutput: Roots = "uniform_average") -> ValueInfluence:
    """Root of the mean squared difference of logarithms: about the usual relative error, for small ones.

    ``RMSLE = sqrt(mean over samples of (log(1 + y) - log(1 + prediction))^2)``. The logarithm is natural. All numbers
    must be above -1; others are an error.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.rmsle([3, 1], [1, 0]).value, 4)
    0.6931
    """
    return root_of_mean(targets, squared_log_error, multioutput)


def squared_log_error(true: Floats, predicted: Floats) -> Floats:
    """``log((1 + y) / (1 + prediction))^2``, the quotient's distance from 1 being taken without cancellation."""
    ratio = (true - predicted) / (1 + predicted)
    # Far from 1 the two logarithms are subtracted: 1 + ratio would lose what is near 0.
    near = np.abs(ratio) < 0.5
    logs = np.where(near, np.log1p(np.where(near, ratio, 0.0)), np.log1p(true) - np.log1p(predicted))
    return np.asarray(logs * logs)


@loss(
    "Pinball",
    aliases=("quantile_loss",),
    spellings=SCIKIT_LEARN("mean_pinball_loss"),
    source="Koenker & Bassett (1978), Econometrica 46(1):33-50, doi:10.2307/1913643",
    state=SampleSums(),
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

    Examples
    --------
    Too low by 2, which costs 2 * 3/4, and too high by 2, which costs 2 * 1/4.

    >>> import certus
    >>> certus.regression.pinball([3, 1], [1, 3], alpha=0.75).value
    1.0
    """
    value = _half_absolute_error if alpha == 0.5 else None
    return averaged(targets, partial(pinball_loss, alpha=alpha), multioutput, value=value)


@loss(
    "Huber",
    aliases=("huber_loss",),
    source="Huber (1964), Ann. Math. Stat. 35(1):73-101, doi:10.1214/aoms/1177703732",
    state=SampleSums(),
)
def huber(
    targets: Targets,
    *,
    delta: Annotated[float, Range(greater_than=0)] = 1.0,
    multioutput: Outputs = "uniform_average",
) -> Summary:
    """Mean loss that is quadratic for small errors and linear for large ones.

    ::

        Huber = mean over samples of  e^2 / 2                where |e| <= delta, e = y - prediction
                                      delta (|e| - delta/2)  where it is larger

    Parameters
    ----------
    delta
        From where an error counts in proportion, in the unit of the target.

    Examples
    --------
    Errors of 1 and 3 cost 1/2 and 3 - 1/2.

    >>> import certus
    >>> certus.regression.huber([0, 0], [1, 3]).value
    1.5
    """
    return averaged(targets, partial(_huber, delta=delta), multioutput)


def _huber(true: Floats, predicted: Floats, delta: float) -> Floats:
    errors = np.abs(true - predicted)
    small = np.minimum(errors, delta)
    return np.asarray(small * (errors - small / 2))


def _half_absolute_error(true: Floats, predicted: Floats) -> float:
    return kernels.sum_absolute_error(true, predicted) / 2


def pinball_loss(true: Floats, predicted: Floats, alpha: float) -> Floats:
    """The loss of each sample and output."""
    with np.errstate(over="ignore"):  # a distance beyond the range of floats is infinite
        errors = true - predicted
    return np.asarray(np.where(errors >= 0, alpha * errors, (alpha - 1) * errors))


@loss(
    "MedAE",
    aliases=("medae",),
    spellings=SCIKIT_LEARN("median_absolute_error", "neg_median_absolute_error"),
    source="Hyndman & Koehler (2006), Int. J. Forecast. 22(4):679-688, doi:10.1016/j.ijforecast.2006.03.001",
    state=Quantiles(),
)
def median_absolute_error(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Quantiled:
    """Distance between prediction and target that half of the samples do not exceed.

    ``MedAE = median over samples of |y - prediction|``. A few large errors do not move it. Of an even number of samples
    it is midway between the two in the middle. With weights it is the least error that at least half the weight does
    not exceed, or midway to the next one where the weight is just half.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, the mean of their medians; ``"raw_values"``, each by itself, as
        `Estimates`; or a weight for each, of which the part in their sum counts.

    Examples
    --------
    The errors are 1/2, 1/2, 0 and 1.

    >>> import certus
    >>> certus.regression.median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value
    0.5
    """
    weights = output_weights(multioutput, len(targets.outputs))
    errors = absolute_error(*targets.table)
    quantiles = [_quantile(column, targets, 0.5) for column in errors.T]
    if len(quantiles) == 1:
        return quantiles[0]
    function = partial(_mean_quantile, quantiles, weights, targets.mass, targets.unit_codes)
    return Plugin(unit_kinds(targets.groups, *errors.T, targets.mass), function, targets.unit)


def _mean_quantile(
    quantiles: list[Quantile], parts: Floats, mass: Floats, units: NDArray[Any], rows: Any, times: Floats
) -> float:
    del rows  # each unit stands for itself
    of_samples = mass * times[units]
    return float(
        sum(part * quantile.of(of_samples[quantile.order]) for part, quantile in zip(parts, quantiles, strict=True))
    )


@loss(
    "MaxError",
    aliases=("maximum_error",),
    spellings=SCIKIT_LEARN("max_error", "neg_max_error"),
    source="Chebyshev's norm of the errors; as scikit-learn's max_error",
    state=Quantiles(),
)
def max_error(targets: Targets) -> Quantiled:
    """Greatest distance between prediction and target of any sample.

    ``max error = max over samples of |y - prediction|``. It grows with the number of samples, and these samples do not
    tell how far beyond it others can lie: it has no interval, and a bootstrap of it would not be one (Bickel & Freedman
    1981). Weights and groups do not change it.

    Examples
    --------
    >>> import certus
    >>> certus.regression.max_error([3, 2, 7, 1], [4, 2, 7, 1]).value
    1.0
    """
    if targets.true.ndim == 2:
        raise DataError(
            f"there are {len(targets.outputs)} outputs", "give one, the greatest error is of a single output"
        )
    return _quantile(absolute_error(targets.true, targets.predicted), targets, 1.0)


def _quantile(errors: Floats, targets: Targets, q: float) -> Quantile:
    return Quantile(errors, q, weights=targets.weights, groups=targets.groups, unit=targets.unit)


@loss(
    "MAPE",
    spellings=SCIKIT_LEARN("mean_absolute_percentage_error", "neg_mean_absolute_percentage_error"),
    source="de Myttenaere et al. (2016), Neurocomputing 192:38-48, doi:10.1016/j.neucom.2015.12.114",
    state=SampleSums(is_quotient=True),
)
def mape(
    targets: Targets,
    *,
    zeros: Literal["nan", "skip", "epsilon"] = "nan",
    multioutput: Outputs = "uniform_average",
) -> Summary:
    """Mean distance between prediction and target as a part of the target.

    ``MAPE = mean over samples of |y - prediction| / |y|``. It is a part, not a percentage: 0.1 is 10%. A target of 0
    has no relative error.

    Parameters
    ----------
    zeros
        What a target of 0 does. ``"nan"``: the value is undefined. ``"skip"``: such samples are left out.
        ``"epsilon"``: as scikit-learn, ``|y|`` counts as 2.2e-16 at least, so that one such sample makes the mean huge.

    Examples
    --------
    Off by a half and by a quarter.

    >>> import certus
    >>> certus.regression.mape([2, 4], [1, 5]).value
    0.375
    >>> certus.regression.mape([2, 0], [1, 5]).reason
    '1 of 2 samples has no value'
    """
    return _skipping(targets, partial(_of_target, zeros=zeros), multioutput, zeros)


def _of_target(true: Floats, predicted: Floats, zeros: str) -> Floats:
    size = np.abs(true)
    if zeros == "epsilon":
        size = np.maximum(size, np.finfo(np.float64).eps)
    return _quotients(np.abs(true - predicted), size)


@output_metric(
    "sMAPE",
    aliases=("SMAPE", "symmetric_mean_absolute_percentage_error"),
    better="lower",
    bounds=lambda values: (0.0, 2.0 if values["denominator"] == "mean" else 1.0),
    source="Makridakis (1993), Int. J. Forecast. 9(4):527-529, doi:10.1016/0169-2070(93)90079-3",
    state=SampleSums(is_quotient=True),
)
def smape(
    targets: Targets,
    *,
    denominator: Literal["mean", "sum"] = "mean",
    zeros: Literal["perfect", "nan", "skip"] = "perfect",
    multioutput: Outputs = "uniform_average",
) -> Summary:
    """Mean distance between prediction and target as a part of the mean of their sizes.

    ``sMAPE = mean over samples of |y - prediction| / ((|y| + |prediction|) / 2)``. It is a part, not a percentage.
    Errors below the target cost more than errors as far above it.

    Parameters
    ----------
    denominator
        ``"mean"``: of the two sizes, so that sMAPE goes from 0 to 2. ``"sum"``: of the two, from 0 to 1. Both are in
        use.
    zeros
        What a sample does whose target and prediction both are 0. ``"perfect"``: its error is 0, as there is none.
        ``"nan"``: the value is undefined. ``"skip"``: such samples are left out.

    Examples
    --------
    Off by 1 at a mean size of 2, and right.

    >>> import certus
    >>> certus.regression.smape([1.5, 4], [2.5, 4]).value
    0.25
    >>> certus.regression.smape([1.5, 4], [2.5, 4], denominator="sum").value
    0.125
    """
    losses = partial(_symmetric_losses, denominator=denominator, zeros=zeros)
    return _skipping(targets, losses, multioutput, zeros)


def _symmetric_losses(true: Floats, predicted: Floats, denominator: str, zeros: str) -> Floats:
    # halves first: the sum of the sizes of two large numbers would overflow
    size = np.abs(true) / 2 + np.abs(predicted) / 2
    quotients = 2 * _quotients(np.abs(true / 2 - predicted / 2), size)
    if zeros == "perfect":
        quotients[size == 0] = 0.0
    return quotients if denominator == "mean" else quotients / 2


def _quotients(numerator: Floats, denominator: Floats) -> Floats:
    quotients: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator != 0)
    return quotients


def _skipping(data: Targets, losses: Any, multioutput: str | tuple[float, ...], zeros: str) -> Summary:
    """The mean of the losses, samples without one left out of it where they are to be skipped."""
    if zeros != "skip":
        return averaged(data, losses, multioutput)
    values = np.asarray(losses(*data.table))
    there = ~np.isnan(values)
    if there.all():
        return averaged(data, losses, multioutput)
    weights = output_weights(multioutput, len(data.outputs))
    # Of several outputs each has a mean over the samples that it has a loss for, with all the samples' weight.
    mass = data.mass
    has_losses = there.any(axis=0)
    parts = np.where(
        has_losses,
        weights * mass.sum() / np.where(has_losses, product(mass, there), 1.0),
        np.where(weights > 0, np.nan, 0.0),
    )
    if len(data.outputs) == 1:
        return sample_ratio(np.where(there, values, 0.0)[:, 0], there[:, 0].astype(np.float64), data)
    return sample_ratio(product(np.where(there, values, 0.0), parts), np.ones(len(data)), data)
