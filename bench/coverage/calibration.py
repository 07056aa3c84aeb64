"""Measured coverage and width of the intervals for calibration errors; prints a Markdown page.

    python bench/coverage/calibration.py > docs/coverage-calibration.md

Takes about five minutes of CPU time. Every setting draws `SAMPLES` samples from its own seeded stream; all methods see
the same samples.
"""

import math
import sys
import time
from typing import Any, NamedTuple

import numpy as np

from certus.inference import Estimate
from certus.inference.declare import FORMS, LABELS
from certus.statistic import CalibrationError

SAMPLES = 500
REPLICATES = 199
LEVEL = 0.95
BINS = 15
SIZES = (100, 1000, 10_000)
NORMS: tuple[Any, ...] = ("l1", "l2", "l2-debiased", "max")
METHODS = tuple(FORMS[CalibrationError].methods)

READING = """
What this says for the choice of a method:

- A norm of estimated gaps is biased upwards, and a bootstrap repeats the bias: where the true error is 0 or small
  against what chance opens, percentile and BCa intervals lie above it in nearly every sample. They are of use only for
  errors many times as large as the value that a calibrated classifier has at that n.
- The bias-aware interval, the default, holds its level at every n and size of error. For l1 and the maximum it is
  conservative: it allows for the bias that closed gaps have, but where a gap is surely open."""


class Measured(NamedTuple):
    """Shares of samples whose interval holds the truth, lies above it, lies below it; mean width and mean value."""

    covered: float
    above: float
    below: float
    width: float
    value: float


def draw(rng: np.random.Generator, n: int, slope: float) -> tuple[Any, Any, Any]:
    """Bins, uniform predictions, and the true probabilities: the predictions' logits times `slope`."""
    p = rng.random(n)
    odds = (p / (1 - p)) ** slope
    return np.minimum((p * BINS).astype(np.int64), BINS - 1), p, odds / (1 + odds)


def truth(slope: float, norm: Any) -> float:
    """The error in the limit of many samples."""
    p = (np.arange(BINS * 20_000) + 0.5) / (BINS * 20_000)
    odds = (p / (1 - p)) ** slope
    bins = np.arange(len(p)) // 20_000
    return (
        CalibrationError(bins, p, odds / (1 + odds), "l2" if norm == "l2-debiased" else norm).value
        if slope != 1
        else 0.0
    )


def measure(
    slope: float, n: int, norm: Any, samples: int = SAMPLES, methods: tuple[str, ...] = METHODS
) -> dict[str, Measured]:
    """Coverage of every method on the same samples of n predictions."""
    rng = np.random.default_rng([n, round(100 * slope)])
    exact, values = truth(slope, norm), np.empty(samples)
    low, high = np.empty((2, len(methods), samples))
    for sample in range(samples):
        bins, p, true = draw(rng, n, slope)
        estimate = Estimate(CalibrationError(bins, p, rng.random(n) < true, norm), bounds=(0.0, 1.0))
        values[sample] = estimate.value
        for i, method in enumerate(methods):
            low[i, sample], high[i, sample], *_ = estimate.interval(LEVEL, method, replicates=REPLICATES, seed=sample)
    covered, above = ((low <= exact) & (exact <= high)).mean(axis=1), (low > exact).mean(axis=1)
    below, width = (high < exact).mean(axis=1), np.nanmean(high - low, axis=1)
    return {
        method: Measured(*map(float, (covered[i], above[i], below[i], width[i], values.mean())))
        for i, method in enumerate(methods)
    }


def main() -> None:
    """Print the page."""
    started = time.process_time()
    print("# Coverage of the intervals for calibration errors\n")
    error = math.sqrt(LEVEL * (1 - LEVEL) / SAMPLES)
    print(f"Made by `python bench/coverage/calibration.py > docs/coverage-calibration.md`: {SAMPLES} samples a setting")
    print(f"(a fifth of that for n = {SIZES[-1]:,}), {REPLICATES} bootstrap replicates, nominal level {LEVEL}; at that")
    print(
        f"level the simulation's standard error is {error:.3f}. Predictions are uniform, in {BINS} bins of equal width;"
    )
    print(
        "their logits times the slope are the true ones. Each cell: coverage (interval wholly above the truth / wholly"
    )
    print("below it; the rest has no interval), and below it the mean width.\n")
    print("| norm | slope | n | truth | mean value | " + " | ".join(LABELS[method] for method in METHODS) + " |")
    print("|---|---:|---:|---:|---:|" + "---|" * len(METHODS))
    for norm in NORMS:
        for slope in (1.0, 0.85, 0.5):
            for n in SIZES:
                found = measure(slope, n, norm, SAMPLES if n < SIZES[-1] else SAMPLES // 5)
                cells = (
                    f"**{m.covered:.3f}** ({m.above:.3f} / {m.below:.3f})<br>{m.width:.3f}" for m in found.values()
                )
                mean = found[METHODS[0]].value
                print(f"| {norm} | {slope:g} | {n} | {truth(slope, norm):.4f} | {mean:.4f} | {' | '.join(cells)} |")
                print(f"{norm}, {slope}, {n}: {time.process_time() - started:.0f} s CPU", file=sys.stderr)
    print(READING)


if __name__ == "__main__":
    main()
