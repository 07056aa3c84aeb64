"""Discounted gains of dense label scores."""

import math
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError
from certus.data import LabelGrades
from certus.metrics._metric import metric
from certus.metrics.check import Between, Cutoff, Doc
from certus.metrics.classification.per_sample import mean_with_default, per_sample
from certus.metrics.multilabel._rows import Instead, chosen
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Ratio

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


@metric("DCG", spellings=SCIKIT_LEARN("dcg_score"), bounds=(-math.inf, math.inf), at="k", source=_JARVELIN)
def dcg(
    data: LabelGrades,
    *,
    k: Ranks = None,
    gain: Gain = "linear",
    log_base: Annotated[float, Between(above=1, most=1e9)] = 2.0,
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


@metric("nDCG", aliases=("NDCG",), spellings=SCIKIT_LEARN("ndcg_score"), at="k", source=_JARVELIN, state=SampleSums())
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
