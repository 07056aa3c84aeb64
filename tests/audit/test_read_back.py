"""Reading labels back: what a spreadsheet may do to the file, and what nobody may."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certus import DataError
from certus.audit.read_back import CheckedFile, CheckedStratum, read_back
from certus.audit.sample import draw

Rows = list[dict[str, str]]


@pytest.fixture
def rows() -> Rows:
    """A drawn file: 12 of 40 rows, half of them predicted, with cells that need quotes."""
    data = pd.DataFrame(
        {"id": [f"{i:05}" for i in range(40)], "text": ['naïve, "Ω"\n🙂'] * 40, "x": [f"{i}.50" for i in range(40)]}
    )
    data["spam"] = [1, 0, 0, 0] * 10
    text = draw(data, size=12, seed=4, predicted="spam").to_csv()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def written(rows: Rows, path: Path, separator: str = ",", end: str = "\n", encoding: str = "utf-8") -> Path:
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=separator, lineterminator=end)
        writer.writeheader()
        writer.writerows(rows)
    return path


def label(rows: Rows, until: int = 12, yes: str = "yes", no: str = "no") -> None:
    for row in rows[:until]:
        row["label"] = yes if row["audit_stratum"] == "retrieved" else no


EXPECTED = CheckedFile(
    "",
    (CheckedStratum("discarded", 30, 6, 6, 0, False), CheckedStratum("retrieved", 10, 6, 6, 6, True)),
    (),
    (),
)


def test_all_labels_come_back(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    found = read_back(written(rows, tmp_path / "f.csv"))
    assert found.strata == EXPECTED.strata
    assert found.complete
    assert found.labels == tuple(row["audit_stratum"] == "retrieved" for row in rows)
    assert str(found) == "12 of 12 rows labelled, 6 positive"


@pytest.mark.parametrize(
    ("separator", "end", "encoding"), [(",", "\r\n", "utf-8-sig"), (";", "\r\n", "utf-8-sig"), ("\t", "\n", "utf-8")]
)
def test_spreadsheets_may_rewrite_the_file(rows: Rows, tmp_path: Path, separator: str, end: str, encoding: str) -> None:
    label(rows, yes="TRUE", no="FALSE")
    for row in rows:
        row["x"] = row["x"].removesuffix("0")
        row["text"] = row["text"].replace("\n", "\r\n")
        row["audit_inclusion"] = row["audit_inclusion"].replace(".", ",")
        row["id"] = row["id"].lstrip("0") or "0"
    rows.sort(key=lambda row: row["id"])
    empty = dict.fromkeys(rows[0], "")
    found = read_back(written([*rows, empty], tmp_path / "f.csv", separator, end, encoding))
    assert found.strata == EXPECTED.strata


def test_columns_may_be_moved(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    moved = [dict(sorted(row.items())) for row in rows]
    assert read_back(written(moved, tmp_path / "f.csv")).strata == EXPECTED.strata


def test_columns_may_be_added_and_labels_stand_elsewhere(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    noted = [{"remark": "sure", **row, "notes": ""} for row in rows]
    assert read_back(written(noted, tmp_path / "f.csv")).strata == EXPECTED.strata
    for row in noted:
        row["second"] = row.pop("label")
    with pytest.raises(DataError, match=r"f\.csv:2: there is no column for the labels; name it"):
        read_back(written(noted, tmp_path / "f.csv"))
    assert read_back(written(noted, tmp_path / "f.csv"), label="second").strata == EXPECTED.strata


def test_a_dropped_column_is_missed(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    for row in rows:
        del row["x"]
    with pytest.raises(DataError, match=r"f\.csv:2: a column of the items was dropped or renamed"):
        read_back(written(rows, tmp_path / "f.csv"))


@given(st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_refused_or_says_the_same(rows: Rows, tmp_path: Path, data: st.DataObject) -> None:
    label(rows)
    content = bytearray(written(rows, tmp_path / "f.csv").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        kind = data.draw(st.sampled_from(["change", "drop", "insert", "cut"]))
        byte = data.draw(st.sampled_from(b'0159,;"\n\r\t -aeyn\xff\x00'))
        if kind == "change":
            content[at] = byte
        elif kind == "drop":
            del content[at]
        elif kind == "insert":
            content.insert(at, byte)
        else:
            del content[at:]
            break
    (tmp_path / "g.csv").write_bytes(bytes(content))
    try:
        found = read_back(tmp_path / "g.csv")
    except DataError:
        return
    # what is accepted differs in labels at most
    kept = [(each.name, each.size, each.drawn) for each in found.strata]
    assert kept == [("discarded", 30, 6), ("retrieved", 10, 6)]


@pytest.mark.parametrize(
    "texts", [("1", "0"), ("Yes ", "NO"), ("relevant", "not  relevant"), ("t", "f"), ("1.0", "0.0")]
)
def test_labels_may_be_written_in_many_ways(rows: Rows, tmp_path: Path, texts: tuple[str, str]) -> None:
    label(rows, yes=texts[0], no=texts[1])
    assert read_back(written(rows, tmp_path / "f.csv")).strata == EXPECTED.strata


def test_labels_may_be_words_of_ones_own(rows: Rows, tmp_path: Path) -> None:
    label(rows, yes="Ja", no="nein")
    found = read_back(written(rows, tmp_path / "f.csv"), yes=["ja"], no=["nein"])
    assert found.strata == EXPECTED.strata


def test_a_labelled_prefix_is_a_sample(rows: Rows, tmp_path: Path) -> None:
    label(rows, until=7)
    found = read_back(written(rows, tmp_path / "f.csv"))
    assert [each.checked for each in found.strata] == [
        sum(row["audit_stratum"] == name for row in rows[:7]) for name in ("discarded", "retrieved")
    ]
    assert not found.complete
    assert len(found.unlabelled) == 5
    assert re.fullmatch(r"7 of 12 rows labelled, \d positive; no label in lines \d+, \d+, \d+, \.\.\.", str(found))


def test_a_prefix_of_each_stratum_is_a_sample_of_it(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    for row in rows:
        if row["audit_stratum"] == "discarded":
            row["label"] = ""
    found = read_back(written(rows, tmp_path / "f.csv"))
    assert [each.checked for each in found.strata] == [0, 6]


def line_of(path: Path, order: str) -> int:
    """The line at which the row of an order begins."""
    lines = path.read_text().split("\n")
    # the cell of text fills two lines, the order stands in the second
    return next(i for i, line in enumerate(lines) if f",{order},12," in line)


def test_labels_that_skip_a_row_are_refused_with_both_lines(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    of_one = [row for row in rows if row["audit_stratum"] == "retrieved"]
    of_one[2]["label"] = " "
    path = written(rows, tmp_path / "f.csv")
    first, second = (line_of(path, each["audit_order"]) for each in of_one[2:4])
    with pytest.raises(DataError, match=rf"f\.csv:{second}: has a label, but line {first} comes before it.*not a ran"):
        read_back(path)


def edited(column: str, value: str) -> Callable[[Rows], None]:
    def edit(rows: Rows) -> None:
        rows[4][column] = value

    return edit


@pytest.mark.parametrize(
    "edit",
    [
        edited("id", "00099"),
        edited("id", "1.2E+04"),
        edited("text", "another"),
        edited("audit_size", "31"),
        edited("audit_stratum", "other"),
        edited("audit_predicted", ""),
        edited("audit_order", "3"),
        edited("audit_check", "bbbbbbbbbbbbbbbb"),
        edited("audit_row", "4000"),
    ],
)
def test_an_edited_row_is_caught_at_its_line(rows: Rows, tmp_path: Path, edit: Callable[[Rows], None]) -> None:
    label(rows)
    edit(rows)
    with pytest.raises(DataError, match=r"f\.csv:10: the row was changed since it was drawn"):  # two lines a row
        read_back(written(rows, tmp_path / "f.csv"))


def test_a_dropped_row_is_missed(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    del rows[7]
    with pytest.raises(DataError, match=r"f\.csv: 1 of the 12 rows drawn are not there.*audit_order 8;"):
        read_back(written(rows, tmp_path / "f.csv"))


def test_a_dropped_stratum_is_missed(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    kept = [row for row in rows if row["audit_stratum"] == "retrieved"]
    with pytest.raises(DataError, match=r"6 of the 12 rows drawn are not there"):
        read_back(written(kept, tmp_path / "f.csv"))


def test_a_repeated_row_is_refused(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    with pytest.raises(DataError, match=r"f\.csv:26: repeats the row of line 2"):
        read_back(written([*rows, rows[0]], tmp_path / "f.csv"))


def test_rows_of_another_draw_are_refused(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    data = pd.DataFrame({name: ["1"] * 40 for name in ("id", "text", "x")} | {"spam": [1, 0] * 20})
    other = draw(data, size=12, seed=5, predicted="spam").to_csv()
    strange = list(csv.DictReader(io.StringIO(other, newline="")))
    with pytest.raises(DataError, match=r"f\.csv:4: the row is from another draw"):
        read_back(written([rows[0], *strange[1:]], tmp_path / "f.csv"))


def test_an_unknown_label_is_refused_with_its_line(rows: Rows, tmp_path: Path) -> None:
    label(rows)
    rows[1]["label"] = "maybe"
    with pytest.raises(DataError, match=r"f\.csv:4: the label is 'maybe'; it must say yes \('1', .*or be empty"):
        read_back(written(rows, tmp_path / "f.csv"))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        ("id,label\n1,yes\n", "has no column audit_order; give a file that certus audit sample wrote"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "f.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=match):
        read_back(path)


def test_a_file_without_rows_is_refused(rows: Rows, tmp_path: Path) -> None:
    path = written(rows, tmp_path / "f.csv")
    path.write_text(path.read_text().split("\n")[0] + "\n")
    with pytest.raises(DataError, match="has no rows"):
        read_back(path)


def test_words_that_mean_both_are_refused(rows: Rows, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'yes' stands for both yes and no"):
        read_back(written(rows, tmp_path / "f.csv"), no=["yes"])
    with pytest.raises(DataError, match="there is no column named 'grade' for the labels"):
        read_back(written(rows, tmp_path / "f.csv"), label="grade")


def test_cells_that_a_spreadsheet_would_run_are_written_inert_and_come_back(tmp_path: Path) -> None:
    texts = ["=1+1", "'=1", "-y", "@a", "\t=1", "-1", "'tis", "plain"]
    data = pd.DataFrame({"=text": texts, "stratum": ["=a", "+b"] * 4})
    drawn = draw(data, size=8, seed=1, by="stratum")
    cells = list(csv.reader(io.StringIO(drawn.to_csv(), newline="")))
    assert all(cell == "-1" or not re.match(r"[=+\-@\t\r\n]", cell) for row in cells for cell in row)
    rows = [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]
    for row in rows:
        row["label"] = "yes"
    found = read_back(written(rows, tmp_path / "sheet.csv"))
    assert [(stratum.name, stratum.checked) for stratum in found.strata] == [("+b", 4), ("=a", 4)]
