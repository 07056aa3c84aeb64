"""Columns of labels as codes: each distinct label once, and for each sample which one it is."""

import sys
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, called
from certus.core.missing import WORDS, MissingWords, notice_of_words
from certus.core.note import Note
from certus.data.columns import as_array, axes, check_nulls, check_shape, flat, is_null

Kind = Literal["numbers", "text", "bytes", "objects"]
"""Kind of labels. Labels of two kinds never equal each other, so a column of each is a mistake."""


LARGE_COLUMN = 1 << 16
"""Length from which a column is checked for 0 and 1 alone, before a kernel numbers its labels."""


class Coded:
    """A column of labels, its codes made only when asked for.

    Attributes
    ----------
    values
        Whole numbers, one per sample, that stand for the labels.
    names
        The label that each number from 0 stands for; None where the numbers are the labels.
    kind
        What they are; None for a column without samples.
    boolean
        The numbers are truth values.
    order
        All labels there could be, in the order that an ordered categorical gives them; None for other columns.
    """

    def __init__(
        self,
        values: NDArray[np.integer[Any]],
        names: tuple[Hashable, ...] | None,
        kind: Kind | None,
        *,
        boolean: bool = False,
        order: tuple[Hashable, ...] | None = None,
    ) -> None:
        self.values, self.names, self.kind, self.boolean, self.order = values, names, kind, boolean, order

    @property
    def codes(self) -> NDArray[np.integer[Any]]:
        """Index of each sample's label in `labels`."""
        return self.values if self.names is not None else self._numbers[1]

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """Each distinct label, in any order."""
        return self.names if self.names is not None else self.label_of(self._numbers[0])

    def label_of(self, numbers: NDArray[np.integer[Any]]) -> tuple[Hashable, ...]:
        """The labels that numbers stand for."""
        if self.names is not None:
            return tuple([self.names[number] for number in numbers.tolist()])
        return tuple(map(bool, numbers.tolist())) if self.boolean else tuple(numbers.tolist())

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of samples, in a tuple, like an array's."""
        return self.values.shape

    def __getitem__(self, mask: Any) -> "Coded":
        return Coded(self.values[mask], self.names, self.kind, boolean=self.boolean, order=self.order)

    @cached_property
    def _numbers(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        values = self.values
        if len(values) >= LARGE_COLUMN and values.min() == 0 and values.max() == 1:
            # Codes already, in an array of numpy's own, whose large ones take far fewer page faults.
            return np.array([0, 1]), values.astype(np.uint32)
        return kernels.code_numbers(values)


def coded(values: Any, name: str) -> Coded:
    """The labels as codes."""
    if isinstance(values, list | tuple):
        if values and type(values[0]) is str:
            # Strings stand where they are; numpy's own array of text would copy each to the width of the longest.
            interned = kernels.intern_strings(np.array(values, dtype=object)) if axes(values) == 1 else None
            if interned is not None:
                return Coded(interned[0], tuple(interned[1]), "text")
    elif not isinstance(values, np.ndarray):
        categories = _categorical(values)
        if categories is not None:
            return _from_categories(*categories, name)
    array = flat(as_array(values, name))
    check_shape(array, 1, name, "one label per sample")
    kind = array.dtype.kind
    if kind in "biu":
        return _from_numbers(array)
    if kind == "f":
        return _from_numbers(_as_integers(array, name))
    if kind == "c":
        raise DataError(
            "holds complex numbers", "labels are whole numbers, text or other hashable values", argument=name
        )
    if kind in "US":
        return _interned(array)
    if kind in "OT":
        objects = np.ascontiguousarray(array, dtype=object)
        interned = kernels.intern_strings(objects)
        if interned is None:
            check_nulls(objects, name)
            return _hashed(objects.tolist(), name)
        return Coded(interned[0], tuple(interned[1]), "text" if len(objects) else None)
    check_nulls(array, name)
    return _hashed(list(array), name)


def refuse_missing(column: Coded, name: str, missing: MissingWords | None) -> None:
    """Refuse a label of a column that the call says is a missing value."""
    if missing is not None:
        missing.refuse(column.labels, name, lambda number: int(np.argmax(column.codes == number)))


def notice_of_column(values: Any, name: str, nouns: str) -> Note | None:
    """A warning about values of a column that are words for a missing value."""
    column = coded(values, name)
    if column.kind != "text" or WORDS.isdisjoint(map(str.strip, map(str, column.labels))):
        return None
    counts = np.bincount(column.codes, minlength=len(column.labels)).tolist()
    by_label = {label: {called(name): count} for label, count in zip(column.labels, counts, strict=True)}
    return notice_of_words(by_label, nouns, "value")


def _from_numbers(array: NDArray[Any]) -> Coded:
    if array.dtype.kind == "b":
        return Coded(np.ascontiguousarray(array).view(np.uint8), None, "numbers" if len(array) else None, boolean=True)
    if array.dtype.itemsize == 8 and array.dtype.kind == "u":
        if array.max(initial=0) >= 2**63:
            return _hashed(array.tolist(), "")
        array = array.astype(np.int64)
    if not (array.flags.c_contiguous and array.dtype.isnative):
        array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    return Coded(array, None, "numbers" if len(array) else None)


def _interned(array: NDArray[Any]) -> Coded:
    """Text or bytes of one width, by their bytes."""
    kind: Kind | None = None if not len(array) else "text" if array.dtype.kind == "U" else "bytes"
    if not array.size or not array.dtype.itemsize:  # nothing, or nothing but empty texts
        return Coded(np.zeros(len(array), dtype=np.uint8), tuple(array[:1].tolist()), kind)
    rows = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1)
    codes, first = kernels.intern_rows(rows)
    return Coded(codes, tuple(array[first].tolist()), kind)


