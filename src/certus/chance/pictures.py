"""The numbers that the picture of a law shows."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from certus.chance.probability import Probability, half_unit
from certus.chance.versus import VersusChance, probability_text
from certus.core.arrays import Floats
from certus.core.errors import DataError

if TYPE_CHECKING:
    from certus.chance.distribution import Distribution
    from certus.chance.exact import Finite


BARS = 60
"""Most values that have a bar each; of values that are not evenly spaced a fifth of it."""
MAX_VALUES = 1 << 16
REACH = 4.5
"""Standard deviations shown on either side of the mean."""
STEPS = 5
"""Steps of a density in one standard deviation."""


@dataclass(frozen=True)
class _Outline:
    """The line above a law, or its bars; `spacing` makes a density the height of a bar."""

    x: Floats
    y: Floats
    bars: bool
    spacing: float


def draw_law(
    law: "Distribution",
    ax: Any,
    observed: float | None,
    digits: int | None,
    alternative: Literal["greater", "less", "two-sided"],
    normal: bool,
    name: str | None,
    xlabel: str,
    title: str,
) -> Any:
    """Draw a law, the normal law beside it, and the tail of an observed value."""
    from certus.plot.law import law as draw_law

    if digits is not None and observed is None:
        raise DataError("is for an observed value", "give observed, too", argument="digits")
    shaded, marks, edge = None, [], None
    lower = alternative == "less"
    if observed is not None:
        versus = VersusChance(float(observed), law, alternative, digits=digits)
        if alternative == "two-sided":
            lower = law.cdf(observed, digits) < law.tail(observed, digits)
        edge = versus.value if digits is None else versus.value + (1 if lower else -1) * half_unit(digits)
        marks = [(versus.value, _mark_label(versus, digits))]
    shape, label = law, name or ("exact law" if law.exact or not math.isnan(_error(law)) else law.method)
    replicates = law._replicates()
    if replicates is not None:
        shape, label = replicates, name or f"{len(replicates):,} random values"
    outline = _outline(shape, edge, lower)
    if edge is not None:
        slack = 1e-9 * (float(np.ptp(outline.x)) or 1.0)
        shaded = (-math.inf, edge + slack) if lower else (edge - slack, math.inf)
    curves = []
    if normal and law.std() and len(outline.x) > 1:
        across = np.linspace(outline.x[0], outline.x[-1], 400)
        z = (across - law.mean()) / law.std()
        up = np.exp(-(z**2) / 2) / (law.std() * math.sqrt(2 * math.pi)) * outline.spacing
        curves = [(across, up, "normal approximation")]
    return draw_law(
        outline.x,
        outline.y,
        ax,
        bars=outline.bars,
        name=label,
        shaded=shaded,
        curves=curves,
        marks=marks,
        xlabel=xlabel,
        ylabel="Probability" if outline.bars else "Density",
        title=title,
    )


def _error(law: "Distribution") -> float:
    """The error of a probability in the middle; NaN where nobody knows it."""
    return float(law._log_tail(law.mean())[1])


def _mark_label(versus: VersusChance, digits: int | None) -> str:
    value = f"{versus.value:.4g}" if digits is None else f"{versus.value:.{digits}f}"
    sign = {"greater": "P(X ≥ observed)", "less": "P(X ≤ observed)", "two-sided": "two-sided p"}[versus.alternative]
    p: Probability = versus.p
    return f"observed {value}: {sign} {probability_text(p, 3)}"


def _outline(law: "Distribution", edge: float | None, lower: bool) -> _Outline:
    lowest, highest = law.support()
    mean, sd = law.mean(), law.std()
    low, high = max(lowest, mean - REACH * sd), min(highest, mean + REACH * sd)
    finite_law = law._enumerate(MAX_VALUES)
    if finite_law is not None:
        near = (finite_law.values >= low - 1e-9 * sd) & (finite_law.values <= high + 1e-9 * sd)
        values, chances = finite_law.values[near], finite_law.chances[near]
        gaps = np.diff(values)
        even = len(gaps) == 0 or float(np.ptp(gaps)) < 1e-6 * float(gaps.min())
        if len(values) <= (BARS if even else BARS // 5):
            return _Outline(values, chances, True, float(gaps.mean()) if len(gaps) else 1.0)
    return _steps(law, low, high, edge, lower, finite_law)


def _steps(
    law: "Distribution", low: float, high: float, edge: float | None, lower: bool, finite_law: "Finite | None"
) -> _Outline:
    """Density in steps of equal width, with a step edge at the edge of the tail."""
    width = max(law.std() / STEPS, (high - low) / (2 * REACH * STEPS))
    start, (lowest, highest) = low, law.support()
    if (
        finite_law is not None
        and len(gaps := np.diff(finite_law.values))
        and float(np.ptp(gaps)) < 1e-6 * float(gaps.min())
    ):
        # Of evenly spaced values each step holds as many, from half a space below the first.
        step = float(gaps.mean())
        width, start = max(round(width / step), 1) * step, finite_law.values[0] - step / 2
        lowest, highest = lowest - step / 2, highest + step / 2
    if edge is not None:
        start = edge
        if finite_law is not None:
            # Half way to the next value outside of the tail, so that each value lies inside a step.
            start += (1 if lower else -1) * 1e-9 * width
    first, last = math.floor((low - start) / width), math.ceil((high - start) / width + 1e-6)
    edges = start + width * np.arange(first, last + 1)
    # No step reaches beyond the support, and none is a sliver beside its ends but that of the tail.
    room = np.where((edges == start) & (edge is not None), width / 20, width / 2)
    is_inside = np.minimum(edges - lowest, highest - edges) > room
    limits = max(float(edges[0]), lowest), min(float(edges[-1]), highest)
    edges = np.unique(np.concatenate([limits, edges[is_inside & (edges > limits[0]) & (edges < limits[1])]]))
    tails = np.array(law.sf(edges) if lower else law.tail(edges))
    # The end of the support belongs to the outermost step.
    tails[0], tails[-1] = 1.0 if edges[0] <= lowest else tails[0], 0.0 if edges[-1] >= highest else tails[-1]
    y = np.maximum(-np.diff(tails), 0.0) / np.diff(edges)
    return _Outline(np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(y, 2), [0.0]]), False, 1.0)
