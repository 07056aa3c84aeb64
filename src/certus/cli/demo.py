"""``certus demo``."""

import shlex
from contextlib import ExitStack

import click

from certus.cli._declare import command
from certus.cli._output import write


@command("demo")
def demo() -> None:
    """Evaluate and compare what ships with certus: rankers and a classifier of the docstrings of Python's library."""
    from importlib.resources import as_file, files  # here, as no other command needs it

    with ExitStack() as stack:
        folder = files("certus") / "demo"
        names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".run.gz"))
        qrels, *runs = (str(stack.enter_context(as_file(folder / name))) for name in ("qrels.txt.gz", *names))
        _run("evaluate", qrels, *runs)
        _run("compare", qrels, *runs, "-m", "nDCG@10", start="\n")
        predictions = str(stack.enter_context(as_file(folder / "predictions.csv")))
        columns = ["--truth", "truth", "--pred", "prediction", "--score", "type=score"]
        _run("evaluate", predictions, *columns, start="\n")


def _run(*words: str, start: str = "") -> None:
    """Write a command line, and run it."""
    write(f"{start}$ {shlex.join(['certus', *words])}\n\n")
    root = click.get_current_context().find_root().command
    with root.make_context("certus", list(words)) as context:
        root.invoke(context)
