"""Samples of lm-evaluation-harness, ``samples_*.jsonl``."""

from collections.abc import Iterator
from pathlib import PurePath

from certus.io.files import input_format
from certus.io.logs.content import Content, fields, number_of
from certus.io.scores import Scores, of_records

_FIELDS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
_FIELDS |= {"doc_hash", "prompt_hash", "target_hash"}
_OTHER_LENGTH = -1
"""RULER has a metric for each length of the context and gives this to those that are not the document's."""


def _matches(content: Content) -> bool:
    return _is_summary(content) or (
        "doc_id" in content.first and bool({"filtered_resps", "resps"} & set(content.first))
    )


def _is_summary(content: Content) -> bool:
    return {"results", "configs", "n-samples"} <= set(content.object)


@input_format(
    "lm-eval",
    "lm-evaluation-harness",
    results="`samples_*.jsonl`: a line for each document with `doc_id`, `filter`, `metrics` and a value of each",
    matches=_matches,
)
def lm_eval(content: Content) -> Iterator[Scores]:
    """The metrics of each document; of several filters each metric is named as the tool names it, metric,filter."""
    if _is_summary(content):
        raise content.error(
            "is the summary of a run, without the values of its documents",
            "give samples_*.jsonl, which lm-eval writes beside it with --log_samples",
        )
    system = PurePath(content.name).parent.name or content.stem
    records: list[tuple[str, str, str, float]] = []
    empty: dict[str, list[str]] = {}
    left_out: dict[str, None] = {}
    keys: list[tuple[str, str, str]] = []
    for line, record in content.lines():
        (document,) = fields(content, record, ("doc_id",), "the line", line)
        # the hash tells the documents of two tasks apart, which are numbered alike
        item = f"{document} {str(record.get('doc_hash', ''))[:12]}".strip()
        content.about.append((item, record))
        filter_name = record.get("filter", "none")
        metrics = record.get("metrics", [name for name in record if name not in _FIELDS])
        for metric in metrics:
            (value,) = fields(content, record, (metric,), "the line", line)
            name = metric if filter_name == "none" else f"{metric},{filter_name}"
            if metric.isdecimal() and value == _OTHER_LENGTH:
                continue
            keys.append((system, name, item))
            if value is None or value != value:
                empty.setdefault(name, []).append(item)
            elif isinstance(value, str) or (number := number_of(value)) is None:
                left_out[name] = None
            else:
                records.append((system, name, item, number))
    scored = {name for _, name, _, _ in records}
    left_out |= dict.fromkeys(name for name in empty if name not in scored)
    for name in left_out:
        text = f"{name} left out, as it is not one number for each document"
        content.notice("no-value", text)
    for name, items in empty.items():
        if name not in left_out:
            content.left_out(name, items, "as they are empty")
    content.lacking(keys)
    yield from of_records([record for record in records if record[1] not in left_out], repeats=False)
