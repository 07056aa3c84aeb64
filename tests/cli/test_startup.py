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


_HEAVY = ("scipy", "rich", "narwhals", "pandas", "numpy.random", "html", "json.decoder")


_METRICS = ("certus.metrics.ranking.", "certus.metrics.classification.")
_INTERVALS = "certus.inference.intervals."


def _families(loaded: set[str]) -> set[str]:
    return {name.rpartition(".")[2] for name in loaded if name.startswith(_METRICS)}


def test_an_evaluation_loads_the_metrics_and_the_intervals_that_it_states_and_no_others(files: list[str]) -> None:
    loaded = _loaded("evaluate", *files, "-m", "AP")
    assert [name for name in loaded if name.startswith(_HEAVY[:-1])] == []
    assert {name for name in _families(loaded) if not name.startswith("_")} == {"average_precision"}
    assert f"{_INTERVALS}mean" in loaded
    others = ("contingency", "influence", "ustatistic", "sampled", "strata", "folds", "quantile")
    assert {f"{_INTERVALS}{name}" for name in others} & loaded == set()
    unused = ("certus.inference.tests", "certus.inference.planning", "certus.inference.posterior", "certus.transform")
    assert [name for name in loaded if name.startswith((*unused, "certus.states", "certus.comparison"))] == []


def test_a_table_is_evaluated_without_the_readers_of_runs_and_of_json(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("y,p\n" + "a,a\n" * 90 + "b,b\n" * 70 + "a,b\n" * 21 + "b,a\n" * 19)
    loaded = _loaded("evaluate", str(table), "--truth", "y", "--pred", "p", "--task", "classification")
    assert [name for name in loaded if name.startswith(_HEAVY)] == []
    assert {"certus.io.rankings", "certus.io.ranking_tables", "certus.io.frames"} & loaded == set()
    assert "roc_auc" not in _families(loaded)


@pytest.mark.parametrize("options", [[], ["-q", "-c", "-m", "all_trec"], ["-J", "-M", "3", "-m", "ndcg_cut.2,3"]])
def test_trec_eval_loads_no_intervals_and_no_metrics(files: list[str], options: list[str]) -> None:
    loaded = _loaded("trec-eval", *options, *files)
    assert "certus.compat.trec_eval" in loaded
    own = ("inference", "evaluation", "transform", "tasks", "statistic", "metrics", "table")
    unused = (*(f"certus.{name}" for name in own), *_HEAVY)
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
