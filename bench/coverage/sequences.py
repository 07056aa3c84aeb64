"""Error rates of confidence sequences, and the samples until they are narrow; prints a Markdown page.

    python bench/coverage/sequences.py > docs/coverage-sequences.md

Takes about a minute of CPU time. The chance of ever missing is exact where an interval depends on the numbers of labels
and hits alone; else it is simulated, from one seeded stream.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus.audit import sequence
from certus.audit.known_positives import intervals
from certus.audit.sequence import ratio_steps

LEVEL = 0.95
SIZES = (20, 100, 500)
SHARES = (0.0, 0.02, 0.1, 0.3, 0.5, 0.8, 0.95)
ORDERS = 1000
POPULATION = 1000
WIDTHS = (0.2, 0.1, 0.05)

Whole = NDArray[np.int64]
Limits = Callable[[int], tuple[Whole, Whole]]

INTRODUCTION = f"""# Coverage of confidence sequences

Made by `python bench/coverage/sequences.py > docs/coverage-sequences.md`, level {LEVEL}. The items of a population are
checked one by one in random order, and the interval is looked at after each label. A *miss* is an interval that does
not hold the true count, at any number of labels from 1 to all: so these are the chances to be wrong for somebody who
may stop whenever it suits, at the worst moment for the truth.

## The chance of ever missing

Exact, by recursion over the numbers of labels and of hits, for `"ppr"` under two priors; and for an interval of a
fixed sample, exact hypergeometric (equal-tailed) at the same level, that is looked at after each label. `"wsr"` depends
on the order of the labels; its chance is simulated over {ORDERS:,} orders (standard error 0.007 where it is 0.05).
"""

READING = f"""
What this says:

- Both sequences keep their promise at every count. `"ppr"` uses up to three quarters of the error it is allowed, which
  is why it is narrower than `"wsr"`, which uses a quarter.
- An interval for a sample of fixed size, looked at after each label, misses at some moment far more often than it says,
  and the more often the larger the population.

## How many labels it takes

The mean number of labels until the interval of the share is no wider than the width, over {ORDERS // 5} orders of
{POPULATION:,} items, and beside it the sample size at which the exact hypergeometric interval is so narrow when the
sample shows the true share. The difference is what it costs to be free to stop.
"""


def ever_missed(population: int, count: int, limits: Limits) -> float:
    """The exact chance that an interval misses, which depends on the numbers of labels and hits alone."""
    alive = np.zeros(population + 1)
    alive[0] = 1
    hits = np.arange(population + 1)
    for t in range(population):
        hit = np.clip((count - hits) / (population - t), 0, 1)
        alive = alive * (1 - hit) + np.concatenate(([0], (alive * hit)[:-1]))
        low, high = limits(t + 1)
        held = (low <= count) & (count <= high)
        alive[: t + 2][~held] = 0
    return max(1 - float(alive.sum()), 0.0)


def tables(make: Limits, population: int) -> Limits:
    """The limits at every number of labels, made once."""
    made = [make(checked) for checked in range(1, population + 1)]
    return lambda checked: made[checked - 1]


def ratio(population: int, prior: tuple[float, float]) -> Limits:
    """The counts the prior-posterior ratio keeps, for each number of hits."""

    def limits(checked: int) -> tuple[Whole, Whole]:
        hits = np.arange(checked + 1)
        return ratio_steps(np.full(checked + 1, checked), hits, population, 1 - LEVEL, prior)

    return tables(limits, population)


def fixed(population: int) -> Limits:
    """Equal-tailed limits for a sample of each size."""
    return tables(lambda checked: intervals("hypergeometric", population, checked, LEVEL), population)


def simulated(population: int, count: int, rng: np.random.Generator) -> float:
    """The share of orders in which `"wsr"` ever misses."""
    truth = np.arange(population) < count
    missed = 0
    for _ in range(ORDERS):
        found = sequence(rng.permutation(truth), population=population, level=LEVEL, interval="wsr")
        missed += bool(((found.low > count) | (found.high < count)).any())
    return missed / ORDERS


def needed(share: float, rng: np.random.Generator) -> list[str]:
    """The cells of a line of the second table."""
    truth = np.arange(POPULATION) < round(share * POPULATION)
    stops: dict[str, list[list[int]]] = {"ppr": [], "wsr": []}
    for _ in range(ORDERS // 5):
        order = rng.permutation(truth)
        for method, of_method in stops.items():
            found = sequence(order, population=POPULATION, level=LEVEL, interval=method)  # type: ignore[arg-type]
            of_method.append([found.stop(width) or POPULATION for width in WIDTHS])
    means = {method: np.mean(of_method, axis=0) for method, of_method in stops.items()}
    cells = []
    for i, width in enumerate(WIDTHS):
        cells.append(f"{means['ppr'][i]:.0f} / {means['wsr'][i]:.0f} / {_fixed_size(share, width)}")
    return cells


def _fixed_size(share: float, width: float) -> int:
    from certus.inference.finite.hypergeometric import equal_tailed

    for checked in range(5, POPULATION + 1):
        low, high = equal_tailed(round(share * checked), checked, POPULATION, LEVEL)
        if high - low <= width * POPULATION:
            return checked
    return POPULATION


def line(cells: list[str]) -> None:
    """One line of a table."""
    print(f"| {' | '.join(cells)} |")


def main() -> None:
    """Print the page."""
    start = time.process_time()
    rng = np.random.Generator(np.random.PCG64(2020))
    print(INTRODUCTION)
    line(["items", "share of hits", "ppr, uniform", "ppr, Jeffreys", "wsr", "fixed size, looked at"])
    line(["---:"] * 6)
    worst = [0.0] * 4
    for population in SIZES:
        laws = ratio(population, (1, 1)), ratio(population, (0.5, 0.5)), fixed(population)
        for count in dict.fromkeys(round(share * population) for share in SHARES):
            exact = [ever_missed(population, count, law) for law in laws]
            found = [*exact[:2], simulated(population, count, rng), exact[2]]
            worst = [max(pair) for pair in zip(worst, found, strict=True)]
            line([str(population), f"{count / population:g}", *(f"{each:.4f}" for each in found)])
    line(["worst", "", *(f"**{each:.4f}**" for each in worst)])
    print(READING)
    line(["share of hits", *(f"width {width:g}: ppr / wsr / fixed" for width in WIDTHS)])
    line(["---:"] * (1 + len(WIDTHS)))
    for share in (0.05, 0.2, 0.5):
        line([f"{share:g}", *needed(share, rng)])
    print(f"{time.process_time() - start:.0f} s of CPU time", file=sys.stderr)


if __name__ == "__main__":
    main()
