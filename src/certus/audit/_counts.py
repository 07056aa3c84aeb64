"""Counts of one side of an audit, checked under the names of the arguments that gave them."""

from certus.errors import DataError, called
from certus.statistic.common import LARGEST, whole
from certus.statistic.strata import Stratum

__all__ = ["stratum"]


def stratum(name: str, size: int, checked: int, hits: int, *, predicted: bool, size_name: str | None = None) -> Stratum:
    """The stratum of the arguments `name`, `name_checked` and `name_hits`.

    Raises
    ------
    DataError
        A count is no whole number of at least 0, or more were checked, or found relevant, than there are.
    """
    size_name = name if size_name is None else size_name
    size = whole(size, size_name, most=LARGEST)
    checked, hits = whole(checked, f"{name}_checked", most=LARGEST), whole(hits, f"{name}_hits", most=LARGEST)
    found = f"{called(f'{name}_checked')} is {checked}"
    if checked > size:
        raise DataError(f"{found} but {called(size_name)} is {size}; an item is checked at most once")
    if hits > checked:
        raise DataError(f"{called(f'{name}_hits')} is {hits} but {found}; hits are counted among the checked items")
    return Stratum(size, checked, hits, predicted, name)
