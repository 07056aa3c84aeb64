"""Kolmogorov-Smirnov distance between the scores of positives and negatives."""

from dataclasses import replace
from functools import partial

from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._declare import metric
from certus.metrics.classification._average import Undefined
from certus.metrics.classification._ordered import filled, lacking, linear
from certus.metrics.classification._thresholds import distance, few_of_a_class
from certus.statistic import Influence

__all__ = ["ks"]


@metric(
    "KS",
    aliases=("ks", "ks_statistic"),
    unit="sample",
    source="Massey (1951), JASA 46(253):68-78, doi:10.1080/01621459.1951.10500769",
)
def ks(scores: Scores, *, one_sided: bool = False, undefined: Undefined = "nan") -> Influence:
    """Largest distance between the distribution functions of the scores of positives and negatives.

    It is the largest distance of the ROC curve from its diagonal::

        KS = max over thresholds of |TPR - FPR|

    the statistic of the two-sample Kolmogorov-Smirnov test; one-sided, the highest informedness (Youden's J) of any
    threshold. It is undefined where one of the classes has no samples.

    Parameters
    ----------
    one_sided
        Only look at ``TPR - FPR``, so that scores in reversed order give 0.
    undefined
        What it is without samples of one class: ``"nan"`` or a number.

    Returns
    -------
    Influence
        Positives and negatives are its strata; to first order a move of the best threshold changes nothing.

    Examples
    --------
    At the threshold 0.4 both positives and one of two negatives are above: 2/2 - 1/2. So it is at 0.9: 1/2 - 0/2.

    >>> import certus
    >>> certus.classification.ks([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.5
    >>> certus.classification.ks([0, 1, 0, 1], [0.9, 0.4, 0.4, 0.1], one_sided=True).value
    0.0
    """
    kernel, metric = distance(either_side=not one_sided), ScoreMetric.ks(not one_sided)
    caution = partial(few_of_a_class, scores, moved=False)
    found = linear(scores, kernel, metric, stratified=True, why=lacking(scores), caution=caution)
    return filled(found if found.why else replace(found, peak=len(scores)), undefined)
