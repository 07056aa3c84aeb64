"""The options of a comparison."""

import math
import numbers
from dataclasses import dataclass, field
from typing import Any

from certus.errors import CertusError, DataError, MetricNameError
from certus.inference.interval import DEFAULT_REPLICATES, Request, checked_level
from certus.inference.many.adjust import CORRECTIONS, correction_named
from certus.inference.tests.result import Alternative, check_alternative

__all__ = ["DEFAULT_PERMUTATIONS", "Options"]

DEFAULT_PERMUTATIONS = 100_000
"""Random permutations of a joint correction."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a comparison, checked; see `certus.compare`."""

    baseline: str | None = None
    test: str | None = None
    interval: str | None = None
    correction: str | None = None
    simultaneous: bool = False
    margin: float | None = None
    level: float = 0.95
    seed: int = 0
    alternative: Alternative = "two-sided"
    replicates: int | None = None
    unnamed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
        if not isinstance(self.simultaneous, bool):
            raise CertusError(f"simultaneous is {self.simultaneous!r}; it must be True or False")
        if self.correction is None:
            object.__setattr__(self, "correction", "max-t" if self.simultaneous else "holm")
            object.__setattr__(self, "unnamed", True)
        if not isinstance(self.correction, str):
            raise CertusError(f"correction is {self.correction!r}; it must be a name, such as 'holm' or 'none'")
        chosen = correction_named(self.correction)
        object.__setattr__(self, "correction", chosen.name)
        if self.simultaneous and not chosen.single_step:
            single = sorted(CORRECTIONS.values(), key=lambda each: not each.joint)
            fitting = [repr(each.name) for each in single if each.single_step]
            raise MetricNameError(
                f"no intervals fit the p-values of {self.correction}, which steps through them; with simultaneous=True "
                f"take {' or '.join(fitting)}, or leave correction out"
            )
        if self.margin is not None:
            object.__setattr__(self, "margin", _checked(self.margin))
        object.__setattr__(self, "level", checked_level(self.level))
        Request(self.level, replicates=self.draws, seed=self.seed)
        if self.margin is not None and self.alternative != "two-sided":
            raise MetricNameError(
                f"alternative is {self.alternative!r}, but a margin has two sides; take 'two-sided', "
                "whose table has the one-sided p-value of non-inferiority too"
            )
        if self.margin is not None and self.level <= 0.5:
            raise CertusError(f"level is {self.level:g}; tests against a margin need one above 0.5, such as 0.95")

    @property
    def tail(self) -> float:
        """The level of a test against one end of the margin, by which the interval of a row decides about it."""
        return (1 - self.level) / 2

    @property
    def draws(self) -> int:
        """Resamples of a bootstrap."""
        return DEFAULT_REPLICATES if self.replicates is None else self.replicates

    @property
    def permutations(self) -> int:
        """Random permutations of a joint correction."""
        return DEFAULT_PERMUTATIONS if self.replicates is None else self.replicates

    @property
    def pair(self) -> dict[str, Any]:
        """The keywords of a comparison of two statistics."""
        return {
            "test": self.test,
            "alternative": self.alternative,
            "interval": self.interval,
            "level": self.level,
            "replicates": self.draws,
            "seed": self.seed,
        }


def _checked(margin: object) -> float:
    if isinstance(margin, bool) or not isinstance(margin, numbers.Real):
        raise DataError(f"margin is {margin!r}; it must be a number, the greatest difference that does not matter")
    size = float(margin)
    if not 0 < size < math.inf:
        raise DataError(
            f"margin is {margin}; it must be a finite number above 0, the greatest difference that does not matter"
        )
    return size
