"""Bootstrap replicates by a way of the statistic's own."""

from typing import Protocol

from certus.arrays import Floats

__all__ = ["Resample"]


class Resample(Protocol):
    """Bootstrap replicates of a statistic by a fast way of its own."""

    def __call__(self, replicates: int, seed: int, stratified: bool, /) -> Floats:
        """One value per replicate, NaN where it is undefined; `stratified` keeps the size of each stratum."""
        ...
