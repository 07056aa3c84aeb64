"""tools/make_faces.py writes the metrics of the public modules from their declarations."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
A_METRIC = {
    "classification": "precision",
    "clustering": "purity",
    "efficiency": "throughput",
    "multilabel": "ndcg",
    "ranking": "ndcg",
    "regression": "mae",
    "values": "mean",
}


@pytest.fixture(autouse=True)
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


def module(task: str) -> str:
    return (ROOT / "src" / "certus" / f"{task}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("task", A_METRIC)
def test_the_public_module_of_a_task_is_fresh(task: str) -> None:
    from make_faces import face

    assert face(task, module(task)) == module(task)


@pytest.mark.parametrize("task", A_METRIC)
def test_a_metric_that_its_module_lacks_is_added_and_a_name_that_is_gone_left_out(task: str) -> None:
    from make_faces import face

    name = A_METRIC[task]
    old = module(task)
    for before, after in (('"', '",'), ('"', '"]'), (" ", ","), (" ", "\n")):
        old = old.replace(f"{before}{name}{after}", f"{before}{name}_of_old{after}")
    assert old.count(f"{name}_of_old") == 2
    assert face(task, old) == module(task)


def test_the_modules_of_metrics_are_fresh() -> None:
    from make_faces import homes

    assert homes() == (ROOT / "src/certus/metrics/_homes.py").read_text(encoding="utf-8")
