"""Measured coverage of the bands of curves; prints a Markdown page.

    python bench/coverage/bands.py > docs/coverage-bands.md

Takes about a minute of CPU time. Every setting draws `SAMPLES` samples from its own seeded stream; all curves and bands
see the same samples.
"""

import math
import sys
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.classification import gain_curve, lift_curve, precision_recall_curve, roc_curve
from certus.curves import Band, Curve
from certus.curves._counts import SIMULTANEOUS
from certus.data import Scores
from certus.inference.special import preload

SAMPLES = 500
LEVEL = 0.95
CURVES: dict[str, Callable[[Scores], Curve]] = {
    "ROC, DET": roc_curve,
    "precision-recall": precision_recall_curve,
    "gain": gain_curve,
    "lift": lift_curve,
}
METHODS = ("wilson", "clopper-pearson", "dkw-tails", "dkw")

INTRODUCTION = """# Coverage of the bands of curves

Made by `python bench/coverage/bands.py > docs/coverage-bands.md`: {samples:,} samples a setting, level {level}; the
simulation's standard error at that level is {error:.3f}. The samples are drawn from one population with the prevalence
given; `normal, shift d`: scores are standard normal, d higher for positives; `five ratings`: five different scores. DET
has the limits of ROC. For lift, `wilson` stands for `delta`.

Simultaneous bands (`dkw-tails`, `dkw`): the share of samples whose band holds the true curve at all thresholds at once,
**within the limits of each** / within the drawn region. Pointwise bands (`wilson`, `clopper-pearson`): the share of
thresholds whose true point lies **within its limits** / where the true y at the true x lies in the drawn region. In
brackets the mean height of the region at the middle threshold.
"""

READING = """
What this says:

- A simultaneous band holds the whole true curve at least as often as it promises, at every size and for tied scores as
  well, and with room to spare where three statements share the level (precision-recall, lift).
- At one threshold fixed beforehand the Wilson limits cover at about the level; Clopper-Pearson never covers less.
- The drawn region at one x fixed beforehand covers more than the limits at one threshold, as it must also allow for not
  knowing which threshold belongs to that x."""

Floats = NDArray[np.float64]


class Law(NamedTuple):
    """Scores of the positives and of the negatives, and the exact share of each at or above a threshold."""

    name: str
    draw: Callable[[np.random.Generator, NDArray[np.bool_]], Floats]
    above: Callable[[Floats, bool], Floats]
    thresholds: Floats


def binormal(shift: float) -> Law:
    """Standard normal scores of the negatives, those of the positives shifted."""
    return Law(
        f"normal, shift {shift:g}",
        lambda rng, truth: rng.standard_normal(len(truth)) + shift * truth,
        lambda t, positive: np.asarray(preload().ndtr(shift * positive - t)),
        np.linspace(-2.5, 2.5 + shift, 201),
    )


_RATED = {True: np.array([0.05, 0.1, 0.2, 0.3, 0.35]), False: np.array([0.4, 0.25, 0.15, 0.15, 0.05])}


def _rate(rng: np.random.Generator, truth: NDArray[np.bool_]) -> Floats:
    levels = np.arange(1.0, 6.0)
    return np.where(
        truth, rng.choice(levels, len(truth), p=_RATED[True]), rng.choice(levels, len(truth), p=_RATED[False])
    )


LAWS = (
    binormal(1.0),
    binormal(3.0),
    Law(
        "five ratings",
        _rate,
        lambda t, positive: np.array([_RATED[positive][max(math.ceil(each) - 1, 0) :].sum() for each in t]),
        np.arange(1.0, 6.0),
    ),
)
SETTINGS = tuple((law, n, prevalence) for law in LAWS for n, prevalence in ((60, 0.5), (300, 0.2), (2000, 0.1)))


class Measured(NamedTuple):
    """Shares of samples: all thresholds within limits, the curve within the region, and the same at a fixed place."""

    limits: float
    region: float
    threshold: float
    slice: float
    height: float


