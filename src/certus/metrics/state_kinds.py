"""Kinds of state: the data that a metric keeps where its samples come in batches.

A metric declares its own kind (``state=`` of `certus.metrics.metric`); one without a kind needs its rows. See
docs/decisions/0014-states.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from certus.core.arrays import Floats
from certus.statistic.passes import Passes

MOST_BINS = 1000
"""Bins whose totals are kept."""
WHOLE_AREA: Mapping[str, tuple[object, ...]] = {"max_fpr": (None, 1), "min_tpr": (None, 0)}
"""Conventions of an area that is not a part of it."""
ONE_NUMBER: Mapping[str, tuple[object, ...]] = {"multioutput": ("uniform_average",)}
"""Conventions of one value for all outputs."""


@dataclass(frozen=True)
class Kind:
    """Data that a metric keeps of its samples, if its parameters have the values in `when`; otherwise it needs rows."""

    when: Mapping[str, tuple[object, ...]] = field(default_factory=dict, kw_only=True)

    def fits(self, conventions: Mapping[str, Any]) -> bool:
        """True if a metric with these conventions can do with it."""
        return all(conventions.get(name, values[0]) in values for name, values in self.when.items())


@dataclass(frozen=True)
class InPasses(Kind):
    """Exact sums, made in several passes over the samples, which `make` returns, given the metric's conventions."""

    make: Callable[[Mapping[str, Any]], Passes]


@dataclass(frozen=True)
class SampleSums(Kind):
    """Exact power sums with one value per sample: the metric is their mean, a share, or a root of it."""

    root_of: str = ""
    """The name of the metric that it is the root of."""
    several: bool = True
    """Samples may have several columns."""
    is_quotient: bool = False
    """With weights it is a quotient of two sums also where all values are equal."""
    quick: Callable[[Any, Floats, Mapping[str, Any]], Floats] | None = None
    """Returns the values of classes 0 and 1 and their scores in less time, given the conventions of the metric."""
    when: Mapping[str, tuple[object, ...]] = field(default_factory=lambda: {"normalize": (True,)}, kw_only=True)


@dataclass(frozen=True)
class EqualBins(Kind):
    """Totals of bins of equal width."""

    def fits(self, conventions: Mapping[str, Any]) -> bool:
        """True if the bins are fixed before the samples are seen, and not too many."""
        return bool(conventions["strategy"] == "uniform" and conventions["n_bins"] <= MOST_BINS)


@dataclass(frozen=True)
class Quantiles(Kind):
    """One value of each sample in increasing order."""

    when: Mapping[str, tuple[object, ...]] = field(
        default_factory=lambda: {"interpolation": ("averaged_inverted_cdf",), **ONE_NUMBER}, kw_only=True
    )


@dataclass(frozen=True)
class SavedLoss(Kind):
    """The targets in increasing order, then summed losses by prediction and by a constant."""

    when: Mapping[str, tuple[object, ...]] = field(
        default_factory=lambda: {"force_finite": (False,), **ONE_NUMBER}, kw_only=True
    )


@dataclass(frozen=True)
class Ranks(Kind):
    """Both columns in increasing order."""

    when: Mapping[str, tuple[object, ...]] = field(default_factory=lambda: ONE_NUMBER, kw_only=True)


@dataclass(frozen=True)
class Order(Kind):
    """The classes of the samples by decreasing score."""

    minimum: Literal[0, -1] | None = None
    """Of an area under the ROC curve the least value; None for other metrics."""
    limits: Callable[[Floats, Floats], tuple[float, float]] | None = None
    """Returns the least and the greatest value, given the positives and the negatives in cells of scores."""
