"""The first call on a table: its columns are named, its values say the task, and what stays open is a whole command."""

import shlex
from pathlib import Path

import pytest

import certus
from certus.cli import app
from certus.io.predictions import Predictions

ROWS = "".join(
    f"{index % 2},{(index % 2 * 3 + index % 5) / 10},{index // 3 % 2},{index + 0.5},{index * 7 % 19 + 0.25},"
    f"{index % 5 + 1},{['no', 'yes'][index % 2]},{['no', 'yes'][index // 3 % 2]},{index},{index + 1}\n"
    for index in range(40)
)


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("y,p,g,t,q,stars,word,guess,many,more\n" + ROWS)


def call(capsys: pytest.CaptureFixture[str], line: str) -> tuple[int, str, str]:
    status = app.run(shlex.split(line)[1:])
    return status, *capsys.readouterr()


@pytest.mark.parametrize(
    ("columns", "metric", "note"),
    [
        ("--truth y --pred p", "AUC", "taken as scores of a classifier; --task regression if these are quantities"),
        ("--truth y --pred g", "Accuracy", "taken as classes; --task regression if these are quantities"),
        ("--truth word --pred guess", "Accuracy", ""),
        ("--truth t --pred q", "MAE", ""),
        ("--truth many --pred more", "MAE", "taken as quantities; --task classification if these are classes"),
    ],
)
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_values_say_the_task_and_a_note_says_what_was_taken(
    capsys: pytest.CaptureFixture[str], command: str, columns: str, metric: str, note: str
) -> None:
    if command == "compare":
        Path("u.csv").write_text(Path("t.csv").read_text().replace("y,p,g,t,q,stars", "y,a,g,t,q,stars"))
        truth, pred = columns.split()[1], columns.split()[3]
        twin = {"p": "p2", "g": "g2", "guess": "guess2", "q": "q2", "more": "more2"}[pred]
        head, *rows = Path("t.csv").read_text().splitlines()
        index = head.split(",").index(pred)
        values = [row.split(",")[index] for row in rows]
        lines = [f"{row},{value}" for row, value in zip(rows, values[::-1], strict=True)]
        Path("t.csv").write_text("\n".join([f"{head},{twin}", *lines]) + "\n")
        columns = f"--truth {truth} --pred {pred} --pred {twin}"
    status, out, err = call(capsys, f"certus {command} t.csv {columns}")
    assert status == 0, err
    assert metric in out
    assert ("taken as" in out) is bool(note)
    assert note in out


def test_what_may_be_scores_or_quantities_is_asked_with_whole_commands(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "certus evaluate t.csv --truth stars --pred q")
    assert (status, out) == (2, "")
    assert "if scores of a classifier: certus evaluate t.csv --truth stars --score q;" in err
    whole = "certus evaluate t.csv --truth stars --pred q --task regression"
    assert f"if quantities: {whole};" in err
    assert call(capsys, whole)[0] == 0


@pytest.mark.parametrize(
    ("header", "rows", "command"),
    [
        ("y,p,g", "1,0.5,1\n0,0.25,0\n1,0.75,0\n", "certus evaluate d.csv --truth y --score p"),
        ("label,prediction", "a,b\nb,b\na,a\n", "certus evaluate d.csv --truth label --pred prediction"),
        ("id,correct", "a,1\nb,0\n", "certus evaluate d.csv --value correct --id id"),
        ("Reward,model", "0.5,x\n0.25,x\n", "certus evaluate d.csv --value Reward"),
    ],
)
def test_a_table_without_options_is_answered_with_a_command_that_works(
    capsys: pytest.CaptureFixture[str], header: str, rows: str, command: str
) -> None:
    Path("d.csv").write_text(f"{header}\n{rows}")
    status, out, err = call(capsys, "certus evaluate d.csv")
    assert (status, out) == (2, "")
    assert err.startswith(
        f"certus: d.csv has the columns {', '.join(map(repr, header.split(',')))}; say what they are: "
    )
    assert f": {command};" in err
    assert call(capsys, command)[0] == 0


def test_columns_of_no_usual_name_are_listed_with_the_options_to_choose_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("d.csv").write_text(",".join(f"c{number}" for number in range(12)) + "\n" + ",".join(["1"] * 12) + "\n")
    status, _, err = call(capsys, "certus evaluate d.csv")
    assert status == 2
    assert "'c7' and 4 more; say what they are: certus evaluate d.csv --truth COL --pred COL" in err


