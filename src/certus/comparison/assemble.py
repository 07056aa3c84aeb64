"""Data of a comparison from any source, and the `Comparison` that is computed from them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.comparison.options import Options, correction_of_margins
from certus.comparison.result import STORED, Comparison
from certus.comparison.row import Difference, at_most, verdict
from certus.core import kernels
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, MetricNameError, keyword, mention
from certus.core.note import Note
from certus.core.progress import steps
from certus.core.spelling import suggestion
from certus.evaluation.binding import check_names
from certus.evaluation.tabulate import Drawings, Value, blocks_of, chance_notes
from certus.inference import Estimate, Interval, adjust, difference, letters, tukey_hsd
from certus.inference.interval import joined
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.many.joint import UNEVEN, max_t_of_pairs, variance_ratio
from certus.inference.many.simultaneous import simultaneous_limits
from certus.inference.special import normal_quantile
from certus.inference.tests.equivalence import Equivalence, against_margin
from certus.inference.tests.guaranteed import UNSTATED
from certus.inference.tests.result import Paired, of_difference
from certus.inference.tests.rope import rope as posterior_of
from certus.metrics.orders import TieEffect, is_small_beside, tie_notices
from certus.statistic import Mean, Ratio
from certus.table import Row, Table
from certus.table.row import flat

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance


FLIPPED = (None, "permutation-hall", "permutation")
"""The tests whose p-values joint sign flips can adjust."""


@dataclass(frozen=True)
class Family:
    """One metric of all systems on the same units; its differences are corrected together."""

    metric: str
    better: Literal["higher", "lower"] | None
    bounds: tuple[float, float]
    estimates: Mapping[str, Estimate]
    pair: Callable[..., Paired] | None = None
    """Compares two systems by other data than their statistics."""
    single: Mapping[str, Estimate] | None = None
    """The estimates over single units, where `estimates` are over groups of them or weighted."""

    def compare(self, system: str, baseline: str, options: Options) -> Paired:
        """Compare two systems by this metric."""
        if self.pair is not None:
            return self.pair(system, baseline, **options.pair)
        left, right = self.estimates[system], self.estimates[baseline]
        return difference(left.statistic, right.statistic, bounds=left.bounds, **options.pair)

    @property
    def per_unit(self) -> dict[str, Floats]:
        """Unit values of each system; empty if the metric is not a mean over units."""
        columns = {}
        for system, estimate in (self.single or self.estimates).items():
            if not isinstance(estimate.statistic, Mean):
                return {}
            columns[system] = estimate.statistic.values
        return columns


@dataclass(frozen=True)
class Material:
    """Input of a comparison: systems, their estimates by metric, unit names, notes and input hashes."""

    systems: tuple[str, ...]
    families: tuple[Family, ...]
    units: tuple[str, ...] = ()
    """Names of the units; empty if they have none."""
    notices: tuple[Note, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    """A hash of each input by name."""
    conventions: Mapping[str, Any] = field(default_factory=dict)
    """All that the values depend on besides the input."""
    drawn: Callable[[float], Drawings] | None = None
    """Makes what pictures and a report show beside the values, from the level of intervals."""
    ties: tuple[TieEffect | None, ...] = ()
    """The effect of the order of tied documents on each run."""


def adjusted(
    family: Family, pairs: Sequence[tuple[str, str]], differences: Sequence[Paired], options: Options
) -> Floats:
    """Adjusted p-value of each pair, at least its own p; NaN if it has none."""
    p = np.array([paired.p for paired in steps(differences, "test")])
    if not CORRECTIONS[str(options.correction)].joint:
        return defined(p, str(options.correction))
    of_ranks = next((paired.method for paired in differences if paired.method in ("wilcoxon", "sign")), None)
    if of_ranks is not None:
        raise MetricNameError(
            f"{options.correction} compares means, but {keyword('test', of_ranks)} does not",
            f"take {keyword('correction', 'holm')}, or leave out {mention('test')}",
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
            "tukey-hsd compares all pairs", f"leave out {mention('baseline')}, or take {keyword('correction', 'max-t')}"
        )
    if options.alternative != "two-sided":
        raise MetricNameError("tukey-hsd has two sides", f"take {keyword('correction', 'max-t')} for one")
    table = tukey_hsd(np.column_stack(list(values.values())), replicates=options.permutations, seed=options.seed).p
    of_pairs = [table[systems.index(system), systems.index(baseline)] for system, baseline in pairs]
    return np.asarray(np.maximum(of_pairs, p))


def column_pairs(values: Mapping[str, Floats], pairs: Sequence[tuple[str, str]]) -> Ints:
    """Column indices of each pair's system and baseline."""
    numbers = {name: number for number, name in enumerate(values)}
    return np.array([[numbers[system], numbers[baseline]] for system, baseline in pairs], dtype=np.int64)


