"""The options of a comparison."""

import math
import numbers
from dataclasses import dataclass, field
from typing import Any

from certus.errors import CertusError, DataError, MetricNameError
from certus.inference.interval import DEFAULT_REPLICATES, Request, checked_level
from certus.inference.multiplicity import CORRECTIONS, correction
from certus.inference.paired_result import Alternative, check_alternative

__all__ = ["DEFAULT_PERMUTATIONS", "JOINT", "Options"]

DEFAULT_PERMUTATIONS = 100_000
"""Random permutations of a joint correction."""
JOINT = ("max-t", "tukey-hsd")
"""Corrections that look at the units of all systems at once."""
SINGLE_STEP = ("max-t", "bonferroni")
"""Corrections whose p-values have simultaneous intervals."""
_ALIASES = {"maxt": "max-t", "westfall-young": "max-t", "tukey": "tukey-hsd", "hsd": "tukey-hsd"}


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
        plain = self.correction.lower().replace("_", "-").replace(" ", "-")
        joint = _ALIASES.get(plain, plain)
        object.__setattr__(self, "correction", joint if joint in JOINT else _known(self.correction))
        if self.simultaneous and self.correction not in SINGLE_STEP:
            raise MetricNameError(
                f"no intervals fit the p-values of {self.correction}, which steps through them; with simultaneous=True "
                f"take {' or '.join(map(repr, SINGLE_STEP))}, or leave correction out"
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
            "method": self.test,
            "alternative": self.alternative,
            "interval": self.interval,
            "level": self.level,
            "replicates": self.draws,
            "seed": self.seed,
        }


def _known(name: str) -> str:
    try:
        return correction(name)
    except CertusError as error:
        known = ", ".join((*CORRECTIONS, *JOINT))
        raise type(error)(f"no correction is named {name!r}; there are {known}") from None


def _checked(margin: object) -> float:
    if isinstance(margin, bool) or not isinstance(margin, numbers.Real):
        raise DataError(f"margin is {margin!r}; it must be a number, the greatest difference that does not matter")
    size = float(margin)
    if not 0 < size < math.inf:
        raise DataError(
            f"margin is {margin}; it must be a finite number above 0, the greatest difference that does not matter"
        )
    return size
