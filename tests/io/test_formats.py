"""Rankings in every format of files, and in DataFrames: the same rows give the same ranking, and nothing is guessed."""

import bz2
import csv
import gzip
import io
import lzma
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from ranking_files import (
    FRAMES,
    NESTED,
    QRELS,
    RUN,
    WRITERS,
    Row,
    columns_of,
    ranked,
)
from reader_files import Put

import certus
from certus.io import as_qrels, as_run, read_runs
from certus.io.formats import FORMATS, File, Kind, input_format
from certus.io.text import Blanks

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
        columns = columns_of(rows)
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
    file = File.from_path(path, "in", kind, {})
    told = [each.name for each in FORMATS.values() if kind in each.forms and each.matches(file)]
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
            columns = columns_of(rows)
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
        def matches(file: File) -> bool:
            return file.start.data.startswith(b"%ranking")

        def barred(file: File) -> Blanks:
            return Blanks(
                file.content.partition(b"\n")[2].replace(b"|", b" "), file.name, ("query", "doc", "score", "run")
            )

        monkeypatch.setattr("certus.io.formats.FORMATS", FORMATS)
        before = dict(FORMATS)
        made = input_format("barred", "bars", matches=matches, run="`query|document|score|run` behind `%ranking`")(
            barred
        )
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
