"""Intervals for a difference of two values from independent units."""

import math
from dataclasses import replace

from certus.inference.declare import Form, declare_form, form_of, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import student
from certus.inference.special import t_quantile
from certus.statistic import Mean, Ratio
from certus.statistic.folds import Independent


def default(statistic: Independent, _bounds: tuple[float, float]) -> str:
    """``"t"`` (Welch's) if both values are means or ratios of sums, otherwise ``"mover"``."""
    return "t" if isinstance(statistic.a, Mean | Ratio) and isinstance(statistic.b, Mean | Ratio) else "mover"


def standard_error(statistic: Independent) -> float:
    """Root of the sum of both squared standard errors."""
    return student.error_and_freedom(statistic, statistic.operand_bounds)[0]


@interval("t", Independent, source="Welch (1947), Biometrika 34(1/2):28-35, doi:10.1093/biomet/34.1-2.28")
def t(statistic: Independent, request: Request) -> Limits:
    """``difference +- t SE``, SE from both standard errors, with Welch-Satterthwaite degrees of freedom."""
    error, freedom = student.error_and_freedom(statistic, statistic.operand_bounds)
    if not math.isfinite(error):
        return Limits.undefined(f"1 {statistic.unit} alone has no variance")
    if error == 0:
        return Limits.undefined("the units do not vary, so the error of the difference cannot be estimated")
    return Limits.around(statistic.value, -t_quantile(request.tail, freedom) * error).clip(request.bounds)


@interval(
    "mover",
    Independent,
    label="limits of both combined",
    aliases=("newcombe", "zou-donner"),
    source="Newcombe (1998), Stat. Med. 17(8):873-890; Zou & Donner (2008), Stat. Med. 27(10):1693-1702, "
    "doi:10.1002/sim.3095",
)
def mover(statistic: Independent, request: Request) -> Limits:
    """Combine the default limits (l, u) of each value: method of variance estimates recovery.

    ::

        low  = a - b - sqrt((a - l_a)^2 + (u_b - b)^2)
        high = a - b + sqrt((u_a - a)^2 + (b - l_b)^2)

    Of two proportions with Wilson's limits it is Newcombe's hybrid score interval (his method 10).
    """
    pairs = []
    for operand in (statistic.a, statistic.b):
        form = form_of(operand, statistic.operand_bounds)
        limits = form.methods[form.default](
            operand, replace(request, bounds=statistic.operand_bounds, stratified=False)
        )
        if math.isnan(limits.low) or math.isnan(limits.high):
            return Limits.undefined(limits.reason)
        pairs.append((operand.value, limits))
    (a, of_a), (b, of_b) = pairs
    low = a - b - math.hypot(a - of_a.low, of_b.high - b)
    high = a - b + math.hypot(of_a.high - a, b - of_b.low)
    return Limits(low, high, of_a.reason or of_b.reason).clip(request.bounds)


declare_form(Independent, Form("a difference of independent values", "mover", standard_error, choose=default))
