"""Checks of what the functions of an audit are given."""

import math

from certus.errors import CertusError, DataError, MetricNameError
from certus.inference.finite.betabinomial import PRIORS

__all__ = ["checked_level", "checked_prior", "count"]

Prior = str | tuple[float, float]


def count(value: float, name: str, what: str, *, least: int = 0) -> int:
    """The whole number given as `name`.

    Raises
    ------
    DataError
        It is no whole number, or less than `least`.
    """
    try:
        whole = int(value)
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if isinstance(value, bool) or whole != value or whole < 0:
        raise DataError(f"{name} is {value!r}; it must be a whole number of at least {least}: {what}")
    if whole < least:
        raise DataError(f"{name} is {whole}; it must be at least {least}: {what}")
    return whole


def checked_level(level: float) -> float:
    """The level.

    Raises
    ------
    CertusError
        It does not lie strictly between 0 and 1.
    """
    if not 0 < level < 1:
        raise CertusError(f"level is {level}; it must lie strictly between 0 and 1, for example 0.95")
    return float(level)


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
    except (TypeError, ValueError):
        a = b = math.nan
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise DataError(f"prior is {prior!r}; it must be 'uniform', 'jeffreys' or two positive numbers")
    return a, b
