"""Common parts of all pictures: axes, colors that colour-blind readers tell apart, thinning, legends, panels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.errors import CertusError, MetricNameError
from certus.printable import printable

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.curves import Curve

__all__ = [
    "GREY",
    "Banded",
    "Drawn",
    "Kind",
    "band_start",
    "check_band",
    "chosen_metrics",
    "curve_label",
    "draw_banded",
    "draw_curve",
    "finish",
    "mark",
    "new_axes",
    "number_of",
    "pair_name",
    "panels",
    "plain",
    "reference",
    "short",
    "thinned",
]


Kind = Literal["pointwise", "simultaneous"] | None

# Okabe & Ito's palette, without its yellow, which is too light on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)), (0, (2, 1)))
GREY = "#6e6e6e"
_LONGEST = 27
_FEWEST_CALLED = 10
_COLUMNS = 4000
"""Finer than any screen: two points in one of so many columns and rows look like one."""


class Banded(Protocol):
    """Something that can give a band."""

    @property
    def why(self) -> str:
        """Why there is none."""
        ...

    @property
    def data(self) -> Any:
        """The samples."""
        ...

    def band(self, level: float = 0.95, simultaneous: bool = False, method: str | None = None) -> Any:
        """The band."""
        ...


@dataclass(frozen=True)
class Drawn:
    """One entry of a legend: what was drawn, what it is called, and what its band is."""

    line: Any
    handle: Any
    label: str
    band: str = ""


_DRAWN: WeakKeyDictionary[Any, list[Drawn]] = WeakKeyDictionary()
"""What was drawn on each axes, so that several curves share one legend."""


@cache
def pyplot() -> Any:
    """Matplotlib's pyplot, imported when the first picture is drawn.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot as found
    except ImportError as error:
        raise ImportError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    return found


