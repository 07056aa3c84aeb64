"""Estimates as pictures: each value with its interval, and a mean among the values of its units."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError
from certus.plot.canvas import COLORS, GREY, finish, mark, new_axes, printable_name, short
from certus.plot.fitting import fit, shrunk
from certus.plot.forest import SPACIOUS, caption, check_lines, draw_line, name_lines
from certus.statistic import Mean, Quantile
from certus.statistic.common import plural
from certus.statistic.folds import Folds

if TYPE_CHECKING:
    from certus.inference import Estimate, Interval


_BINS = 20
_EVEN = 2 * _BINS
"""Values nearer to each other than this part of their range have no bars of their own."""


def estimates(show_values: "Mapping[Any, Estimate]", ax: Any = None) -> Any:
    """Draw each estimate with its interval on a line, or a single one among the values of its units.

    A mean, the mean of folds and a quantile are drawn as a vertical line, the interval shaded, before a histogram of
    the values they are made of. All others, and several estimates, are lines one below the other. A grey line below an
    estimate is its range over what the data leave open.

    Parameters
    ----------
    show_values
        The estimates by name.
    ax
        The matplotlib axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Raises
    ------
    DataError
        There are no estimates, or none of them has a finite value.
    CertusError
        There are more than a picture can show.

    Examples
    --------
    >>> from certus import classification
    >>> recall = classification.recall(["a", "a", "b", "b"], ["a", "b", "b", "b"], average=None)
    >>> ax = estimates(recall)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    if not show_values:
        raise DataError("there are no estimates to draw")
    if not any(isfinite(estimate.value) for estimate in show_values.values()):
        name, estimate = next(iter(show_values.items()))
        raise DataError(f"{name or 'the estimate'} has no finite value to draw: {estimate.reason or estimate.value}")
    intervals = {name: estimate.interval() for name, estimate in show_values.items()}
    if len(show_values) == 1:
        ((name, estimate),) = show_values.items()
        unit_values = _units(estimate)
        if unit_values is not None:
            return _draw_histogram(new_axes(ax, (6.0, 4.2)), str(name), estimate, intervals[name], unit_values)
    check_lines(len(show_values), "estimates")
    crowded = len(show_values) > SPACIOUS
    names = [short(str(name)) for name in show_values]
    size = (4.6 + 0.07 * max(map(len, names)), 1.3 + (0.16 if crowded else 0.34) * len(show_values))
    ax = new_axes(ax, size)
    for index, (name, estimate) in enumerate(show_values.items()):
        _range(ax, index, estimate)
        draw_line(
            ax,
            index,
            estimate.value,
            intervals[name],
            _value_text(estimate, intervals[name]),
            color=COLORS[0],
            marker="o",
            size=4 if crowded else 6,
            crowded=crowded,
            gids=("certus-value", "certus-said"),
        )
    ax.set_xlabel(_caption(show_values, intervals), fontsize=shrunk(ax, 9))
    fit(ax)
    name_lines(ax, names, 6.5 if crowded else 9)
    ax.tick_params(axis="x", labelsize=shrunk(ax, 9))
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=4)
    return ax


def _units(estimate: "Estimate") -> Floats | None:
    """Values of the units, if they lie on the scale of the estimate; otherwise None."""
    statistic = estimate.statistic
    if isinstance(statistic, Quantile):
        values = statistic.values if statistic.weights is None and statistic.groups is None else None
    else:
        is_total = isinstance(statistic, Mean) and statistic.total
        values = statistic.values if isinstance(statistic, Mean | Folds) and not is_total else None
    return values if values is not None and len(values) > 1 and np.isfinite(values).all() else None


def _draw_histogram(ax: Any, name: str, estimate: "Estimate", interval: "Interval", values: Floats) -> Any:
    """The value and its interval before a histogram of the units' values."""
    from matplotlib.ticker import MaxNLocator

    distinct, counts = np.unique(values, return_counts=True)
    gap = float(np.diff(distinct).min(initial=np.inf))
    span = float(np.ptp(distinct))
    if gap * _EVEN >= span:  # a bar for each value: in bins, multiples of 0.1 would fall on edges
        width = min(0.8 * gap, span / 10) if isfinite(gap) else max(abs(float(distinct[0])), 1.0) / _BINS
        left = distinct - width / 2
    else:
        lowest, highest = (
            estimate.bounds if all(map(isfinite, estimate.bounds)) else (float(distinct[0]), float(distinct[-1]))
        )
        counts, edges = np.histogram(values, _BINS, (min(lowest, distinct[0]), max(highest, distinct[-1])))
        left, width = edges[:-1], float(edges[1] - edges[0])
    for bar in ax.bar(left, counts, width, align="edge", color=GREY, alpha=0.35, linewidth=0, zorder=1):
        bar.set_gid("certus-bar")
    limits = (interval.low, interval.high) if all(map(isfinite, interval)) else None
    mark(ax, estimate.value, f"{printable_name(name, 40) or 'value'} {_value_text(estimate, interval)}", limits)
    if estimate.range is not None:
        for end in estimate.range:
            ax.axvline(end, color=GREY, linestyle=":", linewidth=1.0, zorder=3).set_gid("certus-range")
    ax.set_xlabel(f"Value of a {estimate.unit}\n{_caption({name: estimate}, {name: interval})}")
    ax.set_ylabel(plural(2, estimate.unit).partition(" ")[2].capitalize())
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return finish(ax, "upper right")


def _range(ax: Any, position: int, estimate: "Estimate") -> None:
    if estimate.range is not None:
        (line,) = ax.plot(
            estimate.range, [position + 0.25] * 2, color=GREY, linewidth=1.2, marker="|", markersize=4, zorder=2
        )
        line.set_gid("certus-range")


def _value_text(estimate: "Estimate", interval: "Interval") -> str:
    if estimate.reason:
        return "undefined"
    numbers = [estimate.value, *interval] if interval.defined else [estimate.value]
    spec = ".0f" if max(numbers) > 1 and all(float(number).is_integer() for number in numbers) else ".4f"
    limits = f" [{interval.low:{spec}}, {interval.high:{spec}}]" if interval.defined else ""
    return f"{estimate.value:{spec}}{limits}"


def _caption(by_name: "Mapping[Any, Estimate]", intervals: "Mapping[Any, Interval]") -> str:
    """The intervals and the number of units, what is to be known of a single interval, and the ranges."""
    defined = [interval for interval in intervals.values() if interval.defined]
    first_estimate = next(iter(by_name.values()))
    level = defined[0].level if defined else None
    lines = [
        caption(level, [estimate.n for estimate in by_name.values()], first_estimate.unit, several=len(by_name) > 1)
    ]
    reason = next(iter(intervals.values())).reason
    if not defined:
        lines.append(f"no interval: {reason}")
    elif len(by_name) == 1 and reason:
        lines.append(reason)
    range_sources = {estimate.range_of for estimate in by_name.values() if estimate.range is not None}
    if len(by_name) == 1 and first_estimate.range is not None:
        low, high = first_estimate.range
        lines.append(f"{low:.4f} to {high:.4f} over {first_estimate.range_of}")
    elif range_sources:
        lines.append(f"grey: range over {' and '.join(sorted(map(str, range_sources)))}")
    return "\n".join(lines)
