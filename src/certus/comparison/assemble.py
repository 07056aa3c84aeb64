"""From the metrics of all systems to a `Comparison`."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.comparison._family import (
    Family,
    Limited,
    Margins,
    Material,
    Pair,
    adjusted,
    correction_of_margins,
    defined,
    simultaneous,
    uneven,
    with_default_correction,
)
from certus.comparison.layout import lettered
from certus.comparison.options import Options
from certus.comparison.result import Comparison
from certus.comparison.row import Difference, at_most, verdict
from certus.core import kernels
from certus.core.errors import DataError, MetricNameError, keyword
from certus.core.progress import steps
from certus.core.spelling import suggestion
from certus.evaluation.binding import check_names
from certus.evaluation.items import Value, blocks_of, chance_notes
from certus.inference import Estimate, difference
from certus.inference.interval import joined
from certus.inference.tests.equivalence import Equivalence, against_margin
from certus.inference.tests.guaranteed import UNSTATED
from certus.inference.tests.result import Paired
from certus.inference.tests.rope import rope as posterior_of
from certus.table import Row, Table
from certus.table.table import flat

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance


def assemble(material: Material, options: Options) -> Comparison:
    """Compare the systems, metric by metric."""
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
    notices = (*material.notices, *(doubt for doubt in doubts if doubt is not None))
    intervals = {"level": options.level, "seed": options.seed}
    conventions = {
        "certus": kernels.__version__,
        **material.conventions,
        **intervals,
        "baseline": baseline,
        "test": options.test,
        "interval": options.interval,
        "correction": options.correction,
        "simultaneous": options.simultaneous,
        "margin": options.margin,
        "assume": options.assume,
        "alternative": options.alternative,
        "replicates": options.replicates,
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
        conventions |= {"chance": True, "said": chance_notes(versus, of_systems)}
    signature = {**material.conventions, **intervals, "method": None, "inputs": dict(material.inputs)}
    drawings = None if material.drawn is None else material.drawn(options.level)
    return Comparison(
        rows=tuple(rows),
        values=Table(of_systems, material.notices, signature, drawn=drawings),
        systems=material.systems,
        metrics=tuple(family.metric for family in material.families),
        baseline=baseline,
        correction=str(options.correction),
        simultaneous=options.simultaneous,
        margin=options.margin,
        level=options.level,
        test=options.test,
        alternative=options.alternative,
        letters=letters,
        per_unit={family.metric: values for family in material.families if (values := family.per_unit)},
        units=material.units,
        conventions=conventions,
        inputs=material.inputs,
        notices=notices,
        shown=None if material.shown is None else partial(material.shown, options.level),
    )


def _against_chance(rows: Sequence[Difference], values: Sequence[Row]) -> list[Difference]:
    """The differences with the numbers of both systems' values compared with chance."""
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
    values = [Value(system, estimate.metric, estimate) for system, estimate in estimates]
    return list(flat(blocks_of(values, options.level, seed=options.seed, versus=versus)))


def _rows(family: Family, compared: Sequence[tuple[str, str]], options: Options) -> list[Difference]:
    differences = [family.pair(system, baseline, **options.pair) for system, baseline in steps(compared, "pair")]
    limits: list[Limited | None] = [None] * len(differences)
    tests = (
        []
        if options.margin is None
        else [against_margin(paired, options.margin, options.tail) for paired in differences]
    )
    joint_margins: Margins | None = None
    if options.simultaneous:
        p, limits, joint_margins = simultaneous(family, compared, differences, options)
    else:
        p = adjusted(family, compared, differences, options)
        if options.interval is None and tests:
            limits = [None if test.reason else test.interval for test in tests]
    margins = _against_margin(family, tests, joint_margins, options) if tests else [{} for _ in differences]
    return [
        _row(family, names, paired, float(p[index]), margins[index], options, limits[index])
        for index, (names, paired) in enumerate(steps(list(zip(compared, differences, strict=True)), "interval"))
    ]


def _against_margin(
    family: Family, tests: Sequence[Equivalence], joint_margins: Margins | None, options: Options
) -> list[dict[str, Any]]:
    """The p-values against the margin, raw and adjusted."""
    worse = int(family.better == "lower")
    tail_values = np.array([test.p_lower for test in tests]), np.array([test.p_upper for test in tests])
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
    limits: Limited | None,
) -> Difference:
    system, baseline = names
    interval = limits or paired.difference.interval(replicates=options.draws, seed=options.seed)
    difference = paired.difference.value
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
        reason=joined(_reason(paired, interval.reason, names), _range_unstated(family, interval.reason), doubt),
        margin=options.margin,
        **margins,
        **posterior,
    )


def _range_unstated(family: Family, reason: str) -> str:
    return "state the range that is possible" if family.takes_range and reason.endswith(UNSTATED) else ""


def _posterior(family: Family, paired: Paired, options: Options) -> tuple[dict[str, Any], str]:
    """The posterior probabilities of a pair, and what to know about them."""
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
    """The undefined values, with their systems."""
    start, colon, detail = paired.reason.partition(": ")
    if colon and start in ("a", "b"):
        return f"{names['ab'.index(start)]}: {detail}"
    return paired.reason or of_interval


def check_systems(systems: Sequence[str], argument: str) -> None:
    """Refuse fewer than two systems, two of one name, and a blank name."""
    check_names(systems, argument)
    if len(systems) < 2:
        problem = f"holds one system, {systems[0]!r}" if systems else "is empty"
        raise DataError(f"{argument} {problem}", "a comparison needs at least two")


def columns_of(frame: Any, argument: str) -> list[tuple[str, Any]]:
    """The columns of a DataFrame by name."""
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
    """The baseline, and which systems are compared: each with its baseline.

    Without a baseline, the first of two systems is it; of more, all pairs are compared, the earlier one as baseline.
    """
    if baseline is not None and baseline not in systems:
        near = suggestion(baseline, list(systems)) or f"there are {', '.join(map(repr, systems))}"
        raise DataError(f"is {baseline!r}, which is none of the systems", near, argument="baseline")
    if baseline is None and len(systems) == 2:
        baseline = systems[0]
    if baseline is not None:
        return baseline, [(name, baseline) for name in systems if name != baseline]
    return None, [(later, earlier) for i, earlier in enumerate(systems) for later in systems[i + 1 :]]


def pairs_of(estimates: Mapping[str, Estimate]) -> Pair:
    """The function that compares two of the systems by the form of their statistics."""
    return partial(_pair, estimates)


def _pair(estimates: Mapping[str, Estimate], system: str, baseline: str, **options: Any) -> Paired:
    a, b = estimates[system], estimates[baseline]
    return difference(a.statistic, b.statistic, bounds=a.bounds, **options)
