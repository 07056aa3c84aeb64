"""Hand's H-measure."""

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._declare import metric
from certus.metrics.classification._cautions import class_size_caution
from certus.metrics.classification._ordered import (
    OfTwo,
    ThresholdSteps,
    linear,
    one_class_reason,
    replace_undefined,
    strata_of,
)
from certus.statistic import Influence
from certus.statistic.influence import Maximum, extended

Prior = Literal["hand", "hand-anagnostopoulos", "hmeasure"]


@metric(
    "HMeasure",
    source="Hand (2009), Mach. Learn. 77(1):103-123, doi:10.1007/s10994-009-5119-5",
)
def h_measure(scores: Scores, *, prior: Prior = "hand", undefined: OfTwo = "nan") -> Influence:
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

    Returns
    -------
    Influence
        Of the samples, or the groups: the losses depend on the shares of positives and negatives, which are as random
        as the samples.

    Examples
    --------
    The hull runs from (0, 0) over (0, 1/2) and (1/2, 1) to (1, 1). Only the two samples of its middle side, a positive
    and a negative, are confused; for each c they lose half of what all four would lose without a score.

    >>> import certus
    >>> certus.classification.h_measure([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.5
    """
    kernel = partial(_value_and_contributions, prior=prior)
    resample = partial(_resample, scores, prior)
    caution = partial(class_size_caution, scores, warn_of_groups=False)
    influence = linear(
        scores, kernel, ScoreMetric.auc(), stratified=False, reason=one_class_reason(scores), caution=caution
    )
    if influence.reason:
        return replace_undefined(influence, undefined)
    return extended(influence, Maximum, resample=resample, samples=len(scores), squared=True)


def _resample(scores: Scores, prior: Prior, replicates: int, seed: int, stratified: bool) -> Floats:
    ordered = scores.ordered
    hulls = kernels.score_bootstrap_hulls(
        **ordered._asdict(), strata=strata_of(ordered) if stratified else None, replicates=replicates, seed=seed
    )
    return _saved(*hulls, prior)


def _value_and_contributions(marks: NDArray[np.uint8], weights: Floats, prior: Prior) -> tuple[float, Floats]:
    """The value and what each sample adds to it to first order.

    The ends of a hull's sides are thresholds of least loss, so that a move of them changes nothing: a sample changes
    the loss of the side it lies on by what it costs there.
    """
    corners = kernels.score_hull(marks, weights)
    value = float(_saved(corners, np.array([len(corners)]), prior)[0])
    steps = ThresholdSteps(marks, weights)
    totals = corners[-1:]
    a, b = _costs(totals, prior)
    edges = np.diff(corners, axis=0)
    loss, trivial_loss = (_loss(rows, a.repeat(len(rows)), b.repeat(len(rows))) for rows in (edges, totals))
    middle = steps.true_positives + steps.false_positives - (steps.a + steps.b) / 2
    edge = np.clip(np.searchsorted(corners.sum(1), middle) - 1, 0, len(edges) - 1)
    by_class = []
    for column in (1, 0):
        # The loss of a side is a sum over its samples.
        edge_slopes, total_slopes = (
            _slopes(rows, a.repeat(len(rows)), b.repeat(len(rows)))[column] for rows in (edges, totals)
        )
        step = 1e-5 * totals[0, column]
        direction = np.eye(2)[column]
        shifted = [_with_shares(edges, totals, totals + sign * step * direction, prior) for sign in (1, -1)]
        by_prior = (shifted[0] - shifted[1]) / (2 * step) if prior != "hand" else 0.0
        by_class.append(
            (-edge_slopes[edge] + loss.sum() / trivial_loss[0] * total_slopes[0]) / trivial_loss[0] + by_prior
        )
    return value, steps.terms(*by_class)


def _with_shares(edges: Floats, totals: Floats, shares: Floats, prior: Prior) -> float:
    """H of a hull for the cost distribution that belongs to other class sizes."""
    a, b = _costs(shares, prior)
    loss, trivial_loss = (_loss(rows, a.repeat(len(rows)), b.repeat(len(rows))).sum() for rows in (edges, totals))
    return float(1 - loss / trivial_loss)


def _saved(corners: Floats, lengths: NDArray[np.int64], prior: Prior) -> Floats:
    """H for each hull; corners are rows of negatives and positives passed."""
    last = np.cumsum(lengths) - 1
    totals = corners[last]
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = _costs(totals, prior)
        # From each corner to the next; where the next one is the first of another hull there is no side.
        edges = np.diff(corners, axis=0, append=corners[-1:])
        edges[last] = 0.0
        hull = np.repeat(np.arange(len(lengths)), lengths)
        losses = np.bincount(hull, np.nan_to_num(_loss(edges, a[hull], b[hull])))
        saved: Floats = np.where(totals.all(1), 1 - losses / _loss(totals, a, b), np.nan)
        return saved


def _costs(totals: Floats, prior: Prior) -> tuple[Floats, Floats]:
    """The parameters of c's Beta distribution, for rows of all negatives and all positives."""
    negatives, positives = totals.T
    if prior == "hand":
        return np.full(len(totals), 2.0), np.full(len(totals), 2.0)
    if prior == "hmeasure":
        return np.full(len(totals), 2.0), 1 + negatives / positives
    return 1 + positives / totals.sum(1), 1 + negatives / totals.sum(1)


def _loss(edges: Floats, a: Floats, b: Floats) -> Floats:
    """The average least loss where the samples of a side of the hull are called positive or negative together.

    A side of v negatives and r positives is called positive for c up to r / (r + v), which costs c v, and negative
    beyond, which costs (1 - c) r.
    """
    of_negatives, of_positives = _slopes(edges, a, b)
    loss: Floats = edges[:, 0] * of_negatives + edges[:, 1] * of_positives
    return loss


def _slopes(edges: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mean cost of each negative and each positive of a side."""
    negatives, positives = edges.T
    up_to = positives / (positives + negatives)
    complement = negatives / (positives + negatives)
    if (a == 2).all() and (b == 2).all():
        # The distribution function of Beta(3, 2) is c^3 (4 - 3 c).
        return up_to**3 * (4 - 3 * up_to) / 2, complement**3 * (4 - 3 * complement) / 2
    from scipy.special import betainc

    return a / (a + b) * betainc(a + 1, b, up_to), b / (a + b) * betainc(b + 1, a, complement)
