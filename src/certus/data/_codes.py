"""Columns of labels as codes: each distinct label once, and for each sample which one it is."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.data._columns import as_array, check_nulls, is_null
from certus.errors import DataError

__all__ = ["Coded", "Kind", "coded", "kind_of", "plain", "sorted_labels"]

Kind = Literal["numbers", "text", "bytes", "objects"]
"""What labels are. Labels of two kinds never equal each other, so a column of each is a mistake."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of labels.

    Attributes
    ----------
    codes
        For each sample, the index of its label in `labels`.
    labels
        Each distinct label once, in any order.
    kind
        What they are; None for a column without samples.
    boolean
        The numbers are truth values.
    order
        All labels there could be, in the order that an ordered categorical gives them; None for other columns.
    """

    codes: NDArray[np.integer[Any]]
    labels: tuple[Hashable, ...]
    kind: Kind | None
    boolean: bool = False
    order: tuple[Hashable, ...] | None = None


def coded(values: Any, name: str) -> Coded:
    """The labels as codes.

    Raises
    ------
    DataError
        A label is null, NaN, a broken number, or cannot be hashed, or labels of several kinds stand in one column.

    Examples
    --------
    >>> column = coded(["spam", "ham", "spam"], "y_true")
    >>> [column.labels[code] for code in column.codes]
    ['spam', 'ham', 'spam']
    >>> coded(["spam", 1], "y_true")
    Traceback (most recent call last):
        ...
    certus.errors.DataError: y_true mixes text and numbers (1 at index 1); give labels of one kind
    """
    categories = _categorical(values)
    if categories is not None:
        return _from_categories(*categories, name)
    array = as_array(values, name)
    if array.ndim != 1:
        raise DataError(f"{name} has shape {array.shape}; it must have one label per sample")
    kind = array.dtype.kind
    if kind == "b":
        return _numbered(array.astype(np.int8), boolean=True)
    if kind in "iu":
        return _numbered(array)
    if kind == "f":
        return _numbered(_whole(array, name)) if len(array) else Coded(np.zeros(0, np.int64), (), None)
    if kind == "c":
        raise DataError(f"{name} holds complex numbers; labels are whole numbers, text or other hashable values")
    if kind in "US":
        labels, codes = np.unique(array, return_inverse=True)
        return Coded(codes, tuple(labels.tolist()), ("text" if kind == "U" else "bytes") if len(labels) else None)
    check_nulls(array, name)
    return _hashed(array.tolist() if kind in "OT" else list(array), name)


def _numbered(array: NDArray[Any], boolean: bool = False) -> Coded:
    labels, codes = np.unique(array, return_inverse=True)
    names = tuple(map(bool, labels) if boolean else labels.tolist())
    return Coded(codes, names, "numbers" if names else None, boolean)


def _whole(array: NDArray[Any], name: str) -> NDArray[np.int64]:
    """Floats that are whole numbers, as such."""
    check_nulls(array, name)
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int64)
    wrong = np.flatnonzero((whole != array) | (np.abs(array) > 2.0**53))
    if len(wrong):
        raise DataError(
            f"{name} is {array[wrong[0]]} at index {wrong[0]}; labels must be whole numbers, text or other hashable "
            "values (scores and probabilities belong to metrics of scores)"
        )
    return whole


def _hashed(values: Iterable[Any], name: str) -> Coded:
    """Labels that numpy knows only as objects, numbered by a dict."""
    index: dict[Hashable, int] = {}
    codes = []
    for place, value in enumerate(values):
        try:
            codes.append(index.setdefault(value, len(index)))
        except TypeError as error:
            raise DataError(f"{name} has a {type(value).__name__} at index {place}; labels must be hashable") from error
    labels = tuple(plain(label, name, codes.index(place)) for place, label in enumerate(index))
    kind: Kind | None = None
    for place, label in enumerate(labels):
        this = kind_of(label)
        if kind is not None and this != kind:
            raise DataError(
                f"{name} mixes {kind} and {this} ({label!r} at index {codes.index(place)}); give labels of one kind"
            )
        kind = this
    return Coded(np.array(codes, dtype=np.int64), labels, kind, bool(labels) and all(type(x) is bool for x in labels))


def plain(label: Any, name: str, place: int | None = None) -> Hashable:
    """The label as Python has it, a float that is a whole number as an int; `name` and `place` say where it stands."""
    value: Hashable = label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufUS" else label
    if isinstance(value, float):
        if not value.is_integer() or abs(value) > 2.0**53:
            where = "" if place is None else f" at index {place}"
            raise DataError(f"{name} is {value!r}{where}; labels must be whole numbers, text or other hashable values")
        return int(value)
    return value


def kind_of(label: object) -> Kind:
    """What a label is, for telling whether two could be equal."""
    if isinstance(label, bool | int | float):
        return "numbers"
    if isinstance(label, str):
        return "text"
    return "bytes" if isinstance(label, bytes) else "objects"


def sorted_labels(labels: Sequence[Any]) -> tuple[tuple[Any, ...], bool]:
    """The labels in increasing order, and whether they have one; those that have none stay as they are."""
    try:
        return tuple(sorted(labels)), True
    except TypeError:
        return tuple(labels), False


def _categorical(values: Any) -> tuple[NDArray[np.integer[Any]], Sequence[Any], bool] | None:
    """Codes (-1 for null), categories and whether these are ordered, of a pandas, polars or pyarrow categorical."""
    kind = type(values).__module__.partition(".")[0]
    if kind == "pandas":
        accessor = (
            getattr(values, "cat", values) if hasattr(values, "dtype") and str(values.dtype) == "category" else None
        )
        if accessor is not None:
            return np.asarray(accessor.codes), accessor.categories.tolist(), bool(accessor.ordered)
    if kind == "polars" and type(values).__name__ == "Series" and str(values.dtype).startswith(("Cat", "Enum")):
        codes = values.to_physical().cast(int).fill_null(-1).to_numpy()
        if str(values.dtype).startswith("Enum"):
            return codes, values.dtype.categories.to_list(), True
        found = values.drop_nulls().unique()
        numbers = found.to_physical().to_numpy()
        places = np.full(int(codes.max(initial=-1)) + 2, -1)
        places[numbers] = np.arange(len(numbers))
        return places[codes], found.to_list(), False
    if kind == "pyarrow" and str(getattr(values, "type", "")).startswith("dictionary"):
        whole = values.combine_chunks() if hasattr(values, "combine_chunks") else values
        chunk = whole.chunk(0) if hasattr(whole, "chunk") else whole
        codes = chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, chunk.dictionary.to_pylist(), bool(chunk.type.ordered)
    return None


def _from_categories(codes: NDArray[np.integer[Any]], categories: Sequence[Any], ordered: bool, name: str) -> Coded:
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        raise DataError(f"{name} has no value at index {missing[0]}; leave out or fill such samples first")
    present = np.flatnonzero(np.bincount(codes, minlength=len(categories)))
    chosen = [categories[index] for index in present.tolist()]
    if any(is_null(label) for label in chosen):
        raise DataError(f"{name} has a null among its categories; leave out or fill such samples first")
    column = _hashed(chosen, f"the categories of {name}")
    mapping = np.zeros(len(categories), dtype=np.int64)
    mapping[present] = column.codes
    order = tuple(plain(each, f"a category of {name}") for each in categories) if ordered else None
    return Coded(mapping[codes], column.labels, column.kind, column.boolean, order)