def uneven(family: Family, options: Options) -> Note | None:
    """Warning if the pairs' differences have too unequal variances for Tukey's test."""
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
    """Values that a joint correction permutes, by system: one for each unit, or the sum of each cluster."""
    columns: dict[str, Floats] = {}
    sizes: list[Any] = []
    for name, estimate in family.estimates.items():
        statistic = estimate.statistic
        if isinstance(statistic, Mean) and statistic.scale == "linear":
            columns[name] = statistic.values
            sizes.append(None)
        elif isinstance(statistic, Ratio):
            columns[name] = statistic.numerators  # the sums of clusters are flipped, or change places, as a whole
            sizes.append(statistic.denominators)
    if len(columns) < len(family.estimates) or not all(np.array_equal(size, sizes[0]) for size in sizes):
        raise MetricNameError(
            f"{correction} permutes the values of units, and {family.metric} is not compared as their plain mean",
            f"take {keyword('correction', instead)}",
        )
    for name, column in columns.items():
        if not np.isfinite(column).all():
            raise DataError(
                f"{family.metric} of {name} has no value for some {family.estimates[name].unit}",
                f"{correction} permutes all units, take {keyword('correction', instead)}",
            )
    return columns


def defined(p: Floats, method: str) -> Floats:
    """Adjust p-values; NaN ones stay NaN and do not count as tests."""
    there = ~np.isnan(p)
    result = np.full(len(p), np.nan)
    result[there] = adjust(p[there], method)
    return result


Margins = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The adjusted p-values of a difference of minus the margin or less, and of the margin or more."""


def with_default_correction(families: Sequence[Family], options: Options) -> Options:
    """Options with a correction that suits all families, if none was named."""
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
    family: Family,
    pairs: Sequence[tuple[str, str]],
    differences: Sequence[Paired],
    tests: Sequence[Equivalence],
    options: Options,
) -> tuple[Floats, list[Interval], Margins | None]:
    """Adjusted p-values, limits and p-values against the margin, from joint sign flips."""
    p = np.array([paired.p for paired in differences])
    if options.correction == "bonferroni":
        times = max(int((~np.isnan(p)).sum()), 1)
        limits = [_interval(paired, options, 1 - (1 - options.level) / times) for paired in differences]
        if options.margin is None:
            return defined(p, "bonferroni"), limits, None
        tests = [against_margin(paired, options.margin, options.tail / times) for paired in differences]
        if options.interval is None:
            limits = [own if test.reason else test.interval for own, test in zip(limits, tests, strict=True)]
        lower_p, upper_p = (np.minimum(tail * times, 1.0) for tail in _tails(tests))
        return defined(p, "bonferroni"), limits, (lower_p, upper_p)
    if options.test not in FLIPPED:
        raise MetricNameError(
            f"max-t flips signs, but {mention('test')} is {options.test!r}",
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
    lows, highs = np.maximum(joint.low, lowest).tolist(), np.minimum(joint.high, greatest).tolist()
    # Joint sign flips allow for no skewness: limits and p-values are at least those of the pair alone.
    limits = []
    for index, (paired, low, high) in enumerate(zip(differences, lows, highs, strict=True)):
        has_test = bool(tests) and not tests[index].reason
        single = tests[index].interval if has_test else _interval(paired, options, options.level)
        reason = "all differences are equal, so they have no variance" if math.isnan(low) else single.reason
        limits.append(Interval(min(low, single.low), max(high, single.high), options.level, "max-t", reason))
    margins = None
    if tests:
        lower, upper = _tails(tests)
        margins = np.fmax(joint.p_below, lower), np.fmax(joint.p_above, upper)
    return np.fmax(joint.p, p), limits, margins


def _interval(paired: Paired, options: Options, level: float | None = None) -> Interval:
    """Interval of a paired difference, by default at its own level, with the options' replicates and seed."""
    return paired.difference.interval(level, replicates=options.draws, seed=options.seed)


