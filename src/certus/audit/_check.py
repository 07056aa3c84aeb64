"""Checks of counts, prices and what an audit is given."""

import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.errors import DataError, MetricNameError, mention, require_at_most
from certus.inference.finite.laws import PRIORS
from certus.statistic.common import LARGEST, require_integer
from certus.statistic.sampled import NamedPrior, Stratum

Prior = str | tuple[float, float]


def count(value: object, name: str, explanation: str, *, minimum: int = 0) -> int:
    """Check that a value is a whole number of at least `minimum`, and explain the argument if not."""
    try:
        return require_integer(value, name, minimum, LARGEST)
    except DataError as error:
        raise DataError(error.problem, f"{error.remedy}: {explanation}", argument=error.argument) from None


def prior_parameters(prior: Prior) -> tuple[float, float]:
    """The two parameters of a beta prior, given by its name or by themselves."""
    if isinstance(prior, str):
        name = prior.lower().strip()
        if name not in PRIORS:
            raise MetricNameError(
                f"no prior is named {prior!r}",
                f"there are {', '.join(map(repr, PRIORS))}, or give the two parameters of a beta law, such as (0.5, "
                "0.5)",
            )
        return PRIORS[name]
    try:
        a, b = (float(parameter) for parameter in prior)
    except (TypeError, ValueError, OverflowError):
        a = b = math.nan
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise DataError(f"is {prior!r}", "it must be 'uniform', 'jeffreys' or two positive numbers", argument="prior")
    return a, b


def named_prior(prior: Prior) -> NamedPrior:
    """Name a prior of rates, given by that name or by its two parameters."""
    name = prior.lower().strip() if isinstance(prior, str) else ""
    parameters = PRIORS.get(name) if isinstance(prior, str) else prior_parameters(prior)
    if parameters == PRIORS["jeffreys"]:
        return "jeffreys"
    if parameters == PRIORS["uniform"]:
        return "uniform"
    raise DataError(f"is {prior!r}", "it must be one of 'jeffreys', 'uniform', (0.5, 0.5), (1, 1)", argument="prior")


def stratum(name: str, size: int, checked: int, hits: int, *, predicted: bool, size_name: str | None = None) -> Stratum:
    """Check the arguments `name`, `name_checked` and `name_hits` of a stratum."""
    size_name = name if size_name is None else size_name
    size = require_integer(size, size_name, maximum=LARGEST)
    checked = require_integer(checked, f"{name}_checked", maximum=LARGEST)
    hits = require_integer(hits, f"{name}_hits", maximum=LARGEST)
    if checked > size:
        problem = f"{mention(f'{name}_checked')} is {checked} but {mention(size_name)} is {size}"
        raise DataError(problem, "an item is checked at most once")
    require_at_most(f"{name}_hits", hits, f"{name}_checked", checked, "hits are counted among the checked items")
    return Stratum(size, checked, hits, predicted, name)


def parse_labels(labels: ArrayLike, population: int) -> NDArray[np.int64]:
    """Labels in the order of checking, as 0 and 1."""
    # As a list of mixed types would become one of text, or none at all.
    values: NDArray[Any] = np.asarray(labels, dtype=object if isinstance(labels, list | tuple) else None)
    if values.ndim != 1:
        raise DataError(f"have the shape {values.shape}", "they must be one list", argument="labels")
    if len(values) > population:
        raise DataError(f"there are {len(values)} labels but population is {population}", "no item is checked twice")
    try:
        if values.dtype == object:
            objects: list[Any] = values.tolist()
            wrong = np.flatnonzero([not _is_number(value) or value not in (0, 1) for value in objects])
        else:
            wrong = np.flatnonzero((values != 0) & (values != 1))
        if not len(wrong):
            return values.astype(np.int64)
    except (TypeError, ValueError):
        wrong = np.arange(1)
    index = int(wrong[0])
    raise DataError(
        f"label {index + 1} is {values.tolist()[index]!r}", "it must be 1 or True for a hit, 0 or False for none"
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Number)