def truth_of(law: Law, prevalence: float, curve: str) -> tuple[Floats, Floats]:
    """The true x and y of a curve at the thresholds of a law."""
    tpr, fpr = law.above(law.thresholds, True), law.above(law.thresholds, False)
    share = prevalence * tpr + (1 - prevalence) * fpr
    return {
        "ROC, DET": (fpr, tpr),
        "precision-recall": (tpr, prevalence * tpr / share),
        "gain": (share, tpr),
        "lift": (share, tpr / share),
    }[curve]


def within(band: Band, law: Law, x: Floats, y: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each threshold: whether the true point lies in its rectangle, and whether it lies in the drawn region."""
    at = len(band.thresholds) - 1 - np.searchsorted(band.thresholds[:0:-1], law.thresholds, side="left")
    slack = 1e-12
    inside = (band.x_low[at] - slack <= x) & (x <= band.x_high[at] + slack)
    inside &= (band.y_low[at] - slack <= y) & (y <= band.y_high[at] + slack)
    # At a step of the boundary either side of it belongs to the region.
    drawn = np.zeros(len(x), dtype=np.bool_)
    for nudge in (-1e-9, 1e-9):
        low, high = np.interp(x + nudge, *band.lower), np.interp(x + nudge, *band.upper)
        drawn |= (low - 1e-7 <= y) & (y <= high + 1e-7)
    return inside, drawn


def measure(
    law: Law,
    n: int,
    prevalence: float,
    samples: int = SAMPLES,
    curves: Iterable[str] = CURVES,
    methods: tuple[str, ...] = METHODS,
) -> dict[tuple[str, str], Measured]:
    """Coverage of every band on the same samples."""
    rng = np.random.default_rng([n, *law.name.encode()])
    true = {curve: truth_of(law, prevalence, curve) for curve in curves}
    found: dict[tuple[str, str], list[Floats]] = {(curve, method): [] for curve in curves for method in methods}
    while any(len(each) < samples for each in found.values()):
        truth = rng.random(n) < prevalence
        if truth.all() or not truth.any():
            continue
        data = Scores.from_arrays(truth, law.draw(rng, truth))
        for (curve, method), shares in found.items():
            chosen = "delta" if (curve, method) == ("lift", "wilson") else method
            band = CURVES[curve](data).band(LEVEL, simultaneous=chosen in SIMULTANEOUS, method=chosen)
            x, y = true[curve]
            inside, drawn = within(band, law, x, y)
            middle = float(x[len(x) // 2])
            height = np.interp(middle, *band.upper) - np.interp(middle, *band.lower)
            shares.append(np.array([inside.all(), drawn.all(), inside.mean(), drawn.mean(), height]))
    return {key: Measured(*np.mean(shares, axis=0).tolist()) for key, shares in found.items()}


def main() -> None:
    """Print the page."""
    started = time.process_time()
    error = math.sqrt(LEVEL * (1 - LEVEL) / SAMPLES)
    print(INTRODUCTION.format(samples=SAMPLES, level=LEVEL, error=error))
    print("| scores | n | prevalence | curve | " + " | ".join(METHODS) + " |")
    print("|---|---:|---:|---|" + "---|" * len(METHODS))
    for law, n, prevalence in SETTINGS:
        found = measure(law, n, prevalence)
        for curve in CURVES:
            cells = []
            for method in METHODS:
                m = found[curve, method]
                pair = (m.limits, m.region) if method in SIMULTANEOUS else (m.threshold, m.slice)
                cells.append(f"**{pair[0]:.3f}** / {pair[1]:.3f} ({m.height:.2f})")
            print(f"| {law.name} | {n} | {prevalence} | {curve} | {' | '.join(cells)} |", flush=True)
        print(f"{law.name}, n = {n}: {time.process_time() - started:.0f} s CPU", file=sys.stderr)
    print(READING)


if __name__ == "__main__":
    main()
