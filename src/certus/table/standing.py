"""The best run of each metric, and the runs that are not separable from it."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ALIKE", "BEST", "Standing", "best_of"]

BEST, ALIKE = "*", "~"
"""The marks of a text."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Places of a matrix to be marked, each a metric and a run.

    Attributes
    ----------
    best
        The best value of each metric.
    alike
        Those that the paired comparison with the best does not tell from it.
    test
        The comparison in words; empty where none was made.
    unpaired
        Why runs of some metrics were not compared; empty where all were.
    """

    best: frozenset[tuple[str, str]] = frozenset()
    alike: frozenset[tuple[str, str]] = frozenset()
    test: str = ""
    unpaired: str = ""

    def sentences(self, best: str = BEST, alike: str = ALIKE) -> list[str]:
        """The meaning of the marks."""
        if not self.best:
            return []
        others = f", {alike} not separable from it" if self.alike else ", all others are separable from it"
        found = f"{others} ({self.test})" if self.test else ""
        return [f"{best} best of the metric{found}"] + ([f"no {alike}: {self.unpaired}"] if self.unpaired else [])


def best_of(values: Mapping[str, float], better: str | None) -> list[str]:
    """The runs with the best value; none where no direction is better, or no value is defined.

    Examples
    --------
    >>> best_of({"a": 0.5, "b": float("nan"), "c": 0.5, "d": 0.25}, "higher"), best_of({"a": 1.0}, None)
    (['a', 'c'], [])
    """
    there = [value for value in values.values() if value == value]
    if better is None or not there:
        return []
    best = max(there) if better == "higher" else min(there)
    return [run for run, value in values.items() if value == best]
