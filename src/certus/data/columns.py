"""Columns as users have them, read into numpy arrays; a null or NaN is an error that names the argument and the place.

An argument may be a list, a numpy array, a column of pandas, polars, pyarrow or anything narwhals knows, or any object
that numpy can read (a torch tensor on the CPU). None of these libraries is imported here unless its object came in.
"""

import sys
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, mention
from certus.core.exact import any_beyond, distinct_ranks, doubles, loss, of_wide, unrounded
from certus.core.missing import WORDS, MissingWords, notice_of_words
from certus.core.note import Note
from certus.core.spelling import plural

Reals = NDArray[np.float32] | NDArray[np.float64]
"""Numbers in the width in which they came."""

LEAST_WEIGHT, GREATEST_WEIGHT = 2.0**-300, 2.0**300
"""Between them must the greatest weight be, so that products of three sums of weights are numbers."""
SMALLEST_SHARE = 2.0**-1000
"""Of the greatest weight, at least so much must every other be."""


def as_array(values: Any, name: str) -> NDArray[Any]:
    """The values as a numpy array, nothing converted: text stays text, and a list that mixes kinds becomes objects."""
    if type(values) is np.ndarray:
        array = values
    elif isinstance(values, list | tuple):
        array = _from_list(values, name)
    else:
        array = _from_object(values, name)
    if array.ndim == 0:
        kind = type(values).__name__
        raise DataError(
            f"is a {kind}", "it must be an array, a list or a column with one value per sample", argument=name
        )
    if array.dtype.kind == "V":
        raise DataError("has several fields per value", "give one column", argument=name)
    return array


def axes(values: Any) -> int:
    """The number of axes of the input, without converting it."""
    if isinstance(values, list | tuple):
        nested = bool(values) and (isinstance(values[0], list | tuple) or np.ndim(values[0]) > 0)
        return 1 + (axes(values[0]) if nested else 0)
    return len(shape) if (shape := getattr(values, "shape", None)) is not None else 1


def flat(array: NDArray[Any]) -> NDArray[Any]:
    """A table of one column as that column; anything else as it is."""
    return array[:, 0] if array.shape[1:] == (1,) else array


def is_column(values: Any) -> bool:
    """True if the array is a column, or a table of one column."""
    if axes(values) != 2:
        return axes(values) == 1
    shape = getattr(values, "shape", None)
    return all(np.size(row) == 1 for row in values) if shape is None else bool(shape[1] == 1)


def _from_list(values: Sequence[Any], name: str) -> NDArray[Any]:
    """Convert a list to an array, of Python objects if NumPy would round numbers or turn them into text."""
    types = set(map(type, values))
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError) as error:
        # numpy refuses rows of different lengths; a whole number too large for it can still be a label.
        if not _has_sequences(types):
            return _objects(values)
        raise DataError(f"cannot be read as an array: {error}", argument=name) from error
    if array.ndim > 1 and not _has_sequences(types):
        return _objects(values)  # numpy takes other sequences apart
    # numpy would round the whole numbers among floats, and turn the numbers among texts into text.
    rounded = array.dtype.kind == "f" and not types <= {float, np.ndarray} and any_beyond(array)
    mixed = array.dtype.kind in "US" and not (types <= {str, np.str_} or types <= {bytes, np.bytes_})
    if array.ndim > 1 and (rounded or mixed):
        return np.asarray(values, dtype=object)
    return _objects(values) if rounded or mixed else array


