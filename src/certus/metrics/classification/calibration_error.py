"""Expected and maximum calibration error, over bins of predicted probabilities."""

from typing import Annotated, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.data import Probabilities
from certus.metrics.check import Range
from certus.metrics.declaration import metric
from certus.metrics.state_kinds import EqualBins
from certus.statistic import CalibrationError
from certus.statistic.calibration_error import BinTotals, CalibrationNorm
from certus.statistic.common import sum_by_code

Strategy = Literal["uniform", "quantile", "equal-mass"]
"""Layout of the bins:

- ``"uniform"``: of equal width;
- ``"quantile"``: with edges at the quantiles of the probabilities, interpolated linearly between two of them, as in
  scikit-learn (equal quantiles leave bins empty);
- ``"equal-mass"``: each with as nearly the same weight as can be with equal probabilities kept together: a sample
  belongs to the bin that its mid-rank lies in, ``floor(n_bins * (below + equal / 2) / n)``.

A bin holds its upper edge and not its lower one; the first bin holds 0.
"""
Confidence = Literal["auto", "positive", "top"]
"""Probability that is looked at:

- ``"positive"``: that of the positive class of two, the outcome being whether the sample is positive;
- ``"top"``: the greatest of the sample, the outcome being whether that class is the true one. Of equal ones it is that
  of the earliest column (for a single column: of the negative class);
- ``"auto"``: ``"positive"`` for two classes, ``"top"`` for more.
"""
_PAKDAMAN = "Pakdaman Naeini, Cooper & Hauskrecht (2015), AAAI 2015:2901-2907, doi:10.1609/aaai.v29i1.9602"
Bins: TypeAlias = Annotated[int, Range(1, limit=100_000)]


class Predicted(NamedTuple):
    """A probability for each sample, and whether what it was given to came true."""

    probability: Floats
    outcome: NDArray[np.bool_]


class Binned(NamedTuple):
    """The bin of each sample, and the edges of the bins: one more than there are bins."""

    bins: NDArray[np.int64]
    edges: Floats


def predicted(data: Probabilities, confidence: Confidence = "auto") -> Predicted:
    """The probability that is looked at, and the outcome."""
    scores = data.scores
    two = scores.ndim == 1 or scores.shape[1] == 2
    if confidence == "positive" or (confidence == "auto" and two):
        if not two:
            raise DataError(
                f"is 'positive' but there are {scores.shape[1]} classes", "take 'top'", argument="confidence"
            )
        column = scores if scores.ndim == 1 else scores[:, data.positive_column]
        return Predicted(column.astype(np.float64, copy=False), data.hits)
    if scores.ndim == 1:
        positive = scores > 0.5
        return Predicted(np.maximum(scores, np.subtract(1, scores, dtype=np.float64)), positive == data.hits)
    top = scores.argmax(axis=1)
    chosen = np.take_along_axis(scores, top[:, np.newaxis], axis=1)[:, 0]
    return Predicted(chosen.astype(np.float64), top == data.true)


def binned(probability: Floats, n_bins: int, strategy: Strategy, weights: Floats | None = None) -> Binned:
    """The bin of each probability, and the edges; see `Strategy`."""
    if strategy == "equal-mass":
        return _equal_mass(probability, n_bins, weights)
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    if strategy == "quantile":
        if weights is not None:
            raise DataError(
                "is 'quantile' but samples have weights", "take 'equal-mass', which knows weights", argument="strategy"
            )
        edges = np.percentile(probability, edges * 100) if len(probability) else edges
        return Binned(np.searchsorted(edges[1:-1], probability).astype(np.int64, copy=False), edges)
    return Binned(_bin_indices(edges, probability), edges)


def _bin_indices(edges: Floats, probability: Floats) -> NDArray[np.int64]:
    """The equal part of [0, 1] that each probability is in, its upper edge included: faster than a search."""
    last_bin = len(edges) - 2
    indices = np.minimum((probability * (last_bin + 1)).astype(np.int64), last_bin)
    lower, upper = edges.copy(), edges[1:].copy()
    lower[0], upper[-1] = -np.inf, np.inf
    indices -= probability <= lower[indices]
    indices += probability > upper[indices]
    return indices


