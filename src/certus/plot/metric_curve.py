"""Metrics by rank or by recall as a picture."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.plot.canvas import COLORS, draw_curve, finish, new_axes, printable_name
from certus.plot.fitting import fit

_LONGEST = 64
"""Letters of an entry of the legend."""
_MARKED = 30
"""Places up to which each has a marker."""


def metric_curve(
    positions: Floats,
    lines: Mapping[str, Floats],
    ax: Any = None,
    *,
    at: str = "rank",
    limits: Mapping[str, tuple[Floats, Floats]] = {},
    shares: Collection[str] = (),
    band: str = "",
    n: str = "",
    ylabel: str = "Value",
) -> Any:
    """Draw metrics against ranks or levels of recall, each with the region of its intervals.

    Parameters
    ----------
    places
        The ranks or levels.
    lines
        The values of each metric, by the text of its entry in the legend.
    at
        ``"rank"`` or ``"recall"``.
    limits
        The limits at each place, of those that have some.
    shares
        Those that cannot exceed 1; beside others they are drawn on an axis on the right.
    band
        What the limits are.
    n
        What the values are means over.
    ylabel
        What the values are.
    """
    from matplotlib.ticker import MaxNLocator

    ax = new_axes(ax, (6.0, 4.6))
    right = ax.twinx() if 0 < len(shares) < len(lines) else None
    for index, (name, values) in enumerate(lines.items()):
        low, high = limits.get(name, (np.array([np.nan]), np.array([np.nan])))
        has_limits = not np.isnan([*low, *high]).any()
        region = (
            (np.concatenate((positions, positions[::-1])), np.concatenate((low, high[::-1]))) if has_limits else None
        )
        aside = right is not None and name in shares
        draw_curve(
            right if aside else ax,
            positions,
            values,
            name=f"{printable_name(name, _LONGEST)} (right)" if aside else printable_name(name, _LONGEST),
            color=COLORS[index % len(COLORS)] if right is not None else None,
            region=region,
            band=band if has_limits else "",
            n=n,
            marker="o",
            markersize=4 if len(positions) <= _MARKED else 0,
        )
    ax.set_xlabel("Rank k" if at == "rank" else "Recall")
    ax.set_ylabel(printable_name(ylabel))
    if at == "rank":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    if right is not None:
        ax.set_ylim(bottom=0)
        right.set(ylim=(0, 1.05))
        fit(right)
    elif len(shares) == len(lines):
        ax.set(ylim=(-0.02, 1.05))
    return finish(ax, "upper right", right)
