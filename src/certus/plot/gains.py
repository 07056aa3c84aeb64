"""The gain of each query against its relevant documents, as a picture."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError
from certus.plot.canvas import MARKERS, check_apart, draw_curve, finish, new_axes, plain, reference, short
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

    Parameters
    ----------
    relevant
        The number of relevant documents of each query.
    gained
        The gain of each query by the name of the system.
    ideal
        The highest gain of each query.
    ylabel
        What the gains are.
    """
    from matplotlib.ticker import MaxNLocator

    for name, each in {**gained, **({} if ideal is None else {"ideal": ideal})}.items():
        if len(each) != len(relevant):
            raise DataError(f"{name!r} has {plural(len(each), 'gain')} for {plural(len(relevant), 'query')}")
    check_apart(len(gained), "systems", len(MARKERS), "draw fewer")
    ax = new_axes(ax, (6.0, 4.6))
    found = {}
    for name, values in gained.items():
        known = np.isfinite(values)
        points, count = np.unique(np.column_stack((relevant[known], values[known])), axis=0, return_counts=True)
        found[name] = points, count, int(known.sum())
    most = max((int(count.max(initial=1)) for _, count, _ in found.values()), default=1)
    largest = f"; largest marker: {most}"
    for place, (name, (points, count, n)) in enumerate(found.items()):
        x = points[:, 0] + (place - (len(found) - 1) / 2) * _BESIDE / len(found)
        look: dict[str, Any] = {"marker": MARKERS[place], "markersize": 5, "markerfacecolor": "none"}
        line = draw_curve(ax, x, points[:, 1], name=short(name), color=None, n=plural(n, "query") + largest, **look)
        line.set_linestyle("none")
        line.set_markevery([])  # for the legend; the markers have areas of their own
        area = 6 + (shrunk(ax, 10) * 1.4) ** 2 * count / most
        dots = ax.scatter(x, points[:, 1], area, marker=MARKERS[place], facecolor="none", edgecolor=line.get_color())
        dots.set_gid("certus-gains")
    if ideal is not None:
        best = np.unique(np.column_stack((relevant, ideal)), axis=0)
        reference(ax, best[:, 0], best[:, 1], "ideal gain")
        for each in ax.lines:
            if each.get_gid() == "certus-reference":
                each.set(linestyle="none", marker="_", markersize=shrunk(ax, 28), markeredgewidth=1.2)
    ax.set_xlabel("Relevant documents of the query")
    ax.set_ylabel(plain(ylabel, 64))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.margins(0.08)
    return finish(ax, "upper left")
