"""The report of a retrieval run: precision at levels of recall, and the first documents for each query."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from certus.evaluation.metric_curves import RECALL_LEVELS
from certus.io import Qrels, as_run
from certus.io.sources import is_path, path_name
from certus.metrics.ranking.average_precision import interpolated_precision
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.tasks.ranking.case import RunCase


_MAX_LINES = 2_000_000
"""Lines of a run that are read again."""


def curves(case: "RunCase", level: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Interpolated precision at eleven levels of recall, the mean over queries with its interval."""
    points = []
    for recall in RECALL_LEVELS:
        precision = case.estimate(interpolated_precision.using(recall=recall))
        interval = precision.interval(level)
        if precision.value == precision.value:
            points.append((recall, precision.value, interval.low, interval.high))
    rows: list[dict[str, Any]] = []
    for order, (recall, value, low, high) in enumerate(points):
        limits = f"[{low:.4f}, {high:.4f}]" if low == low else "-"
        tooltip = {"recall": recall, "precision": round(value, 4), "interval": limits}
        rows.append({"part": "line", "x": recall, "y": value, "order": order, **tooltip})
    banded = [point for point in points if point[2] == point[2]]
    outline = [(x, low) for x, _, low, _ in banded] + [(x, high) for x, _, _, high in reversed(banded)]
    rows += [{"part": "band", "x": x, "y": y, "order": order} for order, (x, y) in enumerate(outline)]
    about = f"Interpolated precision, mean over queries. The band is the {100 * level:g}% interval at each level."
    yield (
        "Precision by recall",
        {"x": "recall", "y": "precision", "tip": ["recall", "precision", "interval"], "said": about, "rows": rows},
    )


def documents(case: "RunCase", qrels: Qrels, number: int) -> tuple[str, Mapping[str, list[list[Any]]]]:
    """Why there are none; and of each query its first documents: id, grade (None: not judged), whether tied."""
    if is_path(case.run) and path_name(case.run) == "-":
        return "Documents are not listed: the run came from standard input, which is read once.", {}
    lines = as_run(case.run, case.ranked.name)
    if len(lines) > _MAX_LINES or lines.fingerprint != case.ranked.fingerprint:
        large = len(lines) > _MAX_LINES
        reason = f"it has {plural(len(lines), 'line')}" if large else "it changed since it was ranked"
        return f"Documents are not listed: {case.ranked.name} was not read again, as {reason}.", {}
    judged, by_query = qrels.to_dict(), {}
    for query, scores in lines.to_dict().items():
        if query in judged:
            by_query[query] = _first_documents(scores, judged[query], number, case.conventions.ties == "input")
    return "", by_query


def _first_documents(
    scores: Mapping[str, float], grades: Mapping[str, int], number: int, as_read: bool
) -> list[list[Any]]:
    order = list(scores) if as_read else sorted(scores, key=lambda name: name.encode("utf-8", "surrogateescape"))[::-1]
    order.sort(key=lambda name: -scores[name])
    rows = []
    for index, name in enumerate(order[:number]):
        near = order[max(index - 1, 0) : index] + order[index + 1 : index + 2]
        grade = grades.get(name)
        tied = any(scores[other] == scores[name] for other in near)
        rows.append([name, grade if grade is not None and grade >= 0 else None, int(tied)])
    return rows
