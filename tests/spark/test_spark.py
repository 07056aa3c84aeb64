"""`certus.spark` in local mode: the digits of all data at once, however they are partitioned."""

from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spark_frames import (
    METRICS,
    NAMES,
    SPARK,
    N,
    cells,
    check_what_sums_do_not_give,
    numbers,
    on,
    pa,
    sql,
    table,
)

import certus
from certus import spark as on_spark
from certus.spark import _jobs

pytestmark = SPARK


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


@pytest.mark.parametrize("kind", ["plain", "long tails", "far from 0", "small at first", "whole"])
def test_r2_has_the_digits_of_numbers_in_memory_and_is_near_that_of_fractions(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    true, predicted = numbers(kind)
    source = on(session, pa.table({"a.b": true, "its `p": predicted}), tmp_path)
    names: dict[str, Any] = {"truth": "a.b", "pred": "its `p", "task": "regression"}
    metrics = ["MAE", "R2"]
    monkeypatch.setattr(_jobs, "FEW_ROWS", 1000)
    found = list(on_spark.evaluate(source, metrics, **names))
    targets, mean = [Fraction(float(y)) for y in true], Fraction(0)
    mean = sum(targets, mean) / N
    errors = true.astype(np.float64) - predicted.astype(np.float64)
    lost, total = sum(Fraction(float(e)) for e in errors**2), sum((y - mean) ** 2 for y in targets)
    assert found[1].value == pytest.approx(1 - float(lost) / float(total), rel=2e-15)
    expected = list(certus.evaluate(true, predicted, metrics, task="regression"))
    assert repr(found[1]) == repr(expected[1])
    for partitions in (1, 7):
        again = on_spark.evaluate(source.repartition(partitions), metrics, **names)
        assert list(map(repr, again)) == list(map(repr, found))
    monkeypatch.setattr(_jobs, "merge_all", None)
    (alone,) = on_spark.evaluate(source, "R2", **names)
    assert repr(alone) == repr(found[1])


def test_r2_that_sums_do_not_give_has_the_digits_and_errors_of_rows(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jobs, "FEW_ROWS", 1000)
    check_what_sums_do_not_give(session, tmp_path, ["R2"])
    source = on(session, pa.table(dict(zip("yp", numbers("plain"), strict=True))), tmp_path)
    (of_rows,) = on_spark.evaluate(source, "R2", truth="y", pred="p", task="regression", interval="bootstrap")
    assert of_rows.method == "percentile"


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


def test_workers_without_certus_are_named() -> None:
    class Frame:
        def collect(self) -> None:
            raise import_module("pyspark.errors").PythonException("ModuleNotFoundError: No module named 'certus'")

    with pytest.raises(ImportError, match="the Python of Spark's workers has no certus; install it there, or set"):
        _jobs.collect(Frame())


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
def test_bounds_are_those_of_one_state(session: Any, tmp_path: Path, partitions: int) -> None:
    data = table()
    source = on(session, data, tmp_path).repartition(partitions)
    names: dict[str, Any] = {"truth": "label", "score": "p"}
    for row in certus.evaluate(data, metrics=["AUC", "KS"], task="classification", **names):
        assert on_spark.bounds(source, row.metric, **names) == {row.metric: (row.value, row.value)}
    with pytest.raises(certus.MetricNameError, match=r"gives bounds of .*AUC.*, not of F1"):
        on_spark.bounds(source, "F1", **names)


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
        on_spark.evaluate(table(), table(), "AP", task="ranking")
    words = source.withColumn("p", sql.functions.expr("'high'"))
    with pytest.raises(certus.DataError, match="column 'p' holds text; it must hold numbers"):
        on_spark.evaluate(words, "AUC", truth="label", score="p", task="classification")


def test_spark_counts_labels_and_no_worker_starts(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = table()
    data = data.append_column("certus_count", data["guess"]).append_column("a.b`c", data["guess"])
    source = on(session, data, tmp_path).selectExpr("*", "0 as Guess")
    monkeypatch.setattr(_jobs, "merge_all", None)
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
        return {name: session.conf.get(name, None) for name in (_jobs.ROWS, _jobs.BYTES)}

    made = session.range(0, 25_000, 1, 1).mapInArrow(sizes, "rows long")
    before = settings()
    try:
        for told, largest in (({}, 25_000), ({_jobs.ROWS: "1000", _jobs.BYTES: "1000000"}, 1_000)):
            for name in before:
                session.conf.unset(name)
                if told:
                    session.conf.set(name, told[name])
            asked = settings()
            for batch in (_jobs.LARGE, 20_000, None):
                found = [row.rows for row in _jobs.collect(made, batch)]
                assert sum(found) == 25_000
                assert max(found) == min(largest, batch or 10_000)  # Spark's own limit
                assert settings() == asked
    finally:
        for name, value in before.items():
            session.conf.unset(name)
            if value is not None:
                session.conf.set(name, value)


def test_the_calls_of_everywhere_else_take_dataframes_of_spark(session: Any) -> None:
    data = table()
    source = session.createDataFrame(data)
    names: Any = {"truth": "label", "score": "p", "metrics": ["AUC", "AP"]}
    assert cells(certus.evaluate(source, **names)) == cells(on_spark.evaluate(source, **names))
    systems = ["p", "q"]
    compared = certus.compare(source, systems, ["AUC"], truth="label", groups="user", baseline="q")
    assert str(compared) == str(on_spark.compare(source, systems, ["AUC"], truth="label", groups="user", baseline="q"))
    # without metrics and task, the values say what they are
    inferred = certus.compare(source, systems, truth="label")
    assert str(inferred) == str(certus.compare(data, systems, truth="label"))
    with pytest.raises(certus.MetricNameError, match="memory does not apply to DataFrames of Spark"):
        certus.evaluate(source, memory="1GB", **names)


def test_spark_has_thresholds(session: Any) -> None:
    data = table()
    source = session.createDataFrame(data).repartition(5)
    told: Any = {"truth": "label", "score": "p", "metrics": ["F1", "Accuracy", "MCC"], "threshold": 0.4}
    assert cells(certus.evaluate(source, **told)) == cells(certus.evaluate(data, **told))
    compared = certus.compare(source, ["p", "q"], "F1", truth="label", threshold=0.4)
    assert str(compared) == str(certus.compare(data, ["p", "q"], "F1", truth="label", threshold=0.4))
