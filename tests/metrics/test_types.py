"""Static types of metrics: mypy accepts what runs, and refuses what cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAD = """
from typing import assert_type

import certus
from certus import Estimate
from certus.inference import Estimates

Y, P, S = [1, 0, 1], [1, 1, 0], [0.9, 0.2, 0.4]
Q, R = {"q": {"d": 1}}, {"q": {"d": 1.0}}
"""
RIGHT = """
assert_type(certus.classification.f1(Y, P), Estimate)
assert_type(certus.classification.f1(Y, P, average=None), Estimates)
assert_type(certus.classification.f1(Y, P, average="macro", undefined=0.0), Estimate)
assert_type(certus.classification.f1(certus.data.Labels.of(Y, P)), Estimate)
assert_type(certus.ranking.ndcg(Q, R, cutoff=10), Estimate)
assert_type(certus.ranking.ndcg.using(cutoff=10)(Q, R, ties="average"), Estimate)
assert_type(certus.clustering.rand(contingency=[[1, 0], [0, 2]]), Estimate)
assert_type(certus.regression.mae([[1.0, 2.0]], [[1.5, 2.0]], multioutput="raw_values"), Estimates)
assert_type(certus.efficiency.throughput([0.1, 0.2], units="ms"), Estimate)
assert_type(certus.data.Scores.of(Y, S), certus.data.Scores)
assert_type(certus.io.as_run(R), certus.Run)
"""
WRONG = (
    "certus.evalaute(Q, R)",
    "certus.io.read_rnu",
    "certus.ranking.ndcg(Q, R, cutof=10)",
    "certus.ranking.ndcg.using(cutof=10)",
    'certus.ranking.ndcg(Q, R, ties="avrage")',
    'certus.classification.f1(Y, P, undefined="skp")',
    'certus.classification.f1(Y, P, average="makro")',
    "certus.classification.roc_auc()",
    "certus.classification.roc_auc(Y, S, 3)",
    "certus.classification.precision_at_recall(Y, S)",
    "certus.clustering.rand()",
    'certus.regression.mae([1.0], [1.0], multioutput="raw_value")',
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The complaints of mypy about all lines, with their numbers."""
    file = tmp_path_factory.mktemp("types") / "calls.py"
    file.write_text(HEAD + RIGHT + "\n".join(WRONG) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(file)]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr


def test_calls_that_run_have_their_types(found: str) -> None:
    last = (HEAD + RIGHT).count("\n")
    wrong = [line for line in found.splitlines() if "calls.py:" in line and int(line.split(":")[1]) <= last]
    assert not wrong, found


@pytest.mark.parametrize("number", range(len(WRONG)), ids=WRONG)
def test_calls_that_cannot_run_are_refused(number: int, found: str) -> None:
    line = (HEAD + RIGHT).count("\n") + 1 + number
    assert f"calls.py:{line}: error:" in found, found
