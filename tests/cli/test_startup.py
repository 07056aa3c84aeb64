"""Imports of small jobs on the command line, on which a process of a quarter of a second is spent."""

import subprocess
import sys
from pathlib import Path

import pytest

_SHOW = "import sys; from certus.cli.app import run; run(sys.argv[1:]); print(*sorted(sys.modules))"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{d} {d % 2}\n" for q in range(5) for d in range(6)))
    (tmp_path / "run").write_text("".join(f"{q} Q0 d{(d + q) % 6} 1 {9 - d} x\n" for q in range(5) for d in range(6)))
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def _loaded(*arguments: str) -> set[str]:
    run = subprocess.run([sys.executable, "-c", _SHOW, *arguments], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


def test_an_evaluation_loads_no_tests_plans_or_posteriors_and_of_scipy_only_special_functions(files: list[str]) -> None:
    loaded = _loaded("evaluate", *files)
    assert {"certus.inference.intervals", "certus.metrics.ranking"} <= loaded
    unused = ("certus.inference.tests", "certus.inference.planning", "certus.inference.posterior", "certus.transform")
    heavy = ("scipy.fft", "scipy.linalg", "scipy.stats", "scipy.sparse", "scipy.optimize", "rich", "narwhals", "pandas")
    assert [name for name in loaded if name.startswith((*unused, *heavy))] == []


def test_trec_eval_loads_no_intervals_and_no_scipy(files: list[str]) -> None:
    loaded = _loaded("trec-eval", *files)
    assert "certus.compat.trec_eval" in loaded
    unused = ("certus.inference", "certus.evaluation", "certus.transform", "scipy", "rich", "narwhals", "pandas")
    assert [name for name in loaded if name.startswith(unused)] == []


def test_a_process_that_is_done_does_not_search_for_reference_cycles() -> None:
    code = (
        "import atexit, gc, sys; from certus.cli import main;"
        "atexit.register(lambda: print(gc.isenabled(), len(gc.get_objects())));"
        "sys.argv = ['certus', '--version']; main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    enabled, objects = run.stdout.splitlines()[-1].split()
    assert enabled == "False"
    assert int(objects) < 500
