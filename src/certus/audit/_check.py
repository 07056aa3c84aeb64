"""Checks of what the functions of an audit are given."""

import math

from certus.errors import DataError, MetricNameError, called
from certus.inference.finite.betabinomial import PRIORS
from certus.inference.interval import checked_level
from certus.statistic.common import LARGEST, whole
from certus.statistic.strata import Prior as NamedPrior

__all__ = ["checked_level", "checked_prior", "count", "named_prior"]

Prior = str | tuple[float, float]


def count(value: object, name: str, what: str, *, least: int = 0) -> int:
    """The whole number given as `name`.

    Raises
    ------
    DataError
        It is no whole number, less than `least`, or more than 2**53.
    """
    try:
        return whole(value, name, least, LARGEST)
    except DataError as error:
        raise DataError(f"{error}: {what}") from None


def checked_prior(prior: Prior) -> tuple[float, float]:
    """The two parameters of the beta prior.

    Raises
    ------
    MetricNameError
        The name is not that of a prior.
    DataError
        The parameters are not two positive numbers.
    """
    if isinstance(prior, str):
        name = prior.lower().strip()
        if name not in PRIORS:
            raise MetricNameError(
                f"no prior is named {prior!r}; there are {', '.join(map(repr, PRIORS))}, or give the two parameters of "
                "a beta law, such as (0.5, 0.5)"
            )
        return PRIORS[name]
    try:
        a, b = (float(parameter) for parameter in prior)
    except (TypeError, ValueError, OverflowError):
        a = b = math.nan
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise DataError(f"{called('prior')} is {prior!r}; it must be 'uniform', 'jeffreys' or two positive numbers")
    return a, b


def named_prior(prior: Prior) -> NamedPrior:
    """The name of the prior of the rates of strata, which is given by name or by its two parameters.

    Raises
    ------
    DataError
        It is neither of the two.
    """
    given = prior.lower().strip() if isinstance(prior, str) else prior
    if given == "jeffreys":
        return "jeffreys"
    if given == "uniform":
        return "uniform"
    if not isinstance(given, str):
        parameters = checked_prior(given)
        if parameters == (0.5, 0.5):
            return "jeffreys"
        if parameters == (1.0, 1.0):
            return "uniform"
    raise DataError(f"{called('prior')} is {prior!r}; it must be one of 'jeffreys', 'uniform', (0.5, 0.5), (1, 1)")
