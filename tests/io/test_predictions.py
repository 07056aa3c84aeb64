"""Tables of predictions in every form that is read, and every form that is refused with its place."""

import contextlib
import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_files import Put, labels, putter

import certus
from certus.io import read_predictions
from certus.io.predictions import as_predictions

CSV = b"truth,pred,score,site\nham,spam,0.75,a\nspam,spam,1e-3,b\nham,ham,-inf,a\n"


@pytest.fixture
def put(tmp_path: Path) -> Put:
    return putter(tmp_path, "in.csv")


def numbers(path: Any, name: str = "p") -> list[float]:
    found: list[float] = as_predictions(path).read(numbers=[name]).numbers[name].tolist()
    return found


def test_a_csv_file_gives_labels_numbers_and_keys(put: Put) -> None:
    table = read_predictions(put(CSV))
    assert table.columns == ("truth", "pred", "score", "site")
    found = table.read(labels=["truth", "pred"], numbers=["score"], keys=["site"])
    assert found.labels["truth"].tolist() == ["ham", "spam", "ham"]
    assert found.labels["pred"].tolist() == ["spam", "spam", "ham"]
    assert found.numbers["score"].tolist() == [0.75, 0.001, -np.inf]
    assert found.keys["site"].tolist() == ["a", "b", "a"]


@pytest.mark.parametrize(
    "text",
    [
        CSV.replace(b",", b"\t"),
        b"\xef\xbb\xbf" + CSV,
        CSV.replace(b"\n", b"\r\n"),
        CSV.replace(b"\n", b"\r"),
        CSV.rstrip(b"\n"),
        CSV.replace(b"\n", b"\n\n"),
        b"\n" + CSV,
        b'"truth","pred","score","site"\n' + CSV.split(b"\n", 1)[1].replace(b"spam", b'"spam"'),
        gzip.compress(CSV),
    ],
    ids=["tabs", "BOM", "CRLF", "CR", "no last newline", "blank lines", "blank first", "quotes", "gzip"],
)
def test_separator_line_end_mark_quotes_and_compression_change_nothing(text: bytes, put: Put) -> None:
    plain = read_predictions(put(CSV)).read(["truth", "pred"], ["score"], ["site"])
    other = read_predictions(put(text, "other")).read(["truth", "pred"], ["score"], ["site"])
    for kind in ("labels", "numbers", "keys"):
        one, two = getattr(plain, kind), getattr(other, kind)
        assert {name: column.tolist() for name, column in one.items()} == {
            name: column.tolist() for name, column in two.items()
        }


def test_a_header_with_tabs_and_commas_is_split_by_the_suffix(put: Put) -> None:
    text = "a,b\tc\n1,2\t3\n"
    assert read_predictions(put(text, "x.tsv.gz")).columns == ("a,b", "c")
    assert read_predictions(put(text, "x.csv")).columns == ("a", "b\tc")


def test_quoted_fields_hold_separators_quotes_and_line_ends(put: Put) -> None:
    path = put('truth,note\n"a, ""b""\nc",x\nd,"\r\n"\n')
    assert labels(path, "truth") == [['a, "b"\nc', "d"]]


@pytest.mark.parametrize(
    ("truth", "pred", "expected"),
    [
        ("0 1 -3", "1 1 0", [[0, 1, -3], [1, 1, 0]]),
        ("0.0 1.0 2.00", "1 1 0", [[0, 1, 2], [1, 1, 0]]),
        ("True False True", "false false true", [[True, False, True], [False, False, True]]),
        ("TRUE FALSE TRUE", "TRUE TRUE TRUE", [[True, False, True], [True] * 3]),
        ("0 1 1", "1 1 unknown", [["0", "1", "1"], ["1", "1", "unknown"]]),
        ("01 1 2", "1 1 2", [["01", "1", "2"], ["1", "1", "2"]]),
        ("1 1.0 2", "1 1 2", [["1", "1.0", "2"], ["1", "1", "2"]]),
        ("True False True", "1 0 1", [[1, 0, 1], [1, 0, 1]]),
        ("True False True", "1 0 2", [["True", "False", "True"], ["1", "0", "2"]]),
        ("-0 0 1", "0 0 1", [["-0", "0", "1"], ["0", "0", "1"]]),
        ("1.1.0 1.2.0 2", "1 1 1", [["1.1.0", "1.2.0", "2"], ["1", "1", "1"]]),
        ("9" * 19 + " 1 1", "1 1 1", [["9" * 19, "1", "1"], ["1"] * 3]),
    ],
)
def test_labels_are_numbers_or_truth_values_only_where_all_are_written_as_such_or_are_0_and_1(
    truth: str, pred: str, expected: list[list[object]], put: Put
) -> None:
    rows = "".join(f"{a},{b}\n" for a, b in zip(truth.split(), pred.split(), strict=True))
    found = labels(put("truth,pred\n" + rows), "truth", "pred")
    assert found == expected
    assert [[type(label) for label in column] for column in found] == [
        [type(label) for label in column] for column in expected
    ]