def _has_sequences(types: set[type]) -> bool:
    """True if any of the types is a list, tuple or array."""
    return bool(types & {list, tuple}) or any(hasattr(kind, "__array__") for kind in types)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    """One-dimensional array with each value as a Python object."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _from_object(values: Any, name: str) -> NDArray[Any]:
    """Convert an array-like (tensor, Series, sparse matrix) to an array; other values become 0-dimensional."""
    if isinstance(values, str | bytes | dict | set | frozenset):
        return np.empty((), dtype=object)
    if isinstance(values, np.ma.MaskedArray):
        hidden = np.flatnonzero(np.ma.getmaskarray(values))
        if len(hidden):
            raise DataError(
                f"is masked at index {hidden[0]}", "leave out or fill the masked values first", argument=name
            )
        return np.asarray(values.data)
    if hasattr(values, "toarray"):  # a sparse matrix
        return np.asarray(values.toarray())
    if hasattr(values, "detach"):  # a tensor that records gradients
        values = values.detach()
    try:
        if (wide := of_wide(values)) is not None:
            return wide
        if hasattr(values, "__array__") or hasattr(values, "__array_interface__"):
            return unrounded(np.asarray(values), values)
        if hasattr(values, "to_numpy"):
            return np.asarray(values.to_numpy())
        if hasattr(values, "__dlpack__"):
            return np.from_dlpack(values)
        if hasattr(values, "__len__") and hasattr(values, "__getitem__"):
            return _from_list(list(values), name)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise DataError(f"cannot be read as an array: {error}", argument=name) from error
    return np.empty((), dtype=object)


def is_null(value: object) -> bool:
    """True for None, NaN, NaT and pandas.NA."""
    if value is None:
        return True
    pandas = sys.modules.get("pandas")
    if pandas is not None and value is pandas.NA:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # something that does not compare to one truth value; no null does that
        return False


def check_nulls(array: NDArray[Any], name: str) -> None:
    """Refuse nulls, NaN and NaT."""
    kind = array.dtype.kind
    if kind == "O":
        position = next((index for index, value in enumerate(array.ravel().tolist()) if is_null(value)), None)
    else:
        position = _first_true(array != array) if kind in "fcTmM" else None
    if position is not None:
        where = np.unravel_index(position, array.shape)
        value = array[where]
        index = int(where[0]) if array.ndim == 1 else tuple(map(int, where))
        problem = "is NaN" if isinstance(value, float | np.floating) else f"has no value ({value})"
        raise DataError(f"{problem} at index {index}", "leave out or fill such samples first", argument=name)


def _first_true(wrong: NDArray[np.bool_]) -> int | None:
    """Flat index of the first True; None if there is none."""
    flat = wrong.ravel()
    position = int(flat.argmax()) if flat.size else 0
    return position if flat.size and flat[position] else None


def check_lengths(**arrays: Any) -> int:
    """The number of samples, which all the named arrays must have; one that is None was not given."""
    lengths = [(name, int(array.shape[0])) for name, array in arrays.items() if array is not None]
    (first, n), *remaining = lengths
    for name, length in remaining:
        if length != n:
            differs = f"has {plural(n, 'sample')} but {mention(name)} has {length}"
            raise DataError(differs, "they must pair up one to one", argument=name, subject=mention(first))
    return n


def floats(
    values: Any, name: str, *, infinite: bool = True, dimensions: int = 1, order: Literal["C", "either"] = "C"
) -> Reals:
    """Real numbers to calculate with, float32 and float64 as they are, other numbers as float64.

    Two dimensions are a table, one row per sample, in C order; with ``"either"`` also in Fortran order, as it comes.
    """
    _, numbers, lost = _read(values, name, dimensions, order)
    if lost:
        raise DataError(lost, "subtract a common offset first, or round them to floats", argument=name)
    return _check_finite(numbers, name, infinite=infinite)


def floats_or_matrix(values: Any, name: str, *, infinite: bool = True) -> Reals:
    """A column or a table of real numbers; a table of one column as that column."""
    array = flat(as_array(values, name))
    return floats(array, name, infinite=infinite, dimensions=2 if array.ndim == 2 else 1)


def ordered_floats(values: Any, name: str, dimensions: int = 1) -> tuple[Reals, NDArray[Any] | None]:
    """Real numbers of which only the order counts, in a table that in each row, and the distinct ones where ranked."""
    array, numbers, lost = _read(values, name, dimensions, "C" if dimensions == 1 else "either")
    if lost:
        distinct, numbers = distinct_ranks(array)
        return numbers, distinct
    return _check_finite(numbers, name, infinite=True), None


_NOT_NUMBERS = {"U": "text", "T": "text", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "durations"}
_SHAPES = {1: "one number per sample", 2: "one row of numbers per sample"}


def check_shape(array: Any, dimensions: int, name: str, rule: str) -> None:
    """Refuse an array of another number of axes; the rule completes "it must have"."""
    if len(array.shape) != dimensions:
        raise DataError(f"has shape {array.shape}", f"it must have {rule}", argument=name)


def _read(values: Any, name: str, dimensions: int, order: Literal["C", "either"]) -> tuple[NDArray[Any], Reals, str]:
    """The numbers as given, as floats, and what those lose."""
    array = as_array(values, name)
    array = flat(array) if dimensions == 1 else array
    check_shape(array, dimensions, name, _SHAPES[dimensions])
    kind = array.dtype.kind
    if kind not in "biufO":
        content = _NOT_NUMBERS.get(kind, f"values of type {array.dtype}")
        raise DataError(f"holds {content}", "it must hold numbers", argument=name)
    if kind == "O":
        check_nulls(array, name)
        if any(isinstance(value, str | bytes) for value in array.ravel().tolist()):
            raise DataError("holds text", "it must hold numbers", argument=name)
    layout: Literal["C", "F"] = "F" if order == "either" and array.flags.f_contiguous else "C"
    if array.dtype in (np.float32, np.float64):
        return array, np.asarray(array, order=layout), ""
    if array.dtype == np.float16:
        return array, np.asarray(array, dtype=np.float32, order=layout), ""
    try:
        check_nulls(array, name)
        numbers = np.asarray(doubles(array), order=layout)
        return array, numbers, loss(array, numbers)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot be read as numbers: {error}", argument=name) from error


def _check_finite(numbers: Reals, name: str, *, infinite: bool) -> Reals:
    # One sum finds every NaN and infinity; only then is it looked for.
    """Return the numbers; refuse NaN, and infinity unless `infinite`."""
    with np.errstate(all="ignore"):
        total = float(numbers.sum())
    if not np.isfinite(total):
        check_nulls(numbers, name)
        position = _first_true(np.isinf(numbers))
        if not infinite and position is not None:
            cell = tuple(map(int, np.unravel_index(position, numbers.shape)))
            raise DataError.for_value(name, cell, numbers[cell], "infinite", "it must be finite")
    return numbers


def sample_weights(values: Any) -> NDArray[np.float64] | None:
    """The weights of samples: finite, at least 0 and not all 0; None stays None."""
    if values is None:
        return None
    weights = floats(values, "sample_weight", infinite=False).astype(np.float64, copy=False)
    check_weights(weights)
    return weights


def check_weights(weights: NDArray[Any]) -> None:
    """Refuse weights that `sample_weights` refuses, of numbers that are finite."""
    if not len(weights):
        return
    position = _first_true(weights < 0)
    if position is not None:
        value = weights[position]
        raise DataError.for_value("sample_weight", (position,), value, f"{value:g}", "it must be at least 0")
    greatest = int(weights.argmax())
    if not weights[greatest]:
        raise DataError(
            "is 0", "some sample must count", argument="sample_weight", subject=f"every {mention('sample_weight')}"
        )
    if not LEAST_WEIGHT <= weights[greatest] <= GREATEST_WEIGHT:
        raise DataError(
            f"is {weights[greatest]:g} at index {greatest}, the greatest",
            "it must be from 2**-300 to 2**300: multiply all weights by a common factor, which changes no mean",
            argument="sample_weight",
        )
    smallest = int(np.where(weights > 0, weights, np.inf).argmin())
    if weights[smallest] < weights[greatest] * SMALLEST_SHARE:
        raise DataError(
            f"is {weights[smallest]:g} at index {smallest} but {weights[greatest]:g} at index {greatest}, more than "
            "2**1000 times as much",
            "leave out the samples that hardly count",
            argument="sample_weight",
        )


Kind = Literal["numbers", "text", "bytes", "objects"]
"""Kind of labels. Labels of two kinds never equal each other, so a column of each is a mistake."""


LARGE_COLUMN = 1 << 16
"""Length from which a column is checked for 0 and 1 alone, before a kernel numbers its labels."""


class Coded:
    """A column of labels: whole numbers in `values`, which stand for `names`, or are the labels where that is None."""

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
        """Distinct labels of an integer column, and each sample's index among them."""
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
    by_label = {label: {mention(name): count} for label, count in zip(column.labels, counts, strict=True)}
    return notice_of_words(by_label, nouns, "value")


