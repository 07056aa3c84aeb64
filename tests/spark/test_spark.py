"""`certus.spark` in local mode: the digits of all data at once, however they are partitioned."""

import gc
import os
import pickle
import shutil
import sys
import zlib
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import certus
from certus import spark as on_spark
from certus.spark import _jobs, _workers
from certus.spark import _numbers as _numbers_of_spark
from certus.spark._numbers import of_numbers
from certus.states._spilled import Spilled

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
sql = pytest.importorskip("pyspark.sql")
if shutil.which("java") is None:
    pytest.skip("java is not installed", allow_module_level=True)

# PySpark warns of every pandas from 3 on when it is asked for mapInArrow, which uses no pandas.
pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
]
N = 4_000
METRICS = ["AUC", "AP", "LogLoss", "Accuracy", "F1"]
NAMES: dict[str, Any] = {"truth": "label", "pred": "guess", "score": "p"}


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYSPARK_PYTHON", sys.executable)  # otherwise the workers run the first python3 of the path
        environment.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        made = _local()
        yield made
        made.stop()


def _local() -> Any:
    made = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "300")
        .config("spark.python.daemon.module", "forking")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    return made


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


def test_the_digits_are_those_of_all_rows_in_memory(session: Any, tmp_path: Path) -> None:
    data = table()
    shuffled = on(session, data.take(np.random.default_rng(7).permutation(N)), tmp_path).repartition(7)
    found = on_spark.evaluate(shuffled, METRICS, task="classification", **NAMES)
    assert cells(found) == cells(certus.evaluate(iter([data]), metrics=METRICS, **NAMES))
    whole = certus.evaluate(
        data["label"], {"y_pred": data["guess"], "y_score": data["p"]}, METRICS, task="classification"
    )
    assert [row.value for row in found] == [row.value for row in whole]
    for row, want in zip(found, whole, strict=True):
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12)


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some tasks of the workers fail after a batch, and are repeated."""

    def failing(work: Any) -> Any:
        def once(*told: Any) -> Iterator[Any]:
            yield from work(*told[:-1], fails_once(told[-1]))

        return once

    def fails_once(batches: Iterator[Any]) -> Iterator[Any]:
        context = pyspark.TaskContext.get()
        for batch in batches:
            yield batch
            if context.attemptNumber() == 0 and context.partitionId() % 100 == 0:
                raise RuntimeError("the task fails after a batch")

    for name in ("blocks", "merged", "states", "states_of_queries"):
        monkeypatch.setattr(_jobs, name, failing(getattr(_jobs, name)))
    monkeypatch.setattr(_numbers_of_spark, "_worked", failing(_numbers_of_spark._worked))


WEIGHTED = {"truth": "label", "by": "country", "weight": "weight"}
SKIP = {"undefined": "skip"}
TABLES: dict[str, tuple[list[str] | None, dict[str, Any]]] = {
    "scores, labels and losses": (METRICS, {**NAMES, "task": "classification"}),
    "subgroups with weights": (["AUC", "LogLoss", "F1"], {**WEIGHTED, "pred": "guess", "score": "p"}),
    "a report of subgroups": (None, {**NAMES, "by": "country", "task": "classification"}),
    "a mean over users": (["AUC", "Accuracy"], {**NAMES, "by": "user", "subgroup_mean": "random-weighted", **SKIP}),
    "groups": (["AP", "Accuracy"], {**NAMES, "groups": "user"}),
    "labels that Spark counts": (
        ["MCC", "F1"],
        {"truth": "text", "pred": "said", "pos_label": "spam", "by": "country"},
    ),
    "clusters": (["ARI"], {"truth": "country", "pred": "guess", "task": "clustering"}),
    "losses": (["MAE", "MSE"], {"truth": "weight", "pred": "p", "task": "regression"}),
    "numbers": (["Pearson"], {"truth": "weight", "pred": "p", "task": "regression"}),
    "an interval that needs rows": (["MAE"], {"truth": "weight", "pred": "p", "interval": "bootstrap"}),
}


@pytest.mark.usefixtures("flaky")
@pytest.mark.parametrize("partitions", [1, 7, 200])
def test_shuffled_partitions_and_repeated_tasks_change_no_digit(session: Any, tmp_path: Path, partitions: int) -> None:
    data = table()
    order = np.random.default_rng(partitions).permutation(N)
    source = on(session, data.take(order), tmp_path).repartition(partitions).cache()
    for what, (metrics, told) in TABLES.items():
        found = on_spark.evaluate(source, metrics, **told)
        expected = certus.evaluate(iter([data]), metrics=metrics, **told)
        assert list(map(repr, found)) == list(map(repr, expected)), what
        assert str(found) == str(expected), what
    compared = on_spark.compare(source, ["p", "q"], ["AUC", "LogLoss"], truth="label", groups="user", baseline="q")
    state = certus.State(["AUC", "LogLoss"], systems=["p", "q"])
    state.update(data, {"p": "p", "q": "q"}, truth="label", groups="user")
    assert str(compared) == str(state.compare(baseline="q"))


def _numbers(kind: str) -> tuple[Any, Any]:
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


@pytest.mark.parametrize("kind", ["plain", "long tails", "far from 0", "small at first", "whole"])
def test_r2_is_summed_by_spark_with_the_digits_of_fractions(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    true, predicted = _numbers(kind)
    source = on(session, pa.table({"a.b": true, "its `p": predicted}), tmp_path)
    names: dict[str, Any] = {"truth": "a.b", "pred": "its `p", "task": "regression"}
    metrics = ["MAE", "R2"]
    found = list(on_spark.evaluate(source, metrics, **names))
    targets, mean = [Fraction(float(y)) for y in true], Fraction(0)
    mean = sum(targets, mean) / N
    errors = true.astype(np.float64) - predicted.astype(np.float64)
    lost, total = sum(Fraction(float(e)) for e in errors**2), sum((y - mean) ** 2 for y in targets)
    assert found[1].value == 1 - float(lost) / float(total)
    expected = certus.evaluate(true, predicted, metrics, task="regression")
    for row, want in zip(found, expected, strict=True):
        assert (row.metric, row.n, row.method, row.why) == (want.metric, want.n, want.method, want.why)
        assert row.value == pytest.approx(want.value, rel=2e-15)
        wide = 1e-10 if kind == "far from 0" else 1e-12  # in memory a sample is left out by subtracting sums
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=wide)
    for partitions in (1, 7):
        again = on_spark.evaluate(source.repartition(partitions), metrics, **names)
        assert list(map(repr, again)) == list(map(repr, found))
    monkeypatch.setattr(_jobs, "_merge_all", None)
    (alone,) = on_spark.evaluate(source, "R2", **names)
    assert repr(alone) == repr(found[1])


def test_r2_that_spark_cannot_sum_has_the_digits_and_errors_of_rows(session: Any, tmp_path: Path) -> None:
    true, predicted = _numbers("plain")
    names: dict[str, Any] = {"truth": "y", "pred": "p", "task": "regression"}
    source = on(session, pa.table({"y": true, "p": predicted}), tmp_path)
    for what, made, (y, p) in (
        ("perfect", source.selectExpr("y", "y p"), (true, true)),
        ("constant", source.selectExpr("2.5D y", "p"), (np.full(N, 2.5), predicted)),
        ("huge", source.selectExpr("y * 1e80 y", "p * 1e80 p"), (true * 1e80, predicted * 1e80)),
        ("few", source.limit(50), (true[:50], predicted[:50])),
    ):
        found = on_spark.evaluate(made, "R2", **names)
        want = certus.evaluate(iter([pa.table({"y": y, "p": p})]), metrics="R2", **names)
        assert list(map(repr, found)) == list(map(repr, want)), what
    for wrong in ("double('nan')", "double('inf')", "double(null)"):
        for one, other in (("y", f"if(p = {float(predicted[7])!r}D, {wrong}, p) p"), (f"{wrong} y", "p")):
            with pytest.raises(certus.DataError, match=r"^partition \d, batch from row \d+: column '[yp]' is "):
                on_spark.evaluate(source.selectExpr(one, other), "R2", **names)
    with pytest.raises(certus.DataError, match=r"^data has no rows$"):
        on_spark.evaluate(source.limit(0), "R2", **names)

    def changing(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = np.random.default_rng().random(len(batch))
            yield pa.RecordBatch.from_arrays([batch.column(0), pa.array(made)], ["y", "p"])

    other = source.mapInArrow(changing, "y double, p double")
    with pytest.raises(certus.DataError, match=r"the rows are others than in the first pass; cache\(\) the DataFrame"):
        on_spark.evaluate(other, "R2", **names)
    (of_rows,) = on_spark.evaluate(source, "R2", interval="bootstrap", **names)
    assert of_rows.method == "percentile"


CORRELATIONS = ["Pearson", "CCC", "CCC(ddof=1)", "ExplainedVariance"]


class _Frame:
    """Two columns in partitions, whose tasks are run here."""

    def __init__(self, true: Any, predicted: Any, partitions: int) -> None:
        order = np.random.default_rng(partitions).permutation(N)
        self.parts = [(true[some], predicted[some]) for some in np.array_split(order, partitions)]

    def mapInArrow(self, work: Any, schema: str) -> Any:  # noqa: N802 (name of pyspark)
        work = pickle.loads(pickle.dumps(work))
        for part in self.parts:
            halves = zip(*(np.array_split(column.astype(np.float64), 2) for column in part), strict=True)
            batches = (pa.RecordBatch.from_arrays(list(map(pa.array, half)), ["y", "p"]) for half in halves)
            for made in work(batches):
                yield SimpleNamespace(**made.to_pylist()[0])


@pytest.mark.parametrize("kind", ["plain", "long tails", "far from 0", "small at first", "whole"])
def test_partitions_give_correlations_the_digits_of_numbers_in_a_file(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(_numbers_of_spark, "ENOUGH", 1000)
    true, predicted = _numbers(kind)
    in_file = certus.State(CORRELATIONS, task="regression", memory=5000)
    for index in np.array_split(np.arange(N), 40):
        in_file.update(true[index], pred=predicted[index])
    in_memory = certus.evaluate(true, predicted, CORRELATIONS, task="regression")
    for partitions in (1, 7, 200):
        state = certus.State(CORRELATIONS, task="regression")
        state.found = {**of_numbers(state.asked or [], _Frame(true, predicted, partitions), list)}
        state.metrics, state.n = [], N
        found = list(state.evaluate())
        assert repr(found) == repr(list(in_file.evaluate())) or kind == "whole"  # few distinct rows: in memory
        for row, want in zip(found, in_memory, strict=True):
            assert (row.metric, row.n, row.method, row.why) == (want.metric, want.n, want.method, want.why)
            within = 2e-15 if row.metric == "ExplainedVariance" else 0
            assert row.value == pytest.approx(want.value, rel=within, abs=0)
            wide = 1e-10 if kind == "far from 0" else 1e-12  # in memory a sample is left out by subtracting sums
            assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=wide)


@pytest.mark.usefixtures("flaky")
def test_correlations_come_from_sums_that_workers_make(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, predicted = _numbers("plain")
    source = on(session, pa.table({"a.b": true, "its `p": predicted}), tmp_path)
    names: dict[str, Any] = {"truth": "a.b", "pred": "its `p", "task": "regression"}
    metrics = ["MAE", *CORRELATIONS, "R2"]
    of_rows = on_spark.evaluate(source, metrics, **names)  # few rows are collected
    monkeypatch.setattr(_numbers_of_spark, "ENOUGH", 1000)
    found = list(on_spark.evaluate(source.repartition(7), metrics, **names))
    for row, want in zip(found, of_rows, strict=True):
        assert row.value == pytest.approx(want.value, rel=2e-15, abs=0)
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12)
    monkeypatch.setattr(_jobs, "_merge_all", None)
    assert repr(list(on_spark.evaluate(source, CORRELATIONS, **names))) == repr(found[1:-1])


def test_correlations_that_sums_do_not_give_have_the_digits_and_errors_of_rows(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_numbers_of_spark, "ENOUGH", 1000)
    true, predicted = _numbers("plain")
    names: dict[str, Any] = {"truth": "y", "pred": "p", "task": "regression"}
    source = on(session, pa.table({"y": true, "p": predicted}), tmp_path)
    for what, made, (y, p) in (
        ("perfect", source.selectExpr("y", "y p"), (true, true)),
        ("constant", source.selectExpr("2.5D y", "p"), (np.full(N, 2.5), predicted)),
        ("huge", source.selectExpr("y * 1e80 y", "p * 1e80 p"), (true * 1e80, predicted * 1e80)),
        ("few", source.limit(50), (true[:50], predicted[:50])),
    ):
        found = on_spark.evaluate(made, CORRELATIONS, **names)
        want = certus.evaluate(iter([pa.table({"y": y, "p": p})]), metrics=CORRELATIONS, **names)
        assert list(map(repr, found)) == list(map(repr, want)), what
    for wrong in ("double('nan')", "double('inf')", "double(null)"):
        for one, other in (("y", f"if(p = {float(predicted[7])!r}D, {wrong}, p) p"), (f"{wrong} y", "p")):
            with pytest.raises(certus.DataError, match=r"^partition \d, batch from row \d+: column '[yp]' is "):
                on_spark.evaluate(source.selectExpr(one, other), "Pearson", **names)
    with pytest.raises(certus.DataError, match=r"^data has no rows$"):
        on_spark.evaluate(source.limit(0), "CCC", **names)

    def changing(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = np.random.default_rng().random(len(batch))
            yield pa.RecordBatch.from_arrays([batch.column(0), pa.array(made)], ["y", "p"])

    other = source.mapInArrow(changing, "y double, p double")
    with pytest.raises(certus.DataError, match=r"the rows are others than in the first pass; cache\(\) the DataFrame"):
        on_spark.evaluate(other, "Pearson", **names)


def test_a_wrong_row_is_named_by_its_partition_and_nothing_else_is_given(session: Any, tmp_path: Path) -> None:
    data = table()
    scores = data["p"].to_numpy().copy()
    scores[123] = np.nan
    data = data.set_column(2, "p", pa.array(scores))
    source = on(session, data, tmp_path).repartition(3)
    with pytest.raises(certus.DataError, match=r"^partition \d, batch from row \d+: column 'p' is NaN at index \d+;"):
        on_spark.evaluate(source, "AUC", truth="label", score="p", task="classification")
    with pytest.raises(certus.DataError, match="there is no column 'p2'; the columns are 'label', 'guess'"):
        on_spark.evaluate(source, "AUC", truth="label", score="p2", task="classification")
    with pytest.raises(certus.DataError, match="data has no rows"):
        on_spark.evaluate(source.limit(0), "AUC", truth="label", score="p", task="classification")
    with pytest.raises(
        certus.DataError, match=r"partition \d, batch from row 0: columns .* is .* it must hold 0 and 1"
    ):
        on_spark.evaluate(source, "Hamming", truth=["label", "guess"], pred=["guess", "p"], task="multilabel")


def ranking() -> tuple[Any, Any]:
    """Judgments and a run as tables of Arrow, with ties and queries on one side only."""
    rng = np.random.default_rng(7)
    judged = [(f"q{query}", f"d{doc}", int(rng.integers(-1, 4))) for query in range(3, 90) for doc in range(0, 40, 3)]
    retrieved = [(f"q{q}", f"d{doc}", float(rng.integers(0, 30))) for q in range(86) for doc in range(30) if doc % 7]
    return tuple(
        pa.table({name: [row[place] for row in rows] for place, name in enumerate(("query_id", "doc_id", value))})
        for rows, value in ((judged, "relevance"), (retrieved, "score"))
    )


@pytest.mark.usefixtures("flaky")
@pytest.mark.parametrize("partitions", [1, 7, 200])
def test_rankings_have_the_table_of_all_queries(session: Any, tmp_path: Path, partitions: int) -> None:
    qrels, run = ranking()
    order = np.random.default_rng(partitions).permutation(len(run))
    shuffled = on(session, run.take(order), tmp_path).repartition(partitions)
    metrics = ["nDCG@10", "AP", "RR"]
    told: dict[str, Any] = {"queries": "judged"} if partitions == 7 else {}
    judgments = session.createDataFrame(qrels) if partitions == 1 else qrels
    found = on_spark.evaluate(shuffled, metrics, qrels=judgments, task="ranking", **told)
    expected = certus.evaluate(qrels, run, metrics, **told)
    assert list(map(repr, found)) == list(map(repr, expected))
    assert str(found) == str(expected)


@pytest.mark.parametrize(("together", "states"), [(1, 5), (1 << 25, 1)])
def test_blocks_of_any_size_hold_the_queries_of_all_rows(
    monkeypatch: pytest.MonkeyPatch, together: int, states: int
) -> None:
    monkeypatch.setattr(_workers, "TOGETHER", together)
    qrels, run = ranking()
    run = run.append_column("extra", pa.array([{"struct": 1}] * len(run)))
    dealt = []
    for judged, rows in ((True, qrels), (False, run.take(np.random.default_rng(1).permutation(len(run))))):
        part = pa.array([zlib.crc32(query.as_py().encode()) % 5 for query in rows["query_id"]], pa.int32())
        batches = rows.add_column(0, "part", part).to_batches(max_chunksize=100)
        dealt += list(_workers.blocks(judged, rows.column_names, batches))
    together_again = pa.Table.from_batches(dealt).sort_by("part").to_batches(max_chunksize=7)
    metrics = ["nDCG@10", "AP", "RR"]
    empty = certus.State(metrics, task="ranking").to_bytes()
    made = [batch.to_pylist()[0] for batch in _workers.states_of_queries(empty, together_again)]
    assert len(made) == states
    state = certus.State.from_bytes(empty)
    for row in made:
        state.merge(certus.State.from_bytes(row["state"]))
    assert list(map(repr, state.evaluate())) == list(map(repr, certus.evaluate(qrels, run, metrics)))


def test_a_worker_freezes_what_it_imported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[int] = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: len(frozen))
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    assert list(_workers.merged([])) == []
    assert not frozen  # this is no worker
    monkeypatch.setattr(pyspark.TaskContext, "get", object)
    for _ in range(2):
        assert list(_workers.merged([])) == []
    assert frozen == [1]


def test_a_wrong_row_of_a_ranking_is_named_by_its_query(session: Any, tmp_path: Path) -> None:
    qrels, run = ranking()
    scores = run["score"].to_numpy().copy()
    scores[100] = np.nan
    query = run["query_id"][100].as_py()
    wrong = on(session, run.set_column(2, "score", pa.array(scores)), tmp_path)
    with pytest.raises(certus.DataError, match=rf"^query '{query}': run: row \d+ of column 'score' is missing"):
        on_spark.evaluate(wrong, "AP", qrels=qrels, task="ranking")
    nested = wrong.selectExpr("struct(query_id) query_id", "doc_id", "score", "score `a.b`")
    with pytest.raises(
        certus.DataError, match=r"^data: column 'query_id' is of type struct<.*>; ids are text or whole"
    ):
        on_spark.evaluate(nested, "AP", qrels=qrels, task="ranking")
    null = wrong.selectExpr("if(query_id in ('q5', 'q7'), null, query_id) query_id", "doc_id", "score", "score `a.b`")
    with pytest.raises(certus.DataError, match=r"^run: column 'query_id' is null in 50 rows; fill it or drop them$"):
        on_spark.evaluate(null, "AP", qrels=qrels, task="ranking")
    twice = session.createDataFrame(pa.concat_tables([run, run.slice(50, 1)]))
    query, doc = run["query_id"][50].as_py(), run["doc_id"][50].as_py()
    with pytest.raises(certus.DataError, match=rf"^query '{query}': .*document '{doc}' appears twice"):
        on_spark.evaluate(twice, "AP", qrels=qrels, task="ranking")
    two = session.createDataFrame(run.append_column("run", pa.array(["a"] * len(run))))
    with pytest.raises(certus.DataError, match="data: has a column of runs, 'run'; filter the rows of one run"):
        on_spark.evaluate(two, "AP", qrels=qrels, task="ranking")
    with pytest.raises(certus.DataError, match="data: has no column of queries, such as 'query_id', but 'doc_id'"):
        on_spark.evaluate(two.select("doc_id", "score"), "AP", qrels=qrels, task="ranking")
    with pytest.raises(certus.DataError, match="rankings need judgments; give qrels"):
        on_spark.evaluate(wrong, "AP", task="ranking")
    with pytest.raises(certus.DataError, match="needs rows in an order"):
        on_spark.evaluate(wrong, "AP", qrels=qrels, task="ranking", ties="input")
    with pytest.raises(certus.MetricNameError, match="by has no meaning for ranking"):
        on_spark.evaluate(wrong, "AP", qrels=qrels, by="doc_id", task="ranking")


def test_workers_without_certus_are_named() -> None:
    class Frame:
        def collect(self) -> None:
            raise import_module("pyspark.errors").PythonException("ModuleNotFoundError: No module named 'certus'")

    with pytest.raises(ImportError, match="the Python of Spark's workers has no certus; install it there, or set"):
        _jobs._collected(Frame())


def test_the_example_of_the_guide_runs(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "spark.md").read_text(encoding="utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    data = table()
    found: dict[str, Any] = {"predictions": on(session, data, tmp_path).repartition(3)}
    exec(compile(code, "docs/spark.md", "exec"), found)
    names: dict[str, Any] = {"truth": "label", "score": "p", "by": "country", "groups": "user"}
    expected = certus.evaluate(data, metrics=["AUC", "AP", "LogLoss"], **names)
    assert [row.value for row in found["table"]] == [row.value for row in expected]
    assert "LogLoss" in capsys.readouterr().out


@pytest.mark.parametrize("partitions", [1, 7])
def test_comparisons_have_the_digits_of_all_rows(session: Any, tmp_path: Path, partitions: int) -> None:
    data = table()
    shuffled = on(session, data, tmp_path).repartition(partitions)
    found = on_spark.compare(shuffled, ["p", "q"], ["AUC", "AP"], truth="label", groups="user", baseline="q")
    columns = {name: data[name].to_numpy() for name in ("p", "q")}
    expected = certus.compare(
        data["label"].to_numpy(), columns, ["AUC", "AP"], task="classification", groups=data["user"], baseline="q"
    )
    for row, want in zip(found, expected, strict=True):
        assert (row.value, row.baseline_value, row.n, row.method) == (
            want.value,
            want.baseline_value,
            want.n,
            want.method,
        )
        assert [row.difference, row.low, row.p] == pytest.approx([want.difference, want.low, want.p], rel=1e-12)
    (weighted,) = on_spark.compare(shuffled, ["p", "q"], "LogLoss", truth="label", sample_weight="weight")
    (want,) = certus.compare(data, ["p", "q"], "LogLoss", truth="label", sample_weight="weight")
    assert weighted.difference == pytest.approx(want.difference, rel=1e-12)


def test_a_wrong_row_of_a_comparison_is_named_by_its_partition(session: Any, tmp_path: Path) -> None:
    source = on(session, table(), tmp_path).repartition(3)
    with pytest.raises(certus.DataError, match=r"^partition \d, batch from row 0: column 'user' is .*; a probability"):
        on_spark.compare(source, ["p", "user"], "LogLoss", truth="label")
    with pytest.raises(certus.DataError, match="there is no column 'r'; the columns are 'label', 'guess'"):
        on_spark.compare(source, ["p", "r"], "AUC", truth="label")
    with pytest.raises(certus.MetricNameError, match="metrics is None; where columns are named"):
        on_spark.compare(source, ["p", "q"], truth="label")
    with pytest.raises(TypeError, match=r"compare\(\) has no keyword systems=; it is predictions= now"):
        on_spark.compare(source, systems=["p", "q"], metrics="AUC", truth="label")  # type: ignore[call-arg]


@pytest.mark.parametrize(("positives", "partitions"), [(0.9, 7), (0.9, 200), (0.1, 1), (0.1, 200)])
def test_two_passes_have_the_digits_of_one(session: Any, tmp_path: Path, positives: float, partitions: int) -> None:
    data = table()
    kept = np.random.default_rng(9).random(N) < np.where(data["label"].to_numpy() == 1, positives, 1 - positives)
    data = data.filter(pa.array(kept))
    shuffled = on(session, data.take(np.random.default_rng(1).permutation(len(data))), tmp_path)
    source = shuffled.repartition(partitions).cache()
    for metrics in (["AUC", "Gini", "GainCapture"], ["AUC", "AP", "LogLoss", "F1"]):
        # Few digits, so that scores are tied within and between the classes.
        told: dict[str, Any] = {**NAMES, "score": "q", "task": "classification"}
        found = on_spark.evaluate(source, metrics, passes=2, **told)
        expected = certus.evaluate(iter([data]), metrics=metrics, **told)
        assert list(map(repr, found)) == list(map(repr, expected))
        assert str(found) == str(expected)


def test_two_passes_send_what_grows_with_one_class_only() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(20_000) < 0.01
    scores = rng.random(len(truth))
    whole, cut = certus.State("AP"), certus.State("AP")
    cut.cuts = np.unique(scores[truth])
    for state in (whole, cut):
        state.update(truth, score=scores)
    assert len(whole.to_bytes()) > 9 * len(truth)
    assert len(cut.to_bytes()) < 40 * truth.sum()
    assert list(map(repr, whole.evaluate())) == list(map(repr, cut.evaluate()))


def test_samples_of_two_passes_are_not_written_out_in_memory() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(50_000) < 0.001
    scores = np.round(rng.random(len(truth)), 4)
    whole, cut = certus.State(["AUC", "AP"]), certus.State(["AUC", "AP"], memory="64kB")
    cut.cuts = np.unique(scores[truth])
    for state in (whole, cut):
        state.update(truth, score=scores)
    for row, want in zip(cut.evaluate(), whole.evaluate(), strict=True):
        assert (row.value, row.n) == (want.value, want.n)
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12)
    assert isinstance(cut._rows, Spilled)
    assert cut._rows.cells


def test_two_passes_are_refused_where_they_cannot_help(session: Any, tmp_path: Path) -> None:
    data = table()
    source = on(session, data, tmp_path)

    def refused(message: str, metrics: str = "AUC", data: Any = source, **told: Any) -> None:
        names: dict[str, Any] = {"truth": "label", "score": "p", "task": "classification", "passes": 2}
        with pytest.raises(certus.CertusError, match=message):
            on_spark.evaluate(data, metrics, **(names | told))

    refused("passes=2 is for AUC, Gini, GainCapture, AP, not for groups; leave it out", groups="user")
    refused("not for KS; leave it out", "KS")
    refused("not for interval; leave it out", interval="bootstrap")
    refused("not for a state of regression", "MAE", task="regression", score=None, pred="p")
    refused("passes=2 is for two classes, but column 'user' has 300 labels; leave it out", truth="user")
    refused("passes=2 is for two classes, but column 'label' has 1 label; leave it out", data=source.where("label = 1"))
    refused("say which is positive", "AP", truth="text")
    refused("passes is 3; give 1 or 2", passes=3)
    refused("passes has no meaning for ranking", task="ranking", truth=None, score=None)
    wrong = source.selectExpr("label", "if(user = 7, double('nan'), p) p")
    refused(r"partition \d, batch from row \d+: column 'p' is NaN at index \d+", data=wrong)

    def changing(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = np.random.default_rng().random(len(batch))
            yield pa.RecordBatch.from_arrays([batch.column(0), pa.array(made)], ["label", "p"])

    other = source.select("label", "p").mapInArrow(changing, "label long, p double")
    refused(r"partition 0, batch from row 0: the rows are others than in the first pass; cache\(\)", data=other)


def test_wrong_columns_of_labels_are_named_by_partition(session: Any, tmp_path: Path) -> None:
    source = on(session, table(), tmp_path).repartition(2)

    def refused(message: str, data: Any = source, truth: str = "label", pred: str = "guess", **told: Any) -> None:
        with pytest.raises(certus.CertusError, match=message):
            on_spark.evaluate(data, "Accuracy", truth=truth, pred=pred, **{"task": "classification", **told})

    refused(r"^there are 2 columns 'guess'; rename all but one$", source.select("label", "guess", "guess"))
    null = source.withColumn("guess", sql.functions.expr("if(user = 7, null, guess)"))
    refused(r"^partition \d, batch from row \d+: column 'guess' is null at index \d+; leave out", null)
    refused("^the first 1,000 rows, from which the task is inferred: column 'guess' is null", null, task=None)
    refused("holds text but y_pred holds numbers; give labels of one kind", truth="text")
    refused("there is no column 'gues'; the columns are 'label', 'guess'", pred="gues")
    refused("^data has no rows$", source.limit(0))
    dates = source.withColumn("label", sql.functions.expr("date '2026-01-01'"))
    refused(r"^partition \d: column 'label' holds .*, a date; a state with such a label cannot be written", dates)
    refused("data is a Table, not a DataFrame of Spark; give it to certus.evaluate", table())
    with pytest.raises(certus.DataError, match="data is a Table, not a DataFrame of Spark"):
        on_spark.evaluate(table(), "AP", qrels=table(), task="ranking")
    words = source.withColumn("p", sql.functions.expr("'high'"))
    with pytest.raises(certus.DataError, match="column 'p' holds text; it must hold numbers"):
        on_spark.evaluate(words, "AUC", truth="label", score="p", task="classification")


def test_spark_counts_labels_and_no_worker_starts(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = table()
    data = data.append_column("certus_count", data["guess"]).append_column("a.b`c", data["guess"])
    source = on(session, data, tmp_path).selectExpr("*", "0 as Guess")
    monkeypatch.setattr(_jobs, "_merge_all", None)
    names: dict[str, Any] = {"truth": "label", "task": "classification"}
    for column in ("guess", "certus_count", "a.b`c"):
        found = on_spark.evaluate(source, ["Accuracy", "F1"], pred=column, **names)
        assert cells(found) == cells(certus.evaluate(data, metrics=["Accuracy", "F1"], pred=column, **names))
    systems = {"old": "guess", "new": "label"}
    compared = on_spark.compare(source, systems, "Accuracy", truth="label")
    assert str(compared) == str(certus.compare(data, systems, "Accuracy", truth="label"))
    usual = {name: {"pred": column} for name, column in systems.items()}
    compared = on_spark.compare(source, usual, truth="label", task="classification")
    assert [row.metric for row in compared] == ["Accuracy", "MCC"]


def test_workers_get_large_batches_of_numbers_and_the_settings_are_as_before(session: Any) -> None:
    def sizes(batches: Iterator[Any]) -> Iterator[Any]:
        yield pa.RecordBatch.from_arrays([pa.array([len(batch) for batch in batches])], ["rows"])

    def settings() -> dict[str, str | None]:
        return {name: session.conf.get(name, None) for name in _jobs.BATCHES}

    made = session.range(0, 25_000, 1, 1).mapInArrow(sizes, "rows long")
    before = settings()
    try:
        for told, largest in (({}, 25_000), (dict.fromkeys(before, "1000"), 1_000)):
            for name in before:
                session.conf.unset(name)
                if told:
                    session.conf.set(name, told[name])
            asked = settings()
            for narrow in (True, False):
                found = [row.rows for row in _jobs._collected(made, narrow=narrow)]
                assert sum(found) == 25_000
                assert max(found) <= (largest if narrow else 10_000)  # Spark's own limit
                assert (len(found) == 1) == (narrow and not told)
                assert settings() == asked
    finally:
        for name, value in before.items():
            session.conf.unset(name)
            if value is not None:
                session.conf.set(name, value)
