"""Rankings in objects of Python: dictionaries and frames, and what is refused of them."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from reader_files import Put, putter, ranks

import certus
from certus.io import as_qrels, as_run

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 c 2\n"
RUN = b"1 Q0 a 1 2.5 tag\n1 Q0 x 2 1.5 tag\n2 Q0 c 1 7 tag\n2 Q0 b 2 -1e-3 tag\n"


@pytest.fixture
def put(tmp_path: Path) -> Put:
    return putter(tmp_path, "in.txt")


class TestPython:
    """Data in Python objects."""

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize("names", [("query_id", "doc_id", "score"), ("qid", "docno", "score")])
    def test_data_frames_are_read_by_the_usual_column_names(self, backend: str, names: tuple[str, str, str]) -> None:
        data: dict[str, list[Any]] = {
            names[0]: ["1", "1", "2"],
            names[1]: ["a", "x", "c"],
            names[2]: [2.5, 1.5, 7.0],
            "rank": [0, 1, 0],
        }
        assert ranks(_frame(backend, data)) == [(1, 1), (1, 2)]

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    def test_whole_number_ids_and_floating_whole_grades_are_taken_as_written(self, backend: str) -> None:
        qrels = _frame(backend, {"qid": [1, 1, 2], "docno": [10, 11, 12], "label": [1.0, 0.0, 2.0]})
        assert as_qrels(qrels).to_dict() == {"1": {"10": 1, "11": 0}, "2": {"12": 2}}

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize("kind", ["int8", "uint16", "int64", "uint64"])
    def test_ids_of_every_whole_type_are_written_in_full(self, backend: str, kind: str) -> None:
        limits = np.iinfo(kind)
        ids = np.array([limits.min, 7, limits.max], dtype=kind)
        qrels = _frame(backend, {"qid": ids, "docno": ids, "label": [1, 0, 2]})
        assert as_qrels(qrels).to_dict() == {
            str(limits.min): {str(limits.min): 1},
            "7": {"7": 0},
            str(limits.max): {str(limits.max): 2},
        }

    @pytest.mark.parametrize(
        ("backend", "kind"), [("pandas", "UInt64"), ("polars", "Int128"), ("polars", "UInt64"), ("pyarrow", "uint64")]
    )
    def test_rankings_with_ids_of_wide_types_are_told_by_their_columns(self, backend: str, kind: str) -> None:
        ids = [2**64 - 1, 2**64 - 2, 7]
        data = {"qid": [1, 1, 1], "docno": ids, "label": [1, 0, 2], "score": [0.5, 0.5, 0.9]}
        if backend == "pyarrow":
            frame = pa.table(data, schema=pa.schema({"qid": kind, "docno": kind, "label": "int8", "score": "float"}))
        elif backend == "polars":
            frame = pl.DataFrame(data, schema_overrides=dict.fromkeys(["qid", "docno"], getattr(pl, kind)))
        else:
            frame = pd.DataFrame(data).astype(dict.fromkeys(["qid", "docno"], kind))
        as_text = pd.DataFrame(data | {"qid": ["1"] * 3, "docno": list(map(str, ids))})
        expected = certus.evaluate(as_text[["qid", "docno", "label"]], as_text[["qid", "docno", "score"]], ["AP", "RR"])
        assert str(certus.evaluate(frame, frame, ["AP", "RR"])) == str(expected)

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ({"qid": ["1"], "docno": ["a"]}, "has none of 'score', 'sim', 'rank' as columns, but 'qid'"),
            ({"qid": ["1"], "query_id": ["1"], "docno": ["a"], "score": [1.0]}, "has both 'qid' and 'query_id'"),
            ({"qid": ["1", None], "docno": ["a", "b"], "score": [1.0, 2.0]}, "row 1 of column 'qid' is missing"),
            ({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, None]}, "'score'"),
            ({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, float("inf")]}, "row 1 of column 'score' is inf"),
            ({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}, "document 'a' appears twice for query '1'"),
            ({"qid": [1.5], "docno": ["a"], "score": [1.0]}, "is 1.5 of type float; ids are text or whole numbers"),
            ({"qid": ["1"], "docno": ["a"], "score": ["1.0"]}, "column 'score' is of type .*; it must hold numbers"),
        ],
    )
    def test_data_frames_that_are_no_runs_are_refused(
        self, backend: str, data: dict[str, list[Any]], message: str
    ) -> None:
        with pytest.raises(certus.DataError, match=message):
            ranks(_frame(backend, data))

    def test_columns_can_be_named(self) -> None:
        frame = _frame("polars", {"q": ["1"], "d": ["a"], "s": [1.0]})
        assert as_run(frame, query="q", doc="d", score="s").to_dict() == {"1": {"a": 1.0}}
        with pytest.raises(certus.DataError, match="has no column 'z'; it has 'q', 'd', 's'"):
            as_run(frame, query="z", doc="d", score="s")

    @pytest.mark.parametrize(
        ("run", "message"),
        [
            ({}, "holds no results"),
            ({"1": {"a\0b": 1.0}}, "holds a NUL character"),
            ({None: {"a": 1.0}}, "query id is None of type NoneType; ids are text or whole numbers"),
            ({"1": {True: 1.0}}, "document id is True of type bool; ids are text or whole numbers"),
            ({"1": {"a": float("nan")}}, "is nan; a score must be finite"),
            ({"1": {"a": 10**400}}, "is inf; a score must be finite"),
            ({"1": {"a": "1"}}, "is '1'; a score must be a number"),
            ({"1": None}, "query '1' has a NoneType; expected a mapping"),
            (3, "is of type int; expected a path, a dict of dicts, rows, a DataFrame"),
            (None, "is of type NoneType; expected a path"),
            ({"1": {"a": Decimal("sNaN")}}, "is nan; a score must be finite"),
            ({"1": {"\ud800": 1.0}}, "holds half of a surrogate pair"),
        ],
    )
    def test_what_is_no_run_is_refused(self, run: Any, message: str) -> None:
        with pytest.raises(certus.DataError, match=message):
            ranks(run)

    def test_decimal_scores_are_numbers(self) -> None:
        assert as_run({"1": {"a": Decimal("1.5")}}).to_dict() == {"1": {"a": 1.5}}

    def test_a_grade_too_long_to_print_is_refused(self) -> None:
        with pytest.raises(certus.DataError, match="is an int of 16610 bits; a grade must lie"):
            as_qrels({"1": {"a": 10**5000}})

    def test_two_columns_of_one_name_are_refused(self) -> None:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame([["1", "a", 1.0, 2.0]], columns=["qid", "docno", "score", "score"])
        with pytest.raises(certus.DataError, match="has two columns of one name"):
            as_run(frame)

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    def test_lists_are_no_ids(self, backend: str) -> None:
        frame = _frame(backend, {"qid": ["1"], "docno": [["a"]], "score": [1.0]})
        with pytest.raises(certus.DataError, match=r"row 0 of column 'docno' is .* of type .*; ids are text"):
            as_run(frame)

    def test_what_is_read_can_be_used_again(self, put: Put) -> None:
        run, qrels = certus.read_run(put(RUN)), certus.read_qrels(put(QRELS, "qrels"))
        assert (len(run), len(qrels), run.tag, run.queries) == (4, 3, "tag", ("1", "2"))
        assert ranks(run, qrels) == ranks(run, qrels) == [(1, 1), (1, 2)]
        assert "4 documents for 2 queries" in repr(run)
        assert "3 judgments for 2 queries" in repr(qrels)


def _frame(backend: str, data: dict[str, Any]) -> Any:
    module = pytest.importorskip(backend)
    return module.table(data) if backend == "pyarrow" else module.DataFrame(data)
