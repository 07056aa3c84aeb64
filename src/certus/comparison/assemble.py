"""From the metrics of all systems to a `Comparison`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from certus import kernels
from certus.comparison._adjusted import adjusted, defined, plain, uneven
from certus.comparison._family import Family, Material
from certus.comparison._lettered import lettered
from certus.comparison._names import pairs
from certus.comparison._simultaneous import Limited, Margins, settled, simultaneous
from certus.comparison._verdict import at_most, verdict
from certus.comparison.options import Options
from certus.comparison.result import Comparison
from certus.comparison.row import Difference
from certus.errors import MetricNameError
from certus.evaluation.rows import Value, rows_of
from certus.inference import Estimate, Paired
from certus.inference.tests.equivalence import Equivalence, against_margin
from certus.table import Row, Table

__all__ = ["assemble"]


def assemble(material: Material, options: Options) -> Comparison:
    """Compare the systems, metric by metric."""
    baseline, compared = pairs(material.systems, options.baseline)
    if baseline is None and options.alternative != "two-sided":
        # which of a pair comes first is chance, and letters have no side
        raise MetricNameError(
            f"alternative is {options.alternative!r}, but of all pairs there is no side to look at; name a baseline, "
            "or take 'two-sided'"
        )
    options = settled(material.families, options)
    rows: list[Difference] = []
    letters: dict[str, dict[str, str]] = {}
    for family in material.families:
        of_metric = _rows(family, compared, options)
        if baseline is None:
            letters[family.metric] = lettered(family, of_metric)
        rows += of_metric
    doubts = [uneven(family, options) for family in material.families]
    notices = (*material.notices, *(doubt for doubt in doubts if doubt is not None))
    asked = {"level": options.level, "seed": options.seed}
    conventions = {
        "certus": kernels.__version__,
        **material.conventions,
        **asked,
        "baseline": baseline,
        "test": options.test,
        "interval": options.interval,
        "correction": options.correction,
        "simultaneous": options.simultaneous,
        "margin": options.margin,
        "alternative": options.alternative,
        "replicates": options.replicates,
    }
    estimates = [(system, family.estimates[system]) for family in material.families for system in material.systems]
    signature = {**material.conventions, **asked, "method": None, "inputs": dict(material.inputs)}
    return Comparison(
        rows=tuple(rows),
        values=Table(partial(_values, estimates, options), material.notices, signature),
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
    )


def _values(estimates: Sequence[tuple[str, Estimate]], options: Options) -> list[Row]:
    return rows_of([Value(system, one.metric, one) for system, one in estimates], options.level, seed=options.seed)


def _rows(family: Family, compared: Sequence[tuple[str, str]], options: Options) -> list[Difference]:
    found = [family.pair(system, baseline, **options.pair) for system, baseline in compared]
    limits: list[Limited | None] = [None] * len(found)
    tests = [] if options.margin is None else [against_margin(one, options.margin, options.tail) for one in found]
    together: Margins | None = None
    if options.simultaneous:
        p, limits, together = simultaneous(family, compared, found, options)
    else:
        p = adjusted(family, compared, found, options)
        if options.interval is None and tests:
            limits = [None if test.why else test.interval for test in tests]
    margins = _against_margin(family, tests, together, options) if tests else [{} for _ in found]
    return [
        _row(family, names, one, float(p[place]), margins[place], options, limits[place])
        for place, (names, one) in enumerate(zip(compared, found, strict=True))
    ]


def _against_margin(
    family: Family, tests: Sequence[Equivalence], together: Margins | None, options: Options
) -> list[dict[str, float | None]]:
    """The p-values against the margin, raw and adjusted."""
    worse = int(family.better == "lower")
    ends = np.array([test.p_lower for test in tests]), np.array([test.p_upper for test in tests])
    raw = {"equivalence": np.maximum(*ends), "non_inferiority": ends[worse]}
    if together is None:
        correction = plain(str(options.correction))
        columns = raw | {f"{name}_adjusted": defined(p, correction) for name, p in raw.items()}
    else:
        columns = raw | {"equivalence_adjusted": np.maximum(*together), "non_inferiority_adjusted": together[worse]}
    return [{name: float(column[place]) for name, column in columns.items()} for place in range(len(tests))]


def _row(
    family: Family,
    names: tuple[str, str],
    found: Paired,
    p: float,
    margins: dict[str, float | None],
    options: Options,
    limits: Limited | None,
) -> Difference:
    system, baseline = names
    interval = limits or found.difference.interval(replicates=options.draws, seed=options.seed)
    difference = found.difference.value
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
        p=found.p,
        p_adjusted=p,
        method=found.method,
        how=found.how,
        error=found.error,
        n=found.difference.n,
        unit=found.difference.unit,
        wins=found.wins,
        ties=found.ties,
        losses=found.losses,
        effect=found.effect,
        verdict=verdict(difference, p, tied, 1 - options.level, family.better),
        better=family.better,
        why=_why(found, interval.why, names),
        margin=options.margin,
        **margins,
    )


def _why(found: Paired, of_interval: str, names: tuple[str, str]) -> str:
    """The undefined values, with their systems."""
    said = found.why
    for letter, name in zip("ab", names, strict=True):
        said = f"{name}: {said[3:]}" if said.startswith(f"{letter}: ") else said
    return said or of_interval
