"""Exact coverage of the intervals for a proportion and for F1, by enumeration of all counts."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from certus.inference import Estimate
from certus.inference.declare import LABELS
from certus.statistic import Proportion
from study import LEVEL, heading

__all__ = ["F1_METHODS", "METHODS", "MISTAKE", "Spread", "f1_coverage", "main", "share_coverage"]

Floats = NDArray[np.float64]

METHODS = Estimate(Proportion(1, 2)).methods
F1_METHODS = Estimate(Proportion(1, 2, scale="dice")).methods
MISTAKE = "wilson of f1 n in n"
"""Common interval for F1: Wilson's for F1 n successes in n trials."""

SIZES = (10, 30, 100, 500)
SHARES = np.arange(1, 1000) / 1000


class Setting(NamedTuple):
    """A classifier of n samples."""

    n: int
    prevalence: float
    recall: float
    precision: float

    @property
    def f1(self) -> float:
        """Its true F1."""
        return 2 * self.recall * self.precision / (self.recall + self.precision)

    @property
    def counted(self) -> float:
        """Probability that a sample is positive or predicted so."""
        return self.prevalence * (1 - self.recall + self.recall / self.precision)


SETTINGS = (
    Setting(50, 0.5, 0.8, 0.8),
    Setting(100, 0.5, 0.95, 0.95),
    Setting(200, 0.1, 0.8, 0.7),
    Setting(200, 0.05, 0.5, 0.5),
    Setting(400, 0.1, 0.95, 0.9),
)


class Spread(NamedTuple):
    """Least and mean coverage over the true values, and the mean width."""

    least: float
    mean: float
    width: float


@cache
def limits(method: str, trials: int, scale: str = "linear") -> tuple[Floats, Floats]:
    """The limits for every number of successes; undefined ones hold nothing."""
    intervals = [
        Estimate(Proportion(k, trials, scale="dice" if scale == "dice" else "linear"), bounds=(0.0, 1.0)).interval(
            LEVEL, method
        )
        for k in range(trials + 1)
    ]
    return np.array([each.low for each in intervals]), np.array([each.high for each in intervals])


def share_coverage(method: str, trials: int, shares: Floats = SHARES) -> Spread:
    """Coverage of a proportion's interval, over all true shares."""
    low, high = limits(method, trials)
    chance = stats.binom.pmf(np.arange(trials + 1), trials, shares[:, np.newaxis])
    covered = (chance * ((low <= shares[:, np.newaxis]) & (shares[:, np.newaxis] <= high))).sum(axis=1)
    width = (chance * np.nan_to_num(high - low)).sum(axis=1)
    return Spread(float(covered.min()), float(covered.mean()), float(width.mean()))


def f1_coverage(method: str, setting: Setting) -> Spread:
    """Coverage of an interval for F1; the number of samples that are positive or predicted so varies too."""
    n, truth = setting.n, setting.f1
    share = truth / (2 - truth)
    chances = stats.binom.pmf(np.arange(n + 1), n, setting.counted)
    covered = width = total = 0.0
    for counted in np.flatnonzero(chances > 1e-9).tolist():
        if counted == 0:
            continue
        chance = chances[counted] * stats.binom.pmf(np.arange(counted + 1), counted, share)
        low, high = _mistaken(counted, n) if method == MISTAKE else limits(method, counted, "dice")
        covered += float(chance @ ((low <= truth) & (truth <= high)))
        width += float(chance @ np.nan_to_num(high - low))
        total += float(chances[counted])
    return Spread(covered / total, covered / total, width / total)


def _mistaken(counted: int, n: int) -> tuple[Floats, Floats]:
    tp = np.arange(counted + 1)
    p = 2 * tp / (counted + tp)
    z = float(stats.norm.isf((1 - LEVEL) / 2))
    center = (p + z * z / (2 * n)) / (1 + z * z / n)
    half_width = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return center - half_width, center + half_width


def main() -> None:
    """Print both tables."""
    print("## Proportions\n")
    print("Exact, by enumeration of all counts, for true shares 0.001 to 0.999: mean coverage, least coverage, and")
    print("below them the mean width. Wald's interval does not exist without successes or without failures.\n")
    heading(["n"], (LABELS[method] for method in METHODS))
    for trials in SIZES:
        print(f"| {trials} | " + " | ".join(_spread(share_coverage(method, trials)) for method in METHODS) + " |")
    print("\n## F1\n")
    print("Exact, by enumeration of tp and of tp + fp + fn. Coverage, and below it the mean width. In the last column")
    print("the interval of Wilson for F1 n successes in n trials, as it is often computed: it is not one for F1.\n")
    names: Sequence[str] = [*(LABELS[method] for method in F1_METHODS), "Wilson of F1 n in n"]
    heading(["n", "prevalence", "recall", "precision"], names)
    for setting in SETTINGS:
        found = (f1_coverage(method, setting) for method in (*F1_METHODS, MISTAKE))
        texts = (f"**{each.mean:.3f}**<br>{each.width:.3f}" for each in found)
        print("| " + " | ".join([*(f"{value:g}" for value in setting), *texts]) + " |", flush=True)


def _spread(found: Spread) -> str:
    return f"**{found.mean:.3f}**, {found.least:.3f}<br>{found.width:.3f}"


if __name__ == "__main__":
    main()
