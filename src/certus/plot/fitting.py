"""Letters and legends that fit the axes: smaller ones on small axes, labels in lines, legends that hide no curve."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

_FULL = 4.0
"""Inches of axes on which letters have their full size."""
_SMALLEST_FACTOR = 0.7
"""Smaller than this part of their size letters cannot be read in print."""
_CORNERS = ("lower right", "lower left", "upper right", "upper left")


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
    return float(min(1.0, max(_SMALLEST_FACTOR, width(ax) / _FULL)))


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
