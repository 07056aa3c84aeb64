"""Measured coverage and width of the limits for the largest gap between small subgroups; prints a Markdown table.

    python bench/coverage/largest_gap.py

Takes about two minutes of CPU time.
"""

from functools import cache

import numpy as np

from certus.inference import Estimate
from certus.inference.many.subgroups import largest_gap
from certus.statistic import Proportion

SAMPLES = 1000
SIZES = (
    *((2, 6), (3, 6), (30, 6), (100, 8), (5, 10), (10, 10)),
    *((30, 10), (10, 20), (30, 20), (5, 40), (20, 100), (5, 600)),
)
"""Subgroups, and the samples of each."""
SHARES = (0.5, 0.6, 0.8, 0.95)


@cache
def share(successes: int, trials: int) -> Estimate:
    """The share as an estimate."""
    return Estimate(Proportion(successes, trials, "sample"), bounds=(0.0, 1.0))


def measured(shares: np.ndarray, trials: int, method: str | None, rng: np.random.Generator) -> tuple[float, float]:
    """Coverage of the true gap, and the median width."""
    truth, covered, widths = float(np.ptp(shares)), 0, []
    for counts in rng.binomial(trials, shares, (SAMPLES, len(shares))).tolist():
        gap = largest_gap({str(i): share(k, trials) for i, k in enumerate(counts)}, method=method)
        covered += gap.low <= truth + 1e-12 <= gap.high + 2e-12
        widths.append(gap.high - gap.low)
    return covered / SAMPLES, float(np.median(widths))


def main() -> None:
    """Print the table."""
    print("| subgroups | share | default covers | width | Wilson covers | width |")
    print("|---|---|--:|--:|--:|--:|")
    for number, trials in SIZES:
        for p in SHARES:
            shares = np.full(number, p)
            found = [measured(shares, trials, method, np.random.default_rng(1)) for method in (None, "wilson")]
            figures = " | ".join(f"{covered:.3f} | {width:.3f}" for covered, width in found)
            print(f"| {number} of {trials} | {p} | {figures} |")


if __name__ == "__main__":
    main()
