"""Tables as people have them: other separators, decimal commas, percents, words for right and wrong."""

import zipfile
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest
import xlsxwriter

import certus
from certus.cli import app
from certus.io import read_predictions, read_qrels, read_run

PLAIN = "y,p,g\n1,0.9,1\n0,0.25,0\n1,0.75,1\n0,0.5,1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(text: str, name: str = "t.csv") -> str:
    Path(name).write_bytes(text.encode())
    return name


def refusal(capsys: pytest.CaptureFixture[str], line: str) -> str:
    status = app.run(line.split())
    out, err = capsys.readouterr()
    assert status in (2, 3)
    assert not out
    return err


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_header_line_shows_the_separator(separator: str, mark: str, end: str) -> None:
    text = mark + PLAIN.replace(",", separator).replace("\n", end)
    columns = read_predictions(table(text)).read(labels=["y"], numbers=["p"])
    assert columns.labels["y"].tolist() == [1, 0, 1, 0]
    assert columns.numbers["p"].tolist() == [0.9, 0.25, 0.75, 0.5]


def test_another_separator_is_named() -> None:
    file = table(PLAIN.replace(",", "^"))
    assert read_predictions(file, separator="^").columns == ("y", "p", "g")
    with pytest.raises(certus.DataError, match="say by what with separator="):
        certus.evaluate(file, truth="y", score="p")
    (row,) = certus.evaluate(file, None, "AUC", truth="y", score="p", separator="^")
    assert row.value == 1.0


def test_separators_within_quotes_do_not_count() -> None:
    source = read_predictions(table('y,"p;q|r"\n1,0.5\n0,"0.25"\n'))
    assert source.columns == ("y", "p;q|r")
    source = read_predictions(table('y;"p, of 1"\n1;0.5\n0;0.25\n'))
    assert source.columns == ("y", "p, of 1")


def test_of_several_separators_that_which_splits_all_rows_is_taken() -> None:
    assert read_predictions(table("y;p, of 1;q\n1;0.5;1\n")).columns == ("y", "p, of 1", "q")
    assert read_predictions(table("y,p;q,r\n1,0.5,1\n")).columns == ("y", "p;q", "r")


def test_separators_that_split_all_rows_are_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    file = table("y;p, of 1\n1;0,5\n0;0,25\n")
    err = refusal(capsys, f"evaluate {file} --truth y --score p")
    assert err == "certus: t.csv: columns may be separated by ',' or ';'; say which with --separator\n"
    columns = read_predictions(file, separator=";", decimal=",").read(numbers=["p, of 1"])
    assert columns.numbers["p, of 1"].tolist() == [0.5, 0.25]


def test_decimal_commas_are_read_on_request_only(capsys: pytest.CaptureFixture[str]) -> None:
    file = table(PLAIN.replace(",", ";").replace(".", ","))
    err = refusal(capsys, f"evaluate {file} --truth y --score p")
    assert err.startswith("certus: t.csv:2: column 'p' is '0,9', which is not a number; --decimal , reads")
    expected = certus.evaluate(table(PLAIN, "plain.csv"), truth="y", score="p")
    table_read = certus.evaluate(file, truth="y", score="p", decimal=",")
    assert [row.value for row in table_read] == [row.value for row in expected]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["0,5", "1.234,5"], "is '1.234,5', with a point where decimals follow a comma"),
        (["0,5", "1.5"], "is '1.5', with a point"),
        (["0,5", "1,234,5"], "is '1,234,5', which is not a number"),
        (["0,5", ""], "is empty"),
        (["0,5", "nan"], "is 'nan', a missing value"),
    ],
)
def test_numbers_with_decimal_commas_hold_no_other_mark(cells: list[str], message: str) -> None:
    file = table("y;p\n" + "".join(f"{row % 2};{cell}\n" for row, cell in enumerate(cells)))
    with pytest.raises(certus.DataError, match=f"^t.csv:3: column 'p' {message}"):
        read_predictions(file, decimal=",").read(numbers=["p"])


def test_labels_with_decimal_commas_are_the_numbers_that_they_spell() -> None:
    file = table("y;p\n1,0;2\n0,0;1\n")
    assert read_predictions(file, decimal=",").read(labels=["y", "p"]).labels["y"].tolist() == [1, 0]
    with pytest.raises(certus.DataError, match=r"holds '1\.000', with a point"):
        read_predictions(table("y;p\n1.000;2\n2;1\n"), decimal=",").read(labels=["y"])


