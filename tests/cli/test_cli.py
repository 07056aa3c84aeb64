"""The command line: what it prints, its exit status, and that nothing reaches a terminal unescaped."""

import json
from pathlib import Path

import pytest
from commands import QRELS, RANKED, RUN, caller, in_folder

from certus import tasks


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch, RANKED)


call = caller()


def test_evaluate_prints_values_with_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "evaluate", "qrels.txt", "a.run", "-m", "RR", "-m", "P@3")
    assert status == 0
    assert out.splitlines()[:5] == [
        "a.run",
        "",
        "metric   value  95% interval      n",
        "RR      0.7500  [0.0000, 1.0000]  2",
        "P@3     0.5000  [0.0000, 1.0000]  2",
    ]
    assert "mean over 2 queries with judgments and results" in out
    assert "warning" not in out
    assert err.splitlines() == [
        "certus: warning: a.run: 1 query of the qrels not in the run is left out of the average "
        "(--queries judged counts it as 0) (q3)"
    ]


def test_the_default_metrics_are_those_documented(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "--format", "json")
    assert [row["metric"] for row in json.loads(out)["rows"]] == list(tasks.task("ranking").usual)


def test_several_runs_in_one_call(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP", "--format", "jsonl")
    head, *rows = map(json.loads, out.splitlines())
    assert status == 0
    assert [row["run"] for row in rows] == ["a.run", "b.run"]
    assert len(head["signature"]["inputs"]) == 3
    assert {warning["kind"] for warning in head["warnings"]} >= {"missing-queries"}


def test_options_reach_the_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--level", "0.8", "--method", "percentile", "--queries", "judged", "--ties", "average"]
    options += ["--unjudged", "remove", "--seed", "7", "--per-query", "--format", "json"]
    _, out, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "-m", "AP", *options)
    document = json.loads(out)
    signature = document["signature"]
    assert (signature["level"], signature["method"], signature["seed"]) == (0.8, "percentile", 7)
    assert (signature["queries"], signature["ties"], signature["unjudged"]) == ("judged", "average", "remove")
    assert document["rows"][0]["n"] == 3
    assert [row["query"] for row in document["rows"]] == [None, "q1", "q2", "q3"]


@pytest.mark.parametrize(
    ("name", "start"), [("o.json", "{"), ("o.CSV", "run,"), ("o.md", "**"), ("o.tex", "%"), ("o.txt", "a.run")]
)
def test_the_format_follows_the_suffix_of_the_file(
    files: Path, capsys: pytest.CaptureFixture[str], name: str, start: str
) -> None:
    status, out, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "-o", name)
    assert (status, out) == (0, "")
    assert (files / name).read_text().startswith(start)
    assert sorted(path.name for path in files.iterdir()) == sorted(["qrels.txt", "a.run", "b.run", name])


@pytest.mark.parametrize("name", ["qrels.txt", "a.run", "b.run", "linked"])
def test_a_file_that_is_read_is_not_written_even_by_force(
    name: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "linked").symlink_to(files / "b.run")
    before = (files / name).read_bytes()
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", "b.run", "-o", name, "--force")
    assert status == 2
    assert "is the file that is read; give another name" in err
    assert (files / name).read_bytes() == before


