"""The material of a comparison, whatever it was read from."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.comparison.options import Options
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, MetricNameError, called, keyword
from certus.core.note import Note
from certus.core.progress import steps
from certus.evaluation.cases import Drawings
from certus.inference import Estimate, Interval, adjust, tukey_hsd
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.many.max_t import max_t_of_pairs
from certus.inference.many.simultaneous import simultaneous_limits
from certus.inference.many.tukey_hsd import UNEVEN, variance_ratio
from certus.inference.tests.equivalence import against_margin
from certus.inference.tests.result import Paired, of_difference
from certus.statistic import Mean, Ratio

FLIPPED = (None, "permutation-hall", "permutation")
"""The tests whose p-values joint sign flips can adjust."""

Pair = Callable[..., Paired]
"""From two systems and the keywords of `certus.inference.paired` to what the test found."""


@dataclass(frozen=True)
class Family:
    """One metric of all systems, on the same units: the differences that are corrected together.

    Attributes
    ----------
    metric
        Its canonical text.
    better
        Which values are better; None if neither.
    bounds
        Least and greatest value the metric can take.
    estimates
        The value of each system.
    pair
        Compares two of them.
    single
        The estimates over single units, where `estimates` are over groups of them or weighted.
    takes_range
        Whether the user can state the range of the values where it is not known.
    """

    metric: str
    better: Literal["higher", "lower"] | None
    bounds: tuple[float, float]
    estimates: Mapping[str, Estimate]
    pair: Pair
    single: Mapping[str, Estimate] | None = None
    takes_range: bool = False

    @property
    def per_unit(self) -> dict[str, Floats]:
        """Each system's value of each unit; empty where the metric is not a mean over units."""
        columns = {}
        for system, estimate in (self.single or self.estimates).items():
            if not isinstance(estimate.statistic, Mean):
                return {}
            columns[system] = estimate.statistic.values
        return columns


