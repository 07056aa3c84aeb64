"""Discounted cumulative gain of dense label scores."""

import math
from typing import Annotated, Literal

from certus.data import LabelGrades
from certus.metrics._check import Between, Cutoff
from certus.metrics._declare import metric
from certus.metrics.classification._samples import per_sample
from certus.metrics.multilabel._gains import discounted
from certus.statistic import Mean, Ratio

__all__ = ["dcg"]


@metric(
    "DCG",
    aliases=("dcg", "dcg_score"),
    bounds=(-math.inf, math.inf),
    at="k",
    source="Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422-446, doi:10.1145/582415.582418; ties: "
    "McSherry & Najork (2008), ECIR, LNCS 4956:414-421, doi:10.1007/978-3-540-78646-7_38",
)
def dcg(
    data: LabelGrades,
    *,
    k: Cutoff = None,
    gain: Literal["linear", "exp"] = "linear",
    log_base: Annotated[float, Between(above=1, most=1e9)] = 2.0,
    ignore_ties: bool = False,
) -> Mean | Ratio:
    """Gain of a sample's labels in order of their scores, less the further down they stand.

    ::

        DCG of a sample = sum over ranks i of gain(grade of the label at rank i) / log(i + 1, base log_base)

    Every label has a grade and a score (`certus.ranking.dcg` is for retrieved lists, where few documents are judged).
    Grades may be negative.

    Parameters
    ----------
    k
        Look at the first `k` ranks only.
    gain
        ``"linear"``: a label's gain is its grade, as in scikit-learn. ``"exp"``: it is ``2^grade - 1``.
    log_base
        Base of the logarithm; it only scales the value.
    ignore_ties
        False: labels with one score share the gains of their ranks, which is the mean over all their orders. True: the
        later column stands first, which is faster.

    Returns
    -------
    Mean or Ratio
        One value per sample; with weights or groups a ratio of sums.

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
    values, least = discounted(data, k, gain, ignore_ties, normalised=False)
    if log_base != 2:
        values *= math.log2(log_base)
    return per_sample(values, data, bounds=(0.0, math.inf) if least >= 0 else None)
