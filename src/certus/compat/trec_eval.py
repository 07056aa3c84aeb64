"""trec_eval's output, character for character, from certus's kernels.

The face of trec_eval 9.0.8; ``dialect="10"`` follows what version 10.0 changed: scores of 64 bits, recall levels of
iprec_at_recall and 11pt_avg rounded to the nearest document, lines of comment, and lines for queries that ``-c`` adds.

Where trec_eval has no value of its own, the face gives the defined one:

- With nothing left to rank (``-J`` with nothing judged) trec_eval divides 0 by 0; here the value is 0.
- bpref with ``-l`` above the highest grade reads past its memory there; here every judged document is nonrelevant.
- ndcg, ndcg_rel, Rndcg and G with gains that lie less than 1 apart: trec_eval compares gains by the whole part of their
  difference, so its ideal ranking is not the best one (nDCG may exceed 1); here it is.
- 11pt_avg needs its recall levels in increasing order.

- rbp of version 10 looks for the least and the greatest gain from memory that was not set; here from 0.

Only dialect 10 has rbp, rbp_resid and unj, in ``all_trec`` too. Its dcg and ideal_dcg are not here.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from certus.compat._trec_measures import BY_GRADE, LEAST, Setting, Values
from certus.compat._trec_request import Line, read_measures
from certus.data import Columns, Ranking
from certus.errors import DataError, MetricNameError

if TYPE_CHECKING:
    from certus.metrics import Metric

__all__ = ["Options", "check", "looked_at", "metrics_of", "trec_eval_lines"]

_FORMATS = {"mean": "{:6.4f}", "sum": "{:.0f}", "none": "'{}'"}
"""How values of single queries print, by how their measure is summarised; others do not print for single queries."""


@dataclass(frozen=True, slots=True)
class Options:
    """trec_eval's options, by what they mean.

    Parameters
    ----------
    measures
        Measures, with parameters after a dot, or names of groups (``-m``).
    per_query
        Lines for each query before the summary (``-q``).
    complete
        Average over all judged queries, those missing from the run counted 0 (``-c``).
    rel
        Least relevant grade (``-l``).
    depth
        Documents of each query that are looked at; None for all (``-M``).
    summary
        Print the lines over all queries (``-n`` turns them off).
    judged_only
        Drop unjudged documents before anything else (``-J``).
    collection
        Documents in the collection, for the measure utility (``-N``).
    dialect
        Version of trec_eval to follow.
    """

    measures: tuple[str, ...] = ()
    per_query: bool = False
    complete: bool = False
    rel: int = 1
    depth: int | None = None
    summary: bool = True
    judged_only: bool = False
    collection: int = 0
    dialect: Literal["9", "10"] = "9"


def check(options: Options) -> None:
    """Refuse measures and parameters that do not exist, before any file is read.

    Raises
    ------
    MetricNameError
        A measure or one of its parameters does not exist.
    """
    read_measures(options.measures, options.dialect)


def trec_eval_lines(ranking: Ranking, options: Options, run_id: str) -> Iterator[str]:
    """Lines that trec_eval prints, without their line ends.

    Parameters
    ----------
    ranking
        Ranked with trec_eval's tie rule, from scores rounded to float32 for dialect 9. Its queries are those in both
        files or, with ``options.complete``, all judged queries.
    options
        What to print.
    run_id
        Last column of the run file's last line.

    Raises
    ------
    MetricNameError
        A measure or one of its parameters does not exist.
    DataError
        No query of the run is judged.
    """
    lines = read_measures(options.measures or ("official",), options.dialect)
    present = ranking.columns.retrieved > 0
    if not present.any():
        raise DataError("no query is in both the relevance judgments and the run; check that their query ids agree")
    shown = np.ones_like(present) if options.dialect == "10" else present
    columns = _evaluated(ranking, options, present)
    setting = Setting(options.rel, options.collection, "trec10" if options.dialect == "10" else "trec9")
    values = [_settled(line, line.measure.values(columns, setting, line.parameter), present) for line in lines]
    if options.per_query:
        yield from _query_lines(ranking.queries, lines, values, shown)
    if options.summary:
        for line, column in zip(lines, values, strict=True):
            yield from _summary_line(line, column, ranking, options, shown, run_id)


def _evaluated(ranking: Ranking, options: Options, present: NDArray[np.bool_]) -> Columns:
    """The columns that measures see. Version 10 gives a missing query one unjudged document."""
    if options.dialect == "10":
        columns = ranking.columns
        retrieved = np.where(present, columns.retrieved, 1).astype(columns.retrieved.dtype)
        ranking = Ranking(ranking.queries, columns._replace(retrieved=retrieved), ranking.ties)
    return looked_at(ranking, options).columns


def looked_at(ranking: Ranking, options: Options) -> Ranking:
    """The documents that the options leave."""
    if options.depth is not None:
        ranking = ranking.first(options.depth)
    return ranking.condensed() if options.judged_only else ranking


def metrics_of(options: Options) -> Iterator[tuple[str, "Metric"]]:
    """The measures asked for, by trec_eval's name, as metrics of certus, those that it has under that name."""
    from certus.metrics.names import spelled_by
    from certus.metrics.spellings import TREC_EVAL

    for line in read_measures(options.measures or ("official",), options.dialect):
        try:
            metric = spelled_by(TREC_EVAL.name, line.name)
        except MetricNameError:
            continue
        if metric is None:
            continue
        asked: dict[str, object] = {"rounding": f"trec{options.dialect}"}
        if line.measure.name not in BY_GRADE:
            asked["rel"] = options.rel
        yield line.name, metric.using(**{name: asked[name] for name in asked.keys() & metric.parameters.keys()})