def test_percents_are_hundredths_and_a_note_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    file = table("y,p\n1,90%\n0,25 %\n1,7.1%\n0,50%\n")
    assert read_predictions(file).read(numbers=["p"]).numbers["p"].tolist() == [0.9, 0.25, 0.071, 0.5]
    assert app.run(["evaluate", file, "--truth", "y", "--score", "p", "-m", "Brier"]) == 0
    assert "\ncolumn 'p' is in percent: 50% is read as 0.5\n" in capsys.readouterr().out
    result = certus.evaluate(file, None, "Brier", truth="y", score="p")
    assert str(result).count("is in percent") == 1


@pytest.mark.parametrize("cells", [["90%", "0.5"], ["0.5", "90%"]])
def test_a_column_partly_in_percent_is_refused(cells: list[str]) -> None:
    file = table("p\n" + "".join(f"{cell}\n" for cell in cells))
    with pytest.raises(certus.DataError, match=r"^t.csv:3: .* where other cells are (not )?in percent"):
        read_predictions(file).read(numbers=["p"])


@pytest.mark.parametrize(("positive", "value"), [("pass", 0.75), ("fail", 0.25)])
def test_values_may_be_two_words(capsys: pytest.CaptureFixture[str], positive: str, value: float) -> None:
    file = table("id,ok,also\na,pass,fail\nb,fail,fail\nc,pass,pass\nd,pass,pass\n")
    assert app.run(["evaluate", file, "--value", "ok", "--positive", positive, "--format", "csv"]) == 0
    assert f",{value}," in capsys.readouterr().out
    values = certus.values.mean(["pass", "fail", "pass", "pass"], pos_label=positive)
    assert values.value == value
    line = ["compare", file, "--value", "ok", "--value", "also", "--positive", positive, "--format", "csv"]
    assert app.run(line) == 0
    assert "0.25" in capsys.readouterr().out


def test_words_of_values_are_two_and_one_is_positive(capsys: pytest.CaptureFixture[str]) -> None:
    file = table("ok\npass\nfail\nskip\n")
    err = refusal(capsys, f"evaluate {file} --value ok")
    assert "is not a number; write 1 and 0, or for values of items give --positive pass" in err
    assert "column 'ok' is 'pass'" in err
    assert "--value holds 'fail', 'pass', 'skip'; with --positive one word" in refusal(
        capsys, f"evaluate {file} --value ok --positive pass"
    )
    assert "--positive is 'yes', but the values are" in refusal(capsys, f"evaluate {file} --value ok --positive yes")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--separator ;;", "--separator is ';;'; no columns are separated by it"),
        ("--separator x", "--separator is 'x'; no columns"),
        ("--decimal ;", "--decimal is ';'; decimals follow '.' or ','"),
        ("--sheet one", "--sheet is 'one', but no table was read from a file of a workbook; leave it out"),
    ],
)
def test_a_dialect_that_cannot_be_or_is_not_used_is_refused(
    capsys: pytest.CaptureFixture[str], options: str, message: str
) -> None:
    table(PLAIN)
    assert refusal(capsys, f"evaluate t.csv --truth y --score p {options}").startswith(f"certus: {message}")


def test_a_separator_without_a_text_is_refused() -> None:
    with pytest.raises(certus.MetricNameError, match="separator is ';', but no table was read from a file of"):
        certus.evaluate([1, 0], [1, 1], separator=";")


