"""Judgments and runs in every shape that Python holds them in: the same bits as from TREC files, or a refusal."""

import math
from collections import OrderedDict, UserDict, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus.io import as_qrels, as_run

METRICS = ["AP", "nDCG@3", "RR", "P@2", "R@5", "Bpref", "RBP(p=0.8)"]
Graded = dict[int, dict[int, int]]
Scored = dict[int, dict[int, float]]


def listed(run: Any) -> list[Any]:
    """The rows of a run; of qrels as well."""
    return [(query, doc, value) for query, inner in run.items() for doc, value in inner.items()]


class Ranx:
    """An object with the attributes of the Qrels and Run of ranx 0.3.21, with which it was compared."""

    def __init__(self, held: str, data: dict[Any, Any], name: str | None = None) -> None:
        setattr(self, held, data)
        self.name = name
        self.data = data

    def to_dict(self) -> dict[Any, Any]:
        return defaultdict(dict, self.data)


def text(data: dict[Any, Any]) -> dict[str, dict[str, Any]]:
    return {str(query): {str(doc): value for doc, value in inner.items()} for query, inner in data.items()}


QRELS: dict[str, Callable[[Graded], Any]] = {
    "text": text,
    "int": lambda data: data,
    "numpy": lambda data: {
        np.int64(q): {np.int32(d): np.int64(g) for d, g in inner.items()} for q, inner in data.items()
    },
    "bytes": lambda data: {b"%d" % q: {b"%d" % d: g for d, g in inner.items()} for q, inner in data.items()},
    "defaultdict": lambda data: defaultdict(dict, {q: OrderedDict(inner) for q, inner in data.items()}),
    "mapping": lambda data: UserDict({q: UserDict(inner) for q, inner in data.items()}),
    "triples": listed,
    "lists": lambda data: [[str(q), str(d), g] for q, d, g in listed(data)],
    "generator": lambda data: iter(listed(data)),
    "ir_measures": lambda data: [ir_measures.Qrel(str(q), str(d), g) for q, d, g in listed(data)],
    "objects": lambda data: (SimpleNamespace(query_id=q, doc_id=d, relevance=g) for q, d, g in listed(data)),
    "pandas": lambda data: pd.DataFrame(listed(data), columns=["query_id", "doc_id", "relevance"]),
    "polars": lambda data: pl.DataFrame(listed(data), schema=["qid", "docno", "label"], orient="row"),
    "ranx": lambda data: Ranx("qrels", text(data)),
}
RUNS: dict[str, Callable[[Scored], Any]] = {
    "text": text,
    "int": lambda data: data,
    "numpy": lambda data: {
        np.str_(q): {np.int64(d): np.float64(s) for d, s in inner.items()} for q, inner in data.items()
    },
    "float32": lambda data: {q: {d: np.float32(s) for d, s in inner.items()} for q, inner in data.items()},
    "defaultdict": lambda data: defaultdict(dict, {q: defaultdict(float, inner) for q, inner in data.items()}),
    "mapping": lambda data: UserDict(data),
    "triples": listed,
    "lists": lambda data: [[str(q), str(d), s] for q, d, s in listed(data)],
    "generator": lambda data: iter(listed(data)),
    "arrow": lambda data: pl.DataFrame(listed(data), schema=["qid", "docno", "score"], orient="row").to_arrow(),
    "batch": lambda data: (
        pl.DataFrame(listed(data), schema=["qid", "docno", "score"], orient="row")
        .to_arrow()
        .combine_chunks()
        .to_batches()[0]
    ),
    "ir_measures": lambda data: [ir_measures.ScoredDoc(str(q), str(d), s) for q, d, s in listed(data)],
    "pandas": lambda data: pd.DataFrame(listed(data), columns=["query_id", "doc_id", "score"]),
    "polars": lambda data: pl.DataFrame(listed(data), schema=["qid", "docno", "score"], orient="row"),
    "ranx": lambda data: Ranx("run", text(data)),
}