def test_proposed_commands_are_quoted_for_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    Path("d ir's").mkdir()
    Path("d ir's/a b.csv").write_text(
        "true label,my 'score'\n" + "".join(f"{row % 5},{row / 7}\n" for row in range(30))
    )
    line = ["evaluate", "d ir's/a b.csv", "--truth", "true label", "--pred", "my 'score'"]
    assert app.run(line) == 2
    err = capsys.readouterr().err
    whole = err.split("if quantities: ")[1].split("; see certus")[0]
    assert shlex.split(whole)[1:] == [*line, "--task", "regression"]
    assert call(capsys, whole)[0] == 0


@pytest.mark.parametrize("cell", ["", "NaN"])
def test_a_cell_that_cannot_be_read_is_what_is_told(capsys: pytest.CaptureFixture[str], cell: str) -> None:
    Path("n.csv").write_text(f"y,p\n1,0.5\n0,{cell}\n")
    status, _, err = call(capsys, "certus evaluate n.csv --truth y --pred p")
    assert status == 3
    assert err.startswith("certus: n.csv:3: column 'p' is ")


def test_one_label_written_in_two_ways_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("n.csv").write_text("y,p,q\n1.0,1,1.0\n0.0,0,0\n")
    status, _, err = call(capsys, "certus evaluate n.csv --truth y --pred q")
    assert (status, err) == (3, "certus: n.csv: writes one label as '0' and as '0.0'; write it in one way\n")


@pytest.mark.parametrize("more", ["-m AUC", "--positive 1"])
def test_predictions_stay_scores_where_metrics_or_the_positive_class_are_named(
    capsys: pytest.CaptureFixture[str], more: str
) -> None:
    status, out, err = call(capsys, f"certus evaluate t.csv --truth y --pred p {more}")
    assert status == 0, err
    assert "AUC" in out


def test_predictions_of_models_in_several_files_decide_together(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row.split(",") for row in Path("t.csv").read_text().splitlines()[1:]]
    for name, column in (("a", 1), ("b", 2), ("c", 1)):
        lines = [f"{number},{row[0]},{row[column]}\n" for number, row in enumerate(rows)]
        Path(f"{name}.csv").write_text("id,y,p\n" + "".join(lines))
    for files in ("a.csv b.csv", "b.csv a.csv"):
        status, _, err = call(capsys, f"certus compare {files} --truth y --pred p --id id")
        assert status == 2
        assert f"certus compare {files} --truth y --score p --id id;" in err
    Path("d.csv").write_text(Path("c.csv").read_text().replace("0.4", "0.35"))
    status, out, err = call(capsys, "certus compare a.csv d.csv --truth y --pred p --id id")
    assert status == 0, err
    assert "taken as scores of a classifier" in out


def test_a_table_of_rankings_is_not_taken_for_columns_of_values(capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.csv").write_text("query_id,doc_id,score\nq,d,0.5\n")
    status, _, err = call(capsys, "certus evaluate r.csv")
    assert status == 2
    assert "give qrels and runs" in err


@pytest.mark.parametrize(("metric", "readings"), [("Accuracy", 1), ("AUC", 2)])
def test_a_file_is_read_once_where_the_metrics_say_what_the_columns_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], metric: str, readings: int
) -> None:
    read = certus.io.read_predictions
    files = []

    def counting(path: str) -> Predictions:
        files.append(path)
        return read(path)

    monkeypatch.setattr(certus.io, "read_predictions", counting)
    assert call(capsys, f"certus evaluate t.csv --truth y --pred g -m {metric}")[0] in (0, 2)
    assert len(files) == readings


def test_words_as_truth_of_scores_are_proposed_with_the_positive_class(capsys: pytest.CaptureFixture[str]) -> None:
    Path("d.csv").write_text("y,p\nspam,0.9\nham,0.2\nspam,0.4\n")
    _, _, err = call(capsys, "certus evaluate d.csv")
    command = "certus evaluate d.csv --truth y --score p --positive spam"
    assert f": {command} (or --positive ham);" in err
    assert call(capsys, command)[0] == 0


