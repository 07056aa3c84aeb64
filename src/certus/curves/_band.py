"""A band around a curve, and the outline of the region it covers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.curves._counts import Column
from certus.inference.many.bands import TOGETHER

_CELLS = 4096
"""The boundary of a union of more rectangles than this is rounded outwards to a grid of this many cells."""


class Line(NamedTuple):
    """A line through points, by increasing x."""

    x: Floats
    y: Floats


class Rectangles(NamedTuple):
    """Limits of x and y at each threshold; the x limits never decrease."""

    x_low: Floats
    x_high: Floats
    y_low: Floats
    y_high: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Band:
    """Limits for the true curve at a confidence level.

    At each threshold the two coordinates of the curve, x and y as it is drawn, have limits of their own. The region
    that is drawn lies between the lines `lower` and `upper`; it holds all these rectangles, and what lies between them.

    Attributes
    ----------
    level
        The confidence level.
    simultaneous
        Whether the level is that of all thresholds together, or of each one.
    method
        How the limits were made.
    covers
        What the band promises, in words.
    thresholds
        Infinity (nothing is called positive), then every distinct score, falling; also those that the curve itself
        leaves out.
    x_low, x_high, y_low, y_high
        The limits at each threshold.
    """

    level: float
    simultaneous: bool
    method: str
    covers: str
    thresholds: Column
    x_low: Floats
    x_high: Floats
    y_low: Floats
    y_high: Floats
    _outline: "Outline" = field(repr=False)

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return f"<Band: {100 * self.level:g}% {kind}, {self.method}, {len(self.thresholds)} thresholds>"

    @property
    def lower(self) -> Line:
        """The lower boundary of the region."""
        return self._lines[0]

    @property
    def upper(self) -> Line:
        """The upper boundary of the region."""
        return self._lines[1]

    @cached_property
    def _lines(self) -> tuple[Line, Line]:
        return self._outline()


Outline: TypeAlias = Callable[[], tuple[Line, Line]]


def make_band(
    axes: str, level: float, method: str, thresholds: Column, boxes: Rectangles, outline: Outline, *, exact: bool
) -> Band:
    """The band, and what it promises of the curve over these axes; `exact` where the coordinates are independent."""
    x, y = axes.split(", ")
    is_simultaneous = method in TOGETHER
    if is_simultaneous:
        covers = (
            f"with probability of at least {level:g} the true ({axes}) of every threshold at once lies within its "
            "limits, so the whole true curve lies in the region"
        )
    else:
        covers = (
            f"at any one threshold fixed beforehand the true ({axes}) lies within its limits with probability "
            f"{'' if exact else 'of at least '}about {level:g}; so at any one {x} fixed beforehand the true {y} lies "
            "in the region with no less"
        )
    if not exact:
        covers += ", for samples drawn independently from one population"
    return Band(level, is_simultaneous, method, covers, thresholds, *boxes, outline)


def rising(boxes: Rectangles) -> tuple[Line, Line]:
    """The boundaries of all rectangles of a curve from (0, 0) to (1, 1)."""
    lower = Line(np.concatenate(([0.0], boxes.x_high, [1.0])), np.concatenate(([0.0], boxes.y_low, boxes.y_low[-1:])))
    return lower, Line(np.concatenate((boxes.x_low, [1.0])), np.concatenate((boxes.y_high, [1.0])))


def falling(boxes: Rectangles) -> tuple[Line, Line]:
    """The boundaries of all rectangles of a curve from (0, 1) to (1, 0)."""
    lower, upper = rising(Rectangles(boxes.x_low, boxes.x_high, 1 - boxes.y_high, 1 - boxes.y_low))
    return Line(upper.x, 1 - upper.y), Line(lower.x, 1 - lower.y)


def union(boxes: Rectangles) -> tuple[Line, Line]:
    """The lower and upper boundary of all rectangles together, as steps; gaps in x take both neighbours."""
    edges, first, last = windows(boxes.x_low, boxes.x_high)
    window = np.column_stack((first, last + 1)).ravel()
    lowest = np.minimum.reduceat(np.append(boxes.y_low, np.inf), window)[::2]
    highest = np.maximum.reduceat(np.append(boxes.y_high, -np.inf), window)[::2]
    return in_steps(edges, lowest), in_steps(edges, highest)


def windows(
    x_low: Floats, x_high: Floats, max_cells: int = _CELLS
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Edges of cells in x, and the first and the last rectangle that reaches into each; of a gap, both neighbours."""
    x_low, x_high = np.maximum.accumulate(x_low), np.maximum.accumulate(x_high)
    edges = np.unique(np.concatenate((x_low, x_high)))
    if len(edges) > max_cells:
        edges = np.linspace(edges[0], edges[-1], max_cells + 1)
    first = np.minimum(np.searchsorted(x_high, edges[:-1], side="right"), len(x_low) - 1)
    last = np.maximum(np.searchsorted(x_low, edges[1:], side="left") - 1, 0)
    return edges, np.minimum(first, last), np.maximum(first, last)


def in_steps(edges: Floats, y: Floats) -> Line:
    """A line that has one y in each cell between two edges."""
    return Line(np.repeat(edges, 2)[1:-1], np.repeat(y, 2))


def between_steps(lower: Line, upper: Line) -> tuple[Line, Line]:
    """Steps from point to point: below the points of the lower line, and above those of the upper one."""
    return (
        in_steps(lower.x, np.minimum(lower.y[:-1], lower.y[1:])),
        in_steps(upper.x, np.maximum(upper.y[:-1], upper.y[1:])),
    )
