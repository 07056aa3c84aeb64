"""Options of a comparison of two systems, and its result."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.inference.declare import form_of
from certus.inference.estimate import Estimate, EstimateRows
from certus.inference.interval import Interval, Limits, OwnInterval, Request, Side
from certus.inference.interval import Outcome as Outcome
from certus.inference.tests.declare import TESTS
from certus.statistic import Influence, Statistic
from certus.statistic.common import Bounds, Resample

Alternative = Side

LimitsFor = Literal["guaranteed", "symmetric"]
"""Limits that hold for every number of units and distribution, or where differences are symmetric around their mean."""


@dataclass(frozen=True)
class Paired(EstimateRows):
    """Result of a comparison of two systems.

    Attributes
    ----------
    difference
        The value of a less that of b, with its interval.
    p
        The p-value; NaN where `reason` says so.
    statistic
        What the test is based on, in its usual form.
    method, alternative
        The test and its side.
    method_note
        How the p-value was computed, such as ``"lattice"`` for an exact permutation test.
    error
        Bound or estimate of the error of p; 0 where it is exact up to rounding.
    wins, ties, losses
        On how many units a is above, equal to and below b; None where units have no values of their own.
    effect
        Mean difference over the standard deviation of the differences (Cohen's d_z); NaN where that is 0 or where units
        have no values of their own.
    reason
        Why there is no p-value; empty where there is one.
    values
        The range taken for the values of both systems where their bounds are not known; None where units have no
        values.
    """

    difference: Estimate
    p: float
    statistic: float
    method: str
    alternative: Alternative
    method_note: str
    error: float
    wins: int | None
    ties: int | None
    losses: int | None
    effect: float
    reason: str = ""
    values: Bounds | None = None

    def interval(self, level: float | None = None, method: str | None = None) -> Interval:
        """Interval of the difference, see `Estimate.interval`; by default the interval of the test."""
        return self.difference.interval(level, method)

    def _estimates(self) -> Mapping[Any, Estimate]:
        """Return the estimate of the difference under the name ``difference``."""
        return {"difference": self.difference}

    def _facts(self) -> Mapping[str, Any]:
        """Columns with p-value, test, alternative, computation, error of p, wins, ties, losses, effect, reason."""
        names = ("p", "method", "alternative", "method_note", "error", "wins", "ties", "losses", "effect")
        facts = {name: getattr(self, name) for name in names}
        return {"p": facts.pop("p"), "test": facts.pop("method"), **facts, "reason": self.reason or None}

    def __str__(self) -> str:
        lines = [f"difference {self.difference}", p_as_text(self)]
        if self.wins is not None:
            effect = "" if math.isnan(self.effect) else f"; effect size {self.effect:.3f}"
            lines.append(f"a above b on {self.wins}, equal on {self.ties}, below on {self.losses}{effect}")
        return "\n".join(lines)


def estimate_of(difference: Paired | Estimate) -> Estimate:
    """Difference of a result of `paired`, or the estimate itself."""
    if isinstance(difference, Paired):
        return difference.difference
    if not isinstance(difference, Estimate):
        raise DataError(
            f"is {type(difference).__name__}",
            "give what paired() or difference() returned, or an Estimate",
            argument="difference",
        )
    return difference


def of_difference(bounds: Bounds) -> Bounds:
    """Bounds of a difference between two values of a metric with these bounds."""
    lowest, greatest = bounds
    if not lowest <= greatest:
        raise DataError(f"is {bounds}", "give the least and the greatest value of the metric", argument="bounds")
    return float(lowest) - float(greatest), float(greatest) - float(lowest)


def p_as_text(test: Any) -> str:
    """P-value of a comparison of two systems with its test and computation, or the reason why it is missing."""
    method_note = f", {test.method_note}" if test.method_note else ""
    return f"no p-value: {test.reason}" if test.reason else f"p = {test.p:.4g} ({TESTS[test.method]}{method_note})"


def no_interval(name: str, reason: str, *, tested: bool = False) -> OwnInterval:
    """Interval without limits, with the reason; if `tested`, p-values against other differences are undefined too."""
    return OwnInterval(name, partial(_no_limits, reason), partial(_no_p, reason) if tested else None)


def _no_limits(reason: str, _request: Request) -> Limits:
    """Undefined limits with this reason, for any level."""
    return Limits.undefined(reason)


def _no_p(reason: str, _shift: float, _side: Side, _request: Request) -> tuple[float, str]:
    """NaN as p-value with this reason, for any shift and side."""
    return math.nan, reason


def extremes(values: Floats, observed: float, slack: float, alternative: Alternative) -> NDArray[np.bool_]:
    """True for each value at least as extreme as the observed one, up to rounding."""
    if alternative == "two-sided":
        return np.abs(values) >= abs(observed) - slack
    return np.asarray(values >= observed - slack if alternative == "greater" else values <= observed + slack)


@dataclass(frozen=True)
class DifferenceOptions:
    """Options of a comparison; see `certus.inference.difference`."""

    test: str | None
    interval: str | None
    bounds: Bounds
    unit: str
    request: Request
    limits: LimitsFor | None = None
    resample: Resample | None = None

    def estimate(self, statistic: Statistic, test_interval: OwnInterval) -> Estimate:
        """Difference with the interval asked for, by default that of its test."""
        request, method = self.request, None
        if self.interval is not None and self.interval != test_interval.name:
            method = form_of(statistic, request.bounds).method(self.interval)
        return Estimate(
            statistic,
            metric="difference",
            bounds=request.bounds,
            level=request.level,
            method=method,
            own_interval=test_interval,
            side=request.side,
            replicates=request.replicates,
            seed=request.seed,
        )

    def result(
        self,
        estimate: Estimate,
        name: str,
        test_result: Outcome,
        wins_ties_losses: tuple[int, int, int] | tuple[None, None, None] = (None, None, None),
        effect: float = math.nan,
        values: Bounds | None = None,
    ) -> Paired:
        """Result from the estimate of the difference and the outcome of the test."""
        p, statistic, note, error, reason = test_result
        wins, ties, losses = wins_ties_losses
        side = self.request.side
        return Paired(estimate, p, statistic, name, side, note, error, wins, ties, losses, effect, reason, values)

    def undefined(self, reason: str, n: int, method: str) -> Paired:
        """Result without a difference, with the reason."""
        influence = Influence(math.nan, (n,), (math.nan,), undefined_reason=reason, unit=self.unit)
        return self.result(Estimate(influence, metric="difference"), method, (math.nan, math.nan, "", 0.0, reason))
