"""Probabilities with their errors, and the arguments of questions about a law."""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError

Answer = tuple[float, float, str]
"""Logarithm of a probability, absolute error of the probability, method."""


class Probability(float):
    """A probability: a float that also says how it was found, and how far it may be off.

    Attributes
    ----------
    method
        The rung of the ladder it was found on, such as ``"enumeration"`` or ``"fourier"``.
    error
        Bound of the absolute error, of random draws at confidence 0.999; 0 for an exact probability, whose only error
        is rounding.
    exact
        Whether it is the exact probability, up to rounding.

    Examples
    --------
    >>> p = Probability(0.25, "fourier", 1e-12)
    >>> p, p.method, p.exact, 1 - p
    (0.25, 'fourier', False, 0.75)
    """

    maximum: ClassVar[float] = 1.0
    """Value of certainty."""

    method: str
    error: float
    exact: bool

    def __new__(cls, value: float, method: str, error: float = 0.0) -> Self:
        """Hold `value` to the possible range, which rounding may have left."""
        probability = super().__new__(cls, min(max(float(value), 0.0), cls.maximum))
        probability.method, probability.error, probability.exact = method, float(error), error == 0
        return probability

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (float(self), self.method, self.error)


class Percentile(Probability):
    """A percentile, from 0 to 100; its error too is in percent."""

    maximum = 100.0


def require_integer(value: Any, name: str, minimum: int = 0, maximum: float = math.inf) -> int:
    """A whole number given as an argument."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not minimum <= value <= maximum:
        limits = f"of at least {minimum}" if maximum == math.inf else f"from {minimum} to {maximum}"
        raise DataError(f"is {value!r}", f"it must be a whole number {limits}", argument=name)
    return int(value)


def value_of(f: Callable[..., Any], *x: float) -> float:
    """The number that a function given by the user has there."""
    result = f(*x)
    try:
        return float(result)
    except (TypeError, ValueError):
        arguments = ", ".join(f"{value:g}" for value in x)
        raise DataError(f"is {result!r} at {arguments}", "it must give one number", argument="f") from None


def answered(question: Callable[[float], Answer], x: float | Floats) -> Any:
    """The probability at a value, or those of an array."""

    def answer(value: float) -> Probability:
        log, error, method = question(value)
        return Probability(math.exp(min(log, 0.0)), method, error)

    return map_values(answer, x)


def half_unit(digits: int) -> float:
    """Half a unit of the last decimal."""
    return 0.5 * 10.0 ** -min(require_integer(digits, "digits"), 300)


def shift_rounded(x: Any, digits: int | None, direction: int) -> float | Floats:
    """The least (-1) or greatest (1) value that rounds to x at so many decimals; x itself if None."""
    values = validate_x(x)
    return values if digits is None else values + direction * half_unit(digits)


def log_rest(log: float) -> float:
    """Log of 1 less a probability, from its own logarithm."""
    return math.log1p(-math.exp(log)) if log < 0 else -math.inf


def log_minus(log: float, less: float) -> float:
    """The logarithm of the difference of two probabilities."""
    return log + math.log(-math.expm1(less - log)) if less < log else -math.inf


def map_values(question: Callable[[float], float], x: float | Floats) -> Any:
    """The answer at a value, or those of an array in its shape."""
    if isinstance(x, float):
        return question(x)
    return np.array([question(value) for value in x.ravel().tolist()], dtype=np.float64).reshape(x.shape)


def _numbers(value: Any, name: str) -> Floats:
    """A number or an array of them given as an argument.

    Text is not read as a number, and None is not taken for NaN.
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and all(isinstance(v, Real) for v in array.flat)):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise DataError(f"is {value!r}", "it must be a number or an array of numbers", argument=name)


def validate_x(x: Any) -> float | Floats:
    """A value or an array of them."""
    array = _numbers(x, "x")
    if np.isnan(array).any():
        raise DataError("is NaN", "a probability needs a value", argument="x")
    return float(array) if array.ndim == 0 else array


def validate_q(q: Any) -> float | Floats:
    """A probability or an array of them."""
    array = _numbers(q, "q")
    outside = np.atleast_1d(array)[~np.atleast_1d((array >= 0) & (array <= 1))]
    if len(outside):
        raise DataError(f"is {outside[0]:g}", "a probability lies in [0, 1]", argument="q")
    return float(array) if array.ndim == 0 else array