def _as_integers(array: NDArray[Any], name: str) -> NDArray[np.int64]:
    """Floats that are whole numbers, as such."""
    check_nulls(array, name)
    with np.errstate(invalid="ignore"):
        integers = array.astype(np.int64)
    wrong = np.flatnonzero((integers != array) | (np.abs(array) > 2.0**53))
    if len(wrong):
        raise DataError(
            f"is {array[wrong[0]]} at index {wrong[0]}",
            "labels must be whole numbers, text or other hashable values (scores and probabilities belong to metrics "
            "of scores)",
            argument=name,
        )
    return integers


def _hashed(values: Iterable[Any], name: str) -> Coded:
    """Labels that numpy knows only as objects, numbered by a dict."""
    index: dict[Hashable, int] = {}
    codes = []
    for position, value in enumerate(values):
        try:
            codes.append(index.setdefault(value, len(index)))
        except TypeError as error:
            raise DataError(
                f"has a {type(value).__name__} at index {position}", "labels must be hashable", argument=name
            ) from error
    labels = tuple(normalize_label(label, name, codes.index(position)) for position, label in enumerate(index))
    kind: Kind | None = None
    for position, label in enumerate(labels):
        label_kind = kind_of(label)
        if kind is not None and label_kind != kind:
            raise DataError(
                f"mixes {kind} and {label_kind} ({label!r} at index {codes.index(position)})",
                "give labels of one kind",
                argument=name,
            )
        kind = label_kind
    boolean = bool(labels) and all(type(label) is bool for label in labels)
    return Coded(np.array(codes, dtype=np.int64), labels, kind, boolean=boolean)


def normalize_label(label: Any, name: str, index: int | None = None) -> Hashable:
    """The label as Python has it, a float that is a whole number as an int; `name` and `index` say where it stands."""
    if isinstance(label, np.ndarray | list | dict | set):
        raise DataError(f"is a {type(label).__name__}", "labels must be hashable", argument=name)
    value: Hashable = label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufUS" else label
    if isinstance(value, float):
        if not value.is_integer() or abs(value) > 2.0**53:
            where = "" if index is None else f" at index {index}"
            raise DataError(
                f"is {value!r}{where}", "labels must be whole numbers, text or other hashable values", argument=name
            )
        return int(value)
    return value


def kind_of(label: object) -> Kind:
    """The kind of a label, for telling whether two could be equal."""
    if isinstance(label, bool | int | float):
        return "numbers"
    if isinstance(label, str):
        return "text"
    return "bytes" if isinstance(label, bytes) else "objects"


def group_codes(groups: Any) -> NDArray[np.integer[Any]] | None:
    """Each sample's group as a number from 0, numbered in the order of their labels, whatever the order of rows."""
    if groups is None:
        return None
    return codes_in_order(coded(groups, "groups"))


def codes_in_order(column: Coded) -> NDArray[np.integer[Any]]:
    """Each sample's label as a number from 0, in the order of the labels if they have one."""
    labels, in_order = sorted_labels(column.labels)
    if not in_order or labels == column.labels:
        return column.codes
    rank_of = {label: rank for rank, label in enumerate(labels)}
    numbers: NDArray[np.int32] = np.array([rank_of[label] for label in column.labels], dtype=np.int32)
    return np.asarray(numbers[column.codes])


def sorted_labels(labels: Sequence[Any]) -> tuple[tuple[Any, ...], bool]:
    """The labels in increasing order, and whether they have one; those that have none stay as they are."""
    try:
        return tuple(sorted(labels)), True
    except TypeError:
        return tuple(labels), False


