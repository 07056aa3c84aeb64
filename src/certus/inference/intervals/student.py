"""Any statistic as a Student variable: its standard error, and the degrees of freedom that this error has."""

import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from certus.inference.clusters import satterthwaite
from certus.inference.declare import form_of
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals import influence, ratio_of_sums
from certus.inference.intervals.cell_functions import clustered
from certus.inference.intervals.resample import GROUPS
from certus.inference.special import normal_cdf, normal_quantile, t_cdf, t_quantile
from certus.statistic import Influence, Mean, Plugin, Ratio, Statistic, TableFunction
from certus.statistic.common import Bounds, plural
from certus.statistic.folds import Folds, Independent

if TYPE_CHECKING:
    from certus.inference.tests.result import Alternative, Outcome


LEAST_ERROR = 1e-12
"""A standard error below this part of the values is rounding."""


class Student(NamedTuple):
    """A value with its standard error, and the degrees of freedom that this has: a test and the interval of it.

    The limits are ``centre +- t error`` and p is that of ``centre / error``, so that 0 lies outside the limits if and
    only if p is at most 1 less the level.
    """

    centre: float
    error: float
    freedom: float

    def test(self, alternative: "Alternative", shift: float = 0.0) -> "Outcome":
        """Student's test that the value is `shift`."""
        ratio = (self.centre - shift) / self.error
        return p_value(ratio, self.freedom, alternative), ratio, described(self.freedom), 0.0, ""

    def own_interval(self, name: str, value: float) -> OwnInterval:
        """The interval of the test, under the name that its form has for it."""
        return OwnInterval(name, partial(_limits, self, value), partial(_tail_probability, self))


def _tail_probability(student: Student, shift: float, side: Side, _request: Request) -> tuple[float, str]:
    p, _, method_note, *_ = student.test(side, shift)
    return p, method_note


def _limits(student: Student, value: float, request: Request) -> Limits:
    quantile = -t_quantile(request.tail, student.freedom) if math.isfinite(student.freedom) else None
    if quantile is None:
        quantile = -normal_quantile(request.tail)
    low, high, *_ = Limits.around(student.centre, quantile * student.error)
    # An adjusted centre may lie beside the value, which is still one of the differences that the data suggest.
    if value <= 0 < low or value >= 0 > high:
        return Limits(low, high).clip(request.bounds)
    return Limits(min(low, value), max(high, value)).clip(request.bounds)


def error_and_freedom(statistic: Statistic, bounds: Bounds) -> tuple[float, float]:
    """The standard error of a statistic and its degrees of freedom, which are infinite for multinomial counts."""
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
    """The probability that a Student variable is at least x; a normal one for infinitely many degrees of freedom."""
    return normal_cdf(-x) if math.isinf(freedom) else t_cdf(-x, freedom)


def p_value(x: float, freedom: float, alternative: "Alternative") -> float:
    """The p-value of a Student variable."""
    if alternative == "two-sided":
        return min(1.0, 2 * t_at_least(abs(x), freedom))
    return t_at_least(x if alternative == "greater" else -x, freedom)


def described(freedom: float) -> str:
    """The law in words."""
    return "normal" if math.isinf(freedom) else f"{round(freedom, 1):g} degrees of freedom"


def no_spread(statistic: Statistic, error: float) -> str:
    """Why there is no test of Student's."""
    if math.isnan(error):
        return "a single unit, alone or in its stratum, does not show its spread"
    return (
        f"the {plural(statistic.n, statistic.unit)} show no spread: they do not tell how far the difference can be off"
    )
