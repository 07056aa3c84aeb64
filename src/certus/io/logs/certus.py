"""Results that certus stored itself: tables with the value of each query or item."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from certus.io.files import input_format
from certus.io.logs.content import Content, fields
from certus.io.scores import Scores

_CONDITIONS = ("task", "queries", "ties", "unjudged")
_FORM = "`certus evaluate ... --per-query -o base.json`; of tables with `--id`"


def _matches(content: Content) -> bool:
    return {"signature", "rows"} <= set(content.object) and "certus" in (content.object["signature"] or ())


@input_format("certus", "certus", results=_FORM, matches=_matches)
def certus(content: Content) -> Iterator[Scores]:
    """The values of each query or item, compared with the value over all."""
    signature, rows = fields(content, content.object, ("signature", "rows"), "the file")
    by_metric: dict[tuple[str, str], dict[str, float]] = {}
    overall: dict[tuple[str, str], float] = {}
    for number, row in enumerate(rows, 1):
        run, metric, value = fields(content, row, ("run", "metric", "value"), f"row {number}")
        query, key = row.get("query"), (run, metric)
        if not all(isinstance(name, str) for name in (run, metric, "" if query is None else query)):
            raise content.error(f"row {number} has a name that is not text", "was the file changed?")
        if query is None:
            if row.get("group") is None and row.get("class") is None and row.get("among") is None:
                overall[key] = math.nan if value is None else value
        elif by_metric.setdefault(key, {}).setdefault(query, value) is not value:
            raise content.error(f"{metric} of {run} has two values of {query!r}", "was the file changed?")
    if not by_metric:
        raise content.error("holds no value of a single query or item", "write it with --per-query (and --id)")
    content.conditions.update({name: signature[name] for name in _CONDITIONS if name in signature})
    if signature.get("task") == "ranking":
        content.conditions["the hash of the judgments"] = next(iter(signature.get("inputs", {}).values()), None)
    for (run, metric), values in by_metric.items():
        scores = _scores(content, signature, run, metric, values)
        if scores is not None and _is_mean(scores, overall.get((run, metric), math.nan)):
            yield scores
        else:
            unit = "queries" if signature.get("task") == "ranking" else "items"
            text = f"{metric} of {run} left out, as its value is not the mean of those of the {unit}"
            content.notice("no-mean", text)


def _scores(
    content: Content, signature: Mapping[str, Any], run: str, metric: str, values: Mapping[str, float | None]
) -> Scores | None:
    if None in values.values():
        return None
    clusters = signature.get("clusters", {}).get(run, {})
    for name, column in clusters.items():
        if len(column) != len(values):
            raise content.error(f"has {len(column)} {name} for {len(values)} values of {run}", "was the file changed?")
    weights = clusters.get("sample_weight")
    return Scores(
        run,
        metric,
        tuple(values),
        np.array(list(values.values()), dtype=np.float64),
        clusters.get("groups"),
        None if weights is None else np.array(weights, dtype=np.float64),
    )


def _is_mean(scores: Scores, value: float) -> bool:
    mean = float(np.average(scores.values, weights=scores.weights))
    return math.isclose(mean, value, rel_tol=1e-9, abs_tol=1e-300)
