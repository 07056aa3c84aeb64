"""Precision-recall break-even point."""

from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._declare import metric
from certus.metrics.classification._average import Undefined
from certus.metrics.classification._ordered import filled, lacking_positives, linear, units
from certus.metrics.classification._thresholds import at_depth, few_wrong
from certus.statistic import Influence

__all__ = ["break_even_point"]


@metric(
    "BEP",
    aliases=("break_even_point",),
    unit="sample",
    source="Joachims (1998), Text categorization with support vector machines, ECML, doi:10.1007/BFb0026683",
)
def break_even_point(scores: Scores, *, undefined: Undefined = "nan") -> Influence:
    """The value at which precision equals recall.

    Precision is ``tp / predicted positives`` and recall ``tp / positives``: they are equal where as many samples are
    predicted positive as there are positives. Where tied samples stand across that point, they are taken in proportion,
    which is the mean over their orders. It is undefined where there are no positives.

    Parameters
    ----------
    undefined
        What it is then: ``"nan"`` or a number.

    Returns
    -------
    Influence
        Of the samples, or the groups.

    Examples
    --------
    Of the two samples with the highest scores, as there are two positives, one is positive.

    >>> import certus
    >>> certus.classification.break_even_point([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).value
    0.5
    """
    metric, why = ScoreMetric.break_even(), lacking_positives(scores)
    kernel = at_depth(metric, None, units(scores))
    found = linear(scores, kernel, metric, stratified=False, why=why, caution=lambda: few_wrong(scores))
    return filled(found, undefined)
