"""Rankings in every format of files, and in DataFrames: the same rows give the same ranking, and nothing is guessed."""

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

import certus
from certus.cli import app
from certus.io import as_qrels, as_run, read_runs
from certus.io._format import FORMATS, File, Kind, input_format
from certus.io._plain import Plain
from certus.io.rank import rank
from certus.io.read import as_runs

Put = Callable[..., Path]
Row = tuple[str, str, float]
QRELS = {"1": {"a": 2, "b": 0}, "007": {"c": 1}}
RUN: list[Row] = [("1", "a", 2.5), ("1", "x", 1.5), ("007", "b", 7.0), ("007", "c", -0.001)]
NESTED = {"1": {"a": 2.5, "x": 1.5}, "007": {"b": 7.0, "c": -0.001}}


def _columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    queries, docs, values = map(list, zip(*rows, strict=True))
    return {"query_id": queries, "doc_id": docs, "value": values}


def _text(rows: list[Row], value: str, separator: str) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(["query_id", "doc_id", value])
    writer.writerows((query, doc, repr(number)) for query, doc, number in rows)
    return out.getvalue().encode()


def _json(rows: list[Row]) -> bytes:
    nested: dict[str, dict[str, float]] = {}
    for query, doc, number in rows:
        nested.setdefault(query, {})[doc] = number
    return json.dumps(nested).encode()


def _lines(rows: list[Row], value: str) -> bytes:
    objects = [{"query_id": query, "doc_id": doc, value: number} for query, doc, number in rows]
    return b"".join(json.dumps(each).encode() + b"\n" for each in objects)


def _arrow(rows: list[Row], value: str, write: Callable[[Any, Any], object]) -> bytes:
    columns = _columns(rows)
    columns[value] = columns.pop("value")
    out = io.BytesIO()
    write(pa.table(columns), out)
    return out.getvalue()


def _ipc(table: Any, out: Any) -> None:
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)


def _trec(rows: list[Row], value: str) -> bytes:
    if value == "score":
        return b"".join(f"{query} Q0 {doc} 1 {number!r} t\n".encode() for query, doc, number in rows)
    return b"".join(f"{query} 0 {doc} {number}\n".encode() for query, doc, number in rows)


WRITERS: dict[str, Callable[[list[Row], str], bytes]] = {
    "trec": _trec,
    "json": lambda rows, value: _json(rows),
    "csv": lambda rows, value: _text(rows, value, ","),
    "tsv": lambda rows, value: _text(rows, value, "\t"),
    "jsonl": _lines,
    "parquet": lambda rows, value: _arrow(rows, value, parquet.write_table),
    "arrow": lambda rows, value: _arrow(rows, value, _ipc),
    "Feather": lambda rows, value: _arrow(rows, value, feather.write_feather),
    "CSV by pandas": lambda rows, value: _renamed(rows, value).to_csv(index=False).encode(),
    "JSON Lines by polars": lambda rows, value: (
        pl.DataFrame(_columns(rows)).rename({"value": value}).write_ndjson().encode()
    ),
    "Parquet by polars": lambda rows, value: _polars(rows, value),
}
FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas of objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "pyarrow": pa.table,
}


def _renamed(rows: list[Row], value: str) -> Any:
    return pd.DataFrame(_columns(rows)).rename(columns={"value": value})


def _polars(rows: list[Row], value: str) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(_columns(rows)).rename({"value": value}).write_parquet(out)
    return out.getvalue()


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def write(data: bytes | str, name: str = "in") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


def ranked(run: Any, qrels: Any) -> list[list[Any]]:
    """All that metrics see of a run."""
    columns = rank(as_qrels(qrels), run).ranking.columns
    return [np.asarray(each).tolist() for each in columns]


IDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6).filter(
    lambda text: text[0] not in "{["  # a file that starts so is JSON
)
SCORES = st.floats(allow_nan=False, allow_infinity=False, width=64).filter(lambda x: abs(x) < 2**53)
ROWS = st.lists(st.tuples(IDS, IDS, SCORES), min_size=1, max_size=12, unique_by=lambda row: row[:2])


@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(ROWS, st.data())
def test_the_same_rows_give_the_same_bits_in_every_format(put: Put, rows: list[Row], data: Any) -> None:
    grades = [(query, doc, data.draw(st.integers(-1, 3))) for query, doc, _ in rows]
    qrels = certus.read_qrels(put(WRITERS["trec"](grades, "grade"), "qrels"))
    expected = ranked(put(WRITERS["trec"](rows, "score"), "trec"), qrels)
    held = certus.read_run(put(WRITERS["trec"](rows, "score"), "trec")).to_dict()
    for name, write in WRITERS.items():
        packed = data.draw(st.booleans())
        bytes_of_run = write(rows, "score")
        path = put(gzip.compress(bytes_of_run) if packed else bytes_of_run, f"{name}.run")
        assert ranked(path, qrels) == expected, name
        assert certus.read_run(path).to_dict() == held, name
        judged = put(write(grades, "relevance"), f"{name}.qrels")
        assert certus.read_qrels(judged).to_dict() == qrels.to_dict(), name
    for name, frame in FRAMES.items():
        columns = _columns(rows)
        run = frame({"qid": columns["query_id"], "docno": columns["doc_id"], "score": columns["value"]})
        assert ranked(run, qrels) == expected, name
        judgments = frame({"qid": columns["query_id"], "docno": columns["doc_id"], "rel": [row[2] for row in grades]})
        assert as_qrels(judgments).to_dict() == qrels.to_dict(), name


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("value", ["score", "relevance"])
def test_content_tells_the_format_and_no_two_formats_are_told_alike(name: str, value: str, put: Put) -> None:
    grades: list[Row] = [(query, doc, grade) for query, docs in QRELS.items() for doc, grade in docs.items()]
    kind: Kind = "run" if value == "score" else "qrels"
    path = put(WRITERS[name](RUN if kind == "run" else grades, value))
    file = File.at(path, "in", kind, {})
    told = [each.name for each in FORMATS.values() if kind in each.forms and each.told(file)]
    assert len(told) == 1
    assert name not in FORMATS or name == told[0]


