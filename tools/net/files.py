"""The shared files: tables of predictions and rankings in each format, the same for both installations."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

from net.calls import Node, file
from net.draw import Columns, Draw
from net.logs import write_logs

__all__ = ["RANKED", "TABLES", "picked", "shared", "write_files"]

TABLES = (
    *("table.csv", "table.tsv", "table.jsonl", "table.parquet", "table.arrow", "table.csv.gz", "small.csv"),
    *("part-*.parquet", "part-*.csv", "table.csv", "table.parquet", "part-*.csv", "wrong.csv", "absent.csv"),
)
RANKED: dict[str, tuple[str, ...]] = {
    "qrels": ("qrels.txt", "qrels.csv", "qrels.json", "qrels.txt.gz", "qrels.jsonl", "qrels.arrow", "sampled.txt"),
    "runs": (
        *("a.run", "b.run", "c.run", "d.csv", "e.json", "f.run.gz", "g.parquet", "msmarco.tsv", "scored.tsv"),
        *("plain.txt", "rows.jsonl", "run.arrow", "named.tsv", "uneven.run", "wrong.run"),
    ),
}

FAULTY = {"sampled.txt", "wrong.run", "msmarco.tsv"}
"""Those that are refused, without a word on their format at least."""


def picked(draw: Draw, kind: str, count: int = 1) -> list[str]:
    """Shared files of judgments (`kind` "qrels") or runs, most of them without a fault."""
    names = [name for name in RANKED[kind] if name not in FAULTY or draw.chance(0.1)]
    return draw.sample(names, count)


def shared(draw: Draw, name: str) -> Node:
    """A shared file, at times a copy that is cut off."""
    if "*" in name or name in FAULTY or not draw.chance(0.04):
        return file(name)
    return {"piece": name, "keep": draw.choice((0.0, 0.5, 0.9, 0.999))}


def write_files(folder: Path, seed: int) -> None:
    """Write them, by the seed."""
    import pyarrow as pa
    import pyarrow.feather as feather
    from pyarrow import parquet

    draw = Draw(f"{seed}/files")
    columns = draw.samples(90)
    columns["y"], columns["p"], columns["k"] = draw.labels(90, [0, 1])
    columns["s"] = [min(max(0.5 * y + 0.5 * draw.random(), 0.01), 0.99) for y in columns["y"]]
    _write_tables(folder, "table", columns)
    small = {name: values[:14] for name, values in columns.items()}
    (folder / "small.csv").write_text(_csv(small))
    (folder / "wrong.csv").write_text(_csv(small).replace("\n1,", "\n,", 1) + "1,2\n")
    for index in range(3):
        part = {name: values[30 * index : 30 * index + 30] for name, values in columns.items()}
        parquet.write_table(pa.table(part), folder / f"part-{index}.parquet")
        (folder / f"part-{index}.csv").write_text(_csv(part))
    feather.write_feather(pa.table(columns), str(folder / "table.arrow"))
    names = {f"x{i}": [round(draw.gauss(0, 1), 2) for _ in range(12)] for i in range(3)}
    for index in range(3):
        values: Columns = {
            "x": [f"i{i}" for i in range(12)],
            **{k: [round(v + draw.gauss(0, 0.3), 2) for v in c] for k, c in names.items()},
        }
        if index == 2:
            values = {name: column[:-1] for name, column in values.items()}
        (folder / f"values-{index}.csv").write_text(_csv({**values, "g": [i // 2 for i in range(len(values["x"]))]}))
    topics = {name: [round(draw.random(), 4) * (index > 0) for index in range(9)] for name in "abc"}
    (folder / "topics.csv").write_text(_csv({"x": [f"t{index}" for index in range(9)], **topics}))
    _write_models(folder, draw, columns)
    _write_rankings(folder, draw)
    write_logs(folder, draw)


def _csv(columns: Columns, separator: str = ",") -> str:
    lines = [separator.join(columns)]
    lines += [separator.join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return "\n".join(lines) + "\n"


def _write_tables(folder: Path, name: str, columns: Columns) -> None:
    import duckdb
    import pyarrow as pa
    from pyarrow import parquet

    (folder / f"{name}.csv").write_text(_csv(columns))
    (folder / f"{name}.tsv").write_text(_csv(columns, "\t"))
    with gzip.open(folder / f"{name}.csv.gz", "wt") as stream:
        stream.write(_csv(columns))
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    parquet.write_table(pa.table(columns), folder / f"{name}.parquet", row_group_size=40)
    (folder / f"{name}.duckdb").unlink(missing_ok=True)
    with duckdb.connect(str(folder / f"{name}.duckdb")) as base:
        base.execute(f"create table rows as select * from '{folder / name}.parquet'")


def _write_models(folder: Path, draw: Draw, columns: Columns) -> None:
    """The predictions of a model each for the same samples, in an order of their own; the last lacks some samples."""
    for index in range(4):
        rows = draw.sample(range(40), 40 if index < 3 else 35)
        held = {name: [values[row] for row in rows] for name, values in columns.items()}
        for name in ("p", "d"):
            held[name] = [draw.choice(columns[name]) if draw.chance(0.2) else label for label in held[name]]
        held["s"] = [min(max(value + draw.gauss(0, 0.1), 0.01), 0.99) for value in held["s"]]
        (folder / f"model-{index}.csv").write_text(_csv(held))


def _write_layouts(folder: Path, qrels: list[tuple[str, str, int]], run: list[tuple[str, str, float]]) -> None:
    """The same judgments and a run as other tools lay them out."""
    import pyarrow as pa
    import pyarrow.feather as feather

    judged = {
        name: list(values)
        for name, values in zip(("query_id", "doc_id", "relevance"), zip(*qrels, strict=True), strict=True)
    }
    ranked = {
        name: list(values) for name, values in zip(("qid", "docno", "score"), zip(*run, strict=True), strict=True)
    }
    feather.write_feather(pa.table(judged), str(folder / "qrels.arrow"))
    feather.write_feather(pa.table(ranked), str(folder / "run.arrow"))
    rows = [dict(zip(judged, row, strict=True)) for row in qrels]
    (folder / "qrels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = [dict(zip(ranked, row, strict=True)) for row in run]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "named.tsv").write_text(_csv(ranked, "\t"))
    ranks = [[q, d, str(i + 1)] for i, (q, d, _) in enumerate(run)]
    (folder / "msmarco.tsv").write_text("".join("\t".join(row) + "\n" for row in ranks))
    (folder / "scored.tsv").write_text(
        "".join(f"{q}\t{d}\t{i}\t{s}\n" for (q, d, i), (_, _, s) in zip(ranks, run, strict=True))
    )
    (folder / "plain.txt").write_text("".join(f"{q} {d} {s}\n" for q, d, s in run))


def _write_rankings(folder: Path, draw: Draw) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    documents = [f"d{i}" for i in range(25)]
    qrels = {f"q{q}": {d: draw.choice((0, 0, 1, 2)) for d in draw.sample(documents, 12)} for q in range(12)}
    rows = [(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    text = "".join(f"{q} 0 {d} {g}\n" for q, d, g in rows)
    (folder / "qrels.txt").write_text(text)
    (folder / "sampled.txt").write_text(
        "".join(f"{q} 0 {d} {draw.randint(0, 1)} {draw.choice((-1, 0, 1))}\n" for q, d, _ in rows)
    )
    (folder / "qrels.json").write_text(json.dumps(qrels))
    with gzip.open(folder / "qrels.txt.gz", "wt") as stream:
        stream.write(text)
    with (folder / "qrels.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("query_id", "doc_id", "relevance"), *rows])
    for index, name in enumerate("abcdefg"):
        run: dict[str, dict[str, Any]] = {
            q: {
                d: round((1 - index / 7) * grades.get(d, 0) + draw.gauss(0, 1), index % 3 + 1)
                for d in draw.sample(documents, 15)
            }
            for q, grades in qrels.items()
            if draw.chance(0.95)
        }
        lines = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
        trec = "".join(f"{q} Q0 {d} {rank} {s} {name}\n" for rank, (q, d, s) in enumerate(lines))
        if name == "a":
            _write_layouts(folder, rows, lines)
        if name == "d":
            (folder / "d.csv").write_text(
                _csv(
                    {"query_id": [x[0] for x in lines], "doc_id": [x[1] for x in lines], "score": [x[2] for x in lines]}
                )
            )
        elif name == "e":
            (folder / "e.json").write_text(json.dumps(run))
        elif name == "f":
            with gzip.open(folder / "f.run.gz", "wt") as stream:
                stream.write(trec)
        elif name == "g":
            held = {"query_id": [x[0] for x in lines], "doc_id": [x[1] for x in lines], "score": [x[2] for x in lines]}
            parquet.write_table(pa.table(held), folder / "g.parquet")
        else:
            (folder / f"{name}.run").write_text(trec)
    uneven = "q\u00e9 Q0 d1 1 2.5 x\nqe\u0301 Q0 d1 1 2.5 x\nq1 Q0 d2 1 3.5 y\nq1 Q0 d3 2 4.5 x\nq2 Q0 d1 1 1 x\n"
    (folder / "uneven.run").write_text(uneven)
    (folder / "wrong.run").write_text("q1 Q0 d1 1 0.5 x\nq1 Q0 d1 2 0.4 x\nq2 Q0 d2\n")
