"""``certus pool``."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from certus.cli._declare import Argument, Option, UsageError, command
from certus.cli._options import metric_option
from certus.cli._output import Listed, check_target, format_of, is_stdout, listed, write
from certus.cli._progress import Quiet, working
from certus.core.spelling import repeated

if TYPE_CHECKING:
    from certus.io import Run


class Method(StrEnum):
    """Ways to choose documents."""

    depth = "depth"
    rrf = "rrf"
    mtf = "mtf"


@command("pool", "bm25.run dense.run --depth 100 -o pool.qrels")
def pool(
    runs: Annotated[list[str], Argument(metavar="RUN...", help="Runs: files, directories or patterns.")],
    depth: Annotated[int, Option(min=1, metavar="K", help="Documents of each run that are looked at.")] = 100,
    method: Annotated[
        Method,
        Option(help="All documents, the first by reciprocal rank fusion, or the next ones by move-to-front."),
    ] = Method.depth,
    size: Annotated[int | None, Option(min=1, metavar="N", help="Documents of a query, for rrf and mtf.")] = None,
    judged: Annotated[
        str | None, Option(metavar="QRELS", help="Judgments that there are; all of them are kept.")
    ] = None,
    rel: Annotated[int | None, Option(min=1, help="Least relevant grade among the judgments. Default: 1.")] = None,
    seed: Annotated[
        int | None, Option(min=0, help="Documents in random order: those judged first are a random sample.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        metric_option(
            "In place of the pool, each run's value without what it alone added.",
        ),
    ] = None,
    form: Annotated[Listed | None, Option("--format", help="Format of the table. Default: text.")] = None,
    output: Annotated[
        Path | None, Option("-o", "--output", help="Write the pool to this new file, and print what runs add.")
    ] = None,
    _quiet: Quiet = False,
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
        write(listed(without.table(), form))
        return
    pooled = pooling.pool(
        runs_read, depth=depth, method=method.value, size=size, judged=judged, rel=rel or 1, seed=seed
    )
    write(pooled.to_trec(), output)
    if to_file:
        write(listed(pooled.contributions(), form))


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
        chosen = None if method is Method.depth else method
        idle = {"-o": output, "--seed": seed, "--method": chosen, "--size": size, "--rel": rel}
        name = next((name for name, value in idle.items() if value is not None), None)
        if name is not None:
            raise UsageError("is for a pool, and -m makes none; leave one of them out", name)
        return
    if method is Method.depth and size is not None:
        raise UsageError("is for rrf and mtf; depth takes all documents", "--size")
    if method is not Method.depth and size is None:
        raise UsageError(f"{method.value} needs the number of documents of a query", "--size")
    if rel is not None and judged is None:
        raise UsageError("is for judgments; give --judged, too", "--rel")
    if rel is not None and method is not Method.mtf and not to_file:
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