@pytest.mark.parametrize("text", ["1,0.9\n0,0.25\n", "cat,0.5\ndog,0.25\n", "1,1\n0,0.25\n"])
def test_a_first_line_that_looks_like_data_is_said(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert "looks like data" in refusal(capsys, f"evaluate {table(text)} --truth y --score p")


def test_files_that_are_not_there_are_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    table(PLAIN, "predictions.csv")
    for name, answer in (
        ("predictons.csv", "no such file; did you mean 'predictions.csv'?"),
        ("predictions.tsv", "no such file; did you mean 'predictions.csv'?"),
        ("zebra.csv", "no such file"),
        ("https://example.org/p.csv", "is an address of the web; download the file and give its path"),
    ):
        assert refusal(capsys, f"evaluate {name} --truth y --score p") == f"certus: {name}: {answer}\n"
    monkeypatch.setenv("HOME", str(folder))
    assert read_predictions("~/predictions.csv").columns == ("y", "p", "g")


@pytest.mark.parametrize("separator", [";", "|"])
def test_rankings_are_read_from_tables_with_other_separators(separator: str) -> None:
    qrels = table("query_id,doc_id,relevance\nq1,d1,2\nq1,d2,0\n".replace(",", separator), "q.csv")
    run = table("query_id,doc_id,score\nq1,d1,1.5\nq1,d2,0.5\n".replace(",", separator), "r.csv")
    assert read_qrels(qrels).to_dict() == {"q1": {"d1": 2, "d2": 0}}
    assert read_run(run).to_dict() == {"q1": {"d1": 1.5, "d2": 0.5}}
    commas = table("query_id;doc_id;score\nq1;d1;1,5\n", "c.csv")
    assert read_run(commas, decimal=",").to_dict() == {"q1": {"d1": 1.5}}


class TestDocuments:
    FRAME = pd.DataFrame({"y": [1, 0, 1, 0], "p": [0.9, 0.25, 0.75, 0.5], "g": ["a", "b", "a", "b"]})

    @pytest.mark.parametrize("orient", ["records", "columns", "split", "index", "table"])
    @pytest.mark.parametrize("indent", [None, 1])
    @pytest.mark.parametrize("compression", ["", ".gz"])
    def test_a_table_is_read_from_json_in_each_orient(self, orient: Any, indent: int | None, compression: str) -> None:
        file = f"t.json{compression}"
        self.FRAME[self.FRAME.p < 0.8].to_json(file, orient=orient, indent=indent)
        columns = read_predictions(file).read(labels=["y"], numbers=["p"], keys=["g"])
        assert columns.labels["y"].tolist() == [0, 1, 0]
        assert columns.numbers["p"].tolist() == [0.25, 0.75, 0.5]
        assert columns.keys["g"].tolist() == ["b", "a", "b"]

    def test_columns_are_read_as_arrays(self) -> None:
        file = table('{"y": [1, 0], "p": [0.5, 0.25]}', "t.json")
        assert read_predictions(file).read(numbers=["p"]).numbers["p"].tolist() == [0.5, 0.25]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[[1, 0.5], [0, 0.25]]", "is a JSON array of rows that do not name their columns; write names"),
            ("[0.5, 0.25]", "is a JSON array of rows that do not name"),
            ('{"0": {"0": 1, "1": 0}, "1": {"0": 0.5, "1": 0.25}}', "has numbers as names of rows and of columns"),
            ('{"y": {"0": 1, "1": 0}, "p": {"1": 0.5, "0": 0.25}}', "column 'p' has other rows than column 'y'"),
            ('{"y": [1, 0], "p": [0.5]}', "has columns of 1 and 2 values"),
            ('{"columns": ["y", "p"], "data": [[1, 0.5], [1]]}', "row 1 has 1 cell, there are 2 columns"),
            ('{"columns": ["y", "y"], "data": [[1, 0.5]]}', "two columns are named 'y'"),
            ('[{"y": 1, "y": 0}]', "holds 'y' twice in one object"),
            ('[{"y": 1, "p": NaN}]', "holds NaN, which is not a number in JSON"),
            ('[{"y": 1, "p": 0.5}', "is not valid JSON"),
            ("[]", "holds no rows"),
            ('[{"y": 1, "p": 0.5}, {"y": 0}]', "row 1: has no 'p'"),
            ('[{"y": 1, "p": 0.5}, {"y": 0, "p": null}]', "row 1: 'p' is null"),
        ],
    )
    def test_documents_that_are_no_table_are_refused(self, text: str, message: str) -> None:
        file = table(text, "t.json")
        with pytest.raises(certus.DataError, match=f"^t.json: {message}"):
            read_predictions(file).read(numbers=["p"])

    def test_rows_that_hold_objects_stay_lines(self) -> None:
        file = table('{"scores": {"em": 1}, "meta": {"n": 2}}\n', "t.jsonl")
        assert read_predictions(file).columns == ("scores.em", "meta.n")