@pytest.mark.parametrize(
    "query", ["query_id", "q_id", "qid", "query-id", "query", "topic", "topic_id", "QueryID", "Query ID"]
)
@pytest.mark.parametrize("doc", ["doc_id", "docno", "docid", "doc-id", "corpus-id", "pid", "document_id"])
def test_columns_are_found_by_any_usual_name_in_files_and_frames_alike(query: str, doc: str, put: Put) -> None:
    if query == "QueryID":
        with pytest.raises(certus.DataError, match="has none of 'query_id', 'qid'"):
            as_run(pd.DataFrame({query: ["1"], doc: ["a"], "score": [1.0]}))
        return
    for score in ("score", "sim"):
        text = f"{query},{doc},{score}\n1,a,2.5\n"
        assert certus.read_run(put(text)).to_dict() == {"1": {"a": 2.5}}
        assert as_run(pd.DataFrame({query: ["1"], doc: ["a"], score: [2.5]})).to_dict() == {"1": {"a": 2.5}}
    for grade in ("relevance", "rel", "grade", "label", "score"):
        text = f"{query}\t{doc}\t{grade}\n1\ta\t2\n"
        assert certus.read_qrels(put(text)).to_dict() == {"1": {"a": 2}}
        assert as_qrels(pl.DataFrame({query: ["1"], doc: ["a"], grade: [2]})).to_dict() == {"1": {"a": 2}}


def test_an_id_is_found_before_the_text_and_pyterriers_docno_before_its_docid() -> None:
    frame = pd.DataFrame(
        {"qid": ["1"], "query": ["what is it"], "docid": [17], "docno": ["a"], "score": [1.0], "rank": [0]}
    )
    assert as_run(frame).to_dict() == {"1": {"a": 1.0}}


class TestRanks:
    """Runs that say ranks and no scores."""

    def test_the_lowest_rank_is_the_best_and_only_the_order_counts(self, put: Put) -> None:
        for ranks in ([1, 2, 1, 2], [0, 1, 3, 900]):
            rows = [(query, doc, rank) for (query, doc, _), rank in zip(RUN, ranks, strict=True)]
            expected = ranked(NESTED, QRELS)
            three = put("".join(f"{query}\t{doc}\t{rank}\n" for query, doc, rank in rows))
            assert ranked(certus.read_run(three, format="msmarco"), QRELS) == expected
            table = put("".join(["q_id,pid,rank\n", *(f"{query},{doc},{rank}\n" for query, doc, rank in rows)]))
            assert ranked(table, QRELS) == expected
            columns = _columns(rows)
            frame = pd.DataFrame({"qid": columns["query_id"], "docno": columns["doc_id"], "rank": columns["value"]})
            assert ranked(frame, QRELS) == expected

    def test_four_columns_of_ms_marco_have_ranks_and_scores(self, put: Put) -> None:
        run = put("".join(f"{query} {doc} {i % 2 + 1} {score}\n" for i, (query, doc, score) in enumerate(RUN)))
        assert certus.read_run(run).to_dict() == NESTED
        assert ranked(run, QRELS) == ranked(NESTED, QRELS)

    def test_ranks_that_contradict_the_scores_are_warned_of_as_in_a_trec_file(self, put: Put) -> None:
        text = "qid,docno,rank,score\n1,a,1,2.5\n1,x,2,1.5\n007,b,1,-1\n007,c,2,7\n"
        table = put(text, "run.csv")
        (notice,) = [
            each for each in certus.evaluate(QRELS, table, "AP").warnings if each.kind == "contradicting-ranks"
        ]
        assert notice.queries == ("007",)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1 a 1\n1 b 1\n", r"in:2: the rank is 1 a second time for query '1'; give each document its own rank"),
            ("1 a 1\n1 b x\n", r"in:2: the rank is 'x', which is not a number"),
            ("1 a 1\n1 b 1.5\n", r"in:2: the rank is 1.5; a rank must be a whole number"),
            ("1 a 1\n1 b\n", r"in:2: the line has 2 columns; expected 3"),
            ("1 a 1\n\n1 a 2\n", r"in:3: the doc names a document again: document 'a' appears twice for query '1'"),
            ("1 a 1\n1 b\0 2\n", r"in:2: the line holds a NUL byte"),
        ],
    )
    def test_what_is_no_rank_is_refused_with_its_line(self, text: str, message: str, put: Put) -> None:
        with pytest.raises(certus.DataError, match=message):
            certus.read_run(put(text), format="msmarco")