def _categorical(values: Any) -> tuple[NDArray[np.integer[Any]], Sequence[Any], bool] | None:
    """Codes (-1 for null), categories and whether these are ordered, of a pandas, polars or pyarrow column of text.

    Text that is not categorical is made so by its own library, which is faster than to make an object of each value.
    """
    library = sys.modules.get(type(values).__module__.partition(".")[0])
    kind = None if library is None else library.__name__
    if kind == "pandas" and hasattr(values, "dtype"):
        if str(values.dtype).startswith("str"):
            values = values.astype("category")
        if str(values.dtype) == "category":
            accessor = getattr(values, "cat", values)
            return np.asarray(accessor.codes), accessor.categories.tolist(), bool(accessor.ordered)
    if library is not None and kind == "polars" and type(values).__name__ == "Series":
        if values.dtype == library.String:
            values = values.cast(library.Categorical)
        if values.dtype in (library.Enum, library.Categorical):
            codes = values.to_physical().cast(int).fill_null(-1).to_numpy()
            if values.dtype == library.Enum:
                return codes, values.dtype.categories.to_list(), True
            categories = values.drop_nulls().unique()
            new_codes = np.full(int(codes.max(initial=-1)) + 2, -1)
            new_codes[categories.to_physical().to_numpy()] = np.arange(len(categories))
            return new_codes[codes], categories.to_list(), False
    if kind == "pyarrow" and hasattr(values, "type"):
        if "string" in str(values.type) and hasattr(values, "dictionary_encode"):
            values = values.dictionary_encode()
        if str(values.type).startswith("dictionary"):
            combined = values.combine_chunks() if hasattr(values, "combine_chunks") else values
            chunk = combined.chunk(0) if hasattr(combined, "chunk") else combined
            codes = chunk.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
            return codes, chunk.dictionary.to_pylist(), bool(chunk.type.ordered)
    return None


def _from_categories(codes: NDArray[np.integer[Any]], categories: Sequence[Any], ordered: bool, name: str) -> Coded:
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        raise DataError(f"has no value at index {missing[0]}", "leave out or fill such samples first", argument=name)
    present = np.flatnonzero(np.bincount(codes, minlength=len(categories)))
    chosen = [categories[index] for index in present.tolist()]
    if any(is_null(label) for label in chosen):
        raise DataError("has a null among its categories", "leave out or fill such samples first", argument=name)
    column = _hashed(chosen, f"the categories of {called(name)}")
    mapping = np.zeros(len(categories), dtype=np.int64)
    mapping[present] = column.codes
    order = None
    if ordered:
        order = tuple(normalize_label(category, f"a category of {called(name)}") for category in categories)
    return Coded(mapping[codes], column.labels, column.kind, boolean=column.boolean, order=order)


_WITHOUT_INDEX = (np.ndarray, list, tuple, type(None))


def check_index(**columns: Any) -> None:
    """Refuse pandas columns that have the same index labels in another order.

    Other labels are no contradiction: predictions often come with a new index, and are in the order of the truth.
    """
    indexed = [
        (name, index)
        for name, column in columns.items()
        if type(column) not in _WITHOUT_INDEX and (index := _index_of(column)) is not None
    ]
    for (first, first_index), (second, second_index) in combinations(indexed, 2):
        if first_index is second_index or len(first_index) != len(second_index) or first_index.equals(second_index):
            continue
        if _same_labels(first_index, second_index):
            row = next((row for row, (a, b) in enumerate(zip(first_index, second_index, strict=True)) if a != b), 0)
            raise DataError(
                f"{second} has the index labels of {first} in another order ({_as_python(second_index[row])!r} in row "
                f"{row} where {first} has {_as_python(first_index[row])!r})",
                f"put them in one order, as by {second}.loc[{first}.index], or pair them by place: {second}.to_numpy()",
            )


def _same_labels(index: Any, other: Any) -> bool:
    """True if each label of either index is in the other one."""
    try:
        return index.nlevels == other.nlevels and bool(index.isin(other).all() and other.isin(index).all())
    except (TypeError, ValueError):  # of kinds that pandas does not compare
        return False


def _as_python(label: Any) -> Any:
    """A numpy scalar, or a tuple of them, as Python writes it."""
    if isinstance(label, tuple):
        return tuple(map(_as_python, label))
    return label.item() if isinstance(label, np.generic) else label


def _index_of(column: Any) -> Any:
    """The index of a pandas object; None of anything else."""
    if hasattr(column, "to_native"):
        column = column.to_native()
    index = getattr(column, "index", None) if hasattr(column, "iloc") else None
    return index if hasattr(index, "equals") and hasattr(index, "isin") else None
