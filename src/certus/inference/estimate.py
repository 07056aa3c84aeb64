"""The value of a metric with its confidence interval."""

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError
from certus.core.listing import Listing, StrPath, Tabular
from certus.core.printable import MOST_DECIMALS, aligned, decimals_for, printable, rounded, rounded_limits
from certus.inference.declare import FORMS, LABELS, class_of_form, form_of, method_of
from certus.inference.interval import (
    DEFAULT_REPLICATES,
    Interval,
    Limits,
    ManyLimits,
    OwnInterval,
    Request,
    Side,
    joined,
)
from certus.statistic import Mean, Proportion, Statistic
from certus.statistic.common import plural
from certus.statistic.influence import UStatistics
from certus.statistic.sampled import Sampled

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance

Alternative = Literal["greater", "less", "two-sided"]
BESIDE = "not the interval of the test, with whose p-value it may disagree"
"""The note on an interval asked for by name, where the estimate has one of its own."""


Chance: TypeAlias = Callable[..., "VersusChance"]
"""The comparison of an estimate's value with a random ranking, asked as `Estimate.versus_chance` is."""


class EstimateRows(Tabular):
    """A result of one or several estimates: a row for each, and a picture of all."""

    __slots__ = ()
    _row_name: ClassVar[str] = ""
    """The column of the names of the estimates; empty where their metric says all."""

    @abstractmethod
    def _estimates(self) -> Mapping[Any, "Estimate"]:
        """The estimates by their names."""

    def _facts(self) -> Mapping[str, Any]:
        """Further columns, the same in all rows."""
        return {}

    def _listing(self) -> Listing:
        """Table with one row per estimate; range and reason columns are left out if empty in all rows."""
        rows = []
        for name, estimate in self._estimates().items():
            start = {self._row_name: str(name)} if self._row_name else {}
            rows.append({**start, **estimate.to_dict(), **self._facts()})
        omitted = {name for name in ("min", "max", "over", "reason") if all(row[name] is None for row in rows)}
        return Listing.from_rows(
            [{name: cell for name, cell in row.items() if name not in {*omitted, "conventions"}} for row in rows]
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw each estimate with its interval on a line; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.estimates import estimates as draw_estimates

        return draw_estimates(self._estimates(), ax)


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(EstimateRows):
    """The value of a metric; its confidence interval is computed when asked for.

    Attributes
    ----------
    statistic
        What was computed, over which units.
    metric
        The metric's canonical text, such as ``"nDCG@10"``.
    bounds
        Least and greatest value the metric can take for a unit; no interval leaves them.
    conventions
        Every convention that entered the number, by keyword.
    range
        Least and greatest value over what the data leave open, if that was asked for.
    range_of
        What they leave open: the order of tied documents, or the relevance of unjudged ones.
    level, method
        The level and the method of an interval, when none is asked for; None is the default method of the form.
    chance
        What `versus_chance` asks; None for what is not a metric of a ranking.
    own_interval
        The interval that is given when no method is asked for, in place of one of the form: a difference has that of
        its test.
    side
        ``"greater"`` or ``"less"``: intervals have a lower or an upper limit only, as a one-sided test has.
    replicates, seed
        Of an interval, when none are asked for.
    predictions
        The samples that were counted, for a paired comparison with another estimate by `joint_statistics`; None for
        what is not a metric of labels, or of counts alone.
    units
        What tells the units apart, in the order of their values: the ids of queries, or the true value of each sample;
        None where nothing is known of them.

    Notes
    -----
    Limits are NaN, and the interval's `reason` says why, where the data say nothing about the spread: a single unit, an
    infinite value, or units that are all alike. In the last case a method would give an interval of zero width; when
    the metric is bounded, a mean instead gets limits from the exact binomial probability of seeing no other value (see
    `intervals.bounded.constant_limits`).

    Examples
    --------
    >>> estimate = Estimate(Mean([0.1, 0.4, 0.3, 0.6]), metric="AP", bounds=(0.0, 1.0))
    >>> float(estimate), estimate > 0.3
    (0.35, True)
    >>> print(estimate)
    0.3500 [0.0401, 0.8815]  95% beta limits, 4 queries
    >>> print(estimate.interval(0.9, "percentile"))
    [0.2000, 0.5000]
    """

    statistic: Statistic
    metric: str = ""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    conventions: Mapping[str, object] = field(default_factory=dict)
    range: tuple[float, float] | None = None
    range_of: Literal["ties", "unjudged"] | None = None
    level: float = 0.95
    method: str | None = None
    chance: Chance | None = None
    own_interval: OwnInterval | None = None
    side: Side = "two-sided"
    replicates: int = DEFAULT_REPLICATES
    seed: int = 0
    predictions: Any = None
    units: Any = None

    @property
    def value(self) -> float:
        """The number; NaN where `reason` says so."""
        return self.statistic.value

    @property
    def n(self) -> int:
        """Number of independent units."""
        return self.statistic.n

    @property
    def unit(self) -> str:
        """The name of one unit, in the singular."""
        return self.statistic.unit

    @property
    def reason(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return self.statistic.reason

    @property
    def per_unit(self) -> Floats:
        """The value of each unit, in the order of `units`; NaN where the metric is undefined for one.

        Raises
        ------
        CertusError
            The value is not made of one value per unit, as an AUC or an F1 is not.

        Examples
        --------
        >>> import certus
        >>> qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}, "q2": {"c": 2.0, "b": 1.0}}
        >>> estimate = certus.ranking.average_precision(qrels, run)
        >>> dict(zip(estimate.units, estimate.per_unit.tolist()))
        {'q1': 1.0, 'q2': 0.5}
        """
        if not isinstance(self.statistic, Mean):
            name = self.metric or "this estimate"
            raise CertusError(
                f"{name} has no value for a single {self.unit}", "only means and sums of one value per unit have them"
            )
        return self.statistic.values

    def __sub__(self, other: object) -> "Estimate":
        """The difference of two paired estimates, with the interval that `certus.inference.difference` gives it.

        Raises
        ------
        CertusError
            The two are of different metrics, or the metric does not say which units they share.
        DataError
            The two are not over the same units.

        Examples
        --------
        >>> import certus
        >>> truth = [1.5, 2.0, 3.5, 4.0, 5.0, 6.0, 7.5, 8.0]
        >>> a = certus.regression.mae(truth, [1.0, 2.5, 3.0, 4.5, 5.5, 6.5, 7.0, 8.5])
        >>> b = certus.regression.mae(truth, [1.0, 3.5, 3.0, 5.0, 6.0, 7.0, 6.0, 8.0])
        >>> print(a - b)
        -0.3750 [-0.8333, 0.1057]  95% permutation and skewness-corrected t, 8 samples
        """
        if not isinstance(other, Estimate):
            return NotImplemented
        from certus import inference  # which loads the test when it is called, as that is made of estimates

        return inference.difference(self, other, level=self.level).difference

    def _estimates(self) -> Mapping[Any, "Estimate"]:
        """Return this estimate alone, keyed by the name of its metric."""
        return {self.metric: self}

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the interval methods for this form of statistic; the estimate's own method, if any, comes first."""
        own_names = () if self.own_interval is None else (self.own_interval.name,)
        return tuple(dict.fromkeys((*own_names, *form_of(self.statistic, self.bounds).methods)))

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of the value over samples of units; NaN where there is none."""
        return form_of(self.statistic, self.bounds).standard_error(self.statistic)

    def interval(
        self,
        level: float | None = None,
        method: str | None = None,
        *,
        replicates: int | None = None,
        seed: int | None = None,
        stratified: bool = False,
    ) -> Interval:
        """A confidence interval for the value.

        Parameters
        ----------
        level
            Wanted coverage, strictly between 0 and 1; None takes the estimate's own.
        method
            One of `methods`, in any usual spelling; None takes the estimate's own, or the default of the form.
        replicates, seed
            For the bootstrap methods: how many resamples of the units, and what their random draws start from; for the
            Dirichlet posterior how many draws. None takes the estimate's own. One seed gives the same bits on any
            number of threads.
        stratified
            Bootstrap resamples keep the number of units in each stratum, such as the positives and the negatives of an
            AUC; only for a statistic that has strata.

        Raises
        ------
        MetricNameError
            The form of statistic has no such method.
        CertusError
            The level lies outside (0, 1), there are too few replicates for it, or `stratified` has no meaning.
        """
        form = FORMS[class_of_form(self.statistic)]
        spelling, own_interval = self.method if method is None else method, self.own_interval
        if own_interval is not None and spelling in (None, own_interval.name):
            name = own_interval.name
        else:
            name = method_of(self.statistic, self.bounds, spelling)
            own_interval = own_interval if own_interval is not None and name == own_interval.name else None
        level, seed = self.level if level is None else level, self.seed if seed is None else seed
        replicates = self.replicates if replicates is None else replicates
        request = Request(level, self.bounds, replicates, seed, stratified, self.side)
        if stratified and getattr(self.statistic, "resample", None) is None:
            raise CertusError(f"is True but {form.name} has no strata to keep", "leave it out", argument="stratified")
        if stratified and name not in ("percentile", "bca"):
            raise CertusError(
                f"is True but {name!r} draws no resamples", "take 'percentile' or 'bca'", argument="stratified"
            )
        if self.reason:
            return Interval(math.nan, math.nan, level, name, self.reason)
        limits = form.methods[name](self.statistic, request) if own_interval is None else own_interval.limits(request)
        limits = limits.one_sided(self.side, self.bounds)
        reason = (
            joined(limits.reason, BESIDE) if own_interval is None and self.own_interval is not None else limits.reason
        )
        return Interval(limits.low, limits.high, level, limits.method or name, reason)

    def versus_chance(
        self,
        alternative: Alternative | None = None,
        *,
        items: int | None = None,
        replicates: int | None = None,
        seed: int = 0,
    ) -> "VersusChance":
        """Compare the value with a random ranking: p-value, chance-corrected value and percentile.

        A small p says that the ranking is better than no ranking. It says nothing about one system against another.

        What is random is the order of the documents that the run retrieved: relevant ones that it did not retrieve add
        nothing in any order, and stay in the denominator. Documents without judgment are non-relevant ones like any
        other. Of samples with a score it is which of them are the positives; of predicted labels, which samples have
        them, the number of samples with each true and each predicted label being kept. Documents or samples with equal
        scores stay tied where the metric sees them as tied.

        Parameters
        ----------
        alternative
            ``"greater"``: p is the probability that a random ranking scores at least as high. ``"less"``: at most as
            high. ``"two-sided"``: twice the smaller one, at most 1. None: ``"greater"``, or ``"less"`` for a metric of
            which lower values are better.
        items
            The ranking is instead a random order of a collection of this many documents, of which the run shows as many
            from the top as it retrieved.
        replicates
            How many random rankings to draw. None: the exact distribution where it is known, otherwise 10,000 draws (of
            more than 20,000 samples fewer, 1,000 at least).
        seed
            Where random draws start, for metrics without an exact distribution.

        Raises
        ------
        CertusError
            The metric has no distribution under a random ranking, or the value is undefined.
        DataError
            The samples have weights or groups, or there are fewer items than documents.

        Examples
        --------
        >>> import certus
        >>> e = certus.classification.roc_auc([1, 0, 1, 0, 0], [0.9, 0.4, 0.7, 0.1, 0.3])
        >>> round(e.versus_chance().p, 4)
        0.1
        """
        if self.chance is None:
            raise CertusError(
                f"{self.metric or 'this estimate'} has no distribution under a random ranking",
                "ranking metrics have one, and metrics of labels, of one score per sample of two classes, and of two "
                "clusterings",
            )
        if alternative not in (None, "greater", "less", "two-sided"):
            remedy = "it must be 'greater', 'less' or 'two-sided'"
            raise CertusError(f"is {alternative!r}", remedy, argument="alternative")
        if self.reason:
            raise CertusError(f"{self.metric} is undefined ({self.reason})", "it cannot be compared with chance")
        return self.chance(self.value, alternative=alternative, items=items, seed=seed, replicates=replicates)

    @property
    def low(self) -> float:
        """The lower limit of `interval`, at the estimate's level and by its method."""
        return self.interval().low

    @property
    def high(self) -> float:
        """The upper limit of `interval`, at the estimate's level and by its method."""
        return self.interval().high

    def plot(self, ax: Any = None, *, level: float | None = None, interval: str | None = None) -> Any:
        """Draw the value and its interval, a mean together with its units' values; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        level, interval
            Level and method of the interval, as for `interval`.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.estimates import estimates as draw_estimates

        estimate = replace(
            self, level=self.level if level is None else level, method=self.method if interval is None else interval
        )
        return draw_estimates({self.metric: estimate}, ax)

    def to_dict(self) -> dict[str, Any]:
        """The value, its interval and its conventions as a JSON-ready dict; undefined or infinite numbers are None.

        Examples
        --------
        >>> found = Estimate(Mean([0.1, 0.4, 0.3, 0.6]), metric="AP", bounds=(0.0, 1.0)).to_dict()
        >>> found["value"], round(found["low"], 4), found["method"], found["n"], found["unit"]
        (0.35, 0.0401, 'beta-moments', 4, 'query')
        """
        interval = self.interval()
        numbers = {"value": self.value, "low": interval.low, "high": interval.high}
        minimum, maximum = self.range or (None, None)
        return {
            "metric": self.metric,
            **{name: number if math.isfinite(number) else None for name, number in numbers.items()},
            "level": interval.level,
            "method": interval.method,
            "n": self.n,
            "unit": self.unit,
            "min": minimum,
            "max": maximum,
            "over": self.range_of,
            "reason": self.reason or interval.reason or None,
            "conventions": dict(self.conventions),
        }

    def to_json(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """`to_dict` as one line of JSON; `path` and `force` as for `to_csv`."""
        import json

        return self._write(json.dumps(self.to_dict(), allow_nan=False, default=str), path, force, "json")

    def __float__(self) -> float:
        return self.value

    def __eq__(self, other: object) -> bool:
        return self.value == other if isinstance(other, Real) else self is other

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: float) -> bool:
        return self.value < _operand_value(other)

    def __le__(self, other: float) -> bool:
        return self.value <= _operand_value(other)

    def __gt__(self, other: float) -> bool:
        return self.value > _operand_value(other)

    def __ge__(self, other: float) -> bool:
        return self.value >= _operand_value(other)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        if self.reason:
            return f"nan  ({self.reason})"
        interval, units = self.interval(), plural(self.n, self.unit)
        decimals = decimals_for(abs(self.value))
        # A count has none, but its expected value over the orders of tied documents has.
        statistic = self.statistic
        is_sum = isinstance(statistic, Mean) and statistic.total and self.value.is_integer()
        is_count = statistic.per is None if isinstance(statistic, Sampled) else is_sum
        decimals = 0 if is_count and decimals <= MOST_DECIMALS else decimals
        value = rounded(self.value, decimals)
        if not interval.defined:
            return f"{value}  {units} (no interval: {interval.reason})"
        note = f" ({interval.reason})" if interval.reason else ""
        range_limits = [rounded(end, decimals) for end in self.range or ()]
        left_open = f"; {' to '.join(range_limits)} over {self.range_of}" if range_limits else ""
        return (
            f"{value} [{', '.join(rounded_limits(*interval, decimals=decimals))}]"
            f"  {100 * interval.level:g}% {LABELS[interval.method]}, {units}{note}{left_open}"
        )

    def __repr__(self) -> str:
        return f"<Estimate {self.metric}: {self}>" if self.metric else f"<Estimate: {self}>"

    def _repr_html_(self) -> str:
        """HTML paragraph for notebooks: the metric's name in bold, then the value with its interval."""
        from html import escape

        name = f"<b>{escape(printable(self.metric))}</b> " if self.metric else ""
        return f"<p>{name}{escape(printable(str(self)))}</p>"


def _operand_value(other: object) -> float:
    """Value of the operand (an estimate or a number) that an estimate is compared with."""
    if isinstance(other, Real):
        return float(other)
    if isinstance(other, Estimate):
        raise TypeError(
            "estimates are not ordered by their values alone; certus.inference.difference(a, b) says how sure the "
            "difference is, and float(a) < float(b) compares the numbers"
        )
    raise TypeError(f"an estimate is compared with a number, not with {type(other).__name__}")


MeanOf = Literal["random", "random-weighted", "fixed", "fixed-weighted"]
"""Subgroups are a random sample of subgroups, or all there are; each counts the same, or as its samples do."""


class Estimates(Mapping[Hashable, Estimate], EstimateRows):
    """The estimates of one metric for each class: a read-only mapping from label to `Estimate`.

    Examples
    --------
    >>> from certus.statistic import Proportion
    >>> each = Estimates({"cat": Estimate(Proportion(8, 10)), "dog": Estimate(Proportion(3, 6))}, metric="Recall")
    >>> each["cat"].value
    0.8
    >>> print(each)
    cat  0.8000 [0.4902, 0.9645]  95% modified Wilson, 10 samples
    dog  0.5000 [0.1876, 0.8124]  95% Wilson, 6 samples
    """

    __slots__ = ("_by_label", "metric")
    _row_name = "class"

    def __init__(self, estimates: Mapping[Hashable, Estimate], metric: str = "") -> None:
        self._by_label = dict(estimates)
        self.metric = metric

    def _estimates(self) -> Mapping[Any, Estimate]:
        """Return the estimates of all classes, keyed by label."""
        return self._by_label

    def __getitem__(self, label: Hashable) -> Estimate:
        return self._by_label[label]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._by_label)

    def __len__(self) -> int:
        return len(self._by_label)

    def plot(self, ax: Any = None) -> Any:
        """Draw the estimate of each class with its interval on a line, below the metric; needs ``certus[plot]``."""
        ax = super().plot(ax)
        ax.set_title(printable(self.metric).replace("$", r"\$"), fontsize=11)
        return ax

    def __str__(self) -> str:
        return "\n".join(aligned([[str(label), str(estimate)] for label, estimate in self.items()], [True, True]))

    def __repr__(self) -> str:
        return f"<Estimates{' ' + self.metric if self.metric else ''}: {len(self)} classes>\n{self}"


class SubgroupEstimates(Mapping[str, Estimate]):
    """The estimates of one metric for each subgroup: a read-only mapping from the subgroup's name.

    An estimate is made when it is looked at. Values and limits of all subgroups are there without.

    `statistics` is a sequence, or columns; `chance` what `Estimate.versus_chance` asks at an index.

    Examples
    --------
    >>> from certus.statistic import Proportion
    >>> each = SubgroupEstimates(["young", "old"], [Proportion(8, 10), Proportion(3, 6)], "Recall", (0.0, 1.0))
    >>> each.metric_values, each["old"].n
    (array([0.8, 0.5]), 6)
    """

    def __init__(
        self,
        names: Sequence[str],
        statistics: UStatistics | Sequence[Statistic],
        metric: str,
        bounds: tuple[float, float],
        conventions: Mapping[str, object] | None = None,
        chance: Callable[[int], Chance] | None = None,
    ) -> None:
        self.names, self.statistics, self.metric, self.bounds = names, statistics, metric, bounds
        self.conventions, self._chance = dict(conventions or {}), chance
        self._index = {name: index for index, name in enumerate(names)}

    def __getitem__(self, name: str) -> Estimate:
        return self.estimate_at(self._index[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def estimate_at(self, index: int) -> Estimate:
        """Estimate of the subgroup with this index."""
        return Estimate(
            statistic=self.statistics[index],
            metric=self.metric,
            bounds=self.bounds,
            conventions=self.conventions,
            chance=None if self._chance is None else self._chance(index),
        )

    @property
    def metric_values(self) -> Floats:
        """Value of each subgroup; NaN where undefined."""
        if isinstance(self.statistics, UStatistics):
            return self.statistics.values
        return np.array([statistic.value for statistic in self.statistics])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of units in each subgroup."""
        if isinstance(self.statistics, UStatistics):
            return self.statistics.n
        return np.array([statistic.n for statistic in self.statistics])

    def limits(self, level: float, *, exact: bool = False) -> ManyLimits:
        """Limits of all subgroups at once, for default methods that are computed fast; of proportions, `exact` ones."""
        request = Request(level, self.bounds)
        if isinstance(self.statistics, UStatistics):
            from certus.inference.intervals.ustatistic import limits_of_many

            return limits_of_many(self.statistics, request)
        limits = ManyLimits.unknown(len(self))
        by_statistic: dict[Statistic, tuple[Limits, str]] = {}
        for index, statistic in enumerate(self.statistics):
            if statistic.reason or not isinstance(statistic, Mean | Proportion):
                continue
            if statistic not in by_statistic:
                is_exact = exact and isinstance(statistic, Proportion)
                name = "clopper-pearson" if is_exact else method_of(statistic, self.bounds, None)
                single = FORMS[class_of_form(statistic)].methods[name](statistic, request)
                by_statistic[statistic] = single, single.method or name
            single, limits.methods[index] = by_statistic[statistic]
            limits.low[index], limits.high[index], limits.reasons[index] = single[:3]
            limits.is_known[index] = True
        return limits