def test_keys_are_typed_column_by_column(put: Put) -> None:
    found = read_predictions(put("t,a,b\n1,10,x\n2,9,y\n")).read(keys=["a", "b"])
    assert (found.keys["a"].tolist(), found.keys["b"].tolist()) == ([10, 9], ["x", "y"])
    assert read_predictions(put("t,a\n1,0.5\n2,1\n")).read(keys=["a"]).keys["a"].tolist() == ["0.5", "1"]


def test_odd_labels_are_kept_as_they_are(put: Put) -> None:
    odd = [
        " spam",
        "spam ",
        "=1+1",
        "é",
        "e\u0301",
        "שלום",
        "\u202etrap",
        "a\x1bb",
        "x" * 10_000,
        "日本",
        "N/A",
        "None",
    ]
    out = io.StringIO()
    pd.DataFrame({"truth": odd}).to_csv(out, index=False)
    assert labels(put(out.getvalue()), "truth") == [odd]


def test_a_large_file_is_read_in_pieces_without_a_seam(put: Put) -> None:
    n = 50_000
    text = "t,p\n" + "".join(f"c{i % 7},{i}\n" for i in range(n))
    found = read_predictions(put(text)).read(labels=["t"], numbers=["p"])
    assert found.numbers["p"].tolist() == list(range(n))
    assert found.labels["t"].tolist() == [f"c{i % 7}" for i in range(n)]


