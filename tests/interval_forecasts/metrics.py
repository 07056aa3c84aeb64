"""Metrics of intervals: the share that hold what is observed, and their width."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

import certus
from certus.core.errors import DataError, mention

__all__ = ["Forecasts", "inside", "interval_score"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Forecasts:
    """An observed number and a predicted interval for each sample."""

    arguments: ClassVar[tuple[str, str, str]] = ("y_true", "lower", "upper")

    observed: Floats
    lower: Floats
    upper: Floats
    weights: Floats | None = None
    groups: NDArray[np.int64] | None = None

    @classmethod
    def from_arrays(cls, y_true: Any, lower: Any, upper: Any, *, sample_weight: Any = None, groups: Any = None) -> Self:
        """The columns, as numbers of the same length."""
        observed, low, high = (np.asarray(values, dtype=np.float64) for values in (y_true, lower, upper))
        if not len(observed) == len(low) == len(high):
            raise DataError(f"{mention('y_true')}, {mention('lower')} and {mention('upper')} differ in length")
        if len(crossed := np.flatnonzero(low > high)):
            raise DataError.for_value(
                "lower", [crossed[0]], low[crossed[0]], f"{low[crossed[0]]:g}", "it is above upper"
            )
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        codes = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
        return cls(observed, low, high, weights, codes)

    def __len__(self) -> int:
        return len(self.observed)


@certus.metric("Inside", task="forecasts", better=None, source="Gneiting & Raftery (2007), section 6.2")
def inside(data: Forecasts) -> NDArray[np.bool_]:
    """Share of observations inside their interval."""
    return (data.lower <= data.observed) & (data.observed <= data.upper)


@certus.metric(
    "IntervalScore",
    task="forecasts",
    better="lower",
    bounds=(0, np.inf),
    at_parameter="level",
    source="Gneiting & Raftery (2007), equation 43",
)
def interval_score(data: Forecasts, *, level: certus.metrics.Share) -> Floats:
    """Width of the interval, and a penalty for what lies outside.

    Parameters
    ----------
    level
        The level that the intervals were made for.
    """
    outside = np.maximum(data.lower - data.observed, 0) + np.maximum(data.observed - data.upper, 0)
    return np.asarray(data.upper - data.lower + 2 / (1 - level) * outside)
