"""Values with their intervals, one below the other, each line with its name and its numbers."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from certus.errors import CertusError
from certus.plot.fitting import shrunk
from certus.statistic.common import plural

SPACIOUS = 30
"""Lines up to which each has room for letters of full size; the picture of more of them still fits a page."""
_MOST_LINES = 64
"""More do not fit a page."""


def check_lines(number: int, noun: str) -> None:
    """Refuse more lines than fit on a page."""
    if number > _MOST_LINES:
        raise CertusError(f"{number} lines do not fit on a page, at most {_MOST_LINES} do", f"draw fewer {noun}")


def caption(level: float | None, sizes: Sequence[int], unit: str, *, several: bool = True) -> str:
    """The level of the intervals, if there are any, and the number of units: ``"95% intervals, 3 to 5 queries"``."""
    smallest, largest = min(sizes), max(sizes)
    units = plural(largest, unit) if smallest == largest else f"{smallest} to {plural(largest, unit)}"
    return units if level is None else f"{100 * level:g}% interval{'s' if several else ''}, {units}"


def draw_line(
    ax: Any,
    position: int,
    value: float,
    limits: tuple[float, float],
    text: str,
    *,
    color: str,
    marker: str,
    size: float,
    crowded: bool,
    gids: tuple[str, str],
) -> None:
    """Draw a value with its interval, if it has one, and `text` to the right of the axes.

    `size` is that of the marker, `gids` the ids of marker and text in the picture.
    """
    if all(map(isfinite, limits)):
        (span,) = ax.plot(limits, [position, position], color=color, linewidth=1.2 if crowded else 1.8, zorder=2)
        span.set_gid("certus-band")
    (dot,) = ax.plot([value], [position], color=color, marker=marker, markersize=size, linestyle="", zorder=3)
    dot.set_gid(gids[0])
    ax.text(
        1.02,
        position,
        text,
        color=color,
        fontsize=shrunk(ax, 6.5 if crowded else 8),
        gid=gids[1],
        transform=ax.get_yaxis_transform(),
        ha="left",
        va="center",
    )


def name_lines(ax: Any, names: Sequence[str], points: float) -> None:
    """Write the name of each line at the left, the first one at the top, in letters of that size where they fit."""
    ax.set_yticks(range(len(names)), names, fontsize=shrunk(ax, points))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
