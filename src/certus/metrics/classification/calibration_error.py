"""Expected and maximum calibration error."""

from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.data import Probabilities
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._bins import Binned, Confidence, Strategy, binned, predicted
from certus.statistic import GapNorm, Gaps, tally

__all__ = ["expected_calibration_error", "maximum_calibration_error"]

Floats = NDArray[np.float64]
Bins: TypeAlias = Annotated[int, Between(1, most=100_000)]


@metric(
    "ECE",
    aliases=("expected_calibration_error",),
    better="lower",
    at="n_bins",
    source="Pakdaman Naeini, Cooper & Hauskrecht (2015), AAAI 2015:2901-2907, doi:10.1609/aaai.v29i1.9602",
)
def expected_calibration_error(
    probabilities: Probabilities,
    *,
    n_bins: Bins = 15,
    strategy: Strategy = "uniform",
    norm: Literal["l1", "l2", "l2-debiased"] = "l1",
    confidence: Confidence = "auto",
) -> Gaps:
    """How far, on average, the predicted probabilities are from the shares of samples for which they came true.

    ::

        ECE = sum over bins of  (size of the bin / n) * |share that came true - mean predicted probability|

    It is 0 for a calibrated classifier only in the limit of many samples. In n samples chance alone opens gaps: with 15
    bins and uniform probabilities a perfectly calibrated classifier scores 0.12 on average for n = 100, 0.038 for
    1,000 and 0.012 for 10,000. So compare values only at equal n and with equal bins, and look at the interval: its
    default method allows for that bias, while a bootstrap repeats it (measured for n = 1,000 and true values of 0,
    0.024 and 0.096: the percentile interval covers them 0, 0 and 81 of 100 times, the default one 99 or more each). The
    bins are part of the definition: they are laid once, from the data, and no resample lays them anew.

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

    Returns
    -------
    Gaps
        The gaps of the bins, from 0 to 1.

    Examples
    --------
    Two bins: 1 of 2 came true where 0.25 was predicted, and 1 of 1 where 0.75 was. Both gaps are 1/4.

    >>> import certus
    >>> certus.classification.expected_calibration_error([0, 1, 1], [0.25, 0.25, 0.75], n_bins=2).value
    0.25
    """
    return _gaps(probabilities, n_bins, strategy, norm, confidence)


@metric(
    "MCE",
    aliases=("maximum_calibration_error",),
    better="lower",
    at="n_bins",
    source="Pakdaman Naeini, Cooper & Hauskrecht (2015), AAAI 2015:2901-2907, doi:10.1609/aaai.v29i1.9602",
)
def maximum_calibration_error(
    probabilities: Probabilities,
    *,
    n_bins: Bins = 15,
    strategy: Strategy = "uniform",
    confidence: Confidence = "auto",
) -> Gaps:
    """The greatest gap in any bin between predicted probability and the share of samples for which it came true.

    A bin of a few samples decides it by chance: with 15 bins and uniform probabilities a perfectly calibrated
    classifier scores 0.39 on average for n = 100, 0.11 for 1,000 and 0.03 for 10,000. ``strategy="equal-mass"`` avoids
    such bins. The interval says so where bins without samples would have gaps above its upper limit if their outcomes
    were those of all samples, or of the next bins.

    Parameters
    ----------
    n_bins, strategy, confidence
        As for `expected_calibration_error`.

    Returns
    -------
    Gaps
        The gaps of the bins, from 0 to 1.

    Examples
    --------
    Two bins: 1 of 2 came true where 0.25 was predicted, and 1 of 1 where 0.5625 was.

    >>> import certus
    >>> certus.classification.maximum_calibration_error([0, 1, 1], [0.25, 0.25, 0.5625], n_bins=2).value
    0.4375
    """
    return _gaps(probabilities, n_bins, strategy, "max", confidence)


def _gaps(data: Probabilities, n_bins: int, strategy: Strategy, norm: GapNorm, confidence: Confidence) -> Gaps:
    probability, outcome = predicted(data, confidence)
    bins = binned(probability, n_bins, strategy, data.weights)
    unit = "sample" if data.groups is None else "group"
    unseen = 0.0
    if norm == "max" and strategy == "uniform":
        classes = 2 if data.scores.ndim == 1 else data.scores.shape[1]
        top = confidence == "top" or (confidence == "auto" and classes > 2)
        unseen = _unseen(bins, outcome.astype(np.float64), data.weights, 1 / classes if top else 0.0)
    return Gaps(
        bins.bins, probability, outcome, norm, weights=data.weights, groups=data.groups, unit=unit, unseen=unseen
    )


def _unseen(bins: Binned, outcome: Floats, weights: Floats | None, least: float) -> float:
    """The greatest gap of a bin without samples whose outcomes were those of all samples, or of the next bins.

    Predictions are in its middle, and `least` or more. Where a rare bin decides MCE, the outcomes mostly follow the
    predictions no further there.
    """
    size = len(bins.edges) - 1
    each = np.ones(len(outcome)) if weights is None else weights
    weight, hits = tally(bins.bins, each, size), tally(bins.bins, each * outcome, size)
    seen = np.flatnonzero(weight)
    empty = np.flatnonzero((weight == 0) & (bins.edges[1:] > least))
    if not len(seen) or not len(empty):
        return 0.0
    middles = (bins.edges[empty] + bins.edges[empty + 1]) / 2
    after = np.searchsorted(seen, empty)
    nearest = seen[np.maximum(after - 1, 0)], seen[np.minimum(after, len(seen) - 1)]
    shares = [hits.sum() / weight.sum(), *(hits[which] / weight[which] for which in nearest)]
    return max(float(np.abs(middles - share).max()) for share in shares)