WRONG_CSV: list[tuple[str | bytes, str]] = [
    ("", r"in\.csv: is empty; its first line must name the columns"),
    ("\n\n", r"in\.csv: is empty"),
    ("t,p\n", r"in\.csv: names its columns but has no rows"),
    ("t,p", r"in\.csv: names its columns but has no rows"),
    ("t,p,t\na,1,b\n", r"in\.csv:1: two columns are named 't'; rename or drop one"),
    ("t,p\na,1\nb\n", r"in\.csv:3: has 1 field, the header has 2; no field may be left out"),
    ("t,p\na,1\n\nb,2,3\n", r"in\.csv:4: has 3 fields, the header has 2; quote a field that holds the separator"),
    ('t,p\n"a\nb",1\nb\n', r"in\.csv:4: has 1 field"),
    ("t,p\na,\n", r"in\.csv:2: column 'p' is empty; fill it or drop the row"),
    ("t,p\n,1\n", r"in\.csv:2: column 't' is empty"),
    ("t,p\n  ,1\n", r"in\.csv:2: column 't' is empty"),
    ("t,p\na,1\nb,nan\n", r"in\.csv:3: column 'p' is 'nan', a missing value"),
    ("t,p\na,1\nNaN,2\n", r"in\.csv:3: column 't' is 'NaN', a missing value"),
    ("t,p\na,x1\n", r"in\.csv:2: column 'p' is 'x1', which is not a number$"),
    (
        't,p\na,"0,5"\n',
        r"in\.csv:2: column 'p' is '0,5', which is not a number; decimal=',' reads decimals",
    ),
    ("t,p\na,1_000\n", r"in\.csv:2: column 'p' is '1_000', which is not a number"),
    ("t,p\na,１\n", r"in\.csv:2: column 'p' is '１', which is not a number"),
    ("t,p\na,0x1\n", r"in\.csv:2: column 'p' is '0x1', which is not a number"),
    ("t,p\na,1e999\n", r"in\.csv:2: column 'p' is '1e999', which is too large for a double"),
    (b"t,p\na,1\nb\xe9,2\n", r"in\.csv:3: is not UTF-8 \(byte 0xe9\); save it as UTF-8"),
    (b"t\xe9,p\na,1\n", r"in\.csv:1: is not UTF-8"),
    ("t,p\na,1\n".encode("utf-16"), r"in\.csv: is UTF-16 text; convert it to UTF-8"),
    (b"t,p\na,1\n\0,2\n", r"in\.csv:3: holds a NUL byte"),
    ('t,p\na,1\n"b,2\nc,3\n', r"in\.csv:3: a quoted field is not closed"),
    ('t,p\na,1\n"b"x,2\n', r"in\.csv:3: a quoted field goes on behind its closing quote"),
    ("t,p\na,1\n" + "b" * 200_000 + ",2\n", r"in\.csv:3: a field is longer than 131072 characters; is a quote not"),
    ('t,p\na,1\n"b,2\n' + "c,3\n" * 99_999, r"in\.csv:3: a field is longer than 131072 characters; is a quote not"),
    ("q\x1b,p\na,1\n", r"has no column 't'; it has 'q\\x1b', 'p'"),
    ("T ,p\na,1\n", r"has no column 't'; did you mean 'T '\? it has 'T ', 'p'"),
    ("t^p\na^1\n", r"has no column 't'; it has 't\^p'; if columns are not separated by , ; \| or tabs, say by what"),
    (
        "t,p\n1,1\n0.5,2\n1e-3,0\n",
        r"in\.csv: column 't' holds numbers such as '0\.5'; labels are whole numbers or text",
    ),
    (json.dumps({"signature": {"certus": "0.1.0"}, "rows": []}, indent=1), r"in\.csv: is a result that certus stored"),
    (json.dumps([["a", 1]]), r"in\.csv: is a JSON array of rows that do not name their columns; write names, too"),
    (b"PK\x03\x04rest", r"in\.csv: is a zip archive"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_CSV)
def test_what_cannot_be_read_names_its_place(text: str | bytes, message: str, put: Put) -> None:
    with pytest.raises(certus.DataError, match=message):
        read_predictions(put(text)).read(labels=["t"], numbers=["p"])


def test_a_bad_cell_in_a_column_that_is_not_asked_for_does_not_matter(put: Put) -> None:
    path = put("t,p,,\na,1,,nan\n")
    assert numbers(path) == [1.0]


def test_a_bad_cell_far_down_is_named_by_its_line(put: Put) -> None:
    text = "t,p\n" + "a,1\n" * 40_000 + "a,?\n" + "a,1\n" * 10
    with pytest.raises(certus.DataError, match=r"in\.csv:40002: column 'p' is '\?'"):
        numbers(put(text))


@pytest.mark.parametrize("between", [0, 5_000])
def test_decimals_that_a_float_would_tie_are_told_apart(between: int, put: Put) -> None:
    rest = "0,0.05\n" * between  # the two stand in different pieces of the file
    read = read_predictions(put(f"y,p\n1,0.12345678901234567892\n{rest}0,0.12345678901234567891\n"))
    found = read.read(labels=["y"], numbers=["p"])
    assert certus.classification.roc_auc(found.labels["y"], found.numbers["p"]).value == 1.0


def test_a_number_of_thousands_of_characters_is_refused_with_its_line(put: Put) -> None:
    with pytest.raises(certus.DataError, match=r"in\.csv:3: column 'p' is a number of 5003 characters; at most 4300"):
        numbers(put(f"p\n0.5\n0.{'1' * 5001}\n"))


@pytest.mark.parametrize("same", ["0.1", "0.100000000000000000000000", "1e-1", " 0.1"])
def test_one_decimal_in_two_notations_is_a_tie(same: str, put: Put) -> None:
    found = numbers(put(f"p\n0.1000000000000000000000\n{same}\n2e-9999999999999999999999\n"))
    assert found == [0.1, 0.1, 0.0]
    assert set(map(type, found)) == {float}


def test_json_lines_give_what_they_hold(put: Put) -> None:
    path = put('{"t": "a", "p": 1, "k": true}\n\n{"p": 2.5, "t": "é", "k": false, "more": {}}\r\n', "in.jsonl")
    found = read_predictions(path).read(["t"], ["p"], ["k"])
    assert found.labels["t"].tolist() == ["a", "é"]
    assert found.numbers["p"].tolist() == [1.0, 2.5]
    assert found.keys["k"].tolist() == [True, False]
    assert labels(put('{"t": 1.0, "q": 2}\n{"t": 0.0, "q": 0}\n', "in.jsonl"), "t", "q") == [[1, 0], [2, 0]]
    assert labels(put('{"t": 1e300}\n{"t": 0.5}\n', "in.jsonl"), "t") == [[1e300, 0.5]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"t": "a"}', r"in\.jsonl: has no column 'p'; it has 't'"),
        ('{"t": "a", "p": 1}\n{"t": "a"}\n', r"in\.jsonl:2: has no 'p'; every row must have it"),
        ('{"t": "a", "p": 1}\n\n{"t": "a", "p": null}\n', r"in\.jsonl:3: 'p' is null, which is not a number; fill it"),
        ('{"t": "a", "p": "1"}\n', r"in\.jsonl:1: 'p' is '1', which is not a number"),
        ('{"t": "a", "p": 0.5}\n{"t": "a", "p": true}\n', r"in\.jsonl:2: 'p' is true, which is not a number"),
        ('{"t": "a", "p": [1]}\n', r"in\.jsonl:1: 'p' is an array or an object, which is not a number"),
        ('{"t": "a", "p": 1}\n{"t": 1, "p": 1}\n', r"in\.jsonl:2: 't' is 1 where other labels are text"),
        ('{"t": 1, "p": 1}\n{"t": true, "p": 1}\n', r"in\.jsonl:2: 't' is true where other labels are a number"),
        ('{"t": null, "p": 1}\n', r"in\.jsonl:1: 't' is null; fill it or drop the row"),
        ('{"t": "", "p": 1}\n', r"in\.jsonl:1: 't' is ''; fill it"),
        ('{"t": {}, "p": 1}\n', r"in\.jsonl:1: 't' is an array or an object; a label"),
        ('{"t": "a", "p": 1, "p": 2}\n', r"in\.jsonl:1: 'p' stands twice in one object; keep one"),
        ('{"t": "a", "p": 1} {"t": "a", "p": 1}\n', r"in\.jsonl:1: is not one JSON object; write one object a line"),
        ('{"t": "a", "p": 1}\n[1]\n', r"in\.jsonl:2: is not one JSON object"),
        ('{"t": "a", "p": 1}\nx\n', r"in\.jsonl:2: is not valid JSON: Expecting value \(column 1\)"),
        ('{\n"t": "a", "p": 1}\n', r"in\.jsonl:1: is not valid JSON: .*write one object a line"),
        ('{"t": "a", "p": NaN}\n', r"in\.jsonl:1: holds NaN, which is not a number in JSON"),
        ('{"t": "a", "p": 1e999}\n', r"in\.jsonl:1: 'p' is too large for a double"),
        ('{"t": "a", "p": ' + "9" * 400 + "}\n", r"in\.jsonl:1: 'p' is too large for a double"),
        ('{"t": "a", "p": ' + "9" * 9000 + "}\n", r"in\.jsonl:1: holds a number that is too long"),
        ('{"t": "a", "p": ' + "[" * 100_000 + "}\n", r"in\.jsonl:1: is nested too deeply"),
        (b'{"t": "\xff", "p": 1}\n', r"in\.jsonl:1: is not UTF-8 \(byte 0xff\)"),
    ],
)
def test_json_lines_that_cannot_be_read_name_their_place(text: str | bytes, message: str, put: Put) -> None:
    with pytest.raises(certus.DataError, match=message):
        read_predictions(put(text, "in.jsonl")).read(labels=["t"], numbers=["p"])


