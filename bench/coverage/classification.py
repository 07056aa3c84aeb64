"""Measured coverage and width of the intervals for classification metrics; prints a Markdown page.

    python bench/coverage/classification.py > docs/coverage-classification.md

Takes about ten minutes of CPU time. Proportions and F1 are enumerated exactly; everything else is simulated, every
setting from its own seeded stream, all methods on the same samples.
"""

import math
import sys
import time

import study_cells
import study_proportions
import study_scores
from study import LEVEL

READING = """
READING
"""


def main() -> None:
    """Print the page."""
    error = math.sqrt(LEVEL * (1 - LEVEL) / study_cells.SAMPLES)
    print("# Coverage of the intervals for classification metrics\n")
    print("Made by `python bench/coverage/classification.py > docs/coverage-classification.md`. Nominal level")
    print(f"{LEVEL}; the standard error of a simulated coverage at that level is {error:.4f}. Where a cell has three")
    print("numbers and one below, they are the coverage, the shares of samples whose interval lies wholly above and")
    print("wholly below the truth, and the mean width; `none` is the share of samples without limits. Samples whose")
    print("value is undefined are left out.")
    print(READING)
    for study in (study_proportions, study_cells, study_scores):
        started = time.process_time()
        study.main()
        print()
        print(f"{study.__name__}: {time.process_time() - started:.0f} s CPU", file=sys.stderr)


if __name__ == "__main__":
    main()
