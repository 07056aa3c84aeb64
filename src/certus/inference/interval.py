"""The input of an interval method, and the limits that it returns."""

import math
import numbers
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError, MetricNameError
from certus.core.printable import rounded_limits
from certus.core.readable import Readable

Side = Literal["two-sided", "greater", "less"]
Outcome = tuple[float, float, str, float, str]
"""Of a test: p, the statistic, how p was computed, its error, and the reason if there is none."""

DEFAULT_REPLICATES = 10_000
ERROR_ROUNDING = 1e-12
"""A standard error below this part of the value is rounding."""


def joined(*reasons: str) -> str:
    """The reasons as one text, each once.

    Examples
    --------
    >>> joined("few units", "", "few units", "a value is 0")
    'few units; a value is 0'
    """
    return "; ".join(dict.fromkeys(filter(None, reasons)))


class Limits(NamedTuple):
    """The two limits that an interval method returns, and what a reader must know about them."""

    low: float
    high: float
    reason: str = ""
    method: str = ""
    """The name of the method that made them, where it is not the one that was called."""

    @classmethod
    def undefined(cls, reason: str) -> "Limits":
        """No limits (NaN), with the reason."""
        return cls(math.nan, math.nan, reason)

    @classmethod
    def around(cls, value: float, half_width: float) -> "Limits":
        """Limits ``value - half_width`` and ``value + half_width``."""
        return cls(value - half_width, value + half_width)

    @classmethod
    def on_scale(cls, value: float, half_width: float, bounds: tuple[float, float]) -> "Limits":
        """``value +- half_width`` on a scale (logit, log) that maps the bounds to infinity, mapped back.

        Between two finite bounds the scale is the logit of the position between them, which for bounds -1 and 1 is
        twice Fisher's z = atanh(value); from one finite bound it is the logarithm of the distance; without any it is
        the value itself. The step has the length that `half_width` has there to first order (delta method). On the
        bound itself there is no such scale, and the step is taken on the value.

        Examples
        --------
        >>> low, high, *_ = Limits.on_scale(0.5, 0.25, (0.0, 1.0))
        >>> round(low, 4), round(high, 4)
        (0.2689, 0.7311)
        >>> Limits.on_scale(1.0, 0.5, (-math.inf, math.inf))
        Limits(low=0.5, high=1.5, reason='', method='')
        """
        lower_bound, upper_bound = bounds
        to_lower, to_upper = value - lower_bound, upper_bound - value
        if min(to_lower, to_upper) <= 0 or (math.isinf(to_lower) and math.isinf(to_upper)):
            return cls.around(value, half_width).clip(bounds)
        if math.isinf(to_upper):
            low, high = (lower_bound + to_lower * _exp(step / to_lower) for step in (-half_width, half_width))
            return cls(low, high)
        if math.isinf(to_lower):
            low, high = (upper_bound - to_upper * _exp(step / to_upper) for step in (half_width, -half_width))
            return cls(low, high)
        step = half_width / to_lower + half_width / to_upper
        logit = math.log(to_lower / to_upper)
        return cls(_at_logit(logit - step, bounds), _at_logit(logit + step, bounds)).clip(bounds)

    def one_sided(self, side: Side, bounds: tuple[float, float]) -> "Limits":
        """The limit of a one-sided interval; the bound is its other end. Undefined limits stay undefined."""
        if side == "two-sided" or math.isnan(self.low) or math.isnan(self.high):
            return self
        return self._replace(high=bounds[1]) if side == "greater" else self._replace(low=bounds[0])

    def noting(self, *cautions: str) -> "Limits":
        """The limits with further remarks, unless they are undefined."""
        is_undefined = math.isnan(self.low) or math.isnan(self.high)
        return self if is_undefined else self._replace(reason=joined(self.reason, *cautions))

    def clip(self, bounds: tuple[float, float]) -> "Limits":
        """The limits clipped to the values the metric can take; NaN stays NaN."""
        lower_bound, upper_bound = bounds
        low = self.low if math.isnan(self.low) else float(min(max(self.low, lower_bound), upper_bound))
        high = self.high if math.isnan(self.high) else float(min(max(self.high, lower_bound), upper_bound))
        return self._replace(low=low, high=high)


def _at_logit(logit: float, bounds: tuple[float, float]) -> float:
    """Value between two finite bounds whose logit, relative to the bounds, is `logit`."""
    lower_bound, upper_bound = bounds
    if logit < 0:
        odds = math.exp(logit)
        return lower_bound + (upper_bound - lower_bound) * (odds / (1 + odds))
    odds = math.exp(-logit)
    return upper_bound - (upper_bound - lower_bound) * (odds / (1 + odds))


def _exp(x: float) -> float:
    """``exp(x)``, infinite where it overflows."""
    return math.exp(x) if x < 709 else math.inf


def is_degenerate(value: float, error: float) -> bool:
    """True if the standard error is 0 up to rounding, so that limits computed from it would have no width."""
    return error <= ERROR_ROUNDING * abs(value)


