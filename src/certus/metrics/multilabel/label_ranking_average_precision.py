"""Label ranking average precision."""

from certus.data import MultilabelScores
from certus.metrics._declare import metric
from certus.metrics.multilabel._rows import Instead, Ties, measured
from certus.statistic import Mean, Ratio

__all__ = ["label_ranking_average_precision"]


@metric(
    "LRAP",
    aliases=("label_ranking_average_precision", "label_ranking_average_precision_score"),
    source="Schapire & Singer (2000), Machine Learning 39(2-3):135-168, doi:10.1023/A:1007649029923",
)
def label_ranking_average_precision(
    data: MultilabelScores, *, ties: Ties = "last", none_true: Instead = 1.0, all_true: Instead = 1.0
) -> Mean | Ratio:
    """At each true label of a sample, the share of true ones among the labels ranked as high: average precision.

    ::

        LRAP of a sample = mean over its true labels j of |{true k: s_k >= s_j}| / |{k: s_k >= s_j}|

    It is 1 if every true label has a higher score than every false one. A sample without true labels, or without false
    ones, has no ranking to judge; what it counts as is a convention that can decide the value where such samples are
    common.

    Parameters
    ----------
    ties
        Where labels with one score stand. ``"last"``: all of them at the last of their ranks, as in the formula and in
        scikit-learn. ``"average"``: the mean over all orders of the tied labels. ``"best"``, ``"worst"``: true ones
        before, or behind, false ones.
    none_true
        What a sample without a true label counts as: a number (scikit-learn: 1), ``"nan"`` or ``"skip"`` (left out).
    all_true
        The same for a sample without a false label.

    Returns
    -------
    Mean or Ratio
        One value per sample, in [0, 1]; with weights or groups a ratio of sums.

    Examples
    --------
    The true label of the first sample stands second, that of the second third.

    >>> import certus
    >>> true, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> round(certus.multilabel.label_ranking_average_precision(true, scores).value, 4)
    0.4167
    """
    return measured(data, "precision", ties, none_true, all_true)
