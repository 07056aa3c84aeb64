"""`certus.spark` in local mode: the digits of all data at once, however they are partitioned."""

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus import spark as on_spark

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
        made = _local()
        yield made
        made.stop()


def _local() -> Any:
    made = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "300")
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
        }
    )


def on(session: Any, data: Any, folder: Path) -> Any:
    """The table as a DataFrame of Spark."""
    parquet.write_table(data, folder / "rows.parquet")
    return session.read.parquet(str(folder / "rows.parquet"))


def cells(found: certus.Table) -> list[tuple[Any, ...]]:
    return [(row.metric, row.group, row.value, row.low, row.high, row.n) for row in found]


@pytest.mark.parametrize("partitions", [1, 7, 200])
def test_no_partitioning_and_no_order_changes_a_digit(session: Any, tmp_path: Path, partitions: int) -> None:
    data = table()
    order = np.random.default_rng(partitions).permutation(N)
    shuffled = on(session, data.take(order), tmp_path).repartition(partitions)
    found = on_spark.evaluate(shuffled, METRICS, task="classification", **NAMES)
    assert cells(found) == cells(certus.evaluate(iter([data]), metrics=METRICS, **NAMES))
    whole = certus.evaluate(
        data["label"], {"y_pred": data["guess"], "y_score": data["p"]}, METRICS, task="classification"
    )
    assert [row.value for row in found] == [row.value for row in whole]
    for row, want in zip(found, whole, strict=True):
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12)


def test_repeated_tasks_change_no_digit(session: Any, tmp_path: Path) -> None:
    data = table()

    def flaky(batches: Iterator[Any]) -> Iterator[Any]:
        context = pyspark.TaskContext.get()
        for batch in batches:
            yield batch
            if context.attemptNumber() < 2 and context.partitionId() % 3 == 1:
                raise RuntimeError("the task fails after a batch")

    source = on(session, data, tmp_path).repartition(5)
    found = on_spark.evaluate(source.mapInArrow(flaky, source.schema), METRICS, task="classification", **NAMES)
    assert cells(found) == cells(certus.evaluate(iter([data]), metrics=METRICS, **NAMES))


def test_subgroups_and_groups_and_the_inferred_task(session: Any, tmp_path: Path) -> None:
    data = table()
    found = on_spark.evaluate(
        on(session, data, tmp_path).repartition(3), "AUC", truth="label", score="p", by="country", groups="user"
    )
    assert cells(found) == cells(
        certus.evaluate(data, metrics="AUC", truth="label", score="p", by="country", groups="user")
    )


def test_a_wrong_row_is_named_by_its_partition_and_nothing_else_is_given(session: Any, tmp_path: Path) -> None:
    data = table()
    scores = data["p"].to_numpy().copy()
    scores[123] = np.nan
    data = data.set_column(2, "p", pa.array(scores))
    source = on(session, data, tmp_path).repartition(3)
    with pytest.raises(certus.DataError, match=r"^partition \d, batch from row \d+: column 'p' is NaN at index \d+;"):
        on_spark.evaluate(source, "AUC", truth="label", score="p", task="classification")
    with pytest.raises(certus.DataError, match="there is no column 'q'; the columns are 'label', 'guess'"):
        on_spark.evaluate(source, "AUC", truth="label", score="q", task="classification")
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


def test_a_wrong_row_of_a_ranking_is_named_by_its_query(session: Any, tmp_path: Path) -> None:
    qrels, run = ranking()
    scores = run["score"].to_numpy().copy()
    scores[100] = np.nan
    query = run["query_id"][100].as_py()
    wrong = on(session, run.set_column(2, "score", pa.array(scores)), tmp_path)
    with pytest.raises(certus.DataError, match=rf"^query '{query}': run: row \d+ of column 'score' is missing"):
        on_spark.evaluate(wrong, "AP", qrels=qrels, task="ranking")
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
        on_spark._collected(Frame())


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
    data = table().append_column("q", pa.array(np.random.default_rng(4).random(N)))
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


def test_a_wrong_row_of_a_comparison_is_named_by_its_partition(session: Any, tmp_path: Path) -> None:
    source = on(session, table(), tmp_path).repartition(3)
    with pytest.raises(certus.DataError, match=r"^partition \d, batch from row 0: column 'user' is .*; a probability"):
        on_spark.compare(source, ["p", "user"], "LogLoss", truth="label")
    with pytest.raises(certus.DataError, match="there is no column 'r'; the columns are 'label', 'guess'"):
        on_spark.compare(source, ["p", "r"], "AUC", truth="label")
