"""Regression metrics: call one on true and predicted numbers, or bind its parameters with `using`.

What every call may be told, beside the parameters of the metric itself:

sample_weight
    A weight of at least 0 for each sample: a sample of weight 2 counts as two, one of weight 0 not at all.
groups
    The cluster each sample belongs to (a patient, a day, a user). Only samples of different clusters are taken to be
    independent, so the intervals widen; the values do not change.

What the parameters that several metrics have in common mean:

multioutput
    How several outputs per sample are summarised: ``"uniform_average"``, the mean over outputs; ``"raw_values"``, each
    by itself, as `Estimates`; ``"variance_weighted"``, weighted by the variance of the targets, for R2 and the
    explained variance; or a weight for each output, of which the part in their sum counts.
force_finite
    What a score has that compares with targets which are all equal: False, no value; True, scikit-learn's convention: 1
    for a perfect prediction and 0 for any other.
"""

from certus.core.lazy import publish
from certus.entry.reports import regression as report
from certus.metrics.declaration import functions

__all__ = ["report", *publish(__name__, functions("regression"))]