ids = st.integers(0, 12)
graded = st.dictionaries(ids, st.dictionaries(ids, st.integers(-1, 3), min_size=1, max_size=6), min_size=1, max_size=4)
# sixteenths are the same in 32 bits, and few enough to be tied
scored = st.dictionaries(
    ids, st.dictionaries(ids, st.integers(-8, 8).map(lambda n: n / 16), min_size=1, max_size=8), min_size=1, max_size=4
)


def bits(qrels: Any, run: Any) -> list[str]:
    """All values of some metrics, of each query too, with all their bits."""
    table = certus.evaluate(qrels, run, METRICS, task="ranking", queries="judged", per_query=True)
    return [f"{row.metric} {row.query} {row.value.hex()} {row.n}" for row in table]


def trec(folder: Path, qrels: Graded, run: Scored) -> tuple[Path, Path]:
    """The same data as two TREC files."""
    judged, retrieved = folder / "qrels", folder / "run"
    judged.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in listed(qrels)))
    retrieved.write_text("".join(f"{q} Q0 {d} 0 {s!r} tag\n" for q, d, s in listed(run)))
    return judged, retrieved


@settings(max_examples=25, deadline=None)
@given(graded, scored)
def test_every_shape_gives_the_bits_of_the_trec_files(tmp_path_factory: Any, qrels: Graded, run: Scored) -> None:
    assume(qrels.keys() & run.keys())
    expected = bits(*trec(tmp_path_factory.mktemp("trec"), qrels, run))
    for name, made in QRELS.items():
        assert bits(made(qrels), run) == expected, name
    for name, shaped in RUNS.items():
        assert bits(text(qrels), shaped(run)) == expected, name


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(ids, st.permutations(range(9)), min_size=1, max_size=4), st.sets(ids), st.randoms())
def test_a_ranked_list_is_a_run_without_ties(run: dict[int, list[int]], relevant: set[int], random: Any) -> None:
    cut = {query: docs[: random.randint(0, 9)] for query, docs in run.items()}
    scores = {query: {doc: -float(position) for position, doc in enumerate(docs)} for query, docs in cut.items()}
    qrels = {query: relevant | {query} for query in run}
    grades = {query: dict.fromkeys(docs, 1) for query, docs in qrels.items()}
    expected = bits(grades, scores)
    for shaped in (cut, {q: tuple(map(str, docs)) for q, docs in cut.items()}, UserDict(cut)):
        assert bits(qrels, shaped) == expected
    assert (
        bits({query: sorted(docs) for query, docs in qrels.items()}, {q: np.array(d) for q, d in cut.items()})
        == expected
    )
    for rule in ("trec", "input", "average", "range"):
        (row,) = certus.evaluate(qrels, cut, "AP", queries="judged", ties=rule).summary
        assert row.value == certus.evaluate(grades, scores, "AP", queries="judged").summary[0].value