def test_an_existing_file_is_replaced_only_by_force(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = files / "out.json"
    target.write_text("precious")
    target.chmod(0o640)
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "out.json")
    assert status == 2
    assert "out.json exists; add --force to replace it" in err
    assert target.read_text() == "precious"
    status, _, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "out.json", "--force")
    assert status == 0
    assert "signature" in json.loads(target.read_text())
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate"], "QRELS RUN... | FILE: no file was given; give one, or --counts"),
        (
            ["evaluate", "qrels.txt"],
            "QRELS RUN...: give qrels and runs; or a table and its columns: --truth COL --pred COL, --truth COL ",
        ),
        (
            ["evaluate", "qrels.txt"],
            "--value COL; qrels.txt was read: no result of a tool that certus knows;",
        ),
        (["evaluate", "qrels.txt", "a.run", "-m", "nDGC"], "no metric is named 'nDGC'; did you mean 'nDCG'?"),
        (["evaluate", "qrels.txt", "a.run", "-m", "P@0"], "cutoff"),
        (["evaluate", "qrels.txt", "a.run", "--level", "95"], "95 is not between 0 and 1"),
        (["evaluate", "qrels.txt", "a.run", "--level", "nan"], "nan is not between 0 and 1"),
        (["evaluate", "qrels.txt", "a.run", "--method", "magic"], "magic"),
        (["evaluate", "qrels.txt", "a.run", "--queries", "some"], "'some' is not one of 'intersection', 'judged'"),
        (["evaluate", "qrels.txt", "a.run", "--format", "xml"], "'xml' is not one of 'text'"),
        (["evaluate", "qrels.txt", "a.run", "--colour"], "no such option: --colour"),
        (["evaluate", "qrels.txt", "a.run", "--seed", "-1"], "--seed"),
        (["evaluate", "qrels.txt", "a.run", "--plugin", "no_such_module"], "'no_such_module' cannot be imported"),
        (["evaluate", "qrels.txt", "a.run", "-o", "."], ". is a directory"),
        (["evaluate", "qrels.txt", "a.run", "-o", "no/such/place.csv"], "no/such is not a directory"),
        (["evaluate", "-", "-"], "standard input can be read only once"),
        (["metrics", "nDGC"], "did you mean 'nDCG'?"),
        (["metrics", "F1(average=nope)"], "average of F1 is 'nope'; it must be 'binary', 'macro', 'micro', 'weighted'"),
        (["metrics", "AUC(multi_class=nope)"], "multi_class of AUC is 'nope'; it must be 'raise', 'ovr' or 'ovo'"),
        (["metrics", "F1(nope=1)"], "F has no parameter 'nope'"),
        (["evalute"], "no such command 'evalute'"),
        (["trec-eval", "qrels.txt"], "missing argument RUN;"),
        (
            ["trec-eval", "qrels.txt", "a.run", "-m", "P_10"],
            "trec_eval has no measure named 'P_10'; did you mean P.10?",
        ),
        (["trec-eval", "qrels.txt", "a.run", "-m", "mapp"], "did you mean 'map'?"),
        (["trec-eval", "qrels.txt", "a.run", "-m", "P."], "has a dot but no parameters"),
        (["trec-eval", "qrels.txt", "a.run", "-m", "P.0"], "cutoff of P is '0'"),
        (["trec-eval", "qrels.txt", "a.run", "-m", "P.5,5"], "P has the parameter 5 twice"),
        (["trec-eval", "qrels.txt", "a.run", "-m", "utility.1,2"], "utility takes 4 parameters"),
        (["trec-eval", "qrels.txt", "a.run", "-m", "ndcg.1"], "gain of ndcg is '1'"),
        (["trec-eval", "qrels.txt", "a.run", "-R", "prefs"], "'prefs' is not read"),
        (["trec-eval", "qrels.txt", "a.run", "-l", "x"], "-l"),
        (["trec-eval", "-Z", "z", "qrels.txt", "a.run"], "no such option: -Z"),
        (["trec-eval", "--dialect", "10", "qrels.txt", "a.run", "-Z", "z"], "no such option: -Z"),
        (["trec-eval", "--dialect", "10", "-D", "1", "qrels.txt", "a.run"], "no such option: -D"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("certus: ")
    assert said in err


@pytest.mark.parametrize("command", ["evaluate", "trec-eval"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("q1 Q0 d1 1 nan tag\n", "bad.run:1"),
        ("q1 Q0 d1 1 1.5 tag\nq1 Q0 d1 2 1.4 tag\n", "d1"),
        ("q1 Q0 d1\n", "bad.run:1"),
        ("zz Q0 d1 1 1.5 tag\n", "no query in common"),
        ("", "bad.run"),
    ],
)
def test_bad_data_is_one_line_and_status_3(
    files: Path, capsys: pytest.CaptureFixture[str], command: str, content: str, said: str
) -> None:
    (files / "bad.run").write_text(content)
    status, out, err = call(capsys, command, "qrels.txt", "bad.run")
    assert (status, out) == (3, "")
    assert err.count("\n") == 1
    assert said in err
    assert call(capsys, command, "no-such-file", "a.run")[0] == 3


def test_names_from_files_are_escaped_in_every_message(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "evil\x1b[31m\u202e.run"
    (files / name).write_text(RUN)
    status, out, err = call(capsys, "evaluate", "qrels.txt", name, "-m", "AP")
    assert status == 0
    assert "evil\\x1b[31m\\u202e.run" in out
    assert "evil\\x1b[31m\\u202e.run" in err
    assert "\x1b" not in out + err
    status, _, err = call(capsys, "evaluate", "qrels.txt", name + "\n")
    assert status == 3
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_the_version_of_the_face_is_on_stderr_as_in_trec_eval(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "trec-eval", "-v")
    assert (status, out) == (0, "")
    assert "in place of trec_eval 9.0.8" in err
    for arguments in (["-v", "--dialect", "10"], ["--dialect", "10", "-v"]):
        status, out, err = call(capsys, "trec-eval", *arguments)
        assert (status, out) == (0, "")
        assert "in place of trec_eval 10.0" in err


def test_trec_eval_warns_as_evaluate_does_unless_it_is_quiet(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "odd").write_text("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 2 t\nq2 Q0 d4 1 5 u\nq7 Q0 d1 1 5 u\n")
    (files / "qrels.txt").write_text(f"{QRELS}q1 0 d5 -1\n")
    said, out = [], ""
    for command in (("evaluate", "-m", "AP", "-m", "P@5"), ("trec-eval", "-m", "map", "-m", "P.5")):
        status, out, err = call(capsys, *command, "qrels.txt", "odd")
        assert status == 0
        said.append(sorted(err.splitlines()))
    # The interval of evaluate is much wider than what ties change, so they are a note there; trec-eval has no interval.
    of_ties = "certus: warning: odd: ties change results in 1 of 2 queries: map 0.1250 to 0.2500 (q1)"
    assert said[0] == [line.replace("-c", "--queries judged") for line in said[1] if line != of_ties]
    assert len(said[0]) == 5
    assert of_ties in said[1]
    assert call(capsys, "trec-eval", "-m", "map", "-m", "P.5", "--quiet", "qrels.txt", "odd") == (0, out, "")


def test_trec_eval_looks_at_ties_as_far_as_it_looks_at_documents(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "tied").write_text(
        "".join(f"q1 Q0 {doc} 1 {score} t\n" for doc, score in (("d1", 3), ("d2", 2), ("d3", 2)))
    )
    (files / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\n")
    for options, warns in ((("-m", "map"), True), (("-m", "P.1"), False), (("-m", "map", "-l", "3"), False)):
        status, _, err = call(capsys, "trec-eval", *options, "qrels.txt", "tied")
        assert (status, "ties change results" in err) == (0, warns)


@pytest.mark.parametrize("text", ["", "\n\n", "  \n", "{}", '{"q1": {}}'])
@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "qrels.txt", "x", "--queries", "judged"),
        ("evaluate", "x", "a.run"),
        ("compare", "qrels.txt", "a.run", "x"),
        ("trec-eval", "-c", "qrels.txt", "x"),
        ("trec-eval", "x", "a.run"),
        ("evaluate", "x", "--task", "classification", "--truth", "y", "--pred", "p"),
        ("compare", "x", "--value", "p", "--value", "q"),
        ("audit", "estimate", "x"),
    ],
)
def test_a_file_without_anything_is_bad_data(
    files: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], text: str
) -> None:
    (files / "x").write_text(text)
    status, out, err = call(capsys, *command)
    assert (status, out) == (3, "")
    assert err.startswith("certus: x")
    assert err.count("\n") == 1


