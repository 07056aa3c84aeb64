"""The pytest plugin compares results of tests with a stored baseline."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_TEST = """
import certus

def test_ranking(certus_baseline):
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(12)}
    run = {f"q{i}": {"a": 2.0 if i >= WRONG else 0.0, "b": 1.0} for i in range(12)}
    certus_baseline(certus.evaluate(qrels, run, metrics=["RR", "GMAP"], per_query=True), margin=MARGIN)
    certus_baseline(certus.ranking.average_precision(qrels, run), name="AP", margin=MARGIN)

def test_labels(certus_baseline):
    truth = [1, 0, 1, 1, 0, 1] * 4
    guess = [1 - each if i < WRONG else each for i, each in enumerate(truth)]
    certus_baseline(certus.classification.f1(truth, guess), margin=MARGIN)
"""


def _run(folder: Path, wrong: int, *options: str, margin: float | None = None) -> subprocess.CompletedProcess[str]:
    text = _TEST.replace("WRONG", str(wrong)).replace("MARGIN", repr(margin))
    (folder / "test_quality.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "certus.pytest_plugin", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("baseline")
    run = _run(folder, 2, "--certus-baseline", "base.json", "--certus-record")
    assert run.returncode == 0, run.stdout
    return folder


@pytest.fixture
def recorded(tmp_path: Path, baseline: Path) -> Path:
    shutil.copy(baseline / "base.json", tmp_path)
    return tmp_path


def test_a_baseline_may_be_read_by_those_who_may_read_other_new_files(baseline: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    assert (baseline / "base.json").stat().st_mode == other.stat().st_mode


def test_an_equal_or_better_result_passes(recorded: Path) -> None:
    assert _run(recorded, 2, "--certus-baseline", "base.json").returncode == 0
    assert _run(recorded, 0, "--certus-baseline", "base.json", margin=0.3).returncode == 0


def test_a_worse_result_fails_with_its_numbers(recorded: Path) -> None:
    run = _run(recorded, 9, "--certus-baseline", "base.json", margin=0.01)
    assert run.returncode == 1
    assert "RR: -0.2917 [" in run.stdout  # seven of twelve queries lose half
    assert "fails at margin 0.01" in run.stdout
    assert "F1 is 0.689655, worse than 0.9375 before" in run.stdout  # by hand: 10 of 14 and 15 of 16 in 2 TP / (P + P')


def test_without_a_baseline_nothing_is_compared(tmp_path: Path) -> None:
    assert _run(tmp_path, 9).returncode == 0


def test_values_of_units_are_stored_where_a_metric_has_them(baseline: Path) -> None:
    results = json.loads((baseline / "base.json").read_text())["results"]
    ranking = results["test_quality.py::test_ranking"]
    assert ranking["RR"]["values"] == {f"q{i}": 0.5 if i < 2 else 1.0 for i in range(12)}
    assert results["test_quality.py::test_labels"]["F1"]["values"] == {}
    assert sorted(path.name for path in baseline.iterdir() if path.is_file()) == ["base.json", "test_quality.py"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--certus-record"], "--certus-record needs a file to write; give --certus-baseline FILE"),
        (["--certus-baseline", "none.json"], "none.json: there is no such file; write it with --certus-record"),
        (["--certus-baseline", "other.json"], "other.json: it is not a baseline; write it with --certus-record"),
        (["--certus-baseline", "test_quality.py"], "test_quality.py: no baseline can be read from it"),
    ],
)
def test_wrong_use_is_answered_before_any_test_runs(tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "other.json").write_text("[]")
    run = _run(tmp_path, 2, *options)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in run.stderr
    assert "Traceback" not in run.stderr


def test_a_result_that_was_not_recorded_fails(recorded: Path) -> None:
    plain = json.loads((recorded / "base.json").read_text())
    plain["results"].pop("test_quality.py::test_labels")
    (recorded / "base.json").write_text(json.dumps(plain))
    run = _run(recorded, 2, "--certus-baseline", "base.json")
    assert "the baseline has no result of test_quality.py::test_labels; write it with --certus-record" in run.stdout
