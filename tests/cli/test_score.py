"""``certus evaluate`` of a table: what it prints for each task, and what it says of wrong input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from commands import caller

from certus import regression, tasks

ROWS = [(3, 2.5, 1, 0), (-0.5, 0.0, 2, 0), (2, 2, 1, 1), (7, 8, 1, 1), (4, 4.25, 1, 2), (1, 0.5, 3, 2)]
REGRESSION = "y,p,w,g\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in ROWS)
LABELS = "a,b,c,pa,pb,pc,sa,sb,sc\n" + (
    "1,0,1,1,0,0,.9,.1,.4\n0,1,0,0,1,1,.2,.8,.5\n1,1,0,1,0,0,.7,.3,.2\n0,0,1,0,0,1,.1,.2,.6\n1,0,0,1,1,0,.3,.4,.1\n"
)
CLUSTERS = "t,k,x,y\na,1,0,0\na,1,0,1\na,1,1,0\nb,2,5,5\nb,2,5,6\nb,3,9,9\nc,3,9,8\nc,3,8,9\n"
TIMINGS = "ms,items\n" + "".join(f"{10 + i % 7 + (i % 11 == 0) * 40},2\n" for i in range(60))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"r.csv": REGRESSION, "m.csv": LABELS, "c.csv": CLUSTERS, "t.csv": TIMINGS}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


call = caller("evaluate")


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    status, out, err = call(capsys, *arguments, "--format", "json")
    assert (status, err) == (0, "")
    found: list[dict[str, object]] = json.loads(out)["rows"]
    return found


def test_regression(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "r.csv", "--task", "regression", "--truth", "y", "--pred", "p")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "r.csv"
    assert [line.split()[0] for line in lines[3:11]] == list(tasks.task("regression").usual)
    assert "6 samples" in lines
    true, predicted = zip(*[row[:2] for row in ROWS], strict=True)
    estimate = regression.rmse(true, predicted)
    found = rows(capsys, "r.csv", "--task", "regression", "--truth", "y", "--pred", "p", "-m", "rmse")
    assert [found[0][key] for key in ("metric", "value", "low", "high")] == [
        "RMSE",
        estimate.value,
        *estimate.interval()[:2],
    ]


def test_weights_groups_and_subgroups(capsys: pytest.CaptureFixture[str]) -> None:
    columns = ("r.csv", "--task", "regression", "--truth", "y", "--pred", "p", "-m", "MAE")
    (weighted,) = rows(capsys, *columns, "--weight", "w")
    assert weighted["value"] == pytest.approx((0.5 + 2 * 0.5 + 0 + 1 + 0.25 + 3 * 0.5) / 9)
    (grouped,) = rows(capsys, *columns, "--groups", "g")
    assert (grouped["n"], grouped["unit"]) == (3, "group")
    *parts, gap, worst = rows(capsys, *columns, "--by", "g")
    assert (gap["value"], gap["versus"]) == (0.125, "2")
    assert (worst["value"], worst["subgroup"]) == (0.5, "1")  # of an error the highest
    assert worst["reason"] == "left out, without an interval: 0"
    latex = call(capsys, *columns, "--by", "g", "--format", "latex")[1]
    assert [f"& {group} & " in latex for group in "012"] == [True] * 3
    assert [(row["group"], row["value"]) for row in parts] == [("0", 0.5), ("1", 0.5), ("2", 0.375)]
    (bootstrapped,) = rows(capsys, *columns, "--method", "bca", "--level", "0.9")
    assert (bootstrapped["method"], bootstrapped["level"]) == ("bca", 0.9)


def test_several_outputs_have_the_names_of_their_columns(capsys: pytest.CaptureFixture[str]) -> None:
    two = ("r.csv", "--task", "regression", "--truth", "y", "--truth", "w", "--pred", "p", "--pred", "g")
    found = rows(capsys, *two, "-m", "MAE(multioutput='raw_values')", "-m", "MAE")
    assert [row["class"] for row in found] == ["y", "w", None]
    printed = call(capsys, *two, "-m", "MAE(multioutput='raw_values')")[1]
    assert "\noutput  MAE" in printed


def test_multilabel(capsys: pytest.CaptureFixture[str]) -> None:
    truth = [part for name in "abc" for part in ("--truth", name)]
    pred = [part for name in "abc" for part in ("--pred", f"p{name}")]
    scores = [part for name in "abc" for part in ("--score", f"s{name}")]
    found = rows(capsys, "m.csv", "--task", "multilabel", *truth, *pred, *scores)
    assert {row["metric"] for row in found} >= {"Hamming", "LRAP", "RankingLoss", "CoverageError"}
    only = rows(capsys, "m.csv", "--task", "multilabel", *truth, *pred)
    assert "LRAP" not in {row["metric"] for row in only}
    assert {"Hamming", "SubsetAccuracy"} <= {row["metric"] for row in only}


def test_clustering(capsys: pytest.CaptureFixture[str]) -> None:
    both = rows(capsys, "c.csv", "--task", "clustering", "--truth", "t", "--pred", "k", "--features", "x,y")
    assert {row["metric"] for row in both} >= {"Rand", "ARI", "Silhouette"}
    inside = rows(capsys, "c.csv", "--task", "clustering", "--pred", "k", "--features", "x", "--features", "y")
    assert {row["metric"] for row in inside} == {"Silhouette"}


def test_efficiency(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "t.csv", "--task", "efficiency", "--time", "ms", "--units", "ms", "--items", "items")
    values = {str(row["metric"]): row for row in found}
    assert list(values) == ["Latency@0.5", "Latency@0.9", "Latency@0.99", "MeanLatency", "Throughput"]
    assert values["Latency@0.99"]["high"] is None
    assert "too few for an upper limit of the 0.99 quantile" in str(values["Latency@0.99"]["reason"])
    assert float(str(values["Throughput"]["value"])) == pytest.approx(2000 / float(str(values["MeanLatency"]["value"])))


WRONG = [
    (("r.csv", "--task", "regression", "--truth", "y"), "regression needs --truth and --pred", 2),
    (("r.csv", "--task", "regression", "--truth", "y", "--pred", "q"), "has no column 'q'", 3),
    (
        ("r.csv", "--task", "regression", "--truth", "y", "--pred", "p", "--time", "w"),
        "--time: it does not apply to regression",
        2,
    ),
    (
        ("r.csv", "--task", "regression", "--truth", "y", "--pred", "p", "-m", "F1"),
        "no regression metric is named 'F1'; F1 is a metric of classification and multilabel",
        2,
    ),
    (("r.csv", "--task", "regression", "--truth", "y", "--pred", "p", "--units", "ms"), "does not apply", 2),
    (("r.csv", "--task", "regression", "--truth", "y", "--truth", "w", "--pred", "p"), "1 column for 2 of --truth", 2),
    (
        ("r.csv", "--task", "regression", "--truth", "y", "--pred", "p", "-m", "GammaDeviance"),
        "r.csv:3: column 'p' is 0; a deviance of power 2 needs",
        3,
    ),
    (("t.csv", "--task", "efficiency", "--time", "ms", "--units", "parsec"), "units is 'parsec'", 3),
    (("r.csv", "--task", "ranking"), "give qrels and runs", 2),
    (("missing.csv",), "certus: missing.csv: no such file", 3),
]


@pytest.mark.parametrize(("arguments", "said", "status"), WRONG)
def test_mistakes_are_said(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str, status: int
) -> None:
    found, out, err = call(capsys, *arguments)
    assert out == ""
    assert said in err
    assert found == status


def test_a_metric_that_refuses_weights_names_itself_once(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(
        capsys, "c.csv", "--task", "clustering", "--truth", "t", "--pred", "k", "--weight", "x", "-m", "rand"
    )
    assert status == 3
    assert err.strip() == "certus: c.csv: Rand does not apply to weighted samples; leave out --weight"


def test_what_weights_leave_out_of_the_usual_metrics_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    columns = ("c.csv", "--task", "clustering", "--truth", "t", "--pred", "k")
    _, out, _ = call(capsys, *columns, "--weight", "x")
    assert "left out, as they do not apply to weighted samples: Rand, ARI, AMI, FM" in out
    assert "left out" not in call(capsys, *columns)[1]


def test_a_pipe_without_options_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    Thread(target=pipe.write_text, args=("a,b\n1,2\n",), daemon=True).start()
    line = [sys.executable, "-m", "certus", "evaluate", str(pipe)]
    found = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stdout) == (2, "")
    assert "give qrels and runs" in found.stderr
