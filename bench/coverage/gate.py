"""Measure how often a gate with a margin passes systems that are worse by it, and systems that are fine.

    python bench/coverage/gate.py > docs/coverage-gate.md

Takes about three minutes of CPU time.
"""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from certus.inference.interval import Request
from certus.inference.tests.guaranteed import assumed_range
from certus.inference.tests.means import PairedDifferences, own_interval
from certus.inference.tests.result import of_difference
from certus.inference.tests.shares import exact_p
from certus.statistic.common import Bounds

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]
"""The values of the baseline and of the system on n units."""
TAIL = 0.025
SETTINGS, SAMPLES, FLIPPED, PAIRS = 8, 1000, 100, 20_000
UNIT = (0.0, 1.0)


def passes(test: str, system: Floats, baseline: Floats, margin: float, bounds: Bounds | None) -> bool:
    """True if the gate passes, as `certus.compare` decides it; bounds None are not known."""
    values = assumed_range(system, baseline)
    sample = PairedDifferences.from_sums(system - baseline, np.ones(len(system)), "unit", values)
    request = Request(bounds=(-np.inf, np.inf) if bounds is None else of_difference(bounds))
    beyond = own_interval(sample, test).tail_probability
    return beyond is not None and beyond(-margin, "greater", request)[0] <= TAIL


@cache
def share_passes(above: int, below: int, n: int, margin: float) -> bool:
    """The same of values that are 0 or 1."""
    return exact_p(above, below, n, -margin) <= TAIL


def share(rng: np.random.Generator, n: int, better: float, worse: float, margin: float) -> float:
    """Compute how often 0/1 values pass, for the shares of the units on which one system alone is right."""
    counts = rng.multinomial(n, [better, worse, 1 - better - worse], PAIRS)
    kinds, times = np.unique(counts[:, :2], axis=0, return_counts=True)
    passed = [share_passes(above, below, n, margin) for above, below in kinds.tolist()]
    return float(times @ np.array(passed)) / PAIRS


def units(rng: np.random.Generator) -> int:
    """A number of units, from 10 to 1,000."""
    return int(np.exp(rng.uniform(np.log(10), np.log(1000))))


def rare(rng: np.random.Generator, noise: bool, baseline: str) -> tuple[int, float, Draw]:
    """A loss on few units, otherwise equal or nearly so: the number of units, the loss, and the law."""
    n, size = units(rng), float(rng.uniform(0.2, 0.7))
    rate = float(min(rng.uniform(0.3, 5) / n, 0.3))
    spread = float(rng.uniform(0.002, 0.05)) if noise else 0.0

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        old = np.full(n, 0.8) if baseline == "constant" else rng.uniform(0.7, 1.0, n)
        new = old - size * (rng.random(n) < rate) + np.clip(rng.normal(0, spread, n), -0.1, 0.1)
        return old - 0.1, new - 0.1

    return n, size * rate, draw


def skewed(rng: np.random.Generator) -> tuple[int, float, Draw]:
    """Many small gains and few losses, all between 0 and 1."""
    n, shape = units(rng), float(rng.uniform(0.02, 0.3))

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        loss = rng.beta(shape, 4 * shape, n)
        return np.full(n, 0.9), 0.9 - 0.9 * loss

    return n, 0.9 / 5, draw


def tied(rng: np.random.Generator) -> tuple[int, float, Draw]:
    """Equal on 99 % of the units; on the others the system has another value at random."""
    n, differ = units(rng), 0.01

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        old = np.round(rng.beta(8, 2, n), 1)
        return old, np.where(rng.random(n) < differ, np.round(rng.beta(2, 8, n), 1), old)

    return n, differ * 0.6, draw


def exponential(rng: np.random.Generator) -> tuple[int, float, Draw]:
    """Losses that have no bound."""
    n = units(rng)

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        return np.zeros(n), -rng.exponential(1, n)

    return n, 1.0, draw


def lognormal(rng: np.random.Generator) -> tuple[int, float, Draw]:
    """Losses with long tails, and noise."""
    n, sigma = units(rng), float(rng.uniform(0.5, 1.5))

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        old = rng.normal(0, 1, n)
        return old, old + rng.normal(0, 0.2, n) - rng.lognormal(0, sigma, n)

    return n, float(np.exp(sigma**2 / 2)), draw


def percentages(rng: np.random.Generator) -> tuple[int, float, Draw]:
    """Rare losses of values around 70, as of percentages."""
    n, margin, of_unit = rare(rng, noise=True, baseline="constant")

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        old, new = of_unit(rng, n)
        return 100 * old, 100 * new

    return n, 100 * margin, draw


def spikes(rng: np.random.Generator, size: float, baseline: str = "normal") -> tuple[int, float, Draw]:
    """Few losses of many standard deviations, which are beyond the values that a sample without them shows."""
    n, share = units(rng), float(rng.uniform(0.5, 4))

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        old = 3 * (rng.normal(0, 1, n) if baseline == "normal" else rng.choice([-1.0, 1.0], n))
        return old, old - 3 * size * (rng.random(n) < share / n) + rng.normal(0, 0.15, n)

    return n, 3 * size * share / n, draw


