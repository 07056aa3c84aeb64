"""Tables: what every output holds, how it reads, and that no text from a file can break out of it."""

import csv
import io
import json
import math
import re
from html.parser import HTMLParser
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_rows import NOTICE, SIGNATURE, one_query, row

import certus
from certus.core.listing import delimited, inert, inverse_of_inert
from certus.core.note import Note
from certus.core.printable import printable
from certus.table import PerQuery, Row, Table
from certus.table.output import FORMATS

HOSTILE = [
    "[bold]x[/bold]",
    "\x1b[31mred\x1b[0m",
    "\u202etrap",
    "a\nb",
    "a\tb",
    'quote"comma,',
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "'=1",
    "<script>alert(1)</script>",
    "x_y & 50% #1 {z} ~^\\ $m$",
    "a|b",
    "*a* `b`",
    "\udcff\udc80",
    "\u2028line",
    "zero\u200bwidth",
    "日本語",
    "",
]


def test_rows_hold_the_documented_columns() -> None:
    table = Table([row()])
    assert table.to_dicts() == [
        {
            "run": "bm25",
            "metric": "nDCG@10",
            "value": 0.3135,
            "low": 0.2988,
            "high": 0.3281,
            "level": 0.95,
            "method": "t",
            "n": 250,
            "unit": "query",
        }
    ]
    assert len(table) == 1
    assert next(iter(table)).run == "bm25"


def test_values_of_single_queries_have_no_interval_and_name_their_query() -> None:
    table = Table([row(), one_query("31", "nDCG@10", 0.5)])
    whole, single = table.to_dicts()
    assert (whole["query"], single["query"]) == (None, "31")
    assert single["low"] is single["high"] is single["level"] is single["method"] is None
    assert [r.query for r in table.per_query()] == ["31"]
    assert [r.query for r in table.overall()] == [None]
    assert table.per_query().signature == table.signature


def test_a_range_has_its_own_columns() -> None:
    (only,) = Table([row(minimum=0.31, maximum=0.32, over="ties")]).to_dicts()
    assert (only["min"], only["max"], only["over"]) == (0.31, 0.32, "ties")


def test_json_has_signature_warnings_and_rows() -> None:
    document = json.loads(Table([row()], [NOTICE], SIGNATURE).to_json())
    assert document["signature"] == SIGNATURE
    assert document["warnings"] == [
        {
            "kind": "ties",
            "text": "ties change results in 2 queries",
            "source": "bm25",
            "queries": ["31", "32"],
            "count": 2,
        }
    ]
    assert document["rows"] == Table([row()]).to_dicts()
    assert json.loads(Table([]).to_json()) == {"signature": {}, "warnings": [], "rows": []}


def test_json_lines_start_with_the_signature() -> None:
    first, *rest = Table([row(), row(metric="AP")], [NOTICE], SIGNATURE).to_jsonl().splitlines()
    assert json.loads(first)["signature"] == SIGNATURE
    assert json.loads(first)["warnings"][0]["kind"] == "ties"
    assert [json.loads(line)["metric"] for line in rest] == ["nDCG@10", "AP"]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_no_number_is_null_with_a_reason(value: float) -> None:
    table = Table([row(value=value, low=value, high=value), row(metric="AP")])
    for text in (table.to_json(), table.to_jsonl()):
        assert "NaN" not in text
        assert "Infinity" not in text
    undefined, defined = table.to_dicts()
    assert undefined["value"] is undefined["low"] is undefined["high"] is None
    assert undefined["reason"] == "the value is undefined"
    assert defined["reason"] is None
    assert (
        Table([row(value=math.nan, reason="no query has an answer")]).to_dicts()[0]["reason"]
        == "no query has an answer"
    )


def test_numbers_keep_all_their_digits_where_programs_read_them() -> None:
    value = 1 / 3
    table = Table([row(value=value)])
    assert json.loads(table.to_json())["rows"][0]["value"] == value
    assert float(next(csv.DictReader(io.StringIO(table.to_csv())))["value"]) == value


