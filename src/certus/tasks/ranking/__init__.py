"""Ranking: documents retrieved for queries, against their judgments."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from certus.tasks._task import Argument, Task

if TYPE_CHECKING:
    from certus.evaluation.cases import Systems
    from certus.inference import Estimate
    from certus.tasks.ranking.case import RunCase

__all__ = ["TASK"]


@cache
def _systems() -> "Callable[..., Systems]":
    from certus.tasks.ranking.case import systems_of

    return systems_of


@cache
def _call() -> "Callable[..., Estimate]":
    from certus.tasks.ranking.case import estimate

    return estimate


def _draw_pictures(
    cases: "Mapping[str, RunCase]", by: Any, level: float
) -> "Iterable[tuple[str, Callable[[Any], Any]]]":
    from certus.tasks.ranking.report import pictures

    return pictures(cases, by, level)


TASK = Task(
    name="ranking",
    data=(
        Argument(names=("qrels",), about="relevance judgments", holds="text", looks=("file", "frame")),
        Argument(names=("runs",), about="retrieval runs", holds="text", predicted=True),
    ),
    conventions=(
        Argument(
            names=("queries",),
            about="average over the queries in both files, or over all judged ones",
            option="queries",
            holds="text",
            choices=("intersection", "judged"),
            default="intersection",
        ),
        Argument(
            names=("ties",),
            about="order of documents with equal scores",
            option="ties",
            holds="text",
            choices=("trec", "input", "average", "range"),
            default="trec",
        ),
        Argument(
            names=("unjudged",),
            about="treatment of documents without judgment",
            option="unjudged",
            holds="text",
            choices=("nonrelevant", "remove", "bounds"),
            default="nonrelevant",
        ),
        Argument(
            names=("drop_self",),
            about="leave out of each query's results the document with the query's own id, as BEIR and MTEB do",
            option="drop-self",
            holds="flag",
            choices=(False, True),
            default=False,
        ),
    ),
    options=(
        Argument(names=("query",), about="column of queries, if it has an unusual name", option="query", holds="keys"),
        Argument(
            names=("document",),
            about="column of documents, if it has an unusual name; by default rows of a query are numbered",
            option="document",
            holds="keys",
        ),
        Argument(
            names=("format_of_qrels",),
            about="format of the judgments, if it cannot be inferred (trec, csv, ...)",
            option="format-of-qrels",
            holds="text",
        ),
        Argument(
            names=("format_of_run",),
            about="format of the runs, if it cannot be inferred (msmarco, query-doc-score, ...)",
            option="format-of-run",
            holds="text",
        ),
    ),
    needs=(("qrels", "runs"),),
    usual=("nDCG@10", "AP", "RR", "P@10", "R@1000"),
    compared=("nDCG@10", "AP"),
    metrics="certus.metrics.ranking",
    about="the cutoff stands behind an `@`.",
    example="nDCG@10, AP(rel=2) or RBP(p=0.9)",
    unit="query",
    systems=_systems,
    call=_call,
    drawn=("precision-recall", "ndcg", "precision", "recall", "unjudged", "gains"),
    pictures=_draw_pictures,
)
