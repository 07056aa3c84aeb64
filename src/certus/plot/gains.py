"""The gain of each query against its relevant documents, as a picture."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError
from certus.plot.canvas import MARKERS, check_apart, draw_curve, finish, new_axes, printable_name, reference, short
from certus.plot.fitting import shrunk
from certus.statistic.common import plural

_BESIDE = 0.6
"""The part of the distance between two whole numbers that markers of several systems take."""


def gains(
    relevant: Floats,
    gained: Mapping[str, Floats],
    ax: Any = None,
    *,
    ideal: Floats | None = None,
    ylabel: str = "Cumulative gain",
) -> Any:
    """Draw the gain of each query against the number of its relevant documents, a marker for each system.

    The larger the area of a marker, the more queries stand there; the markers of several systems stand side by side. A
    dash is the ideal gain, that of all relevant documents: where each has grade 1, their number.
    """
    from matplotlib.ticker import MaxNLocator

    for name, values in {**gained, **({} if ideal is None else {"ideal": ideal})}.items():
        if len(values) != len(relevant):
            raise DataError(f"{name!r} has {plural(len(values), 'gain')} for {plural(len(relevant), 'query')}")
    check_apart(len(gained), "systems", len(MARKERS), "draw fewer")
    ax = new_axes(ax, (6.0, 4.6))
    points_by_system = {}
    for name, values in gained.items():
        is_defined = np.isfinite(values)
        points, count = np.unique(
            np.column_stack((relevant[is_defined], values[is_defined])), axis=0, return_counts=True
        )
        points_by_system[name] = points, count, int(is_defined.sum())
    largest_count = max((int(count.max(initial=1)) for _, count, _ in points_by_system.values()), default=1)
    largest = f"; largest marker: {largest_count}"
    for index, (name, (points, count, n)) in enumerate(points_by_system.items()):
        x = points[:, 0] + (index - (len(points_by_system) - 1) / 2) * _BESIDE / len(points_by_system)
        marker_options: dict[str, Any] = {"marker": MARKERS[index], "markersize": 5, "markerfacecolor": "none"}
        line = draw_curve(
            ax, x, points[:, 1], name=short(name), color=None, n=plural(n, "query") + largest, **marker_options
        )
        line.set_linestyle("none")
        line.set_markevery([])  # for the legend; the markers have areas of their own
        area = 6 + (shrunk(ax, 10) * 1.4) ** 2 * count / largest_count
        dots = ax.scatter(x, points[:, 1], area, marker=MARKERS[index], facecolor="none", edgecolor=line.get_color())
        dots.set_gid("certus-gains")
    if ideal is not None:
        best = np.unique(np.column_stack((relevant, ideal)), axis=0)
        reference(ax, best[:, 0], best[:, 1], "ideal gain")
        for artist in ax.lines:
            if artist.get_gid() == "certus-reference":
                artist.set(linestyle="none", marker="_", markersize=shrunk(ax, 28), markeredgewidth=1.2)
    ax.set_xlabel("Relevant documents of the query")
    ax.set_ylabel(printable_name(ylabel, 64))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.margins(0.08)
    return finish(ax, "upper left")