class ManyLimits(NamedTuple):
    """Limits of many statistics by their default methods; those not `is_known` are to be computed one by one."""

    low: Floats
    high: Floats
    is_known: NDArray[np.bool_]
    methods: list[str]
    reasons: list[str]

    @classmethod
    def unknown(cls, number: int) -> "ManyLimits":
        """Limits that are all unknown."""
        low, high = np.full((2, number), math.nan)
        return cls(low, high, np.zeros(number, dtype=np.bool_), [""] * number, [""] * number)


def check_alternative(alternative: object) -> None:
    """Refuse an alternative other than two-sided, greater or less."""
    if alternative not in ("two-sided", "greater", "less"):
        raise MetricNameError(
            f"is {alternative!r}", "it must be 'two-sided', 'greater' or 'less'", argument="alternative"
        )


def checked_level(level: Any) -> float:
    """Return the level as a float, refusing any outside of (0, 1)."""
    number = type(level) is float or (isinstance(level, numbers.Real) and not isinstance(level, bool))
    if not number:
        text = " ".join(reprlib.repr(level).split())
        raise CertusError(
            f"is {text}", "it must be a number strictly between 0 and 1, for example 0.95", argument="level"
        )
    if not 0 < level < 1:
        raise CertusError(f"is {level}", "it must lie strictly between 0 and 1, for example 0.95", argument="level")
    found = float(level)
    if 1 - found in (0, 1):
        raise CertusError(f"is {level}", f"that is too near to {found:.0f}, take for example 0.95", argument="level")
    return found


@dataclass(frozen=True, slots=True)
class Request:
    """The options of an interval method, see `Estimate.interval`.

    With the side ``"greater"`` there is one lower limit, with ``"less"`` one upper limit, and all of ``1 - level`` lies
    beyond it; the other limit of a method has no meaning then.
    """

    level: float = 0.95
    bounds: tuple[float, float] = (-math.inf, math.inf)
    replicates: int = DEFAULT_REPLICATES
    seed: int = 0
    stratified: bool = False
    side: Side = "two-sided"

    def __post_init__(self) -> None:
        checked_level(self.level)
        if _integer_or_negative(self.replicates) < 1:
            raise CertusError(
                f"is {self.replicates!r}", "it must be a whole number of at least 1", argument="replicates"
            )
        if not 0 <= _integer_or_negative(self.seed) < 2**64:
            raise CertusError(f"is {self.seed!r}", "it must be a whole number from 0 to 2**64 - 1", argument="seed")

    @property
    def tail(self) -> float:
        """Error probability on each side: ``(1 - level) / 2``, or ``1 - level`` if the interval is one-sided."""
        return (1 - self.level) / (2 if self.side == "two-sided" else 1)


def _integer_or_negative(number: Any) -> int:
    """The number as an int; -1 if it is not a whole number."""
    return int(number) if isinstance(number, numbers.Integral) else -1


class OwnInterval(NamedTuple):
    """An interval that only one estimate has, whatever its form: the one that belongs to the test it came from.

    Attributes
    ----------
    name
        The name of the interval method.
    limits
        The values that the test does not reject.
    tail_probability
        The same test of any value: the one-sided p-value of "the truth is at most this" (for the side ``"greater"``) or
        "at least this" (``"less"``), and how it was computed; NaN with the reason. The request is that of the two-sided
        limits that it belongs to. None where no interval inverts the test.
    """

    name: str
    limits: Callable[[Request], Limits]
    tail_probability: Callable[[float, Side, Request], tuple[float, str]] | None = None


class Interval(tuple[float, float], Readable):
    """A confidence interval: the pair ``(low, high)``, with its level, its method and a reason or remark.

    Attributes
    ----------
    low, high
        The limits; NaN where the data do not give any.
    level
        The confidence level they were made for.
    method
        The name of the interval method.
    reason
        Why the limits are NaN, or what to know about them; empty when there is nothing to say.

    Examples
    --------
    >>> interval = Interval(0.2988, 0.3281, 0.95, "t")
    >>> low, high = interval
    >>> print(interval, interval.method)
    [0.2988, 0.3281] t
    """

    level: float
    method: str
    reason: str

    def __new__(cls, low: float, high: float, level: float, method: str, reason: str = "") -> Self:
        """Make an interval; its elements are the two limits."""
        interval = super().__new__(cls, (low or abs(low), high or abs(high)))  # no limit is -0.0
        interval.level, interval.method, interval.reason = level, method, reason
        return interval

    def __getnewargs__(self) -> tuple[float, float, float, str, str]:
        return (*self, self.level, self.method, self.reason)

    @property
    def low(self) -> float:
        """The lower limit."""
        return self[0]

    @property
    def high(self) -> float:
        """The upper limit."""
        return self[1]

    def __repr__(self) -> str:
        reason = f", reason={self.reason!r}" if self.reason else ""
        return f"Interval(low={self.low!r}, high={self.high!r}, level={self.level!r}, method={self.method!r}{reason})"

    @property
    def defined(self) -> bool:
        """True if both limits are numbers."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def __str__(self) -> str:
        # Limits of a count are whole numbers.
        if isinstance(self.low, int) and isinstance(self.high, int):
            return f"[{self.low}, {self.high}]"
        return f"[{', '.join(rounded_limits(self.low, self.high))}]"
