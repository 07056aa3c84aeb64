"""The power of a planned comparison as a picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from certus.plot.canvas import GREY, draw_curve, finish, new_axes, number_of, reference

if TYPE_CHECKING:
    from certus.inference.planning.power import PowerCurve


def power(
    curve: "PowerCurve", ax: Any = None, *, band: bool = True, label: str | None = None, color: Any = None
) -> Any:
    """Draw power against the number of units, with its limits and the number needed."""
    ax = new_axes(ax, (6.2, 4.4))
    first = not number_of(ax)
    needed = curve.needed
    region = (np.concatenate((curve.n, curve.n[::-1])), np.concatenate((curve.low, curve.high[::-1])))
    line = draw_curve(
        ax,
        curve.n.astype(np.float64),
        curve.power,
        name=f"{label or f'difference {needed.effect:g}'}: {needed.n} units [{needed.low}, {needed.high}]",
        color=color,
        region=region if band else None,
        band=f"{100 * needed.level:g}% limits of the standard deviation" if band else "",
    )
    # From one side to the other, however far further curves go.
    across = ax.get_yaxis_transform()
    reference(ax, [0, 1], [needed.power, needed.power], f"power {needed.power:g}", transform=across)
    if curve.n[0] <= needed.n <= curve.n[-1]:
        style = {"color": line.get_color(), "linewidth": 1.0, "zorder": 2, "gid": "certus-needed"}
        ax.plot([needed.n, needed.n], [0, needed.power], **style)
    last = float(curve.n[-1]) * 1.01
    ax.set(xlim=(0, last if first else max(last, ax.get_xlim()[1])), ylim=(0, 1.01))
    ax.grid(visible=True, color=GREY, alpha=0.2, linewidth=0.6)
    ylabel = "Power (chance to find the difference)"
    return finish(ax, "lower right", xlabel=f"Number of {needed.unit}s", ylabel=ylabel)
