"""Ids of two sides that never meet: examples, causes, and what every reader says of them."""

import json
import re
from pathlib import Path

import pytest
from untyped import untyped

import certus
from certus.cli import app
from certus.core.unmatched import cause_of, contrast, pairing

CAUSES = [
    ("10", "10.0", "a point behind whole numbers"),
    ("d1", "d1.txt", "a file's suffix"),
    ("d1", "d1.json.gz", "a file's suffix"),
    ("7", "007", "zeros before numbers"),
    ("doc_7", "doc_007", "zeros before numbers"),
    ("7", "doc_7", "a prefix"),
    ("7", "d7", "a prefix"),
    ("7", "msmarco:doc:7", "a prefix"),
    ("d7", "https://example.invalid/a/d7", "a folder or an address"),
    ("d7", "texts\\d7", "a folder or an address"),
    ("d7", "D7", "upper and lower case"),
    ("d7", "\ufeffd7", "invisible characters"),
    ("d7", " d7 ", "blanks"),
    ("d7", '"d7"', "quotes"),
    ("d7", "d7#3", "a part behind the id"),
    ("caf\u00e9", "cafe\u0301", "Unicode normalisation"),
    ("d7", "https://example.org/D007.txt", "upper and lower case, zeros before numbers, a file's suffix"),
    ("7", "doc-007", "zeros before numbers, a prefix"),
]


@pytest.mark.parametrize(("one", "other", "cause"), CAUSES)
def test_the_cause_is_recognised_from_both_sides(one: str, other: str, cause: str) -> None:
    for first, second in ((one, other), (other, one)):
        found = cause_of([first, "left"], ["right", second])
        assert found is not None
        assert found[:2] == (first, second)
        assert cause in found[2]


@pytest.mark.parametrize(("one", "other"), [("x", "y"), ("WSJ-1", "FT-1"), ("", ""), ("d1", "d2"), ("1.5", "1.50")])
def test_ids_that_mean_something_else_have_no_cause(one: str, other: str) -> None:
    assert cause_of([one], [other]) is None


def test_ids_that_both_sides_have_explain_nothing() -> None:
    assert cause_of(["1", "2"], ["1", "3"]) is None
    assert pairing({"a": ["1", "2"], "b": ["1", "2.0"]}).startswith("a has '2', b has '2.0' (likely cause: a point")
    assert pairing({"a": ["1", "2"], "b": ["1", "3"]}) == ""
    assert contrast([], ["1"], ("a has", "b has")) == ""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text("q1 0 10 1\nq2 0 11 1\n")
    (tmp_path / "r").write_text("q1 Q0 10.0 1 9 t\nq2 Q0 11.0 1 9 t\n")
    (tmp_path / "good").write_text("q1 Q0 10 1 9 t\nq2 Q0 99 1 9 t\n")
    return tmp_path


def warnings(capsys: pytest.CaptureFixture[str], *line: str) -> tuple[int, str]:
    status = app.run(list(line))
    return status, " ".join(capsys.readouterr().err.split())


JUDGMENTS = {"q1": {"10": 1}, "q2": {"11": 1}}
RESULTS = {"q1": {"10.0": 9.0}, "q2": {"11.0": 9.0}}
TEXT = "no retrieved document of any query is judged"
BOTH = "the run has '10.0', the qrels have '10' (likely cause: a point behind whole numbers"


def test_documents_that_never_meet_are_warned_of(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "r.json").write_text(json.dumps(RESULTS))
    (files / "r.tsv").write_text("query_id\tdoc_id\tscore\nq1\t10.0\t9\nq2\t11.0\t9\n")
    for run in ("r", "r.json", "r.tsv"):
        status, err = warnings(capsys, "evaluate", "q", run, "-m", "nDCG@10")
        assert status == 0
        assert TEXT in err
        assert BOTH in err
    for results in (RESULTS, certus.read_run("r")):
        (notice,) = [
            each for each in certus.evaluate(JUDGMENTS, results, ["AP"]).warnings if each.kind == "unmatched-ids"
        ]
        assert BOTH in notice.text
    assert TEXT not in warnings(capsys, "evaluate", "q", "good", "-m", "nDCG@10")[1]


