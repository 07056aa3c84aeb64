"""Checks of what the functions of this package are given."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.errors import CertusError, DataError, MetricNameError

__all__ = ["labels_of", "level_of", "prior_of", "whole_of"]

PRIORS = {"uniform": (1.0, 1.0), "jeffreys": (0.5, 0.5)}


def labels_of(labels: ArrayLike, population: int) -> NDArray[np.int64]:
    """Labels in the order of checking, as 0 and 1."""
    values: NDArray[Any] = np.asarray(labels)
    if values.ndim != 1:
        raise DataError(f"labels have the shape {values.shape}; they must be one list")
    if len(values) > population:
        raise DataError(f"there are {len(values)} labels but population is {population}; no item is checked twice")
    try:
        wrong = np.flatnonzero((values != 0) & (values != 1)) if values.dtype != object else _odd(values.tolist())
        if not len(wrong):
            return values.astype(np.int64)
    except (TypeError, ValueError):
        wrong = np.arange(1)
    at = int(wrong[0])
    raise DataError(f"label {at + 1} is {values.tolist()[at]!r}; it must be 1 or True for a hit, 0 or False for none")


def _odd(values: Sequence[object]) -> NDArray[np.intp]:
    return np.flatnonzero([value not in (0, 1) for value in values])


def whole_of(name: str, value: object, least: int = 1) -> int:
    """A whole number that is large enough."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise CertusError(f"{name} is {value!r}; it must be a whole number of at least {least}")
    return int(value)


def level_of(level: float) -> float:
    """A level between 0 and 1."""
    if not 0 < level < 1:
        raise CertusError(f"level is {level}; it must lie strictly between 0 and 1, for example 0.95")
    return float(level)


def prior_of(prior: Sequence[float] | str) -> tuple[float, float]:
    """The two parameters of the beta distribution behind a prior."""
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise MetricNameError(f"prior is {prior!r}; name 'uniform' or 'jeffreys', or give two parameters")
        return PRIORS[prior]
    pair = tuple(prior)
    if len(pair) != 2 or not all(0 < float(each) < np.inf for each in pair):
        raise CertusError(f"prior is {prior!r}; it must be two positive numbers, such as (1, 1)")
    return float(pair[0]), float(pair[1])
