"""Average precision."""

import math

from certus import kernels
from certus.data import Scores
from certus.metrics._declare import metric
from certus.statistic import Influence

__all__ = ["average_precision"]


@metric(
    "AP",
    aliases=("average_precision", "average_precision_score"),
    unit="sample",
    source="Boyd, Eng & Page (2013), Area under the precision-recall curve: point estimates and confidence intervals, "
    "ECML PKDD, LNCS 8190:451-466, doi:10.1007/978-3-642-40994-3_29",
)
def average_precision(scores: Scores) -> Influence:
    """Precision at the score of each positive sample, averaged: the area under the stepwise precision-recall curve.

    With R positives and T samples at or above a score::

        AP = mean over positives of R / T

    Samples with equal scores are taken together, so that their order does not matter. It is undefined where there are
    no positives.

    Returns
    -------
    Influence
        Positives and negatives are the strata: the interval is one for test data with this share of positives.

    Examples
    --------
    The positives stand at ranks 1 and 3: (1/1 + 2/3) / 2.

    >>> import certus
    >>> round(certus.classification.average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).value, 4)
    0.8333
    """
    m, n = len(scores.positives), len(scores.negatives)
    if m == 0:
        return Influence(math.nan, (m, n), (math.nan, math.nan), reason="there are no positives" if n else "")
    value, of_positives, of_negatives = kernels.score_average_precision(scores.positives, scores.negatives)
    return Influence(value, (m, n), (of_positives, of_negatives))