class TestQuestions:
    """Ambiguous input is asked about."""

    @pytest.mark.parametrize(
        "text",
        [
            "1 a 2\n1 x 1\n",
            "1 a 2.0\n1 x 1.0\n",
            "1\ta\t2.\n1\tx\t1\n",
            "1 a 2.000000000000000000e+00\n1 x 1.000000000000000000e+00\n",
        ],
        ids=["whole", "pandas", "mixed", "numpy.savetxt"],
    )
    def test_three_columns_of_whole_numbers_are_asked_for_and_the_answer_decides(self, text: str, put: Put) -> None:
        path = put(text)
        asked = (
            r"may be msmarco \(query document rank.*\) or query-doc-score \(query document score.*\); say which, as in "
        )
        with pytest.raises(certus.DataError, match=asked + "format='msmarco'"):
            certus.read_run(path)
        with pytest.raises(certus.DataError, match=asked + "format_of_run='msmarco'"):
            certus.evaluate(QRELS, path, "RR")
        values = {
            name: next(iter(certus.evaluate(QRELS, path, "RR", format_of_run=name))).value
            for name in ("msmarco", "query-doc-score")
        }
        assert values == {"msmarco": 0.5, "query-doc-score": 1.0}

    def test_three_columns_with_a_fraction_are_scores(self, put: Put) -> None:
        assert certus.read_run(put("1 a 2\n1 x 1.5\n")).to_dict() == {"1": {"a": 2.0, "x": 1.5}}
        assert certus.read_run(put("1 a -1.0\n1 x 2\n")).to_dict() == {
            "1": {"a": -1.0, "x": 2.0}
        }  # no rank is negative

    @pytest.mark.parametrize("score", ["5", "5.0", "0.5"])
    def test_four_columns_with_ranks_written_by_pandas_are_a_run_of_ms_marco(self, score: str, put: Put) -> None:
        path = put(f"1 a 1.0 {score}\n1 b 2.0 0\n7 a 1.0 {score}\n")
        assert certus.read_run(path).to_dict() == {"1": {"a": float(score), "b": 0.0}, "7": {"a": float(score)}}
        with pytest.raises(certus.DataError, match=r"holds a run \(MS MARCO.*are qrels and run swapped"):
            certus.read_qrels(path)

    def test_a_format_that_is_none_is_answered_with_the_nearest_or_with_all(self, put: Put) -> None:
        path = put("1 a 2\n")
        with pytest.raises(certus.MetricNameError, match="format is 'marco'; did you mean 'msmarco'"):
            certus.read_run(path, format="marco")
        held = sorted(name for name, each in FORMATS.items() if "qrels" in each.forms)
        with pytest.raises(
            certus.MetricNameError, match=f"format_of_qrels is 'zzz'; the formats are {', '.join(held)}"
        ):
            certus.evaluate(path, path, "AP", format_of_qrels="zzz")

    def test_messages_name_the_argument_that_the_reader_has(self, put: Put) -> None:
        path = put("1 a 2\n")
        for read in (read_runs, as_runs):
            with pytest.raises(certus.DataError, match="say which, as in format='msmarco'"):
                read(path)
        with pytest.raises(certus.MetricNameError, match=r"^format is 'zzz'"):
            as_qrels(path, format="zzz")
        with pytest.raises(certus.MetricNameError, match=r"^format_of_run is 'zzz'"):
            certus.compare(QRELS, [path, put("1 a 3\n", "b")], "AP", format_of_run="zzz")

    def test_remedies_on_the_command_line_are_for_the_command_line(
        self, put: Put, capsys: pytest.CaptureFixture[str]
    ) -> None:
        qrels, none = put("1 0 a 1\n", "qrels"), put("q,d,s\n1,a,2\n", "none")
        both, two = put("qid,docno,score,sim\n1,a,2,3\n", "both"), put(TestManyRuns.TEXT, "two")
        said = []
        for line in ([qrels, none], [none, both], [qrels, both], [qrels, two, two]):
            assert app.run(["evaluate", *map(str, line)]) == 3
            said.append(capsys.readouterr().err)
        assert [text.rpartition("; ")[2] for text in said] == [*["rename one\n"] * 3, "give each run once\n"]
        with pytest.raises(certus.DataError, match=r"rename one, or name the .* certus.io.as_run\(..., query='...'\)"):
            certus.evaluate(qrels, none, "AP")

    def test_a_format_is_of_files_only(self) -> None:
        with pytest.raises(certus.DataError, match="format is 'csv', but the data are not a file"):
            as_qrels(QRELS, format="csv")
        with pytest.raises(certus.DataError, match="but the data are not a file"):
            certus.evaluate(
                QRELS, pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]}), "AP", format_of_run="csv"
            )


