"""Tables as DataFrames of any library."""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from narwhals.typing import EagerAllowed, IntoDataFrame

    from certus.table.table import Table

__all__ = ["frame"]

_BACKENDS = ("pandas", "polars", "pyarrow")
_NUMBERS = ("value", "low", "high", "level", "min", "max")


def frame(table: "Table", backend: str | None) -> "IntoDataFrame":
    """The rows as a DataFrame of `backend`, or of the library in use."""
    import narwhals as nw

    library = _backend(backend)
    rows = table.to_dicts()
    columns = table.columns
    schema = {
        name: nw.Float64() if name in _NUMBERS else nw.Int64() if name == "n" else nw.String() for name in columns
    }
    data = {name: [_plain(row[name]) for row in rows] for name in columns}
    native: IntoDataFrame = nw.from_dict(data, schema, backend=cast("EagerAllowed", library)).to_native()
    return native


def _backend(asked: str | None) -> str:
    if asked is None:
        used = [name for name in _BACKENDS if name in sys.modules]
        installed = [name for name in _BACKENDS if find_spec(name) is not None]
        if not used + installed:
            raise ImportError("to_frame needs pandas, polars or pyarrow; install one, for example: pip install pandas")
        return (used + installed)[0]
    if asked not in _BACKENDS:
        raise ValueError(f"backend is {asked!r}; it must be one of {', '.join(map(repr, _BACKENDS))}")
    try:
        import_module(asked)
    except ImportError as error:
        raise ImportError(f"{asked} is not installed; install it: pip install {asked}") from error
    return asked


def _plain(value: object) -> object:
    """Arrow strings are UTF-8: a byte that is not becomes an escape."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
