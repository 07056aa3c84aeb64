"""``certus pool``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from certus.cli._declare import UsageError, argument, command, option, refuse
from certus.cli._options import metric_option
from certus.cli._output import Listed, check_target, format_of, is_stdout, listing_text, write
from certus.cli._progress import QUIET_OPTION, working
from certus.core.spelling import repeated

if TYPE_CHECKING:
    from certus.io import Run


Method = Literal["depth", "rrf", "mtf"]
"""Ways to choose documents."""


@command("pool", "bm25.run dense.run --depth 100 -o pool.qrels")
def pool(
    runs: list[str] = argument(metavar="RUN...", help="Runs: files, directories or patterns."),
    depth: int = option(default=100, min=1, metavar="K", help="Documents to take from each run."),
    method: Method = option(
        default="depth", help="All documents, the top N by reciprocal rank fusion, or the next N by move-to-front."
    ),
    size: int | None = option(min=1, metavar="N", help="Documents for each query, for rrf and mtf."),
    judged: str | None = option(metavar="QRELS", help="Existing judgments; all of them are kept."),
    rel: int | None = option(min=1, help="Lowest grade that is relevant. Default: 1."),
    seed: int | None = option(min=0, help="Shuffle the documents, so that those judged first are a random sample."),
    metrics: list[str] | None = metric_option(
        "Instead of the pool: the value of each run without the documents that only this run added."
    ),
    form: Listed | None = option("--format", help="Format of the table. Default: text."),
    output: Path | None = option("-o", "--output", help="Write the pool to this new file, and print what runs add."),
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Choose documents to be judged from the tops of several runs.

    The pool is TREC qrels with the grade -1 for documents not judged yet. Write grades in their place, and the file is
    read as qrels by all commands; judged in part, it serves infAP and `certus audit ranking`.
    """
    to_file = not is_stdout(output)
    _check(method, judged, rel, size, seed, metrics, form, output, to_file)
    check_target(output, True, *runs, *([judged] if judged else []))
    format_of(output, "qrels", {"qrels": (".qrels", ".txt")}, option="")
    from certus import pooling

    with working("reading"):
        runs_read = runs_by_name(runs)
    if metrics:
        with working("leaving each run out"):
            without = pooling.leave_one_out(str(judged), runs_read, metrics, depth=depth)
        write(listing_text(without.table(), form))
        return
    pooled = pooling.pool(runs_read, depth=depth, method=method, size=size, judged=judged, rel=rel or 1, seed=seed)
    write(pooled.to_trec(), output)
    if to_file:
        write(listing_text(pooled.contributions(), form))


def _check(
    method: Method,
    judged: str | None,
    rel: int | None,
    size: int | None,
    seed: int | None,
    metrics: list[str] | None,
    form: Listed | None,
    output: Path | None,
    to_file: bool,
) -> None:
    """Refuse options that do nothing, and a file that exists: it may hold judgments that took somebody days."""
    if output is not None and to_file and output.exists():
        raise UsageError(f"{output} exists and may hold judgments; give a new name", "-o")
    if metrics:
        if judged is None:
            raise UsageError("needs judgments; give --judged, too", "-m")
        chosen = None if method == "depth" else method
        idle = {"-o": output, "--seed": seed, "--method": chosen, "--size": size, "--rel": rel}
        refuse("is for a pool, and -m makes none; leave one of them out", idle)
        return
    if method != "depth" and size is None:
        raise UsageError(f"{method} needs the number of documents of a query", "--size")
    if rel is not None and judged is None:
        raise UsageError("is for judgments; give --judged, too", "--rel")
    if rel is not None and method != "mtf" and not to_file:
        raise UsageError("is for mtf and for the counts beside a file of -o", "--rel")
    if form is not None and not to_file:
        raise UsageError("is for the tables of -o and -m; a pool is TREC qrels", "--format")


def runs_by_name(runs: list[str]) -> "dict[str, Run]":
    """The runs by short names."""
    from certus.io import read_runs
    from certus.io.rankings import files_of_runs, short_names

    paths = [str(run_file) for run in runs for run_file in files_of_runs(run)]
    twice = repeated(paths)
    if twice is not None:
        raise UsageError(f"{twice} is given twice", "RUN...")
    found: dict[str, Any] = {}
    for path, name in zip(paths, short_names(paths), strict=True):
        for part, run in read_runs(path).items():
            full = name if not part else part if part not in found else f"{name} {part}"
            found[full] = run
    return found
