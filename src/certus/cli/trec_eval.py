"""``certus trec-eval``: trec_eval's own command line."""

import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from itertools import islice
from typing import TYPE_CHECKING, Literal

from certus.cli._declare import ExitError, UsageError, argument, command, option
from certus.cli._output import version, warn, write
from certus.cli._progress import QUIET, QUIET_LONG, working
from certus.core.errors import options_for

if TYPE_CHECKING:
    from certus.compat.trec_eval import Options
    from certus.core.note import Note
    from certus.io import Qrels
    from certus.io.rank import Queries, Ranked


_LINES_AT_ONCE = 50_000


Dialect = Literal["9", "10"]
"""Version of trec_eval."""

_FOLLOWED: ContextVar[Dialect] = ContextVar("FOLLOWED", default="9")
"""The version of trec_eval that the command line names."""
_VERSIONS = {"9": "9.0.8", "10": "10.0"}
_PREFERENCES = "preference judgments and their measures (prefs_simp, prefs_pair, prefs_avgjg and their variants)"
_JUDGMENTS = {
    "prefs": _PREFERENCES,
    "qrels_prefs": _PREFERENCES,
    "qrels_jg": "judgments by judgment group and their measures (map_avgjg, P_avgjg, Rprec_mult_avgjg)",
}
"""trec_eval's other formats of judgments, and what is missing for each."""
_OPTIONS = {"queries='judged'": "-c"}
"""The option that gives an argument of Python's functions."""


def _only(value: str, allowed: str, flag: str, missing: Mapping[str, str]) -> None:
    if value in missing:
        raise UsageError(f"{value!r} is not read: {missing[value]} are missing; use trec_eval", flag)
    if value != allowed:
        raise UsageError(f"{value!r} is not a format; only {allowed!r} is read", flag)


def _follow(dialect: Dialect) -> Dialect:
    _FOLLOWED.set(dialect)
    return dialect


def _print_version(is_set: bool) -> bool:
    if is_set:
        sys.stderr.write(f"certus {version()}, in place of trec_eval {_VERSIONS[_FOLLOWED.get()]}\n")
        raise ExitError
    return is_set


@command("trec-eval", "-m map qrels.txt bm25.run")
def trec_eval(
    qrels: str = argument(metavar="QRELS", help="Relevance judgments, - for stdin."),
    run: str = argument(metavar="RUN", help="Retrieval results, - for stdin."),
    measures: list[str] | None = option(
        "-m",
        "--measure",
        metavar="MEASURE",
        help="Measure, with parameters as in P.5,10, or group: official, set, all_trec. Default: official.",
    ),
    per_query: bool = option("-q", "--query_eval_wanted", help="Also each query."),
    complete: bool = option("-c", "--complete_rel_info_wanted", help="Average over all judged queries."),
    rel: int = option("-l", "--level_for_rel", default=1, min=0, max=2**31 - 1, help="Least relevant grade."),
    depth: int | None = option("-M", "--Max_retrieved_per_topic", min=1, help="Documents of each query to look at."),
    no_summary: bool = option("-n", "--nosummary", help="No lines over all queries."),
    judged_only: bool = option("-J", "--Judged_docs_only", help="Drop documents without judgment first."),
    collection: int = option(
        "-N", "--Number_docs_in_coll", default=0, min=0, max=2**53, help="Documents in the collection, for utility."
    ),
    dialect: Dialect = option(default="9", help="Version of trec_eval to follow.", read=_follow, is_eager=True),
    rel_format: str = option("-R", "--Rel_info_format", default="qrels", help="Only qrels."),
    run_format: str = option("-T", "--Results_format", default="trec_results", help="Only trec_results."),
    _quiet: bool = QUIET_LONG,
    _obsolete: bool = option("-o", help="No effect, as in trec_eval 9."),
    _version: bool = option("-v", "--version", read=_print_version, help="Print the version."),
) -> None:
    """Evaluate one run as trec_eval 9.0.8 does, with its flags and its output.

    Not there: preference judgments (-R prefs, qrels_prefs), judgments by group (-R qrels_jg), Z scores (-Z) and
    debugging output (-D).
    """
    _only(rel_format, "qrels", "-R", _JUDGMENTS)
    _only(run_format, "trec_results", "-T", {})
    if qrels == run == "-":
        raise UsageError("standard input can be read only once")
    from certus.compat.trec_eval import Options, read_measures, trec_eval_lines
    from certus.io import read_qrels
    from certus.io.rank import rank

    options = Options(
        measures=tuple(measures or ()),
        per_query=per_query,
        complete=complete,
        rel=rel,
        depth=depth,
        summary=not no_summary,
        judged_only=judged_only,
        collection=collection,
        dialect=dialect,
    )
    read_measures(options.measures, options.dialect)  # refuses those that do not exist, before any file is read
    with working("evaluating"), options_for(_OPTIONS):
        judged = read_qrels(qrels, comments=dialect == "10")
        queries: Queries = "judged" if complete else "intersection"
        ranked = rank(judged, run, queries=queries, trec_eval=dialect)
    if not QUIET.get():  # they take time
        warn(notice.with_options(_OPTIONS) for notice in _notices(judged, ranked, options))
    lines = trec_eval_lines(ranked.ranking.queries, ranked.ranking.columns, options, ranked.tag)
    for text in _chunks(lines):
        write(text)


def _notices(qrels: "Qrels", ranked: "Ranked", options: "Options") -> Iterator["Note"]:
    """The warnings of `certus evaluate`, ties as far as they matter to these measures."""
    from certus.compat.trec_eval import looked_at, metrics_of
    from certus.data.ranking import Ranking
    from certus.io.notices import of_qrels, of_ranked

    yield from of_qrels(qrels)
    yield from of_ranked(ranked, qrels.name)
    looked = looked_at(ranked.ranking.columns, options)
    if (looked.tie_size > 1).any():
        from certus.metrics.orders import tie_effect, tie_notices

        ranking = Ranking(ranked.ranking.queries, looked)
        metrics = dict(metrics_of(options))
        statistics = [metric.compute(ranking) for metric in metrics.values()]
        effect = tie_effect(ranked.name, ranked.name, ranking, list(metrics.values()), statistics, list(metrics))
        yield from tie_notices([effect])


def _chunks(lines: Iterator[str]) -> Iterator[str]:
    """The lines joined, many at a time."""
    while chunk := list(islice(lines, _LINES_AT_ONCE)):
        yield "\n".join(chunk) + "\n"