class TestOneQuery:
    """A plain set and a plain list."""

    def test_the_example_of_the_issue(self) -> None:
        found = certus.ranking.average_precision({"a", "b", "c"}, ["x", "a", "y", "b", "c", "z"])
        assert found.value == pytest.approx((1 / 2 + 2 / 4 + 3 / 5) / 3, abs=1e-15)
        assert found.n == 1

    @pytest.mark.parametrize(
        ("relevant", "retrieved"),
        [
            ({"a", "b"}, ["x", "a"]),
            (frozenset({"a", "b"}), ("x", "a")),
            ({"a": 1, "b": 1, "x": 0}, {"a": 1.0, "x": 2.0}),
            (["a", "b"], iter(["x", "a"])),
            ({"a": 0, "b": 0}.keys(), np.array(["x", "a"])),
        ],
    )
    def test_documents_in_any_collection(self, relevant: Any, retrieved: Any) -> None:
        assert certus.ranking.average_precision(relevant, retrieved).value == 0.25

    def test_grades_count(self) -> None:
        expected = certus.ranking.ndcg({"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}).value
        assert certus.ranking.ndcg({"a": 3, "b": 1}, ["b", "a"]).value == expected < 1

    def test_nothing_retrieved_scores_0(self) -> None:
        assert certus.ranking.average_precision({"a"}, []).value == 0

    def test_several_systems_by_name(self) -> None:
        table = certus.evaluate({"a", "b"}, {"one": ["a", "b"], "two": ["x", "a"], "three": {"a": 1.0}}, "AP")
        assert [(row.run, row.value) for row in table] == [("one", 1.0), ("two", 0.25), ("three", 0.5)]

    def test_a_list_of_lists_is_of_several_systems(self) -> None:
        table = certus.evaluate({"a", "b"}, [["a", "b"], ["x", "a"]], "AP")
        assert [(row.run, row.value) for row in table] == [("run 1", 1.0), ("run 2", 0.25)]

    @pytest.mark.parametrize(("qrels", "run"), [({"a"}, {"q": {"a": 1.0}}), ({"query": {"a": 1}}, ["a"])])
    def test_one_query_and_queries_by_id_do_not_go_together(self, qrels: Any, run: Any) -> None:
        with pytest.raises(certus.DataError, match=r"is of one query without an id, but .* has queries by id"):
            certus.ranking.average_precision(qrels, run)

    def test_a_file_has_queries_by_id(self, tmp_path: Path) -> None:
        (tmp_path / "run").write_text("query Q0 a 1 1 t\n")
        with pytest.raises(certus.DataError, match="qrels: is of one query without an id"):
            certus.ranking.average_precision({"a"}, tmp_path / "run")


def test_systems_by_name_are_told_from_rankings_by_query() -> None:
    qrels = {"q1": {"a"}, "q2": {"b"}}
    rankings = {"q1": ["a", "b"], "q2": ["a", "b"]}
    assert [row.run for row in certus.evaluate(qrels, rankings, "RR")] == ["run"]
    assert [row.run for row in certus.evaluate(qrels, {"s": rankings, "t": rankings}, "RR")] == ["s", "t"]
    rows = [(query, doc, -position) for query, docs in rankings.items() for position, doc in enumerate(docs)]
    for runs in ({"s": rows, "t": rankings}, {"s": iter(rows), "t": as_run(rankings)}):
        assert [(row.run, row.value) for row in certus.evaluate(qrels, runs, "RR")] == [("s", 0.75), ("t", 0.75)]
    (row,) = certus.compare(qrels, {"s": iter(rows), "t": {"q1": ["a", "b"], "q2": ["b", "a"]}}, "RR")
    assert row.difference == 0.25


def test_names_of_ranx_name_the_runs() -> None:
    runs = [Ranx("run", {"1": {"a": 1.0}}, "bm25"), Ranx("run", {"1": {"b": 1.0}}, "dense")]
    assert [row.run for row in certus.evaluate({"1": {"a": 1}}, runs, "AP")] == ["bm25", "dense"]


def test_a_number_is_the_text_of_its_digits() -> None:
    assert certus.ranking.average_precision({1: {7: 1}}, {"1": {"7": 1.0}}).value == 1.0
    assert as_qrels({1: {7: 1, "x": 0}}).to_dict() == {"1": {"7": 1, "x": 0}}
    assert as_qrels({2**70: {-3: 1}}).to_dict() == {str(2**70): {"-3": 1}}


def test_judgments_of_a_set_have_one_order() -> None:
    docs = [f"d{i}" for i in range(40)]
    assert as_qrels({"q": set(docs)}).fingerprint == as_qrels({"q": sorted(docs)}).fingerprint


def test_the_compiled_reader_and_python_read_the_same() -> None:
    qrels: Any = {"q1": {"d1": 1, "é": -2, 5: 0}, "q2": {"d1": 3}}
    run: Any = {"q2": {"d9": 1.5, "é": 2}, "q0": {}, 7: {"d1": -0.0}}
    pairs: list[tuple[Any, Any]] = [(as_qrels, qrels), (as_run, run)]
    for read, data in pairs:
        slow = read(UserDict({query: UserDict(inner) for query, inner in data.items()}))
        fast = read(data)
        assert (fast.to_dict(), set(fast.queries), len(fast)) == (slow.to_dict(), set(slow.queries), len(slow))
        assert fast.fingerprint == slow.fingerprint


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"q": {"a", "b"}}, "run: query 'q' has a set, which has no order; give a list"),
        ({"a", "b"}, "run: query 'query' has a set, which has no order"),
        ({"q": ["a", "b", "a"]}, "run: query 'q' has document 'a' at place 1 and again at 3"),
        ({"q": [1, "b", "1"]}, "run: query 'q' has document '1' at place 1 and again at 3"),
        ({"q": ["a", None]}, "run: query 'q': document id is None of type NoneType; ids are text or whole numbers"),
        ({"q": ["a", 1.0]}, "run: query 'q': document id is 1.0 of type float"),
        ({None: ["a"]}, "run: query id is None of type NoneType"),
        ({1 << 20000: ["a"]}, "run: query id is an int of 20001 bits; a whole number as an id has at most 4096"),
        ({"q": [1 << 20000]}, "run: query 'q': document id is an int of 20001 bits"),
        ([("q", 1 << 20000, 1.0)], "run: row 0: doc_id is an int of 20001 bits"),
        ({1: ["a"], "1": ["a"]}, "run: query ids 1 and '1' are the same text; keep one"),
        ({1: {"a": 1.0}, "1": {"b": 1.0}}, "run: query ids 1 and '1' are the same text; keep one"),
        ({"q": {1: 1.0, "1": 2.0}}, "run: document '1' appears twice for query 'q'"),
        (
            [("q", "a", 1.0), ("q", "b")],
            "run: row 1 is a tuple of 2; all are triples of query_id, doc_id and score, or",
        ),
        ([("q", "a", 1.0), ["q", "b", 1.0]], "run: row 1 is a list of 3; all are triples"),
        ([["q", "a", 1.0], ["q", "b"]], "run: row 1 is a list of 2; all are triples"),
        ([("q", "a", 1.0), ("q", "b", "x")], "run: row 1 of score is 'x'; a score must be a number"),
        ([("q", None, 1.0)], "run: row 0: doc_id is None of type NoneType; ids are text"),
        ([("q", "a", 1.0), ("q", "a", 2.0)], "run: document 'a' appears twice for query 'q'"),
        ([ir_measures.Qrel("q", "a", 1)], "run: row 0 is a Qrel without score; a row has query_id, doc_id and score"),
        ([("q", "a", 1.0), ir_measures.ScoredDoc("q", "b", 1.0)], "run: row 1 is a ScoredDoc"),
        ({"q": "abc"}, "run: query 'q' has a str; expected a mapping from document to score"),
        ({"q": [("a", 1.0), "b"]}, r"run: query 'q': document id is \('a', 1.0\) of type tuple"),
        ({"q": [("a", 1.0), ("a", 0.5)]}, "run: query 'q' has document 'a' at place 1 and again at 2"),
        ({"q": [("a", float("nan"))]}, "run: the score of document 'a' for query 'q' is nan; a score must be finite"),
        ({"q": {("a", 1.0)}}, "run: query 'q' has a set, which has no order"),
        ([{"qid": "q", "docno": "a", "rel": 1}], "run: row 0 is a dict without score; a row has query_id, doc_id"),
        ([{"qid": "q", "docno": "a", "sim": 1.0}, {"qid": "q", "docno": "b"}], "run: row 1 is a dict without 'sim'"),
        ([{"qid": "q", "docno": "a", "sim": "1"}], "run: row 0 of sim is '1'; a score must be a number"),
        (iter([]), "is of one query|holds no results|no query"),
    ],
)
def test_what_is_no_run_is_refused_with_its_place(run: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        as_run(run) if not isinstance(run, Iterator) else certus.ranking.ndcg({"q": {"a": 1}}, run)


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ({"q": set()}, "qrels: hold no judgments"),
        (set(), "qrels: hold no judgments"),
        ({"q": {"a", None}}, "qrels: query 'q': document id is None of type NoneType"),
        ({"q": ["a", "a"]}, "qrels: query 'q' has document 'a' at place 1 and again at 2"),
        ([ir_measures.ScoredDoc("q", "a", 1.0)], "qrels: row 0 is a ScoredDoc without relevance"),
        ([("q", "a", 1.5)], "qrels: row 0 of relevance is 1.5; a grade must be a whole number"),
        ([("q", "a", math.nan)], "qrels: row 0 of relevance is nan; a grade must be a whole number"),
        (Ranx("run", {"q": {"a": 1.0}}), "qrels: is of type Ranx; expected a path, a dict of dicts"),
    ],
)
def test_what_are_no_judgments_is_refused_with_its_place(qrels: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        as_qrels(qrels)


def test_columns_are_named_of_data_that_have_some() -> None:
    with pytest.raises(certus.DataError, match="run: is a dict, which has no columns; leave out 'qid'"):
        untyped(as_run)({"q": {"a": 1.0}}, query="qid")


def test_named_columns_of_what_has_no_such_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("query_id,doc_id,score,bm25\nq,a,1,2\nq,b,2,1\n")
    run, qrels = certus.read_run(path), as_qrels({"q": {"a": 1}})
    with pytest.raises(certus.DataError, match="score is 'bm25', but the data are a Run; only columns of a Data"):
        as_run(run, score="bm25")
    with pytest.raises(certus.DataError, match="grade is 'bm25', but the data are a Qrels"):
        as_qrels(qrels, grade="bm25")
    assert as_run(path, score="bm25").to_dict() == {"q": {"a": 2.0, "b": 1.0}}
    assert as_qrels(path, grade="bm25").to_dict() == {"q": {"a": 2, "b": 1}}


@pytest.mark.parametrize("column", [0, "", b"qid"])
def test_a_column_is_named_by_a_text(column: Any) -> None:
    frame = pd.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.0]})
    with pytest.raises(certus.DataError, match=r"query is .*; a column is named by a text"):
        as_run(frame, query=column)


