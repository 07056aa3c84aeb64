"""``certus metrics``, help and plugins: what is listed and explained, and what a plugin adds."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from commands import RANKED, caller, in_folder
from insides import forget_metrics

from certus import tasks


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch, RANKED)


call = caller()


def test_plugins_add_metrics(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (files / "mine.py").write_text(
        "import numpy as np\n"
        "from certus.metrics import metric\n"
        "@metric('AlwaysHalf', task='ranking', source='here')\n"
        "def always_half(ranking):\n"
        "    '''One half for every query.'''\n"
        "    return np.full(len(ranking), 0.5)\n"
    )
    status, out, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "--plugin", "mine.py", "-m", "AlwaysHalf")
    assert status == 0
    assert "AlwaysHalf  0.5000" in out
    _, out, _ = call(capsys, "metrics", "--plugin", "mine.py", "AlwaysHalf")
    assert "One half for every query." in out
    (files / "broken.py").write_text("1/0\n")
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", "--plugin", "broken")
    assert status == 2
    assert "'broken' cannot be imported: ZeroDivisionError: division by zero" in err


def test_metrics_lists_and_explains_all(capsys: pytest.CaptureFixture[str]) -> None:
    from certus.metrics import declared

    status, out, _ = call(capsys, "metrics")
    assert status == 0
    first = [line.split()[0] for line in out.splitlines() if line]
    for task in tasks.names():
        assert {metric.name for metric in declared(task)} <= set(first)
        for metric in declared(task):
            assert metric.source in call(capsys, "metrics", metric.name, "--task", task)[1]
            assert metric.name in call(capsys, "metrics", metric.name)[1]
    assert "cutoff" in call(capsys, "metrics", "nDCG@10")[1]


def test_metrics_of_several_tasks_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "metrics", "AP")
    assert "relevant documents" in out
    assert out.endswith("AP is also a metric of classification: add --task classification\n")
    assert call(capsys, "metrics", "roc_auc")[1].startswith("AUC  (also")
    assert call(capsys, "metrics", "mrr@10")[1].startswith("RR@10")


def test_metrics_says_which_tools_use_a_name_and_where_their_numbers_differ(capsys: pytest.CaptureFixture[str]) -> None:
    def explained(name: str) -> list[str]:
        status, out, _ = call(capsys, "metrics", name)
        assert status == 0
        return out.splitlines()

    assert explained("map")[:2] == [
        "AP  (also MAP, MeanAveragePrecision)",
        "map is its name in trec_eval, pytrec_eval, ir_measures and ranx",
    ]
    assert explained("ndcg_burges@10")[:2] == ["nDCG(gain='exp')@10  (also NDCG)", "ndcg_burges@10 is its name in ranx"]
    assert "  ranx: ndcg, ndcg_burges (gain='exp')" in explained("nDCG")
    assert explained("rbp.95")[1].startswith("rbp.95 in ranx: the grades themselves are added, above 1 where they are")
    assert explained("neg_mean_squared_error")[2].endswith("here lower values are better")
    # classification's AP has neither parameter
    assert explained("AP(rel=2)@100")[0].startswith("AP(rel=2)@100  (also")
    assert explained("SetP(relative=True)")[:2] == ["RelP", "SetP(relative=True) is its name in ir_measures"]


def test_metrics_refuses_a_name_of_two_meanings_with_both(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "metrics", "accuracy@10")
    assert (status, out) == (2, "")
    assert "write Success@10" in err
    assert "write Accuracy@10" in err


def test_how_parameters_are_written_is_how_they_are_read() -> None:
    from certus.metrics import parse

    for task in tasks.tasks():
        for each in re.split(", | or ", task.example):
            assert parse(each, task=task.name).task == task.name


def test_demo_runs_the_commands_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "demo")
    assert status == 0
    assert "Traceback" not in err
    start, *parts = re.split(r"^\$ certus ", out, flags=re.MULTILINE)
    assert start == ""
    assert [part.split()[0] for part in parts] == ["evaluate", "compare", "evaluate"]
    for part in parts:
        command, _, table = part.partition("\n\n")
        assert call(capsys, *shlex.split(command))[1].rstrip() == table.rstrip()


def test_an_explained_metric_is_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("nDCG", "F1", "RBP", "silhouette"):
        status, out, _ = call(capsys, "metrics", name)
        assert status == 0
        assert "``" not in out
        assert not re.search(r"^(::|-{3,}|={3,})$", out, re.MULTILINE)
        explained = re.split(r"\n(?:Accepted values|In other tools|Values from )", out)[0].splitlines()[3:]
        # code and formulas stay as they are; all other text is folded
        assert all(len(line) <= 100 or line.startswith((" ", ">>>")) for line in explained)


def test_certus_alone_shows_an_example_of_the_first_commands(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys)
    assert status == 0
    for example in (
        "certus evaluate qrels.txt",
        "certus compare qrels.txt",
        "certus chance ap --items 100 --relevant 5",
    ):
        assert example in out


def test_help_names_the_default_metrics(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert "nDCG@10" in call(capsys, "evaluate", "--help")[1]
    assert "Default: official" in " ".join(call(capsys, "trec-eval", "--help")[1].replace("│", " ").split())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return [0.5]", r"TypeError: metric Bad returned an array of shape (1,)"),
        ("raise KeyError('here')", "KeyError: 'here'"),
        ("return [2.0] * len(ranking)", "ValueError: metric Bad returned 2, outside its bounds 0 to 1"),
    ],
)
def test_a_metric_of_a_plugin_that_fails_is_one_line(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, body: str, expected: str
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    forget_metrics(monkeypatch, "ranking")
    # a file may bear the name of a module of Python
    (files / "json.py").write_text(
        f"import certus\n@certus.metric('Bad', task='ranking')\ndef bad(ranking):\n    {body}\n"
    )
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", "--plugin", "json.py", "-m", "Bad")
    assert status == 3
    assert err.startswith(f"certus: metric Bad failed: {expected}")
    assert err.count("\n") == 1


def test_a_plugin_that_exits_is_an_error(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "leaves.py").write_text("raise SystemExit(0)\n")
    status, _, err = call(capsys, "metrics", "--plugin", "leaves.py")
    assert status == 2
    assert "'leaves.py' cannot be imported: SystemExit: 0" in err
