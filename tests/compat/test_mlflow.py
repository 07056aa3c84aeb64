"""Results are logged to a local MLflow store as metrics and artifacts."""

import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import certus
from certus import DataError

if find_spec("mlflow") is None:
    pytest.skip("MLflow is not installed", allow_module_level=True)

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(8)}
RUNS = {
    name: {f"q{i}": {"a": 2.0 if i >= wrong else 0.0, "b": 1.0} for i in range(8)}
    for name, wrong in (("old", 4), ("new", 2))
}


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    import mlflow

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    with mlflow.start_run() as active:
        yield active


def _stored(run: Any) -> dict[str, float]:
    import mlflow

    return dict(mlflow.get_run(run.info.run_id).data.metrics)


def _artifact(run: Any, name: str) -> str:
    import mlflow

    location = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path=f"certus/{name}")
    return Path(location).read_text()


def test_an_estimate_is_a_metric_with_its_limits(run: Any) -> None:
    estimate = certus.ranking.ndcg(QRELS, RUNS["old"], cutoff=10)
    found = certus.compat.mlflow.log(estimate)
    assert found == {
        "nDCG_at_10": estimate.value,
        "nDCG_at_10.low": estimate.low,
        "nDCG_at_10.high": estimate.high,
    }
    assert _stored(run) == found
    assert json.loads(_artifact(run, "estimate.json"))["value"] == estimate.value


def test_a_table_of_several_runs_names_them_and_is_an_artifact(run: Any) -> None:
    table = certus.evaluate(QRELS, RUNS, metrics=["RR"])
    certus.compat.mlflow.log(table, "test set")
    stored = _stored(run)
    assert {key: value for key, value in stored.items() if not key.endswith((".low", ".high"))} == {
        "test set/old/RR": 0.75,
        "test set/new/RR": 0.875,
    }
    assert certus.Table.from_json(_artifact(run, "test set.json")).to_json() == table.to_json()
    assert _artifact(run, "test set.html") == table.to_html()


def test_a_report_has_the_values_of_each_class_apart(run: Any) -> None:
    report = certus.report([1, 0, 1, 1, 0, 0], [1, 0, 0, 1, 0, 1], task="classification")
    found = certus.compat.mlflow.log(report)
    assert found == pytest.approx(_stored(run), nan_ok=True)
    assert len([key for key in found if not key.endswith((".low", ".high"))]) == len(report.overall().summary)


def test_a_comparison_logs_its_differences(run: Any) -> None:
    import mlflow

    found = certus.compat.mlflow.log(certus.compare(QRELS, RUNS, ["RR"], baseline="old"))
    assert found["new-old/RR"] == 0.125
    assert "comparison.html" in {
        Path(each.path).name for each in mlflow.MlflowClient().list_artifacts(run.info.run_id, "certus")
    }


def test_limits_that_do_not_exist_are_left_out(run: Any) -> None:
    assert certus.compat.mlflow.log(certus.Table([certus.table.Row("r", "AP", 0.5)])) == {"AP": 0.5}
    assert not any(map(math.isnan, _stored(run).values()))


def test_equal_keys_are_refused() -> None:
    rows = [certus.table.Row("r", "P@1", 0.5), certus.table.Row("r", "P_at_1", 0.25)]
    with pytest.raises(DataError, match="two metrics have the key 'P_at_1'; log them apart"):
        certus.compat.mlflow.log(certus.Table(rows))


def test_other_results_are_refused() -> None:
    number: Any = 0.5
    with pytest.raises(TypeError, match="result is float; give an Estimate"):
        certus.compat.mlflow.log(number)
