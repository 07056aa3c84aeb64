"""Count the files and functions of certus that four calls pass, warm: what a newcomer reads to follow them.

python tools/flow.py [--show CALL]

Each call is made twice; the second one is counted with sys.setprofile. Kernels are not.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np

import certus

ROOT = str(Path(certus.__file__).resolve().parent)
Followed = Counter[tuple[str, str]]


def calls(folder: Path) -> dict[str, Callable[[], object]]:
    """The four calls, on files in a folder."""
    import pyarrow as pa
    from pyarrow import parquet

    random = np.random.default_rng(1)
    documents = [f"d{i}" for i in range(30)]
    qrels = [f"q{q} 0 {d} {random.integers(0, 3)}" for q in range(8) for d in documents[::2]]
    (folder / "qrels.txt").write_text("\n".join([*qrels, ""]))
    for name in "ab":
        lines = [f"q{q} Q0 {d} 1 {random.normal():.4f} {name}" for q in range(8) for d in documents]
        (folder / f"{name}.run").write_text("\n".join([*lines, ""]))
    truth = random.integers(0, 2, 200)
    score = 0.3 * truth + 0.7 * random.random(200)
    parquet.write_table(pa.table({"y": truth, "s": score}), folder / "rows.parquet")
    qrels_file, first, second, rows = (str(folder / name) for name in ("qrels.txt", "a.run", "b.run", "rows.parquet"))
    return {
        "run file to a printed nDCG@10": lambda: str(certus.evaluate(qrels_file, first, "nDCG@10")),
        "two runs to a row of a comparison": lambda: certus.compare(qrels_file, [first, second], "nDCG@10").rows[0],
        "arrays to a printed AUC": lambda: str(certus.classification.roc_auc(truth, score)),
        "Parquet through a state": lambda: str(certus.evaluate(rows, metrics="AUC", truth="y", score="s")),
    }


def followed(call: Callable[[], object]) -> Followed:
    """Calls of each function of certus, by file and name, when the call is made a second time."""
    call()
    found: Followed = Counter()

    def count(frame: object, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code  # type: ignore[attr-defined]
            if code.co_filename.startswith(ROOT):
                found[code.co_filename.removeprefix(ROOT)[1:], code.co_qualname] += 1

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def table(counts: dict[str, Followed]) -> str:
    """The counts as a table of Markdown."""
    lines = ["| call | files | functions | calls |", "|---|--:|--:|--:|"]
    for name, found in counts.items():
        files = len({file for file, _ in found})
        lines.append(f"| {name} | {files} | {len(found)} | {found.total():,} |")
    return "\n".join(lines)


def main() -> int:
    """Print the table, and the functions of one call where they are asked for."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--show", default="", help="part of the name of a call whose functions are listed, too")
    options = made.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = {name: followed(call) for name, call in calls(Path(folder)).items()}
    text = StringIO(table(counts) + "\n")
    sys.stdout.write(text.getvalue())
    for name, found in counts.items():
        if options.show and options.show in name:
            for (file, function), count in sorted(found.items()):
                print(f"{count:6} {file} {function}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
