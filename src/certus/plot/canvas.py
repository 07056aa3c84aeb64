"""Common parts of all pictures: axes, colors that colour-blind readers tell apart, thinning, legends, panels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.errors import CertusError, MetricNameError
from certus.plot.fitting import broken, corner, fit, shrunk, width
from certus.printable import printable

# Okabe & Ito's palette, without its yellow, which is too light on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)), (0, (2, 1)))
GREY = "#6e6e6e"
_LONGEST = 27
_MOST_METRICS = 12
"""Metrics that one picture can show."""
_COLUMNS = 4000
"""Columns and rows of a raster finer than any screen: two points in one of its cells look like one."""


@dataclass(frozen=True)
class LegendEntry:
    """One entry of a legend: what was drawn, what it is called, what its band is, and how much data it is of."""

    line: Any
    handle: Any
    label: str
    band: str = ""
    n: str = ""


class CurveStyle(NamedTuple):
    """Style of a curve: its kind of band, the level, its label in the legend and its color."""

    band: Literal["pointwise", "simultaneous"] | None
    level: float
    label: str | None
    color: Any

    @classmethod
    def from_options(cls, *options: Any) -> "CurveStyle":
        """Style from the options of a plot method, in the order of the fields."""
        if options[0] not in ("pointwise", "simultaneous", None):
            raise CertusError(f"is {options[0]!r}", "it must be 'pointwise', 'simultaneous' or None", argument="band")
        return cls(*options)

    @property
    def simultaneous(self) -> bool:
        """True if the band holds for all thresholds together."""
        return self.band == "simultaneous"

    def words(self, noun: str) -> str:
        """``"95% pointwise band"``."""
        return f"{100 * self.level:g}% {self.band} {noun}"


_ENTRIES: WeakKeyDictionary[Any, list[LegendEntry]] = WeakKeyDictionary()
"""Curves drawn on each axes, so that several share one legend."""


@cache
def pyplot() -> Any:
    """Matplotlib's pyplot, imported when the first picture is drawn."""
    try:
        from matplotlib import pyplot as found
    except ImportError as error:
        raise ImportError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    return found


def printable_name(text: str, max_length: int = _LONGEST) -> str:
    r"""A name from the data as matplotlib prints it: nothing invisible, no formula, no longer than a picture bears.

    Examples
    --------
    >>> print(printable_name("$x"), printable_name("a\nb"), printable_name(50 * "long"))
    \$x a\x0ab longlonglonglonglonglonglo…
    """
    text_shown = printable(text)
    return (text_shown if len(text_shown) <= max_length else f"{text_shown[: max_length - 1]}…").replace("$", r"\$")


def new_axes(ax: Any, size: tuple[float, float] = (5.6, 5.2)) -> Any:
    """The axes given, or those of a new figure of that size in inches."""
    return pyplot().subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def number_of(ax: Any) -> int:
    """The number of curves certus has drawn on the axes since they were last cleared."""
    return sum(1 for entry in _entries(ax) if entry.handle is not entry.line)


def style_of(ax: Any, color: Any) -> tuple[Any, Any]:
    """The color and the dashes of the next curve on the axes."""
    number = number_of(ax)
    return COLORS[number % len(COLORS)] if color is None else color, DASHES[number % len(DASHES)]


def draw_curve(
    ax: Any,
    x: Floats,
    y: Floats,
    *,
    name: str,
    color: Any,
    region: Any = None,
    band: str = "",
    n: str = "",
    **line: Any,
) -> Any:
    """Draw a line and, below it, the region of its band; the legend will show both in one entry."""
    chosen, dashes = style_of(ax, color)
    (curve_line,) = ax.plot(x, y, color=chosen, linestyle=dashes, linewidth=1.8, zorder=3, **line)
    curve_line.set_gid("certus-curve")
    handle: Any = (curve_line,)
    if region is not None:
        (patch,) = ax.fill(*region, facecolor=chosen, alpha=0.18, linewidth=0, zorder=2)
        patch.set_gid("certus-band")
        handle = (patch, curve_line)
    _entries(ax).append(LegendEntry(curve_line, handle, name, band, n))
    return curve_line


