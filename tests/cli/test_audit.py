"""``certus audit``: what it prints, how files go through it, and what it says of wrong input."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import caller, in_folder, intervals

from certus.audit import (
    post_stratified,
    recall_precision,
    two_samples,
    unknown_positives,
    xinf_ap,
)

DEMO = Path(__file__).parents[2] / "src" / "certus" / "demo" / "predictions.csv"
ONE = ["--positives", "1000", "--checked", "500", "--hits", "400", "--predicted", "10000"]
TWO = [
    *("--retrieved", "1000", "--retrieved-checked", "100", "--retrieved-hits", "80"),
    *("--discarded", "9000", "--discarded-checked", "300", "--discarded-hits", "10"),
]


def but(line: list[str], option: str, value: str) -> list[str]:
    """The command line with another value of one of its options."""
    position = line.index(option) + 1
    return [*line[:position], value, *line[position + 1 :]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch)


call, rows = caller("audit"), intervals("audit")


def test_the_example_of_the_help_is_a_whole_design(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"certus audit (--\S.*)", call(capsys, "--help")[1])
    assert call(capsys, *shlex.split(example))[0] == 0


def test_methods_levels_and_priors_are_those_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, *ONE, "--interval", "hpd", "--level", "0.9", "--prior", "2,3", "--population", "10210")
    audit = recall_precision(
        positives=1000,
        checked=500,
        hits=400,
        predicted=10000,
        population=10210,
        level=0.9,
        interval="hpd",
        prior=(2, 3),
    )
    assert found["Recall"] == (audit.recall.value, *audit.recall.interval()[:2])
    two = two_samples(
        retrieved=1000,
        retrieved_checked=100,
        retrieved_hits=80,
        discarded=9000,
        discarded_checked=300,
        discarded_hits=10,
        interval="bonferroni",
    )
    found = rows(capsys, *TWO, "--interval", "bonferroni")
    assert list(found) == ["Recall", "Precision", "F1", "Elusion"]
    assert found["F1"] == (two.f1.value, *two.f1.interval()[:2])
    whole = ["--population", "20000", "--predicted", "4000", "--predicted-checked", "100", "--predicted-hits", "83"]
    one = post_stratified(
        population=20000, predicted=4000, predicted_checked=100, predicted_hits=83, other_checked=400, other_hits=9
    )
    found = rows(capsys, *whole, "--other-checked", "400", "--other-hits", "9")
    assert found["Recall"] == (one.recall.value, *one.recall.interval()[:2])
    unknown = unknown_positives(checked=500, hits=400).interval()
    assert rows(capsys, "--checked", "500", "--hits", "400")["Recall"] == (0.8, *unknown[:2])


def test_the_signature_says_what_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, *ONE, "--format", "json")
    assert json.loads(out)["signature"]["counts"] == {
        "positives": 1000,
        "checked": 500,
        "hits": 400,
        "predicted": 10000,
    }


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ([], 2, "give counts"),
        (["--positives", "10"], 2, "--checked, --hits, --predicted must be given too"),
        (["--retrieved", "10"], 2, "--retrieved-checked, --retrieved-hits, .* must be given too"),
        ([*TWO, "--hits", "5"], 2, "--hits does not go with two samples"),
        (["--other-hits", "5"], 2, "--population, --predicted, --predicted-checked, .* must be given too"),
        ([*ONE, "--level", "95"], 2, "95 is not between 0 and 1"),
        ([*ONE, "--interval", "blakr"], 2, "did you mean 'blaker'"),
        ([*ONE, "--interval", "posterior", "--prior", "flat"], 2, "no prior is named 'flat'"),
        ([*ONE, "--prior", "1,x"], 2, "'1,x' is not uniform, jeffreys or two numbers"),
        (but(ONE, "--hits", "501"), 2, "--hits is 501 but --checked is 500"),
        (but(ONE, "--checked", "0"), 2, "--checked is 0"),
        (but(TWO, "--discarded-hits", "301"), 2, "--discarded-hits is 301 but --discarded-checked is 300"),
        (
            but([*TWO, "--interval", "buehler"], "--retrieved", "50"),
            3,
            "--retrieved-checked is 100 but --retrieved is 50",
        ),
        ([*ONE, "plan"], 2, "--positives is an option of certus audit itself; leave it out before plan"),
        (["--level", "0.9", "plan"], 2, "--level is an option of certus audit itself; leave it out before plan"),
        (["--format", "csv", "estimate", "x"], 2, "--format is an option of certus audit itself"),
        (["--force", "sample", "x", "--size", "1", "--seed", "1"], 2, "--force is an option of certus audit itself"),
        (["nonsense"], 2, "no such command"),
        ([*ONE, "-o", "nowhere/out.csv"], 2, "nowhere is not a directory"),
        (["plan"], 2, "--positives, --recall must be given"),
        (["plan", "--positives", "9", "--recall", "0.5"], 2, "say how narrow the interval is to be"),
        (["plan", "--positives", "9", "--elusion", "0.5"], 2, "--positives and --elusion belong to different plans"),
        (["plan", "--positives", "9", "--recall", "2", "--half-width", "0.1"], 2, "--recall is 2.0"),
        (
            ["plan", "--retrieved", "9", "--discarded", "9", "--precision", "0.5", "--elusion", "0.1"],
            2,
            "--checked, --half-width: give one of both",
        ),
        (
            [
                "plan",
                "--positives",
                "9",
                "--recall",
                "0.5",
                "--half-width",
                "0.1",
                "--interval",
                "hypergeometric-lower",
            ],
            2,
            "--interval is 'hypergeometric-lower', whose intervals have one limit",
        ),
        (["sample", "nowhere.csv", "--size", "3", "--seed", "1"], 3, "nowhere.csv: "),
        (["sample", str(DEMO), "--seed", "1"], 2, "missing option --size"),
        (["sample", str(DEMO), "--size", "x", "--seed", "1"], 2, "'x' is not a whole number"),
        (["sample", str(DEMO), "--size", "3", "--size", "4", "--seed", "1"], 2, "'3' names no stratum"),
        (
            ["sample", str(DEMO), "--size", "a=3", "--seed", "1"],
            2,
            "strata are named, but neither --by nor --predicted",
        ),
        (["sample", str(DEMO), "--size", "3", "--seed", "1", "--positive", "x"], 2, "name the column of predictions"),
        (["sample", str(DEMO), "--size", "3", "--seed", "-1"], 2, "-1"),
        (["sample", str(DEMO), "--size", "9999", "--seed", "1"], 2, "size is 9999 but there are 1500 rows"),
        (["sample", str(DEMO), "--size", "9", "--seed", "1", "--by", "pakage"], 3, "did you mean 'package'"),
        (["estimate", str(DEMO)], 3, "has no column audit_order"),
        (["sequence", str(DEMO), "--width", "0"], 2, "0 is not above 0"),
        (["ranking", "nowhere", "-"], 3, "nowhere: "),
        (["ranking", "-", "-"], 2, "standard input can be read only once"),
        (["ranking", "x", "y", "-m", "statAP", "-m", "xinfAP"], 2, "statAP reads another format"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_with_its_status(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, said: str
) -> None:
    found, out, err = call(capsys, *arguments)
    assert (found, out) == (status, "")
    assert re.search(said, err), err
    assert err.startswith("certus: ")
    assert err.count("\n") == 1


def test_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "plan", "--positives", "200", "--recall", "0.8", "--half-width", "0.1")
    assert status == 0
    size = re.search(r"^check (\d+) of 200 positives$", out, re.MULTILINE)
    assert size is not None
    arguments = ["plan", "--positives", "200", "--recall", "0.8", "--half-width", "0.1", "--checked", size[1]]
    assert rows_of_plan(capsys, *arguments)["Chance"] >= 0.8
    assert rows_of_plan(capsys, *arguments[:-1], str(int(size[1]) - 1))["Chance"] < 0.8
    two = ["plan", "--retrieved", "100", "--discarded", "900", "--precision", "0.8", "--elusion", "0.05"]
    found = rows_of_plan(capsys, *two, "--checked", "150", "--interval", "bonferroni")
    assert found["CheckRetrieved"] + found["CheckDiscarded"] == 150


def rows_of_plan(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, float]:
    status, out, _ = call(capsys, *arguments, "--format", "json")
    assert status == 0
    return {row["metric"]: row["value"] for row in json.loads(out)["rows"]}


def test_rankings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("q").write_text("1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 -1\n1 0 d 2 1\n2 0 a 1 1\n2 0 b 2 0\n3 0 a 1 1\n")
    Path("run").write_text("".join(f"{q} Q0 {d} 0 {9 - i} r\n" for q in "123" for i, d in enumerate("bacd")))
    found = rows(capsys, "ranking", "q", "run", "-m", "xinfAP", "-m", "xinfNDCG", "--bounds")
    assert list(found) == ["xinfAP", "xinfNDCG"]
    estimate = xinf_ap("q", "run")
    assert found["xinfAP"] == (estimate.value, *estimate.interval()[:2])
    assert "range over unjudged" in call(capsys, "ranking", "q", "run", "--bounds")[1]
    Path("p").write_text("1 a 1 0 1.0\n1 d 1 1 0.5\n2 a 1 0 1.0\n")
    assert list(rows(capsys, "ranking", "p", "run", "-m", "statAP")) == ["statAP"]


def test_a_file_comes_from_standard_input() -> None:
    environment = {**os.environ, "PYTHONPATH": str(DEMO.parents[2])}
    made = subprocess.run(
        [sys.executable, "-m", "certus", "audit", "sample", "-", "--size", "3", "--seed", "1"],
        input=DEMO.read_bytes(),
        capture_output=True,
        check=True,
        env=environment,
    )
    assert made.stdout.decode().startswith("package,truth,prediction,score,label,audit_order")
    assert len(made.stdout.splitlines()) == 4


def test_counts_of_none_and_one_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "--positives", "10", "--checked", "10", "--hits", "0", "--predicted", "5")[1]
    assert re.search(r"^Hits +0 +\[0, 0\]", out, re.MULTILINE)
    assert re.search(r"^Recall +0\.0000 ", out, re.MULTILINE)
    out = call(capsys, "plan", "--positives", "1", "--recall", "0.8", "--half-width", "0.03")[1]
    assert re.search(r"^Check +1 ", out, re.MULTILINE)
