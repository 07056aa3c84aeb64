"""A rank correlation with its interval and its test."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from certus.agreement._null import Alternative, Finding
from certus.errors import MetricNameError
from certus.inference import Estimate

__all__ = ["RankCorrelation", "check_alternative"]


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation(Estimate):
    """A rank correlation: an `Estimate` that also has a p-value.

    Attributes
    ----------
    alternative
        The side of the test.
    test
        Gives the p-value and how it was computed; asked when first needed.
    """

    alternative: Alternative = "two-sided"
    test: Callable[[], Finding] | None = None

    @cached_property
    def _tested(self) -> Finding:
        return (float("nan"), "") if self.why or self.test is None else self.test()

    @property
    def p(self) -> float:
        """P-value of the null that either order says nothing about the other; NaN where `why` says so."""
        return self._tested[0]

    @property
    def how(self) -> str:
        """The way p was computed: ``"exact"``, ``"enumeration"``, ``"normal"`` or ``"t"``."""
        return self._tested[1]

    def __str__(self) -> str:
        shown = super().__str__()
        return shown if self.why else f"{shown}; p = {self.p:.4g} ({self.how})"


def check_alternative(alternative: str) -> None:
    """Refuse a side that does not exist."""
    if alternative not in ("two-sided", "greater", "less"):
        raise MetricNameError(f"alternative is {alternative!r}; it must be 'two-sided', 'greater' or 'less'")