class TestSwapped:
    """Qrels where a run belongs, and the other way round."""

    @pytest.mark.parametrize(
        "run",
        [
            _trec(RUN, "score"),
            b"1 a 1 2.5\n1 x 2 1.5\n007 b 1 7.5\n",
            _text(RUN, "score", ","),
            _text([(query, doc, i + 1) for i, (query, doc, _) in enumerate(RUN)], "rank", ","),
            b"1 a 2.5\n1 x 1.5\n",
        ],
        ids=["trec", "msmarco", "csv", "ranks", "three columns"],
    )
    def test_a_run_is_no_qrels(self, run: bytes, put: Put) -> None:
        with pytest.raises(certus.DataError, match="are qrels and run swapped"):
            certus.evaluate(put(run, "first"), put("1 0 a 1\n", "second"), "AP")

    @pytest.mark.parametrize(
        "qrels",
        [
            b"1 0 a 1\n1 0 b 0\n",
            b"1\t0\t17\t1\n2\t0\t18\t0\n",
            b"1 Q0 17 1\n",
            b"query_id,doc_id,relevance\n1,a,1\n",
            b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t2\n",
        ],
        ids=["trec", "msmarco", "one line", "csv", "beir"],
    )
    def test_qrels_are_no_run(self, qrels: bytes, put: Put) -> None:
        for run in (put(qrels), certus.read_run):
            with pytest.raises(certus.DataError, match="are qrels and run swapped"):
                run(put(qrels)) if callable(run) else certus.evaluate(QRELS, run, "AP")

    def test_json_is_known_by_its_numbers(self, put: Put, capsys: pytest.CaptureFixture[str]) -> None:
        run = put('{"1": {"a": 2.5, "b": 1}, "7": {"c": 0.5}}', "run.json")
        qrels = put('{"1": {"a": 2, "b": 0, "c": 0}, "7": {"c": 1}}', "qrels.json")
        assert app.run(["evaluate", str(qrels), str(run), "-m", "AP"]) == 0
        capsys.readouterr()
        assert app.run(["evaluate", str(run), str(qrels), "-m", "AP"]) == 3
        said = "run.json: the grade of document 'a' for query '1' is 2.5; a grade must be a whole number (an int); are "
        assert said + "qrels and run swapped? Judgments come first, then runs\n" in capsys.readouterr().err
        for data in (qrels, put('{"1": {"a": 1}, "7": {"c": 1}}')):
            for read in (certus.read_run, lambda path: certus.evaluate(QRELS, path, "AP")):
                with pytest.raises(
                    certus.DataError, match=r"qrels and run swapped.*if these are scores, write them as "
                ):
                    read(data)

    @pytest.mark.parametrize(
        "text",
        [
            '{"1": {"a": 2, "b": 1, "c": 0}, "7": {"c": 1}}',
            '{"1": {"a": 5, "b": 0, "c": 0}}',
            '{"1": {"a": 2.0, "b": 0, "c": 0}}',
            '{"1": {"a": 1}}',
            '{"1": {"a": 2}, "7": {"c": 1}}',
        ],
        ids=["an order", "more than a grade", "a point", "one", "one each"],
    )
    def test_whole_numbers_in_json_are_scores_unless_they_can_only_be_grades(self, text: str, put: Put) -> None:
        assert certus.read_run(put(text)).to_dict() == json.loads(text)

    def test_lists_of_one_document_each_in_json_are_a_run_or_judgments(self, put: Put) -> None:
        path = put('{"1": ["a"], "7": ["c"]}')
        assert certus.read_run(path).to_dict() == certus.read_qrels(path).to_dict() == {"1": {"a": 1}, "7": {"c": 1}}

    @pytest.mark.parametrize("text", ["q a 1 bm25\n", "q Q0 7 0.5\n", "qid docid rank score\nq a 1 0.5\n"])
    def test_four_columns_without_a_grade_are_not_called_judgments(self, text: str, put: Put) -> None:
        with pytest.raises(certus.DataError, match="in:1: the line has 4 columns; expected 6"):
            certus.read_run(put(text))


