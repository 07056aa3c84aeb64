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
What this says for the choice of a method:

- Proportions: Wilson is nearest to its level on average and among the shortest, so it is the default; Blaker and
  Clopper-Pearson never cover less, and Blaker is the shorter one.
- F1: Wilson for the share tp / (tp + fp + fn) is within a point of its level. Wilson for F1 n successes in n trials is
  far too short wherever most samples are neither positive nor predicted so.
- Functions of a confusion matrix: the plain delta method covers well when every class has some 5 samples of each kind
  (right, missed, falsely predicted), and as little as a third of the time when a class is rare or nearly always right;
  so do Wald's interval and the bootstrap. The default, which then turns to the Dirichlet posterior (2 x 2) or to the
  delta method at a table with pseudo-counts, stays within about three points of its level; it is lower, at 0.91, for
  macro F1 of 10 classes with 5 samples each, and higher where a class has a sample or none.
- Weights and clusters: the same holds. Taking clustered samples for independent costs 5 to 10 points.
- AUC: the score-type limits, whose variance is that of the limit, hold their level for few positives and near 1, where
  logit DeLong with Satterthwaite's t is far below (0.88 at 0.97 with 20 positives, 0.7 to 0.8 beyond); they are a
  little wide for 10 positives and 10 negatives. Raw DeLong is too short near 1 (0.80), Hanley-McNeil depends on the law
  of the scores.
- Average precision: the default, logit limits from influence values that allow for samples on top that were not drawn,
  covers 0.96 to 1.00 for simple random samples, whose share of positives varies. BCa covers 0.94 to 0.97 here, at four
  fifths of the width, and less where a few negatives stand on top. Taking the share for fixed is a mistake that costs
  up to seven points (0.89 to 0.99). Where the number of positives is fixed by design, `prevalence="fixed"` covers 0.96
  to 1.00, at nine tenths of the width that the default has there.
- Mean losses: Student's t is short for a log loss of overconfident predictions and few samples, where a few large
  losses decide. The default is corrected for skewness there; [means](coverage-means.md) show how often it covers."""


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
