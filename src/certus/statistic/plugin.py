"""Any function of weighted units."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.arrays import Floats
from certus.errors import DataError
from certus.statistic.common import Resample, set_fields, why_undefined
from certus.statistic.pickled import Pickled

__all__ = ["Plugin"]


@dataclass(frozen=True, eq=False)
class Plugin(Pickled):
    """Any function of weighted units, evaluated with every weight 1.

    The bootstrap gives each unit the number of times it was drawn as its weight, the jackknife gives one unit weight 0,
    so the function must read a weight of 2 as the unit standing there twice and 0 as the unit not being there.

    Parameters
    ----------
    rows
        One row per unit along the first axis.
    function
        ``function(rows, weights) -> float`` with one float64 weight per unit; NaN where it is undefined.
    unit
        What one row belongs to, in the singular.
    resample
        Gives bootstrap replicates faster than by calling the function for each.

    Examples
    --------
    >>> weighted_max = lambda rows, weights: rows[weights > 0].max()
    >>> Plugin([3.0, 7.0, 5.0], weighted_max).value
    7.0
    """

    rows: NDArray[Any]
    function: Callable[[NDArray[Any], Floats], float]
    unit: str = "query"
    resample: "Resample | None" = None

    def __init__(
        self,
        rows: ArrayLike,
        function: Callable[[NDArray[Any], Floats], float],
        unit: str = "query",
        *,
        resample: "Resample | None" = None,
    ) -> None:
        array = np.asarray(rows)
        if array.ndim == 0:
            raise DataError("rows is a single value; it must hold one row per unit")
        set_fields(self, rows=array, function=function, unit=unit, resample=resample)

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.rows)

    @cached_property
    def value(self) -> float:
        """The function with every weight 1; NaN where `why` says so."""
        return float(self.function(self.rows, np.ones(self.n))) if self.n else math.nan

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return why_undefined(self.n, self.value, self.unit)