class TestManyRuns:
    """Several runs in a file, a DataFrame, a folder or a pattern."""

    TEXT = "run,qid,docno,score\nbm25,1,a,2\ndpr,1,x,3\nbm25,007,c,1\ndpr,1,a,2\ndpr,007,c,9\n"

    @pytest.mark.parametrize("column", ["run", "run_id", "tag", "system", "name"])
    def test_a_column_of_runs_makes_a_run_of_each(self, column: str, put: Put) -> None:
        path = put(self.TEXT.replace("run,", f"{column},", 1))
        expected = {"bm25": {"1": {"a": 2.0}, "007": {"c": 1.0}}, "dpr": {"1": {"x": 3.0, "a": 2.0}, "007": {"c": 9.0}}}
        assert {name: run.to_dict() for name, run in read_runs(path).items()} == expected
        frame = pl.read_csv(path, schema_overrides={"qid": pl.String})
        assert {name: run.to_dict() for name, run in as_runs(frame).items()} == expected
        for data in (path, frame, [frame], str(path)):
            table = certus.evaluate(QRELS, data, "RR")
            assert [(row.run, row.value) for row in table] == [("bm25", 1.0), ("dpr", 0.75)]
        comparison = certus.compare(QRELS, path, "RR")
        assert [(row.system, row.baseline) for row in comparison] == [("dpr", "bm25")]
        inputs = certus.evaluate(QRELS, path, "RR").signature["inputs"]
        assert [name for name in inputs if name != "qrels"] == [f"{path} (bm25)", f"{path} (dpr)"]

    @pytest.mark.parametrize("column", ["name", "tag", "Name"])
    @pytest.mark.parametrize("values", [["Title A", "Title B", "Title A"], ["news", "news", "sports"]])
    def test_a_column_that_may_be_of_the_documents_is_asked_about(
        self, column: str, values: list[str], put: Put
    ) -> None:
        frame = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "score": [3, 2, 1.0], column: values})
        for data, place in ((frame, r"run: row \d"), (put(frame.to_csv(index=False)), r"in:\d")):
            for read in (as_runs, lambda data: certus.evaluate(QRELS, data, "AP")):
                with pytest.raises(certus.DataError, match=rf"{place}.*call the column run if it names runs"):
                    read(data)
        assert as_run(frame.drop(columns=column)).to_dict() == {"1": {"a": 3.0, "b": 2.0}, "2": {"a": 1.0}}
        for runs in (as_runs(frame, run=column), as_runs(frame.rename(columns={column: "run"}))):
            assert list(runs) == list(dict.fromkeys(values))
        one = frame.assign(**{column: "bm25"})
        assert (as_run(one).tag, len(as_run(one))) == ("bm25", 3)

    def test_a_title_beside_a_document_that_stands_twice_makes_no_runs(self) -> None:
        rows = {"qid": ["1", "1", "1"], "docno": ["a", "a", "b"], "score": [3, 2, 1.0], "name": ["A", "B", "C"]}
        with pytest.raises(certus.DataError, match="row 2 of column 'name' is 'C', one of 3 values that may name runs"):
            as_runs(pd.DataFrame(rows))

    def test_one_run_is_asked_for_and_several_are_there(self, put: Put) -> None:
        path = put(self.TEXT)
        with pytest.raises(certus.DataError, match=r"in: holds 2 runs \('bm25', 'dpr'\)"):
            certus.read_run(path)
        with pytest.raises(certus.DataError, match="run 'mine' holds 2 runs"):
            certus.evaluate(QRELS, {"mine": path}, "AP")
        with pytest.raises(certus.DataError, match="two runs are named 'bm25'"):
            certus.evaluate(QRELS, [path, pd.read_csv(path)], "AP")

    def test_a_document_twice_in_one_run_is_refused_and_in_two_runs_is_fine(self, put: Put) -> None:
        with pytest.raises(
            certus.DataError, match=r"in:7: column 'docno' names .* document 'a' appears twice for query '1'"
        ):
            read_runs(put(self.TEXT + "bm25,1,a,7\n"))

    def test_the_name_of_the_only_run_is_its_tag(self, put: Put) -> None:
        run = certus.read_run(put("run,qid,docno,score\nbm25,1,a,2\n"))
        assert (run.tag, run.name.endswith("in")) == ("bm25", True)

    def test_a_pattern_and_a_folder_stand_for_their_files(self, put: Put, tmp_path: Path) -> None:
        for name in ("b", "a"):
            put(_trec(RUN, "score"), f"runs/{name}.run")
        put("not a run", "runs/.hidden")
        for runs in (f"{tmp_path}/runs/*.run", tmp_path / "runs", [tmp_path / "runs"]):
            assert [row.run for row in certus.evaluate(QRELS, runs, "AP")] == ["a.run", "b.run"]
        put("1 Q0 a 1 2 t\n", "runs/[x].run")
        assert [row.run for row in certus.evaluate(QRELS, tmp_path / "runs" / "[x].run", "AP")] == ["[x].run"]
        with pytest.raises(certus.DataError, match=r"\*\.txt: no file matches this pattern"):
            certus.evaluate(QRELS, f"{tmp_path}/runs/*.txt", "AP")
        (tmp_path / "runs" / "c.run").symlink_to("nowhere")
        with pytest.raises(certus.DataError, match=r"c\.run: no such file"):
            certus.evaluate(QRELS, tmp_path / "runs", "AP")
        nameless: list[str | list[str]] = ["", [""]]
        for nothing in nameless:
            with pytest.raises(certus.DataError, match="the file name is empty"):
                certus.evaluate(QRELS, nothing, "AP")
        (tmp_path / "empty").mkdir()
        with pytest.raises(certus.DataError, match="empty: is a directory without files"):
            certus.evaluate(QRELS, tmp_path / "empty", "AP")

    def test_names_are_what_differs_between_the_paths(self, put: Put) -> None:
        paths = [put(_trec(RUN, "score"), f"{folder}/{name}") for folder in ("old", "new") for name in ("a", "b")]
        table = certus.evaluate(QRELS, paths, "AP")
        assert [row.run for row in table] == ["old/a", "old/b", "new/a", "new/b"]
        assert [row.run for row in certus.evaluate(QRELS, paths[::2], "AP")] == ["old", "new"]
        assert [row.run for row in certus.evaluate(QRELS, paths[:2], "AP")] == ["a", "b"]