@pytest.mark.parametrize("name", HOSTILE)
def test_text_from_files_survives_json_and_delimited_values(name: str) -> None:
    table = Table([row(run=name, metric=name)])
    for text in (table.to_json(), *table.to_jsonl().splitlines()):
        assert text.isascii()
    assert json.loads(table.to_json())["rows"][0]["run"] == name
    for text, separator in ((table.to_csv(), ","), (table.to_tsv(), "\t")):
        (read,) = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
        assert not re.match(r"[=+\-@\t\r\n]", read["run"])
        assert (inverse_of_inert(read["run"]), inverse_of_inert(read["metric"])) == (name, name)


CELLS = st.sampled_from([*HOSTILE, "'=1+1", "-1.5", "it's", "", None, 1, 1.0, True, 0.1, math.nan, ("a", "=b"), ["=c"]])


@given(st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), max_size=6)))
@settings(max_examples=100)
def test_each_cell_of_a_column_is_written_as_it_would_be_alone(rows: list[tuple[Any, ...]]) -> None:
    names = ["=name", "b", "c"][: len(rows[0]) if rows else 3]
    expected = io.StringIO(newline="")
    csv.writer(expected).writerows([inert(cell) for cell in row] for row in [names, *rows])
    read, wanted = (
        list(csv.reader(io.StringIO(text, newline="")))
        for text in (delimited(names, list(zip(*rows, strict=True))), expected.getvalue())
    )
    assert read == wanted


@pytest.mark.parametrize("label", ["-1", "+1", "-1.5e-3", "-", "a=b", "'tis", "", "d-1"])
def test_labels_that_are_numbers_and_other_harmless_text_are_written_as_they_are(label: str) -> None:
    (read,) = csv.DictReader(io.StringIO(Table([row(run=label, value=-0.5)]).to_csv(), newline=""))
    assert (read["run"], read["value"]) == (label, "-0.5")


@pytest.mark.parametrize("name", HOSTILE)
def test_text_from_files_is_harmless_where_people_read_it(name: str) -> None:
    notice = Note(name, name, name, (name,))
    table = Table([row(run=name), row(run="other"), one_query(name, name or "AP", 1.0, run=name)], [notice])
    signature = {"averaged": {name: {"queries": 2}, "other": {"queries": 3}}, "ties": name}
    for shown in (table, Table(table.rows, table.warnings, signature)):
        for text in (str(shown), shown.to_markdown(), shown.to_latex(), shown.to_html()):
            lines = text.splitlines()
            assert all(line.isprintable() for line in lines)
            assert text.encode("utf-8")
    if name:
        assert printable(name) in str(table)


def test_markup_of_the_terminal_library_is_printed_as_it_stands() -> None:
    assert "[bold]x[/bold]" in str(Table([row(run="[bold]x[/bold]")]))


class TableFunction(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.data: list[str] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.data.append(data)


def test_html_escapes_names() -> None:
    cells = TableFunction()
    cells.feed(Table([row(run="<script>alert(1)</script>"), row(run="b & c")]).to_html())
    assert "script" not in cells.tags
    assert {"<script>alert(1)</script>", "b & c"} <= set(cells.data)


def test_html_is_ascii_so_that_no_page_can_misread_it() -> None:
    assert Table([row(run="日本")]).to_html().isascii()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_holds_every_run(form: str) -> None:
    written: Any = getattr(Table([row(), row(run="dense")]), f"to_{form}")()
    if form == "excel":
        with ZipFile(BytesIO(written)) as book:
            written = book.read("xl/sharedStrings.xml").decode()
    assert {"bm25", "dense"} <= set(re.findall(r"\w+", written))
    assert all(suffix.startswith(".") for suffix in FORMATS[form])


@pytest.mark.parametrize("form", ["trec", "range", "average"])
def test_a_table_comes_back_from_its_json(form: Any) -> None:
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}, "q3": {"d4": 1}, "q4": {"d1": 0}}
    run = {"q1": {"d1": 2.0, "d2": 2.0}, "q2": {"d3": 2.0, "d1": 2.0}, "q3": {"d4": 0.5}, "q4": {"d1": 0.5}}
    table = certus.evaluate(qrels, run, ["AP", "P@1", "num_q"], per_query=True, ties=form)
    back = Table.from_json(table.to_json())
    assert back.to_json() == table.to_json()
    assert str(back) == str(table)
    assert back.values("AP") == table.values("AP")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"signature": {}, "warnings": [], "rows": [{"run": "a"}]}', "[1"])