def _tails(tests: Sequence[Equivalence]) -> Margins:
    """P-values against the lower and the upper margin: two arrays with one entry per test."""
    return np.array([test.p_lower for test in tests]), np.array([test.p_upper for test in tests])


_RECORDED = ("test", "interval", "correction", "simultaneous", "margin", "assume", "alternative", "replicates")


def assemble(material: Material, options: Options) -> Comparison:
    """Compute the comparison of the systems, metric by metric."""
    baseline, compared = pairs(material.systems, options.baseline)
    if baseline is None and options.alternative != "two-sided":
        # which of a pair comes first is chance, and letters have no side
        raise MetricNameError(
            f"is {options.alternative!r}, but of all pairs there is no side to look at",
            "name a baseline, or take 'two-sided'",
            argument="alternative",
        )
    options = with_default_correction(material.families, options)
    rows: list[Difference] = []
    letters: dict[str, dict[str, str]] = {}
    for family in steps(material.families, "metric"):
        of_metric = _rows(family, compared, options)
        if baseline is None:
            letters[family.metric] = lettered(family, of_metric)
        rows += of_metric
    if options.assume is not None and not any(row.method == "permutation" for row in rows):
        raise MetricNameError(
            f"{keyword('assume', 'symmetric')} is about means of units that are not all 0 or 1, and none is compared",
            "leave it out",
        )
    doubts = [uneven(family, options) for family in material.families]
    ties = tie_notices(material.ties, partial(_is_small, material.families, rows, options))
    data_notices = (*material.notices, *(ties if any(material.ties) else ()))
    notices = (*data_notices, *(doubt for doubt in doubts if doubt is not None))
    intervals = {"level": options.level, "seed": options.seed}
    conventions = {
        "certus": kernels.__version__,
        **material.conventions,
        **intervals,
        "baseline": baseline,
        **{name: getattr(options, name) for name in _RECORDED},
    }
    if options.bayesian:
        conventions |= {"bayesian": True, "prior": options.prior}
        if options.prior is not None and not any(row.posterior == "dirichlet" for row in rows):
            raise MetricNameError(
                "is for metrics of labels, whose posterior is a Dirichlet distribution",
                "leave it out",
                argument="prior",
            )
    estimates = [(system, family.estimates[system]) for family in material.families for system in material.systems]
    of_systems: Callable[[], list[Row]] | list[Row] = partial(_values, estimates, options)
    if options.chance:
        versus: list[VersusChance] = []
        of_systems = _values(estimates, options, versus)
        rows = _against_chance(rows, of_systems)
        sentences = (*material.conventions.get("said", ()), *chance_notes(versus, of_systems))
        conventions |= {"chance": True, "said": sentences}
    signature = {**material.conventions, **intervals, "method": None, "inputs": dict(material.inputs)}
    drawings = None if material.drawn is None else material.drawn(options.level)
    return Comparison(
        rows=tuple(rows),
        values=Table(of_systems, data_notices, signature, drawn=drawings),
        systems=material.systems,
        metrics=tuple(family.metric for family in material.families),
        **{name: conventions[name] for name in STORED},
        letters=letters,
        per_unit={family.metric: values for family in material.families if (values := family.per_unit)},
        units=material.units,
        conventions=conventions,
        inputs=material.inputs,
        notices=notices,
    )


def _is_small(
    families: Sequence[Family], rows: Sequence[Difference], options: Options, system: str, metric: str, width: float
) -> bool:
    """True if a change of a value by `width` is small beside its interval and leaves every verdict as it is."""
    estimate = next(family.estimates[system] for family in families if family.metric == metric)
    tails = 2 if options.alternative == "two-sided" else 1
    critical = normal_quantile((1 + options.level) / 2 if tails == 2 else options.level)
    return is_small_beside(estimate.interval(options.level)[:2], width) and all(
        # Ties of both systems move the difference by twice the greater width at most; in standard errors, this is how
        # far its normal deviate moves.
        is_small_beside((row.low, row.high), width)
        and row.margin is None
        and abs(-normal_quantile(max(row.p_adjusted, 1e-300) / tails) - critical)
        > 4 * critical * width / (row.high - row.low)
        for row in rows
        if row.metric == metric and system in (row.system, row.baseline)
    )


