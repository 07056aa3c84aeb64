"""Details of lighteval, ``details_*.parquet``."""

import ast
import json
from collections.abc import Iterator
from typing import Any

from certus.io.files import input_format
from certus.io.logs.content import Content, digest, fields
from certus.io.scores import Scores


def _is_summary(content: Content) -> bool:
    return {"results", "config_general", "summary_general"} <= set(content.object)


def _matches(content: Content) -> bool:
    names = set(content.names) if content.data.startswith(b"PAR1") else set()
    return _is_summary(content) or {"doc", "metric"} <= names or {"example", "metrics"} <= names


@input_format(
    "lighteval",
    "lighteval",
    results="`details_*.parquet` with `doc`, `metric` (before 0.10 `example`, `metrics`); needs `certus[arrow]`",
    matches=_matches,
)
def lighteval(content: Content) -> Iterator[Scores]:
    """The metrics of each example."""
    if _is_summary(content):
        raise content.error(
            "is the summary of a run, without the values of its examples",
            "give details_*.parquet, which lighteval writes with --save-details",
        )
    yield from content.parsed(_cells(content), content.stem)


def _cells(content: Content) -> Iterator[tuple[None, str, str, Any]]:
    corpus: dict[str, None] = {}
    for number, row in enumerate(content.parquet()):
        is_old = "doc" not in row
        doc, metrics = fields(content, row, ("example", "metrics") if is_old else ("doc", "metric"), f"row {number}")
        about = _parse(doc)
        name = about.get("id") if isinstance(about, dict) else None
        text = about.get("query", about) if isinstance(about, dict) else about
        item = f"{number if name in (None, '') else name} {digest(text)}"
        values = _parse(metrics)
        content.about.append((item, {**row, "example" if is_old else "doc": about}))
        if not isinstance(values, dict):
            raise content.error(f"row {number} has no dict of metrics", f"expected {lighteval.forms['results']}")
        for metric, value in values.items():
            if isinstance(value, dict | list):
                corpus[metric] = None
            else:
                yield None, item, metric, value
    for metric in corpus:
        content.notice("no-value", f"{metric} left out, as it is not one number for each example")


def _parse(value: Any) -> Any:
    """A struct; or what was written as a text of one."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return value
