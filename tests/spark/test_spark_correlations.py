"""Correlations on Spark from sums that workers make, and what is left of a task."""

import gc
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from spark_frames import SPARK, N, check_what_sums_do_not_give, numbers, on, pa, pyspark

import certus
from certus import spark as on_spark
from certus.spark import _jobs, _workers

pytestmark = SPARK
CORRELATIONS = ["Pearson", "CCC", "CCC(ddof=1)", "ExplainedVariance", "R2"]


def here(true: Any, predicted: Any, partitions: int) -> SimpleNamespace:
    """A DataFrame of two columns in partitions, whose tasks are run in this process."""
    order = np.random.default_rng(partitions).permutation(len(true))
    parts = [(true[some], predicted[some]) for some in np.array_split(order, partitions)]

    def run(work: Any, schema: str) -> Iterator[Any]:
        work = pickle.loads(pickle.dumps(work))
        for part in parts:
            halves = zip(*(np.array_split(column.astype(np.float64), 2) for column in part), strict=True)
            batches = (pa.RecordBatch.from_arrays(list(map(pa.array, half)), ["y", "p"]) for half in halves)
            for made in work(batches):
                yield SimpleNamespace(**made.to_pylist()[0])

    return SimpleNamespace(mapInArrow=run)


@pytest.mark.parametrize("kind", ["plain", "long tails", "far from 0", "small at first", "whole"])
def test_partitions_give_correlations_the_digits_of_numbers_in_a_file(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(_jobs, "FEW_ROWS", 1000)
    true, predicted = numbers(kind)
    in_file = certus.State(CORRELATIONS, task="regression", memory=5000)
    for index in np.array_split(np.arange(N), 40):
        in_file.update(true[index], pred=predicted[index])
    monkeypatch.setattr(_jobs, "collect", lambda frame, _: list(frame))
    in_memory = certus.evaluate(true, predicted, CORRELATIONS, task="regression")
    for partitions in (1, 7, 200):
        state = certus.State(CORRELATIONS, task="regression")
        metrics = state.requested_metrics or []
        state.known_statistics = {**_jobs.statistics_in_passes(metrics, here(true, predicted, partitions))}
        state.metrics, state.n = [], N
        found = list(state.evaluate())
        assert repr(found) == repr(list(in_file.evaluate())) or kind == "whole"  # few distinct rows: in memory
        assert list(map(repr, found)) == list(map(repr, in_memory))


@pytest.mark.parametrize("metric", CORRELATIONS)
def test_what_moves_to_the_driver_does_not_grow_with_the_rows(monkeypatch: pytest.MonkeyPatch, metric: str) -> None:
    monkeypatch.setattr(_jobs, "FEW_ROWS", 1)
    moved = []
    for rows in (N // 10, N):
        true, predicted = (each[:rows] for each in numbers("plain"))
        collected: list[int] = []

        def count(frame: Any, _: int, collected: list[int] = collected) -> list[Any]:
            found = list(frame)
            collected += [len(row.totals) for row in found]
            return found

        monkeypatch.setattr(_jobs, "collect", count)
        metrics = [certus.metrics.parse(metric, task="regression")]
        assert _jobs.statistics_in_passes(metrics, here(true, predicted, 1))
        assert len(collected) == 4  # a message of one partition in each pass
        moved.append(sum(collected))
    assert moved[1] < 4_000  # of a partition of 1,000,000 rows 0.004 bytes a row
    assert moved[1] < 1.2 * moved[0]


@pytest.mark.usefixtures("flaky")
def test_correlations_come_from_sums_that_workers_make(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, predicted = numbers("plain")
    source = on(session, pa.table({"a.b": true, "its `p": predicted}), tmp_path)
    names: dict[str, Any] = {"truth": "a.b", "pred": "its `p", "task": "regression"}
    metrics = ["MAE", *CORRELATIONS]
    of_rows = on_spark.evaluate(source, metrics, **names)  # few rows are collected
    monkeypatch.setattr(_jobs, "FEW_ROWS", 1000)
    of_sums = on_spark.evaluate(source.repartition(7), metrics, **names)
    for each in (of_rows, of_sums):
        assert f"\n{N} samples" in str(each)
    found = list(of_sums)
    for row, want in zip(found, of_rows, strict=True):
        assert row.value == want.value
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12)
    monkeypatch.setattr(_jobs, "merge_all", None)
    assert repr(list(on_spark.evaluate(source, CORRELATIONS, **names))) == repr(found[1:])


def test_correlations_that_sums_do_not_give_have_the_digits_and_errors_of_rows(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jobs, "FEW_ROWS", 1000)
    check_what_sums_do_not_give(session, tmp_path, CORRELATIONS)


def test_a_worker_freezes_what_it_imported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[int] = []
    monkeypatch.setattr(_workers, "_frozen", False)
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    assert list(_workers.merge_partitions([])) == []
    assert not frozen  # this is no worker
    monkeypatch.setattr(pyspark.TaskContext, "get", object)
    for _ in range(2):
        assert list(_workers.merge_partitions([])) == []
    assert frozen == [1]