def test_numbers_of_a_series_are_not_taken_for_documents_where_its_index_may_hold_them() -> None:
    scores = pd.Series({"d1": 3, "d2": 2})
    for data in (scores, {"q": scores}):
        with pytest.raises(certus.DataError, match="whose numbers may be documents or the scores of its index"):
            as_run(data)
    with pytest.raises(certus.DataError, match="or the grades of its index; give its"):
        as_qrels(pd.Series({17: 1, 4: 0}))
    frame = pd.DataFrame({"qid": ["p", "q", "q"], "docno": ["c", "b", "a"]})
    assert as_run({"q": frame[frame.qid == "q"].docno}).to_dict() == {"q": {"b": 2.0, "a": 1.0}}
    assert as_run({"q": pd.Series([7, 4])}).to_dict() == {"q": {"7": 2.0, "4": 1.0}}


def test_fields_of_named_tuples_are_found_by_name_in_any_order() -> None:
    frame = pd.DataFrame({"docno": ["a", "b"], "rank": [1, 2], "qid": ["q", "q"], "score": [2.0, 1.0], "rel": [0, 2]})
    assert as_run(frame.itertuples()).to_dict() == {"q": {"a": 2.0, "b": 1.0}}
    assert as_qrels(frame[["docno", "qid", "rel"]].itertuples(index=False)).to_dict() == {"q": {"a": 0, "b": 2}}
    with pytest.raises(certus.DataError, match="row 0 is a Pandas without score; a row has query_id"):
        as_run(frame[["qid", "docno", "rank"]].itertuples(index=False))


