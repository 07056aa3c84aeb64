"""DataFrames of any library, from columns of plain values."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from narwhals.typing import EagerAllowed, IntoDataFrame


Kind = Literal["text", "whole", "number", "object"]
"""Kind of values that a column holds."""

_BACKENDS = ("pandas", "polars", "pyarrow")


def frame_of(
    columns: Mapping[str, Sequence[Any]], column_types: Mapping[str, Kind], backend: str | None, caller: str
) -> "IntoDataFrame":
    """A DataFrame of `backend`, or of the library in use."""
    import narwhals as nw

    types = {"text": nw.String(), "whole": nw.Int64(), "number": nw.Float64(), "object": nw.Object()}
    library = cast("EagerAllowed", _backend(backend, caller))
    if library == "pyarrow" and "object" in column_types.values():
        raise ValueError(f"{caller}: pyarrow has no columns of objects; take backend='pandas' or 'polars'")
    schema = {name: types[column_types[name]] for name in columns}
    if library == "pandas":  # whose integers cannot be missing
        schema |= {
            name: types["number"]
            for name, values in columns.items()
            if column_types[name] == "whole" and None in values
        }
    data = {
        name: _utf8_text(values) if column_types[name] == "text" else list(values) for name, values in columns.items()
    }
    native: IntoDataFrame = nw.from_dict(data, schema, backend=library).to_native()
    return native


def _backend(wanted_backend: str | None, caller: str) -> str:
    if wanted_backend is None:
        used = [name for name in _BACKENDS if name in sys.modules]
        installed = [name for name in _BACKENDS if find_spec(name) is not None]
        if not used + installed:
            raise ImportError(f"{caller} needs pandas, polars or pyarrow; install one, for example: pip install pandas")
        return (used + installed)[0]
    if wanted_backend not in _BACKENDS:
        raise ValueError(f"backend is {wanted_backend!r}; it must be one of {', '.join(map(repr, _BACKENDS))}")
    try:
        import_module(wanted_backend)
    except ImportError as error:
        raise ImportError(f"{wanted_backend} is not installed; install it: pip install {wanted_backend}") from error
    return wanted_backend


def _utf8_text(values: Sequence[Any]) -> list[Any]:
    """Arrow strings are UTF-8: a byte that is not becomes an escape."""
    there = [value for value in values if value is not None]
    if all(type(value) is str for value in there) and "".join(there).isascii():
        return list(values)
    return [value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values]
