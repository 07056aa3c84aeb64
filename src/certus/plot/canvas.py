"""Common parts of all pictures: axes, colors that colour-blind readers tell apart, legends, letters that fit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError, MetricNameError
from certus.core.printable import printable

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
_FULL_WIDTH = 4.0
"""Inches of axes on which letters have their full size."""
_SMALLEST_FACTOR = 0.7
"""Smaller than this part of their size letters cannot be read in print."""
_CORNERS = ("lower right", "lower left", "upper right", "upper left")


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
        from matplotlib import pyplot as module
    except ImportError as error:
        raise ImportError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    return module


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


def draw_curve(
    ax: Any,
    x: Floats,
    y: Floats,
    *,
    name: str,
    color: Any = None,
    region: Any = None,
    band: str = "",
    n: str = "",
    **line: Any,
) -> Any:
    """Draw a line and, below it, the region of its band; the legend will show both in one entry."""
    number = number_of(ax)
    color = COLORS[number % len(COLORS)] if color is None else color
    style = {"linestyle": DASHES[number % len(DASHES)], "linewidth": 1.8, "zorder": 3, "gid": "certus-curve", **line}
    (curve_line,) = ax.plot(x, y, color=color, **style)
    handle: Any = (curve_line,)
    if region is not None:
        (patch,) = ax.fill(*region, facecolor=color, alpha=0.18, linewidth=0, zorder=2, gid="certus-band")
        handle = (patch, curve_line)
    _entries(ax).append(LegendEntry(curve_line, handle, name, band, n))
    return curve_line


def reference(
    ax: Any, x: Sequence[float] | Floats, y: Sequence[float] | Floats, name: str, dashes: Any = ":", **style: Any
) -> None:
    """Draw a thin grey line to compare with, unless a line of that name is there already."""
    if all(entry.label != name for entry in _entries(ax)):
        (line,) = ax.plot(x, y, color=GREY, linestyle=dashes, linewidth=1.0, zorder=1, gid="certus-reference", **style)
        _entries(ax).append(LegendEntry(line, line, name))


def mark(ax: Any, x: float, name: str, limits: tuple[float, float] | None = None) -> None:
    """Draw a black vertical line at a value, before its shaded limits if it has some."""
    line = ax.axvline(x, color="black", linewidth=1.2, zorder=4, gid="certus-mark")
    handle: Any = line
    if limits is not None:
        shade = ax.axvspan(*limits, facecolor=COLORS[0], alpha=0.25, linewidth=0, zorder=2, gid="certus-band")
        handle = (shade, line)
    _entries(ax).append(LegendEntry(line, handle, name))


def finish(ax: Any, loc: str, right: Any = None, **properties: Any) -> Any:
    """Label the axes, and add one legend for all that is drawn; grey lines last, what all have in common above it.

    `loc` is matplotlib's name of a corner; the legend stands in another one, or above the axes, where it would hide a
    part of a curve there. ``"above"`` is for curves that leave no corner free. `right` are axes over these, of another
    scale, whose curves stand in the same legend. `properties` are those that matplotlib sets: `xlabel`, `xlim`, ...
    """
    ax.set(**properties)
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


def thinned(
    x: Floats, y: Floats, *, scale: Callable[[Floats], Floats] | None = None, columns: int = _COLUMNS
) -> tuple[Floats, Floats]:
    """The points of a line of which x rises or falls throughout, less those that no screen could tell from others.

    Of the points in one of the `columns` of a raster the first, the last, the highest and the lowest stay, and of a
    line whose y rises or falls throughout as well the first and last in each cell; `scale` is that of the axes.
    """
    if len(x) <= 4 * columns or np.isnan(x[0]) or np.isnan(y[0]):
        return x, y
    across, up = (values if scale is None else scale(values) for values in (x, y))
    column = _cells(across, columns)
    rise = np.diff(y)
    if (rise >= 0).all() or (rise <= 0).all():
        change = (np.diff(column) != 0) | (np.diff(_cells(up, columns)) != 0)
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


def _cells(values: Floats, columns: int) -> NDArray[np.int64]:
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) * (columns / ((high - low) or 1.0)), dtype=np.int64)


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
        problem = f"{len(metrics)} metrics do not fit on one {surface}"
        raise CertusError(problem, f"choose one, such as metric={metrics[0]!r}")
    return list(metrics)


def check_apart(number: int, noun: str, limit: int, remedy: str) -> None:
    """Refuse more systems or pairs than there are markers or colors."""
    if number > limit:
        raise CertusError(f"{number} {noun} cannot be told apart in a picture, at most {limit} can", remedy)


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


def hide_spines(ax: Any, *names: str) -> None:
    """Draw no frame at these sides."""
    ax.spines[list(names)].set_visible(False)


def color_scale(ax: Any, image: Any, label: str, points: float, *, shrink: float) -> None:
    """Draw the scale of colors beside a matrix, in letters of that size where they fit."""
    bar = ax.figure.colorbar(image, ax=ax, shrink=shrink)
    bar.set_label(label, fontsize=shrunk(ax, points))
    bar.ax.tick_params(labelsize=shrunk(ax, points))
    bar.outline.set_visible(False)


def integer_ticks(axis: Any) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def shrunk(ax: Any, points: float) -> float:
    """A size of letters in points, on axes narrower than four inches down to 0.7 of it, but not below 6 points."""
    return max(points * _part(ax), min(points, 6.0))


def fit(ax: Any, legend: Any = None) -> None:
    """Make letters as large as the axes allow, and break titles and labels that are longer than their axes.

    A `legend` above the axes will take a part of their height.
    """
    part = _part(ax)
    lost = 0.0 if legend is None else legend.get_window_extent().height
    across, up = width(ax), (ax.get_window_extent().height - lost) / ax.figure.dpi
    for text, length in ((ax.xaxis.label, across), (ax.yaxis.label, up), (ax.title, across)):
        if part < 1:
            text.set_fontsize(part * _default_size("axes.titlesize" if text is ax.title else "axes.labelsize"))
        text.set_text(broken(text.get_text(), text.get_fontsize(), length))
    if part < 1:
        ax.tick_params(axis="both", labelsize=part * _default_size("xtick.labelsize"))
        for child in ax.child_axes:
            child.tick_params(axis="both", labelsize=shrunk(ax, 8))


def _hides(ax: Any, legend: Any, loc: str) -> bool:
    """True if a legend in a corner would hide part of a curve, a band, or an inset."""
    from matplotlib.transforms import Bbox

    ax.apply_aspect()
    frame, box = ax.get_window_extent(), legend.get_window_extent()
    if box.width > frame.width or box.height > frame.height:
        return True
    x0 = frame.x1 - box.width if "right" in loc else frame.x0
    y0 = frame.y1 - box.height if "upper" in loc else frame.y0
    corner_box = Bbox.from_bounds(x0, y0, box.width, box.height)
    return any(path.intersects_bbox(corner_box, filled=is_filled) for path, is_filled in _drawn_paths(ax))


def corner(ax: Any, legend: Any, wanted: str) -> str | None:
    """The corner asked for if the legend hides nothing there, otherwise another one; None where it always does."""
    if wanted not in _CORNERS:
        return wanted
    return next((loc for loc in (wanted, *_CORNERS) if not _hides(ax, legend, loc)), None)


def _drawn_paths(ax: Any) -> Iterator[tuple[Any, bool]]:
    """The paths of curves and of regions on the screen, and whether they are filled."""
    from matplotlib.path import Path

    overlaid = [sibling for sibling in ax.get_shared_x_axes().get_siblings(ax) if sibling.bbox.bounds == ax.bbox.bounds]
    for axes in overlaid:
        for artist in (*axes.lines, *axes.patches, *axes.collections):
            gid = artist.get_gid()
            if gid in ("certus-curve", "certus-needed"):
                yield artist.get_transform().transform_path(artist.get_path()), False
            elif gid in ("certus-band", "certus-shaded", "certus-bar"):
                for path in artist.get_paths() if hasattr(artist, "get_paths") else [artist.get_path()]:
                    yield artist.get_transform().transform_path(path), gid != "certus-band" or artist in axes.patches
        for child in axes.child_axes:
            if child.get_gid() == "certus-histogram" and (locator := child.get_axes_locator()):
                box = locator(child, None).transformed(ax.get_figure(root=True).transFigure)
                yield Path([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)]), True


def width(ax: Any) -> float:
    """Inches across the axes."""
    return float(ax.get_window_extent().width / ax.figure.dpi)


def _part(ax: Any) -> float:
    return float(min(1.0, max(_SMALLEST_FACTOR, width(ax) / _FULL_WIDTH)))


def _default_size(name: str) -> float:
    """The size that matplotlib is set to, in points."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=rcParams[name]).get_size_in_points())


def broken(text: str, size: float, inches: float) -> str:
    """Break a text in letters of `size` points into lines of at most `inches`, between words."""
    return "\n".join(_broken(line, size, 72 * inches) for line in text.split("\n"))


def _broken(line: str, size: float, room: float) -> str:
    """The line, broken before a bracket if both parts have room."""
    if _width(line, size) <= room:
        return line
    head, bracket, tail = line.partition(" (")
    if bracket and max(_width(head, size), _width(f"({tail}", size)) <= room:
        return f"{head}\n({tail}"
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


@lru_cache(4096)
def _width(text: str, size: float) -> float:
    """The length of a text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return float(text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)[0])
