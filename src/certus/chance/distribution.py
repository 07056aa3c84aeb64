"""Questions that every distribution of this package answers, in scipy's vocabulary, and what it takes to be one."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np

from certus.chance.probability import (
    Answer,
    answered,
    half_unit,
    log_minus,
    map_values,
    require_integer,
    shift_rounded,
    validate_q,
    validate_x,
    value_of,
)
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.core.listing import Listing, Tabular
from certus.core.readable import Drawable
from certus.transform.quantile import RELATIVE_TOLERANCE

if TYPE_CHECKING:
    from certus.chance.exact import Finite
    from certus.chance.monte_carlo import Replicates


_ENUMERATION_LIMIT = 1 << 20
"""Values that `Distribution.expect` adds up one by one."""


class KnownMoments(NamedTuple):
    """Mean, variance, skewness and excess kurtosis."""

    mean: float
    var: float
    skewness: float
    kurtosis: float

    @classmethod
    def central(cls, mean: float, var: float, third: float, fourth: float) -> Self:
        """From the mean and the central moments; without a variance there is no shape."""
        return cls(mean, var, third / var**1.5, fourth / var**2 - 3) if var else cls(mean, 0.0, math.nan, math.nan)


class Distribution(Drawable, Tabular, ABC):
    """The distribution of a metric under a random ranking; frozen, as ``scipy.stats.hypergeom(...)`` is.

    Every question that takes a value takes an array too. A single value is answered with a `Probability`, a float that
    also has ``method``, ``exact`` and ``error``; an array with an array of floats. Values that rounding may have moved
    apart (nearer than 1e-12 of the support's width) are one value, so that an observed metric meets its atom.

    A printed value is not the value: 0.9167 is above 11/12 and misses its atom. ``digits=4`` says that x was rounded to
    four decimals and stands for every value that rounds to it, both ends included: `tail` starts at the least of them,
    `cdf` ends at the greatest, `pmf` has all of them and `sf` none.

    Examples
    --------
    >>> from certus.chance import average_precision
    >>> law = average_precision(8, 3)
    >>> round(law.tail(11 / 12), 4), round(law.tail(0.9167), 4), round(law.tail(0.9167, digits=4), 4)
    (0.0357, 0.0179, 0.0357)
    """

    _method = ""
    _exact = False

    def __repr__(self) -> str:
        low, high = self.support()
        return f"<{type(self).__name__}: values from {low:.4g} to {high:.4g}>"

    @property
    def method(self) -> str:
        """The way probabilities are found, such as ``"enumeration"`` or ``"fourier"``."""
        return self._method

    @property
    def exact(self) -> bool:
        """True if probabilities are exact up to rounding."""
        return self._exact

    # A law is what follows; every question further down is answered from it.

    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""

    @property
    @abstractmethod
    def _moments(self) -> KnownMoments:
        """Mean, variance, skewness and excess kurtosis."""

    @abstractmethod
    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        """Log of P(X > x), or of P(X < x) for the lower side; with `atom`, x itself belongs to the side."""

    @abstractmethod
    def _log_pmf(self, x: float) -> Answer:
        """Log of P(X = x), with its error and method."""

    @abstractmethod
    def _inverse(self, q: float, *, upper: bool) -> float:
        """Least x with P(X <= x) >= q, or with P(X > x) <= q for the upper side, for 0 < q < 1."""

    @abstractmethod
    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        """Independent values."""

    def _enumerate(self, limit: int) -> "Finite | None":
        """All values with their probabilities; None where there are more than `most`, or nobody lists them."""
        del limit
        return None

    def _listing(self) -> Listing:
        if (law := self._enumerate(_ENUMERATION_LIMIT)) is None:
            problem = f"the values of {self!r} cannot be listed, or are too many"
            raise DataError(problem, "ask pmf, cdf or tail about the values that matter, or draw it with plot()")
        return Listing.from_columns({"value": law.values.tolist(), "probability": law.chances.tolist()})

    def mean(self) -> float:
        """Expected value."""
        return self._moments.mean

    def expect(self, f: Callable[[float], float]) -> float:
        """Expected value of ``f(X)``, exact up to rounding: the sum of ``f(x) P(X = x)`` over all values.

        Parameters
        ----------
        f
            A function of one value of X that gives a number.

        Raises
        ------
        DataError
            The law has more than about a million values, or values that nobody can list, as average precision of long
            lists; ``numpy.mean(f(law.rvs(100_000)))`` estimates it. Or f gives no number.

        Examples
        --------
        Three hits among eight items: E(1 / L) and E(1 / L^2) of the rank L of the first one.

        >>> from certus.chance import hit_rank
        >>> first = hit_rank(8, 3, 1)
        >>> round(first.expect(lambda rank: 1 / rank), 6), round(first.expect(lambda rank: 1 / rank**2), 6)
        (0.608929, 0.471141)
        """
        law = self._enumerate(_ENUMERATION_LIMIT)
        if law is None:
            raise DataError(
                f"the law has more than {_ENUMERATION_LIMIT:,} values or none that can be listed, so no sum over "
                "them is exact",
                "average f over values from rvs()",
            )
        values, chances = law.values.tolist(), law.chances.tolist()
        return math.fsum(chance * value_of(f, x) for x, chance in zip(values, chances, strict=True) if chance)

    def _replicates(self) -> "Replicates | None":
        """The draws that a picture shows instead of probabilities that take too long; None where it needs none."""
        return None

    def plot(
        self,
        ax: Any = None,
        *,
        observed: float | None = None,
        digits: int | None = None,
        alternative: Literal["greater", "less", "two-sided"] = "greater",
        normal: bool = True,
        name: str | None = None,
        xlabel: str = "Value under a random ranking",
        title: str = "",
    ) -> Any:
        """Draw the law; needs ``certus[plot]``.

        Few values have a bar each, of the height of their probability; the law of many is a density, whose steps have
        exact probabilities. A law that takes long for each of them is drawn from 20,000 random values instead, as the
        legend says.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure. Several laws may share one.
        observed, digits
            A value to mark, with its probability in the legend and the tail from there on shaded; the decimals that it
            was rounded to, as for `tail`.
        alternative
            The tail: ``"greater"``, ``"less"``, or ``"two-sided"``, of which the smaller one is shaded.
        normal
            Whether to draw the normal law of the same mean and variance beside it.
        name
            What the legend calls the law; by default how it was found.
        xlabel, title
            What stands below and above.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.

        Raises
        ------
        DataError
            An argument is not what it must be.
        ImportError
            matplotlib is not installed.
        """
        from certus.chance.pictures import draw_law

        return draw_law(self, ax, observed, digits, alternative, normal, name, xlabel, title)

    def var(self) -> float:
        """Variance."""
        return self._moments.var

    def std(self) -> float:
        """Standard deviation."""
        return math.sqrt(self.var())

    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; NaN where that is 0."""
        return self._moments.skewness

    def kurtosis(self) -> float:
        """Fourth central moment over the squared variance, less 3 (0 for a normal law); NaN where the variance is 0."""
        return self._moments.kurtosis

    def _log_tail(self, x: float) -> Answer:
        return self._log_side(x, upper=True, atom=True)

    def _log_sf(self, x: float) -> Answer:
        return self._log_side(x, upper=True, atom=False)

    def _log_cdf(self, x: float) -> Answer:
        return self._log_side(x, upper=False, atom=True)

    def tail(self, x: Any, digits: int | None = None) -> Any:
        """P(X >= x), the atom at x included: the p-value of an observed x."""
        return answered(self._log_tail, shift_rounded(x, digits, -1))

    def sf(self, x: Any, digits: int | None = None) -> Any:
        """P(X > x), as in scipy; `tail` has the atom too."""
        return answered(self._log_sf, shift_rounded(x, digits, 1))

    def cdf(self, x: Any, digits: int | None = None) -> Any:
        """P(X <= x)."""
        return answered(self._log_cdf, shift_rounded(x, digits, 1))

    def pmf(self, x: Any, digits: int | None = None) -> Any:
        """P(X = x); with `digits` the probability of all values that round to x."""
        if digits is None:
            return answered(self._log_pmf, validate_x(x))
        half = half_unit(digits)
        return answered(lambda value: self._log_between(value - half, value + half), validate_x(x))

    def _log_between(self, low: float, high: float) -> Answer:
        """Log P(low <= X <= high), the absolute error of the probability, and the method."""
        lowest, highest = self.support()
        (tail, error, method), (upper_tail, second_error, _) = self._log_tail(low), self._log_sf(high)
        if tail > -math.log(2):
            # The difference of the smaller tails has the digits. Below `low` is what lies apart from it.
            below_low = low - 4 * RELATIVE_TOLERANCE * max(highest - lowest, abs(lowest), abs(highest))
            (tail, error, method), (upper_tail, second_error, _) = self._log_cdf(high), self._log_cdf(below_low)
        return log_minus(tail, upper_tail), error + second_error, method

    def logsf(self, x: Any, digits: int | None = None) -> Any:
        """Natural logarithm of `sf`, for probabilities below the least float too."""
        return map_values(lambda value: self._log_sf(value)[0], shift_rounded(x, digits, 1))

    def logtail(self, x: Any, digits: int | None = None) -> Any:
        """Natural logarithm of `tail`."""
        return map_values(lambda value: self._log_tail(value)[0], shift_rounded(x, digits, -1))

    def ppf(self, q: Any) -> Any:
        """The quantile: least x with P(X <= x) >= q; the least possible value for q = 0.

        Raises
        ------
        DataError
            If q lies outside [0, 1].
        """
        return map_values(lambda share: self._quantile(share, upper=False), validate_q(q))

    def isf(self, q: Any) -> Any:
        """The upper quantile: least x with P(X > x) <= q.

        Raises
        ------
        DataError
            If q lies outside [0, 1].
        """
        return map_values(lambda share: self._quantile(share, upper=True), validate_q(q))

    def _quantile(self, q: float, *, upper: bool) -> float:
        if q in (0.0, 1.0):
            return self.support()[0 if (q == 1) == upper else 1]
        return self._inverse(q, upper=upper)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The quantiles between which the middle `level` of the probability lies.

        Raises
        ------
        DataError
            If the level lies outside (0, 1).
        """
        value: Any = level
        if not isinstance(value, Real) or not 0 < level < 1:
            raise DataError(f"is {level!r}", "it must be one number strictly between 0 and 1", argument="level")
        return self.ppf((1 - level) / 2), self.ppf((1 + level) / 2)

    def rvs(self, size: int = 1, seed: int = 0) -> Floats:
        """Independent random values; one seed gives the same values every time.

        Raises
        ------
        DataError
            If the size or the seed is negative, or the seed is not below 2**64.
        """
        if require_integer(seed, "seed") >= 2**64:
            raise DataError(f"is {seed}", "it must be a whole number from 0 to 2**64 - 1", argument="seed")
        generator = np.random.Generator(np.random.PCG64(int(seed)))
        return self._draw(require_integer(size, "size"), generator)
