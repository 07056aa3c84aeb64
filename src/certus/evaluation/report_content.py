"""Report content beside the values: curves and tables for the systems, documents for the queries."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class ReportContent(Protocol):
    """A system that can be shown in more than its values."""

    def curves(self, level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each curve: its name, its axes, and the points on its line and its band."""

    def documents(self, number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """Why there are none; and of each query its first documents, with grade and whether tied."""

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """The heading of each table, the names of its columns, and its lines."""


_DOCUMENTS = 10


def report_content(cases: Mapping[str, ReportContent], level: float) -> dict[str, Any]:
    """Curves by their name, documents by query and system, and why there are none; tables by heading and system."""
    curves: dict[str, dict[str, Any]] = {}
    documents: dict[str, dict[str, Any]] = {}
    tables: dict[str, dict[str, Any]] = {}
    no_documents_note = ""
    for system, case in cases.items():
        for name, curve in case.curves(level):
            rows = curve.pop("rows")
            curves.setdefault(name, {**curve, "rows": []})["rows"] += [{**row, "system": system} for row in rows]
        for heading, names, lines in case.tables():
            tables.setdefault(heading, {})[system] = (names, lines)
        reason, by_query = case.documents(_DOCUMENTS)
        no_documents_note = no_documents_note or reason
        for query, documents_of_query in by_query.items():
            documents.setdefault(query, {})[system] = documents_of_query
    return {
        "curves": curves,
        "documents": {} if no_documents_note else documents,
        "said": no_documents_note,
        "tables": tables,
    }
