"""Hinge loss."""

from typing import Literal

import numpy as np

from certus.data import ClassScores
from certus.metrics._declare import metric
from certus.metrics.classification._samples import per_sample
from certus.statistic import Mean, Ratio

__all__ = ["hinge_loss"]


@metric(
    "Hinge",
    aliases=("hinge_loss",),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Crammer & Singer (2001), JMLR 2:265-292; Weston & Watkins (1999), ESANN 1999:219-224",
)
def hinge_loss(
    scores: ClassScores, *, multiclass: Literal["crammer-singer", "weston-watkins"] = "crammer-singer"
) -> Mean | Ratio:
    """By how much the true class fails to lead the others by a margin of 1.

    ::

        one score s per sample    max(0, 1 - s) for the positive class, max(0, 1 + s) for the other
        Crammer-Singer            max(0, 1 + greatest score of another class - score of the true class)
        Weston-Watkins            sum over the other classes of max(0, 1 + its score - score of the true class)

    The binary loss is not the multiclass one of two classes: with scores (-s, s) the lead is 2s. So a table of scores
    has the multiclass loss even if it has two columns. Weston and Watkins wrote a margin of 2, which halves the scores;
    a margin of 1 is what is used under their name today.

    Parameters
    ----------
    multiclass
        Which loss a table of scores has; the first is scikit-learn's.

    Returns
    -------
    Mean or Ratio
        One loss per sample, 0 or more; a Ratio where samples have weights or groups. A sample whose lead is the
        difference of two like infinities has none.

    Examples
    --------
    The positive score 0.5 lacks 0.5; the negative one, -2, lacks nothing.

    >>> import certus
    >>> certus.classification.hinge_loss([1, -1], [0.5, -2.0]).value
    0.25

    The true class leads by 2 - 1.5 and by 2 - 1.25, so it lacks 0.5 and 0.25.

    >>> certus.classification.hinge_loss([2], [[1.5, 1.25, 2.0]], labels=[0, 1, 2]).value
    0.5
    >>> certus.classification.hinge_loss([2], [[1.5, 1.25, 2.0]], labels=[0, 1, 2], multiclass="weston-watkins").value
    0.75
    """
    given, true = scores.scores, scores.true
    if given.ndim == 1:
        lead = np.where(scores.hits, given, -given).astype(np.float64)
        return per_sample(np.maximum(1 - lead, 0.0), scores)
    rivals = given.astype(np.float64)
    here = np.arange(len(true)), true
    own = rivals[here]
    rivals[here] = -np.inf
    with np.errstate(invalid="ignore"):
        if multiclass == "crammer-singer":
            lacks = np.maximum(1 + (rivals.max(axis=1) - own), 0.0)
        else:
            lacks = np.maximum(1 + (rivals - own[:, np.newaxis]), 0.0)
            lacks[here] = 0.0
            lacks = lacks.sum(axis=1)
    return per_sample(lacks, scores)
