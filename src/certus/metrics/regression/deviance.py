"""Deviances of the Poisson, the gamma and the other Tweedie distributions."""

from typing import TypeAlias

from certus.data import Targets
from certus.errors import MetricNameError
from certus.metrics._declare import metric
from certus.metrics.regression._outputs import Outputs, Summary, averaged
from certus.metrics.regression._tweedie import check_domain, deviance

__all__ = ["Power", "check_power", "gamma_deviance", "poisson_deviance", "tweedie_deviance"]

Power: TypeAlias = float
SOURCE = "Jørgensen (1987), J. R. Stat. Soc. B 49(2):127-145, doi:10.1111/j.2517-6161.1987.tb01685.x"


def check_power(power: float) -> None:
    """Refuse a power that no distribution has.

    Raises
    ------
    MetricNameError
        It lies between 0 and 1.
    """
    if 0 < power < 1:
        raise MetricNameError(f"power is {power:g}; no Tweedie distribution has a power between 0 and 1")


@metric(
    "TweedieDeviance",
    aliases=("tweedie_deviance", "mean_tweedie_deviance"),
    better="lower",
    bounds=(0.0, float("inf")),
    source=SOURCE,
)
def tweedie_deviance(targets: Targets, *, power: Power = 0.0, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean deviance of a Tweedie distribution, whose variance is a power of its mean.

    ::

        deviance = mean over samples of 2 * integral of (y - t) t^-power dt  from t = prediction to y

    Power 0 is the squared error (normal), 1 the Poisson deviance, between 1 and 2 compound Poisson, 2 the gamma
    deviance, 3 the inverse Gaussian. Where prediction and target are close, nothing cancels.

    Parameters
    ----------
    power
        The power p of the mean that the variance is proportional to; none between 0 and 1. Below 0 predictions must be
        above 0; from 1 to 2 targets must be at least 0 and predictions above 0; from 2 on both must be above 0.
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One deviance per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.tweedie_deviance([2, 0, 1, 4], [0.5, 0.5, 2, 2], power=1).value, 4)
    1.426
    """
    check_power(power)
    check_domain(targets, power)
    return averaged(targets, lambda true, mean: deviance(true, mean, power), multioutput)


@metric(
    "PoissonDeviance",
    aliases=("poisson_deviance", "mean_poisson_deviance"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Nelder & Wedderburn (1972), J. R. Stat. Soc. A 135(3):370-384, doi:10.2307/2344614",
)
def poisson_deviance(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean deviance of predicted rates of counts.

    ::

        deviance = mean over samples of 2 (y log(y / prediction) - y + prediction)

    Targets must be at least 0 and predictions above 0; others are an error. 0 log 0 is 0.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One deviance per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    A count of 0 for which 1 was expected, and one as expected.

    >>> import certus
    >>> certus.regression.poisson_deviance([0, 3], [1, 3]).value
    1.0
    """
    check_domain(targets, 1)
    return averaged(targets, lambda true, mean: deviance(true, mean, 1), multioutput)


@metric(
    "GammaDeviance",
    aliases=("gamma_deviance", "mean_gamma_deviance"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Nelder & Wedderburn (1972), J. R. Stat. Soc. A 135(3):370-384, doi:10.2307/2344614",
)
def gamma_deviance(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Summary:
    """Mean deviance of predicted means of positive numbers; it sees only their ratio to the target.

    ::

        deviance = mean over samples of 2 (log(prediction / y) + y / prediction - 1)

    Targets and predictions must be above 0; others are an error.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Mean or Ratio
        One deviance per sample; a Ratio where samples have weights or groups.

    Examples
    --------
    The target is twice the prediction: 2 (1 - ln 2).

    >>> import certus
    >>> round(certus.regression.gamma_deviance([2], [1]).value, 4)
    0.6137
    """
    check_domain(targets, 2)
    return averaged(targets, lambda true, mean: deviance(true, mean, 2), multioutput)