@dataclass(frozen=True)
class Material:
    """The metrics of all systems, and where they come from.

    Attributes
    ----------
    systems
        Their names, in the order given.
    families
        One for each metric.
    units
        Names of the units; empty if they have none.
    notices
        What was suspicious in the input.
    inputs
        A hash of each input by name.
    conventions
        What else the values depend on.
    shown
        A function of the level of intervals that makes what a report shows beside the values; None where it is nothing.
    drawn
        The same of what is drawn.
    """

    systems: tuple[str, ...]
    families: tuple[Family, ...]
    units: tuple[str, ...] = ()
    notices: tuple[Note, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    conventions: Mapping[str, Any] = field(default_factory=dict)
    shown: Callable[[float], Mapping[str, Any]] | None = None
    drawn: Callable[[float], Drawings] | None = None


def correction_of_margins(correction: str) -> str:
    """The correction of what a joint one cannot look at, such as p-values of equivalence."""
    return "holm" if CORRECTIONS[correction].joint else correction


def adjusted(
    family: Family, pairs: Sequence[tuple[str, str]], differences: Sequence[Paired], options: Options
) -> Floats:
    """The adjusted p-value of each pair, never below the pair's own; NaN where it has none.

    A joint correction has a law of its own, drawn at random. What the pair's own test does not find, it does not find
    either.
    """
    p = np.array([paired.p for paired in steps(differences, "test")])
    if not CORRECTIONS[str(options.correction)].joint:
        return defined(p, str(options.correction))
    of_ranks = next((paired.method for paired in differences if paired.method in ("wilcoxon", "sign")), None)
    if of_ranks is not None:
        raise MetricNameError(
            f"{options.correction} compares means, but {keyword('test', of_ranks)} does not",
            f"take {keyword('correction', 'holm')}, or leave out {called('test')}",
        )
    values = means_of(family, str(options.correction))
    if options.correction == "max-t":
        columns = np.column_stack(list(values.values()))
        joint = max_t_of_pairs(
            columns,
            column_pairs(values, pairs),
            alternative=options.alternative,
            replicates=options.permutations,
            seed=options.seed,
        )
        return np.asarray(np.maximum(joint.p, p))
    systems = list(values)
    if len(pairs) < len(systems) * (len(systems) - 1) // 2:
        raise DataError(
            "tukey-hsd compares all pairs", f"leave out {called('baseline')}, or take {keyword('correction', 'max-t')}"
        )
    if options.alternative != "two-sided":
        raise MetricNameError("tukey-hsd has two sides", f"take {keyword('correction', 'max-t')} for one")
    table = tukey_hsd(np.column_stack(list(values.values())), replicates=options.permutations, seed=options.seed).p
    of_pairs = [table[systems.index(system), systems.index(baseline)] for system, baseline in pairs]
    return np.asarray(np.maximum(of_pairs, p))


def column_pairs(values: Mapping[str, Floats], pairs: Sequence[tuple[str, str]]) -> Ints:
    """The columns of each pair's system and baseline."""
    numbers = {name: number for number, name in enumerate(values)}
    return np.array([[numbers[system], numbers[baseline]] for system, baseline in pairs], dtype=np.int64)


def uneven(family: Family, options: Options) -> Note | None:
    """That Tukey's test is in doubt, because the variances of the pairs' differences differ much."""
    if options.correction != "tukey-hsd":
        return None
    ratio = variance_ratio(np.column_stack(list(means_of(family, str(options.correction)).values())))
    if ratio <= UNEVEN:
        return None
    text = (
        f"{family.metric}: the variances of the pairs' differences differ {ratio:.2g} times, and tukey-hsd takes all "
        "systems as exchangeable; it may find equal systems different more often than its level says, take "
        f"{keyword('correction', 'max-t')}"
    )
    return Note(text, kind="uneven-variances")


def means_of(family: Family, correction: str, instead: str = "holm") -> dict[str, Floats]:
    """The values of units, or the sums of clusters, that a joint correction permutes."""
    columns = _values_of(family, correction, instead)
    for name, column in columns.items():
        if not np.isfinite(column).all():
            raise DataError(
                f"{family.metric} of {name} has no value for some {family.estimates[name].unit}",
                f"{correction} permutes all units, take {keyword('correction', instead)}",
            )
    return columns


def _values_of(family: Family, correction: str, instead: str) -> dict[str, Floats]:
    statistics = {name: estimate.statistic for name, estimate in family.estimates.items()}
    columns = {
        name: statistic.values
        for name, statistic in statistics.items()
        if isinstance(statistic, Mean) and statistic.scale == "linear"
    }
    ratios = [statistic for statistic in statistics.values() if isinstance(statistic, Ratio)]
    if len(ratios) == len(statistics) and all(
        np.array_equal(statistic.denominators, ratios[0].denominators) for statistic in ratios
    ):
        # Of clusters of units the sums are flipped, or change places, as a whole.
        return {name: statistic.numerators for name, statistic in statistics.items() if isinstance(statistic, Ratio)}
    if len(columns) < len(statistics):
        raise MetricNameError(
            f"{correction} permutes the values of units, and {family.metric} is not compared as their plain mean",
            f"take {keyword('correction', instead)}",
        )
    return columns


def defined(p: Floats, method: str) -> Floats:
    """The p-values adjusted; those that are NaN are not tests, and do not count."""
    there = ~np.isnan(p)
    result = np.full(len(p), np.nan)
    result[there] = adjust(p[there], method)
    return result


Limited = Interval
Margins = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The adjusted p-values of a difference of minus the margin or less, and of the margin or more."""


def with_default_correction(families: Sequence[Family], options: Options) -> Options:
    """The options with a correction that all families can have, where none was named."""
    of_means = options.test in FLIPPED and options.limits != "guaranteed"
    if not (options.simultaneous and options.unnamed) or not of_means:
        return replace(options, correction="bonferroni") if options.simultaneous and options.unnamed else options
    try:
        for family in families:
            means_of(family, "max-t")
    except (MetricNameError, DataError):
        return replace(options, correction="bonferroni")
    return options


def simultaneous(
    family: Family, pairs: Sequence[tuple[str, str]], differences: Sequence[Paired], options: Options
) -> tuple[NDArray[np.float64], list[Limited | None], Margins | None]:
    """The adjusted p-values and the limits of each pair, and its p-values against both ends of a margin.

    Joint sign flips are drawn, and allow for no skewness: a pair's adjusted p-value may come out below its own. Then it
    is the pair's own, and the limits reach at least as far as those of the pair.
    """
    if options.correction == "bonferroni":
        p = defined(np.array([paired.p for paired in differences]), "bonferroni")
        times = max(int((~np.isnan(p)).sum()), 1)
        level = 1 - (1 - options.level) / times
        limits = [
            paired.difference.interval(level, replicates=options.draws, seed=options.seed) for paired in differences
        ]
        if options.margin is None:
            return p, [*limits], None
        tests = [against_margin(paired, options.margin, options.tail / times) for paired in differences]
        if options.interval is None:
            limits = [
                limits_of_pair if test.reason else test.interval
                for limits_of_pair, test in zip(limits, tests, strict=True)
            ]
        lower_p, upper_p = (np.array([getattr(test, name) for test in tests]) for name in ("p_lower", "p_upper"))
        return p, [*limits], (np.minimum(lower_p * times, 1.0), np.minimum(upper_p * times, 1.0))
    if options.test not in FLIPPED:
        raise MetricNameError(
            f"max-t flips signs, but {called('test')} is {options.test!r}",
            f"take {keyword('correction', 'bonferroni')}",
        )
    if options.limits == "guaranteed":
        raise MetricNameError(
            "max-t flips signs, which against a margin needs symmetric differences",
            f"take {keyword('correction', 'bonferroni')}, or {keyword('assume', 'symmetric')} if you know that",
        )
    values = means_of(family, "max-t", "bonferroni")
    statistic = family.estimates[pairs[0][0]].statistic
    sizes = statistic.denominators if isinstance(statistic, Ratio) else np.ones(len(next(iter(values.values()))))
    joint = simultaneous_limits(
        np.column_stack(list(values.values())),
        sizes,
        column_pairs(values, pairs),
        side=options.alternative,
        level=options.level,
        margin=math.nan if options.margin is None else options.margin,
        draws=options.draws,
        seed=options.seed,
    )
    lowest, greatest = of_difference(family.bounds)
    low, high = np.maximum(joint.low, lowest), np.minimum(joint.high, greatest)
    joint_limits = zip(low.tolist(), high.tolist(), strict=True)
    against: list[Any] = [None] * len(differences)
    if options.margin is not None:
        against = [against_margin(paired, options.margin, options.tail) for paired in differences]
    no_spread = "all differences are equal: they do not show a spread"
    limits = []
    for pair, test, limits_of_pair in zip(differences, against, joint_limits, strict=True):
        single_limits = test.interval if test is not None and not test.reason else None
        single_limits = single_limits or pair.difference.interval(
            options.level, replicates=options.draws, seed=options.seed
        )
        reason = no_spread if math.isnan(limits_of_pair[0]) else single_limits.reason
        limits.append(
            Interval(
                float(min(limits_of_pair[0], single_limits.low)),
                float(max(limits_of_pair[1], single_limits.high)),
                options.level,
                "max-t",
                reason,
            )
        )
    p_of_pairs = np.array([paired.p for paired in differences])
    margins = None
    if options.margin is not None:
        lower, upper = (np.array([getattr(test, name) for test in against]) for name in ("p_lower", "p_upper"))
        margins = np.fmax(joint.below, lower), np.fmax(joint.above, upper)
    return np.fmax(joint.p, p_of_pairs), [*limits], margins