def test_reading_text_needs_no_library_of_frames(put: Put) -> None:
    code = (
        "import sys\n"
        "from certus.io import read_predictions\n"
        "read_predictions(sys.argv[1]).read(['truth'])\n"
        "print([name for name in ('pandas', 'polars', 'pyarrow', 'narwhals') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code, str(put(CSV))], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(b"t,p\n" + data)
    with contextlib.suppress(certus.DataError):
        found = read_predictions(path).read(labels=["t"], numbers=["p"])
        assert len(found.labels["t"]) == len(found.numbers["p"]) > 0


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(min_size=1), st.floats(allow_nan=False)), min_size=1, max_size=8))
def test_what_python_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, float]]
) -> None:
    rows = [(f"x{text}".replace("\0", ""), number) for text, number in rows if text.isprintable() or text.isspace()]
    rows = rows or [("x", 0.0)]
    path = tmp_path_factory.getbasetemp() / "back.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("t", "p"), *rows])
    found = read_predictions(path).read(labels=["t"], numbers=["p"])
    assert found.labels["t"].tolist() == [text for text, _ in rows]
    assert found.numbers["p"].tolist() == [number for _, number in rows]


@pytest.mark.parametrize("names", [("True", "False"), ("true", "false"), ("TRUE", "FALSE")])
def test_truth_values_are_numbers_where_numbers_are_wanted(tmp_path: Path, names: tuple[str, str]) -> None:
    text = tmp_path / "t.csv"
    text.write_text("p,q\n" + "".join(f"{names[i % 3 == 0]},1\n" for i in range(5_000)))
    lines = tmp_path / "t.jsonl"
    lines.write_text("".join(f'{{"p": {"false" if i % 3 == 0 else "true"}}}\n' for i in range(5_000)))
    expected = [float(i % 3 != 0) for i in range(5_000)]
    for each in (text, lines, pd.DataFrame({"p": np.array(expected) == 1})):
        found = as_predictions(each).read(numbers=["p"]).numbers["p"]
        assert found.tolist() == expected


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("31 Q0 d7 1 9.5 bm25\n31 Q0 d2 2 -1e3 bm25\n", "a run"),
        ("31\tQ0\td7\t1\t9.5\tbm25\n", "a run"),
        ("31 0 d7 2\n31 0 d2 -1\n", "relevance judgments"),
    ],
)
def test_a_ranking_is_no_table_whose_first_line_is_lost(text: str, held: str, put: Put) -> None:
    with pytest.raises(certus.DataError, match=f"holds {held} .TREC: .*, where a table is expected"):
        read_predictions(put(text))
