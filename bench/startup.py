"""Processor time of small commands as whole processes, beside that of ``import numpy``.

python bench/startup.py [--turns 15]

The commands take turns, and of each the turn that took least counts: other work on the machine only adds. With
``--instructions`` valgrind counts instructions instead, which a busy machine does not change.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import measure

TARGETS = {
    "import certus": "0.050",
    "evaluate": "numpy + 0.050",
    "evaluate, CSV": "numpy + 0.050",
    "trec-eval": "numpy + 0.080",
}
_ENTRY = "import sys; from certus.cli import main; sys.exit(main())"


def files(folder: Path) -> None:
    """Write judgments and a run of 20 queries with 10 documents each, and a table of 200 predictions."""
    draws = random.Random(1)
    qrels = [f"{query} 0 d{doc} {draws.randint(0, 2)}\n" for query in range(20) for doc in range(10)]
    run = [
        f"{query} Q0 d{doc} {rank} {10 - rank} run\n" for query in range(20) for rank, doc in enumerate(range(10), 1)
    ]
    table = ["y,p\n", *(f"{draws.choice('ab')},{draws.choice('ab')}\n" for _ in range(200))]
    for name, lines in {"qrels.txt": qrels, "run.txt": run, "table.csv": table}.items():
        (folder / name).write_text("".join(lines), encoding="utf-8")


def commands(folder: Path) -> dict[str, list[str]]:
    """The commands by what the table calls them."""
    certus = [sys.executable, "-c", _ENTRY]
    qrels, run, table = (str(folder / name) for name in ("qrels.txt", "run.txt", "table.csv"))
    return {
        "import numpy": [sys.executable, "-c", "import numpy"],
        "import certus": [sys.executable, "-c", "import certus"],
        "evaluate": [*certus, "evaluate", qrels, run],
        "evaluate, CSV": [*certus, "evaluate", table, "--truth", "y", "--pred", "p", "--task", "classification"],
        "trec-eval": [*certus, "trec-eval", qrels, run],
    }


def instructions(command: list[str]) -> float:
    """Millions of instructions, as valgrind counts them."""
    counting = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    told = subprocess.run(
        [*counting, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True
    )
    found = re.search(r"I\s+refs:\s+([0-9,]+)", told.stderr)
    if found is None:
        raise RuntimeError(f"valgrind did not say how many instructions there were: {told.stderr[-200:]}")
    return int(found[1].replace(",", "")) / 1e6


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--turns", type=int, default=15)
    options.add_argument("--instructions", action="store_true")
    asked = options.parse_args()
    for variable in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.pop(variable, None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files(folder)
        jobs = commands(folder)
        if asked.instructions:
            found = {job: instructions(command) for job, command in jobs.items()}
        else:
            turns = [
                {job: measure(command, folder / "out").cpu for job, command in jobs.items()} for _ in range(asked.turns)
            ]
            found = {job: min(turn[job] for turn in turns) for job in jobs}
    unit = "million instructions" if asked.instructions else "CPU s"
    print(f"| command | {unit} | above `import numpy` | must |\n|---|--:|--:|--:|")
    for job, taken in found.items():
        form = "{:.0f}" if asked.instructions else "{:.3f}"
        above = form.format(taken - found["import numpy"])
        print(f"| {job} | {form.format(taken)} | {above} | {TARGETS.get(job, '')} |")


if __name__ == "__main__":
    main()
