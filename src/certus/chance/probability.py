"""Probabilities and percentiles that say how they were found."""

from typing import Any, ClassVar, Self


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

    most: ClassVar[float] = 1.0
    """Value of certainty."""

    method: str
    error: float
    exact: bool

    def __new__(cls, value: float, method: str, error: float = 0.0) -> Self:
        """Hold `value` to the possible range, which rounding may have left."""
        made = super().__new__(cls, min(max(float(value), 0.0), cls.most))
        made.method, made.error, made.exact = method, float(error), error == 0
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (float(self), self.method, self.error)


class Percentile(Probability):
    """A percentile, from 0 to 100; its error too is in percent."""

    most = 100.0
