"""Rows, a signature and a remark for tests of tables."""

from typing import Any

from certus.core.note import Note
from certus.table import Row

SIGNATURE = {
    "certus": "0.1.0",
    "queries": "intersection",
    "averaged": {"bm25": {"queries": 250, "missing": 0}},
    "inputs": {"qrels.txt": "00ff"},
}
NOTICE = Note("ties change results in 2 queries", "bm25", "ties", ("31", "32"), 2)


def row(run: str = "bm25", metric: str = "nDCG@10", value: float = 0.3135, **more: Any) -> Row:
    """A row with an interval."""
    interval = {"low": 0.2988, "high": 0.3281, "level": 0.95, "method": "t", "n": 250}
    return Row(run, metric, value, **{**interval, **more})


def one_query(query: str, metric: str, value: float, run: str = "bm25") -> Row:
    """A row of a single query."""
    return Row(run, metric, value, query=query)
