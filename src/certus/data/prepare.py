"""From what a user has (truth and predictions) to the class of data that a metric takes."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

from certus.data.columns import as_array, flat, is_column
from certus.errors import DataError, called


class Prepared(Protocol):
    """A class of data: `Labels`, `Scores`, `ClassScores`, `Probabilities`, `Multilabel`, `MultilabelScores`."""

    arguments: ClassVar[tuple[str, str]]
    shapes: ClassVar[str]
    """The shapes that fit, in words."""

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if the input has the shapes that this class takes; its values are not looked at."""
        ...

    @classmethod
    def of(cls, y_true: Any, other: Any, **conventions: Any) -> Self:
        """The validated columns; `conventions` are labels, pos_label, sample_weight and groups, None if not given."""
        ...


def prepare(classes: tuple[type[Prepared], ...], y_true: Any, other: Any, **conventions: Any) -> Prepared:
    """The input as the first of the classes that its shapes fit."""
    for kind in classes:
        if kind.fits(y_true, other):
            return kind.of(y_true, other, **conventions)
    if is_column(y_true) and is_column(other):  # two tables of one column, where no kind takes tables
        return prepare(classes, flat(as_array(y_true, "y_true")), other, **conventions)
    raise unfit(classes, y_true, {classes[0].arguments[1]: other})


def unfit(classes: Sequence[type[Prepared]], truth: Any, predictions: Mapping[str, Any]) -> DataError:
    """The error of data whose shapes fit none of the classes; `predictions` are the predictions by their arguments."""
    name = classes[0].arguments[0]
    shapes = [f"{called(argument)} {as_array(values, argument).shape}" for argument, values in predictions.items()]
    return DataError(
        f"has shape {as_array(truth, name).shape} and {' and '.join(shapes)}",
        f"give {', or '.join(dict.fromkeys(kind.shapes for kind in classes))}",
        argument=name,
    )