class TestText:
    """CSV and its like, as people write them."""

    @pytest.mark.parametrize(
        "text",
        [
            'qid,docno,score\r\n007,"d,1",2.5\r\n7,d 2,1e0\r\n',
            'qid,docno,score\r007,"d,1",2.5\r7,d 2,1e0\r',
            "qid\tdocno\tscore\r007\td,1\t2.5\r7\td 2\t1\r",
            '\ufeffqid,docno,score\n007,"d,1",2.5\n7,d 2,1\n',
            'docno;x,score,qid\n"d,1",2.5,007\nd 2,1,7\n'.replace("docno;x", "docno"),
            '{"qid": "007", "docno": "d,1", "score": 2.5}\n\n{"score": 1, "docno": "d 2", "qid": 7}\n',
        ],
        ids=[
            "crlf and quotes",
            "cr and quotes",
            "cr and tabs",
            "byte-order mark",
            "any order of columns",
            "json lines",
        ],
    )
    def test_harmless_variety_is_read_and_ids_stay_as_they_are_written(self, text: str, put: Put) -> None:
        expected = {"007": {"d,1": 2.5}, "7": {"d 2": 1.0}}
        assert certus.read_run(put(text)).to_dict() == expected
        assert certus.read_run(put(gzip.compress(text.encode()))).to_dict() == expected

    def test_a_list_of_objects_and_lists_of_pairs_are_read_from_json(self, put: Put) -> None:
        frame = pd.DataFrame({"qid": ["1", "1", "007"], "docno": ["a", "x", "b"], "score": [2, 1.5, 7.0]})
        expected = {"1": {"a": 2.0, "x": 1.5}, "007": {"b": 7.0}}
        assert certus.read_run(put(frame.to_json(orient="records"))).to_dict() == expected
        assert certus.read_run(put(frame.to_json(orient="records", indent=1))).to_dict() == expected
        assert certus.read_run(put('{"1": [["x", 1.5], ["a", 2]], "007": [["b", 7]]}')).to_dict() == expected
        grades = frame.assign(score=[2, 0, 1]).rename(columns={"score": "rel"})
        assert certus.read_qrels(put(grades.to_json(orient="records"))).to_dict() == {
            "1": {"a": 2, "x": 0},
            "007": {"b": 1},
        }
        with pytest.raises(certus.DataError, match="in: row 1 is a dict without 'score'; all are"):
            certus.read_run(put('[{"qid": 1, "docno": "a", "score": 1}, {"qid": 1, "docno": "b"}]'))
        with pytest.raises(certus.DataError, match="in: document 'a' appears twice for query '1'"):
            certus.read_run(put('[{"qid": 1, "docno": "a", "score": 1}, {"qid": "1", "docno": "a", "score": 1}]'))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("qid,docno,score\n", r"in: names its columns but holds no results"),
            ("q,d,s\n1,a,2\n", r"in: has none of 'query_id', .* as columns, but 'q', 'd', 's'; rename one"),
            ("1,a,2.5\n1,b,1.5\n", r"in: has none of 'query_id', .* as columns, but '1', 'a', '2.5'"),
            ("qid,docno,score,sim\n1,a,2,3\n", r"in: has both 'score' and 'sim' as columns; rename one"),
            ("qid,docno,score\n1,a,2\n1,b\n", r"in:3: has 2 fields, the header has 3"),
            ("qid,docno,score\n1,a,2\n1 Q0 b 1 2 t\n", r"in:3: has 1 field, the header has 3"),
            ("qid,docno,score\n1,a,2\n\n1,a,3\n", r"in:4: .* document 'a' appears twice for query '1'; keep one"),
            ("qid,docno,score\n1,a,2\n1,b,8_5\n", r"in:3: column 'score' is '8_5', which is not a number"),
            ('qid,docno,score\n1,a,2\n1,b,"8,5"\n', r"in:3: column 'score' is '8,5'.*write decimals with a point"),
            ("qid,docno,score\n1,a,inf\n", r"column 'score' is inf; a score must be finite"),
            ("qid,docno,score\n1,a,nan\n", r"in:2: column 'score' is 'nan', a missing value"),
            ("qid,docno,score\n1,a,1e999\n", r"in:2: column 'score' is '1e999', which is too large"),
            ("qid,docno,score\n1,,2\n", r"in:2: column 'docno' is empty"),
            ("qid,docno,score\n1, a,2\n", r"in:2: column 'docno' is ' a'; an id cannot start or end with a blank"),
            ('qid,docno,score\n1,"a,2\n1,b,3\n', r"in:2: a quoted field is not closed"),
            ("qid,docno,score\n1,a\0,2\n", r"in:2: holds a NUL byte"),
            ("qid,docno,score\r1,b,1\r1,a\0,2\r", r"in:3: holds a NUL byte"),
            ("qid,docno,score\r1,b,1\r1,a,x\r", r"in:3: column 'score' is 'x', which is not a number"),
            (
                "qid,docno,score\n1,a,9007199254740993\n1,b,9007199254740992\n",
                r"'score' holds whole numbers beyond 2\*\*53",
            ),
            (
                f"qid,docno,score\n1,a,0.1{'0' * 20}1\n1,b,0.1\n",
                r"'score' holds 0\.10*1 and 0\.1, which float64 cannot tell apart; subtract a common offset",
            ),
            ("qid\tdocno\tscore\n1\ta\n", r"in:2: has 2 fields, the header has 3"),
            (
                '{"qid": 1, "docno": "a", "score": 2}\n{"qid": 1, "docno": "a", "score": 3}\n',
                r"in:2: .* twice for query '1'",
            ),
            ('{"qid": 1, "docno": "a", "score": 2}\n{"qid": 1, "docno": "b"}\n', r"in:2: has no 'score'"),
            (
                '{"qid": 1, "docno": "a", "score": 2}\n{"qid": 1.5, "docno": "b", "score": 1}\n',
                r"in:2: .* 1.5 of type float",
            ),
            ('{"qid": 1, "docno": "a", "score": 2}\n{"qid"', r"in:2: is not valid JSON"),
            ('{"qid": 1, "docno": "a\\u0000", "score": 2}\n', r"in:1: column 'docno' is 'a\\x00', which holds a NUL"),
            ('{"qid": 1, "docno": "\\ud800", "score": 2}\n', r"in:1: .* half of a surrogate pair"),
            ("1 a 2.5\n1 b\n", r"in:2: the line has 2 columns; expected 3"),
            ("1 a 1 2.5\n1 b 2\n", r"in:2: the line has 3 columns; expected 4"),
            ("1 a 2.5\n1 b x\n", r"in:2: the score is 'x', which is not a number"),
        ],
    )
    def test_what_is_no_run_is_refused_with_its_line(self, text: str, message: str, put: Put) -> None:
        for read in (certus.read_run, lambda path: certus.evaluate(QRELS, path, "AP")):
            with pytest.raises(certus.DataError, match=message):
                read(put(text))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("qid,docno,rel\n", r"holds no judgments"),
            ("qid,docno,rel\n1,a,1.5\n", r"in:2: column 'rel' is 1.5; a grade must be a whole number"),
            ("qid,docno,rel\n1,a,3000000000\n", r"in:2: column 'rel' is 3000000000; a grade must lie between"),
            ("qid,docno,rel\n1,a,1\n1,a,1\n", r"in:3: .* document 'a' is judged twice for query '1'"),
            ("qid,docno\n1,a\n", r"in: has none of 'relevance', 'rel', 'grade', 'label', 'score', 'sim' as columns"),
        ],
    )
    def test_what_are_no_qrels_is_refused_with_its_line(self, text: str, message: str, put: Put) -> None:
        with pytest.raises(certus.DataError, match=message):
            certus.read_qrels(put(text))

    def test_grades_may_be_written_as_whole_floats(self, put: Put) -> None:
        assert certus.read_qrels(put("qid,docno,label\n1,a,2.0\n")).to_dict() == {"1": {"a": 2}}

    @pytest.mark.parametrize("name", ["csv", "jsonl", "parquet", "arrow", "Feather"])
    def test_a_file_cut_short_is_refused(self, name: str, put: Put) -> None:
        whole = WRITERS[name](RUN, "score")
        for data in (gzip.compress(whole)[:-9], whole[:-9] if name != "csv" else whole[:-9].rpartition(b",")[0]):
            with pytest.raises(certus.DataError, match="in"):
                certus.read_run(put(data))