def test_other_json_is_no_table(text: str) -> None:
    with pytest.raises(certus.DataError, match=r"text is not what Table.to_json wrote"):
        Table.from_json(text)


def test_latex_escapes_every_special_character() -> None:
    name = "x_y & 50% #1 {z} ~^\\ $m$"
    line = Table([row(run=name)]).to_latex().splitlines()[-3]
    assert line == (
        r"x\_y \& 50\% \#1 \{z\} \textasciitilde{}\textasciicircum{}\textbackslash{} \$m\$"
        r" & 0.3135 {\scriptsize [0.2988, 0.3281]} \\"
    )
    assert Table([row(run="[a]")]).to_latex().splitlines()[-3].startswith("{[}a]")


def test_markdown_escapes_what_would_end_a_cell() -> None:
    table = Table([row(run="a|b*c*"), row(run="d")]).to_markdown()
    lines = [line for line in table.splitlines() if line.startswith("|")]
    assert lines[2] == r"| nDCG@10 | a\|b\*c\* | 0.3135 | \[0.2988, 0.3281\] | 250 |"


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_of_every_library(backend: str) -> None:
    table = Table([row(), row(run="\udcff", value=math.nan)])
    frame: Any = getattr(table, f"to_{backend.removeprefix('py')}")()
    assert type(frame).__module__.partition(".")[0] == backend
    rows = frame.to_pylist() if backend == "pyarrow" else pl.DataFrame(frame).to_dicts()
    assert [r["run"] for r in rows] == ["bm25", "\\udcff"]
    assert rows[0]["value"] == 0.3135
    assert rows[0]["n"] == 250
    assert rows[1]["value"] is None or math.isnan(rows[1]["value"])


def test_frames_of_a_missing_library_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ImportError, match="pandas is not installed; install it: pip install pandas"):
        Table([row()]).to_pandas()


def test_a_notice_reads_as_one_line() -> None:
    assert str(NOTICE) == "bm25: ties change results in 2 queries (31, 32)"
    assert str(Note("text", kind="x", queries=("a\nb",), count=5)) == "text (a\\x0ab, ...)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\u202d\u2066\u200b\ufeff", "\\u202d\\u2066\\u200b\\ufeff"),
        ("\udc80", "\\x80"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("é日", "é日"),
    ],
)
def test_invisible_characters_become_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize("values", [[0.1, 1.0, 5e-324], [0.5, math.nan, 1.0]])
def test_values_of_single_queries_are_written_as_rows_are(values: list[float]) -> None:
    queries = ["q1", 'a "quoted", query', "=1"]
    summary = [Row("run", "AP", 0.5, 0.25, 0.75, 0.95, "t", 3)]
    written = Table(
        summary, per_query=[PerQuery("run, a", "AP", queries, values), PerQuery("b", "RR", queries, values)]
    )
    assert Table(written.rows).to_csv() == written.to_csv()
    assert Table(written.rows).to_tsv() == written.to_tsv()
    assert Table(written.rows).columns == written.columns
    assert Table(summary, per_query=[PerQuery("b", "RR", [], [])]).to_csv() == Table(summary).to_csv()
