"""From the metrics of all systems to a `Comparison`."""

from collections.abc import Sequence
from functools import partial

from certus import kernels
from certus.comparison._adjusted import adjusted
from certus.comparison._family import Family, Material
from certus.comparison._lettered import lettered
from certus.comparison._names import pairs
from certus.comparison._options import Options
from certus.comparison._verdict import verdict
from certus.comparison.result import Comparison
from certus.comparison.row import Difference
from certus.evaluation import rows_of
from certus.inference import Estimate, Paired
from certus.table import Row, Table

__all__ = ["assemble"]


def assemble(material: Material, options: Options) -> Comparison:
    """Compare the systems, metric by metric."""
    baseline, compared = pairs(material.systems, options.baseline)
    rows: list[Difference] = []
    letters: dict[str, dict[str, str]] = {}
    for family in material.families:
        of_metric = _rows(family, compared, options)
        if baseline is None:
            letters[family.metric] = lettered(family, of_metric)
        rows += of_metric
    asked = {"level": options.level, "seed": options.seed}
    conventions = {
        "certus": kernels.__version__,
        **material.conventions,
        **asked,
        "baseline": baseline,
        "test": options.test,
        "interval": options.interval,
        "correction": options.correction,
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
        correction=options.correction,
        margin=options.margin,
        level=options.level,
        test=options.test,
        alternative=options.alternative,
        letters=letters,
        per_unit={family.metric: each for family in material.families if (each := family.per_unit)},
        units=material.units,
        conventions=conventions,
        inputs=material.inputs,
        notices=material.notices,
    )


def _values(estimates: Sequence[tuple[str, Estimate]], options: Options) -> list[Row]:
    return rows_of(estimates, options.level, None, options.seed)


def _rows(family: Family, compared: Sequence[tuple[str, str]], options: Options) -> list[Difference]:
    found = [family.pair(system, baseline, **options.pair) for system, baseline in compared]
    rows = []
    for (system, baseline), one, p in zip(compared, found, adjusted(family, compared, found, options), strict=True):
        rows.append(_row(family, system, baseline, one, float(p), options))
    return rows


def _row(family: Family, system: str, baseline: str, found: Paired, p: float, options: Options) -> Difference:
    interval = found.difference.interval(replicates=options.draws, seed=options.seed)
    difference = found.difference.value
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
        verdict=verdict(difference, p, None, 1 - options.level, family.better),
        better=family.better,
        why="; ".join(dict.fromkeys(filter(None, (found.why, interval.why)))),
        margin=options.margin,
    )