def _from_numbers(array: NDArray[Any]) -> Coded:
    """Label column from an integer or boolean array, whose numbers are the labels."""
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
    array = array.astype(np.float64, copy=False) if array.dtype == np.float16 else array
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
    """Codes (-1 for null), categories and whether these are ordered, of a pandas, polars or pyarrow column of text."""
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
    """Label column from category codes; nulls are refused, categories without samples dropped."""
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        raise DataError(f"has no value at index {missing[0]}", "leave out or fill such samples first", argument=name)
    present = np.flatnonzero(np.bincount(codes, minlength=len(categories)))
    chosen = [categories[index] for index in present.tolist()]
    if any(is_null(label) for label in chosen):
        raise DataError("has a null among its categories", "leave out or fill such samples first", argument=name)
    column = _hashed(chosen, f"the categories of {mention(name)}")
    mapping = np.zeros(len(categories), dtype=np.int64)
    mapping[present] = column.codes
    order = None
    if ordered:
        order = tuple(normalize_label(category, f"a category of {mention(name)}") for category in categories)
    return Coded(mapping[codes], column.labels, column.kind, boolean=column.boolean, order=order)


_WITHOUT_INDEX = (np.ndarray, list, tuple, type(None))


def check_index(**columns: Any) -> None:
    """Refuse pandas columns that have the same index labels in another order."""
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
