"""Top-k accuracy."""

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.data import ClassScores
from certus.metrics._declare import metric
from certus.metrics.check import Between
from certus.metrics.classification.per_sample import per_sample
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Proportion, Ratio

Ties = Literal["last", "pessimistic", "optimistic", "average"]
BLOCK = 1 << 20
"""Scores compared at a time."""


@metric(
    "TopK",
    spellings=SCIKIT_LEARN("top_k_accuracy", "top_k_accuracy_score"),
    at="k",
    source="Russakovsky et al. (2015), Int. J. Comput. Vis. 115(3):211-252, doi:10.1007/s11263-015-0816-y, section 4",
    state=SampleSums(),
)
def top_k_accuracy(
    scores: ClassScores,
    *,
    k: Annotated[int, Between(1)] = 2,
    ties: Ties = "last",
    threshold: float | None = None,
) -> Proportion | Mean | Ratio:
    """Share of samples whose true class is among the k classes of highest score.

    With k as great as the number of classes it is 1.

    Parameters
    ----------
    k
        How many classes count as predicted.
    ties
        Where the k-th place is shared by classes of equal score: ``"last"``, those in later columns come first, as in
        scikit-learn; ``"pessimistic"``, the true class comes last; ``"optimistic"``, it comes first; ``"average"``, it
        is in with the probability that it has when all orders of equal classes are equally likely.
    threshold
        For one score per sample and k = 1: the positive class is predicted above this score, the other one below. At
        the threshold itself both are tied, the positive class being the earlier column. None: 0.5 where all scores are
        from 0 to 1, otherwise 0, as in scikit-learn.

    Returns
    -------
    Proportion, Mean or Ratio
        Samples with a hit among all samples, from 0 to 1. With ``ties="average"`` a Mean of one probability per sample;
        with weights or groups a Ratio.

    Examples
    --------
    The true class comes first, first, second and third.

    >>> import certus
    >>> scores = [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]]
    >>> certus.classification.top_k_accuracy([0, 1, 2, 2], scores, k=2).value
    0.75
    >>> certus.classification.top_k_accuracy([0, 1, 2, 2], scores, k=1).value
    0.5
    """
    if scores.scores.ndim == 1:
        hits = _binary(scores, ties, threshold) if k == 1 else np.ones(len(scores))
    else:
        hits = _top_k_hits(scores, k, ties)
    if ties == "average" or scores.weights is not None or scores.groups is not None:
        return per_sample(hits, scores)
    return Proportion(int(np.count_nonzero(hits)), len(hits))


def _binary(data: ClassScores, ties: Ties, threshold: float | None) -> NDArray[np.float64]:
    scores, positive = data.scores, data.hits
    if threshold is None:
        threshold = 0.5 if len(scores) and scores.min() >= 0 and scores.max() <= 1 else 0.0
    hits: NDArray[np.float64] = ((scores > threshold) == positive).astype(np.float64)
    if ties != "last":
        hits[scores == threshold] = {"pessimistic": 0.0, "optimistic": 1.0, "average": 0.5}[ties]
    return hits


def _top_k_hits(data: ClassScores, k: int, ties: Ties) -> NDArray[np.float64]:
    """Probability, mostly 0 or 1, that a sample's true class is among its first k."""
    n, classes = data.scores.shape
    hits = np.empty(n)
    columns = np.arange(classes)
    step = max(1, BLOCK // max(classes, 1))
    for start in range(0, n, step):
        rows: NDArray[Any] = data.scores[start : start + step]
        true = data.true[start : start + step, np.newaxis]
        true_scores = np.take_along_axis(rows, true, axis=1)
        before = np.count_nonzero(rows > true_scores, axis=1)
        equal = rows == true_scores
        if ties == "last":
            before += np.count_nonzero(equal & (columns > true), axis=1)
        elif ties == "pessimistic":
            before += np.count_nonzero(equal, axis=1) - 1
        if ties == "average":
            hits[start : start + step] = np.clip((k - before) / np.count_nonzero(equal, axis=1), 0, 1)
        else:
            hits[start : start + step] = before < k
    return hits
