"""The best system of each metric, and which others a paired comparison tells from it."""

from collections.abc import Mapping, Sequence

from certus.errors import CertusError
from certus.evaluation.items import Subgroups, Value
from certus.inference import Estimate
from certus.statistic import TableFunction
from certus.table import Row
from certus.table.row import Standing, best_of

_FEW = 30
"""Units up to which the default test of means, which may be an exact one, is fast."""


def standing(
    values: Sequence[Value | Subgroups | Row], units: Mapping[str, Sequence[str] | None], paired: bool, level: float
) -> Standing:
    """The places of a table to be marked.

    A p-value is multiplied by the number of all pairs of systems, not only of those with the best one: any of them
    could have turned out best by chance.

    Parameters
    ----------
    values
        The rows to be.
    units
        Names of the units of each system; None where they have none.
    paired
        Whether the systems were run on the same units.
    level
        One less this is the chance to tell any two equal systems apart, for each metric.
    """
    families: dict[str, dict[str, Value]] = {}
    for value in values:
        if isinstance(value, Value) and value.group is None and value.label is None and value.average is None:
            families.setdefault(value.metric, {})[value.system] = value
    pairs = len(units) * (len(units) - 1) // 2
    best: set[tuple[str, str]] = set()
    alike: set[tuple[str, str]] = set()
    tests: dict[str, None] = {}
    reasons: dict[str, list[str]] = {}
    for metric, found in families.items():
        estimates = {system: value.estimate for system, value in found.items()}
        first = best_of({system: one.value for system, one in estimates.items()}, next(iter(found.values())).better)
        best |= {(metric, system) for system in first}
        for system in estimates if first else ():
            if system in first or estimates[system].value != estimates[system].value:
                continue
            why, p = "", 0.0
            if not paired:
                why = "the systems were not run on the same units"
            elif list(units[system] or ()) != list(units[first[0]] or ()):
                why = "the runs have different queries"
            else:
                p, test, why = _compared(estimates[first[0]], estimates[system])
                tests |= {test: None} if test else {}
            if why:
                reasons.setdefault(why, []).append(metric)
            elif p * pairs > (1 - level) * (1 + 1e-12):
                alike.add((metric, system))
    adjusted = f", adjusted by Bonferroni for {pairs} pairs in each metric" if pairs > 1 else ""
    names = " or ".join(tests)
    said = f"paired comparison with the best: {names}, two-sided{adjusted}, at {1 - level:.3g}" if tests else ""
    unpaired = [f"{', '.join(dict.fromkeys(metrics))}: {why}" for why, metrics in reasons.items()]
    if len(unpaired) == 1 and not tests:
        unpaired = list(reasons)
    return Standing(frozenset(best), frozenset(alike), said, "; ".join(unpaired))


def _compared(best: Estimate, other: Estimate) -> tuple[float, str, str]:
    """The p-value of no difference, its test, and why there is none."""
    from certus.inference import difference
    from certus.inference.tests.declare import TESTS

    if best.range is not None or other.range is not None:
        return 1.0, "", "the values are left open"
    # an exact test of many values takes too long for a mark
    quick = best.n > _FEW and not isinstance(best.statistic, TableFunction)
    try:
        found = difference(best, other, test="t" if quick else None)
    except CertusError:
        return 1.0, "", "the metric has no paired comparison"
    return found.p, TESTS.get(found.method, found.method), found.why