def plain(text: str) -> str:
    r"""A name from the data as matplotlib prints it: nothing invisible, no formula, no longer than a picture bears.

    Examples
    --------
    >>> print(plain("$x"), plain("a\nb"), plain(50 * "long"))
    \$x a\x0ab longlonglonglonglonglonglo…
    """
    shown = printable(text)
    return (shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…").replace("$", r"\$")


def new_axes(ax: Any, size: tuple[float, float] = (5.6, 5.2)) -> Any:
    """The axes given, or those of a new figure of that size in inches."""
    return pyplot().subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def number_of(ax: Any) -> int:
    """The number of curves certus has drawn on the axes since they were last cleared."""
    return sum(1 for each in _entries(ax) if each.handle is not each.line)


def style_of(ax: Any, color: Any) -> tuple[Any, Any]:
    """The color and the dashes of the next curve on the axes."""
    number = number_of(ax)
    return COLORS[number % len(COLORS)] if color is None else color, DASHES[number % len(DASHES)]


def draw_curve(
    ax: Any, x: Floats, y: Floats, *, name: str, color: Any, region: Any = None, band: str = "", **line: Any
) -> Any:
    """Draw a line and, below it, the region of its band; the legend will show both in one entry."""
    chosen, dashes = style_of(ax, color)
    (drawn,) = ax.plot(x, y, color=chosen, linestyle=dashes, linewidth=1.8, zorder=3, **line)
    drawn.set_gid("certus-curve")
    handle: Any = (drawn,)
    if region is not None:
        (patch,) = ax.fill(*region, facecolor=chosen, alpha=0.18, linewidth=0, zorder=2)
        patch.set_gid("certus-band")
        handle = (patch, drawn)
    _entries(ax).append(Drawn(drawn, handle, name, band))
    return drawn


def reference(ax: Any, x: Sequence[float] | Floats, y: Sequence[float] | Floats, name: str, dashes: Any = ":") -> None:
    """Draw a thin grey line to compare with, unless a line of that name is there already."""
    if all(each.label != name for each in _entries(ax)):
        (line,) = ax.plot(x, y, color=GREY, linestyle=dashes, linewidth=1.0, zorder=1)
        line.set_gid("certus-reference")
        _entries(ax).append(Drawn(line, line, name))


def mark(ax: Any, x: float, name: str) -> None:
    """Draw a black vertical line at a value."""
    line = ax.axvline(x, color="black", linewidth=1.2, zorder=4)
    line.set_gid("certus-mark")
    _entries(ax).append(Drawn(line, line, name))


def check_band(band: object) -> None:
    """Refuse a kind of band that there is not.

    Raises
    ------
    CertusError
        It is neither pointwise nor simultaneous nor None.
    """
    if band not in ("pointwise", "simultaneous", None):
        raise CertusError(f"band is {band!r}; it must be 'pointwise', 'simultaneous' or None")


def draw_banded(
    ax: Any,
    curve: Banded,
    x: Floats,
    y: Floats,
    *,
    band: Kind,
    level: float,
    scale: Callable[[Floats], Floats] | None = None,
    start: float = -np.inf,
    **line: Any,
) -> None:
    """Draw the line of a curve over its band, if there is one, from x = `start` on; `scale` is that of the axes."""
    check_band(band)
    region, words = None, ""
    if not (band is None or curve.why or curve.data.weights is not None or curve.data.groups is not None):
        made = curve.band(level, simultaneous=band == "simultaneous")
        outline = (_from(*made.lower, start), _from(*made.upper, start))
        region, words = _polygon(outline, scale), f"{100 * level:g}% {band} band"
    draw_curve(ax, *thinned(x, y, scale=scale), region=region, band=words, **line)


def band_start(curve: "Curve", x: Floats) -> float:
    """The x from which the band of a precision is drawn: that where ten samples, or a tenth of fewer, are called.

    Of fewer samples precision and lift are hardly known: the limits reach from one side of the picture to the other,
    and would hide its left edge. `band` has them all.
    """
    called = curve.true_positives + curve.false_positives
    return float(np.min(x[called >= min(_FEWEST_CALLED, 0.1 * called.max())], initial=np.inf))


def _from(x: Floats, y: Floats, start: float) -> tuple[Floats, Floats]:
    """The part of a line, by increasing x, that begins at x = `start`."""
    if not len(x) or start <= x[0]:
        return x, y
    later = x > start
    return np.append(start, x[later]), np.append(np.interp(start, x, y), y[later])


def finish(ax: Any, loc: str) -> Any:
    """One legend for all that is drawn; grey lines last. What all bands are stands above the entries.

    `loc` is ``"above"`` for curves that leave no corner free, otherwise matplotlib's name of a corner.
    """
    entries = sorted(_entries(ax), key=lambda each: each.handle is each.line)
    bands = {each.band for each in entries if each.band}
    title = bands.pop() if len(bands) == 1 else ""
    labels = [f"{each.label} ({each.band})" if each.band and not title else each.label for each in entries]
    shown = [(each.handle, label) for each, label in zip(entries, labels, strict=True) if label]
    legend = ax.legend(
        [handle for handle, _ in shown],
        [label for _, label in shown],
        loc="lower left" if loc == "above" else loc,
        bbox_to_anchor=(0.0, 1.0) if loc == "above" else None,
        title=title or None,
        fontsize=9,
        title_fontsize=9,
        alignment="left",
        framealpha=0.9,
        edgecolor="none",
        handlelength=2.6,
        borderaxespad=0.6,
    )
    legend.set_zorder(5)
    return ax


def curve_label(label: str | None, name: str, estimate: Any, level: float) -> str:
    """``"model: AUC 0.873 [0.842, 0.901]"``."""
    summary = f"{name} undefined"
    if not estimate.why:
        interval = estimate.interval(level)
        summary = f"{name} {estimate.value:.3f}"
        if interval.defined:
            summary += f" [{interval.low:.3f}, {interval.high:.3f}]"
    return f"{label}: {summary}" if label else summary


def _polygon(
    outline: tuple[tuple[Floats, Floats], tuple[Floats, Floats]], scale: Callable[[Floats], Floats] | None
) -> tuple[Floats, Floats]:
    """The region between two lines, as the points around it."""
    (ax, ay), (bx, by) = (thinned(*line, scale=scale) for line in outline)
    return np.concatenate((ax, bx[::-1])), np.concatenate((ay, by[::-1]))


def thinned(x: Floats, y: Floats, *, scale: Callable[[Floats], Floats] | None = None) -> tuple[Floats, Floats]:
    """The points of a line of which x rises or falls throughout, less those that no screen could tell from others.

    Of the points in one column of a fine raster the first, the last, the highest and the lowest stay, and of a line
    whose y rises or falls throughout as well the first and last in each cell; `scale` is that of the axes.

    Examples
    --------
    >>> x = np.linspace(0, 1, 1_000_001)
    >>> thin, _ = thinned(x, x**2)
    >>> len(thin) < 20_000, float(thin[0]), float(thin[-1])
    (True, 0.0, 1.0)
    """
    if len(x) <= 4 * _COLUMNS or np.isnan(x[0]) or np.isnan(y[0]):
        return x, y
    across, up = (each if scale is None else scale(each) for each in (x, y))
    column = _cells(across)
    rise = np.diff(y)
    if (rise >= 0).all() or (rise <= 0).all():
        change = (np.diff(column) != 0) | (np.diff(_cells(up)) != 0)
        kept = np.ones(len(x), dtype=np.bool_)
        kept[1:-1] = change[:-1] | change[1:]
        return x[kept], y[kept]
    starts = np.concatenate(([0], np.flatnonzero(np.diff(column)) + 1, [len(x)]))
    places = set(starts[:-1].tolist()) | set((starts[1:] - 1).tolist())
    for first, after in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if after - first > 2:
            places |= {first + int(y[first:after].argmin()), first + int(y[first:after].argmax())}
    kept_places = np.array(sorted(places))
    return x[kept_places], y[kept_places]


def _cells(values: Floats) -> NDArray[np.int64]:
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) * (_COLUMNS / ((high - low) or 1.0)), dtype=np.int64)


