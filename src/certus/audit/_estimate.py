"""An estimate that keeps the confidence level it was asked for."""

from dataclasses import dataclass

from certus.inference import Estimate, Interval
from certus.inference.interval import DEFAULT_REPLICATES

__all__ = ["AtLevel"]


@dataclass(frozen=True, eq=False, repr=False)
class AtLevel(Estimate):
    """An estimate whose intervals, and whose text, have `level` unless another is asked for.

    Examples
    --------
    >>> from certus.statistic import Proportion
    >>> estimate = AtLevel(Proportion(9, 12), level=0.9)
    >>> print(estimate)
    0.7500 [0.5127, 0.8953]  90% Wilson, 12 samples
    >>> estimate.interval(0.95).level
    0.95
    """

    level: float = 0.95

    def interval(
        self,
        level: float | None = None,
        method: str | None = None,
        *,
        replicates: int = DEFAULT_REPLICATES,
        seed: int = 0,
        stratified: bool = False,
    ) -> Interval:
        """A confidence interval for the value; None takes the level and the method of the estimate."""
        level = self.level if level is None else level
        return super().interval(level, method, replicates=replicates, seed=seed, stratified=stratified)
