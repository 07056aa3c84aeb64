"""Label ranking loss."""

from typing import Literal

from certus.data import MultilabelScores
from certus.metrics._declare import metric
from certus.metrics.multilabel._rows import Instead, measured
from certus.statistic import Mean, Ratio

__all__ = ["label_ranking_loss"]


@metric(
    "RankingLoss",
    aliases=("label_ranking_loss",),
    better="lower",
    source="Schapire & Singer (2000), Machine Learning 39(2-3):135-168, doi:10.1023/A:1007649029923",
)
def label_ranking_loss(
    data: MultilabelScores,
    *,
    ties: Literal["whole", "half", "none"] = "whole",
    none_true: Instead = 0.0,
    all_true: Instead = 0.0,
) -> Mean | Ratio:
    """Share of the pairs of a true and a false label of a sample that are in the wrong order.

    ::

        loss of a sample = |{(true j, false k): s_k >= s_j}| / (true labels * false labels)

    With ``ties="half"`` it is 1 - AUC of the scores of the sample's labels. A sample without true labels, or without
    false ones, has no pairs.

    Parameters
    ----------
    ties
        What a pair with one score counts as: a ``"whole"`` mistake, as in scikit-learn and in Schapire & Singer,
        ``"half"`` a mistake, or ``"none"``, as where only a score below that of a false label is held to be wrong.
    none_true
        What a sample without a true label counts as: a number (scikit-learn: 0), ``"nan"`` or ``"skip"`` (left out).
    all_true
        The same for a sample without a false label.

    Returns
    -------
    Mean or Ratio
        One value per sample, in [0, 1]; with weights or groups a ratio of sums.

    Examples
    --------
    One of two pairs of the first sample is wrong, both of the second.

    >>> import certus
    >>> true, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> certus.multilabel.label_ranking_loss(true, scores).value
    0.75
    """
    return measured(data, "loss", ties, none_true, all_true)