class TestDataSets:
    """Names of ir_datasets; the package itself would fetch data, so one with its interface stands in for it."""

    def test_judgments_and_scored_documents_are_read_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = SimpleNamespace(
            has_qrels=lambda: True,
            has_scoreddocs=lambda: True,
            qrels_iter=lambda: iter([SimpleNamespace(query_id="1", doc_id="a", relevance=2, iteration="0")]),
            scoreddocs_iter=lambda: iter([SimpleNamespace(query_id="1", doc_id="a", score=1.5)]),
        )
        monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load={"msmarco/dev": data}.__getitem__))
        assert certus.read_qrels("ir_datasets:msmarco/dev").to_dict() == {"1": {"a": 2}}
        table = certus.evaluate("ir_datasets:msmarco/dev", "ir_datasets:msmarco/dev", "AP")
        assert [row.value for row in table] == [1.0]
        with pytest.raises(certus.DataError, match="ir_datasets has no data set 'none'"):
            certus.read_qrels("ir_datasets:none")
        monkeypatch.setattr(data, "has_scoreddocs", lambda: False)
        with pytest.raises(certus.DataError, match="the data set has no scored documents"):
            certus.read_run("ir_datasets:msmarco/dev")

    def test_without_the_package_the_error_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "ir_datasets", None)
        with pytest.raises(certus.DataError, match="not installed; pip install ir_datasets"):
            certus.evaluate("ir_datasets:msmarco/dev", {"1": {"a": 1.0}}, "AP")


class TestDeclarations:
    """A format is one declaration."""

    def test_a_new_format_is_one_declaration_that_every_reader_follows(
        self, monkeypatch: pytest.MonkeyPatch, put: Put
    ) -> None:
        def told(file: File) -> bool:
            return file.start.data.startswith(b"%ranking")

        def barred(file: File) -> Plain:
            return Plain(
                file.content.partition(b"\n")[2].replace(b"|", b" "), file.name, ("query", "doc", "score", "run")
            )

        monkeypatch.setattr("certus.io._format.FORMATS", FORMATS)
        before = dict(FORMATS)
        made = input_format("barred", "bars", told=told, run="`query|document|score|run` behind `%ranking`")(barred)
        try:
            path = put("%ranking\n1|a|2|one\n1|x|3|two\n1|a|1|two\n")
            assert [(row.run, row.value) for row in certus.evaluate(QRELS, path, "RR")] == [("one", 1.0), ("two", 0.5)]
            assert read_runs(path, format="barred").keys() == {"one", "two"}
            with pytest.raises(
                certus.DataError, match=r"in: holds a run \(bars: query\|document\|score\|run behind %rank"
            ):
                certus.read_qrels(path)
            with pytest.raises(certus.MetricNameError, match=r"formats are arrow, .*barred, .*csv"):
                certus.read_run(path, format="zzz")
            assert made.forms == {"run": "`query|document|score|run` behind `%ranking`"}
        finally:
            FORMATS.clear()
            FORMATS.update(before)

    def test_the_guide_has_a_line_for_every_form_of_every_format(self) -> None:
        guide = (Path(__file__).parents[2] / "docs" / "reading.md").read_text()
        lines = re.findall(r"^\| (.+?) \| `([\w-]+)` \| (.+?) \|$", guide, re.MULTILINE)
        declared = [
            (each.title if set(each.forms.values()) == {form} else f"{each.title} {kind}", each.name, form)
            for each in FORMATS.values()
            for kind, form in each.forms.items()
            if kind not in ("table", "results") and not (kind == "run" and each.forms.get("qrels") == form)
        ]
        assert sorted(lines) == sorted(set(declared))


