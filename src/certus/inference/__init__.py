"""Uncertainty of a number: intervals and tests chosen by the form of a statistic, never by the metric's name."""

from typing import TYPE_CHECKING

from certus.core.lazy import attributes

if TYPE_CHECKING:
    from certus.inference.estimate import Estimate, Estimates
    from certus.inference.interval import Interval
    from certus.inference.intervals.numbers import f1_interval, from_folds, mean_interval, proportion_interval
    from certus.inference.many.adjust import adjust
    from certus.inference.many.joint import max_t, tukey_hsd
    from certus.inference.many.letters import letters
    from certus.inference.planning.power import minimum_detectable, power, power_curve, units_needed
    from certus.inference.posterior import posteriors, superiority
    from certus.inference.tests.difference import difference, ratio
    from certus.inference.tests.equivalence import equivalence
    from certus.inference.tests.paired import paired
    from certus.inference.tests.paired_scores import paired_scores
    from certus.inference.tests.rope import dirichlet_superiority, f1_superiority, rope
    from certus.inference.tests.shares import mcnemar

__all__ = [
    "Estimate",
    "Estimates",
    "Interval",
    "adjust",
    "difference",
    "dirichlet_superiority",
    "equivalence",
    "f1_interval",
    "f1_superiority",
    "from_folds",
    "letters",
    "max_t",
    "mcnemar",
    "mean_interval",
    "minimum_detectable",
    "paired",
    "paired_scores",
    "posteriors",
    "power",
    "power_curve",
    "proportion_interval",
    "ratio",
    "rope",
    "superiority",
    "tukey_hsd",
    "units_needed",
]


_NAMES: dict[str, tuple[str, ...]] = {
    "estimate": ("Estimate", "Estimates"),
    "interval": ("Interval",),
    "intervals.numbers": ("f1_interval", "from_folds", "mean_interval", "proportion_interval"),
    "many.adjust": ("adjust",),
    "many.letters": ("letters",),
    "many.joint": ("max_t", "tukey_hsd"),
    "planning.power": ("minimum_detectable", "power", "power_curve", "units_needed"),
    "posterior": ("posteriors", "superiority"),
    "tests.difference": ("difference", "ratio"),
    "tests.equivalence": ("equivalence",),
    "tests.shares": ("mcnemar",),
    "tests.paired": ("paired",),
    "tests.paired_scores": ("paired_scores",),
    "tests.rope": ("dirichlet_superiority", "f1_superiority", "rope"),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers
    __getattr__ = attributes(__name__, _MODULES)