def _equal_mass(probability: Floats, n_bins: int, weights: Floats | None) -> Binned:
    levels, codes = np.unique(probability, return_inverse=True)
    mass = np.bincount(codes, weights, minlength=len(levels))
    cumulative = np.cumsum(mass)
    if not len(levels):
        return Binned(codes.astype(np.int64), np.linspace(0.0, 1.0, n_bins + 1))
    # Twice the mid-ranks, whole numbers without weights: the bin is then exact.
    of_level = (n_bins * (2 * cumulative - mass) // (2 * cumulative[-1])).astype(np.int64).clip(0, n_bins - 1)
    bin_ends = np.searchsorted(of_level, np.arange(n_bins), side="right")
    edges = np.concatenate([[0.0], np.where(bin_ends > 0, levels[np.maximum(bin_ends, 1) - 1], 0.0)])
    edges[-1] = 1.0
    return Binned(of_level[codes], edges)


@metric("ECE", better="lower", at_parameter="n_bins", source=_PAKDAMAN, state=EqualBins())
def expected_calibration_error(
    probabilities: Probabilities,
    *,
    n_bins: Bins = 15,
    strategy: Strategy = "uniform",
    norm: Literal["l1", "l2", "l2-debiased"] = "l1",
    confidence: Confidence = "auto",
) -> CalibrationError:
    """Mean distance of the predicted probabilities from the shares of samples for which they came true.

    ``ECE = sum over bins of  (size of the bin / n) * |share that came true - mean predicted probability|``. It is 0 for
    a calibrated classifier only in the limit of many samples: in n samples chance alone opens gaps, the wider the fewer
    samples a bin has. So compare values only at equal n and with equal bins, and look at the interval: its default
    method allows for that bias, while a bootstrap repeats it. The bins are part of the definition: they are laid once,
    from the data, and no resample lays them anew.

    Parameters
    ----------
    n_bins
        Number of bins.
    strategy
        ``"uniform"``: bins of equal width from 0 to 1. ``"quantile"``: edges at the quantiles of the probabilities,
        interpolated linearly, as scikit-learn's calibration curve has them; not for weighted samples. ``"equal-mass"``:
        bins of equal weight, equal probabilities staying together: the bin of a sample is its mid-rank's,
        ``floor(n_bins * (below + equal / 2) / n)``. A bin holds its upper edge and not its lower one.
    norm
        ``"l1"``: the mean of the gaps, as above. ``"l2"``: the square root of the mean of the squared gaps.
        ``"l2-debiased"``: the same from an unbiased estimate of each squared gap, the mean product of the errors of two
        different samples of the bin (a bin of one sample counts 0; so does a negative sum).
    confidence
        ``"positive"``: the probability of the positive class of two. ``"top"``: that of the class with the greatest,
        which came true if that is the true class; of equal ones the earliest column's, and for a single column the
        negative class's. ``"auto"``: ``"positive"`` for two classes, ``"top"`` for more.

    Examples
    --------
    Two bins: 1 of 2 came true where 0.25 was predicted, and 1 of 1 where 0.75 was. Both gaps are 1/4.

    >>> import certus
    >>> certus.classification.expected_calibration_error([0, 1, 1], [0.25, 0.25, 0.75], n_bins=2).value
    0.25
    """
    return _gaps(probabilities, n_bins, strategy, norm, confidence)


@metric("MCE", better="lower", at_parameter="n_bins", source=_PAKDAMAN, state=EqualBins())
def maximum_calibration_error(
    probabilities: Probabilities,
    *,
    n_bins: Bins = 15,
    strategy: Strategy = "uniform",
    confidence: Confidence = "auto",
) -> CalibrationError:
    """The greatest gap in any bin between predicted probability and the share of samples for which it came true.

    A bin of a few samples decides it by chance; ``strategy="equal-mass"`` avoids such bins. The interval says so where
    bins without samples would have gaps above its upper limit if their outcomes were those of all samples, or of the
    next bins.

    Parameters
    ----------
    n_bins, strategy, confidence
        As for `expected_calibration_error`.

    Examples
    --------
    Two bins: 1 of 2 came true where 0.25 was predicted, and 1 of 1 where 0.5625 was.

    >>> import certus
    >>> certus.classification.maximum_calibration_error([0, 1, 1], [0.25, 0.25, 0.5625], n_bins=2).value
    0.4375
    """
    return _gaps(probabilities, n_bins, strategy, "max", confidence)


def _gaps(
    data: Probabilities, n_bins: int, strategy: Strategy, norm: CalibrationNorm, confidence: Confidence
) -> CalibrationError:
    probability, outcome = predicted(data, confidence)
    bins = binned(probability, n_bins, strategy, data.weights)
    unseen = 0.0
    if norm == "max" and strategy == "uniform":
        classes = 2 if data.scores.ndim == 1 else data.scores.shape[1]
        top = confidence == "top" or (confidence == "auto" and classes > 2)
        size = len(bins.edges) - 1
        weight, hits = (sum_by_code(bins.bins, amounts, size) for amounts in (data.mass, data.mass * outcome))
        unseen = _unseen(bins.edges, weight, hits, 1 / classes if top else 0.0)
    return CalibrationError(
        bins.bins, probability, outcome, norm, weights=data.weights, groups=data.groups, unit=data.unit, unseen=unseen
    )


def of_totals(totals: BinTotals, norm: CalibrationNorm, confidence: Confidence, classes: int) -> CalibrationError:
    """The error of unweighted, ungrouped samples from their totals in bins of equal width."""
    unseen = 0.0
    if norm == "max":
        top = confidence == "top" or (confidence == "auto" and classes > 2)
        edges = np.linspace(0.0, 1.0, len(totals.weight) + 1)
        unseen = _unseen(edges, totals.weight, totals.hits, 1 / classes if top else 0.0)
    return CalibrationError.of_totals(totals, norm, unseen=unseen)


def _unseen(edges: Floats, weight: Floats, hits: Floats, lowest: float) -> float:
    """The greatest gap that an empty bin would have with the outcomes of all samples, or of its neighbours."""
    nonempty = np.flatnonzero(weight)
    empty = np.flatnonzero((weight == 0) & (edges[1:] > lowest))
    if not len(nonempty) or not len(empty):
        return 0.0
    middles = (edges[empty] + edges[empty + 1]) / 2
    after = np.searchsorted(nonempty, empty)
    nearest = nonempty[np.maximum(after - 1, 0)], nonempty[np.minimum(after, len(nonempty) - 1)]
    shares = [hits.sum() / weight.sum(), *(hits[neighbour] / weight[neighbour] for neighbour in nearest)]
    return max(float(np.abs(middles - share).max()) for share in shares)
