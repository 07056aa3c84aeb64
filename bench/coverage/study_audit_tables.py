"""Tables of exact coverage and width of the audit's interval methods."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.audit.known_positives import intervals
from certus.inference.declare import LABELS
from certus.inference.finite import hypergeometric
from study import LEVEL, heading

__all__ = ["DESIGNS", "METHODS", "Method", "by_design", "every_small_design", "measured"]

Floats = NDArray[np.float64]

DESIGNS = ((50, 20), (200, 20), (200, 100), (500, 100), (1000, 100), (1000, 500), (5000, 200), (20000, 1000))
"""Positives and checked ones."""

SMALL = 60
"""Greatest population of which every design is worked out in whole numbers."""


class Method(NamedTuple):
    """An interval method as it is called."""

    name: str
    prior: str = "uniform"

    @property
    def label(self) -> str:
        """As the tables and pictures name it."""
        if self.name not in ("posterior", "hpd"):
            return LABELS[self.name]
        kind = "posterior" if self.name == "posterior" else "HPD"
        return f"{kind}, {self.prior}" if self.prior == "uniform" else f"{kind}, {self.prior.title()}"


METHODS = (
    Method("blaker"),
    Method("amo"),
    Method("wang"),
    Method("hypergeometric"),
    Method("clopper-pearson"),
    Method("mid-p"),
    Method("posterior"),
    Method("posterior", "jeffreys"),
    Method("hpd"),
    Method("wilson-fpc"),
    Method("wilson"),
    Method("beta"),
)
"""Exact ones first, then those right on average, then those for endless populations."""


class Measured(NamedTuple):
    """Coverage for each true count, and the mean number of counts in an interval over true counts and samples."""

    coverage: Floats
    size: float
    """The mean over the k that can be found, each as often as the others, as under the uniform prior."""


def measured(method: Method, population: int, n: int) -> Measured:
    """The exact coverage and mean size of a method for one design."""
    low, high = intervals(method.name, population, n, LEVEL, prior=method.prior)
    return Measured(hypergeometric.coverage_of(low, high, population), float((high - low + 1).mean()))


def by_design() -> None:
    """Print mean and least coverage and mean size for each method and design."""
    found = {(method, design): measured(method, *design) for design in DESIGNS for method in METHODS}
    names = [f"{n:,} of {population:,}" for population, n in DESIGNS]
    print("\n### Least coverage over all true counts\n")
    heading(["method"], names)
    for method in METHODS:
        least = [found[method, design].coverage.min() for design in DESIGNS]
        # Rounded down, so that no table shows a level that is not reached; a method at its level has it in bold.
        cells = [_bold(f"{math.floor(1000 * (x + 1e-12)) / 1000:.3f}", x >= LEVEL - 1e-12) for x in least]
        print(f"| {method.label} | " + " | ".join(cells) + " |")
    print("\n### Mean coverage over all true counts, each as likely as the others\n")
    heading(["method"], names)
    for method in METHODS:
        print(f"| {method.label} | " + " | ".join(f"{found[method, d].coverage.mean():.3f}" for d in DESIGNS) + " |")
    print("\n### Mean number of counts in the interval, and its ratio to Blaker's\n")
    heading(["method"], names)
    for method in METHODS:
        cells = [
            f"{found[method, d].size:,.1f}<br>{found[method, d].size / found[METHODS[0], d].size:.3f}" for d in DESIGNS
        ]
        print(f"| {method.label} | " + " | ".join(cells) + " |")


def _bold(text: str, strong: bool) -> str:
    return f"**{text}**" if strong else text


def every_small_design() -> None:
    """Print, for each method, over all designs with at most SMALL positives: how low coverage gets, and how often."""
    choose = np.array([[math.comb(i, j) for j in range(SMALL + 1)] for i in range(SMALL + 1)], dtype=np.int64)
    worst = dict.fromkeys(METHODS, (math.inf, ""))
    below, size = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
    designs = [(population, n) for population in range(1, SMALL + 1) for n in range(1, population + 1)]
    for population, n in designs:
        x, k = np.arange(population + 1)[:, np.newaxis], np.arange(n + 1)
        # Samples with k hits, a column, of X, a row. Twenty times their number fits in 64 bits: no rounding decides.
        ways, samples = choose[x, k] * choose[population - x, n - k], int(choose[population, n])
        for method in METHODS:
            low, high = intervals(method.name, population, n, LEVEL, prior=method.prior)
            held = (ways * ((low <= x) & (x <= high))).sum(axis=1)
            hits = int(held.argmin())
            location = f"{n} of {population}, {hits} hits"
            worst[method] = min(worst[method], (float(held[hits] / samples), location), key=lambda found: found[0])
            below[method] += bool((20 * held < 19 * samples).any())
            size[method] += float((high - low + 1).mean())
    heading(["method"], ["least coverage", "where", "designs below the level", "mean size, ratio to Blaker's"])
    for method in METHODS:
        least, location = worst[method]
        ratio = size[method] / size[METHODS[0]]
        print(f"| {method.label} | {least:.4f} | {location} | {below[method]:,} of {len(designs):,} | {ratio:.4f} |")
