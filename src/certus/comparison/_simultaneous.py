"""Intervals of several differences that hold together, with the adjusted p-values they belong to."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from certus.comparison._adjusted import defined, means_of
from certus.comparison._family import Family
from certus.comparison.options import Options
from certus.errors import DataError, MetricNameError
from certus.inference import Interval, Paired
from certus.inference.many.simultaneous import simultaneous_limits
from certus.inference.tests.equivalence import against_margin
from certus.inference.tests.result import of_difference
from certus.statistic import Ratio

__all__ = ["Limited", "Margins", "settled", "simultaneous"]

Limited = Interval
Margins = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The adjusted p-values of a difference of minus the margin or less, and of the margin or more."""


def settled(families: Sequence[Family], options: Options) -> Options:
    """The options with a correction that all families can have, where none was named."""
    if not (options.simultaneous and options.unnamed) or options.test not in (None, "permutation"):
        return replace(options, correction="bonferroni") if options.simultaneous and options.unnamed else options
    try:
        for family in families:
            means_of(family, "max-t")
    except (MetricNameError, DataError):
        return replace(options, correction="bonferroni")
    return options


def simultaneous(
    family: Family, pairs: Sequence[tuple[str, str]], found: Sequence[Paired], options: Options
) -> tuple[NDArray[np.float64], list[Limited | None], Margins | None]:
    """The adjusted p-values and the limits of each pair, and its p-values against both ends of a margin."""
    if options.correction == "bonferroni":
        p = defined(np.array([each.p for each in found]), "bonferroni")
        times = max(int((~np.isnan(p)).sum()), 1)
        level = 1 - (1 - options.level) / times
        limits = [each.difference.interval(level, replicates=options.draws, seed=options.seed) for each in found]
        if options.margin is None:
            return p, [*limits], None
        tests = [against_margin(each, options.margin, options.tail / times) for each in found]
        if options.interval is None:
            limits = [one if test.why else test.interval for one, test in zip(limits, tests, strict=True)]
        below, above = (np.array([getattr(test, name) for test in tests]) for name in ("p_lower", "p_upper"))
        return p, [*limits], (np.minimum(below * times, 1.0), np.minimum(above * times, 1.0))
    if options.test not in (None, "permutation"):
        raise MetricNameError(f"max-t flips signs, but test is {options.test!r}; take correction='bonferroni'")
    values = means_of(family, "max-t", "bonferroni")
    statistic = family.estimates[pairs[0][0]].statistic
    sizes = statistic.denominators if isinstance(statistic, Ratio) else np.ones(len(next(iter(values.values()))))
    differences = np.column_stack([values[system] - values[baseline] for system, baseline in pairs])
    joint = simultaneous_limits(
        differences,
        sizes,
        side=options.alternative,
        level=options.level,
        margin=math.nan if options.margin is None else options.margin,
        draws=options.draws,
        seed=options.seed,
    )
    least, greatest = of_difference(family.bounds)
    low, high = np.maximum(joint.low, least), np.minimum(joint.high, greatest)
    ends = zip(low.tolist(), high.tolist(), strict=True)
    margins = None if options.margin is None else (joint.below, joint.above)
    alike = "all differences are equal: they do not show a spread"
    limits = [Interval(*pair, options.level, "max-t", alike if math.isnan(pair[0]) else "") for pair in ends]
    return joint.p, [*limits], margins
