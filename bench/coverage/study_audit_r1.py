"""R1's program for its example, as printed and put right."""

from collections.abc import Iterable
from typing import NamedTuple, TypedDict

import numpy as np

from certus.audit import recall_precision
from certus.inference.declare import LABELS
from certus.inference.finite import hypergeometric
from certus.inference.finite.laws import Posterior

__all__ = ["EXAMPLE", "SECOND", "AsPrinted", "as_a_method", "as_printed", "corrected", "without_limits"]


class Numbers(TypedDict):
    """Facts of a checked sample."""

    positives: int
    checked: int
    hits: int
    predicted: int


EXAMPLE: Numbers = {"positives": 1000, "checked": 500, "hits": 400, "predicted": 10000}
"""R1's example of its program."""

SECOND: Numbers = {"positives": 500, "checked": 100, "hits": 80, "predicted": 2000}
"""R1's example of its approximations."""


class AsPrinted(NamedTuple):
    """Result of the program; None where its loop ends without a limit."""

    left: int | None
    center: int
    right: int | None


def as_printed(law: Posterior, population: int, n: int, k: int, level: float = 0.95) -> AsPrinted:
    """R1's loops: from the estimate outwards on either side, each until half the level is summed up."""
    center = round(population * k / n)  # Mathematica rounds halves to even, as Python does
    enough = (level - law.probability(center)) / 2

    def limit(counts: Iterable[int]) -> int | None:
        total = 0.0
        for x in counts:
            if total >= enough:  # tested before the count itself is added
                return x
            total += law.probability(x)
        return None

    return AsPrinted(limit(range(center - 1, -1, -1)), center, limit(range(center + 1, population + 1)))


def without_limits(population: int, n: int) -> int:
    """The number of k for which the program returns no limit on one side."""
    found = (as_printed(Posterior(k, n, population), population, n, k) for k in range(n + 1))
    return sum(each.left is None or each.right is None for each in found)


def as_a_method(population: int, n: int) -> dict[str, float]:
    """Least and mean coverage, and mean size, of the program's intervals, a missing limit being the last possible."""
    found = [as_printed(Posterior(k, n, population), population, n, k) for k in range(n + 1)]
    low = np.array([k if each.left is None else each.left for k, each in enumerate(found)])
    most = population - n
    high = np.array([most + k if each.right is None else each.right for k, each in enumerate(found)])
    chance = hypergeometric.coverage_of(low, high, population)
    return {"least": float(chance.min()), "mean": float(chance.mean()), "size": float((high - low + 1).mean())}


def corrected() -> None:
    """Print the table of R1's example: its program's numbers and those of the methods."""
    numbers = EXAMPLE
    law = Posterior(numbers["hits"], numbers["checked"], numbers["positives"])
    printed = as_printed(law, numbers["positives"], numbers["checked"], numbers["hits"])
    print("| | hits | recall | precision | posterior mass | below / above |")
    print("|---|---|---|---|---:|---|")
    if printed.left is not None and printed.right is not None:
        _row("the note's program", printed.left, printed.right, law)
    audit = recall_precision(**numbers)
    for method in ("posterior", "hpd", "blaker", "hypergeometric", "mid-p", "amo", "wang"):
        low, high = audit.hits.interval(method=method)[:2]
        _row(LABELS[method], int(low), int(high), law)


def _row(name: str, low: int, high: int, law: Posterior) -> None:
    recall = f"{100 * low / EXAMPLE['positives']:.1f}% to {100 * high / EXAMPLE['positives']:.1f}%"
    precision = f"{100 * low / EXAMPLE['predicted']:.2f}% to {100 * high / EXAMPLE['predicted']:.2f}%"
    tails = f"{100 * law.lower_tail(low - 1):.2f}% / {100 * law.upper_tail(high + 1):.2f}%"
    inside = f"{100 * law.interval_probability(low, high):.2f}%"
    print(f"| {name} | {low} to {high} | {recall} | {precision} | {inside} | {tails} |")