def _settled(line: Line, values: Values, present: NDArray[np.bool_]) -> Values:
    """The values, without version 10's stand-in document where it takes that back: by name, without parameters."""
    if line.name == "relstring":
        return [text if there else "" for text, there in zip(values, present, strict=True)]
    if line.name in ("num_ret", "utility", "rbp_resid") or line.name.startswith("unj"):
        return np.where(present, values, 0.0)
    return values


def _query_lines(
    queries: tuple[str, ...], lines: list[Line], values: list[Values], shown: NDArray[np.bool_]
) -> Iterator[str]:
    printed = [
        (f"{line.name:<22}", _FORMATS[line.measure.summary], column)
        for line, column in zip(lines, values, strict=True)
        if line.measure.summary in _FORMATS
    ]
    for index in np.flatnonzero(shown):
        query = queries[index]
        for name, form, column in printed:
            yield f"{name}\t{query}\t{form.format(column[index])}"


def _summary_line(
    line: Line, values: Values, ranking: Ranking, options: Options, shown: NDArray[np.bool_], run_id: str
) -> Iterator[str]:
    kind = line.measure.summary
    if kind == "none":
        return
    start = f"{line.name:<22}\tall\t"
    queries = len(ranking)
    if kind == "run id":
        yield start + run_id
    elif kind == "queries":
        yield f"{start}{queries}"
    elif line.name == "num_rel" and options.complete:
        # trec_eval counts them again from the judgments, whatever level was asked for
        yield f"{start}{np.count_nonzero(ranking.columns.judged > 0)}"
    else:
        taken = np.asarray(values, dtype=np.float64)[shown]
        if kind == "sum":
            yield f"{start}{int(taken.sum())}"
        elif kind == "mean":
            yield f"{start}{_total(taken) / queries:6.4f}"
        else:
            logarithms = np.array([math.log(max(value, LEAST)) for value in taken.tolist()])
            total = _total(logarithms) + (queries - len(taken)) * math.log(LEAST)
            yield f"{start}{math.exp(total / queries):6.4f}"


def _total(values: NDArray[np.float64]) -> float:
    """The sum from the first to the last, as a loop adds it: trec_eval's rounding."""
    return float(np.cumsum(values)[-1])