class TestWorkbooks:
    def write(self, name: str, sheets: dict[str, list[list[Any]]]) -> str:
        workbook = xlsxwriter.Workbook(name)
        for title, rows in sheets.items():
            sheet = workbook.add_worksheet(title)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
        workbook.close()
        return name

    ROWS: ClassVar[list[list[Any]]] = [["y", "p", "g"], [1, 0.9, "a"], [0, 0.25, "b"], [1, 0.75, "a"], [0, 0.5, "b"]]

    def test_a_sheet_is_a_table(self) -> None:
        file = self.write("t.xlsx", {"one": self.ROWS})
        expected = certus.evaluate(table(PLAIN), None, "AUC", truth="y", score="p")
        assert [row.value for row in certus.evaluate(file, None, "AUC", truth="y", score="p")] == [
            row.value for row in expected
        ]
        columns = read_predictions(file).read(labels=["y"], keys=["g"])
        assert columns.labels["y"].tolist() == [1, 0, 1, 0]
        assert columns.keys["g"].tolist() == ["a", "b", "a", "b"]

    def test_of_several_sheets_one_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = self.write("t.xlsx", {"notes": [["x"]], "data": self.ROWS})
        line = f"evaluate {file} --truth y --score p"
        assert refusal(capsys, line) == "certus: t.xlsx: has the sheets 'notes', 'data'; say which with --sheet\n"
        assert "has no sheet 'Data'; it has 'notes', 'data'" in refusal(capsys, f"{line} --sheet Data")
        assert app.run([*line.split(), "--sheet", "data"]) == 0

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([["y", "p"], [1, 0.5], [0, "x"]], "t.xlsx: row 3: 'p' is 'x', which is not a number"),
            ([["y", "p"], [1, 0.5], [0, None]], "t.xlsx: row 3: 'p' is '', which is not a number; fill it or drop"),
            ([["y", "p"], [1, 0.5], [], [0, 0.5]], "t.xlsx: row 3: is empty, but rows follow it"),
            ([[], ["y", "p"], [1, 0.5]], "t.xlsx: has an empty first row"),
            ([["y", "p"], [1, 0.5, 7]], "t.xlsx: row 2: has a cell to the right of the named columns"),
            ([["p", "p"], [1, 0.5]], "t.xlsx: two columns are named 'p'"),
            ([["y", "p"]], "t.xlsx: holds no rows"),
        ],
    )
    def test_a_sheet_that_is_no_table_is_refused(self, rows: list[list[Any]], message: str) -> None:
        file = self.write("t.xlsx", {"one": rows})
        with pytest.raises(certus.DataError, match=f"^{message}"):
            read_predictions(file).read(numbers=["p"])

    def test_rankings_are_read_from_workbooks(self) -> None:
        qrels = self.write("q.xlsx", {"one": [["query_id", "doc_id", "grade"], [1, "d1", 2], [1, "d2", 0]]})
        run = self.write("r.xlsx", {"one": [["query_id", "doc_id", "score"], [1, "d1", 2.5]]})
        assert read_qrels(qrels).to_dict() == {"1": {"d1": 2, "d2": 0}}
        assert read_run(run).to_dict() == {"1": {"d1": 2.5}}

    def test_other_archives_are_refused(self) -> None:
        with zipfile.ZipFile("t.zip", "w") as archive:
            archive.writestr("t.csv", PLAIN)
        with pytest.raises(certus.DataError, match=r"^t.zip: is a zip archive; unpack it"):
            read_predictions("t.zip")
        Path("bad.xlsx").write_bytes(Path(self.write("t.xlsx", {"one": self.ROWS})).read_bytes()[:1500])
        with pytest.raises(certus.DataError, match=r"^bad.xlsx: cannot be read as a workbook"):
            read_predictions("bad.xlsx")


MIXED: dict[str, list[Any]] = {"y": [1, 0, 1, 0], "p": [True, False, False, False]}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("suffix", ["csv", "xlsx", "json", "jsonl"])
def test_ones_and_zeros_beside_truth_values_are_the_same_labels_in_files_and_frames(suffix: str, swapped: bool) -> None:
    frame = pd.DataFrame(MIXED)
    truth, pred = ("p", "y") if swapped else ("y", "p")
    if suffix == "xlsx":
        frame.to_excel("t.xlsx", index=False, engine="xlsxwriter")
    elif suffix == "csv":
        frame.to_csv("t.csv", index=False)
    else:
        frame.to_json(f"t.{suffix}", orient="records", lines=suffix == "jsonl")
    for data, memory in ((f"t.{suffix}", None), (f"t.{suffix}", "1GB"), (frame, None)):
        accuracy, recall = certus.evaluate(data, None, ["Accuracy", "Recall"], truth=truth, pred=pred, memory=memory)
        assert (accuracy.value, recall.value) == (0.75, 1.0 if swapped else 0.5)


def test_other_numbers_beside_truth_values_are_no_labels_of_one_kind() -> None:
    columns = read_predictions(table("y,p\n2,True\n1,False\n")).read(labels=["y", "p"])
    assert columns.labels["p"].tolist() == ["True", "False"]
    mixed = [f'[{{"y": {value}, "p": true}}, {{"y": 0, "p": false}}]' for value in ("2", "0.5")]
    for text in (*mixed, '[{"y": 1, "p": true}, {"y": 0, "p": 0}]'):
        with pytest.raises(certus.DataError, match="write all labels alike"):
            read_predictions(table(text, "t.json")).read(labels=["y", "p"])


@pytest.mark.parametrize("orient", ["columns", "index"])
def test_json_whose_rows_have_names_is_refused_with_the_orient_that_is_read(orient: Any) -> None:
    pd.DataFrame({"y": [1, 0], "p": [0.9, 0.1]}, index=["a", "b"]).to_json("t.json", orient=orient)
    with pytest.raises(certus.DataError, match=r"has no column 'y'.*is read from df.to_json\(orient='records'\)"):
        certus.evaluate("t.json", truth="y", score="p")
