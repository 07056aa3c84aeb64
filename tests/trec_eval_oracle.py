"""trec_eval's output, from the values that trec_eval 9.0.8 itself computes (the wheel pytrec-eval-terrier).

The wheel gives values of single queries at full precision. The lines around them follow trec_eval's printing and are
written out here a second time, slowly; so is the order of documents.
"""

import gzip
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pytrec_eval import _RelevanceEvaluator

__all__ = ["ALL_TREC", "Data", "Qrels", "Run", "order", "printed", "read", "strings"]

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]
ALL_TREC = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *("iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
    *("binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P"),
    *("set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"),
)
"""trec_eval 9.0.8's measures in the order in which it prints them."""
SUMS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
GEOMETRIC = ("gm_map", "gm_bpref")
NAMED_BY_TEXT = ("relstring", "utility", "11pt_avg", "set_F", "ndcg", "ndcg_rel", "Rndcg", "G")


class Data(NamedTuple):
    """Judgments and a run."""

    qrels: Qrels
    run: Run


def values(data: Data, measure: str, rel: int, judged_only: bool) -> dict[str, dict[str, float]]:
    """trec_eval's values by query and by the name it prints; parameters stand in some names as they were written."""
    evaluator = _RelevanceEvaluator(
        query_relevance=data.qrels, measures={measure}, relevance_level=rel, judged_docs_only_flag=judged_only
    )
    name, dot, parameters = measure.partition(".")
    by_text = f"{name}_{parameters}" if dot and name in NAMED_BY_TEXT else ""
    return {
        query: {by_text or key: value for key, value in named.items()}
        for query, named in evaluator.evaluate(data.run).items()
    }


def order(found: Mapping[str, float]) -> list[str]:
    """Documents by score as a 32-bit number, then by descending id."""
    return sorted(found, key=lambda doc: (float(np.float32(found[doc])), doc.encode()), reverse=True)


def strings(data: Data, length: int, judged_only: bool = False) -> dict[str, str]:
    """relstring, by its definition."""
    said = {}
    for query in data.qrels.keys() & data.run.keys():
        judged = data.qrels[query]
        signs = [
            "-" if doc not in judged else "." if judged[doc] < 0 else ">" if judged[doc] > 9 else str(judged[doc])
            for doc in order(data.run[query])
        ]
        kept = [sign for sign in signs if not (judged_only and sign in "-.")]
        said[query] = "".join(kept[:length])
    return said


def printed(
    data: Data,
    measures: Iterable[str],
    run_id: str = "r",
    *,
    complete: bool = False,
    rel: int = 1,
    judged_only: bool = False,
) -> list[str]:
    """Output of ``trec_eval -q`` for the measures."""
    wanted = sorted(measures, key=lambda measure: ALL_TREC.index(measure.partition(".")[0]))
    queries = sorted(data.qrels.keys() & data.run.keys(), key=str.encode)
    columns: dict[str, dict[str, float] | dict[str, str]] = {}
    for measure in wanted:
        name, dot, parameter = measure.partition(".")
        if name == "runid":
            columns[name] = {}
        elif name == "relstring":
            columns[measure.replace(".", "_")] = strings(data, int(parameter) if dot else 10, judged_only)
        else:
            found = values(data, measure, rel, judged_only)
            for key in found[queries[0]]:
                columns[key] = {query: found[query][key] for query in queries}
    lines = [
        f"{name:<22}\t{query}\t{_one(name, column[query])}"
        for query in queries
        for name, column in columns.items()
        if name not in ("runid", "num_q", *GEOMETRIC)
    ]
    for name, column in columns.items():
        if not name.startswith("relstring"):
            lines.append(f"{name:<22}\tall\t{_summary(name, column.values(), data, run_id, complete)}")
    return lines


def _one(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    return str(int(value)) if name in SUMS else f"{value:6.4f}"


def _summary(name: str, column: Iterable[float | str], data: Data, run_id: str, complete: bool) -> str:
    present = len(data.qrels.keys() & data.run.keys())
    queries = len(data.qrels) if complete else present
    if name == "runid":
        return run_id
    if name == "num_q":
        return str(queries)
    if name == "num_rel" and complete:  # counted again from the judgments, without regard to the level
        return str(sum(grade > 0 for judged in data.qrels.values() for grade in judged.values()))
    total = 0.0
    for value in column:
        total += float(value)
    if name in SUMS:
        return str(int(total))
    if name in GEOMETRIC:
        return f"{math.exp((total + (queries - present) * math.log(0.00001)) / queries):6.4f}"
    return f"{total / queries:6.4f}"


def read(qrels_file: Path, run_file: Path) -> Data:
    """TREC files, in plain Python."""
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    with gzip.open(qrels_file, "rt") as file:
        for line in file:
            query, _, doc, grade = line.split()
            qrels.setdefault(query, {})[doc] = int(grade)
    with gzip.open(run_file, "rt") as file:
        for line in file:
            query, _, doc, _, score, _ = line.split()
            run.setdefault(query, {})[doc] = float(score)
    return Data(qrels, run)
