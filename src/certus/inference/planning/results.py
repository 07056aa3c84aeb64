"""Results of planning a paired comparison."""

from dataclasses import dataclass

from certus.statistic.common import plural

__all__ = ["MinimumDetectable", "Power", "UnitsNeeded"]


@dataclass(frozen=True)
class Power:
    """The chance that a test finds a difference that there is.

    Attributes
    ----------
    value
        The power, in [0, 1].
    low, high
        What it is at the limits of the differences' standard deviation, which the pilot leaves uncertain.
    n, effect
        Number of units and true mean difference.
    spread
        Standard deviation of the pilot's differences.
    level
        One less the significance level of the test; level of the limits.
    how
        How the power was computed.
    error
        Its standard error through a simulation; 0 for the formula.
    unit
        What n counts: ``"unit"``, or ``"group"`` for a pilot of groups.
    design_effect
        By how much the groups or weights of the pilot enlarge the squared standard error of its mean.
    """

    value: float
    low: float
    high: float
    n: int
    effect: float
    spread: float
    level: float
    how: str
    error: float
    unit: str = "unit"
    design_effect: float = 1.0

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return (
            f"power {self.value:.3f} [{self.low:.3f}, {self.high:.3f}] to find {self.effect:g} with "
            f"{plural(self.n, self.unit)} ({self.how}{_effect(self.design_effect)})"
        )


@dataclass(frozen=True)
class UnitsNeeded:
    """The number of units a test needs for a wanted power.

    Attributes
    ----------
    n
        The least number of units that has the power.
    low, high
        What it is at the limits of the differences' standard deviation.
    effect, power, spread, level, how, unit, design_effect
        As for `Power`; `power` is the one wanted.
    """

    n: int
    low: int
    high: int
    effect: float
    power: float
    spread: float
    level: float
    how: str
    unit: str = "unit"
    design_effect: float = 1.0

    def __int__(self) -> int:
        return self.n

    def __str__(self) -> str:
        return (
            f"{plural(self.n, self.unit)} [{self.low}, {self.high}] to find {self.effect:g} with power {self.power:g} "
            f"({self.how}{_effect(self.design_effect)})"
        )


@dataclass(frozen=True)
class MinimumDetectable:
    """The least true difference that a test finds with a wanted power.

    Attributes
    ----------
    effect
        The mean difference; below 0 where the alternative is ``"less"``.
    low, high
        What it is at the limits of the differences' standard deviation.
    n, power, spread, level, how, unit, design_effect
        As for `Power`; `power` is the one wanted.
    """

    effect: float
    low: float
    high: float
    n: int
    power: float
    spread: float
    level: float
    how: str
    unit: str = "unit"
    design_effect: float = 1.0

    def __float__(self) -> float:
        return self.effect

    def __str__(self) -> str:
        return (
            f"least difference {self.effect:.4g} [{self.low:.4g}, {self.high:.4g}] found by "
            f"{plural(self.n, self.unit)} "
            f"with power {self.power:g} ({self.how}{_effect(self.design_effect)})"
        )


def _effect(design_effect: float) -> str:
    return "" if design_effect == 1 else f", design effect {design_effect:.3g}"