def reference(ax: Any, x: Sequence[float] | Floats, y: Sequence[float] | Floats, name: str, dashes: Any = ":") -> None:
    """Draw a thin grey line to compare with, unless a line of that name is there already."""
    if all(entry.label != name for entry in _entries(ax)):
        (line,) = ax.plot(x, y, color=GREY, linestyle=dashes, linewidth=1.0, zorder=1)
        line.set_gid("certus-reference")
        _entries(ax).append(LegendEntry(line, line, name))


def mark(ax: Any, x: float, name: str, limits: tuple[float, float] | None = None) -> None:
    """Draw a black vertical line at a value, before its shaded limits if it has some."""
    line = ax.axvline(x, color="black", linewidth=1.2, zorder=4)
    line.set_gid("certus-mark")
    handle: Any = line
    if limits is not None:
        shade = ax.axvspan(*limits, facecolor=COLORS[0], alpha=0.25, linewidth=0, zorder=2)
        shade.set_gid("certus-band")
        handle = (shade, line)
    _entries(ax).append(LegendEntry(line, handle, name))


def finish(ax: Any, loc: str, right: Any = None) -> Any:
    """One legend for all that is drawn; grey lines last. What all curves have in common stands above the entries.

    `loc` is matplotlib's name of a corner; the legend stands in another one, or above the axes, where it would hide a
    part of a curve there. ``"above"`` is for curves that leave no corner free. `right` are axes over these, of another
    scale, whose curves stand in the same legend.
    """
    fit(ax)
    entries = sorted(
        (*_entries(ax), *(() if right is None else _entries(right))), key=lambda entry: entry.handle is entry.line
    )
    shared = [_common([entry.band for entry in entries]), _common([entry.n for entry in entries])]
    size = shrunk(ax, 9)
    title = "\n".join(text for text in shared if text)
    labelled = [(entry.handle, label) for entry in entries if (label := _label(entry, shared))]

    def legend(location: str) -> Any:
        # a square becomes smaller below a legend; beside each label stands a sample of its line
        part = 0.7 if location == "above" and ax.get_aspect() != "auto" else 0.85
        room = part * width(ax) - 4 * size / 72
        return (ax if right is None else right).legend(
            [handle for handle, _ in labelled],
            [broken(label, size, room) for _, label in labelled],
            loc="lower left" if location == "above" else location,
            bbox_to_anchor=(0.0, 1.0) if location == "above" else None,
            title=broken(title, size, room) or None,
            fontsize=size,
            title_fontsize=size,
            alignment="left",
            framealpha=0.9,
            edgecolor="none",
            handlelength=2.6,
            borderaxespad=0.6,
        )

    box = legend(loc)
    free_location = corner(ax, box, loc) or ("best" if ax.get_title() else "above")
    if free_location != loc:
        box = legend(free_location)
    if free_location == "above":
        fit(ax, box)
    box.set_zorder(5)
    return ax


def _common(words: Sequence[str]) -> str:
    """The words that all entries with any have in common."""
    distinct = {text for text in words if text}
    return distinct.pop() if len(distinct) == 1 else ""


def _label(entry: LegendEntry, shared: Sequence[str]) -> str:
    """The text of an entry, with band and size where other entries differ in them."""
    own_texts = [
        text for text, shared_text in zip((entry.band, entry.n), shared, strict=True) if text and not shared_text
    ]
    return f"{entry.label} ({'; '.join(own_texts)})" if own_texts else entry.label


