"""``certus evaluate``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from certus.cli._options import Format, Queries, Ties, Unjudged
from certus.cli._output import check_force, check_target, format_of, rendered, warn, write
from certus.cli._plugins import load_plugins
from certus.cli._progress import working
from certus.cli._startup import preload_special_functions
from certus.errors import options_for

if TYPE_CHECKING:
    from certus.table import Table

__all__ = ["DEFAULT_METRICS", "OPTIONS", "evaluate"]

DEFAULT_METRICS = ("nDCG@10", "AP", "RR", "P@10", "R@1000")
"""What papers on retrieval report: a graded and two binary measures of the ranking, its top and its depth."""


OPTIONS = {name: f"--{name}" for name in ("queries", "ties", "unjudged", "groups")}
"""The option that gives each argument of Python's functions of runs."""


def evaluate(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="Relevance judgments: TREC or JSON, - for stdin.")],
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Runs: TREC or JSON, - for stdin.")],
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            metavar="METRIC",
            help=f"Metric, as `certus metrics` lists them; may be repeated. Default: {' '.join(DEFAULT_METRICS)}.",
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    method: Annotated[
        str | None, typer.Option(help="How intervals are made: t, percentile, bca, bootstrap-t, normal.")
    ] = None,
    queries: Annotated[
        Queries, typer.Option(help="Average over queries in both files, or over all judged.")
    ] = Queries.intersection,
    ties: Annotated[Ties, typer.Option(help="How documents with equal scores are ordered.")] = Ties.trec,
    unjudged: Annotated[
        Unjudged, typer.Option(help="What a document without judgment counts as.")
    ] = Unjudged.nonrelevant,
    per_query: Annotated[bool, typer.Option("--per-query", help="Also the value of each query.")] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of the bootstrap.")] = 0,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format", help="How the table is written. Default: by the suffix of the output file, else text."
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    plugin: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="Python module or .py file that declares more metrics.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output file.")] = False,
) -> None:
    """Evaluate runs: the value of each metric with its interval."""
    check_force(force, output)
    check_target(output, force, qrels, *runs)
    if [qrels, *runs].count("-") > 1:
        raise typer.BadParameter("standard input can be read only once")
    if not 0 < level < 1:
        raise typer.BadParameter(f"{level:g} is not between 0 and 1", param_hint="--level")
    load_plugins(plugin)
    conventions = {
        "queries": queries.value,
        "ties": ties.value,
        "unjudged": unjudged.value,
        "level": level,
        "method": method,
        "per_query": per_query,
        "seed": seed,
    }
    table = _evaluated(qrels, runs, metrics or DEFAULT_METRICS, conventions)
    warn(table.warnings)
    chosen = form or format_of(output)
    to_screen = output is None or str(output) == "-"
    write(rendered(table, chosen, to_screen), output, force, escaped=chosen == "text")


def _evaluated(qrels: str, runs: list[str], metrics: Sequence[str], conventions: dict[str, Any]) -> "Table":
    from certus.evaluation import evaluate as compute

    preload_special_functions()
    with working("evaluating"), options_for(OPTIONS):
        return compute(qrels, runs, list(metrics), **conventions)
