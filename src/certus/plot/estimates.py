"""Estimates as pictures: each value with its interval, and a mean among the values of its units."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError
from certus.plot.canvas import COLORS, GREY, finish, mark, new_axes, plain, short
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


def estimates(each: "Mapping[Any, Estimate]", ax: Any = None) -> Any:
    """Draw each estimate with its interval on a line, or a single one among the values of its units.

    A mean, the mean of folds and a quantile are drawn as a vertical line, the interval shaded, before a histogram of
    the values they are made of. All others, and several estimates, are lines one below the other. A grey line below an
    estimate is its range over what the data leave open.

    Parameters
    ----------
    each
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
    if not each:
        raise DataError("there are no estimates to draw")
    if not any(isfinite(one.value) for one in each.values()):
        name, one = next(iter(each.items()))
        raise DataError(f"{name or 'the estimate'} has no finite value to draw: {one.why or one.value}")
    intervals = {name: one.interval() for name, one in each.items()}
    if len(each) == 1:
        ((name, one),) = each.items()
        found = _units(one)
        if found is not None:
            return _among(new_axes(ax, (6.0, 4.2)), str(name), one, intervals[name], found)
    check_lines(len(each), "estimates")
    crowded = len(each) > SPACIOUS
    names = [short(str(name)) for name in each]
    size = (4.6 + 0.07 * max(map(len, names)), 1.3 + (0.16 if crowded else 0.34) * len(each))
    ax = new_axes(ax, size)
    for place, (name, one) in enumerate(each.items()):
        _range(ax, place, one)
        draw_line(
            ax,
            place,
            one.value,
            intervals[name],
            _said(one, intervals[name]),
            color=COLORS[0],
            marker="o",
            size=4 if crowded else 6,
            crowded=crowded,
            gids=("certus-value", "certus-said"),
        )
    ax.set_xlabel(_caption(each, intervals), fontsize=shrunk(ax, 9))
    fit(ax)
    name_lines(ax, names, 6.5 if crowded else 9)
    ax.tick_params(axis="x", labelsize=shrunk(ax, 9))
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=4)
    return ax


def _units(one: "Estimate") -> Floats | None:
    """The values of the units that a value of their own scale is made of; None where there are none."""
    statistic = one.statistic
    if isinstance(statistic, Quantile):
        found = statistic.values if statistic.weights is None and statistic.groups is None else None
    else:
        whole = isinstance(statistic, Mean) and statistic.total
        found = statistic.values if isinstance(statistic, Mean | Folds) and not whole else None
    return found if found is not None and len(found) > 1 and np.isfinite(found).all() else None


def _among(ax: Any, name: str, one: "Estimate", interval: "Interval", values: Floats) -> Any:
    """The value and its interval before a histogram of the units' values."""
    from matplotlib.ticker import MaxNLocator

    distinct, counts = np.unique(values, return_counts=True)
    gap = float(np.diff(distinct).min(initial=np.inf))
    span = float(np.ptp(distinct))
    if gap * _EVEN >= span:  # a bar for each value: in bins, multiples of 0.1 would fall on edges
        width = min(0.8 * gap, span / 10) if isfinite(gap) else max(abs(float(distinct[0])), 1.0) / _BINS
        left = distinct - width / 2
    else:
        least, greatest = one.bounds if all(map(isfinite, one.bounds)) else (float(distinct[0]), float(distinct[-1]))
        counts, edges = np.histogram(values, _BINS, (min(least, distinct[0]), max(greatest, distinct[-1])))
        left, width = edges[:-1], float(edges[1] - edges[0])
    for bar in ax.bar(left, counts, width, align="edge", color=GREY, alpha=0.35, linewidth=0, zorder=1):
        bar.set_gid("certus-bar")
    limits = (interval.low, interval.high) if all(map(isfinite, interval)) else None
    mark(ax, one.value, f"{plain(name, 40) or 'value'} {_said(one, interval)}", limits)
    if one.range is not None:
        for end in one.range:
            ax.axvline(end, color=GREY, linestyle=":", linewidth=1.0, zorder=3).set_gid("certus-range")
    ax.set_xlabel(f"Value of a {one.unit}\n{_caption({name: one}, {name: interval})}")
    ax.set_ylabel(plural(2, one.unit).partition(" ")[2].capitalize())
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return finish(ax, "upper right")


def _range(ax: Any, place: int, one: "Estimate") -> None:
    if one.range is not None:
        (line,) = ax.plot(one.range, [place + 0.25] * 2, color=GREY, linewidth=1.2, marker="|", markersize=4, zorder=2)
        line.set_gid("certus-range")


def _said(one: "Estimate", interval: "Interval") -> str:
    if one.why:
        return "undefined"
    numbers = [one.value, *interval] if interval.defined else [one.value]
    spec = ".0f" if max(numbers) > 1 and all(float(number).is_integer() for number in numbers) else ".4f"
    limits = f" [{interval.low:{spec}}, {interval.high:{spec}}]" if interval.defined else ""
    return f"{one.value:{spec}}{limits}"


def _caption(each: "Mapping[Any, Estimate]", intervals: "Mapping[Any, Interval]") -> str:
    """The intervals and the number of units, what is to be known of a single interval, and the ranges."""
    defined = [interval for interval in intervals.values() if interval.defined]
    some = next(iter(each.values()))
    level = defined[0].level if defined else None
    said = [caption(level, [one.n for one in each.values()], some.unit, several=len(each) > 1)]
    why = next(iter(intervals.values())).why
    if not defined:
        said.append(f"no interval: {why}")
    elif len(each) == 1 and why:
        said.append(why)
    over = {one.range_of for one in each.values() if one.range is not None}
    if len(each) == 1 and some.range is not None:
        low, high = some.range
        said.append(f"{low:.4f} to {high:.4f} over {some.range_of}")
    elif over:
        said.append(f"grey: range over {' and '.join(sorted(map(str, over)))}")
    return "\n".join(said)
