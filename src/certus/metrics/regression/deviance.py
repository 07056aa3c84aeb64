"""Deviances of the Poisson, the gamma and the other Tweedie distributions."""

from functools import partial
from typing import TypeAlias

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.data import Targets
from certus.metrics.regression.smooth import Outputs, Summary, averaged, loss
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums

_NELDER = "Nelder & Wedderburn (1972), J. R. Stat. Soc. A 135(3):370-384, doi:10.2307/2344614"
TERMS = 18
"""Terms of the series; the next one is below the rounding of the first."""
Power: TypeAlias = float
_JORGENSEN = "Jørgensen (1987), J. R. Stat. Soc. B 49(2):127-145, doi:10.1111/j.2517-6161.1987.tb01685.x"


def deviance(true: Floats, mean: Floats | float, power: float) -> Floats:
    """The unit deviance ``2 mean^(2 - p) f(y / mean)``, ``f(r)`` the integral of ``(r - s) s^-p`` from 1 to r."""
    # Near r = 1 it is summed as a series in r - 1; the formulas of the books subtract numbers that are nearly equal
    # there.
    if power == 0:
        with np.errstate(over="ignore"):  # a square beyond the range of floats is infinite
            return np.asarray(np.square(true - mean))
    mean = np.broadcast_to(np.asarray(mean, dtype=np.float64), true.shape)
    if not mean.all():  # as the constant prediction of targets that are all 0, which are then equal to it
        return np.where(mean == 0, 0.0, deviance(true, np.where(mean == 0, 1.0, mean), power))
    with np.errstate(over="ignore"):
        relative_error = (true - mean) / mean
    near = np.abs(relative_error) < 0.1 / max(1.0, abs(power) / 2)
    values = np.empty(true.shape)
    with np.errstate(all="ignore"):
        values[near] = _series(relative_error[near], power)
        values[~near] = _far(true[~near] / mean[~near], power)
        values = 2 * values if power == 2 else np.asarray(2 * np.power(mean, 2 - power) * values)
    lost = ~np.isfinite(values)  # where the ratio or a power of it leaves the range of floats
    if lost.any():
        values[lost] = _deviance_without_ratio(true[lost], mean[lost], power)
    return values


def _deviance_without_ratio(true: Floats, mean: Floats, power: float) -> Floats:
    """The deviance of numbers that are so far apart that no ratio of them is needed."""
    p = power
    with np.errstate(all="ignore"):
        if p == 1:
            values = true * (np.log(true) - np.log(mean) - 1) + mean
        elif p == 2:
            values = true / mean - 1 - np.log(true) + np.log(mean)
        else:
            values = np.power(np.maximum(true, 0.0), 2 - p) / ((1 - p) * (2 - p))
            values += np.power(mean, 2 - p) / (2 - p) - true * np.power(mean, 1 - p) / (1 - p)
    return np.where(np.isnan(values), np.inf, 2 * values)  # the difference of infinite powers is infinite


def _series(d: Floats, power: float) -> Floats:
    """The sum over k of binomial(-p, k) d^(k + 2) / ((k + 1) (k + 2)), by Horner's rule."""
    coefficients, binomial = [], 1.0
    for k in range(TERMS):
        coefficients.append(binomial / ((k + 1) * (k + 2)))
        binomial *= (-power - k) / (k + 1)
    total = np.zeros_like(d)
    for coefficient in reversed(coefficients):
        total = total * d + coefficient
    return np.asarray(total * d * d)


def _far(ratio: Floats, power: float) -> Floats:
    from scipy.special import xlogy

    if power == 1:
        return np.asarray(xlogy(ratio, ratio) - ratio + 1)
    if power == 2:
        return np.asarray(ratio - 1 - np.log(ratio))
    p = power
    with np.errstate(over="ignore", under="ignore"):
        powers = np.power(np.maximum(ratio, 0.0), 2 - p)
    return np.asarray(powers / ((1 - p) * (2 - p)) - ratio / (1 - p) + 1 / (2 - p))


def check_domain(targets: Targets, power: float, **_: object) -> None:
    """Refuse a power that no distribution has, and numbers that the family does not have."""
    if 0 < power < 1:
        raise MetricNameError(f"is {power:g}", "no Tweedie distribution has a power between 0 and 1", argument="power")
    if power == 0:
        return
    _check(targets.predicted, "y_pred", power, is_zero_allowed=False)
    if power >= 2:
        _check(targets.true, "y_true", power, is_zero_allowed=False)
    elif power >= 1:
        _check(targets.true, "y_true", power, is_zero_allowed=True)


def _check(values: Floats, name: str, power: float, *, is_zero_allowed: bool) -> None:
    wrong = values < 0 if is_zero_allowed else values <= 0
    if wrong.any():
        index = np.unravel_index(int(np.argmax(wrong)), values.shape)
        needs = "at least 0" if is_zero_allowed else "above 0"
        remedy = f"a deviance of power {power:g} needs numbers {needs}"
        raise DataError.for_value(name, index, values[index], f"{values[index]:g}", remedy)


@loss(
    "TweedieDeviance",
    domain=check_domain,
    spellings=SCIKIT_LEARN("mean_tweedie_deviance"),
    source=_JORGENSEN,
    state=SampleSums(),
)
def tweedie_deviance(targets: Targets, *, power: Power = 0.0, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean deviance of a Tweedie distribution, whose variance is a power of its mean.

    ``deviance = mean over samples of 2 * integral of (y - t) t^-power dt  from t = prediction to y``. Power 0 is the
    squared error (normal), 1 the Poisson deviance, between 1 and 2 compound Poisson, 2 the gamma deviance, 3 the
    inverse Gaussian. Where prediction and target are close, nothing cancels.

    Parameters
    ----------
    power
        The power p of the mean that the variance is proportional to; none between 0 and 1. Below 0 predictions must be
        above 0; from 1 to 2 targets must be at least 0 and predictions above 0; from 2 on both must be above 0.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.tweedie_deviance([2, 0, 1, 4], [0.5, 0.5, 2, 2], power=1).value, 4)
    1.426
    """
    return averaged(targets, partial(deviance, power=power), multioutput)


@loss(
    "PoissonDeviance",
    domain=partial(check_domain, power=1),
    spellings=SCIKIT_LEARN("mean_poisson_deviance", "neg_mean_poisson_deviance"),
    source=_NELDER,
    state=SampleSums(),
)
def poisson_deviance(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean deviance of predicted rates of counts.

    ``deviance = mean over samples of 2 (y log(y / prediction) - y + prediction)``. Targets must be at least 0 and
    predictions above 0; others are an error. 0 log 0 is 0.

    Examples
    --------
    A count of 0 for which 1 was expected, and one as expected.

    >>> import certus
    >>> certus.regression.poisson_deviance([0, 3], [1, 3]).value
    1.0
    """
    return averaged(targets, partial(deviance, power=1), multioutput)


@loss(
    "GammaDeviance",
    domain=partial(check_domain, power=2),
    spellings=SCIKIT_LEARN("mean_gamma_deviance", "neg_mean_gamma_deviance"),
    source=_NELDER,
    state=SampleSums(),
)
def gamma_deviance(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean deviance of predicted means of positive numbers; it sees only their ratio to the target.

    ``deviance = mean over samples of 2 (log(prediction / y) + y / prediction - 1)``. Targets and predictions must be
    above 0; others are an error.

    Examples
    --------
    The target is twice the prediction: 2 (1 - ln 2).

    >>> import certus
    >>> round(certus.regression.gamma_deviance([2], [1]).value, 4)
    0.6137
    """
    return averaged(targets, partial(deviance, power=2), multioutput)
