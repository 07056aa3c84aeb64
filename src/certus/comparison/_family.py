"""The material of a comparison, whatever it was read from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from certus.arrays import Floats
from certus.inference import Estimate, Paired
from certus.notice import Notice
from certus.statistic import Mean

__all__ = ["Family", "Material", "Pair"]

Pair = Callable[..., Paired]
"""From two systems and the keywords of `certus.inference.paired` to what the test found."""


@dataclass(frozen=True)
class Family:
    """One metric of all systems, on the same units: the differences that are corrected together.

    Attributes
    ----------
    metric
        Its canonical text.
    better
        Which values are better; None if neither.
    bounds
        Least and greatest value the metric can take.
    estimates
        The value of each system.
    pair
        Compares two of them.
    single
        The estimates over single units, where `estimates` are over groups of them or weighted.
    """

    metric: str
    better: Literal["higher", "lower"] | None
    bounds: tuple[float, float]
    estimates: Mapping[str, Estimate]
    pair: Pair
    single: Mapping[str, Estimate] | None = None

    @property
    def per_unit(self) -> dict[str, Floats]:
        """Each system's value of each unit; empty where the metric is no mean over units."""
        found = {}
        for system, estimate in (self.single or self.estimates).items():
            if not isinstance(estimate.statistic, Mean):
                return {}
            found[system] = estimate.statistic.values
        return found


@dataclass(frozen=True)
class Material:
    """The metrics of all systems, and where they come from.

    Attributes
    ----------
    systems
        Their names, in the order given.
    families
        One for each metric.
    units
        Names of the units; empty if they have none.
    notices
        What was suspicious in the input.
    inputs
        A hash of each input by name.
    conventions
        What else the values depend on.
    """

    systems: tuple[str, ...]
    families: tuple[Family, ...]
    units: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    conventions: Mapping[str, Any] = field(default_factory=dict)
