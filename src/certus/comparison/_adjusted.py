"""p-values of one metric, adjusted for how many pairs of systems there are."""

from collections.abc import Sequence

import numpy as np

from certus.arrays import Floats
from certus.comparison._family import Family
from certus.comparison.options import Options
from certus.errors import DataError, MetricNameError
from certus.inference import Paired, adjust, max_t, tukey_hsd
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.many.tukey_hsd import UNEVEN, variance_ratio
from certus.notice import Notice
from certus.statistic import Mean, Ratio

__all__ = ["adjusted", "defined", "means_of", "plain", "uneven"]


def plain(correction: str) -> str:
    """The correction of what a joint one cannot look at, such as p-values of equivalence."""
    return "holm" if CORRECTIONS[correction].joint else correction


def adjusted(family: Family, pairs: Sequence[tuple[str, str]], found: Sequence[Paired], options: Options) -> Floats:
    """The adjusted p-value of each pair; NaN where it has none.

    Raises
    ------
    MetricNameError
        A joint correction was asked for a metric that is no mean over units, for a test that does not compare means, or
        for a side it does not have.
    DataError
        Tukey's test was asked for less than all pairs.
    """
    p = np.array([each.p for each in found])
    if not CORRECTIONS[str(options.correction)].joint:
        return defined(p, str(options.correction))
    of_ranks = next((each.method for each in found if each.method in ("wilcoxon", "sign")), None)
    if of_ranks is not None:
        raise MetricNameError(
            f"{options.correction} compares means, but test={of_ranks!r} does not; take correction='holm', or leave "
            "out test"
        )
    values = means_of(family, str(options.correction))
    if options.correction == "max-t":
        differences = np.column_stack([values[system] - values[baseline] for system, baseline in pairs])
        return max_t(differences, alternative=options.alternative, replicates=options.permutations, seed=options.seed).p
    systems = list(values)
    if len(pairs) < len(systems) * (len(systems) - 1) // 2:
        raise DataError("tukey-hsd compares all pairs; leave out baseline, or take correction='max-t'")
    if options.alternative != "two-sided":
        raise MetricNameError("tukey-hsd has two sides; take correction='max-t' for one")
    table = tukey_hsd(np.column_stack(list(values.values())), replicates=options.permutations, seed=options.seed).p
    return np.array([table[systems.index(system), systems.index(baseline)] for system, baseline in pairs])


def uneven(family: Family, options: Options) -> Notice | None:
    """That Tukey's test is in doubt, because the variances of the pairs' differences differ much."""
    if options.correction != "tukey-hsd":
        return None
    ratio = variance_ratio(np.column_stack(list(means_of(family, str(options.correction)).values())))
    if ratio <= UNEVEN:
        return None
    text = (
        f"{family.metric}: the variances of the pairs' differences differ {ratio:.2g} times, and tukey-hsd takes all "
        "systems as exchangeable; it may find equal systems different more often than its level says, take "
        "correction='max-t'"
    )
    return Notice("uneven-variances", text)


def means_of(family: Family, correction: str, instead: str = "holm") -> dict[str, Floats]:
    """The values of units, or the sums of clusters, that a joint correction permutes.

    Raises
    ------
    MetricNameError
        The metric is no mean over units.
    DataError
        It has no finite value for some unit.
    """
    found = _values_of(family, correction, instead)
    for name, column in found.items():
        if not np.isfinite(column).all():
            raise DataError(
                f"{family.metric} of {name} has no value for some {family.estimates[name].unit}; "
                f"{correction} permutes all units, take correction={instead!r}"
            )
    return found


def _values_of(family: Family, correction: str, instead: str) -> dict[str, Floats]:
    statistics = {name: estimate.statistic for name, estimate in family.estimates.items()}
    found = {
        name: each.values for name, each in statistics.items() if isinstance(each, Mean) and each.scale == "linear"
    }
    ratios = [each for each in statistics.values() if isinstance(each, Ratio)]
    if len(ratios) == len(statistics) and all(
        np.array_equal(each.denominators, ratios[0].denominators) for each in ratios
    ):
        # Of clusters of units the sums are flipped, or change places, as a whole.
        return {name: each.numerators for name, each in statistics.items() if isinstance(each, Ratio)}
    if len(found) < len(statistics):
        raise MetricNameError(
            f"{correction} permutes the values of units, but {family.metric} is no mean of values of units; "
            f"take correction={instead!r}"
        )
    return found


def defined(p: Floats, method: str) -> Floats:
    """The p-values adjusted; those that are NaN are no tests, and do not count."""
    there = ~np.isnan(p)
    result = np.full(len(p), np.nan)
    result[there] = adjust(p[there], method)
    return result
