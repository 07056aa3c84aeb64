"""An observed value against its distribution under a random ranking."""

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from certus.chance.probability import Probability, require_integer
from certus.core.errors import CertusError
from certus.core.listing import Listing, Tabular

if TYPE_CHECKING:
    from certus.chance.distribution import Distribution


Alternative: TypeAlias = Literal["greater", "less", "two-sided"]

_ROUNDING = 1e-14
"""Relative difference of two sums that rounding alone may make."""


@dataclass(frozen=True, eq=False, repr=False)
class VersusChance(Tabular):
    """A value against the scores of a random ranking; made by ``Estimate.versus_chance``.

    It says whether a ranking is better than no ranking. It says nothing about one system against another: of two
    systems that both beat chance, the one with the smaller p is not shown to be the better one. For that compare the
    two on the same queries or samples.

    Attributes
    ----------
    value
        The observed value.
    null
        The distribution under a random ranking, with everything that it can be asked.
    alternative
        ``"greater"``: p is P(X >= value). ``"less"``: P(X <= value). ``"two-sided"``: twice the smaller of both, at
        most 1.
    metric
        What was measured.
    random
        What is random, in words.
    better
        ``"higher"`` or ``"lower"``: which end of the null's support is a perfect score.
    subject
        What a random one is compared with: a ranking, a clustering.
    digits
        Decimals that the value was rounded to, so that it stands for every value that rounds to it; None for the value
        itself.

    Examples
    --------
    >>> import numpy as np
    >>> from certus.chance.exact import Finite
    >>> coin = Finite(np.array([0.0, 0.5, 1.0]), np.log([0.25, 0.5, 0.25]), "enumeration")
    >>> result = VersusChance(1.0, coin, "greater", "P@2")
    >>> result.p, result.expected, result.corrected, result.percentile
    (0.25, 0.5, 1.0, 87.5)
    >>> result.p.method, result.exact
    ('enumeration', True)
    """

    value: float
    null: "Distribution"
    alternative: Alternative = "greater"
    metric: str = ""
    random: str = ""
    better: Literal["higher", "lower"] = "higher"
    subject: str = "ranking"
    digits: int | None = None

    def __post_init__(self) -> None:
        if self.alternative not in ("greater", "less", "two-sided"):
            raise CertusError(
                f"is {self.alternative!r}", "it must be 'greater', 'less' or 'two-sided'", argument="alternative"
            )
        if self.digits is not None:
            require_integer(self.digits, "digits")
        if math.isnan(self.value):
            raise CertusError(
                f"{self.metric or 'the value'} is NaN", "what is undefined cannot be compared with chance"
            )

    @cached_property
    def p(self) -> Probability:
        """The probability that a random ranking does as well by luck, the observed value included."""
        sides = {"greater": [self.null.tail], "less": [self.null.cdf]}
        questions = sides.get(self.alternative, [self.null.tail, self.null.cdf])
        p: Probability = min(question(self.value, self.digits) for question in questions)
        return p if len(questions) == 1 else Probability(min(1.0, 2 * p), p.method, 2 * p.error)

    @property
    def method(self) -> str:
        """The way p was found."""
        return self.p.method

    @property
    def exact(self) -> bool:
        """True if p is exact up to rounding."""
        return self.p.exact

    @cached_property
    def expected(self) -> float:
        """The mean of the null."""
        return self.null.mean()

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the null."""
        return self.null.std()

    @property
    def best(self) -> float:
        """The best value that a ranking of these items can have."""
        low, high = self.null.support()
        return low if self.better == "lower" else high

    @property
    def corrected(self) -> float:
        """``(value - expected) / (best - expected)``: 0 at chance, 1 at the best value; NaN where chance has that.

        The best value is that of the same documents, or of clusters of the same sizes. The adjusted Rand index divides
        by ``1 - expected``, whatever the sizes allow, and is nearer to 0.
        """
        room = self.best - self.expected
        has_room = abs(room) > _ROUNDING * max(abs(self.best), abs(self.expected))
        if not has_room:
            return math.nan
        gain = self.value - self.expected
        # A value that only rounding tells from the expected one is at chance.
        return gain / room if abs(gain) > _ROUNDING * max(abs(self.value), abs(self.expected)) else 0.0

    @cached_property
    def percentile(self) -> float:
        """``100 (P(X < value) + P(X = value) / 2)``."""
        lower_tail = 1 - float(self.null.tail(self.value, self.digits))
        return min(max(50 * (lower_tail + float(self.null.cdf(self.value, self.digits))), 0.0), 100.0)

    def plot(self, ax: Any = None, *, normal: bool = True) -> Any:
        """Draw the law of random rankings with the value and its tail; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        normal
            Whether to draw the normal law of the same mean and variance beside it.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        return self.null.plot(
            ax,
            observed=self.value,
            digits=self.digits,
            alternative=self.alternative,
            normal=normal,
            xlabel=f"{self.metric or 'Value'} of a random {self.subject}",
        )

    def to_dict(self) -> dict[str, object]:
        """Everything by name, as plain numbers and texts."""
        return {
            "metric": self.metric,
            "value": self.value,
            "digits": self.digits,
            "expected": self.expected,
            "sd": self.sd,
            "p": float(self.p),
            "error": self.p.error,
            "method": self.method,
            "exact": self.exact,
            "alternative": self.alternative,
            "corrected": self.corrected,
            "percentile": self.percentile,
            "random": self.random,
        }

    def _listing(self) -> Listing:
        return Listing.from_rows([{name: str(x) if isinstance(x, bool) else x for name, x in self.to_dict().items()}])

    def __str__(self) -> str:
        name = self.metric or "value"
        chance = f"{name} {_written(self)}; a random {self.subject} scores {self.expected:.5g} (sd {self.sd:.4g})"
        lines = [chance, f"{probability_formula(self)} {probability_text(self.p, 3)}  ({method_text(self.p)})"]
        if not math.isnan(self.corrected):
            # The best value of clusters of other sizes is another one, and below a perfect one.
            best = "perfect" if self.subject == "ranking" else f"the best for these sizes, {self.best:.4g}"
            lines.append(f"chance-corrected {self.corrected:.4g} (0 at chance, 1 at {best})")
        lines.append(f"percentile {self.percentile:.4g} of random {self.subject}s")
        lines += stands_for(self)
        if self.random:
            lines.append(f"random: {self.random}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        name = f" {self.metric}" if self.metric else ""
        return f"<VersusChance{name}: {self.value:.4g}, expected {self.expected:.5g}, p {self.p:.3g} ({self.method})>"


def probability_formula(result: VersusChance) -> str:
    """The probability that p is, as formulas write it."""
    name = result.metric or "value"
    if result.alternative == "two-sided":
        return f"two-sided p of {name} {_written(result)}"
    sign = ">=" if result.alternative == "greater" else "<="
    return f"P({name} {sign} {_written(result)} by chance)"


def stands_for(result: VersusChance) -> list[str]:
    """A line about a value that was rounded."""
    if result.digits is None:
        return []
    written = f"{result.value:.{result.digits}f}"
    low, high = (Decimal(written) + sign * Decimal(5).scaleb(-result.digits - 1) for sign in (-1, 1))
    return [f"{written} stands for every value that rounds to it: {low:f} to {high:f}"]


def _written(result: VersusChance) -> str:
    """The value, at its own decimals where it was rounded."""
    return f"{result.value:.4g}" if result.digits is None else f"{result.value:.{result.digits}f}"


def probability_text(p: Probability, digits: int) -> str:
    """A probability with its sign of equality; where its error is as large as itself, its upper limit."""
    if p == 0.0 and not p.exact:
        return "< 1e-307"
    return f"<= {p + p.error:.{digits}g}" if _is_limit(p) else f"= {p:.{digits}g}"


def _is_limit(p: Probability) -> bool:
    """True if the error is as large as the probability, up to rounding, and no estimate from random draws."""
    return p.method != "Monte Carlo" and p.error >= (1 - 1e-9) * p > 0


def method_text(p: Probability) -> str:
    """Method and error of a probability, in words."""
    if p.exact:
        return f"{p.method}, exact"
    # What lies below is rounding, which differs from machine to machine.
    if p.error <= 1e-10 * p:
        return f"{p.method}, right to 10 digits"
    if p == 0.0:
        return f"{p.method}; the null's logtail has its logarithm"
    if _is_limit(p):
        return p.method
    return f"{p.method}, error {p.error:.1g}"
