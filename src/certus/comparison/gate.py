"""Gate for a change: it passes if no system is worse than the baseline."""

from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING

from certus.comparison.row import at_most
from certus.core.errors import DataError, MetricNameError, mention
from certus.core.printable import rounded_limits
from certus.core.spelling import plural
from certus.inference.tests.guaranteed import GUARANTEED, equal_units_needed

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.comparison.row import Difference


_UNMATCHED = frozenset({"unmatched-ids", "no-common-label"})
"""Notices of data that do not belong together, of which a gate says nothing about the system."""
_LEFT_OUT = {
    "unpaired-queries": "choose the queries: judged, which counts them, or intersection, which leaves them out",
    "unpaired-units": "give every system all of them",
    "unpaired-metrics": "name the metrics to decide on",
}
"""Notices of what not every system has, and the remedy: of what a broken run lacks nothing is shown."""
_GOOD = {"higher": "greater", "lower": "less", None: ""}


@dataclass(frozen=True)
class Gate:
    """Outcome of a release check against the baseline: pass or fail, the reason, and failing differences."""

    holds: bool
    reason: str
    failed: tuple["Difference", ...] = ()


def gate(comparison: "Comparison", *, identical_passes: bool = False, unpaired_passes: bool = False) -> Gate:
    """Test the systems against the baseline: the gate passes if none is worse in any metric.

    With a margin above 0 it must be *shown* that none is worse by the margin or more: the gate holds if the interval of
    each difference ends above ``-margin`` on its bad side (below ``margin`` where lower values are better). Too few
    units to show that fail, also where the systems are equal on all of them. Since every difference must pass, none is
    corrected for their number. Of shares and of means of bounded values a system that is worse by the margin passes
    with a probability of at most ``(1 - level) / 2``, whatever the distribution and the number of units: of bare values
    as long as they stay within the range that a note names, and of shares up to .0283 for .025 where more than 100
    units are discordant and more than 100 are not losses, whose limits are Tango's. Of other metrics it is approximate.
    The interval is that of the test, so that it ends above ``-margin`` if and only if ``non_inferiority`` is at most
    ``(1 - level) / 2`` (of ``simultaneous`` intervals, ``non_inferiority_adjusted``); where all differences are equal
    there may be no interval, and the p-value decides. Of an interval asked for by name it is the interval that decides.

    Without a margin it fails only if it is shown that a system *is* worse: if a difference to the bad side has an
    adjusted p-value of at most ``1 - level``. Too few units to show that always pass, and so does a system that is
    equal to the baseline on every unit; therefore give a margin where you can.

    What is undefined fails. So does everything if queries, units or metrics were left out because a system lacks them,
    unless a rule for missing queries was chosen.

    Parameters
    ----------
    comparison
        From `certus.compare`, with a baseline.
    identical_passes
        With a margin: True lets a system pass that is equal to the baseline on every unit, however few they are: for
        systems that are deterministic, of which equal outputs show that nothing changed.
    unpaired_passes
        True: queries or units that not every system has were left out on purpose, and the others decide.

    Examples
    --------
    >>> from certus.comparison import compare_values
    >>> old = [1] * 50
    >>> print(gate(compare_values({"old": old, "new": old}, margin=0.03)).reason)
    gate fails: not shown at a margin of 0.03: 0 of 50 differ, the loss of new to old in value may be up to 0.0711; \
122 equal units would do
    >>> print(gate(compare_values({"old": old, "new": old}, margin=0.1)).reason)
    gate holds: new is worse than old by less than 0.1, if at all, in value: difference 0.0000 [-0.0711, 0.0711]
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
    unmatched = next((notice for notice in comparison.notices if notice.kind in _UNMATCHED), None)
    if unmatched is not None:
        raise DataError(
            f"nothing to decide on: {unmatched.text}", "mend the ids or labels first", location=unmatched.about
        )
    left_out = next((notice for notice in comparison.notices if notice.kind in _LEFT_OUT), None)
    if left_out is not None and not unpaired_passes:
        return Gate(False, f"gate fails: {left_out}; {_LEFT_OUT[left_out.kind]}", comparison.rows)
    number, margin = len(comparison.rows), comparison.margin
    if identical_passes and not margin:
        raise MetricNameError(
            "is for a margin; without one a system that equals its baseline passes",
            f"give {mention('margin')}, or leave it out",
            argument="identical_passes",
        )
    failed = tuple(row for row in comparison.rows if not _passes(row, comparison, identical_passes))
    if failed:
        more = f" ({len(failed)} of {number} differences fail)" if number > 1 else ""
        return Gate(False, f"gate fails: {_failure_reason(failed[0], comparison)}{more}", failed)
    closest = min(comparison.rows, key=lambda row: _least_gain(row) if margin else _gain(row))
    more = f" (all {number} differences pass)" if number > 1 else ""
    return Gate(True, f"gate holds: {_pass_reason(closest, margin)}{more}")


def _passes(row: "Difference", comparison: "Comparison", identical_passes: bool) -> bool:
    """True if the system is not worse than the baseline, or within the margin."""
    margin = comparison.margin
    if not isfinite(row.difference):
        return False
    if _equal(row) and (identical_passes or not margin):
        return True
    if margin:
        if isnan(_least_gain(row)):  # differences that are all alike have no interval, but may have an exact test
            p = row.non_inferiority_adjusted if comparison.simultaneous else row.non_inferiority
            return at_most(p, (1 - row.level) / 2)
        return _least_gain(row) > -margin
    return isfinite(row.p_adjusted) and not (row.significant and _gain(row) < 0)


def _gain(row: "Difference") -> float:
    """Difference with the sign changed if lower is better: positive if the system is better."""
    return row.difference if row.better == "higher" else -row.difference


def _least_gain(row: "Difference") -> float:
    """Least gain within the interval: its lower limit, or minus its upper limit if lower is better."""
    return row.low if row.better == "higher" else -row.high


def _equal(row: "Difference") -> bool:
    """True if the systems have the same value on every unit, or the same table where units have no values."""
    if row.wins is not None:
        return row.wins == 0 and row.losses == 0
    return row.difference == 0 and row.p == 1


def _failure_reason(row: "Difference", comparison: "Comparison") -> str:
    """Sentence on why a difference fails the gate."""
    margin = comparison.margin
    because = f": {row.reason}" if row.reason else ""
    for problem, fails in (
        ("is undefined", not isfinite(row.difference)),
        ("has no interval", margin and not isfinite(_least_gain(row))),
        ("has no p-value", not margin and not isfinite(row.p_adjusted)),
    ):
        if fails:
            return f"the difference of {row.system} to {row.baseline} in {row.metric} {problem}{because}"
    if margin and _equal(row):
        loss, name = -_least_gain(row), f"the loss of {row.system} to {row.baseline} in {row.metric}"
        sentence = f"not shown at a margin of {margin:g}: 0 of {row.n} differ, {name} may be up to {loss:.3g}"
        if comparison.simultaneous or row.method not in GUARANTEED:
            return sentence
        needed = equal_units_needed(row.n, loss, margin, (1 - row.level) / 2)
        return f"{sentence}; {plural(needed, f'equal {row.unit}')} would do"
    if margin:
        verb = "is" if (row.high if row.better == "higher" else -row.low) < -margin else "may be"
        return f"{row.system} {verb} worse than {row.baseline} by {margin:g} or more{_difference_text(row)}"
    return f"{row.system} is worse than {row.baseline}{_difference_text(row)}, adjusted p {row.p_adjusted:.3g}"


def _pass_reason(row: "Difference", margin: float | None) -> str:
    """Sentence on why a difference passes the gate."""
    if _equal(row) and not (margin and _least_gain(row) > -margin):
        return f"{row.system} equals {row.baseline}{_difference_text(row)}"
    limit, gain = _least_gain(row), _gain(row)
    if (limit > 0 or (isnan(limit) and gain > 0)) if margin else row.significant and gain > 0:
        return f"{row.system} is better than {row.baseline}{_difference_text(row)}"
    if margin:
        return f"{row.system} is worse than {row.baseline} by less than {margin:g}, if at all,{_difference_text(row)}"
    difference = f"{_difference_text(row)}, adjusted p {row.p_adjusted:.3g}"
    return f"{row.system} is not significantly worse than {row.baseline}{difference}"


def _difference_text(row: "Difference") -> str:
    """Difference and interval in words."""
    low, high = rounded_limits(row.low, row.high, row.margin or 0.0)
    limits = f" [{low}, {high}]" if not (isnan(row.low) or isnan(row.high)) else ""
    difference, _ = rounded_limits(row.difference, row.difference)
    return f" in {row.metric}: difference {difference}{limits}"
