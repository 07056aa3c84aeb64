"""The one table of interval methods: for each form of statistic, its methods by name and its default."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from certus.errors import MetricNameError
from certus.inference import (
    cells,
    folds,
    gaps,
    independent,
    influence,
    mean,
    plugin,
    proportion,
    quantile,
    ratio_of_sums,
    sampled,
    strata,
    ustatistic,
)
from certus.inference.interval import Limits, Request
from certus.spelling import Speller
from certus.statistic import (
    Cells,
    Folds,
    Gaps,
    Independent,
    Influence,
    Mean,
    Plugin,
    Proportion,
    Quantile,
    Ratio,
    Sampled,
    Statistic,
    Strata,
    UStatistic,
)

__all__ = ["FORMS", "LABELS", "Form", "check_method", "form_of"]

Bounds = tuple[float, float]

LABELS = {
    "t": "Student t",
    "hall": "skewness-corrected t",
    "beta-moments": "beta limits",
    "normal": "normal",
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
    "bootstrap-t": "bootstrap-t",
    "delta": "delta method",
    "fisher-z": "Fisher z",
    "adjusted-delta": "adjusted delta method",
    "dirichlet": "Dirichlet posterior",
    "influence-logit": "influence function, logit",
    "influence": "influence function",
    "influence-log": "influence function, logarithm",
    "order-statistics": "order statistics",
    "woodruff": "Woodruff",
    "score-delong": "DeLong score",
    "logit-delong": "logit DeLong",
    "delong": "DeLong",
    "hanley-mcneil": "Hanley-McNeil",
    "bias-aware": "bias-aware",
    "jackknife": "jackknife",
    "wilson": "Wilson",
    "modified-wilson": "modified Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "jeffreys": "Jeffreys",
    "agresti-coull": "Agresti-Coull",
    "mid-p": "mid-P",
    "blaker": "Blaker",
    "goutte-gaussier": "Goutte-Gaussier posterior",
    "wald": "Wald",
    "posterior": "beta-binomial posterior",
    "hpd": "highest posterior density",
    "hypergeometric": "hypergeometric test inversion",
    "hypergeometric-lower": "hypergeometric lower limit",
    "hypergeometric-upper": "hypergeometric upper limit",
    "amo": "AMO (least average size)",
    "wang": "Wang",
    "wilson-fpc": "Wilson, finite population",
    "beta": "beta posterior",
    "nadeau-bengio": "corrected resampled t",
    "ppr": "prior-posterior ratio",
    "wsr": "empirical Bernstein",
    "bonferroni": "Bonferroni exact",
    "buehler": "Buehler exact",
    "berger-boos": "Berger-Boos exact",
    "mover": "limits of both combined",
    "permutation": "permutation test inverted",
    "walsh": "Walsh averages",
    "tango": "Tango score",
    "score": "score test inverted",
    "bootstrap": "bootstrap test inverted",
    "max-t": "maximum test inverted",
    "studentized-range": "studentised range",
    "simultaneous": "limits of all subgroups at once",
    "none": "no interval",
}
"""Names of the methods as a text prints them."""

ALIASES = {
    "student": "t",
    "welch": "t",
    "newcombe": "mover",
    "zou-donner": "mover",
    "z": "normal",
    "gaussian": "normal",
    "bootstrap": "percentile",
    "percentile-bootstrap": "percentile",
    "bootstrap-percentile": "percentile",
    "bootstrap-bca": "bca",
    "studentized": "bootstrap-t",
    "studentized-bootstrap": "bootstrap-t",
    "linearized": "delta",
    "skewness-adjusted-t": "hall",
    "moment-matched-beta": "beta-moments",
    "score": "wilson",
    "exact": "clopper-pearson",
    "midp": "mid-p",
    "mid-p-exact": "mid-p",
    "clopper": "clopper-pearson",
    "cp": "clopper-pearson",
    "agresti": "agresti-coull",
    "corrected-t": "nadeau-bengio",
    "beta-binomial": "posterior",
    "equal-tailed": "hypergeometric",
    "least-average-size": "amo",
    "fpc": "wilson-fpc",
    "atanh": "fisher-z",
    "fisher": "fisher-z",
    "hanley": "hanley-mcneil",
    "delong-logit": "logit-delong",
    "delong-score": "score-delong",
    "logit-influence": "influence-logit",
    "log-influence": "influence-log",
    "binomial-order-statistics": "order-statistics",
    "bonferroni-exact": "bonferroni",
    "buehler-exact": "buehler",
    "berger-boos-exact": "berger-boos",
}


@dataclass(frozen=True, slots=True)
class Form:
    """A form of statistic: how to call it, its interval methods, the one taken by default, its standard error.

    Where the default depends on the statistic, `chosen` gives it from the statistic and the metric's bounds; `lacking`
    gives the methods that a statistic has no use for, or not what they need.
    """

    name: str
    default: str
    methods: Mapping[str, Callable[[Any, Request], Limits]]
    standard_error: Callable[[Any], float]
    chosen: Callable[[Any, Bounds], str] | None = None
    lacking: Callable[[Any, Bounds], Collection[str]] | None = None

    def method(self, given: object) -> str:
        """The name of the method that the user's spelling means; None is the default.

        Case, blanks and underscores do not matter, and other names in use are understood ("Student t", "score").

        Raises
        ------
        MetricNameError
            The form has no method of that name.

        Examples
        --------
        >>> FORMS[Mean].method("Student t"), FORMS[Proportion].method("Clopper_Pearson"), FORMS[Ratio].method(None)
        ('t', 'clopper-pearson', 'delta')
        """
        if given is None:
            return self.default
        if not isinstance(given, str):
            raise MetricNameError(f"method is {given!r}; it must be the name of one: {', '.join(self.methods)}")
        offered = list(self.methods)
        name = SPELLER.find(given, offered)
        if name is not None:
            return name
        known = f"no interval method is named {given!r}{SPELLER.hint(given, offered)}"
        if SPELLER.find(given) is not None:
            known = f"the interval method {given!r} is not one for {self.name}"
        raise MetricNameError(f"{known}; the methods are {', '.join(offered)}")


SPELLER = Speller.of(
    [name for name in LABELS if name not in ALIASES], {label: name for name, label in LABELS.items()} | ALIASES
)

FORMS: dict[type[Statistic], Form] = {
    Mean: Form("a mean", "t", mean.METHODS, mean.standard_error, mean.default, mean.lacking),
    Ratio: Form("a ratio of sums", "delta", ratio_of_sums.METHODS, ratio_of_sums.standard_error, ratio_of_sums.default),
    Proportion: Form(
        "a proportion",
        "wilson",
        proportion.METHODS,
        proportion.standard_error,
        proportion.default,
        proportion.lacking,
    ),
    Plugin: Form("a function of units", "bca", plugin.METHODS, plugin.standard_error),
    Cells: Form(
        "a function of cell counts", "delta", cells.METHODS, cells.standard_error, cells.default, cells.lacking
    ),
    Influence: Form(
        "a statistic with influence values",
        "influence-logit",
        influence.METHODS,
        influence.standard_error,
        influence.chosen,
        influence.lacking,
    ),
    UStatistic: Form(
        "a U-statistic",
        "score-delong",
        ustatistic.METHODS,
        influence.standard_error,
        lacking=influence.lacking,
    ),
    Folds: Form("a mean over folds", "nadeau-bengio", folds.METHODS, folds.standard_error),
    Gaps: Form("a norm of gaps", "bias-aware", gaps.METHODS, gaps.standard_error),
    Sampled: Form("a sampled count", "blaker", sampled.METHODS, sampled.standard_error),
    Quantile: Form(
        "a quantile",
        "order-statistics",
        quantile.METHODS,
        quantile.standard_error,
        quantile.chosen,
        quantile.lacking,
    ),
    Strata: Form("a share of strata", "posterior", strata.METHODS, strata.standard_error, lacking=strata.lacking),
    Independent: Form(
        "a difference of independent values",
        "mover",
        independent.METHODS,
        independent.standard_error,
        independent.default,
    ),
}


def form_of(statistic: Statistic, bounds: Bounds = (-math.inf, math.inf)) -> Form:
    """The entry of the table for a statistic, with the methods that it offers and the default that it has."""
    form = FORMS[type(statistic)]
    if form.lacking is not None and (lacking := form.lacking(statistic, bounds)):
        methods = {name: method for name, method in form.methods.items() if name not in lacking}
        form = replace(form, methods=methods)
    return form if form.chosen is None else replace(form, default=form.chosen(statistic, bounds))


def check_method(given: str) -> None:
    """Refuse an interval method that no form has.

    Raises
    ------
    MetricNameError
        There is no such method.
    """
    refusals = []
    for form in FORMS.values():
        try:
            form.method(given)
        except MetricNameError as error:
            refusals.append(error)
        else:
            return
    raise refusals[0]
