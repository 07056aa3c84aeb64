"""The form of a metric that has one value per sample."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from certus.statistic import Bounds, Mean, Ratio, tally

__all__ = ["Sampled", "per_sample"]

Floats = NDArray[np.float64]


class Sampled(Protocol):
    """Data with a weight and a group for each sample, or without."""

    @property
    def weights(self) -> Floats | None:
        """One per sample, above 0."""

    @property
    def groups(self) -> NDArray[np.integer[Any]] | None:
        """Codes from 0, each at least once."""


def per_sample(values: Floats, data: Sampled, *, normalize: bool = True, bounds: Bounds | None = None) -> Mean | Ratio:
    """The mean of one value per sample, or their sum; weighted and over groups where the data have weights and groups.

    Parameters
    ----------
    values
        One per sample.
    data
        What the weights and groups are taken from.
    normalize
        The (weighted) mean; False: the (weighted) sum.
    bounds
        Least and greatest possible value, where they are narrower than the metric's.

    Returns
    -------
    Mean or Ratio
        A `Mean` over samples; with weights a `Ratio` of the sums of ``weight * value`` and ``weight``. With groups the
        units are the groups, each with its sums.

    Examples
    --------
    >>> from certus.data import ClassScores
    >>> data = ClassScores.of([0, 1, 1], [0.5, 0.5, 0.5], sample_weight=[1, 1, 2], groups=["a", "b", "b"])
    >>> ratio = per_sample(np.array([0.0, 1.0, 4.0]), data)
    >>> ratio.numerators.tolist(), ratio.denominators.tolist(), ratio.unit
    ([0.0, 9.0], [1.0, 3.0], 'group')
    """
    weights, groups = data.weights, data.groups
    if weights is None and groups is None:
        return Mean(values, unit="sample", total=not normalize, bounds=bounds)
    if weights is None:
        weights = np.ones(len(values))
    sums, unit = weights * values, "sample"
    if groups is not None:
        sums, weights, unit = tally(groups, sums), tally(groups, weights), "group"
    return Ratio(sums, weights, unit, bounds=bounds) if normalize else Mean(sums, unit, total=True)
