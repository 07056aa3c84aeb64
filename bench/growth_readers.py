"""Growth of readers: processor time at n and 4 n columns, rows, classes, groups, names and levels of nesting.

A ratio of 4 is linear; n log n gives some 4.7, a quadratic step 16. `python bench/growth_readers.py [WORD]` prints a
line for each input whose name holds the word. A table of K classes has K x K cells: there the growth is quadratic.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import certus
from certus.io import as_qrels, as_run, read_predictions

TURNS = 3
MOST = 9.0
"""Ratio above which the growth is worse than n log n: half of that of a quadratic step, since caches are left, too."""


def rows_of(n: int) -> list[int]:
    """Whole numbers below 1000, n of them."""
    return [i * 7919 % 1000 for i in range(n)]


def csv_columns(n: int) -> str:
    """One row of n columns."""
    return ",".join(f"c{i}" for i in range(n)) + "\n" + ",".join(["1"] * n) + "\n"


def json_columns(n: int) -> str:
    """One object of n names."""
    return json.dumps({f"c{i}": 1 for i in range(n)}) + "\n"


def repeated_name(n: int) -> str:
    """One object of n names, the last one twice."""
    return "{" + ",".join(f'"c{i}":1' for i in range(n)) + f',"c{n - 1}":1}}\n'


def nested(n: int) -> str:
    """Objects inside an object, each of them with names of its own."""
    inner = {f"c{i}": i for i in range(n)}
    return json.dumps({"y": 1, "inner": inner}) + "\n"


def deep(n: int) -> str:
    """One object inside another, n levels."""
    return '{"y":1,"a":' * n + "1" + "}" * n + "\n"


def read(suffix: str, text: Callable[[int], str], column: str) -> Callable[[int], Callable[[], object]]:
    """A reader of a file of that text."""

    def prepare(n: int) -> Callable[[], object]:
        path = Path(tempfile.mkdtemp(), f"t.{suffix}")
        path.write_text(text(n))

        def run() -> object:
            try:
                return read_predictions(path).read(keys=[column])
            except certus.DataError as error:
                return error

        return run

    return prepare


def every_column(n: int) -> Callable[[], object]:
    """All columns of a CSV as keys."""
    path = Path(tempfile.mkdtemp(), "t.csv")
    path.write_text(csv_columns(n))
    return lambda: read_predictions(path).read(keys=[f"c{i}" for i in range(n)])


def arrays(classes: int, n: int, **more: object) -> Callable[[], object]:
    """Accuracy of n labels of some classes."""
    true, predicted = (np.array([f"k{(i + shift) % classes}" for i in range(n)]) for shift in (0, 1))
    return lambda: certus.classification.accuracy(true, predicted, **more)


def grouped(n: int) -> Callable[[], object]:
    """Accuracy of 2 n labels in n groups."""
    groups = np.repeat(np.arange(n), 2).astype(str)
    return arrays(2, 2 * n, groups=groups)


def rankings(n: int) -> dict[str, dict[str, int]]:
    """Ten documents of n queries."""
    return {f"q{i}": {f"d{j}": j % 2 for j in range(10)} for i in range(n)}


def unmatched(n: int) -> Callable[[], object]:
    """A run of n documents of one query, none of which is judged."""
    qrels, run = {"q": {f"d{i}": 1 for i in range(n)}}, {"q": {f"e{i}": float(i) for i in range(n)}}
    return lambda: certus.evaluate(qrels, run, ["AP"])


def parquet_columns(n: int) -> Callable[[], object]:
    """One column of a Parquet file of n."""
    import pyarrow as pa
    from pyarrow import parquet

    path = Path(tempfile.mkdtemp(), "t.parquet")
    parquet.write_table(pa.table({f"c{i}": [1, 2] for i in range(n)}), path)
    return lambda: read_predictions(path).read(keys=["c0"])


def trec(queries: Callable[[int], int], documents: Callable[[int], int]) -> Callable[[int], Callable[[], object]]:
    """Files of judgments and a run, evaluated."""

    def prepare(n: int) -> Callable[[], object]:
        folder = Path(tempfile.mkdtemp())
        names = [(f"q{i}", f"d{j}", j) for i in range(queries(n)) for j in range(documents(n))]
        (folder / "q").write_text("".join(f"{query} 0 {document} {rank % 2}\n" for query, document, rank in names))
        lines = (f"{query} Q0 {document} {rank + 1} {-rank} t\n" for query, document, rank in names)
        (folder / "r.run").write_text("".join(lines))
        return lambda: certus.evaluate(folder / "q", folder / "r.run", ["AP", "nDCG@10"])

    return prepare


def by_column(option: str, n: int) -> Callable[[], object]:
    """Accuracy of a table with a column of n groups, or of n subgroups."""
    path = Path(tempfile.mkdtemp(), "t.csv")
    path.write_text("y,p,g\n" + "".join(f"{i % 2},{i // 2 % 2},g{i % n}\n" for i in range(4 * n)))
    columns: dict[str, Any] = {"truth": "y", "pred": "p", option: "g"}
    return lambda: certus.evaluate(path, None, ["Accuracy"], task="classification", **columns)


def many_systems(n: int) -> Callable[[], object]:
    """Accuracy of n systems."""
    systems = {f"s{i}": [0, 1, 1, i % 2] for i in range(n)}
    return lambda: certus.evaluate([0, 1, 0, 1], systems, ["Accuracy"], task="classification")


READERS: dict[str, tuple[int, Callable[[int], Callable[[], object]]]] = {
    "csv columns": (10_000, read("csv", csv_columns, "c0")),
    "csv every column": (2_500, every_column),
    "csv rows": (50_000, read("csv", lambda n: "y\n" + "\n".join(map(str, rows_of(n))), "y")),
    "csv distinct": (50_000, read("csv", lambda n: "y\n" + "\n".join(f"k{i}" for i in range(n)), "y")),
    "jsonl columns": (20_000, read("jsonl", json_columns, "c0")),
    "jsonl repeated name": (10_000, read("jsonl", repeated_name, "c0")),
    "jsonl nested names": (10_000, read("jsonl", nested, "inner.c1")),
    "jsonl rows": (20_000, read("jsonl", lambda n: "".join(f'{{"y":{i}}}\n' for i in rows_of(n)), "y")),
    "jsonl levels": (100, read("jsonl", deep, "y")),
    "parquet columns": (2_500, parquet_columns),
    "csv groups": (5_000, partial(by_column, "groups")),
    "csv subgroups": (2_000, partial(by_column, "by")),
    "trec queries": (5_000, trec(lambda n: n, lambda _: 3)),
    "trec documents": (20_000, trec(lambda _: 1, lambda n: n)),
    "systems": (250, many_systems),
    "array classes": (500, lambda n: arrays(n, 4 * n)),
    "array rows": (50_000, lambda n: arrays(2, n)),
    "array groups": (10_000, grouped),
    "dict queries": (5_000, lambda n: lambda: (as_qrels(rankings(n)), as_run(rankings(n)))),
    "dict documents": (20_000, lambda n: lambda: as_qrels({"q": {f"d{i}": 1 for i in range(n)}})),
    "ids that never meet": (5_000, unmatched),
}


def spent(run: Callable[[], object]) -> float:
    """Least processor time of some turns, in seconds."""
    times = []
    for _ in range(TURNS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main(word: str = "") -> None:
    """Print the growth of each reader."""
    for name, (n, prepare) in READERS.items():
        if word in name:
            small, large = (spent(prepare(size)) for size in (n, 4 * n))
            ratio = large / max(small, 1e-4)
            verdict = "worse than n log n" if ratio > MOST else ""
            print(f"{name:<24}{n:>8}{small:>9.4f} s {4 * n:>9}{large:>9.4f} s {ratio:>7.1f} {verdict}".rstrip())


if __name__ == "__main__":
    main(*sys.argv[1:])
