"""True and predicted numbers of samples: what regression metrics are computed from."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError, mention
from certus.data.classes import check_columns, names_of_columns
from certus.data.columns import axes, floats_or_matrix, is_column
from certus.data.samples import SampleData, pair_samples
from certus.statistic.common import plural
from certus.statistic.moments import power_of_two

MODERATE = 2.0**200
"""Squares and fourth powers of numbers up to this size, and of as small ones, are numbers too."""


@dataclass(frozen=True, eq=False, repr=False)
class Targets(SampleData):
    """A true and a predicted number for each sample, or a row of them with one column for each output.

    Numbers are held as float64; those beyond 2**53 that float64 would round are refused. NaN and infinities are errors.
    A sample is the independent unit; its outputs are not independent of each other. A table of one column is that
    column.

    Attributes
    ----------
    true, predicted
        float64, samples or samples x outputs, in C order.
    outputs
        The names of the outputs: of the columns of the DataFrame if there is one, otherwise their numbers.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> Targets.from_arrays([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    <Targets: 4 samples>
    >>> Targets.from_arrays([1, 2], [1, float("nan")])
    Traceback (most recent call last):
    certus.core.errors.DataError: y_pred is NaN at index 1; leave out or fill such samples first
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_pred")
    shapes: ClassVar[str] = "one true and one predicted number for each sample and output"

    true: Floats
    predicted: Floats
    outputs: tuple[Hashable, ...] = (0,)
    weights: Floats | None = None
    groups: NDArray[np.int64] | None = None

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if both are columns, or both tables; a table of one column may meet a column."""
        dimensions = {axes(y_true), axes(other)}
        return len(dimensions) == 1 <= max(dimensions) <= 2 or (
            dimensions == {1, 2} and is_column(y_true) and is_column(other)
        )

    @classmethod
    def from_arrays(cls, y_true: Any, other: Any, *, sample_weight: Any = None, groups: Any = None) -> Self:
        """The validated columns.

        Parameters
        ----------
        y_true, other
            True and predicted numbers: one per sample, or samples x outputs.
        sample_weight
            A weight of at least 0 for each sample.
        groups
            The cluster that each sample belongs to; clusters, not samples, are then independent.

        Raises
        ------
        DataError
            The columns do not pair up, or hold something that is not a finite number.
        """
        true, predicted = _numbers(y_true, "y_true"), _numbers(other, "y_pred")
        columns = [1 if values.ndim == 1 else values.shape[1] for values in (true, predicted)]
        if columns[0] != columns[1]:
            raise DataError(
                f"has {plural(columns[0], 'output')} but {mention('y_pred')} has {columns[1]}",
                "they must match",
                argument="y_true",
            )
        check_columns(y_true, other, "y_pred")
        arguments = {"y_true": y_true, "y_pred": other}
        (true, predicted), weights, clusters = pair_samples(arguments, (true, predicted), sample_weight, groups)
        return cls(true, predicted, names_of_columns(y_true, columns[0]), weights, clusters)

    def __repr__(self) -> str:
        several = "" if self.true.ndim == 1 else f", {plural(len(self.outputs), 'output')}"
        return f"<{type(self).__name__}: {plural(len(self), 'sample')}{several}>"

    def select(self, index: Any) -> "Targets":
        """Some of the samples, without weights and groups."""
        return Targets(self.true[index], self.predicted[index], self.outputs)

    def moderate(self, *, separately: bool = False) -> tuple["Targets", float]:
        """Truth and prediction divided by a power of two, so that squares neither overflow nor vanish; and that power.

        Numbers whose greatest is from 2**-200 to 2**200 stay as they are. With `separately`, each of the two is divided
        by a power of its own, and the first one is returned.
        """
        powers = [power_of_two(self.true), power_of_two(self.predicted)]
        if not separately:  # the power of zeros is 1, which says nothing
            there = [power for power, numbers in zip(powers, (self.true, self.predicted), strict=True) if numbers.any()]
            powers = [max(there, default=1.0)] * 2
        factors = [1.0 if MODERATE**-1 <= power <= MODERATE else power for power in powers]
        if factors == [1.0, 1.0]:
            return self, 1.0
        return replace(self, true=self.true / factors[0], predicted=self.predicted / factors[1]), factors[0]

    @property
    def is_simple_column(self) -> bool:
        """True if samples have one output, and neither weights nor groups."""
        return self.true.ndim == 1 and self.is_simple

    @property
    def table(self) -> tuple[Floats, Floats]:
        """Truth and prediction as tables, with a column for each output."""
        rows = len(self), len(self.outputs)
        return self.true.reshape(rows), self.predicted.reshape(rows)


def _numbers(values: Any, name: str) -> Floats:
    """Check a column or table of finite numbers, with at least one column, and convert it to float64."""
    numbers = floats_or_matrix(values, name, infinite=False).astype(np.float64, copy=False)
    if numbers.shape[1:] == (0,):
        raise DataError("has no columns", "give at least one output", argument=name)
    return numbers