def _against_chance(rows: Sequence[Difference], values: Sequence[Row]) -> list[Difference]:
    """Add to each difference the comparison of both systems' values with chance."""
    value_rows = {(value.metric, value.run): value for value in values}
    compared_rows = []
    for row in rows:
        numbers: dict[str, Any] = {}
        for start, system in (("", row.system), ("baseline_", row.baseline)):
            value = value_rows[row.metric, system]
            numbers |= {f"{start}chance_{name}": getattr(value, name) for name in ("p", "corrected", "percentile")}
        compared_rows.append(replace(row, **numbers))
    return compared_rows


def _values(
    estimates: Sequence[tuple[str, Estimate]], options: Options, versus: "list[VersusChance] | None" = None
) -> list[Row]:
    """Table rows of the systems' values."""
    values = [Value(system, estimate.metric, estimate) for system, estimate in estimates]
    return list(flat(blocks_of(values, options.level, seed=options.seed, versus=versus)))


def _rows(family: Family, compared: Sequence[tuple[str, str]], options: Options) -> list[Difference]:
    """Compare each pair by one metric, with adjusted p-values and, if requested, simultaneous intervals."""
    differences = [family.compare(*pair, options) for pair in steps(compared, "pair")]
    margin = options.margin
    tests = [] if margin is None else [against_margin(paired, margin, options.tail) for paired in differences]
    limits: list[Interval] | None = None
    joint_margins: Margins | None = None
    if options.simultaneous:
        p, limits, joint_margins = simultaneous(family, compared, differences, tests, options)
    else:
        p = adjusted(family, compared, differences, options)
    margins = _against_margin(family, tests, joint_margins, options) if tests else [{} for _ in differences]
    rows = []
    for index, (names, paired) in enumerate(steps(list(zip(compared, differences, strict=True)), "interval")):
        if limits is not None:
            interval = limits[index]
        elif options.interval is None and tests and not tests[index].reason:
            interval = tests[index].interval
        else:
            interval = _interval(paired, options)
        rows.append(_row(family, names, paired, float(p[index]), margins[index], options, interval))
    return rows


def _against_margin(
    family: Family, tests: Sequence[Equivalence], joint_margins: Margins | None, options: Options
) -> list[dict[str, Any]]:
    """P-values against the margin, raw and adjusted, for each pair."""
    worse = int(family.better == "lower")
    tail_values = _tails(tests)
    raw = {"equivalence": np.maximum(*tail_values), "non_inferiority": tail_values[worse]}
    if joint_margins is None:
        correction = correction_of_margins(str(options.correction))
        columns = raw | {f"{name}_adjusted": defined(p, correction) for name, p in raw.items()}
    else:
        columns = raw | {
            "equivalence_adjusted": np.maximum(*joint_margins),
            "non_inferiority_adjusted": joint_margins[worse],
        }
    return [{name: float(column[index]) for name, column in columns.items()} for index in range(len(tests))]


def _row(
    family: Family,
    names: tuple[str, str],
    paired: Paired,
    p: float,
    margins: dict[str, Any],
    options: Options,
    interval: Interval,
) -> Difference:
    """Record of one difference: values, interval, raw and adjusted p, wins, margin tests, posterior, verdict."""
    system, baseline = names
    difference = paired.difference.value
    range_hint = "state the range that is possible" if interval.reason.endswith(UNSTATED) else ""
    posterior: dict[str, Any] = {}
    doubt = ""
    if options.bayesian:
        posterior, doubt = _posterior(family, paired, options)
    wins, losses = (paired.losses, paired.wins) if family.better == "lower" else (paired.wins, paired.losses)
    tied = at_most(margins.get("equivalence_adjusted"), options.tail)
    return Difference(
        metric=family.metric,
        system=system,
        baseline=baseline,
        value=family.estimates[system].value,
        baseline_value=family.estimates[baseline].value,
        difference=difference,
        low=interval.low,
        high=interval.high,
        level=options.level,
        interval=interval.method,
        p=paired.p,
        p_adjusted=p,
        method=paired.method,
        method_note=paired.method_note,
        error=paired.error,
        n=paired.difference.n,
        unit=paired.difference.unit,
        wins=wins,
        ties=paired.ties,
        losses=losses,
        effect=paired.effect,
        verdict=verdict(difference, p, tied, 1 - options.level, family.better),
        better=family.better,
        reason=joined(_reason(paired, interval.reason, names), range_hint, doubt),
        margin=options.margin,
        **margins,
        **posterior,
    )