def test_the_command_line_reads_many_runs_and_asks_for_what_is_ambiguous(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    put("query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t1\n", "beir.tsv")
    put("1 a 2\n1 x 1\n2 b 1\n", "runs/three")
    put(TestManyRuns.TEXT.replace("007", "2"), "many.csv")

    def call(*line: str) -> tuple[int, str, str]:
        status = app.run([*line, "-m", "RR"])
        out, err = capsys.readouterr()
        return status, out, err

    status, out, err = call("evaluate", "beir.tsv", "runs/*")
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert err.startswith("certus: runs/three: may be msmarco")
    assert err.endswith("as in --format-of-run msmarco\n")
    for name, value in (("msmarco", 0.75), ("query-doc-score", 1.0)):
        status, out, _ = call("evaluate", "beir.tsv", "runs", "--format-of-run", name, "--format", "json")
        assert (status, [row["value"] for row in json.loads(out)["rows"]]) == (0, [value])
    status, _, err = call("evaluate", "beir.tsv", "runs", "--format-of-run", "marco")
    assert (status, err) == (2, "certus: --format-of-run is 'marco'; did you mean 'msmarco'?\n")
    status, out, _ = call("compare", "beir.tsv", "many.csv", "--baseline", "dpr", "--format", "json")
    assert (status, [row["system"] for row in json.loads(out)["rows"]]) == (0, ["bm25"])
    status, out, err = call("compare", "beir.tsv", "many.csv", "--baseline", "dpi")
    assert (status, "did you mean 'dpr'" in err) == (2, True)
    status, _, err = call("compare", "beir.tsv", "runs/three", "--format-of-run", "msmarco")
    assert (status, "one run was given; a comparison needs two or more" in err) == (2, True)


class TestWhole:
    """Ids and rows that a reader must neither change nor lose."""

    IDS = ("nan", "NA", "null", "None", "007", "+1", "1e5", "a b", "a,b", 'say "a"')

    def test_words_for_missing_values_are_ids_whatever_is_wrong_elsewhere(self, put: Put) -> None:
        text = io.StringIO()
        csv.writer(text).writerows([("qid", "docno", "score"), *(("q", each, 1) for each in self.IDS)])
        assert set(certus.read_run(put(text.getvalue())).to_dict()["q"]) == set(self.IDS)
        with pytest.raises(certus.DataError, match="in:12: column 'score' is 'x', which is not a number"):
            certus.read_run(put(text.getvalue() + "q,d,x\n"))

    def test_a_quote_that_swallows_rows_is_refused(self, put: Put) -> None:
        text = 'query_id\tdoc_id\tscore\nq1\t"a\t1\nq1\tb"\t2\n'
        with pytest.raises(
            certus.DataError, match=r"in:2: column 'doc_id' .* holds a line break; is a quote not closed"
        ):
            certus.read_run(put(text))

    def test_a_stream_of_arrow_is_read_to_its_end(self, put: Put) -> None:
        table = pa.table({"qid": ["q"], "docno": ["a"], "score": [1.0]})
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        whole = sink.getvalue()
        assert certus.read_run(put(whole)).to_dict() == {"q": {"a": 1.0}}
        for data in (whole[:-8], whole + whole):
            with pytest.raises(certus.DataError, match="is truncated, or holds more than one Arrow stream"):
                certus.read_run(put(data))

    def test_json_of_lists_is_read_on_one_line_as_on_several(self, put: Put) -> None:
        for text in ('{"q1": ["a", "b"], "q2": ["c"]}', '{"q1": ["a", "b"],\n"q2": ["c"]}'):
            assert certus.read_run(put(text)).to_dict() == {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}

    @pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
    def test_what_is_compressed_twice_is_refused_as_such(self, pack: Callable[[bytes], bytes], put: Put) -> None:
        with pytest.raises(certus.DataError, match="is compressed twice; decompress it once"):
            certus.read_run(put(gzip.compress(pack(b"1 Q0 a 1 2.5 t\n"))))
        with pytest.raises(certus.DataError, match="is a zip archive; unpack it"):
            certus.read_qrels(put(b"PK\x03\x04\0\0"))

    def test_a_data_set_has_no_other_format(self) -> None:
        with pytest.raises(
            certus.MetricNameError, match="format is 'csv', but ir_datasets:x is not a file; leave it out"
        ):
            certus.read_qrels("ir_datasets:x", format="csv")

    def test_truth_values_are_no_grades_and_no_scores_in_any_shape(self, put: Put) -> None:
        frame = pd.DataFrame({"qid": ["q"], "docno": ["a"], "rel": [True], "score": [True]})
        table, lines = (
            "qid,docno,rel,score\nq,a,True,True\n",
            '{"qid": "q", "docno": "a", "rel": true, "score": true}\n',
        )
        for data in (frame, pl.from_pandas(frame), put(table, "csv"), put(lines, "jsonl")):
            for read in (as_qrels, as_run):
                with pytest.raises(certus.DataError, match=r"not a number|must hold numbers"):
                    read(data)