def test_a_number_too_long_for_text_is_no_id_of_a_frame_nor_of_a_hit_list() -> None:
    frame = pd.DataFrame({"qid": ["q"], "docno": [1 << 20000], "score": [2.0]}, dtype=object)
    with pytest.raises(certus.DataError, match="row 0 of column 'docno' is an int of 20001 bits"):
        as_run(frame)
    with pytest.raises(certus.DataError, match="ranking has an int of 20001 bits at place 2"):
        certus.HitList.from_names([1, 1 << 20000], [1])


def test_rows_may_be_dicts_by_column_in_any_order() -> None:
    rows = [{"score": 1, "title": "T", "docno": 7, "qid": "q"}, {"qid": "q", "docno": "b", "score": 2.5, "more": None}]
    assert as_run(rows).to_dict() == as_run(iter(rows)).to_dict() == {"q": {"7": 1.0, "b": 2.5}}
    frame = pd.DataFrame({"query-id": ["q", "p"], "corpus-id": ["a", "b"], "score": [0, 2]})  # BEIR's qrels
    qrels = frame.to_dict("records")
    assert as_qrels(qrels).to_dict() == as_qrels(frame).to_dict() == {"q": {"a": 0}, "p": {"b": 2}}
    assert certus.evaluate({"q": {7}}, {"one": rows}, "AP").summary[0].value == 0.5
    assert certus.evaluate(qrels, {"p": ["b"]}, "AP").summary[0].value == 1.0


