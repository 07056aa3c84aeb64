"""Hand's H-measure."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Scores
from certus.metrics._declare import metric
from certus.metrics.classification._average import Undefined
from certus.metrics.classification._ordered import Floats, filled, masses, strata_of
from certus.statistic import Influence, Plugin

__all__ = ["h_measure"]

Prior = Literal["hand", "hand-anagnostopoulos", "hmeasure"]


@metric(
    "HMeasure",
    aliases=("h_measure",),
    unit="sample",
    source="Hand (2009), Mach. Learn. 77(1):103-123, doi:10.1007/s10994-009-5119-5",
)
def h_measure(scores: Scores, *, prior: Prior = "hand", undefined: Undefined = "nan") -> Plugin | Influence:
    """Part of the loss of the best trivial classifier that the best thresholds save, averaged over costs.

    A false positive costs c and a false negative 1 - c. For each c the threshold of least loss is taken, which lies on
    the convex hull of the ROC curve, and the least losses are averaged over a distribution of c that is the same for
    all classifiers (AUC averages over one that depends on the classifier)::

        H = 1 - average least loss / average least loss of calling every sample positive, or every sample negative

    1 is perfect; 0 is a constant score, or one whose ROC curve stays below the diagonal. It is undefined where one of
    the classes has no samples.

    Parameters
    ----------
    prior
        The distribution of c. ``"hand"``: Beta(2, 2), whatever the classes (Hand 2009).
        ``"hand-anagnostopoulos"``: Beta(1 + p, 1 + q) with the shares p of positives and q of negatives, so that
        mistakes about the rarer class cost more (Hand & Anagnostopoulos 2014, Pattern Recognit. Lett. 40:41-46,
        doi:10.1016/j.patrec.2013.12.004). ``"hmeasure"``: Beta(2, 1 + q / p), the default of the R package hmeasure.
    undefined
        What it is without samples of one class: ``"nan"`` or a number.

    Returns
    -------
    Plugin
        A function of the units, for the bootstrap.

    Examples
    --------
    The hull runs from (0, 0) over (0, 1/2) and (1/2, 1) to (1, 1). Only the two samples of its middle side, a positive
    and a negative, are confused; for each c they lose half of what all four would lose without a score.

    >>> import certus
    >>> certus.classification.h_measure([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.5
    """
    ordered = scores.ordered

    def function(rows: NDArray[Any], weights: Floats) -> float:  # noqa: ARG001
        hull = kernels.score_hull(ordered.marks, masses(ordered, weights))
        return float(_saved(hull, np.array([len(hull)]), prior)[0])

    def resample(replicates: int, seed: int, stratified: bool) -> Floats:
        hulls = kernels.score_bootstrap_hulls(
            **ordered._asdict(), strata=strata_of(ordered) if stratified else None, replicates=replicates, seed=seed
        )
        return _saved(*hulls, prior)

    return filled(Plugin(np.arange(ordered.size), function, scores.unit, resample=resample), undefined)


def _saved(corners: Floats, lengths: NDArray[np.int64], prior: Prior) -> Floats:
    """H of each of several hulls, given one after the other: rows of negatives and positives passed."""
    last = np.cumsum(lengths) - 1
    whole = corners[last]
    negatives, positives = whole.T
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = {
            "hand": (np.full(len(whole), 2.0), np.full(len(whole), 2.0)),
            "hand-anagnostopoulos": (1 + positives / whole.sum(1), 1 + negatives / whole.sum(1)),
            "hmeasure": (np.full(len(whole), 2.0), 1 + negatives / positives),
        }[prior]
        # From each corner to the next; where the next one is the first of another hull there is no side.
        sides = np.diff(corners, axis=0, append=corners[-1:])
        sides[last] = 0.0
        hull = np.repeat(np.arange(len(lengths)), lengths)
        losses = np.bincount(hull, np.nan_to_num(_loss(sides, a[hull], b[hull])))
        saved: Floats = np.where(whole.all(1), 1 - losses / _loss(whole, a, b), np.nan)
        return saved


def _loss(sides: Floats, a: Floats, b: Floats) -> Floats:
    """The average least loss where the samples of a side of the hull are called positive or negative together.

    A side of v negatives and r positives is called positive for c up to r / (r + v), which costs c v, and negative
    beyond, which costs (1 - c) r.
    """
    negatives, positives = sides.T
    up_to = positives / (positives + negatives)
    beyond = negatives / (positives + negatives)
    if (a == 2).all() and (b == 2).all():
        # The distribution function of Beta(3, 2) is c^3 (4 - 3 c).
        loss: Floats = (negatives * up_to**3 * (4 - 3 * up_to) + positives * beyond**3 * (4 - 3 * beyond)) / 2
        return loss
    from scipy.special import betainc

    of_negatives, of_positives = a * negatives * betainc(a + 1, b, up_to), b * positives * betainc(b + 1, a, beyond)
    return np.asarray((of_negatives + of_positives) / (a + b), dtype=np.float64)
