"""Common parts of the readable outputs: rounded numbers, and the sentences under a table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from certus.printable import MOST_DECIMALS, decimals_for, rounded, rounded_limits
from certus.spelling import abridged
from certus.statistic.common import plural
from certus.table.row import Row

if TYPE_CHECKING:
    from certus.table.table import Table


MEANS: Mapping[str, str] = {
    "mean of random subgroups": "each counts the same; limits for the mean of all subgroups that might have been drawn",
    "weighted mean of random subgroups": "each counts as its samples do; limits for all that might have been drawn",
    "mean of fixed subgroups": "each counts the same; limits for the mean of the true values of these subgroups",
    "weighted mean of fixed subgroups": "each counts as its samples do; limits for the true values of these subgroups",
}
"""The means of subgroups, with the meaning of their limits."""
_LONGEST = 40
_LISTED = 8
_COUNTS = frozenset({"Check", "CheckDiscarded", "CheckRetrieved", "Count", "Hits"})


class Format:
    """Rounding of the numbers of one metric: counts to whole numbers, all others to four decimals.

    Values that are all too small for four decimals, or one too large to be written out, are as `decimals_for` says.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        finite = [row for row in rows if isfinite(row.value)]
        whole = all(row.value.is_integer() for row in finite)
        # of 0 and 1 only the name tells whether it is a count or a share
        counted = any(abs(row.value) > 1 or row.metric in _COUNTS for row in finite)
        largest = max((abs(row.value) for row in finite), default=0.0)
        self.fraction = decimals_for(largest)
        self.decimals = 0 if whole and counted and self.fraction <= MOST_DECIMALS else self.fraction

    def number(self, value: float | None) -> str:
        """The value rounded; a dash where there is none."""
        if value is None or value != value:
            return "-"
        return rounded(value, self.decimals if float(value).is_integer() else self.fraction)

    def interval(self, row: Row) -> str:
        """``[low, high]``, empty where there is none."""
        if row.low is None or row.high is None:
            return ""
        if row.low != row.low or row.high != row.high:
            return "-"
        return f"[{', '.join(self.limits(row.low, row.high))}]"

    def limits(self, low: float, high: float, landmark: float = 0.0) -> tuple[str, str]:
        """Both limits, with digits that show on which side of 0 and of a landmark each one lies."""
        whole = float(low).is_integer() and float(high).is_integer()
        return rounded_limits(low, high, landmark, decimals=self.decimals if whole else self.fraction)

    def range(self, row: Row) -> str:
        """The least and greatest value over what was left open, empty where that makes no difference."""
        if row.minimum is None or row.maximum is None:
            return ""
        if row.minimum == row.maximum:
            return self.number(row.minimum)
        return f"{self.number(row.minimum)} to {self.number(row.maximum)}"


def probability(p: float | None) -> str:
    """Four decimals; smaller ones as such."""
    if p is None or p != p:
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _rounded(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


CHANCE: list[tuple[str, bool, Callable[[Row], str]]] = [
    ("chance", False, lambda row: _rounded(row.expected, 4)),
    ("p", False, lambda row: probability(row.p)),
    ("corrected", False, lambda row: _rounded(row.corrected, 4)),
    ("percentile", False, lambda row: _rounded(row.percentile, 2)),
]
"""Columns of values compared with chance: heading, whether on the left, and cell."""


def luck(rows: Iterable[Row]) -> list[str]:
    """The methods of the p-values of chance, with the greatest error where it can be seen."""
    by_method: dict[str, float] = {}
    for row in rows:
        if row.p_method is not None:
            error = row.p_error or 0.0
            by_method[row.p_method] = max(error, by_method.get(row.p_method, 0.0))
    said = [f"{name}, error up to {error:.1g}" if error > 1e-5 else name for name, error in by_method.items()]
    return [f"p of chance: {'; '.join(said)}"] if said else []


def shortened(text: str) -> str:
    """A name with its middle left out where it is too long to be read in a table."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 12]}…{text[-11:]}"


def grouped(rows: Iterable[Row], key: str) -> dict[Any, list[Row]]:
    """Rows by one of their fields, in order of appearance."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(getattr(row, key), []).append(row)
    return groups


def interval_heading(rows: Iterable[Row]) -> str:
    """``95% interval``, or ``interval`` where levels differ."""
    levels = {row.level for row in rows if row.level is not None}
    return f"{_percent(levels.pop())} interval" if len(levels) == 1 else "interval"


def range_heading(rows: Iterable[Row]) -> str:
    """``range over ties``, by what was left open; empty where no row has a range."""
    over = {row.over or "" for row in rows if row.minimum is not None}
    return f"range over {' and '.join(sorted(over))}".rstrip() if over else ""


def methods(rows: Iterable[Row]) -> str:
    """``Student t``, or each method with its metrics where there are several."""
    from certus.inference.declare import LABELS

    by_method: dict[str, list[str]] = {}
    for row in rows:
        limits = [limit for limit in (row.low, row.high) if limit is not None and not isnan(limit)]
        if row.method is not None and row.among is None and limits:
            metrics = by_method.setdefault(LABELS.get(row.method, row.method), [])
            named = "averages" if row.average is not None else row.metric
            if named not in metrics:
                metrics.append(named)
    if len(by_method) == 1:
        return next(iter(by_method))
    return "; ".join(f"{method} for {', '.join(metrics)}" for method, metrics in by_method.items())


def remarks(rows: Iterable[Row]) -> list[str]:
    """Remarks of the rows of whole runs, metrics of a run together where they have the same one."""
    said: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        why = row.why or ("" if isfinite(row.value) else "the value is undefined")
        if why and row.query is None:
            part = row.among if row.group is None else shortened(row.group)
            whose = row.run if part is None else f"{row.run}, {part}"
            of = shortened(row.label) if row.label is not None else row.average
            said.setdefault((whose, why), []).append(row.metric if of is None else f"{row.metric} ({of})")
    return [f"{abridged(metrics, _LISTED)} of {whose}: {why}" for (whose, why), metrics in said.items()]


def among_subgroups(rows: Iterable[Row]) -> list[str]:
    """Meaning of the limits of the largest gaps, of the worst subgroups and of the means of subgroups."""
    by_kind = grouped((row for row in rows if row.among is not None), "among")
    said = []
    if "largest gap" in by_kind:
        said.append(
            "largest gap: limits for the largest true difference of any two subgroups; a lower limit of 0 means that "
            "all may be equal"
        )
    if "worst subgroup" in by_kind:
        said.append(
            "worst subgroup: limits for the worst true value of any subgroup, which may be another one than that shown"
        )
    for kind, meaning in MEANS.items():
        if kind in by_kind:
            how = methods(replace(row, among=None) for row in by_kind[kind])
            said.append(f"{kind}: {meaning}{how and f' ({how})'}")
    return said


def averaging(table: "Table", run: str | None = None) -> str:
    """Over which queries the values are: one sentence for a run, or for all where they agree."""
    rule = table.signature.get("queries")
    counts = table.signature.get("averaged", {})
    sentences = {_sentence(rule, counts[name]) for name in counts if run is None or name == run}
    return sentences.pop() if len(sentences) == 1 else ""


def _sentence(rule: object, count: dict[str, int]) -> str:
    n, missing = count.get("queries", 0), count.get("missing", 0)
    if rule != "judged":
        return f"mean over {plural(n, 'query')} in both files"
    counted = f", {missing} missing from the run {'counts' if missing == 1 else 'count'} 0" if missing else ""
    return f"mean over all {plural(n, 'judged query')}{counted}"


def _percent(level: float) -> str:
    return f"{level * 100:.10g}%"