def test_rows_of_several_runs_are_not_taken_for_one() -> None:
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "score": [2.0, 1.0], "run": ["x", "y"]})
    for rows in (frame.to_dict("records"), frame.itertuples()):
        with pytest.raises(
            certus.DataError, match=r"the rows have 2 values of 'run' \('x', 'y', ...\); a DataFrame and"
        ):
            certus.evaluate({"q": {"a"}}, rows, "AP", task="ranking")
    assert as_run(frame.assign(run="x").to_dict("records")).to_dict() == {"q": {"a": 2.0, "b": 1.0}}


def test_a_list_may_hold_pairs_of_a_document_and_a_number() -> None:
    run = {"q": [("b", 0.5), (7, 2)], "p": [("a", np.float32(1))], "none": []}
    assert as_run(run).to_dict() == {"q": {"b": 0.5, "7": 2.0}, "p": {"a": 1.0}, "none": {}}
    assert as_qrels({"q": [("b", 0), (7, 2)]}).to_dict() == {"q": {"b": 0, "7": 2}}
    assert [row.run for row in certus.evaluate({"q": {7}}, {"one": run, "two": run}, "AP")] == ["one", "two"]
    assert certus.ranking.average_precision({"a"}, [("x", 1.0), ("a", 3.0)]).value == 1.0


def test_an_open_file_is_no_list_of_documents(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a\nb\n")
    with (tmp_path / "run").open() as run, pytest.raises(certus.DataError, match="run: is an open file; give its path"):
        certus.ranking.average_precision({"a"}, run)
    with (tmp_path / "run").open("rb") as qrels, pytest.raises(certus.DataError, match="qrels: is an open file"):
        certus.ranking.average_precision(qrels, ["a"])


def test_whole_numbers_beyond_64_bits_are_ids_in_a_frame_too() -> None:
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": [2**70, 3], "score": [2.0, 1.0]})
    assert as_run(frame).to_dict() == {"q": {str(2**70): 2.0, "3": 1.0}}


def test_what_is_one_is_said_in_the_singular(tmp_path: Path) -> None:
    qrels, run = as_qrels({"q": {"a": 1}}), as_run({"q": {"a": 1.0}})
    assert [repr(qrels), repr(run)] == ["<Qrels qrels: 1 judgment for 1 query>", "<Run run: 1 document for 1 query>"]
    assert repr(as_run({"q": ["a", "b"], "p": ["a"]})) == "<Run run: 3 documents for 2 queries>"
    judged = {"q": {"a": 1, "b": -1}, "p": {"a": 0}, "left": {"a": 1}}
    table = certus.evaluate(judged, {"q": ["a"], "p": ["a"]}, "AP")
    assert {notice.kind: notice.text for notice in table.warnings} == {
        "negative-grades": "1 judgment has a negative grade and is treated as unjudged",
        "missing-queries": "1 query of the qrels not in the run is left out of the average (queries='judged' counts it "
        "as 0)",
        "no-relevant": "1 of 2 queries has no relevant document and counts as 0",
    }


@pytest.mark.parametrize("kind", ["Qrels", "Run"])
def test_the_classes_of_qrels_and_runs_refuse_data_and_name_the_function_that_takes_them(kind: str) -> None:
    with pytest.raises(certus.DataError, match=f"{kind} is not made from dict by its class; .*as_{kind.lower()}"):
        getattr(certus, kind)({"q": {"d": 1}})
