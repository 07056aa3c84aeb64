"""``certus audit ranking``."""

from enum import StrEnum
from itertools import product
from typing import Annotated, Any

from certus.cli._declare import Argument, Option, UsageError, command
from certus.cli._options import Force, Form, Level, Output, Queries, check_level
from certus.cli._progress import Quiet, working
from certus.cli.audit import check_output, row, show
from certus.core.progress import steps


class Measure(StrEnum):
    """Metrics of rankings judged in part."""

    xinf_ap = "xinfAP"
    xinf_ndcg = "xinfNDCG"
    stat_ap = "statAP"


@command("audit ranking", "judged.prels bm25.run")
def ranking(
    judgments: Annotated[
        str,
        Argument(
            metavar="JUDGMENTS",
            help="For xinfAP, xinfNDCG: query, iteration, document, stratum, grade (-1 not judged). For statAP: query, "
            "document, grade, method, chance.",
        ),
    ],
    runs: Annotated[list[str], Argument(metavar="RUN...", help="Runs: TREC or JSON.")],
    metrics: Annotated[list[Measure] | None, Option("-m", "--metric", help="May be repeated. Default: xinfAP.")] = None,
    queries: Annotated[
        Queries, Option(help="Average over queries in both files, or over all judged.")
    ] = Queries.intersection,
    bounds: Annotated[
        bool, Option("--bounds", help="Also the plain metric's range over the relevance of unjudged documents.")
    ] = False,
    level: Level = 0.95,
    form: Form = None,
    output: Output = None,
    force: Force = False,
    _quiet: Quiet = False,
) -> None:
    """Evaluate runs of which a random sample of documents was judged, at known rates."""
    style = check_output(form, output, force, judgments, *runs)
    check_level(level)
    if [judgments, *runs].count("-") > 1:
        raise UsageError("standard input can be read only once")
    from dataclasses import replace
    from pathlib import PurePath

    from certus import audit
    from certus.io import read_run
    from certus.io.prels import as_prels, as_sampled_qrels

    functions: dict[Measure, Any] = {
        Measure.xinf_ap: audit.xinf_ap,
        Measure.xinf_ndcg: audit.xinf_ndcg,
        Measure.stat_ap: audit.stat_ap,
    }
    chosen = list(dict.fromkeys(metrics or [Measure.xinf_ap]))
    if Measure.stat_ap in chosen and len(chosen) > 1:
        raise UsageError("statAP reads another format of judgments; ask for it by itself", "-m")
    rows: list[Any] = []
    with working("evaluating"):
        sample: Any = as_prels(judgments) if Measure.stat_ap in chosen else as_sampled_qrels(judgments)
        labels_read = {PurePath(run).name if runs.count(run) == 1 else run: read_run(run) for run in runs}
        for metric, (name, run) in steps(list(product(chosen, labels_read.items())), "value"):
            estimate = functions[metric](sample, run, queries=queries.value, bounds=bounds)
            rows.append(row(name, estimate.metric, replace(estimate, level=level)))
    signature = {"queries": queries.value, "level": level, "metrics": [str(metric) for metric in chosen]}
    show(rows, signature, style, output, force)
