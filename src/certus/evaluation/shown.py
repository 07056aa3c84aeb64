"""The content of a report beside the values: curves and tables of the systems, and the documents of queries."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Shows(Protocol):
    """A system that can be shown in more than its values."""

    def curves(self, level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """The name of each curve; its axes, and the points of its line and of its band."""

    def documents(self, number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """Why there are none; and of each query its first documents, with grade and whether tied."""

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """The heading of each table, the names of its columns, and its lines."""


_DOCUMENTS = 10


def shown_of(cases: Mapping[str, Shows], level: float) -> dict[str, Any]:
    """Curves by their name, documents by query and system, and why there are none; tables by heading and system."""
    curves: dict[str, dict[str, Any]] = {}
    documents: dict[str, dict[str, Any]] = {}
    tables: dict[str, dict[str, Any]] = {}
    said = ""
    for system, case in cases.items():
        for name, curve in case.curves(level):
            rows = curve.pop("rows")
            curves.setdefault(name, {**curve, "rows": []})["rows"] += [{**row, "system": system} for row in rows]
        for heading, names, lines in case.tables():
            tables.setdefault(heading, {})[system] = (names, lines)
        why, found = case.documents(_DOCUMENTS)
        said = said or why
        for query, listed in found.items():
            documents.setdefault(query, {})[system] = listed
    return {"curves": curves, "documents": {} if said else documents, "said": said, "tables": tables}
