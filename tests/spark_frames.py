"""Tables for tests of certus.spark, in memory and as frames of Spark; no test where Spark cannot run."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus import spark as on_spark

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
sql = pytest.importorskip("pyspark.sql")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
if shutil.which("java") is None:
    pytest.skip("java is not installed", allow_module_level=True)

# PySpark warns of every pandas from 3 on when it is asked for mapInArrow, which uses no pandas.
SPARK = [pytest.mark.engines, pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")]
"""Marks of tests that run on Spark."""
N = 4_000
METRICS = ["AUC", "AP", "LogLoss", "Accuracy", "F1"]
NAMES: dict[str, Any] = {"truth": "label", "pred": "guess", "score": "p"}


def table() -> Any:
    rng = np.random.default_rng(17)
    truth = rng.integers(0, 2, N)
    score = np.clip(0.3 * truth + 0.6 * rng.random(N), 0.01, 0.99)
    return pa.table(
        {
            "label": truth,
            "guess": (score > 0.5).astype(int),
            "p": score,
            "country": rng.choice(["de", "fr"], N),
            "user": rng.integers(0, 300, N),
            "text": np.where(truth == 1, "spam", "ham"),
            "said": np.where(score > 0.6, "spam", "ham"),
            "weight": rng.integers(1, 9, N) / 4,
            "q": np.round(np.clip(0.2 * truth + 0.7 * rng.random(N), 0.01, 0.99), 2),
        }
    )


def on(session: Any, data: Any, folder: Path) -> Any:
    """The table as a DataFrame of Spark."""
    parquet.write_table(data, folder / "rows.parquet")
    return session.read.parquet(str(folder / "rows.parquet"))


def cells(found: certus.Table) -> list[tuple[Any, ...]]:
    return [(row.metric, row.group, row.value, row.low, row.high, row.n) for row in found]


def ranking() -> tuple[Any, Any]:
    """Judgments and a run as tables of Arrow, with ties and queries on one side only."""
    rng = np.random.default_rng(7)
    judged = [(f"q{query}", f"d{doc}", int(rng.integers(-1, 4))) for query in range(3, 90) for doc in range(0, 40, 3)]
    retrieved = [(f"q{q}", f"d{doc}", float(rng.integers(0, 30))) for q in range(86) for doc in range(30) if doc % 7]
    return tuple(
        pa.table({name: [row[position] for row in rows] for position, name in enumerate(("query_id", "doc_id", value))})
        for rows, value in ((judged, "relevance"), (retrieved, "score"))
    )


def numbers(kind: str) -> tuple[Any, Any]:
    """Targets and predictions."""
    rng = np.random.default_rng(3)
    true, noise = rng.normal(3, 2, N), rng.normal(size=N)
    if kind == "long tails":
        return np.exp(true), np.exp(true + noise / 3)
    if kind == "far from 0":
        return true + 1e6, true + 1e6 + noise
    if kind == "small at first":  # the size of the first rows says nothing of the others
        true[:300] *= 1e-9
        return true, np.where(np.arange(N) < 300, true, true + noise)
    if kind == "whole":
        return np.round(true).astype(np.int64), np.round(true + noise).astype(np.float32)
    return true, true + 0.5 + noise


def changing(data: Any, schema: str) -> Any:
    """The DataFrame of two columns, whose second one is another in each pass."""

    def changed(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = np.random.default_rng().random(len(batch))
            yield pa.RecordBatch.from_arrays([batch.column(0), pa.array(made)], batch.schema.names)

    return data.mapInArrow(changed, schema)


def check_what_sums_do_not_give(session: Any, folder: Path, metrics: list[str]) -> None:
    """Metrics of regression have the digits and the errors of rows where Spark's sums do not give them."""
    true, predicted = numbers("plain")
    names: dict[str, Any] = {"truth": "y", "pred": "p", "task": "regression"}
    source = on(session, pa.table({"y": true, "p": predicted}), folder)
    for what, made, (y, p) in (
        ("perfect", source.selectExpr("y", "y p"), (true, true)),
        ("constant", source.selectExpr("2.5D y", "p"), (np.full(N, 2.5), predicted)),
        ("huge", source.selectExpr("y * 1e80 y", "p * 1e80 p"), (true * 1e80, predicted * 1e80)),
        ("few", source.limit(50), (true[:50], predicted[:50])),
    ):
        found = on_spark.evaluate(made, metrics, **names)
        want = certus.evaluate(iter([pa.table({"y": y, "p": p})]), metrics=metrics, **names)
        assert list(map(repr, found)) == list(map(repr, want)), what
    for wrong in ("double('nan')", "double('inf')", "double(null)"):
        for one, other in (("y", f"if(p = {float(predicted[7])!r}D, {wrong}, p) p"), (f"{wrong} y", "p")):
            with pytest.raises(certus.DataError, match=r"^partition \d, batch from row \d+: column '[yp]' is "):
                on_spark.evaluate(source.selectExpr(one, other), metrics[0], **names)
    with pytest.raises(certus.DataError, match=r"^data has no rows$"):
        on_spark.evaluate(source.limit(0), metrics, **names)
    with pytest.raises(certus.DataError, match=r"the rows are others than in the first pass; cache\(\) the DataFrame"):
        on_spark.evaluate(changing(source, "y double, p double"), metrics[0], **names)
