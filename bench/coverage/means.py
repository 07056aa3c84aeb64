"""Measured coverage and width of the intervals for a mean; prints a Markdown page.

    python bench/coverage/means.py > docs/coverage-means.md

Takes about a minute of CPU time. Every setting draws `SAMPLES` samples from its own seeded stream; all methods see
the same samples.
"""

import math
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.inference import Estimate
from certus.inference.declare import LABELS
from certus.statistic import Mean

SAMPLES = 2000
REPLICATES = 999
LEVEL = 0.95
SIZES = (10, 25, 50, 250)
METHODS: tuple[str | None, ...] = (None, "t", "normal", "percentile", "bca", "bootstrap-t")
"""None is the default, whatever the rule makes of a sample."""

READING = """
What this says for the choice of a method:

- The default is Student's t where values are not skewed, and is as long as that then; between known bounds it is within
  a point of its level or above it, also where nearly all values are at a bound.
- For strongly skewed, unbounded values the default covers as bootstrap-t does, at about its width, without drawing and
  whatever the order of the units. Ten lognormal values show too little of their tail for any method, and the interval
  says so.
- Percentile and BCa are too short below about 25 units for unbounded values; BCa balances the two sides."""

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]


class Law(NamedTuple):
    """A distribution of per-unit values, its exact mean and the metric's bounds."""

    name: str
    draw: Draw
    mean: float
    bounds: tuple[float, float] = (-math.inf, math.inf)


def average_precision(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Values like the average precision of one query: a tenth are 0, the others Beta(0.8, 1.6)."""
    return np.where(rng.random(n) < 0.1, 0.0, rng.beta(0.8, 1.6, n))


RANK_PROBABILITY = 0.35 * 0.65 ** np.arange(20)


def reciprocal_rank(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """1 / rank, the rank geometric (0.35) and not found beyond 20."""
    rank = rng.geometric(0.35, n)
    return np.where(rank <= 20, 1 / rank, 0.0)


def recall(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Values like the recall of an easy query: 19 of 20 are 1, the others Beta(2, 2)."""
    return np.where(rng.random(n) < 0.95, 1.0, rng.beta(2, 2, n))


LAWS = (
    Law("normal", lambda rng, n: rng.standard_normal(n), 0.0),
    Law("exponential", lambda rng, n: rng.standard_exponential(n), 1.0),
    Law("lognormal(0, 1)", lambda rng, n: rng.lognormal(0, 1, n), math.exp(0.5)),
    Law("like AP", average_precision, 0.9 / 3, (0, 1)),
    Law("like RR", reciprocal_rank, float((RANK_PROBABILITY / np.arange(1, 21)).sum()), (0, 1)),
    Law("like recall", recall, 0.975, (0, 1)),
    Law("0 or 1, p = 0.9", lambda rng, n: (rng.random(n) < 0.9).astype(np.float64), 0.9, (0, 1)),
)


class Measured(NamedTuple):
    """Shares of samples whose interval holds the mean, lies above it, lies below it; mean width."""

    covered: float
    above: float
    below: float
    width: float


def measure(
    law: Law, n: int, samples: int = SAMPLES, methods: tuple[str | None, ...] = METHODS
) -> dict[str | None, Measured]:
    """Coverage of every method on the same samples of n values."""
    rng = np.random.default_rng([n, *law.name.encode()])
    low, high = np.empty((2, len(methods), samples))
    for sample in range(samples):
        estimate = Estimate(Mean(law.draw(rng, n)), bounds=law.bounds)
        for i, method in enumerate(methods):
            low[i, sample], high[i, sample], *_ = estimate.interval(LEVEL, method, replicates=REPLICATES, seed=sample)
    above, below = (low > law.mean).mean(axis=1), (high < law.mean).mean(axis=1)
    width = (high - low).mean(axis=1)
    return {method: Measured(1 - above[i] - below[i], above[i], below[i], width[i]) for i, method in enumerate(methods)}


def main() -> None:
    """Print the page."""
    error = math.sqrt(LEVEL * (1 - LEVEL) / SAMPLES)
    started = time.process_time()
    print("# Coverage of the intervals for a mean\n")
    print(f"Made by `python bench/coverage/means.py > docs/coverage-means.md`: {SAMPLES:,} samples a setting,")
    print(f"{REPLICATES:,} bootstrap replicates, nominal level {LEVEL}; the simulation's standard error at the nominal")
    print(f"level is {error:.4f}. Each cell: coverage (interval wholly above the mean / wholly below it), and below it")
    print(
        "the mean width as a ratio to Student's t. Laws: `like AP` is 0 with probability 0.1, otherwise Beta(0.8, 1.6);"
    )
    print("`like RR` is 1/rank for a geometric(0.35) rank, 0 beyond rank 20; `like recall` is 1 with probability 0.95,")
    print("else Beta(2, 2). Bounds 0 and 1 are known for the last four laws.\n")
    print("| values | n | " + " | ".join("default" if method is None else LABELS[method] for method in METHODS) + " |")
    print("|---|---:|" + "---|" * len(METHODS))
    for law in LAWS:
        for n in SIZES:
            found = measure(law, n)
            cells = (
                f"**{m.covered:.3f}** ({m.above:.3f} / {m.below:.3f})<br>{m.width / found['t'].width:.2f}"
                for m in found.values()
            )
            print(f"| {law.name} | {n} | {' | '.join(cells)} |", flush=True)
            print(f"{law.name}, n = {n}: {time.process_time() - started:.0f} s CPU", file=sys.stderr)
    print(READING)


if __name__ == "__main__":
    main()
