"""Values with known influence functions, for units in strata and for unit pairs, one or many."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.statistic.cached import Cached, constant
from certus.statistic.common import Resample, sum_by_code, undefined_reason_of
from certus.statistic.mean import Mean, Ratio
from certus.statistic.moments import Moments, variance


class Crossing(NamedTuple):
    """Counts that give the value at each threshold, if the population's share crosses its level there.

    Thresholds stand in an order that ends where the share first reaches the level, as recall does on the way
    down the scores. Counts are effective ones where samples have weights: ``1 / sum(w^2)`` of weights with the sum 1.

    Attributes
    ----------
    share
        The level, from 0 to 1.
    successes, trials
        Of the share at each threshold.
    before, before_trials
        Of the share just before it: ties are passed at once.
    wrong, right
        Two counts whose ratio has the value ``1 / (1 + scale * odds)`` where `odds` is what it estimates.
    scale
        Of the odds.
    """

    share: float
    successes: Floats
    trials: Floats
    before: Floats
    before_trials: Floats
    wrong: Floats
    right: Floats
    scale: Floats


@dataclass(frozen=True, eq=False)
class Influence:
    """A value whose error is, to first order, a mean of known influence values, in one or several strata.

    In large samples ``value - truth = sum over strata of mean(influence values of its units)``, the influence values
    having mean 0 in each stratum; so the variance is the sum of ``variances[s] / sizes[s]``.

    Parameters
    ----------
    value
        The value itself; NaN where it is undefined.
    sizes
        Number of units in each stratum (the positives and the negatives; or a single one).
    sample_variances
        Sample variance (divided by size - 1) of the influence values in each stratum; NaN for a single unit. None:
        `variances` computes them when they are needed.
    influence
        Gives the influence values of each stratum, in the order of its units in the data.
    resample
        Gives bootstrap replicates.
    exact
        ``exact(tail) -> (low, high)``: for data whose influence values are all 0 (a perfect ranking), limits such that
        data like these have at most the probability `tail` where the truth lies beyond one of them. Without it such
        data have no interval.
    undefined_reason
        Why the value is undefined.
    unit
        What one unit is, in the singular.
    unknown
        Why no method gives an interval, where none does; the variances are then NaN.
    masses
        The number of samples, or the sum of their weights, in each unit, where the units are groups or have weights;
        the units of one stratum after those of another. The standard error is then that of CR2, and its degrees of
        freedom Satterthwaite's, see `certus.inference.clusters.cluster_error`: units of unequal size leave fewer of
        them. It needs `influence`.
    weighted
        The units are single samples, and the masses their weights, or what the standard deviations of their influence
        values are proportional to.
    apart
        Gives the same value of the same samples as if each were a unit of its own, where groups are the units. Few
        groups may happen to agree better than samples that have nothing to do with each other: limits reach as far as
        theirs.
    moments
        Gives the moments of the influence values of a single stratum without making them; None where it cannot.
    caution
        Gives the reason why an interval may not hold its level where the value hangs on few units; empty where it does
        not.
    spreads
        Of each stratum the variance that it adds to the value, its degrees of freedom and the effective number of its
        units, where units have masses and these are known without influence values, or without the masses.

    Examples
    --------
    >>> mean = Influence(2.0, (3,), (1.0,))
    >>> mean.value, mean.n
    (2.0, 3)
    """

    value: float
    sizes: tuple[int, ...]
    sample_variances: tuple[float, ...] | None = None
    influence: Callable[[], tuple[Floats, ...]] | None = None
    resample: Resample | None = None
    exact: Callable[[float], tuple[float, float]] | None = None
    undefined_reason: str = ""
    unit: str = "sample"
    unknown: str = ""
    masses: Floats | None = None
    weighted: bool = False
    apart: "Callable[[], Influence] | None" = None
    moments: Callable[[], Moments | None] | None = None
    caution: Callable[[], str] | None = None
    spreads: tuple[tuple[float, float, float], ...] | None = None

    @classmethod
    def of_strata(cls, value: float, influence: tuple[Floats, ...], **facts: Any) -> Self:
        """Create from the influence values of each stratum; `facts` are further parameters.

        Examples
        --------
        >>> import numpy as np
        >>> made = Influence.of_strata(2.0, (np.array([-1.0, 0.0, 1.0]),), unit="query")
        >>> made.sizes, made.variances
        ((3,), (1.0,))
        """
        sizes, variances = tuple(map(len, influence)), tuple(map(variance, influence))
        return cls(value, sizes, variances, influence=constant(influence), **facts)

    @classmethod
    def of_units(
        cls, value: float, n: int, influence: Callable[[], Floats], resample: Resample | None = None, **facts: Any
    ) -> Self:
        """Create for n units in one stratum; the variance is computed from the influence values when needed.

        `facts` are further parameters.

        Examples
        --------
        >>> from functools import partial
        >>> import numpy as np
        >>> mean = Influence.of_units(2.0, 3, partial(np.array, [-1.0, 0.0, 1.0]))
        >>> mean.value, mean.variances
        (2.0, (1.0,))
        """
        return cls(value, (n,), None, Cached(partial(_single_stratum, influence)), resample, **facts)

    @cached_property
    def variances(self) -> tuple[float, ...]:
        """Sample variance of the influence values in each stratum; NaN for a single unit."""
        if self.sample_variances is not None:
            return self.sample_variances
        if self.known_moments is not None:
            return (self.known_moments.second / (self.n - 1),)
        if self.influence is None:
            return (math.nan,) * len(self.sizes)
        with np.errstate(over="ignore", invalid="ignore"):
            return tuple(map(variance, self.influence()))

    @property
    def n(self) -> int:
        """Number of units."""
        return sum(self.sizes)

    @cached_property
    def ordered(self) -> list[Floats]:
        """Influence values of each stratum in increasing order, so that the order of units has no effect."""
        return [] if self.influence is None else list(map(np.sort, self.influence()))

    @cached_property
    def known_moments(self) -> Moments | None:
        """Moments of the influence values if known without them, otherwise None."""
        return None if self.moments is None else self.moments()

    @property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        return self.undefined_reason or undefined_reason_of(self.n, self.value, self.unit)


@dataclass(frozen=True, eq=False)
class SmoothFunction(Influence):
    """A smooth function of sums over units in which a single unit can have unbounded influence.

    The square of an error has none, for example: an interval from a sample in which few units decide says that it may
    not hold.

    Parameters
    ----------
    root_of
        Returns the mean that the value is the square root of: its limits are the roots of that mean's limits.
    curvature
        Returns how far the value bends along the influence values, see `certus.inference.intervals.skewness.Skew`.
    """

    root_of: Callable[[], Mean | Ratio] | None = None
    curvature: Callable[[], float] | None = None


@dataclass(frozen=True, eq=False)
class Maximum(Influence):
    """A maximum over thresholds, biased upwards; `resample` estimates the bias.

    Parameters
    ----------
    samples
        Number of samples.
    rival
        Returns the value with the influence values that it has at another threshold, which may as well be that of the
        maximum: the greater of both standard errors counts.
    squared
        Whether the maximum grows with the square of the distance from no effect, so that its error is small near its
        bound.
    tails
        Returns the sums of the second and the fourth powers of the influence values of each stratum, without them.
    """

    samples: int = 0
    rival: Callable[[], Influence] | None = None
    squared: bool = False
    tails: Callable[[], Sequence[tuple[float, float]]] | None = None


@dataclass(frozen=True, eq=False)
class AtCrossing(Influence):
    """The value at the threshold at which a share is first reached, such as recall at a false positive rate.

    Parameters
    ----------
    crossing
        Returns the value that each threshold would give.
    """

    crossing: Callable[[], Crossing] | None = None


@dataclass(frozen=True, eq=False)
class UnseenUnits(Influence):
    """A value that units of a kind missing from the sample could change much.

    Parameters
    ----------
    unseen
        ``unseen(units)`` returns the value with as many more units of the kind that lowers it most, and with more of
        the kind that raises it most: the limits allow for them.
    """

    unseen: Callable[[float], tuple[float, float]] | None = None


Kind = TypeVar("Kind", bound=Influence)


def extended(statistic: Influence, kind: type[Kind], **facts: Any) -> Kind:
    """Convert the statistic to a subclass with further parameters."""
    base_fields = {field.name: getattr(statistic, field.name) for field in fields(Influence)}
    return kind(**(base_fields | facts))


@dataclass(frozen=True, eq=False)
class UStatistic(Influence):
    """A mean over all pairs of units from two samples: the probability of the right order (AUC).

    The strata are the two samples, positives first; their influence values are the placements (how large a part of the
    other sample the unit wins against) less the value. `exact` is not needed.

    Parameters
    ----------
    span
        The value with every pair in the wrong order, and with every pair in the right one: (-1, 1) for the Gini
        coefficient 2 AUC - 1. The value, the variances, the influence values and the replicates are all on that scale.
    losses
        Gives what the units of each sample lose, where that takes no influence values: as how many units those count
        that lose more than the upper quartile, the mean of what is lost beyond it, and the greatest loss less the
        mean, on the scale from 0 to 1.

    Examples
    --------
    >>> UStatistic(0.75, (4, 6), (0.05, 0.02)).n
    10
    >>> gini = UStatistic(0.5, (4, 6), (0.20, 0.08), span=(-1.0, 1.0))
    """

    span: tuple[float, float] = (0.0, 1.0)
    losses: Callable[[], Sequence[tuple[float, float, float]]] | None = None


def _single_stratum(influence: Callable[[], Floats]) -> tuple[Floats, ...]:
    """Influence values of a single stratum."""
    return (influence(),)


def stratum_influences(
    terms: Floats, weights: Floats | None, groups: NDArray[np.int64] | None, strata: NDArray[Any] | None
) -> tuple[Floats, ...]:
    """Influence values of the independent units in each stratum, from each sample's first-order contribution.

    Groups are one stratum, and a unit's influence value is what it adds times the number of units. The same holds for
    samples without strata. Otherwise the strata keep their weight in the data: what a whole stratum adds, which is what
    a change of that weight would do, is taken off its samples in proportion to their weights.
    """
    if groups is not None:
        sums = sum_by_code(groups, terms)
        return (len(sums) * sums,)
    if strata is None:
        return (len(terms) * terms,)
    values = []
    for stratum in range(int(strata.max(initial=0)) + 1):
        here = np.flatnonzero(strata == stratum)  # places are taken faster than what a mask marks
        mine = terms[here]
        if len(mine):
            stratum_weights = None if weights is None else weights[here]
            weight_shares = (
                1 / len(mine) if stratum_weights is None else stratum_weights / kernels.exact_sum(stratum_weights)
            )
            values.append(len(mine) * (mine - weight_shares * kernels.exact_sum(mine)))
    return tuple(values)


def masses(terms: Floats, weights: Floats, groups: NDArray[np.int64] | None, truth: NDArray[np.bool_]) -> Floats:
    """Part of the variance that each sample or group carries, first the positives, then the negatives.

    They count as far as their class makes the value vary: a few positives may make nearly all of it, and leave few
    degrees of freedom. With ``v`` the part of the variance that a class makes and ``w`` the weight of a sample as a
    part of its class, a sample has the standard deviation ``w sqrt(v / sum(w^2))``, and a group the sum of ``v w``.
    """
    parts = np.zeros(len(terms))
    total = kernels.exact_sum(terms**2)
    for here in map(np.flatnonzero, (truth, ~truth)):
        class_weights = weights[here]
        weight = kernels.exact_sum(class_weights)
        if weight > 0:
            share = class_weights / weight
            part = kernels.exact_sum(terms[here] ** 2) / total if total > 0 else 0.5
            parts[here] = share * (part if groups is not None else math.sqrt(part / kernels.exact_sum(share**2)))
    return parts if groups is None else sum_by_code(groups, parts)


@dataclass(frozen=True, eq=False)
class UStatistics(Sequence[UStatistic]):
    """A sequence of U-statistics stored in columns; each object is created when it is accessed.

    Attributes
    ----------
    make
        Gives the statistic at a place, equal to the columns to the last bit.
    values
        The value of each; NaN where it is undefined.
    sizes, variances
        Of each statistic those of both samples, in two columns.
    losses
        What the units of both samples lose, in six columns: see `UStatistic`.
    span, unit
        As for `UStatistic`.

    Examples
    --------
    >>> made = [UStatistic(0.75, (4, 6), (0.05, 0.02)), UStatistic(0.5, (3, 3), (0.1, 0.1))]
    >>> sizes, variances = np.array([[4.0, 6.0], [3.0, 3.0]]), np.array([[0.05, 0.02], [0.1, 0.1]])
    >>> many = UStatistics(made.__getitem__, np.array([0.75, 0.5]), sizes, variances, np.zeros((2, 6)))
    >>> len(many), many.n, many[1].value
    (2, array([10,  6]), 0.5)
    """

    make: Callable[[int], UStatistic]
    values: Floats
    sizes: Floats
    variances: Floats
    losses: Floats
    span: tuple[float, float] = (0.0, 1.0)
    unit: str = "sample"

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: int) -> UStatistic: ...
    @overload
    def __getitem__(self, index: slice) -> list[UStatistic]: ...
    def __getitem__(self, index: int | slice) -> UStatistic | list[UStatistic]:
        selected = range(len(self))[index]
        return self.make(selected) if isinstance(selected, int) else list(map(self.make, selected))

    def __iter__(self) -> Iterator[UStatistic]:
        return map(self.make, range(len(self)))

    @property
    def n(self) -> NDArray[np.int64]:
        """Number of units of each statistic."""
        return np.asarray(self.sizes.sum(1), dtype=np.int64)