def _posterior(family: Family, paired: Paired, options: Options) -> tuple[dict[str, Any], str]:
    """Posterior probabilities of a pair, and a remark on them."""
    draws: dict[str, Any] = {"replicates": options.draws, "seed": options.seed}
    try:
        rope = posterior_of(paired, options.margin or 0.0, prior=options.prior, **draws)
    except MetricNameError:  # a form without cells has a prior of its own
        rope = posterior_of(paired, options.margin or 0.0, **draws)
    if math.isnan(rope.above):
        return {"posterior": rope.method}, f"no posterior: {rope.reason}" if not paired.reason else ""
    better, worse = (rope.below, rope.above) if family.better == "lower" else (rope.above, rope.below)
    probabilities = {"p_better": better, "p_equivalent": rope.equivalent, "p_worse": worse}
    return {**probabilities, "posterior": rope.method, "posterior_error": rope.error}, rope.reason


def _reason(paired: Paired, of_interval: str, names: tuple[str, str]) -> str:
    """Reason of undefined values, with the system's name in place of a or b."""
    start, colon, detail = paired.reason.partition(": ")
    if colon and start in ("a", "b"):
        return f"{names['ab'.index(start)]}: {detail}"
    return paired.reason or of_interval


def lettered(family: Family, rows: Sequence[Difference]) -> dict[str, str]:
    """Letters of each system with a value, the best first; systems that share a letter do not differ significantly."""
    systems = list(family.estimates)
    significant = np.zeros((len(systems), len(systems)), dtype=bool)
    for row in rows:
        left, right = systems.index(row.system), systems.index(row.baseline)
        significant[left, right] = significant[right, left] = at_most(row.p_adjusted, 1 - row.level)
    values = [family.estimates[system].value for system in systems]
    sign = 1 if family.better == "lower" else -1
    order = sorted(range(len(systems)), key=lambda i: (values[i] != values[i], sign * values[i], i))
    with_letters = zip(systems, values, letters(significant, order), strict=True)
    return {system: "" if math.isnan(value) else text for system, value, text in with_letters}


def check_systems(systems: Sequence[str], argument: str) -> None:
    """Refuse fewer than two systems, duplicate and blank names."""
    check_names(systems, argument)
    if len(systems) < 2:
        problem = f"holds one system, {systems[0]!r}" if systems else "is empty"
        raise DataError(f"{argument} {problem}", "a comparison needs at least two")


def columns_of(frame: Any, argument: str) -> list[tuple[str, Any]]:
    """Columns of a DataFrame by name."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        table = nw.from_native(frame, eager_only=True)
    except DuplicateError as error:
        raise DataError(
            f"two columns of {argument} have the same name", "give each system a name of its own"
        ) from error
    return [(str(name), column) for name, column in zip(table.columns, table.iter_columns(), strict=True)]


def pairs(systems: Sequence[str], baseline: str | None) -> tuple[str | None, list[tuple[str, str]]]:
    """Baseline (the first of two systems by default), and the pairs to compare: each with it, or all pairs."""
    if baseline is not None and baseline not in systems:
        near = suggestion(baseline, list(systems)) or f"there are {', '.join(map(repr, systems))}"
        raise DataError(f"is {baseline!r}, which is not one of the systems", near, argument="baseline")
    if baseline is None and len(systems) == 2:
        baseline = systems[0]
    if baseline is not None:
        return baseline, [(name, baseline) for name in systems if name != baseline]
    return None, [(later, earlier) for i, earlier in enumerate(systems) for later in systems[i + 1 :]]
