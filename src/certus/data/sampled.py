"""Weights and groups, which all data of samples have, and the units that are independent."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats, Ints
from certus.data.codes import group_codes
from certus.data.columns import axes, check_lengths, counted_samples, is_column, sample_weights


class Sampled(ABC):
    """Data of samples, each of which may belong to a group: the groups are then independent, not the samples."""

    sample: ClassVar[str] = "sample"
    """The name of one sample in results: ``"sample"``, ``"request"``."""
    groups: Ints | None

    @abstractmethod
    def __len__(self) -> int:
        """Number of samples."""

    @property
    def units(self) -> int:
        """Number of independent units: groups, or samples."""
        return len(self) if self.groups is None else int(self.groups.max(initial=-1)) + 1

    @property
    def unit(self) -> str:
        """The name of one independent unit."""
        return self.sample if self.groups is None else "group"


class PairedColumns(Sampled):
    """Data with one true and one other value per sample."""

    shapes: ClassVar[str] = "one true and one predicted value for each sample"

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if both have one value per sample; one of them may be a table of one column."""
        true_axes, other_axes = axes(y_true), axes(other)
        return true_axes == other_axes == 1 or (true_axes + other_axes == 3 and is_column(y_true) and is_column(other))


class KeptSamples(NamedTuple):
    """Weights and groups of the samples that have a weight, and which those are."""

    weights: Floats | None
    groups: Ints | None
    mask: NDArray[np.bool_] | slice


def kept_samples(sample_weight: Any, groups: Any, **columns: Any) -> KeptSamples:
    """The weights and groups of samples, which must be as many as `columns` have; those of weight 0 are left out."""
    weights, clusters = sample_weights(sample_weight), group_codes(groups)
    check_lengths(**columns, sample_weight=weights, groups=clusters)
    weights, mask = counted_samples(weights)
    return KeptSamples(weights, None if clusters is None else renumber_groups(clusters[mask]), mask)


def renumber_groups(groups: NDArray[np.integer[Any]]) -> Ints:
    """The groups of some samples, numbered from 0 without gaps, in their order."""
    return kernels.code_numbers(groups)[1].astype(np.int64)
