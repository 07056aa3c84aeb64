"""Normalised discounted cumulative gain of dense label scores."""

from typing import Literal

from certus.data import LabelGrades
from certus.metrics._check import Cutoff
from certus.metrics._declare import metric
from certus.metrics.multilabel._gains import discounted
from certus.metrics.multilabel._rows import Instead, filled
from certus.statistic import Mean, Ratio

__all__ = ["ndcg"]


@metric(
    "nDCG",
    aliases=("NDCG", "ndcg", "ndcg_score"),
    at="k",
    source="Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422-446, doi:10.1145/582415.582418; ties: "
    "McSherry & Najork (2008), ECIR, LNCS 4956:414-421, doi:10.1007/978-3-540-78646-7_38",
)
def ndcg(
    data: LabelGrades,
    *,
    k: Cutoff = None,
    gain: Literal["linear", "exp"] = "linear",
    ignore_ties: bool = False,
    undefined: Instead = 0.0,
) -> Mean | Ratio:
    """Discounted gain of a sample's labels in order of their scores, as a fraction of the best order's.

    ::

        nDCG of a sample = DCG / DCG of its labels by decreasing grade, cut at the same rank

    Every label has a grade of at least 0 and a score. The base of the logarithm cancels. The value of each sample is
    normalised, then the mean taken.

    Parameters
    ----------
    k
        Look at the first `k` ranks only.
    gain
        ``"linear"``: a label's gain is its grade, as in scikit-learn. ``"exp"``: it is ``2^grade - 1``.
    ignore_ties
        False: labels with one score share the gains of their ranks, which is the mean over all their orders. True: the
        later column stands first, which is faster.
    undefined
        What a sample in which no label has a gain counts as: a number (scikit-learn: 0), ``"nan"`` or ``"skip"`` (left
        out).

    Returns
    -------
    Mean or Ratio
        One value per sample, in [0, 1]; with weights or groups a ratio of sums.

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
    return filled(values, data, undefined)