LAWS: dict[str, tuple[Callable[[np.random.Generator], tuple[int, float, Draw]], bool]] = {
    "rare losses, otherwise equal": (lambda rng: rare(rng, noise=False, baseline="varied"), True),
    "rare losses and noise": (lambda rng: rare(rng, noise=True, baseline="varied"), True),
    "rare losses from a constant": (lambda rng: rare(rng, noise=False, baseline="constant"), True),
    "rare losses from a constant, noise": (lambda rng: rare(rng, noise=True, baseline="constant"), True),
    "skewed losses": (skewed, True),
    "99 % of the units equal": (tied, True),
    "rare losses of percentages": (percentages, False),
    "exponential losses": (exponential, False),
    "lognormal losses": (lognormal, False),
    "rare losses of 10 standard deviations": (lambda rng: spikes(rng, 10), False),
    "rare losses of 20 standard deviations": (lambda rng: spikes(rng, 20), False),
    "rare losses of 20 deviations of two values": (lambda rng: spikes(rng, 20, "two values"), False),
}


def errors(name: str, test: str, known: bool, samples: int) -> list[tuple[float, int]]:
    """Measure how often systems pass that are worse by the margin, and the number of units, for random settings."""
    law = LAWS[name][0]
    choose = np.random.default_rng([30, *map(ord, name)])
    found = []
    for position in range(SETTINGS):
        n, margin, draw = law(choose)
        rng = np.random.default_rng([31, position, *map(ord, name)])
        passed = 0
        for _ in range(samples):
            old, new = draw(rng, n)
            passed += passes(test, new, old, margin, UNIT if known else None)
        found.append((passed / samples, n))
    return found


def rows() -> Iterator[str]:
    """The tables."""
    yield '| losses | bounds known | bounds not known | sign flips (`assume="symmetric"`) |'
    yield "|---|---|---|---|"
    for name, (_, inside) in LAWS.items():
        cells = []
        for test, known in (("betting", True), ("betting", False), ("permutation", False)):
            if known and not inside:
                cells.append("-")
                continue
            found = errors(name, test, known, FLIPPED if test == "permutation" else SAMPLES)
            most, n = max(found)
            cells.append(f"{np.mean([p for p, _ in found]):.3f}, {most:.3f} (n = {n})")
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    yield "## Values that are 0 or 1"
    yield ""
    yield "| units | net loss, the margin | right alone: system | baseline | passes |"
    yield "|---|---|---|---|---|"
    rng = np.random.default_rng(32)
    for _ in range(2 * SETTINGS):
        n = units(rng)
        loss = float(min(rng.uniform(0.5, 8) / n, 0.3))
        better = float(rng.choice([0.0, 0.01, 0.03])) * float(rng.uniform(0.5, 1))
        passed = share(rng, n, better, better + loss, loss)
        yield f"| {n} | {loss:.4f} | {better:.4f} | {better + loss:.4f} | {passed:.4f} |"
    yield ""
    yield "## What is fine passes"
    yield ""
    yield "| two systems that are equally good | units | margin | passes |"
    yield "|---|---|---|---|"
    for n, differ, margin in ((200, 0.04, 0.05), (100, 0.04, 0.1), (1000, 0.04, 0.02), (400, 0.1, 0.05)):
        p = share(rng, n, differ / 2, differ / 2, margin)
        yield f"| 0/1, they differ on {differ:.0%} of the units | {n} | {margin} | {p:.3f} |"
    for n, spread, margin in ((200, 0.1, 0.05), (400, 0.1, 0.03), (1000, 0.1, 0.02), (1000, 0.1, 0.015)):
        passed = 0
        for _ in range(SAMPLES):
            old = rng.uniform(0.3, 0.7, n)
            passed += passes("betting", old + np.clip(rng.normal(0, spread, n), -0.3, 0.3), old, margin, UNIT)
        law = f"values in [0, 1], standard deviation of differences {spread}"
        yield f"| {law} | {n} | {margin} | {passed / SAMPLES:.3f} |"


PAGE = f"""\
# How often a gate passes

Made by `python bench/coverage/gate.py > docs/coverage-gate.md`. A [gate](compare.md#the-gate-of-a-ci-job) with a margin
promises that a system that is worse by the margin passes with a probability of at most .025. Each line draws {SETTINGS}
settings at random (10 to 1,000 units, rates, sizes and noise of the losses), and {SAMPLES:,} experiments of each; the
system is truly worse by exactly the margin. Cells: the share that passes, on average and in the worst setting
(standard error .005 at .025; {FLIPPED} experiments in the last column).

Where bounds are not known, [0, 1] is taken if the values lie there. Otherwise a range is guessed from the values
observed and 0, at least half as far again and at least 18 standard deviations wide, and fewer than 20 units pass
nothing; the note under the table says so. No range that is taken from the data covers losses far beyond it: of losses
of 100 standard deviations a third of the systems passes whatever the number of units, where one such loss is expected
(`e^-1` see none), and of gamma losses of shape .05 from a constant (skewness 9) .09 with 20 units and .04 with 100.
Only a stated range (`value_range`) guarantees more.

With 18 deviations and 20 units at most .06 pass in each of 600 other settings but these gamma losses: losses of 2 to 20
standard deviations on .5 to 3 units, of normal, uniform, heavy-tailed, skewed, rounded and two-valued baselines, with
little and much noise; lognormal, exponential, Pareto and gamma losses; values like 0 and 1 in other units. With 12 or
15 units up to .07 of lognormal (sigma 2) and gamma losses of shape .1 pass.

The last column shows what the limits cost that assume symmetric differences: they are wrong here.

"""


def main() -> None:
    """Print the page."""
    print(PAGE + "\n".join(rows()))


if __name__ == "__main__":
    main()
