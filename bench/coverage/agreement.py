"""Measured coverage of the intervals for rank correlations; prints a Markdown page.

    python bench/coverage/agreement.py > docs/coverage-agreement.md

Takes about a minute and a half of CPU time. Items are drawn from a population with two scores each; the truth is the
value in the population. All settings draw from seeded streams of their own.
"""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.agreement import kendall_tau, spearman, tau_ap
from certus.inference import Estimate
from study import LEVEL, Measured, cell, heading

SAMPLES = 1000
SIZES = (10, 20, 50)
POPULATION = 400_000

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]


def normal(correlation: float) -> Draw:
    """Two normal scores with that correlation."""

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        x = rng.standard_normal(n)
        return x, correlation * x + math.sqrt(1 - correlation**2) * rng.standard_normal(n)

    return draw


def graded(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Scores on a scale of five grades."""
    x, y = normal(0.7)(rng, n)
    return np.clip(np.rint(x), -2, 2), np.clip(np.rint(y), -2, 2)


def bunched(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Most items nearly alike, a few far better: the order is sure at the top and noise below."""
    x = rng.exponential(1, n) ** 2
    return x, x + rng.normal(0, 0.5, n)


LAWS: dict[str, Draw] = {
    "normal, 0": normal(0.0),
    "normal, 0.5": normal(0.5),
    "normal, 0.9": normal(0.9),
    "bunched": bunched,
    "five grades": graded,
}


class Measure(NamedTuple):
    """A rank correlation, and whether it may have ties in both rankings."""

    name: str
    of: Callable[[Floats, Floats], Estimate]
    ties: bool = True


MEASURES = (
    Measure("Kendall tau-b", kendall_tau),
    Measure("Spearman", spearman),
    Measure("tau-AP", tau_ap, ties=False),
    Measure("tau-AP, ties b", lambda x, y: tau_ap(x, y, ties="b")),
)


def measure(law: str, n: int, of: Measure, truth: float, samples: int = SAMPLES) -> Measured:
    """Coverage of the default interval."""
    rng = np.random.default_rng([n, *law.encode()])
    found = np.full((samples, 2), math.nan)
    for sample in range(samples):
        found[sample] = of.of(*LAWS[law](rng, n)).interval(LEVEL)[:2]
    low, high = found[~np.isnan(found).any(axis=1)].T
    above, below = float((low > truth).mean()), float((high < truth).mean())
    return Measured(1 - above - below, above, below, float((high - low).mean()), 1 - len(low) / samples)


def truth(law: str, of: Measure) -> float:
    """The value in a very large sample."""
    return float(of.of(*LAWS[law](np.random.default_rng(1), POPULATION)))


def main() -> None:
    """Print the page."""
    started = time.process_time()
    print("# Coverage of the intervals for rank correlations\n")
    print(f"Made by `python bench/coverage/agreement.py > docs/coverage-agreement.md`: {SAMPLES:,} samples a setting,")
    print(f"nominal level {LEVEL}; the simulation's standard error at the nominal level is")
    print(
        f"{math.sqrt(LEVEL * (1 - LEVEL) / SAMPLES):.4f}. Each cell: coverage among the samples that have an interval"
    )
    print("(interval wholly above the truth / wholly below it), the mean width, and the share of samples without an")
    print(f"interval if there are any. The truth is the value in a sample of {POPULATION:,}. Populations: two normal")
    print("scores with the correlation given; `bunched`, squared exponential scores with normal noise of 0.5, whose")
    print("order is sure at the top and noise below; `five grades`, normal scores with correlation 0.7 rounded to")
    print("-2..2.\n")
    heading(("items", "n"), (each.name for each in MEASURES))
    for law in LAWS:
        truths = [truth(law, each) if each.ties or law != "five grades" else math.nan for each in MEASURES]
        for n in SIZES:
            cells = [
                "" if math.isnan(value) else cell(measure(law, n, each, value))
                for each, value in zip(MEASURES, truths, strict=True)
            ]
            print(f"| {law} | {n} | {' | '.join(cells)} |", flush=True)
    import sys

    print(f"{time.process_time() - started:.0f} s CPU", file=sys.stderr)


if __name__ == "__main__":
    main()
