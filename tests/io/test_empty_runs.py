"""Runs that retrieved nothing, for some queries or for all."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import certus
from certus import DataError
from certus.io import as_run

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 0}}


def value(run: Any, queries: Any = "intersection") -> tuple[float, int]:
    """The value of three metrics that must agree, and of how many queries it is."""
    first, *others = certus.evaluate(QRELS, run, ["AP", "P@1", "nDCG"], queries=queries).summary
    assert [row.value for row in others] == [first.value] * 2
    return first.value, first.n


@pytest.mark.parametrize(
    ("run", "queries", "expected", "n"),
    [
        ({"q1": {}}, "intersection", 0.0, 1),
        ({"q1": {}}, "judged", 0.0, 3),
        ({"q1": {}, "q2": {}}, "intersection", 0.0, 2),
        ({"q1": {}, "q2": {"d2": 1.0}}, "intersection", 0.5, 2),
        ({"q2": {"d2": 1.0}, "q1": {}}, "intersection", 0.5, 2),
        ({"q1": {}, "q2": {"d2": 1.0}}, "judged", 1 / 3, 3),
        ({}, "judged", 0.0, 3),
        (pd.DataFrame({"query_id": [], "doc_id": [], "score": []}).astype({"score": float}), "judged", 0.0, 3),
    ],
    ids=str,
)
def test_a_query_that_retrieved_nothing_counts_0(run: Any, queries: str, expected: float, n: int) -> None:
    found, queries_averaged = value(run, queries)
    assert (found, queries_averaged) == (expected, n)


@pytest.mark.parametrize("run", [{}, pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [1.0]})[:0]], ids=str)
def test_a_run_without_any_query_shares_none(run: Any) -> None:
    with pytest.raises(DataError, match=r"^run: holds no results; queries='judged' counts the judged queries as 0$"):
        value(run)


def test_queries_that_are_not_judged_are_others() -> None:
    with pytest.raises(DataError, match="has no query in common with qrels; the run has 'q9', the qrels have 'q1'"):
        value({"q9": {}})


def test_a_json_file_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"q1": {}, "q2": {"d2": 1.0}}))
    assert value(path) == (0.5, 2)
    path.write_text(json.dumps({"q1": {}}))
    with pytest.raises(DataError, match=r"run\.json: holds no results; expected \{query: \{document: score\}\}$"):
        value(path, "judged")


def test_systems_are_compared_where_one_retrieved_nothing() -> None:
    runs = {"a": {"q1": {}, "q2": {}}, "b": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}}
    (row,) = certus.compare(QRELS, runs, "AP").rows
    assert (row.difference, row.n) == (1.0, 2)


def test_runs_with_and_without_an_empty_query_differ() -> None:
    one, other = as_run({"q1": {"d1": 1.0}}), as_run({"q1": {"d1": 1.0}, "q2": {}})
    assert one.fingerprint != other.fingerprint
    assert (one.queries, other.queries) == (("q1",), ("q1", "q2"))
    assert other.to_dict() == {"q1": {"d1": 1.0}, "q2": {}}


def test_an_empty_run_still_says_where_its_ties_are() -> None:
    assert certus.evaluate(QRELS, {"q1": {}}, "AP", ties="average").summary[0].value == 0.0
