"""True classes and the probability of each class: what proper scores and calibration are computed from."""

from typing import Any, ClassVar, Self

import numpy as np

from certus.data.class_scores import ClassScores
from certus.errors import DataError, called
from certus.printable import exact

__all__ = ["Probabilities"]

SUM = {8: 1e-6, 4: 1e-3}
"""How far the probabilities of a row may be from summing to 1, by the bytes of one; half precision is held in 4."""


class Probabilities(ClassScores):
    """The true class of each sample and the probability given to each class.

    As `ClassScores`, and each value is from 0 to 1 and each row sums to 1: to within 1e-6 for float64, and within 1e-3
    for float32 and float16, whose own rounding adds up over the classes. A row that does not is an error; it is never
    normalised. One probability per sample is that of the positive class of two, and is kept as it is.

    Examples
    --------
    >>> Probabilities.of([0, 1, 1], [0.2, 0.9, 0.6])
    <Probabilities: 3 samples, 2 classes>
    >>> Probabilities.of([0, 1], [[0.5, 0.6], [0.2, 0.8]])
    Traceback (most recent call last):
    certus.errors.DataError: the probabilities of y_prob at index 0 sum to 1.1; they must sum to 1, so divide by that
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_prob")

    @classmethod
    def of(cls, y_true: Any, other: Any, **conventions: Any) -> Self:
        """The validated columns; see `ClassScores.of`.

        Raises
        ------
        DataError
            As `ClassScores.of`, or a value is no probability, or a row does not sum to 1.
        """
        data = super().of(y_true, other, **conventions)
        values = data.scores
        if values.size and not (values.min() >= 0 and values.max() <= 1):
            place = np.argwhere((values < 0) | (values > 1))[0].tolist()
            value = values[tuple(place)]
            raise DataError.of_cell("y_prob", tuple(place), value, exact(value), "a probability is from 0 to 1")
        if values.ndim == 2:
            off = np.abs(values @ np.ones(values.shape[1]) - 1)
            if off.size and off.max() > SUM[values.itemsize]:
                row = int(np.argmax(off > SUM[values.itemsize]))
                total = float(values[row].sum(dtype=np.float64))
                raise DataError(
                    f"the probabilities of {called('y_prob')} at index {row} sum to {total:.10g}; they must sum to 1, "
                    "so divide by that"
                )
        return data
