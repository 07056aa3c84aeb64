"""``certus demo``."""

import shlex
from contextlib import ExitStack

from certus.cli._declare import command
from certus.cli._output import write
from certus.cli.compare import compare
from certus.cli.evaluate import evaluate


@command("demo")
def demo() -> None:
    """Evaluate and compare what ships with certus: rankers and a classifier of the docstrings of Python's library."""
    from importlib.resources import as_file, files  # here, as no other command needs it

    with ExitStack() as stack:
        folder = files("certus") / "demo"
        names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".run.gz"))
        qrels, *runs = (str(stack.enter_context(as_file(folder / name))) for name in ("qrels.txt.gz", *names))
        write(f"$ {shlex.join(['certus', 'evaluate', qrels, *runs])}\n\n")
        evaluate([qrels, *runs])
        write(f"\n$ {shlex.join(['certus', 'compare', qrels, *runs, '-m', 'nDCG@10'])}\n\n")
        compare([qrels, *runs], metrics=["nDCG@10"])
        predictions = str(stack.enter_context(as_file(folder / "predictions.csv")))
        columns = ["--truth", "truth", "--pred", "prediction", "--score", "type=score"]
        write(f"\n$ {shlex.join(['certus', 'evaluate', predictions, *columns])}\n\n")
        evaluate([predictions], truth=["truth"], pred=["prediction"], score=["type=score"])