def test_a_state_warns_without_ids() -> None:
    state = certus.State(["AP"], task="ranking")
    state.update(JUDGMENTS, RESULTS)
    kinds = [each.kind for each in state.evaluate().warnings]
    assert "unmatched-ids" in kinds


def test_a_gate_refuses_ids_that_never_meet(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gate = ("compare", "q", "good", "r", "-m", "AP", "--baseline", "good", "--fail-if-worse")
    status, err = warnings(capsys, *gate)
    assert status == 3
    assert f"nothing to decide on: {TEXT}" in err
    assert err.endswith("do the ids mean the same documents? Mend the ids or labels first")
    assert "margin" not in err
    status, err = warnings(capsys, *gate[:-1])
    assert status == 0
    assert TEXT in err


def test_queries_units_and_labels_that_never_meet_show_the_cause(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "other").write_text("Q1 Q0 10 1 9 t\n")
    assert "upper and lower case" in warnings(capsys, "evaluate", "q", "other", "-m", "AP")[1]
    with pytest.raises(certus.DataError, match=r"no unit in common.*a has '1', b has '1\.0' \(likely cause"):
        certus.comparison.compare_values({"a": {"1": 0.5, "2": 0.25}, "b": {"1.0": 0.5, "2.0": 0.25}})
    found = certus.comparison.compare_values(
        {"a": {"1": 0.5, "2": 0.25, "x": 0.5, "y": 1}, "b": {"1.0": 0.5, "x": 0.25, "y": 0}}
    )
    assert "a has '1', b has '1.0' (likely cause" in found.notices[0].text
    (files / "t.csv").write_text("y,p\nCat,cat\nDog,dog\n")
    _, err = warnings(capsys, "evaluate", "t.csv", "--truth", "y", "--pred", "p", "-m", "Accuracy")
    assert "the truth has 'Cat', the prediction has 'cat' (likely cause: upper and lower case)" in err


GROUPS = [
    ("01 x\n02 y\n", "has no query that is compared; do the names mean the same? it has '01', compared is '1' (likely"),
    ("zz x\n", "has no query that is compared; do the names mean the same? it has 'zz', compared is '1'"),
    (
        "1 x\nq2 y\n",
        "lacks the query '2'; do the names mean the same? it has 'q2', compared is '2' (likely cause: a pre",
    ),
    ("1 x\nzz y\n", "lacks the query '2'; give each one that is compared"),
]


@pytest.mark.parametrize(("lines", "said"), GROUPS)
def test_groups_of_queries_that_are_not_compared_are_named_with_their_file(
    files: Path, capsys: pytest.CaptureFixture[str], lines: str, said: str
) -> None:
    (files / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (files / "a").write_text("1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n")
    (files / "b").write_text("1 Q0 b 1 2 t\n2 Q0 a 1 2 t\n")
    (files / "groups.txt").write_text(lines)
    status, err = warnings(capsys, "compare", "q", "a", "b", "-m", "AP", "--groups", "groups.txt")
    assert status == 3
    assert err.startswith(f"certus: groups.txt: {said}")
    given = dict(line.split() for line in lines.splitlines())
    runs = {"one": certus.read_run("a"), "two": certus.read_run("b")}
    with pytest.raises(certus.DataError, match=f"^groups {re.escape(said)}"):
        certus.compare("q", runs, ["AP"], groups=given)


@pytest.mark.parametrize("name", ["groups", "weights"])
def test_groups_and_weights_of_units_that_are_not_compared_show_the_cause(name: str) -> None:
    values = {"a": {"1": 0.5, "2": 0.25}, "b": {"1": 0.5, "2": 0.75}}
    said = (
        rf"^{name} has no unit that is compared; do the names mean the same\? it has '1\.0', compared is '1' \(likely"
    )
    with pytest.raises(certus.DataError, match=said):
        untyped(certus.comparison.compare_values)(values, **{name: {"1.0": 1, "2.0": 2}})
