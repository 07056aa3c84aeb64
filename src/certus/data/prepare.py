"""From what a user has (truth and predictions) to the class of data that a metric takes."""

from collections.abc import Iterable
from typing import Any, Protocol, Self

from certus.data._columns import as_array, flat, is_column
from certus.errors import DataError, MetricNameError, called

__all__ = ["Prepared", "check_asked", "prepare"]


class Prepared(Protocol):
    """A class of data: `Labels`, `Scores`, `ClassScores`, `Probabilities`, `Multilabel`, `MultilabelScores`."""

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """Whether the shapes of the input are those of this class; nothing else is looked at."""
        ...

    @classmethod
    def of(cls, y_true: Any, other: Any, **conventions: Any) -> Self:
        """The validated columns; `conventions` are labels, pos_label, sample_weight and groups, None if not given."""
        ...


def check_asked(pos_label: object, data: Iterable[object], metrics: Iterable[object]) -> None:
    """Refuse a positive class that no metric has looked for in the data it was computed from.

    Raises
    ------
    MetricNameError
        One was given, but nothing that was computed has a positive class.
    """
    if pos_label is not None and not any("pos_label" in getattr(each, "asked", ("pos_label",)) for each in data):
        names = list(dict.fromkeys(map(str, metrics)))
        shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        raise MetricNameError(
            f"{called('pos_label')} is {pos_label!r}, but no positive class matters to {shown}; leave it out"
        )


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
        f"{called('y_true')} has shape {shapes[0]} and its predictions {shapes[1]}, which are not those of {wanted}"
    )
