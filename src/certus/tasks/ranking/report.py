"""The report of a retrieval run: precision at levels of recall, and the first documents for each query."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.errors import DataError
from certus.evaluation.metric_curves import RECALL_LEVELS, MetricCurve
from certus.io import Qrels, as_run
from certus.io.sources import is_path, path_name
from certus.metrics.names import resolve_metric
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
    banded = [point for point in points if point[2] == point[2]]
    outline = [(x, low) for x, _, low, _ in banded] + [(x, high) for x, _, _, high in reversed(banded)]
    levels = {
        f"{recall:.1f}": f"{value:.4f}" + (f" [{low:.4f}, {high:.4f}]" if low == low else "")
        for recall, value, low, high in points
    }
    yield (
        "Precision by recall",
        {
            "x": "recall",
            "y": "interpolated precision",
            "about": f"Mean over queries. Shaded: {100 * level:g}% interval at each level of recall.",
            "line": ([point[0] for point in points], [point[1] for point in points]),
            "band": tuple(map(list, zip(*outline, strict=True))) if outline else None,
            "levels": levels,
        },
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
            if case.conventions.drop_self:
                scores.pop(query, None)
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


MOST_RUNS = 7
"""Runs that one picture can show, each in a color of its own."""
_RANKS = 20
_UNJUDGED_RANKS = 100
_BY_RANK = {
    "precision": ("P", _RANKS, "P@k (share of the first k that are relevant)"),
    "recall": ("R", _RANKS, "R@k (share of the relevant documents among the first k)"),
    "unjudged": ("Unjudged", _UNJUDGED_RANKS, "Unjudged@k (share of the first k without judgment)"),
}
"""Metric, last rank and label of each picture by rank."""


def pictures(cases: "Mapping[str, RunCase]", by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes: all runs together."""
    del by  # the queries of runs have no subgroups
    if len(cases) > MOST_RUNS:
        raise DataError(f"{len(cases)} runs cannot be told apart in a picture", f"at most {MOST_RUNS} can")
    yield "precision-recall", partial(_by_recall, cases, level)
    yield "ndcg", partial(_gain_by_rank, cases, level)
    for name, (metric, last, label) in _BY_RANK.items():
        yield name, partial(_by_rank, cases, level, metric, last, label)
    yield "gains", partial(_gains, cases)


def _curve(case: "RunCase", metrics: Sequence[str], parameter: str, positions: Sequence[float]) -> MetricCurve:
    chosen = {text: resolve_metric(text, "ranking") for text in metrics}
    estimates = {
        text: tuple(case.estimate(metric.using(**{parameter: position})) for position in positions)
        for text, metric in chosen.items()
    }
    return MetricCurve(
        "rank" if parameter == "cutoff" else "recall", tuple(map(float, positions)), estimates, case.ranking.queries
    )


def _depth(cases: "Mapping[str, RunCase]", limit: int) -> range:
    """The ranks down to the last one of any list, at most so many."""
    longest = max((float(_values(case, "NumRet").max(initial=1)) for case in cases.values()), default=1)
    return range(1, 1 + max(1, min(limit, int(longest))))


def _values(case: "RunCase", metric: str) -> Any:
    statistic: Any = case.estimate(resolve_metric(metric, "ranking")).statistic
    return statistic.values


def _label(cases: "Mapping[str, RunCase]", name: str) -> str | None:
    return name if len(cases) > 1 else None


def _by_recall(cases: "Mapping[str, RunCase]", level: float, ax: Any = None) -> Any:
    for name, case in cases.items():
        ax = _curve(case, ["IPrec"], "recall", RECALL_LEVELS).plot(ax, level=level, label=_label(cases, name))
    return ax


def _gain_by_rank(cases: "Mapping[str, RunCase]", level: float, ax: Any = None) -> Any:
    """Curves by rank: of one run nDCG with its gain, discounted and ideal; of several nDCG alone."""
    metrics = ["CG", "DCG", "IdealDCG", "nDCG"] if len(cases) == 1 else ["nDCG"]
    ranks = _depth(cases, _RANKS)
    for name, case in cases.items():
        ax = _curve(case, metrics, "cutoff", ranks).plot(ax, level=level, label=_label(cases, name))
    return ax


def _by_rank(cases: "Mapping[str, RunCase]", level: float, metric: str, last: int, label: str, ax: Any = None) -> Any:
    from certus.plot.canvas import fit

    ranks = _depth(cases, last)
    for name, case in cases.items():
        ax = _curve(case, [metric], "cutoff", ranks).plot(ax, level=level, label=_label(cases, name))
    ax.set_ylabel(label)
    fit(ax)
    return ax


def _gains(cases: "Mapping[str, RunCase]", ax: Any = None) -> Any:
    """The gain of all documents that a run retrieves for a query; NaN where it lacks the query."""
    from certus.plot.rankings import gains as draw_gains

    queries = list(dict.fromkeys(query for case in cases.values() for query in case.units))
    by_metric = {}
    for metric in ("NumRel", "IdealDCG(discount='none')", "CG"):
        for name, case in cases.items():
            values = dict(zip(case.units, _values(case, metric).tolist(), strict=True))
            by_metric[metric, name] = np.array([values.get(query, np.nan) for query in queries])
    relevant, ideal = (
        np.nanmax([by_metric[metric, name] for name in cases], axis=0)
        for metric in ("NumRel", "IdealDCG(discount='none')")
    )
    return draw_gains(relevant, {name: by_metric["CG", name] for name in cases}, ax, ideal=ideal)
