"""Helpers that several forms of statistic share: columns, exact sums, ranks of units, reasons."""

import math
import numbers
import reprlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.core.spelling import plural as plural

Bounds = tuple[float, float]
Stored = TypeVar("Stored")


class Resample(Protocol):
    """Function that returns bootstrap replicates of a statistic, faster than by its definition."""

    def __call__(self, replicates: int, seed: int, stratified: bool, /) -> Floats:
        """One value per replicate, NaN where it is undefined; `stratified` keeps the size of each stratum."""


TOO_SKEWED = "the interval may be too short: the values are very skewed for so few units"
"""Why an interval may not hold where few units decide."""


def sum_by_code(codes: NDArray[np.integer[Any]], values: Floats, size: int = 0) -> Floats:
    """Sum the values of each code, from 0 to the greatest or to `size` - 1; exact for any order of samples."""
    flat_codes = np.ascontiguousarray(codes, dtype=np.int64)
    size = max(size, int(flat_codes.max(initial=-1)) + 1)
    return kernels.exact_sum_by_code(flat_codes, np.ascontiguousarray(values, dtype=np.float64), size)


def sorted_rows(rows: Floats) -> Floats:
    """Sort the rows of a table lexicographically, so that results do not depend on the order of samples."""
    return np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])])


def unit_kinds(units: NDArray[np.integer[Any]] | None, *columns: NDArray[Any]) -> NDArray[np.int64]:
    """Number equal units alike: a code for each unit by the rows it consists of, in their order.

    Without `units` each row is one. Units of several rows are ordered by the sum of a number for each kind of row,
    which hardly any two units share unless they are equal.
    """
    order = np.lexsort(columns[::-1])
    changes = np.zeros(len(order), dtype=np.int64)
    for values in columns:
        changes[1:] |= values[order][1:] != values[order][:-1]
    row_kinds = np.empty(len(order), dtype=np.int64)
    row_kinds[order] = np.cumsum(changes)
    return row_kinds if units is None else unit_kinds(None, sum_by_code(units, irregular(row_kinds)))


def unit_ranks(units: NDArray[np.integer[Any]] | None, *columns: NDArray[Any]) -> NDArray[np.int64]:
    """Rank each unit by `unit_kinds`, so that draws by rank do not depend on the order of samples."""
    order = np.argsort(unit_kinds(units, *columns), kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def irregular(numbers: NDArray[np.int64]) -> Floats:
    """Number from 1 to 2 for each integer, such that sums of several hardly ever coincide."""
    return np.asarray(1 + np.sqrt(numbers + 2.5) % 1)  # no root of half an odd number is rational


def sums_of_parts(parts: Iterable[Sequence[Floats]], columns: int = 1) -> list[float]:
    """Exact sums of several columns that are read block by block; neither order nor blocks change a bit."""
    sums = kernels.ExactSums(columns)
    for part in parts:
        for index, column in enumerate(part):
            sums.add(index, np.ascontiguousarray(column))
    return sums.rounded()


LARGEST = 2**53
"""The largest count of a finite population: up to here all whole numbers are floating-point numbers too."""


def require_integer(count: Any, name: str, minimum: int = 0, maximum: float = math.inf) -> int:
    """Return the count as an int from `minimum` to `maximum`; anything else is refused."""
    if type(count) is int and minimum <= count <= maximum:
        return count
    wanted = f"it must be a whole number of at least {minimum}"
    number = isinstance(count, numbers.Real) and not isinstance(count, bool)
    if not number:
        # Arrays have their repr on many lines.
        raise DataError(f"is {' '.join(reprlib.repr(count).split())}", wanted, argument=name)
    # An int may have too many digits to print.
    if maximum < count < math.inf:
        raise DataError(f"is more than {maximum}", "counts go up to that", argument=name)
    if -math.inf < count < -LARGEST:
        raise DataError("is negative", wanted, argument=name)
    if not 0 <= count < math.inf or count != int(count):
        raise DataError(f"is {count}", wanted, argument=name)
    if count < minimum:
        raise DataError(f"is {count}", f"it must be at least {minimum}", argument=name)
    return int(count)


def mean_of(values: Floats) -> float:
    """Mean, the same bits for any order of the values; the mean of equal values is exactly their value."""
    flat = np.ascontiguousarray(values)
    total, scale = kernels.exact_sum(flat), 1.0
    if math.isinf(total) and np.isfinite(flat).all():  # the sum is beyond what a float holds, the mean is not
        total, scale = kernels.exact_sum(flat, over=64), 2.0**64
    return float(np.clip(total / len(flat) * scale, flat.min(), flat.max()))


NEAR = 1e-9
"""Part of a mean that rounding does not reach."""


def clip_mean(mean: float, first: float, values: Callable[[], Floats]) -> float:
    """Clip the mean to the range of the values, if it is so near to the first one that all may be equal."""
    if not abs(mean - first) <= NEAR * abs(first):
        return mean
    every = values()
    return float(np.clip(mean, every.min(), every.max()))


def column(values: ArrayLike, name: str) -> Floats:
    """One value per unit, as contiguous floats."""
    column = np.ascontiguousarray(values, dtype=np.float64)
    if np.ndim(values) != 1:
        raise DataError(f"has {np.ndim(values)} dimensions", "it must have one value per unit", argument=name)
    return column


class Converted(Generic[Stored]):
    """Dataclass field that converts what it is set to, for example array-likes to float columns."""

    def __init__(self, convert: Callable[[ArrayLike, str], Stored]) -> None:
        self._convert = convert

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Stored:
        if instance is None:
            raise AttributeError(self._name)  # so that the field has no default
        stored: Stored = vars(instance)[self._name]
        return stored

    def __set__(self, instance: object, values: ArrayLike) -> None:
        vars(instance)[self._name] = self._convert(values, self._name)


def finite_column(values: ArrayLike, name: str, noun: str = "value") -> Floats:
    """Convert to one float per unit; refuse NaN, infinite values and other than one dimension."""
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise DataError(f"has {column.ndim} dimensions", f"give one {noun} per unit", argument=name)
    if not np.isfinite(column).all():
        index = int(np.flatnonzero(~np.isfinite(column))[0])
        raise DataError(
            f"holds {column[index]:g} at position {index}", "every unit needs a finite value", argument=name
        )
    return column


def no_mean_reason(values: Floats, unit: str) -> str:
    """Reason why the values have no mean; empty if they have one."""
    if len(values) == 0:
        return f"there are no {plural(0, unit)[2:]}"
    missing = int(np.isnan(values).sum())
    return missing_reason(missing, len(values), unit) if missing else ""


def missing_reason(missing: int, n: int, unit: str) -> str:
    """Reason why there is no mean if some of n units have no value."""
    return f"{missing} of {plural(n, unit)} {'has' if missing == 1 else 'have'} no value"


def undefined_reason_of(n: int, value: float, unit: str) -> str:
    """Reason why a value of n units is undefined; empty if it is defined."""
    if n == 0:
        return f"there are no {plural(0, unit)[2:]}"
    return "the metric is undefined for these data" if math.isnan(value) else ""


def set_fields(instance: object, **fields: object) -> None:
    """Set fields of a frozen dataclass during its initialisation."""
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
