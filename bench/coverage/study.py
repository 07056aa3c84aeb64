"""Common parts of the coverage studies: counting the intervals that hold the truth, and printing tables."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.inference import Estimate
from certus.inference.declare import LABELS

__all__ = ["LEVEL", "Call", "Measured", "cell", "heading", "measured", "row"]

LEVEL = 0.95


class Call(NamedTuple):
    """An interval method as it is called."""

    method: str | None
    stratified: bool = False

    @property
    def label(self) -> str:
        """As a table's heading."""
        name = "default" if self.method is None else LABELS[self.method]
        return f"{name}, stratified" if self.stratified else name


class Measured(NamedTuple):
    """Shares of samples whose interval holds the truth, lies above it, lies below it; mean width; share without any."""

    covered: float
    above: float
    below: float
    width: float
    missing: float = 0.0


def measured(
    draw: Callable[[int], Estimate], truth: float, calls: Sequence[Call], samples: int, replicates: int
) -> dict[Call, Measured]:
    """Coverage of the methods on the same `samples`; a sample whose value is undefined is left out."""
    low = np.full((len(calls), samples), math.nan)
    high = low.copy()
    defined = np.zeros(samples, dtype=bool)
    for sample in range(samples):
        estimate = draw(sample)
        defined[sample] = not estimate.reason
        if estimate.reason:
            continue
        for i, (method, stratified) in enumerate(calls):
            interval = estimate.interval(LEVEL, method, replicates=replicates, seed=sample, stratified=stratified)
            low[i, sample], high[i, sample] = interval[:2]
    return {call: _of(low[i, defined], high[i, defined], truth) for i, call in enumerate(calls)}


def _of(low: NDArray[np.float64], high: NDArray[np.float64], truth: float) -> Measured:
    there = ~np.isnan(low)
    above, below = float((low > truth).mean()), float((high < truth).mean())
    covered = float(((low <= truth) & (truth <= high)).mean())
    return Measured(covered, above, below, float((high - low)[there].mean()), float(1 - there.mean()))


def cell(found: Measured) -> str:
    """Coverage, which side the misses are on, and the width."""
    missing = f"<br>none: {100 * found.missing:.0f}%" if found.missing >= 0.005 else ""
    return f"**{found.covered:.3f}** ({found.above:.3f} / {found.below:.3f})<br>{found.width:.3f}{missing}"


def heading(first: Iterable[str], rest: Iterable[str]) -> None:
    """The head of a Markdown table."""
    names = [*first, *rest]
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))


def row(names: Sequence[str], found: Iterable[Measured | None]) -> None:
    """A row of a Markdown table; a method that was not measured has an empty cell."""
    print("| " + " | ".join([*names, *("" if each is None else cell(each) for each in found)]) + " |", flush=True)
