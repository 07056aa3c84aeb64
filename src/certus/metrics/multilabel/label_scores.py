"""Metrics of label scores within a sample: ranking against true labels, and gains from grades."""

import math
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError
from certus.data import LabelGrades, MultilabelScores
from certus.metrics.check import Cutoff, Doc, Range
from certus.metrics.classification.per_sample import mean_with_default, mean_without, per_sample
from certus.metrics.declaration import metric
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds

Instead: TypeAlias = Annotated[float, Range(0, 1)] | Literal["nan", "skip"]
"""Value of a sample that has none."""
Ties: TypeAlias = Literal["last", "average", "best", "worst"]
"""Where labels with one score stand."""


def chosen(table: NDArray[Any], columns: NDArray[np.intp]) -> NDArray[Any]:
    """The chosen columns of a table, in C or Fortran order; the table itself where all are chosen."""
    if not np.array_equal(columns, np.arange(table.shape[1])):
        table = table[:, columns]
    return table if table.flags.c_contiguous or table.flags.f_contiguous else np.ascontiguousarray(table)


def measured(
    data: MultilabelScores,
    measure: Literal["precision", "loss", "coverage", "one_error"],
    ties: Ties | Literal["whole", "half", "none"],
    none_true: float | str,
    all_true: float | str,
    *,
    offset: int = 0,
    bounds: Bounds | None = None,
) -> Mean | Ratio:
    """The mean of a ranking measure of each sample, plus the offset; conventions for samples without a value."""
    true = chosen(data.true, data.selected)
    values = kernels.label_measure(measure, true, chosen(data.scores, data.selected), ties=ties) + offset
    empty = np.flatnonzero(np.isnan(values))
    if not len(empty):
        return per_sample(values, data, bounds=bounds)
    skipped = np.zeros(len(values), dtype=np.bool_)
    full = true[empty].any(axis=1)
    for rows, instead in ((empty[~full], none_true), (empty[full], all_true)):
        if instead == "skip":
            skipped[rows] = True
        elif not isinstance(instead, str):
            values[rows] = instead
    return mean_without(values, data, skipped, bounds)


_SCHAPIRE = "Schapire & Singer (2000), Machine Learning 39(2-3):135-168, doi:10.1023/A:1007649029923"
Depth: TypeAlias = Annotated[float, Range(0)] | Literal["nan", "skip"]


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


_JARVELIN = (
    "Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422-446, doi:10.1145/582415.582418; ties: McSherry & "
    "Najork (2008), ECIR, LNCS 4956:414-421, doi:10.1007/978-3-540-78646-7_38"
)
Ranks: TypeAlias = Annotated[Cutoff, Doc("Look at the first `k` ranks only.")]
Gain: TypeAlias = Annotated[
    Literal["linear", "exp"],
    Doc('``"linear"``: a label\'s gain is its grade, as in scikit-learn. ``"exp"``: it is ``2^grade - 1``.'),
]
IgnoreTies: TypeAlias = Annotated[
    bool,
    Doc(
        "False: labels with one score share the gains of their ranks, which is the mean over all their orders. True: "
        "the later column stands first, which is faster."
    ),
]
MOST_EXPONENT = 1000
"""The greatest grade with an exponential gain: sums of 2^1000 are far from the end of float64."""


def discounted(
    data: LabelGrades, cutoff: int | None, gain: Literal["linear", "exp"], ignore_ties: bool, *, normalised: bool
) -> tuple[NDArray[np.float64], float]:
    """The (normalised) DCG of each sample, and the least grade."""
    grades, scores = chosen(data.grades, data.selected), chosen(data.scores, data.selected)
    lowest, highest = (float(grades.min()), float(grades.max())) if grades.size else (0.0, 0.0)
    if normalised and lowest < 0:
        raise DataError(
            f"holds {lowest:g}",
            "a share of the best gain is for grades of at least 0, dcg takes negative ones",
            argument="y_true",
        )
    if gain == "exp" and highest > MOST_EXPONENT:
        raise DataError(f"holds {highest:g}", f"gain 'exp' takes grades of at most {MOST_EXPONENT}", argument="y_true")
    values = kernels.label_dcg(
        grades, scores, cutoff=cutoff, exponential=gain == "exp", average=not ignore_ties, normalised=normalised
    )
    return values, lowest


@metric("DCG", spellings=SCIKIT_LEARN("dcg_score"), bounds=(-math.inf, math.inf), at_parameter="k", source=_JARVELIN)
def dcg(
    data: LabelGrades,
    *,
    k: Ranks = None,
    gain: Gain = "linear",
    log_base: Annotated[float, Range(greater_than=1, limit=1e9)] = 2.0,
    ignore_ties: IgnoreTies = False,
) -> Mean | Ratio:
    """Gain of a sample's labels in order of their scores, less the further down they stand.

    ``DCG of a sample = sum over ranks i of gain(grade of the label at rank i) / log(i + 1, base log_base)``. Every
    label has a grade and a score (`certus.ranking.dcg` is for retrieved lists, where few documents are judged). Grades
    may be negative.

    Parameters
    ----------
    log_base
        Base of the logarithm; it only scales the value.

    Raises
    ------
    DataError
        A grade above 1000 has an exponential gain.

    Examples
    --------
    Grades 3 and 1 at ranks 1 and 3: 3/log2(2) + 1/log2(4).

    >>> import certus
    >>> certus.multilabel.dcg([[3, 0, 1]], [[0.9, 0.8, 0.7]]).value
    3.5
    >>> certus.multilabel.dcg([[3, 0, 1]], [[0.9, 0.8, 0.7]], gain="exp").value
    7.5
    """
    values, lowest = discounted(data, k, gain, ignore_ties, normalised=False)
    if log_base != 2:
        values *= math.log2(log_base)
    return per_sample(values, data, bounds=(0.0, math.inf) if lowest >= 0 else None)


@metric(
    "nDCG",
    aliases=("NDCG",),
    spellings=SCIKIT_LEARN("ndcg_score"),
    at_parameter="k",
    source=_JARVELIN,
    state=SampleSums(),
)
def ndcg(
    data: LabelGrades,
    *,
    k: Ranks = None,
    gain: Gain = "linear",
    ignore_ties: IgnoreTies = False,
    undefined: Instead = 0.0,
) -> Mean | Ratio:
    """Discounted gain of a sample's labels ordered by score, divided by the best order's.

    ``nDCG of a sample = DCG / DCG of its labels by decreasing grade, cut at the same rank``. Every label has a grade of
    at least 0 and a score. The base of the logarithm cancels. The value of each sample is normalised, then the mean
    taken.

    Parameters
    ----------
    undefined
        What a sample in which no label has a gain counts as: a number (scikit-learn: 0), ``"nan"`` or ``"skip"`` (left
        out).

    Raises
    ------
    DataError
        A grade is negative, or one above 1000 has an exponential gain.

    Examples
    --------
    The only label with a gain stands at rank 3: 1/log2(4) of 1/log2(2). Tied with the others it is at each rank a third
    of the time.

    >>> import certus
    >>> certus.multilabel.ndcg([[0, 0, 1]], [[0.9, 0.8, 0.7]]).value
    0.5
    >>> round(certus.multilabel.ndcg([[0, 0, 1]], [[0.5, 0.5, 0.5]]).value, 4)
    0.7103
    """
    values, _ = discounted(data, k, gain, ignore_ties, normalised=True)
    return mean_with_default(values, data, undefined)