def _entries(ax: Any) -> list[Drawn]:
    entries = _DRAWN.setdefault(ax, [])
    # What the user has removed, or cleared with the axes, is no longer there.
    entries[:] = [each for each in entries if each.line in ax.get_children()]
    return entries


_MOST = 12
_LONGEST_NAME = 27


def chosen_metrics(
    comparison: "Comparison", metric: str | None, ax: Any, having: Sequence[str] | None = None
) -> list[str]:
    """The metric asked for; otherwise all of `having`, by default those of the comparison.

    Raises
    ------
    MetricNameError
        The comparison has no such metric.
    CertusError
        There are more than the axes, or a picture, can show.
    """
    if metric is not None:
        if metric not in comparison.metrics:
            raise MetricNameError(f"the comparison has no metric {metric!r}; it has {', '.join(comparison.metrics)}")
        return [metric]
    metrics = list(comparison.metrics if having is None else having)
    most, what = (1, "axes") if ax is not None else (_MOST, "picture")
    if len(metrics) > most:
        raise CertusError(f"{len(metrics)} metrics do not fit on one {what}; choose one, such as metric={metrics[0]!r}")
    return metrics


def panels(number: int, ax: Any, size: tuple[float, float], across: int = 2) -> list[Any]:
    """The axes given, or so many of a new figure, each of that size in inches."""
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
    """A name as `plain` gives it, but with its middle left out where it is too long: runs often differ at the end.

    Examples
    --------
    >>> print(short("bm25.run"), short("splade-v3-distilled-from-a-large-one-epoch-7.run"))
    bm25.run splade-v3-dist…-epoch-7.run
    """
    return plain(name if len(name) <= _LONGEST_NAME else f"{name[:14]}…{name[-12:]}")


def pair_name(system: str, baseline: str) -> str:
    """``"dense − bm25"``, in two lines where it is long."""
    first, second = short(system), short(baseline)
    return f"{first} − {second}" if len(first) + len(second) <= _LONGEST_NAME else f"{first}\n− {second}"
