"""Bins of predicted probabilities, and what is predicted of each sample."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.data import Probabilities
from certus.errors import DataError

__all__ = ["Binned", "Confidence", "Predicted", "Strategy", "binned", "predicted"]

Floats = NDArray[np.float64]
Strategy = Literal["uniform", "quantile", "equal-mass"]
"""How the bins are laid:

- ``"uniform"``: of equal width;
- ``"quantile"``: with edges at the quantiles of the probabilities, interpolated linearly between two of them, as in
  scikit-learn (equal quantiles leave bins empty);
- ``"equal-mass"``: each with as nearly the same weight as can be with equal probabilities kept together: a sample
  belongs to the bin that its mid-rank lies in, ``floor(n_bins * (below + equal / 2) / n)``.

A bin holds its upper edge and not its lower one; the first bin holds 0.
"""
Confidence = Literal["auto", "positive", "top"]
"""Which probability is looked at:

- ``"positive"``: that of the positive class of two, the outcome being whether the sample is positive;
- ``"top"``: the greatest of the sample, the outcome being whether that class is the true one. Of equal ones it is that
  of the earliest column (for a single column: of the negative class);
- ``"auto"``: ``"positive"`` for two classes, ``"top"`` for more.
"""


class Predicted(NamedTuple):
    """A probability for each sample, and whether what it was given to came true."""

    probability: Floats
    outcome: NDArray[np.bool_]


class Binned(NamedTuple):
    """The bin of each sample, and the edges of the bins: one more than there are bins."""

    bins: NDArray[np.int64]
    edges: Floats


def predicted(data: Probabilities, confidence: Confidence = "auto") -> Predicted:
    """The probability that is looked at, and the outcome.

    Raises
    ------
    DataError
        ``"positive"`` is asked for more than two classes, or it is not known which of two is positive.
    """
    given = data.scores
    two = given.ndim == 1 or given.shape[1] == 2
    if confidence == "positive" or (confidence == "auto" and two):
        if not two:
            raise DataError(f"confidence is 'positive' but there are {given.shape[1]} classes; take 'top'")
        column = given if given.ndim == 1 else given[:, data.positive_column]
        return Predicted(column.astype(np.float64), data.hits)
    if given.ndim == 1:
        positive = given > 0.5
        return Predicted(np.maximum(given, np.subtract(1, given, dtype=np.float64)), positive == data.hits)
    top = given.argmax(axis=1)
    chosen = np.take_along_axis(given, top[:, np.newaxis], axis=1)[:, 0]
    return Predicted(chosen.astype(np.float64), top == data.true)


def binned(probability: Floats, n_bins: int, strategy: Strategy, weights: Floats | None = None) -> Binned:
    """The bin of each probability, and the edges; see `Strategy`.

    Raises
    ------
    DataError
        Quantiles are asked for of weighted samples.

    Examples
    --------
    >>> bins, edges = binned(np.array([0.1, 0.5, 0.75, 0.75]), 2, "uniform")
    >>> bins.tolist(), edges.tolist()
    ([0, 0, 1, 1], [0.0, 0.5, 1.0])
    >>> binned(np.array([0.1, 0.5, 0.75, 0.75]), 4, "equal-mass").bins.tolist()
    [0, 1, 3, 3]
    """
    if strategy == "equal-mass":
        return _equal_mass(probability, n_bins, weights)
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    if strategy == "quantile":
        if weights is not None:
            raise DataError("strategy is 'quantile' but samples have weights; take 'equal-mass', which knows weights")
        edges = np.percentile(probability, edges * 100) if len(probability) else edges
    return Binned(np.searchsorted(edges[1:-1], probability).astype(np.int64), edges)


def _equal_mass(probability: Floats, n_bins: int, weights: Floats | None) -> Binned:
    levels, which = np.unique(probability, return_inverse=True)
    mass = np.bincount(which, weights, minlength=len(levels))
    upto = np.cumsum(mass)
    if not len(levels):
        return Binned(which.astype(np.int64), np.linspace(0.0, 1.0, n_bins + 1))
    # Twice the mid-ranks, whole numbers without weights: the bin is then exact.
    of_level = (n_bins * (2 * upto - mass) // (2 * upto[-1])).astype(np.int64).clip(0, n_bins - 1)
    ends = np.searchsorted(of_level, np.arange(n_bins), side="right")
    edges = np.concatenate([[0.0], np.where(ends > 0, levels[np.maximum(ends, 1) - 1], 0.0)])
    edges[-1] = 1.0
    return Binned(of_level[which], edges)
