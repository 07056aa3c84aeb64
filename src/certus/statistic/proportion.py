"""Successes among independent trials."""

import math
from dataclasses import dataclass
from typing import Literal

from certus.errors import DataError
from certus.statistic.common import plural, set_fields, whole

__all__ = ["Proportion"]


@dataclass(frozen=True)
class Proportion:
    """Successes among independent trials.

    Parameters
    ----------
    successes
        Number of trials that succeeded, ``0 <= successes <= trials``.
    trials
        Number of trials.
    unit
        What one trial is, in the singular.
    scale
        ``"dice"``: the value is ``2 q / (1 + q)`` of the share q, as F1 is of ``tp / (tp + fp + fn)``. Being increasing
        in q, it takes every interval of q with it.

    Examples
    --------
    >>> Proportion(9, 12).value
    0.75
    >>> Proportion(1, 3, scale="dice").value
    0.5
    >>> Proportion(0, 0).why
    'there are no samples'
    """

    successes: int
    trials: int
    unit: str = "sample"
    scale: Literal["linear", "dice"] = "linear"

    def __post_init__(self) -> None:
        set_fields(self, successes=whole(self.successes, "successes"), trials=whole(self.trials, "trials"))
        if self.scale not in ("linear", "dice"):
            raise DataError(f"scale is {self.scale!r}; it must be 'linear' or 'dice'")
        if self.successes > self.trials:
            raise DataError(
                f"successes is {self.successes} but trials is {self.trials}; successes cannot exceed trials"
            )

    @property
    def n(self) -> int:
        """Number of trials."""
        return self.trials

    @property
    def value(self) -> float:
        """Share of successes; NaN without trials."""
        if self.why:
            return math.nan
        if self.scale == "dice":
            return 2 * self.successes / (self.trials + self.successes)
        return self.successes / self.trials

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return f"there are no {plural(0, self.unit)[2:]}" if self.trials == 0 else ""
