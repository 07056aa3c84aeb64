"""Ranking: documents retrieved for queries, against their judgments."""

from certus.core.lazy import later
from certus.tasks._task import Argument, Task

__all__ = ["TASK"]

TASK = Task(
    name="ranking",
    data=(
        Argument("qrels", "relevance judgments", option="", holds="text", looks=("file", "frame")),
        Argument("runs", "retrieval runs", option="", holds="text", predicted=True),
    ),
    conventions=(
        Argument(
            "queries",
            "average over the queries in both files, or over all judged ones",
            choices=("intersection", "judged"),
        ),
        Argument("ties", "order of documents with equal scores", choices=("trec", "input", "average", "range")),
        Argument("unjudged", "treatment of documents without judgment", choices=("nonrelevant", "remove", "bounds")),
        Argument(
            "drop_self",
            "leave out of each query's results the document with the query's own id, as BEIR and MTEB do",
            choices=(False, True),
        ),
    ),
    options=(
        Argument("query", "column of queries, if it has an unusual name", holds="keys"),
        Argument(
            "document",
            "column of documents, if it has an unusual name; by default rows of a query are numbered",
            holds="keys",
        ),
        Argument("format_of_qrels", "format of the judgments, if it cannot be inferred (trec, csv, ...)", holds="text"),
        Argument(
            "format_of_run",
            "format of the runs, if it cannot be inferred (msmarco, query-doc-score, ...)",
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
    systems=later("certus.tasks.ranking.case", "systems_of"),
    call=later("certus.tasks.ranking.case", "estimate"),
    drawn=("precision-recall", "ndcg", "precision", "recall", "unjudged", "gains"),
    pictures=later("certus.tasks.ranking.case", "pictures"),
)
