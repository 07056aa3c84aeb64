"""Prepared data in parts, each made when it is asked for."""

from collections.abc import Callable
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus import kernels

Index = slice | NDArray[np.intp]


class Divisible(Protocol):
    """Prepared data without weights and groups, some of whose samples are prepared without a look at them."""

    def taken(self, index: Index) -> Self | None:
        """Some of the samples; None where they have to be prepared by themselves, as they lack a class."""


Data = TypeVar("Data", bound=Divisible)


class Parts(Generic[Data]):
    """Data in parts.

    Parameters
    ----------
    data
        All samples, without weights and groups.
    codes
        The part of each sample.
    size
        The number of parts.
    prepared
        Prepares some of the samples by themselves, where `data` cannot.

    Examples
    --------
    >>> from certus.data import Scores
    >>> parts = Parts(Scores.of([1, 0, 1], [0.9, 0.4, 0.1]), np.array([1, 0, 1], dtype=np.uint32), 2)
    >>> len(parts), parts[1].score
    (2, array([0.9, 0.1]))
    """

    def __init__(
        self,
        data: Data,
        codes: NDArray[np.uint32],
        size: int,
        prepared: Callable[[NDArray[np.intp]], Data] | None = None,
    ) -> None:
        self.data, self.codes, self._size, self._prepared = data, codes, size, prepared

    def __len__(self) -> int:
        return self._size

    @cached_property
    def _order_and_starts(self) -> tuple[NDArray[np.int64], list[int]]:
        """The samples part by part, and where each part starts; last the number of samples."""
        order, part_ends = kernels.order_of_codes(self.codes, self._size)
        return order, [0, *part_ends.tolist()]

    @cached_property
    def _in_order(self) -> Data | None:
        """All samples part by part."""
        return self.data.taken(self._order_and_starts[0])

    def __getitem__(self, part: int) -> Data:
        order, starts = self._order_and_starts
        start, stop = starts[part], starts[part + 1]
        samples = None if self._in_order is None else self._in_order.taken(slice(start, stop))
        if samples is not None:
            return samples
        if self._prepared is None:
            raise LookupError(f"part {part} has to be prepared by itself")
        return self._prepared(order[start:stop])