@pytest.mark.parametrize("dialect", ["9", "10"])
def test_warnings_of_trec_eval_speak_of_its_flags_and_measures(
    files: Path, capsys: pytest.CaptureFixture[str], dialect: str
) -> None:
    (files / "few.qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 c 1\n")
    (files / "few.run").write_text("1 Q0 a 1 1 r\n1 Q0 b 2 1 r\n2 Q0 b 1 2 r\n2 Q0 a 2 1 r\n")
    asked = ["-m", "iprec_at_recall.0.5", "-m", "P.1", "-m", "runid", "--dialect", dialect]
    _, _, err = call(capsys, "trec-eval", "few.qrels", "few.run", *asked)
    missing, _, ties = err.splitlines()
    assert missing.endswith("1 query of the qrels not in the run is left out of the average (-c counts it as 0) (3)")
    assert ties.endswith("in 1 of 2 queries: P_1 0.0000 to 0.5000, iprec_at_recall_0.50 0.5000 to 0.7500 (1)")
    _, _, err = call(capsys, "trec-eval", "few.qrels", "few.run", "-m", "runid")
    assert "ties" not in err


def test_texts_on_runs_speak_of_options(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "few.qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (files / "one.run").write_text("1 Q0 a 1 1 r\n1 Q0 b 2 1 r\n")
    (files / "two.run").write_text("2 Q0 a 1 1 r\n2 Q0 b 2 1 r\n")
    _, _, err = call(capsys, "compare", "few.qrels", "one.run", "two.run")
    assert "or count missing queries as 0 (--queries judged)" in err
    _, _, err = call(capsys, "evaluate", "few.qrels", "one.run", "two.run", "-m", "P@1")
    assert "ties change results in 2 of 2 runs" in err
    assert "--ties range shows by how much" in err
    _, _, err = call(capsys, "evaluate", "few.qrels", "one.run", "--ties", "range", "--unjudged", "bounds")
    assert "--ties range and --unjudged bounds each give a range" in err


def test_a_seed_changes_nothing_where_nothing_is_drawn(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del files
    line = ("evaluate", "qrels.txt", "a.run", "-m", "RR", "--format", "csv")
    first, second = (call(capsys, *line, "--seed", seed)[:2] for seed in ("1", "2"))
    assert first == second
    assert first[0] == 0
