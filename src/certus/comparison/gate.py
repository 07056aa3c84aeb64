"""Gate for a change, which passes if no system is worse than the baseline."""

from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING

from certus.comparison.row import at_most
from certus.errors import MetricNameError

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.comparison.row import Difference

__all__ = ["Gate", "gate"]

_GOOD = {"higher": "greater", "lower": "less", None: ""}


@dataclass(frozen=True)
class Gate:
    """The answer of a gate.

    Attributes
    ----------
    holds
        Whether it lets the change pass.
    reason
        Why, in one line.
    failed
        The differences for which it fails.
    """

    holds: bool
    reason: str
    failed: tuple["Difference", ...] = ()


def gate(comparison: "Comparison") -> Gate:
    """Test of the systems against the baseline: passed if none is worse in any metric.

    With a margin above 0 it must be *shown* that none is worse by the margin or more: the gate holds if the interval of
    each difference ends above ``-margin`` on its bad side (below ``margin`` where lower values are better). Too few
    units to show that fail. Since every difference must pass, none is corrected for their number: a system that is
    worse by the margin passes with a probability of at most ``(1 - level) / 2``, however many there are. The interval
    is that of the test, so that it ends above ``-margin`` if and only if ``non_inferiority`` is at most ``(1 - level) /
    2`` (of ``simultaneous`` intervals, ``non_inferiority_adjusted``); where all differences are equal there may be no
    interval, and the p-value decides. Of an interval asked for by name it is the interval that decides.

    Without a margin it fails only if it is shown that a system *is* worse: if a difference to the bad side has an
    adjusted p-value of at most ``1 - level``. Too few units to show that always pass; therefore give a margin where you
    can.

    What is undefined fails. A system that is equal to the baseline on every unit passes.

    Parameters
    ----------
    comparison
        From `certus.compare`, with a baseline.

    Raises
    ------
    MetricNameError
        There is no baseline, neither direction of a metric is better, or the alternative looks to the good side only.

    Examples
    --------
    >>> from certus.comparison import compare_values
    >>> old, new = [0.31, 0.42, 0.53, 0.24, 0.35, 0.47], [0.33, 0.41, 0.56, 0.25, 0.37, 0.49]
    >>> print(gate(compare_values({"old": old, "new": new}, margin=0.05)).reason)
    gate holds: new is worse than old by less than 0.05, if at all, in value: difference 0.0150 [-0.0441, 0.0300]
    """
    if comparison.baseline is None:
        raise MetricNameError("a gate needs a baseline", f"name one of {', '.join(map(repr, comparison.systems))}")
    aimless = next((row.metric for row in comparison.rows if row.better is None), None)
    if aimless is not None:
        raise MetricNameError(f"neither higher nor lower values of {aimless} are better, so none can be worse")
    good = next((row for row in comparison.rows if comparison.alternative == _GOOD[row.better]), None)
    if good is not None:
        raise MetricNameError(
            f"is {comparison.alternative!r}, which asks whether {good.metric} is better",
            "a gate asks whether it is worse, so take 'two-sided'",
            argument="alternative",
        )
    number, margin = len(comparison.rows), comparison.margin
    failed = tuple(row for row in comparison.rows if not _passes(row, margin))
    if failed:
        more = f" ({len(failed)} of {number} differences fail)" if number > 1 else ""
        return Gate(False, f"gate fails: {_why_not(failed[0], margin)}{more}", failed)
    closest = min(comparison.rows, key=lambda row: _worst(row) if margin else _gain(row))
    more = f" (all {number} differences pass)" if number > 1 else ""
    return Gate(True, f"gate holds: {_why(closest, margin)}{more}")


def _passes(row: "Difference", margin: float | None) -> bool:
    if not isfinite(row.difference):
        return False
    if _equal(row):
        return True
    if margin:
        if isnan(_worst(row)):  # differences that are all alike have no interval, but may have an exact test
            return at_most(row.non_inferiority, (1 - row.level) / 2)
        return _worst(row) > -margin
    return isfinite(row.p_adjusted) and not (row.significant and _gain(row) < 0)


def _gain(row: "Difference") -> float:
    """The difference, above 0 where the system is better."""
    return row.difference if row.better == "higher" else -row.difference


def _worst(row: "Difference") -> float:
    """The limit of the interval on its bad side, of that sign."""
    return 0.0 if _equal(row) else row.low if row.better == "higher" else -row.high


def _best(row: "Difference") -> float:
    return row.high if row.better == "higher" else -row.low


def _equal(row: "Difference") -> bool:
    """True if the systems have the same value on every unit, or the same table where units have no values."""
    if row.wins is not None:
        return row.wins == 0 and row.losses == 0
    return row.difference == 0 and row.p == 1


def _why_not(row: "Difference", margin: float | None) -> str:
    because = f": {row.why}" if row.why else ""
    if not isfinite(row.difference):
        return f"the difference of {row.system} to {row.baseline} in {row.metric} is undefined{because}"
    if margin and not isfinite(_worst(row)):
        return f"the difference of {row.system} to {row.baseline} in {row.metric} has no interval{because}"
    if margin:
        verb = "is" if _best(row) < -margin else "may be"
        return f"{row.system} {verb} worse than {row.baseline} by {margin:g} or more{_shown(row)}"
    if not isfinite(row.p_adjusted):
        return f"the difference of {row.system} to {row.baseline} in {row.metric} has no p-value{because}"
    return f"{row.system} is worse than {row.baseline}{_shown(row)}, adjusted p {row.p_adjusted:.3g}"


def _why(row: "Difference", margin: float | None) -> str:
    if _equal(row):
        return f"{row.system} equals {row.baseline}{_shown(row)}"
    if (_worst(row) > 0 or (isnan(_worst(row)) and _gain(row) > 0)) if margin else row.significant and _gain(row) > 0:
        return f"{row.system} is better than {row.baseline}{_shown(row)}"
    if margin:
        return f"{row.system} is worse than {row.baseline} by less than {margin:g}, if at all,{_shown(row)}"
    return f"{row.system} is not significantly worse than {row.baseline}{_shown(row)}, adjusted p {row.p_adjusted:.3g}"


def _shown(row: "Difference") -> str:
    limits = f" [{row.low:.4f}, {row.high:.4f}]" if not (isnan(row.low) or isnan(row.high)) else ""
    return f" in {row.metric}: difference {row.difference:.4f}{limits}"
