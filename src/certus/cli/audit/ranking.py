"""``certus audit ranking``."""

from itertools import product
from pathlib import Path
from typing import Any, Literal

from certus.cli._declare import UsageError, argument, command, option
from certus.cli._options import FORCE, FORM, LEVEL, OUTPUT, Queries
from certus.cli._progress import QUIET_OPTION, working
from certus.cli.audit import check_output, row, show
from certus.core.progress import steps

Measure = Literal["xinfAP", "xinfNDCG", "statAP"]
"""Metrics of rankings judged in part."""


@command("audit ranking", "judged.prels bm25.run")
def ranking(
    judgments: str = argument(
        metavar="JUDGMENTS",
        help="For xinfAP, xinfNDCG: query, iteration, document, stratum, grade (-1 not judged). For statAP: query, "
        "document, grade, method, chance.",
    ),
    runs: list[str] = argument(metavar="RUN...", help="Runs: TREC or JSON."),
    metrics: list[Measure] | None = option("-m", "--metric", help="Metric; may be repeated. Default: xinfAP."),
    queries: Queries = option(default="intersection", help="Average over queries in both files, or over all judged."),
    bounds: bool = option("--bounds", help="Also the plain metric's range over the relevance of unjudged documents."),
    level: float = LEVEL,
    form: str | None = FORM,
    output: Path | None = OUTPUT,
    force: bool = FORCE,
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Evaluate runs of which a random sample of documents was judged, at known rates."""
    style = check_output(form, output, force, judgments, *runs)
    if [judgments, *runs].count("-") > 1:
        raise UsageError("standard input can be read only once")
    from dataclasses import replace
    from pathlib import PurePath

    from certus import audit
    from certus.io import read_run
    from certus.io.prels import as_prels, as_sampled_qrels

    functions: dict[Measure, Any] = {
        "xinfAP": audit.xinf_ap,
        "xinfNDCG": audit.xinf_ndcg,
        "statAP": audit.stat_ap,
    }
    chosen: list[Measure] = list(dict.fromkeys(metrics or ["xinfAP"]))
    if "statAP" in chosen and len(chosen) > 1:
        raise UsageError("statAP reads another format of judgments; ask for it by itself", "-m")
    rows: list[Any] = []
    with working("evaluating"):
        sample: Any = as_prels(judgments) if "statAP" in chosen else as_sampled_qrels(judgments)
        labels_read = {PurePath(run).name if runs.count(run) == 1 else run: read_run(run) for run in runs}
        for metric, (name, run) in steps(list(product(chosen, labels_read.items())), "value"):
            estimate = functions[metric](sample, run, queries=queries, bounds=bounds)
            rows.append(row(name, estimate.metric, replace(estimate, level=level)))
    signature = {"queries": queries, "level": level, "metrics": chosen}
    show(rows, signature, style, output, force)
