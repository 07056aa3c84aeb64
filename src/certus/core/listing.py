"""Plain tables of named columns: text, JSON, CSV and DataFrames."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from certus.core.frames import Kind, frame_of
from certus.core.printable import aligned
from certus.core.readable import Readable
from certus.core.spreadsheet import delimited


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Readable):
    """A table of columns: texts, whole numbers and numbers; None where a cell has no value.

    Attributes
    ----------
    columns
        The values of each column, by its name.
    kinds
        ``"text"``, ``"whole"`` or ``"number"`` of each column.
    decimals
        Of numbers in the text.

    Examples
    --------
    >>> print(Listing({"topic": ["1", "2"], "AP": [0.02, None]}, {"topic": "text", "AP": "number"}))
    topic      AP
    1      0.0200
    2           -
    """

    columns: Mapping[str, Sequence[Any]]
    kinds: Mapping[str, Kind]
    decimals: int = 4

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __str__(self) -> str:
        cells = [[self._cell(value) for value in values] for values in self.columns.values()]
        left = [self.kinds[name] == "text" for name in self.columns]
        return "\n".join(aligned([list(self.columns), *zip(*cells, strict=True)], left))

    def __repr__(self) -> str:
        return f"<table of {len(self)} rows: {', '.join(self.columns)}>"

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    def to_json(self) -> str:
        """A JSON array with an object for each row."""
        return json.dumps(self.rows(), allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """Comma-separated values with a header line; text that a spreadsheet would run gets an apostrophe in front."""
        return delimited(self.columns, self.columns.values())

    def to_frame(self, backend: str | None = None) -> Any:
        """A DataFrame of ``"pandas"``, ``"polars"`` or ``"pyarrow"``; None takes the one in use."""
        return frame_of(self.columns, self.kinds, backend, "to_frame")

    def _cell(self, value: Any) -> str:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "-"
        if isinstance(value, float):
            return f"{value:.{self.decimals}f}"
        return f"{value:,}" if isinstance(value, int) else str(value)