def thinned(x: Floats, y: Floats, *, scale: Callable[[Floats], Floats] | None = None) -> tuple[Floats, Floats]:
    """The points of a line of which x rises or falls throughout, less those that no screen could tell from others.

    Of the points in one column of a fine raster the first, the last, the highest and the lowest stay, and of a line
    whose y rises or falls throughout as well the first and last in each cell; `scale` is that of the axes.
    """
    if len(x) <= 4 * _COLUMNS or np.isnan(x[0]) or np.isnan(y[0]):
        return x, y
    across, up = (values if scale is None else scale(values) for values in (x, y))
    column = _cells(across)
    rise = np.diff(y)
    if (rise >= 0).all() or (rise <= 0).all():
        change = (np.diff(column) != 0) | (np.diff(_cells(up)) != 0)
        is_kept = np.ones(len(x), dtype=np.bool_)
        is_kept[1:-1] = change[:-1] | change[1:]
        return x[is_kept], y[is_kept]
    starts = np.concatenate(([0], np.flatnonzero(np.diff(column)) + 1, [len(x)]))
    chosen = set(starts[:-1].tolist()) | set((starts[1:] - 1).tolist())
    for first, after in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if after - first > 2:
            chosen |= {first + int(y[first:after].argmin()), first + int(y[first:after].argmax())}
    indices = np.array(sorted(chosen))
    return x[indices], y[indices]


def _cells(values: Floats) -> NDArray[np.int64]:
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) * (_COLUMNS / ((high - low) or 1.0)), dtype=np.int64)


def _entries(ax: Any) -> list[LegendEntry]:
    entries = _ENTRIES.setdefault(ax, [])
    # What the user has removed, or cleared with the axes, is no longer there.
    entries[:] = [entry for entry in entries if entry.line in ax.get_children()]
    return entries


def chosen_metrics(metrics: Sequence[str], metric: str | None, ax: Any, owner: str = "comparison") -> list[str]:
    """The metric asked for; all of them where none is."""
    if metric is not None:
        if metric not in metrics:
            raise MetricNameError(f"the {owner} has no metric {metric!r}", f"it has {', '.join(metrics)}")
        return [metric]
    max_metrics, surface = (1, "axes") if ax is not None else (_MOST_METRICS, "picture")
    if len(metrics) > max_metrics:
        raise CertusError(
            f"{len(metrics)} metrics do not fit on one {surface}", f"choose one, such as metric={metrics[0]!r}"
        )
    return list(metrics)


def check_apart(number: int, noun: str, limit: int, remedy: str) -> None:
    """Refuse more systems or pairs than there are markers or colors."""
    if number > limit:
        raise CertusError(f"{number} {noun} cannot be told apart in a picture, at most {limit} can", remedy)


def best_first(values: Mapping[str, float], better: str | None) -> list[str]:
    """The names of the values, the best one first; those without a value last."""
    sign = 1 if better == "lower" else -1
    return sorted(values, key=lambda name: (values[name] != values[name], sign * values[name]))


def heading(metric: str, better: str | None) -> str:
    """The title of a metric, which says so where lower values are better."""
    return f"{printable_name(metric)} (lower is better)" if better == "lower" else printable_name(metric)


def panels(number: int, ax: Any, size: tuple[float, float], across: int = 2) -> list[Any]:
    """The axes given, or `number` of a new figure, each of that size in inches."""
    if ax is not None:
        return [ax]
    columns = min(number, across)
    lines = -(-number // columns)
    _, grid = pyplot().subplots(
        lines, columns, figsize=(columns * size[0], lines * size[1]), layout="constrained", squeeze=False
    )
    every = list(grid.flat)
    for empty in every[number:]:
        empty.set_visible(False)
    return every[:number]


def short(name: str) -> str:
    """A printable name, its middle left out where it is too long: runs often differ at the end."""
    return printable_name(shortened(name))


def shortened(name: str, max_length: int = _LONGEST) -> str:
    """A name without its middle where it has more letters than `max_length`."""
    half = max_length // 2
    return name if len(name) <= max_length else f"{name[: max_length - half]}…{name[len(name) - half + 1 :]}"


def pair_name(system: str, baseline: str) -> str:
    """``"dense − bm25"``, in two lines where it is long."""
    first, second = short(system), short(baseline)
    return f"{first} − {second}" if len(first) + len(second) <= _LONGEST else f"{first}\n− {second}"
