"""From what a user has (truth and predictions) to the class of data that a metric takes."""

from typing import Any, Protocol, Self

from certus.data.columns import as_array, flat, is_column
from certus.errors import DataError

__all__ = ["Prepared", "prepare"]


class Prepared(Protocol):
    """A class of data: `Labels`, `Scores`, `ClassScores`, `Probabilities`, `Multilabel`, `MultilabelScores`."""

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if the input has the shapes that this class takes; its values are not looked at."""
        ...

    @classmethod
    def of(cls, y_true: Any, other: Any, **conventions: Any) -> Self:
        """The validated columns; `conventions` are labels, pos_label, sample_weight and groups, None if not given."""
        ...


def prepare(takes: tuple[type[Prepared], ...], y_true: Any, other: Any, **conventions: Any) -> Prepared:
    """The input as the first of the classes that its shapes fit.

    Raises
    ------
    DataError
        The input fits none of the classes, or is not valid.
    """
    for kind in takes:
        if kind.fits(y_true, other):
            return kind.of(y_true, other, **conventions)
    if is_column(y_true) and is_column(other):  # two tables of one column, where no kind takes tables
        return prepare(takes, flat(as_array(y_true, "y_true")), other, **conventions)
    wanted = " or ".join(kind.__name__ for kind in takes)
    shapes = [as_array(values, name).shape for values, name in ((y_true, "y_true"), (other, "the prediction"))]
    raise DataError(
        f"has shape {shapes[0]} and its predictions {shapes[1]}, which are not those of {wanted}", argument="y_true"
    )