def test_comparing_a_table_without_options_is_answered_with_commands(capsys: pytest.CaptureFixture[str]) -> None:
    Path("d.csv").write_text("y,p,q\n1,0.9,0.8\n0,0.2,0.4\n")
    status, _, err = call(capsys, "certus compare d.csv")
    assert status == 2
    assert "'y', 'p', 'q'; say what they are: certus compare d.csv --truth y --pred COL --pred COL, or" in err


@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("l.csv", "model,mmlu,arc\na,0.5,0.6\nb,0.7,0.8\n", "has a row for each model and a column for each metric"),
        ("n.csv", "1,0.9\n0,0.25\n", "the first line must name the columns, but it looks like data: '1', '0.9'"),
        ("s.json", '[{"name": {"name": "em"}, "count": 3, "sum": 2}]', "is HELM's stats.json, which holds means"),
    ],
)
def test_summaries_and_tables_without_names_are_said(
    capsys: pytest.CaptureFixture[str], command: str, name: str, text: str, message: str
) -> None:
    Path(name).write_text(text)
    status, _, err = call(capsys, f"certus {command} {name}")
    assert status == 3
    assert err.startswith(f"certus: {name}: {message}")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--confidence 0.9", "no such option: --confidence; the coverage of intervals is --level 0.95"),
        ("--alpha 0.1", "no such option: --alpha; the coverage of intervals is --level, 1 - alpha"),
        ("--pos-label 1", "no such option: --pos-label; the positive class is --positive"),
    ],
)
def test_options_of_other_tools_are_answered_with_ours(
    capsys: pytest.CaptureFixture[str], option: str, message: str
) -> None:
    status, _, err = call(capsys, f"certus evaluate t.csv --truth y --score p {option}")
    assert status == 2
    assert err.startswith(f"certus: {message}")


def test_percents_as_probabilities_are_to_be_divided(capsys: pytest.CaptureFixture[str]) -> None:
    Path("h.csv").write_text("y,p\n1,90\n0,25\n")
    _, _, err = call(capsys, "certus evaluate h.csv --truth y --score p -m Brier")
    assert err == (
        "certus: h.csv:2: column 'p' is 90; a probability is from 0 to 1; if these are percents, divide by 100\n"
    )


@pytest.mark.parametrize("rest", ["--level 0.9", "--by word --seed=3", "-q --json"])
def test_a_proposed_command_repeats_the_other_options(capsys: pytest.CaptureFixture[str], rest: str) -> None:
    _, _, err = call(capsys, f"certus evaluate t.csv -m AUC {rest}")
    assert f": certus evaluate t.csv -m AUC {rest} --truth y --score p;" in err
    _, _, err = call(capsys, f"certus evaluate {rest} t.csv --truth stars --pred=q")
    assert f"if scores of a classifier: certus evaluate {rest} t.csv --truth stars --score=q;" in err
    assert f"if quantities: certus evaluate {rest} t.csv --truth stars --pred=q --task regression;" in err


@pytest.mark.parametrize(
    ("header", "rows", "command"),
    [
        ("id,stars,text", "1,5,x\n2,3,y\n3,1,z\n", "certus evaluate d.csv --value stars --id id"),
        ("stars,text", "5,x\n3,y\n1,z\n", "certus evaluate d.csv --value stars"),
        (
            "label,pred",
            "yes,0.5\nno,0.25\nyes,0.75\n",
            "certus evaluate d.csv --truth label --score pred --positive yes",
        ),
        ("y,p", "5,4.5\n1,1.25\n3.5,3\n", "certus evaluate d.csv --truth y --pred p"),
        ("label,pred", "2.5,0.5\n1,0.25\n3,0.75\n", "certus evaluate d.csv --truth label --pred pred"),
        ("label,pred", "yes,no\nno,no\nyes,yes\n", "certus evaluate d.csv --truth label --pred pred"),
    ],
)
def test_a_proposal_goes_by_the_values(
    capsys: pytest.CaptureFixture[str], header: str, rows: str, command: str
) -> None:
    Path("d.csv").write_text(f"{header}\n{rows}")
    _, _, err = call(capsys, "certus evaluate d.csv")
    assert f": {command}{' (or --positive no)' if 'positive' in command else ''};" in err
    assert call(capsys, command)[0] == 0


def test_errors_of_scores_that_were_named_with_pred_name_pred(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "certus compare t.csv --truth y --pred p")
    assert status == 2
    assert err.startswith("certus: invalid value for --pred: give two or more columns to compare;")
