"""The command line: what it prints, its exit status, and that nothing reaches a terminal unescaped."""

import errno
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from terminal_output import on_terminal

from certus import tasks
from certus.cli import app

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\nq2 0 d4 0\nq3 0 d9 1\n"
RUN = "".join(
    f"{query} Q0 {doc} {rank} {10 - rank}.5 tag\n"
    for query, docs in {"q1": ("d1", "d5", "d3"), "q2": ("d4", "d1")}.items()
    for rank, doc in enumerate(docs, start=1)
)

Process = subprocess.CompletedProcess[str]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(RUN.replace("d1", "d8"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def certus(*arguments: str, stdin: str = "", **environment: str) -> Process:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "certus", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The command in this process: exit status, stdout and stderr."""
    status = app.run(arguments)
    out, err = capsys.readouterr()
    return status, out, err


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
    assert "mean over 2 queries in both files" in out
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
    ("form", "start"),
    [
        ("text", "a.run"),
        ("json", '{"signature"'),
        ("jsonl", '{"signature"'),
        ("csv", "run,metric,value"),
        ("tsv", "run\tmetric\tvalue"),
        ("markdown", "**a.run**"),
        ("latex", "% mean over"),
    ],
)
def test_every_format_can_be_asked_for(capsys: pytest.CaptureFixture[str], form: str, start: str) -> None:
    status, out, _ = call(capsys, "evaluate", "qrels.txt", "a.run", "-m", "AP", "--format", form)
    assert status == 0
    assert out.startswith(start)
    assert out.endswith("\n")
    assert not out.endswith("\n\n")


@pytest.mark.parametrize(
    ("name", "start"), [("o.json", "{"), ("o.CSV", "run,"), ("o.md", "**"), ("o.tex", "%"), ("o", "a.run")]
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


def test_a_link_is_followed_and_a_device_is_written_to(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "real.csv").write_text("old")
    (files / "link.csv").symlink_to(files / "real.csv")
    assert call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "link.csv", "--force")[0] == 0
    assert (files / "link.csv").is_symlink()
    assert (files / "real.csv").read_text().startswith("run,")
    assert call(capsys, "evaluate", "qrels.txt", "a.run", "-o", os.devnull)[0] == 0
    assert call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "-", "--format", "csv")[1].startswith("run,")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate"], "QRELS RUN... | FILE: no file was given; give one, or --counts"),
        (
            ["evaluate", "qrels.txt"],
            "QRELS RUN...: give qrels and runs; or a table and its columns: --features, --held, --pred, ",
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
        (["evaluate", "qrels.txt", "a.run", "-o", "no/such/place"], "no/such is not a directory"),
        (["evaluate", "-", "-"], "standard input can be read only once"),
        (["metrics", "nDGC"], "did you mean 'nDCG'?"),
        (["metrics", "F1(average=nope)"], "average of F1 is 'nope'; it must be 'binary', 'macro', 'micro', 'weighted'"),
        (["metrics", "AUC(multi_class=nope)"], "multi_class of AUC is 'nope'; it must be 'raise', 'ovr' or 'ovo'"),
        (["metrics", "F1(nope=1)"], "F has no parameter 'nope'"),
        (["evalute"], "no such command 'evalute'"),
        (["trec-eval", "qrels.txt"], "missing argument 'RUN'"),
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
    assert said in re.sub("option '(-.*?)'", r"option: \1", err)  # newer versions of click, where typer uses it


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


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], [], ["evaluate", "-h"], ["trec-eval", "--help"], ["--version"]]
)
def test_help_and_version_are_status_0(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, err) == (0, "")
    assert "certus" in out


def test_the_version_of_the_face_is_on_stderr_as_in_trec_eval(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "trec-eval", "-v")
    assert (status, out) == (0, "")
    assert "in place of trec_eval 9.0.8" in err
    for arguments in (["-v", "--dialect", "10"], ["--dialect", "10", "-v"]):
        status, out, err = call(capsys, "trec-eval", *arguments)
        assert (status, out) == (0, "")
        assert "in place of trec_eval 10.0" in err


@pytest.mark.parametrize("command", ["evaluate", "trec-eval"])
def test_standard_input_is_a_run_or_the_judgments(command: str) -> None:
    plain = certus(command, "qrels.txt", "a.run")
    assert plain.returncode == 0
    piped = certus(command, "qrels.txt", "-", stdin=RUN)
    assert piped.returncode == 0
    assert piped.stdout.splitlines()[2:7] == plain.stdout.splitlines()[2:7]
    assert certus(command, "-", "a.run", stdin=QRELS).stdout == plain.stdout


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="this system has no SIGPIPE")
def test_a_closed_pipe_ends_the_command_silently(files: Path) -> None:
    lines = "".join(f"q{query} Q0 d{doc} 1 {9 - doc}.5 t\n" for query in range(3000) for doc in range(2))
    (files / "long.run").write_text(lines)
    (files / "long.qrels").write_text("".join(f"q{query} 0 d1 1\n" for query in range(3000)))
    command = [sys.executable, "-m", "certus", "trec-eval", "-q", "-m", "all_trec", "long.qrels", "long.run"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"num_ret")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == -signal.SIGPIPE


def test_interruption_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("certus.evaluation.evaluate", interrupted)
    assert app.run(["evaluate", "qrels.txt", "a.run"]) == 130


@pytest.mark.parametrize(
    ("error", "said", "wanted"),
    [
        (MemoryError(), "not enough memory", 3),
        (OSError(errno.ENOSPC, "No space left on device"), "no space left on device", 74),
        (PermissionError(errno.EACCES, "Permission denied", "x.run"), "x.run: permission denied", 3),
    ],
)
def test_trouble_of_the_system_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception, said: str, wanted: int
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("certus.evaluation.evaluate", fails)
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run")
    assert (status, err) == (wanted, f"certus: {said}\n")


def test_an_unforeseen_error_is_one_line_with_a_way_to_see_more() -> None:
    code = "import certus.evaluation as e; e.evaluate = None; import sys; from certus.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "evaluate", "qrels.txt", "a.run"]
    quiet = subprocess.run(command, capture_output=True, text=True, check=False)
    assert quiet.returncode == 70, "1 says that a gate fails"
    assert quiet.stderr.count("\n") == 1
    assert "internal error: TypeError" in quiet.stderr
    loud = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "CERTUS_TRACEBACK": "1"}
    )
    assert loud.returncode == 70
    assert "Traceback" in loud.stderr


def test_what_is_no_exception_of_python_has_the_status_of_an_internal_error_too() -> None:
    for raised in ("SystemExit(1)", "type('PanicException', (BaseException,), {})('index out of bounds')"):
        code = (
            "import sys, certus.evaluation as e\n"
            f"def fails(*_, **__): raise {raised}\n"
            "e.evaluate = fails\n"
            "from certus.cli import main\n"
            "sys.exit(main())"
        )
        command = [sys.executable, "-c", code, "evaluate", "qrels.txt", "a.run"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (70, 1), done.stderr
        assert "internal error" in done.stderr


def test_trec_eval_warns_as_evaluate_does_unless_it_is_quiet(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "odd").write_text("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 2 t\nq2 Q0 d4 1 5 u\nq7 Q0 d1 1 5 u\n")
    (files / "qrels.txt").write_text(f"{QRELS}q1 0 d5 -1\n")
    said, out = [], ""
    for command in (("evaluate", "-m", "AP", "-m", "P@5"), ("trec-eval", "-m", "map", "-m", "P.5")):
        status, out, err = call(capsys, *command, "qrels.txt", "odd")
        assert status == 0
        said.append(sorted(err.splitlines()))
    assert said[0] == [
        line.replace("queries: map", "queries: AP").replace("-c", "--queries judged") for line in said[1]
    ]
    assert len(said[0]) == 6
    assert "certus: warning: odd: tied scores matter in 1 of 2 queries: map 0.1250 to 0.2500 (q1)" in said[1]
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
        assert (status, "tied scores matter" in err) == (0, warns)


@pytest.mark.parametrize("text", ["", "\n\n", "  \n", "{}", '{"q1": {}}'])
@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "qrels.txt", "x"),
        ("evaluate", "qrels.txt", "x", "--queries", "judged"),
        ("evaluate", "x", "a.run"),
        ("evaluate", "x", "a.run", "--queries", "judged"),
        ("compare", "qrels.txt", "a.run", "x"),
        ("compare", "qrels.txt", "a.run", "x", "--queries", "judged"),
        ("compare", "x", "a.run", "b.run"),
        ("trec-eval", "qrels.txt", "x"),
        ("trec-eval", "-c", "qrels.txt", "x"),
        ("trec-eval", "-c", "--dialect", "10", "qrels.txt", "x"),
        ("trec-eval", "x", "a.run"),
        ("trec-eval", "-c", "x", "a.run"),
        ("evaluate", "x", "--task", "classification", "--truth", "y", "--pred", "p"),
        ("evaluate", "x", "--task", "regression", "--truth", "y", "--pred", "p"),
        ("compare", "x", "--truth", "y", "--pred", "p", "--pred", "q"),
        ("compare", "x", "--value", "p", "--value", "q"),
        ("audit", "sample", "x", "--size", "1", "--seed", "1"),
        ("audit", "estimate", "x"),
        ("audit", "sequence", "x"),
        ("audit", "ranking", "x", "a.run"),
    ],
)
def test_an_empty_file_is_bad_data_in_every_command(
    files: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], text: str
) -> None:
    (files / "x").write_text(text)
    status, out, err = call(capsys, *command)
    assert (status, out) == (3, "")
    assert err.startswith("certus: x")
    assert err.count("\n") == 1


ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NO_RIGHTS = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if ROOT else []
"""Root without its capabilities may write where others may."""


@pytest.mark.skipif(ROOT and not shutil.which("setpriv"), reason="root may write everywhere")
def test_what_may_not_be_read_or_written_is_a_clear_line(files: Path) -> None:
    (files / "closed").mkdir(mode=0o500)
    (files / "b.run").chmod(0)
    for line, status, said in [
        (
            ("evaluate", "qrels.txt", "a.run", "-o", "closed/out.json"),
            74,
            "closed/out.json cannot be written: permission denied",
        ),
        (("evaluate", "qrels.txt", "b.run"), 3, "b.run: cannot be read: Permission denied"),
    ]:
        command = [*NO_RIGHTS, sys.executable, "-m", "certus", *line]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr.splitlines()[-1].startswith(f"certus: {said}")


def test_a_full_device_is_a_clear_line_and_leaves_no_file(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", full)  # names what was written, where files without a name are
    monkeypatch.setattr(os, "replace", full)
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "out.json")
    assert status == 74
    assert "out.json cannot be written: no space left on device" in err
    assert not [path for path in files.iterdir() if "out.json" in path.name]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_full_disk_has_a_status_of_its_own(files: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", option, "/dev/full")
    assert status == 74
    assert err.splitlines()[-1] == "certus: /dev/full cannot be written: no space left on device"


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


def test_an_ascii_terminal_does_not_crash(files: Path) -> None:
    (files / "système.run").write_text(RUN)
    result = certus("evaluate", "qrels.txt", "système.run", "-m", "AP", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0
    assert "syst\\xe8me.run" in result.stdout
    assert result.stdout.isascii()


def test_bytes_that_are_not_text_leave_as_they_came(files: Path) -> None:
    (files / "bytes.qrels").write_bytes(b"q\xff 0 d1 1\n")
    (files / "bytes.run").write_bytes(b"q\xff Q0 d1 1 1.5 t\xfe\n")
    command = [
        sys.executable,
        "-m",
        "certus",
        "trec-eval",
        "-q",
        "-m",
        "map",
        "-m",
        "runid",
        "bytes.qrels",
        "bytes.run",
    ]
    result = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONUTF8": "1"})
    assert b"map                   \tq\xff\t1.0000\n" in result.stdout
    assert b"\tall\tt\xfe\n" in result.stdout


def test_a_terminal_shows_escapes_instead_of_control_characters(files: Path) -> None:
    (files / "x\x1b]0;title\x07.run").write_text(RUN)
    line = ["evaluate", "qrels.txt", "x\x1b]0;title\x07.run", "-m", "AP"]
    forms = ("text", "csv", "tsv", "json", "latex", "markdown")
    code = (
        f"from certus.cli.app import run\nraise SystemExit(sum(run([*{line}, '--format', each]) for each in {forms}))"
    )
    status, seen = on_terminal([sys.executable, "-c", code])
    assert status == 0, seen
    assert "\x1b]0;" not in seen
    assert "\x07" not in seen
    assert "\x1b[1mmetric" in on_terminal([sys.executable, "-m", "certus", *line])[1]


def test_long_work_shows_itself_on_a_terminal_only() -> None:
    code = (
        "import time\n"
        "from certus.cli._progress import working\n"
        "with working('evaluating [x]', patience={}): time.sleep(0.6)"
    )
    assert "evaluating [x]" in on_terminal([sys.executable, "-c", code.format(0.1)])[1]
    assert on_terminal([sys.executable, "-c", code.format(5)]) == (0, "")
    piped = subprocess.run([sys.executable, "-c", code.format(0.1)], capture_output=True, text=True, check=True)
    assert piped.stderr == ""


def test_a_small_evaluation_imports_neither_special_functions_nor_what_only_help_needs(files: Path) -> None:
    code = """
import sys
from certus.cli import main
sys.argv = ["certus", *sys.argv[1:]]
status = main()
heavy = ("scipy", "typer", "rich", "narwhals", "matplotlib", "pandas")
print(status, sorted(name for name in heavy if name in sys.modules))
"""
    for command in (("evaluate", "qrels.txt", "a.run"), ("trec-eval", "qrels.txt", "a.run")):
        start = [sys.executable, "-c", code, *command]
        result = subprocess.run(start, capture_output=True, text=True, check=False, cwd=files)
        assert result.stdout.splitlines()[-1] == "0 []", command


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
    monkeypatch.setattr("certus.metrics._registry._METRICS", {"ranking": {}})
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


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "qrels.txt", "/dev/zero"),
        ("evaluate", "/dev/zero", "a.run"),
        ("trec-eval", "qrels.txt", "/dev/zero"),
        ("compare", "qrels.txt", "a.run", "/dev/zero"),
        ("evaluate", "/dev/zero", "--task", "classification", "--truth", "a", "--pred", "b"),
        ("audit", "ranking", "/dev/zero", "a.run"),
        ("audit", "estimate", "/dev/zero"),
    ],
)
def test_a_device_without_end_is_bad_data(capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    status, _, err = call(capsys, *command)
    assert (status, err) == (3, "certus: /dev/zero:1: the line holds a NUL byte; the file is binary or damaged\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize(("run", "closed", "status"), [("a.run", ">&-", 0), ("a.run", "2>&-", 0), ("-", "<&-", 3)])
def test_closed_streams_are_no_internal_error(files: Path, run: str, closed: str, status: int) -> None:
    command = f'"{sys.executable}" -m certus evaluate qrels.txt {run} {closed}'
    done = subprocess.run(["sh", "-c", command], cwd=files, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "internal error" not in done.stderr


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
    assert "tied scores matter in 2 of 2 runs" in err
    assert "--ties range states all" in err
    _, _, err = call(capsys, "evaluate", "few.qrels", "one.run", "--ties", "range", "--unjudged", "bounds")
    assert "--ties range and --unjudged bounds each give a range" in err


def test_a_seed_changes_nothing_where_nothing_is_drawn(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del files
    line = ("evaluate", "qrels.txt", "a.run", "-m", "RR", "--format", "csv")
    first, second = (call(capsys, *line, "--seed", seed)[:2] for seed in ("1", "2"))
    assert first == second
    assert first[0] == 0
