"""The detection error trade-off curve as a picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.plot.canvas import Kind, draw_curve, finish, new_axes, number_of, polygon, reference, region_of, thinned

if TYPE_CHECKING:
    from certus.curves import DetCurve

__all__ = ["det"]

TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_OUTSIDE = 1e-9
"""Rates of 0 and 1 lie infinitely far away; drawn here, the line runs out of the picture towards them."""


def det(
    curve: "DetCurve",
    ax: Any = None,
    *,
    band: Kind = "pointwise",
    level: float = 0.95,
    label: str | None = None,
    color: Any = None,
) -> Any:
    """Draw a detection error trade-off curve with its band, both rates on a normal deviate scale.

    On that scale normally distributed scores of equal variance give a straight line. A rate of 0 lies infinitely far to
    the left or below: the line leaves the picture on its way there.

    Parameters
    ----------
    curve
        From `certus.classification.det_curve`.
    ax, band, level, label, color
        As for `DetCurve.plot`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    ax = new_axes(ax)
    known = ax.get_xlim(), ax.get_ylim()
    first = not number_of(ax)
    ax.set_xscale("function", functions=(deviate, share))
    ax.set_yscale("function", functions=(deviate, share))
    outline, words = region_of(curve, band, level)
    draw_curve(
        ax,
        *thinned(curve.fpr, curve.fnr, scale=deviate),
        name=label or "curve",
        color=color,
        region=None if outline is None else polygon(outline, scale=deviate),
        band=words,
    )
    chance = share(np.linspace(deviate(np.array(_OUTSIDE)), -deviate(np.array(_OUTSIDE)), 200))
    reference(ax, chance, 1 - chance, "chance")
    ax.set_xlabel("False positive rate (normal deviate scale)")
    ax.set_ylabel("False negative rate (normal deviate scale)")
    for axis, set_limits, rates, old in (
        (ax.xaxis, ax.set_xlim, curve.fpr, known[0]),
        (ax.yaxis, ax.set_ylim, curve.fnr, known[1]),
    ):
        low, high = _limits(rates)
        set_limits((low, high) if first else (min(low, old[0]), max(high, old[1])))
        _label(axis)
    return finish(ax, "upper right")


def deviate(rates: Floats) -> Floats:
    """The standard normal deviate with so much below it."""
    from scipy import special

    return np.asarray(special.ndtri(np.clip(rates, _OUTSIDE, 1 - _OUTSIDE)))


def share(deviates: Floats) -> Floats:
    """The share of the standard normal distribution below each deviate."""
    from scipy import special

    return np.asarray(special.ndtr(deviates))


def _limits(rates: Floats) -> tuple[float, float]:
    """Half the least rate that is not 0, and at least 0.6, so that the middle of the scale is in the picture."""
    inside = rates[(rates > 0) & (rates < 1)]
    if not len(inside):
        return 0.01, 0.99
    return max(min(float(inside.min()) / 2, 0.05), 1e-6), min(max(float(inside.max()) * 1.2, 0.6), 0.995)


def _label(axis: Any) -> None:
    from matplotlib import ticker

    axis.set_major_locator(ticker.FixedLocator(TICKS))
    axis.set_major_formatter(ticker.FuncFormatter(lambda rate, _: f"{100 * rate:g}%"))
    axis.set_minor_locator(ticker.NullLocator())
