"""One difference of a comparison."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal, Self

_NUMBERS = ("value", "baseline_value", "difference", "low", "high", "p", "p_adjusted", "error", "effect")
OF_MARGIN = ("equivalence", "equivalence_adjusted", "non_inferiority", "non_inferiority_adjusted")
Verdict = Literal["better", "worse", "higher", "lower", "tied within the margin", "not significant", "undefined"]
"""The verdict on a system beside the baseline; `Difference` defines each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Difference of two systems in one metric, on the same units, with p-value, interval and verdict.

    Attributes
    ----------
    metric
        Canonical text of the metric, ``nDCG@10``.
    system, baseline
        The two systems.
    value, baseline_value
        Their values.
    difference
        ``value - baseline_value``, in the metric's own units, whichever direction is better.
    low, high, level, interval
        The confidence interval of the difference by itself, and the method that made it. NaN where `reason` says so.
    p
        The p-value of no difference; NaN where `reason` says so.
    p_adjusted
        The same adjusted for the number of differences in this metric.
    method, method_note, error
        The test; how its p-value was computed (``"lattice"``: every permutation counted); the error of p, 0 if exact.
    n, unit
        How many units were paired, and what one is.
    wins, ties, losses
        On how many units the system is better than, equal to and worse than the baseline (above and below where neither
        direction is better); None where a unit has no value.
    effect
        Mean difference over the standard deviation of the differences; NaN where there is none.
    verdict
        ``"better"`` or ``"worse"`` than the baseline (``"higher"``, ``"lower"`` if neither direction of the metric is
        better), ``"tied within the margin"``, ``"not significant"``, or ``"undefined"`` if there is no
        difference.
    better
        ``"higher"`` or ``"lower"`` values are better; None if neither.
    reason
        Why there is no interval or p-value, or what to know about them; empty where all is plain.
    margin
        Differences up to this size do not matter; None if no margin was given.
    equivalence, equivalence_adjusted
        With a margin, the p-value of "the difference reaches the margin" (two one-sided tests), raw and adjusted. The
        raw one is at most half of ``1 - level`` if and only if the interval of the test lies within the margin.
    p_better, p_equivalent, p_worse, posterior
        The posterior probabilities that the system is better than the baseline (by more than the margin), practically
        equivalent (0 without a margin) and worse, and the model; of a metric of which neither direction is better,
        higher counts as better. None if they were not asked for, or where `reason` says so.
    posterior_error
        The largest standard error that random draws leave in one of these probabilities; 0 where there are no draws.
    chance_p, chance_corrected, chance_percentile
        Of the system's value compared with chance: p-value, chance-corrected value and percentile; those that begin
        with ``baseline_`` of the baseline's. None if they were not asked for, or there are none.
    non_inferiority, non_inferiority_adjusted
        With a margin, the p-value of "the system is worse by the margin or more", raw and adjusted. The raw one is at
        most half of ``1 - level`` if and only if the interval ends above the margin on its bad side.
    """

    metric: str
    system: str
    baseline: str
    value: float
    baseline_value: float
    difference: float
    low: float
    high: float
    level: float
    interval: str
    p: float
    p_adjusted: float
    method: str
    method_note: str
    error: float = 0.0
    n: int
    unit: str
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    effect: float = math.nan
    verdict: Verdict
    better: Literal["higher", "lower"] | None = "higher"
    reason: str = ""
    margin: float | None = None
    equivalence: float | None = None
    equivalence_adjusted: float | None = None
    non_inferiority: float | None = None
    non_inferiority_adjusted: float | None = None
    p_better: float | None = None
    p_equivalent: float | None = None
    p_worse: float | None = None
    posterior: str | None = None
    posterior_error: float | None = None
    chance_p: float | None = None
    chance_corrected: float | None = None
    chance_percentile: float | None = None
    baseline_chance_p: float | None = None
    baseline_chance_corrected: float | None = None
    baseline_chance_percentile: float | None = None

    @property
    def significant(self) -> bool:
        """True if the adjusted p-value is at most ``1 - level``."""
        return at_most(self.p_adjusted, 1 - self.level)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Create from the result of `to_dict`; numbers that are None become NaN."""
        values: dict[str, Any] = {
            name: math.nan if value is None and name in _NUMBERS else value for name, value in fields.items()
        }
        if values["margin"] is not None:
            values |= {name: math.nan for name in OF_MARGIN if values[name] is None}
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Fields as plain values; undefined or infinite numbers are None."""
        fields = ((name, getattr(self, name)) for name in self.__slots__)
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in fields
        }


def at_most(p: float | None, alpha: float) -> bool:
    """True if p is at most alpha, up to the rounding of ``1 - level``; False for NaN."""
    return p is not None and p <= alpha * (1 + 1e-12)


def verdict(
    difference: float, p: float, equivalent: bool, alpha: float, better: Literal["higher", "lower"] | None
) -> Verdict:
    """Verdict on a difference, from its adjusted p-values."""
    if isnan(difference):
        return "undefined"
    if equivalent:  # also where it is shown not to be 0: the margin says that it does not matter
        return "tied within the margin"
    if not at_most(p, alpha) or difference == 0:
        return "not significant"
    if better is None:
        return "higher" if difference > 0 else "lower"
    return "better" if (difference > 0) == (better == "higher") else "worse"
