"""Any statistic as a Student variable: value, standard error and degrees of freedom."""

import math
from functools import partial
from typing import NamedTuple

from certus.inference.clusters import satterthwaite
from certus.inference.declare import form_of
from certus.inference.interval import Limits, Outcome, OwnInterval, Request, Side
from certus.inference.intervals import influence, ratio_of_sums
from certus.inference.intervals.cell_functions import clustered
from certus.inference.intervals.resample import GROUPS
from certus.inference.special import normal_cdf, normal_quantile, t_cdf, t_quantile
from certus.statistic import Influence, Mean, Plugin, Ratio, Statistic, TableFunction
from certus.statistic.common import Bounds, plural
from certus.statistic.folds import Folds, Independent

LEAST_ERROR = 1e-12
"""A standard error below this part of the values is rounding."""


class Student(NamedTuple):
    """A value with its standard error and degrees of freedom; gives Student's test and its interval.

    The limits are ``centre +- t error`` and p is that of ``centre / error``, so that 0 lies outside the limits if and
    only if p is at most 1 less the level.
    """

    centre: float
    error: float
    freedom: float

    def test(self, alternative: Side, shift: float = 0.0) -> Outcome:
        """Student's test of the hypothesis that the value is `shift`."""
        ratio = (self.centre - shift) / self.error
        return p_value(ratio, self.freedom, alternative), ratio, distribution_text(self.freedom), 0.0, ""

    def own_interval(self, name: str, value: float) -> OwnInterval:
        """The interval that inverts the test."""
        return OwnInterval(name, partial(_limits, self, value), partial(_tail_probability, self))


def _tail_probability(student: Student, shift: float, side: Side, _request: Request) -> tuple[float, str]:
    """One-sided p-value against a shift, and how it was computed."""
    p, _, method_note, *_ = student.test(side, shift)
    return p, method_note


def _limits(student: Student, value: float, request: Request) -> Limits:
    """Limits around the centre, widened to include the value."""
    is_normal = not math.isfinite(student.freedom)
    quantile = normal_quantile(request.tail) if is_normal else t_quantile(request.tail, student.freedom)
    low, high, *_ = Limits.around(student.centre, -quantile * student.error)
    # An adjusted centre may lie beside the value, which is still one of the differences that the data suggest.
    if value <= 0 < low or value >= 0 > high:
        return Limits(low, high).clip(request.bounds)
    return Limits(min(low, value), max(high, value)).clip(request.bounds)


def error_and_freedom(statistic: Statistic, bounds: Bounds) -> tuple[float, float]:
    """Standard error and degrees of freedom of a statistic; infinite ones for multinomial counts."""
    if isinstance(statistic, Independent):
        shares = [error_and_freedom(operand, bounds) for operand in (statistic.a, statistic.b)]
        return satterthwaite([error**2 for error, _ in shares], [freedom for _, freedom in shares])
    if isinstance(statistic, Influence):
        return influence.error_and_freedom(statistic)
    error = form_of(statistic, bounds).standard_error(statistic)
    if isinstance(statistic, Ratio):
        return ratio_of_sums.error_and_freedom(statistic)
    if isinstance(statistic, Mean | Folds) or (isinstance(statistic, TableFunction) and clustered(statistic)):
        return error, statistic.n - 1.0
    if isinstance(statistic, Plugin):
        return error, float(statistic.n if statistic.n <= 2 * GROUPS else GROUPS) - 1
    return error, math.inf


def t_at_least(x: float, freedom: float) -> float:
    """Probability that Student's t is at least x; a normal variable for infinite degrees of freedom."""
    return normal_cdf(-x) if math.isinf(freedom) else t_cdf(-x, freedom)


def p_value(x: float, freedom: float, alternative: Side) -> float:
    """The p-value of a Student variable."""
    if alternative == "two-sided":
        return min(1.0, 2 * t_at_least(abs(x), freedom))
    return t_at_least(x if alternative == "greater" else -x, freedom)


def distribution_text(freedom: float) -> str:
    """Name of the distribution: ``"9 degrees of freedom"`` or ``"normal"``."""
    return "normal" if math.isinf(freedom) else f"{round(freedom, 1):g} degrees of freedom"


def no_spread(statistic: Statistic, error: float) -> str:
    """Reason why Student's test does not apply."""
    if math.isnan(error):
        return "a single unit, alone or in its stratum, has no variance"
    return f"the {plural(statistic.n, statistic.unit)} do not vary, so the error of the difference cannot be estimated"
