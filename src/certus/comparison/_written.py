"""Comparisons for programs: JSON, delimited values and DataFrames."""

import csv
import io
import json
import math
from typing import TYPE_CHECKING, Any

from certus.frames import Kind, frame_of

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    from certus.comparison.result import Comparison

__all__ = ["delimited", "document", "frame", "lines"]

_TEXT = ("metric", "system", "baseline", "interval", "method", "how", "unit", "verdict", "better", "why")
_WHOLE = ("n", "wins", "ties", "losses")
_ONLY_WITH_MARGIN = (
    "margin",
    "equivalence",
    "equivalence_adjusted",
    "non_inferiority",
    "non_inferiority_adjusted",
)


def document(comparison: "Comparison") -> str:
    """Everything as one document, one row a line."""
    rows = ",\n  ".join(_dumps(row) for row in comparison.to_dicts())
    return f'{_dumps(_head(comparison))[:-1]},\n "rows": [\n  {rows}\n ]}}\n'


def lines(comparison: "Comparison") -> str:
    """All but the rows, then one row a line."""
    return "".join(_dumps(item) + "\n" for item in [_head(comparison), *comparison.to_dicts()])


def _head(comparison: "Comparison") -> dict[str, Any]:
    return {
        "signature": {**comparison.conventions, "inputs": dict(comparison.inputs)},
        "warnings": [notice.to_dict() for notice in comparison.notices],
        "systems": list(comparison.systems),
        "metrics": list(comparison.metrics),
        "baseline": comparison.baseline,
        "sentences": comparison.sentences(),
        "values": comparison.values.to_dicts(),
        "letters": {metric: dict(letters) for metric, letters in comparison.letters.items()},
        "units": list(comparison.units),
        "per_unit": {
            metric: {system: _plain(values.tolist()) for system, values in systems.items()}
            for metric, systems in comparison.per_unit.items()
        },
    }


def _plain(values: list[float]) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values]


def _dumps(value: object) -> str:
    # ASCII only: any text, even bytes that were not UTF-8, survives any terminal, file encoding and JSON reader
    return json.dumps(value, allow_nan=False)


def delimited(comparison: "Comparison", separator: str) -> str:
    """A header line and one line a row, numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    columns = _columns(comparison)
    writer.writerow(columns)
    writer.writerows(["" if value is None else value for value in line] for line in zip(*columns.values(), strict=True))
    return out.getvalue()


def frame(comparison: "Comparison", backend: str | None) -> "IntoDataFrame":
    """The rows as a DataFrame of `backend`, or of the library in use."""
    columns = _columns(comparison)
    return frame_of(columns, {name: _kind(name) for name in columns}, backend, "to_frame")


def _columns(comparison: "Comparison") -> dict[str, list[Any]]:
    """The fields of all rows; those of a margin only where there is one."""
    rows = comparison.to_dicts()
    names = [name for name in rows[0] if comparison.margin is not None or name not in _ONLY_WITH_MARGIN]
    return {name: [row[name] for row in rows] for name in names}


def _kind(name: str) -> Kind:
    return "text" if name in _TEXT else "whole" if name in _WHOLE else "number"
