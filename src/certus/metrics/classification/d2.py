"""The part of a loss that the predictions save, against predicting the class shares for every sample."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from certus.data import Probabilities
from certus.metrics._declare import metric
from certus.metrics.classification._samples import sample_ratio
from certus.metrics.classification.brier import squared_distance
from certus.metrics.classification.log_loss import Clip, surprise
from certus.statistic import Ratio, tally

__all__ = ["d2_brier", "d2_log_loss"]

Floats = NDArray[np.float64]


@metric(
    "D2LogLoss",
    aliases=("d2_log_loss", "d2_log_loss_score"),
    bounds=(-float("inf"), 1.0),
    source="McFadden (1974), in Zarembka (ed.), Frontiers in Econometrics:105-142, equation 30",
)
def d2_log_loss(probabilities: Probabilities, *, clip: Clip = None) -> Ratio:
    """Part of the log loss that is saved against predicting the share of each class for every sample.

    ::

        D2 = 1 - log loss / log loss of the class shares

    1 is perfect, 0 no better than knowing only how frequent the classes are, and it may be negative. For a single class
    there is nothing to save: it is undefined. It is known as McFadden's pseudo-R^2 too.

    Parameters
    ----------
    clip
        As for `log_loss`; the loss of the class shares needs none.

    Returns
    -------
    Ratio
        Of each sample what is saved and what could be, at most 1 in all.

    Examples
    --------
    Both classes have share 1/2 and so a loss of ln 2; the predictions 1/2 and 1 lose ln 2 and 0.

    >>> import certus
    >>> certus.classification.d2_log_loss([1, 0], [0.5, 0.0]).value
    0.5
    """
    shares = _shares(probabilities)
    with np.errstate(divide="ignore"):
        without = 0.0 - np.log(shares)[probabilities.true]
    return sample_ratio(without - surprise(probabilities, clip), without, probabilities)


@metric(
    "D2Brier",
    aliases=("d2_brier", "d2_brier_score", "brier_skill_score"),
    bounds=(-float("inf"), 1.0),
    source="Murphy (1973), J. Appl. Meteorol. 12(1):215-223, doi:10.1175/1520-0450(1973)012<0215:HASSFP>2.0.CO;2",
)
def d2_brier(probabilities: Probabilities) -> Ratio:
    """Part of the Brier score that is saved against predicting the share of each class for every sample.

    ::

        D2 = 1 - Brier / Brier of the class shares

    1 is perfect, 0 no better than knowing only how frequent the classes are, and it may be negative. For a single class
    there is nothing to save: it is undefined. It is the Brier skill score with the sample's own shares as reference.

    Returns
    -------
    Ratio
        Of each sample what is saved and what could be, at most 1 in all.

    Examples
    --------
    Both classes have share 1/2 and so an error of 1/4; the predictions 1/2 and 1 have 1/4 and 0.

    >>> import certus
    >>> certus.classification.d2_brier([1, 0], [0.5, 0.0]).value
    0.5
    """
    shares = _shares(probabilities)
    without = _squares_of_shares(probabilities, shares)[probabilities.true]
    return sample_ratio(without - squared_distance(probabilities), without, probabilities)


def _squares_of_shares(data: Probabilities, shares: Floats) -> Floats:
    """What a sample of each class loses if the shares are predicted: by the same steps as any other prediction."""
    classes = np.arange(len(data.classes))
    if data.scores.ndim == 2:
        rows = np.tile(shares, (len(classes), 1))
    else:
        rows = np.full(len(classes), 0.0 if data.positive is None else shares[data.positive])
    return squared_distance(replace(data, true=classes, scores=rows, weights=None, groups=None))


def _shares(data: Probabilities) -> Floats:
    """The share of each class in the weight of the samples."""
    weights = np.ones(len(data)) if data.weights is None else data.weights
    mass = tally(data.true, weights, len(data.classes))
    return mass / mass.sum() if len(data) else mass
