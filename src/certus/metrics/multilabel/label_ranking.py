"""Label ranking: coverage error, ranking loss, average precision and one-error of the labels of each sample."""

from typing import Annotated, Literal, TypeAlias

from certus.data import MultilabelScores
from certus.metrics._metric import metric
from certus.metrics.check import Between
from certus.metrics.multilabel._rows import Instead, Ties, measured
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Ratio

_SCHAPIRE = "Schapire & Singer (2000), Machine Learning 39(2-3):135-168, doi:10.1023/A:1007649029923"
Depth: TypeAlias = Annotated[float, Between(0)] | Literal["nan", "skip"]


@metric(
    "CoverageError",
    words=("涵盖误差",),
    spellings=SCIKIT_LEARN("coverage_error"),
    better="lower",
    bounds=lambda values: (0.0 if isinstance(values["none_true"], float) else float(values["offset"]), float("inf")),
    source=_SCHAPIRE,
    state=SampleSums(),
)
def coverage_error(
    data: MultilabelScores,
    *,
    offset: Literal[0, 1] = 1,
    ties: Literal["last", "average", "best"] = "last",
    none_true: Depth = 0.0,
) -> Mean | Ratio:
    """Depth in the ranked labels of a sample at which all true ones have been met.

    ::

        coverage of a sample = rank of its last true label - 1 + offset
        rank of label j      = |{k: s_k >= s_j}|

    The best possible value is the mean number of true labels (less 1 with ``offset=0``).

    Parameters
    ----------
    offset
        What the first rank counts. 1: labels that must be taken, as in scikit-learn and Tsoumakas et al. with ranks
        from 1. 0: steps down from the first label, as in Schapire & Singer and Zhang & Zhou; the value is less by 1.
    ties
        Where labels with one score stand. ``"last"``: all of them at the last of their ranks, which is the worst order
        too, as in scikit-learn. ``"average"``: the mean over all orders of the tied labels. ``"best"``: true ones
        first.
    none_true
        What a sample without a true label counts as: a number (scikit-learn: 0), ``"nan"`` or ``"skip"`` (left out).

    Examples
    --------
    The true label of the first sample stands second, that of the second third.

    >>> import certus
    >>> true, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> certus.multilabel.coverage_error(true, scores).value
    2.5
    >>> certus.multilabel.coverage_error(true, scores, offset=0).value
    1.5
    """
    depths = [float(offset), len(data.selected) - 1.0 + offset]
    if isinstance(none_true, float):
        depths.append(none_true)
    bounds = min(depths), max(depths)
    return measured(data, "coverage", ties, none_true, "nan", offset=offset - 1, bounds=bounds)


@metric(
    "LRAP",
    words=("标签排序平均精度",),
    spellings=SCIKIT_LEARN("label_ranking_average_precision_score"),
    source=_SCHAPIRE,
    state=SampleSums(),
)
def label_ranking_average_precision(
    data: MultilabelScores, *, ties: Ties = "last", none_true: Instead = 1.0, all_true: Instead = 1.0
) -> Mean | Ratio:
    """Average precision of a sample's ranked labels: the share of true ones down to each true one.

    ``LRAP of a sample = mean over its true labels j of |{true k: s_k >= s_j}| / |{k: s_k >= s_j}|``. It is 1 if every
    true label has a higher score than every false one. A sample without true labels, or without false ones, has no
    ranking to judge; what it counts as is a convention that can decide the value where such samples are common.

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

    Examples
    --------
    The true label of the first sample stands second, that of the second third.

    >>> import certus
    >>> true, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> round(certus.multilabel.label_ranking_average_precision(true, scores).value, 4)
    0.4167
    """
    return measured(data, "precision", ties, none_true, all_true)


@metric(
    "RankingLoss",
    words=("排序误差",),
    spellings=SCIKIT_LEARN("label_ranking_loss"),
    better="lower",
    source=_SCHAPIRE,
    state=SampleSums(),
)
def label_ranking_loss(
    data: MultilabelScores,
    *,
    ties: Literal["whole", "half", "none"] = "whole",
    none_true: Instead = 0.0,
    all_true: Instead = 0.0,
) -> Mean | Ratio:
    """Share of a sample's pairs (true label, false label) that are in the wrong order.

    ``loss of a sample = |{(true j, false k): s_k >= s_j}| / (true labels * false labels)``. With ``ties="half"`` it is
    1 - AUC of the scores of the sample's labels. A sample without true labels, or without false ones, has no pairs.

    Parameters
    ----------
    ties
        What a pair with one score counts as: a ``"whole"`` mistake, as in scikit-learn and in Schapire & Singer,
        ``"half"`` a mistake, or ``"none"``, as where only a score below that of a false label is held to be wrong.
    none_true
        What a sample without a true label counts as: a number (scikit-learn: 0), ``"nan"`` or ``"skip"`` (left out).
    all_true
        The same for a sample without a false label.

    Examples
    --------
    One of two pairs of the first sample is wrong, both of the second.

    >>> import certus
    >>> true, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> certus.multilabel.label_ranking_loss(true, scores).value
    0.75
    """
    return measured(data, "loss", ties, none_true, all_true)


@metric("OneError", better="lower", source=_SCHAPIRE, state=SampleSums())
def one_error(
    data: MultilabelScores,
    *,
    ties: Literal["average", "best", "worst"] = "average",
    none_true: Instead = 1.0,
    all_true: Instead = 0.0,
) -> Mean | Ratio:
    """Share of the samples whose label with the highest score is not one of theirs.

    ``error of a sample = 0 if its first label is true, otherwise 1``

    Parameters
    ----------
    ties
        If several labels share the highest score. ``"average"``: the share of false ones among them, which any of them
        is equally likely to be drawn from. ``"best"``: an error only if all of them are false. ``"worst"``: if any is.
    none_true
        What a sample without a true label counts as: a number (1 by the definition), ``"nan"`` or ``"skip"`` (left out,
        as Zhang & Zhou do).
    all_true
        The same for a sample without a false label (0 by the definition).

    Examples
    --------
    The first label of the first sample is right; two labels share the first place of the second, one of them right.

    >>> import certus
    >>> certus.multilabel.one_error([[0, 1, 0], [0, 1, 0]], [[0.2, 0.9, 0.4], [0.1, 0.5, 0.5]]).value
    0.25
    """
    return measured(data, "one_error", ties, none_true, all_true)
