"""Measured coverage and width of the intervals for regression metrics; prints a Markdown page.

    python bench/coverage/regression.py > docs/coverage-regression.md

Takes under two minutes of CPU time. Every setting draws `SAMPLES` samples from its own seeded stream; all metrics and
methods see the same samples.
"""

import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import regression
from certus.metrics import Metric
from study import LEVEL, Call, Measured, heading, measured, row

Floats = NDArray[np.float64]

SAMPLES = 400
REPLICATES = 299
SIZES = (20, 50, 200)
LARGE = 2_000_000
"""Samples of which the truth is taken; its own error is far below the widths of the intervals."""
METRICS: tuple[tuple[Metric, tuple[str, ...]], ...] = (
    (regression.mae, ("bca", "bootstrap-t")),
    (regression.mse, ("bca", "bootstrap-t")),
    (regression.rmse, ("percentile", "bca")),
    (regression.median_absolute_error, ("woodruff",)),
    (regression.r2, ("influence", "percentile", "bca")),
    (regression.explained_variance, ("influence",)),
    (regression.d2_absolute_error, ("influence",)),
    (regression.concordance, ("percentile", "bca")),
    (regression.pearson, ("percentile", "bca")),
    (regression.spearman, ("influence",)),
)

READING = """
What this says for the choice of a method:

- MAE, MSE and RMSE: the default, corrected for skewness where errors have it, is within two points of its level from 50
  samples on, heavy-tailed and heteroscedastic errors included, and covers as bootstrap-t does without drawing. With 20
  samples a few large squares decide, the limits cover 0.90 to 0.96, and most of them say so. The limits of RMSE are the
  roots of those of MSE.
- R2, explained variance, concordance and Pearson: the default, on the scale of the bounds and with degrees of freedom
  that allow for the tails of what single samples add, is at its level or above it; the percentile and the BCa
  bootstrap, which draw hundreds of resamples, cover less. The same on the value itself ("influence function") misses
  mostly on one side.
- Median absolute error: order statistics hold their level by construction; Woodruff's interval, which weights and
  clusters have, is as good from 20 samples on."""


class Law(NamedTuple):
    """Law of targets and predictions."""

    name: str
    draw: Callable[[np.random.Generator, int], tuple[Floats, Floats]]


def normal(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Errors of half the targets' standard deviation."""
    true = rng.standard_normal(n)
    return true, true + 0.1 + 0.5 * rng.standard_normal(n)


def heavy(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Errors of Student's t with 5 degrees of freedom."""
    true = rng.standard_normal(n)
    return true, true + 0.5 * rng.standard_t(5, n)


def uneven(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Skewed targets, and errors in proportion to them."""
    true = rng.gamma(2.0, 1.0, n)
    return true, true * (1 + 0.4 * rng.standard_normal(n))


LAWS = (
    Law("normal", normal),
    Law("heavy-tailed (t, 5 df)", heavy),
    Law("heteroscedastic, skewed targets", uneven),
)


def main() -> None:
    """Print the page."""
    started = time.process_time()
    error = math.sqrt(LEVEL * (1 - LEVEL) / SAMPLES)
    print("# Coverage of the intervals for regression metrics\n")
    print(f"Made by `python bench/coverage/regression.py > docs/coverage-regression.md`: {SAMPLES} samples a setting,")
    print(f"{REPLICATES} bootstrap replicates, nominal level {LEVEL}; the simulation's standard error at that level is")
    print(
        f"{error:.3f}. Each cell: coverage (interval wholly above the truth / wholly below it), and below it the mean"
    )
    print("width of those that are finite. The default of each metric is by its form.\n")
    print("- normal: targets N(0, 1), errors N(0.1, 0.5^2)")
    print("- heavy-tailed: the same targets, errors half of Student's t with 5 degrees of freedom")
    print("- heteroscedastic: targets Gamma(2), errors N(0, 0.4^2) times the target\n")
    for metric, methods in METRICS:
        calls = [Call(None), *map(Call, methods)]
        print(f"## {metric.name}\n")
        heading(["errors", "n", "truth"], [call.label for call in calls])
        for law in LAWS:
            truth = float(metric(*law.draw(np.random.default_rng(list(law.name.encode())), LARGE)))
            for n in SIZES:
                found = _measured(metric, law, n, truth, calls)
                row([law.name, str(n), f"{truth:.3f}"], [found[call] for call in calls])
        print()
        print(f"{metric.name}: {time.process_time() - started:.0f} s CPU", file=sys.stderr)
    print(READING.strip())


def _measured(metric: Metric, law: Law, n: int, truth: float, calls: Sequence[Call]) -> dict[Call, Measured]:
    rng = np.random.default_rng([n, *law.name.encode()])
    samples = [law.draw(rng, n) for _ in range(SAMPLES)]
    return measured(lambda sample: metric(*samples[sample]), truth, calls, SAMPLES, REPLICATES)


if __name__ == "__main__":
    main()
