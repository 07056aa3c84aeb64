"""Tables that evaluation tools export: a row for each example, a column for each score."""

import re
from collections.abc import Iterator
from typing import Any

from certus.io.files import input_format
from certus.io.logs.content import Content, digest, legible
from certus.io.scores import Scores

_PHOENIX = re.compile(r"annotation_(.+)_score")
_RAGAS = {"user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids"}
_RAGAS |= {
    "response",
    "multi_responses",
    "reference",
    "rubrics",
    "rubric",
    "persona_name",
    "query_style",
    "query_length",
}
_RAGAS |= {
    "question",
    "contexts",
    "answer",
    "ground_truth",
    "ground_truths",
    "reference_tool_calls",
    "synthesizer_name",
}


def _langsmith_matches(content: Content) -> bool:
    return "example_id" in content.names and any(name.startswith("feedback.") for name in content.names)


@input_format(
    "langsmith",
    "LangSmith",
    results="`to_pandas()` of an experiment, as CSV: `example_id`, `feedback.*`",
    matches=_langsmith_matches,
)
def langsmith(content: Content) -> Iterator[Scores]:
    """The feedback on each example; an example that was run again is repeated."""
    columns = {name: name.removeprefix("feedback.") for name in content.names if name.startswith("feedback.")}
    yield from content.parsed(_by_example(content, columns), content.stem)


def _phoenix_matches(content: Content) -> bool:
    return {"example_id", "repetition_number"} <= set(content.names) and any(map(_PHOENIX.fullmatch, content.names))


@input_format(
    "phoenix",
    "Phoenix",
    results="the CSV of an experiment: `example_id`, `repetition_number`, `annotation_*_score`",
    matches=_phoenix_matches,
)
def phoenix(content: Content) -> Iterator[Scores]:
    """The score of each annotation; the repetitions of an example are its repeats."""
    keys = ((line, (row["example_id"], row["repetition_number"])) for line, row in content.records())
    content.check_unique(keys, "the example and repetition")
    columns = {name: match[1] for name in content.names if (match := _PHOENIX.fullmatch(name))}
    yield from content.parsed(_by_example(content, columns), content.stem)


def _by_example(content: Content, columns: dict[str, str]) -> Iterator[tuple[int | None, str, str, Any]]:
    for line, row in content.records():
        item = row.get("example_id")
        if item in (None, ""):
            raise content.error("column 'example_id' is empty", "it names the example", line=line)
        content.about.append((str(item), row))
        for column, metric in columns.items():
            yield line, str(item), metric, row.get(column)


_LANGFUSE_ITEMS = ("datasetItemId", "dataset_item_id", "traceId", "trace_id", "sessionId", "session_id")
"""The kinds of object that a score can belong to, from the narrowest to the widest."""


def _langfuse_matches(content: Content) -> bool:
    names = set(content.names)
    return {"name", "value", "source"} <= names and bool({"traceId", "trace_id"} & names)


@input_format(
    "langfuse",
    "Langfuse",
    results="scores as CSV, one a row: `name`, `value`, `source`, `traceId`",
    matches=_langfuse_matches,
)
def langfuse(content: Content) -> Iterator[Scores]:
    """Numeric and boolean scores, one a row, of data-set items where named, otherwise of traces or sessions."""
    yield from content.parsed(_langfuse_cells(content), content.stem)


def _langfuse_cells(content: Content) -> Iterator[tuple[int | None, str, str, Any]]:
    runs_by_name: dict[str, list[str]] = {}
    items_by_kind: dict[tuple[str, str], list[str]] = {}
    for line, row in content.records():
        kind = str(row.get("dataType") or row.get("data_type") or "NUMERIC").upper()
        item = next((row[name] for name in _LANGFUSE_ITEMS if row.get(name)), None)
        run = row.get("datasetRunId") or row.get("dataset_run_id")
        if item is None and not run:
            raise content.error("has no traceId", "a score belongs to a trace, a session or a run", line=line)
        if item is None:
            runs_by_name.setdefault(str(row["name"]), []).append(str(run))
        elif kind not in ("NUMERIC", "BOOLEAN"):
            items_by_kind.setdefault((str(row["name"]), kind.lower()), []).append(str(item))
        else:
            content.about.append((str(item), row))
            yield line, str(item), str(row["name"]), row["value"]
    for name, runs in runs_by_name.items():
        content.left_out(name, runs, "as they are of a whole run")
    for (name, kind), items in items_by_kind.items():
        content.left_out(name, items, f"as they are {kind}")


def _ragas_matches(content: Content) -> bool:
    names = set(content.names)
    return {"user_input", "response"} <= names or {"question", "answer", "contexts"} <= names


@input_format(
    "ragas",
    "RAGAS",
    results="`to_pandas()` of a result, as CSV: `user_input`, `response` and a column for each metric",
    matches=_ragas_matches,
)
def ragas(content: Content) -> Iterator[Scores]:
    """Every column that is not text of the sample; an item is known by its question."""
    question = "user_input" if "user_input" in content.names else "question"
    columns = [name for name in content.names if name not in _RAGAS]
    if not columns:
        raise content.error("has samples as RAGAS writes them, but no column of a metric")
    cells = []
    for line, row in content.records():
        item = legible(str(row[question] or ""))
        content.about.append((item, row))
        cells += [(line, item, name, row.get(name)) for name in columns]
    yield from content.parsed(cells, content.stem)


def _mlflow_matches(content: Content) -> bool:
    columns = content.object.get("columns")
    return set(content.object) == {"columns", "data"} and isinstance(columns, list)


@input_format(
    "mlflow",
    "MLflow",
    results="`eval_results_table.json`: `columns` with `NAME/score`, and `data`",
    matches=_mlflow_matches,
)
def mlflow(content: Content) -> Iterator[Scores]:
    """Every column that ends in /score or /value; an item is known by its place and its inputs."""
    columns, data = content.object["columns"], content.object["data"]
    metrics = {index: name.rpartition("/")[0] for index, name in enumerate(columns) if _of_metric(name)}
    if not metrics or not isinstance(data, list):
        raise content.error(
            "is a table of columns and data without a column NAME/score", f"expected {mlflow.forms['results']}"
        )
    inputs = next((columns.index(name) for name in ("inputs", "request", "question") if name in columns), None)
    cells: list[tuple[int | None, str, str, Any]] = []
    for number, row in enumerate(data):
        if not isinstance(row, list) or len(row) != len(columns):
            raise content.error(f"row {number} does not have {len(columns)} cells, one for each column")
        item = f"{number}" if inputs is None else f"{number} {digest(row[inputs])}"
        content.about.append((item, dict(zip(map(str, columns), row, strict=True))))
        cells += [(None, item, metric, _rating(row[index])) for index, metric in metrics.items()]
    yield from content.parsed(cells, content.stem)


def _rating(value: Any) -> Any:
    """The value as MLflow averages it: yes counts 1, no 0, and unknown is left out."""
    return {"yes": 1.0, "no": 0.0, "unknown": None}.get(value.lower(), value) if isinstance(value, str) else value


def _of_metric(name: Any) -> bool:
    return isinstance(name, str) and name.endswith(("/score", "/value"))
