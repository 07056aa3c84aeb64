"""The best precision at a wanted recall, and the best recall at a wanted precision."""

from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._check import Share
from certus.metrics._declare import metric
from certus.metrics.classification._average import Undefined
from certus.metrics.classification._ordered import filled, lacking_positives, linear, units
from certus.metrics.classification._thresholds import best_precision, best_recall, few_kept, few_wrong
from certus.statistic import Influence

__all__ = ["precision_at_recall", "recall_at_precision"]


@metric(
    "PrecisionAtRecall",
    aliases=("precision_at_recall",),
    at="recall",
    unit="sample",
    source="Eban et al. (2017), Scalable learning of non-decomposable objectives, AISTATS, PMLR 54:832-840",
)
def precision_at_recall(scores: Scores, *, recall: Share, undefined: Undefined = "nan") -> Influence:
    """Highest precision of a threshold that finds at least the wanted share of the positives.

    Every distinct score is a threshold. It is undefined where there are no positives.

    Parameters
    ----------
    recall
        The wanted share of the positives.
    undefined
        What it is without positives: ``"nan"`` or a number.

    Returns
    -------
    Influence
        Of the samples, or the groups.

    Examples
    --------
    Both positives are found at 0.7, with precision 2/3; the first one alone with precision 1.

    >>> import certus
    >>> round(certus.classification.precision_at_recall([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], recall=0.8).value, 4)
    0.6667
    """
    metric, why = ScoreMetric.precision_at_recall(recall), lacking_positives(scores)
    kernel = best_precision(recall, units(scores))
    found = linear(scores, kernel, metric, stratified=False, why=why, caution=lambda: few_wrong(scores, recall))
    return filled(found, undefined)


@metric(
    "RecallAtPrecision",
    aliases=("recall_at_precision",),
    at="precision",
    unit="sample",
    source="Eban et al. (2017), Scalable learning of non-decomposable objectives, AISTATS, PMLR 54:832-840",
)
def recall_at_precision(scores: Scores, *, precision: Share, undefined: Undefined = "nan") -> Influence:
    """Highest recall of a threshold whose precision is at least the wanted one.

    Every distinct score is a threshold; where none is precise enough, nothing is predicted positive and the recall is
    0. It is undefined where there are no positives.

    Parameters
    ----------
    precision
        The wanted precision.
    undefined
        What it is without positives: ``"nan"`` or a number.

    Returns
    -------
    Influence
        Of the samples, or the groups.

    Examples
    --------
    The threshold 0.7 has precision 2/3 and recall 1; the threshold 0.9 precision 1 and recall 1/2.

    >>> import certus
    >>> certus.classification.recall_at_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], precision=0.9).value
    0.5
    """
    metric, why = ScoreMetric.recall_at_precision(precision), lacking_positives(scores)
    kernel = best_recall(precision, units(scores))
    found = linear(scores, kernel, metric, stratified=False, why=why, caution=lambda: few_kept(scores, precision))
    return filled(found, undefined)
