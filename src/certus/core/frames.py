"""DataFrames of any library, from columns of plain values."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Literal

Kind = Literal["text", "whole", "number", "object"]
"""Kind of values that a column holds."""
Library = Literal["pandas", "polars", "pyarrow"]
"""The libraries whose DataFrames are made."""


def frame_of(columns: Mapping[str, Sequence[Any]], column_types: Mapping[str, Kind], library: Library) -> Any:
    """A DataFrame of a library; raises ImportError where it is not installed."""
    try:
        import_module(library)
    except ImportError as error:
        raise ImportError(f"{library} is not installed; install it: pip install {library}") from error
    import narwhals as nw

    types = {"text": nw.String(), "whole": nw.Int64(), "number": nw.Float64(), "object": nw.Object()}
    if library == "pyarrow" and "object" in column_types.values():
        raise ValueError("pyarrow has no columns of objects; take to_pandas() or to_polars()")
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
    return nw.from_dict(data, schema, backend=library).to_native()


def _utf8_text(values: Sequence[Any]) -> list[Any]:
    """Arrow strings are UTF-8: a byte that is not becomes an escape."""
    there = [value for value in values if value is not None]
    if all(type(value) is str for value in there) and "".join(there).isascii():
        return list(values)
    return [value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values]
