"""States of rankings: any partition of the queries, any order, the table of all queries at once."""

import base64
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hostile_states import parse_state, state_bytes

import certus
from certus.metrics import Metric, declared
from certus.states import State

USUAL = ["nDCG@10", "AP", "RR", "P@10"]
Nested = dict[str, dict[str, Any]]


def judged_and_retrieved(seed: int, queries: int = 24) -> tuple[Nested, Nested]:
    """Judgments and a run with ties, negative grades, queries on one side only and a query without results."""
    rng = np.random.default_rng(seed)
    qrels: Nested = {}
    run: Nested = {}
    for number in range(queries):
        query = f"q{number}é" if number % 5 == 0 else f"q{number}"
        judged, retrieved = (rng.choice(30, rng.integers(2, 15), replace=False) for _ in range(2))
        if number >= 3:
            qrels[query] = {f"d{each}": int(rng.integers(-1, 4)) for each in judged}
        if number < queries - 3:
            run[query] = {f"d{each}": float(rng.integers(0, 9)) for each in retrieved}
    run["q4"] = {}
    return qrels, run


def merged(
    metrics: Any, qrels: Nested, run: Nested, parts: int, seed: int, told: dict[str, Any] | None = None
) -> State:
    """The state of queries in several batches, each made by itself, sent as bytes and merged in another order."""
    queries = sorted({*qrels, *run})
    order = np.random.default_rng(seed).permutation(len(queries))
    states = []
    for index in np.array_split(order, parts):
        state = State(metrics, task="ranking", **(told or {}))
        for some in np.array_split(index, 2):
            judged, retrieved = (_some(each, [queries[i] for i in some]) for each in (qrels, run))
            if judged or retrieved:
                state.update(judged or None, retrieved)
        states.append(State.from_bytes(state.to_bytes()))
    whole = states.pop(parts // 2)
    for other in states:
        assert whole.merge(other) is whole
    return whole


def _some(nested: Nested, queries: Iterable[str]) -> Nested:
    return {query: nested[query] for query in queries if query in nested}


CONVENTIONS = [
    {},
    {"queries": "judged"},
    {"ties": "average"},
    {"ties": "range"},
    {"unjudged": "remove"},
    {"unjudged": "bounds"},
]


@pytest.mark.parametrize("told", CONVENTIONS, ids=lambda told: "-".join(told.values()) or "usual")
def test_any_partition_has_the_table_of_all_queries(told: dict[str, Any]) -> None:
    qrels, run = judged_and_retrieved(17)
    metrics = [metric for metric in declared("ranking") if not _refused(metric, qrels, run, told)]
    assert len(metrics) > 30
    expected = certus.evaluate(qrels, run, metrics, **told)
    states = [merged(metrics, qrels, run, parts, seed, told) for parts, seed in ((1, 1), (3, 2), (12, 3))]
    assert len({zlib.crc32(state.to_bytes()) for state in states}) == 1
    table = states[-1].evaluate()
    assert list(map(repr, table)) == list(map(repr, expected))
    assert table.warnings == expected.warnings


def _refused(metric: Metric, qrels: Nested, run: Nested, told: dict[str, Any]) -> bool:
    """True if the metric is refused of all queries; a state refuses it in the same words."""
    try:
        certus.evaluate(qrels, run, metric, **told)
    except certus.CertusError as error:
        reason = str(error)
    else:
        return False
    with pytest.raises(certus.CertusError) as found:
        merged([metric], qrels, run, 3, 1, told).evaluate()
    assert str(found.value) == reason
    return True


def test_the_table_says_what_that_of_all_queries_says() -> None:
    qrels, run = judged_and_retrieved(3)
    whole = certus.evaluate(qrels, run, USUAL, name="bm25")
    assert str(merged(USUAL, qrels, run, 4, 5).evaluate(name="bm25")) == str(whole)
    assert any("Unicode" in str(warning) for warning in _twins().evaluate().warnings)


def _twins() -> State:
    state = State("AP", task="ranking")
    state.update({"q1": {"caf\u00e9": 1, "cafe\u0301": 0}}, {"q1": ["caf\u00e9"]})
    state.update({"q2": {"d1": 1}}, {"q2": ["d1"]})
    return state


def test_judgments_may_come_before_results_and_again() -> None:
    qrels, run = judged_and_retrieved(9)
    queries = sorted(run.keys() & qrels.keys())
    state = State(USUAL, task="ranking", queries="judged")
    state.update(qrels)
    for some in (queries[:5], queries[5:]):
        state.update(qrels, _some(run, some))
    expected = certus.evaluate(qrels, _some(run, queries), USUAL, queries="judged")
    assert [row.value for row in state.evaluate()] == [row.value for row in expected]
    assert state.evaluate().warnings == expected.warnings
    assert len(state) == len(qrels)


def test_a_query_that_comes_twice_is_named_and_nothing_is_added() -> None:
    state = State("AP", task="ranking")
    state.update({"a": {"d1": 1}, "b": {"d1": 1}}, {"a": {"d1": 1.0}, "u": ["d7"]})
    before = state.to_bytes()
    for qrels, run, message in (
        ({"c": {"d1": 1}, "a": {"d1": 1}}, {"c": ["d1"], "a": ["d1"]}, "query 'a' was given before; give all results"),
        (None, {"u": ["d1"]}, "query 'u' was given before"),
        ({"c": {"d1": 1}, "u": {"d7": 1}}, None, "query 'u' has results without judgments in one batch and its"),
        (None, {"v": ["d1"], "b": ["d1"]}, "query 'b' has results without judgments in one batch"),
        ({"b": {"d1": 2}}, {"b": ["d1"]}, "query 'b' has other judgments than before"),
        ({"c": {"d1": 1}}, [("c", "d1", 1.0), ("c", "d1", 2.0)], "document 'd1' appears twice for query 'c'"),
        ({"d1": 1}, ["d1"], "of one query without an id"),
    ):
        other = State("AP", task="ranking")
        with pytest.raises(certus.DataError, match=message):
            state.update(qrels, run)
        assert state.to_bytes() == before
        if "appears twice" in message or "without an id" in message:
            continue
        other.update(qrels, run)
        with pytest.raises(certus.DataError, match=message):
            state.merge(other)
        assert state.to_bytes() == before


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_are_taken_as_evaluate_takes_them(library: str) -> None:
    frames = pytest.importorskip(library)
    make = frames.table if library == "pyarrow" else frames.DataFrame
    qrels, run = judged_and_retrieved(2)
    del run["q4"]
    state = State(USUAL, task="ranking")
    for queries in (sorted(qrels)[::2], sorted(qrels)[1::2]):
        state.update(
            make(_columns(_some(qrels, queries), "relevance")), runs=make(_columns(_some(run, queries), "score"))
        )
    expected = certus.evaluate(qrels, _some(run, qrels), USUAL)
    assert [row.value for row in state.evaluate()] == [row.value for row in expected]


def _columns(nested: Nested, value: str) -> dict[str, list[Any]]:
    rows = [(query, doc, number) for query, inner in nested.items() for doc, number in inner.items()]
    return {name: [row[position] for row in rows] for position, name in enumerate(("query", "doc", value))}


def test_what_states_of_rankings_cannot_do_is_refused() -> None:
    state = State("AP", task="ranking", ties="average")
    with pytest.raises(certus.DataError, match="no query of the state has judgments"):
        state.evaluate()
    with pytest.raises(certus.DataError, match="needs qrels and runs"):
        state.update()
    with pytest.raises(certus.MetricNameError, match="scores is nothing that a batch of ranking has"):
        state.update({"a": {"d1": 1}}, scores=[1.0])
    with pytest.raises(certus.DataError, match="qrels is given twice"):
        state.update({"a": {"d1": 1}}, qrels={"a": {"d1": 1}})
    with pytest.raises(certus.MetricNameError, match="rows does not apply to ranking"):
        State("AP", task="ranking", rows=True)
    with pytest.raises(certus.MetricNameError, match="ties is 'random'; it must be one of"):
        State("AP", task="ranking", ties="random")
    with pytest.raises(certus.DataError, match="predictions by name"):
        State("Accuracy").update([1, 0], [1, 0])
    with pytest.raises(certus.DataError, match="the states differ in conventions"):
        state.merge(State("AP", task="ranking"))
    state.update({"a": {"d1": 1}}, {"a": {"d1": 1.0, "d2": 1.0}})
    with pytest.raises(certus.DataError, match="chance needs the sizes of all ties, which a state does not hold"):
        state.evaluate(chance=True)


WIDE = (
    "c-qZQO;5ux3~f5NaN;-k93(~yntB=ni7RKS9zyF)*|K!a#{f<HrTiJ3Dw;x19I+Jpy*&HbEgI+TjdjA|)f>ykIKlyqmA!_l;NXPaLIp<Xt<-DautR5LY"
    "oV&)@s+rKetKCJ&~RvbeL(GKlGNjggXupAt%S130Y63SpmN3&QN1O6OVeXsNmL!RYOfTD;vH33FnW6Jusge0zl+M?(MTNc80K`xa2HY;4)J>9yLFf%Z9"
    "GjFBfdg!4N|*@5_sA08a$DL=88a4?EgkmulRo-@#1&Oe9<(gEJhydY*Ja&@&vQw<r96Dcx4l>i&!s{oh;eI&gfso^?v#N1LON}Mg"
)
"""A state of the third version, whose columns of queries are as wide as in memory."""


def test_bytes_of_the_third_version_are_read() -> None:
    qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1}, "q4": {"d9": 1}}
    run = {"q1": {"d1": 0.5, "d3": 0.5, "d7": 0.4}, "q2": {"d4": 1.0, "d1": 0.9}, "q3": {"d1": 1}}
    before = State.from_bytes(zlib.decompress(base64.b85decode(WIDE)))
    now = State(["AP", "nDCG@3"], task="ranking")
    now.update(qrels, run)
    assert before.to_bytes() == now.to_bytes()
    assert str(before.evaluate()) == str(certus.evaluate(qrels, run, ["AP", "nDCG@3"]))


@pytest.mark.parametrize(("position", "held"), [(4, 0xFF), (10, 0xFF), (25, 2)], ids=["rank", "tie", "lacking"])
def test_columns_of_queries_that_hold_what_they_cannot_are_refused(position: int, held: int) -> None:
    state = State("AP", task="ranking")
    state.update(
        {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 0.5, "d3": 0.4}, "q2": {"d1": 0.9}}
    )
    wrong = bytearray(state.to_bytes()[:-4])
    head = len(b"certus-state\n") + 8
    start = head + int.from_bytes(wrong[head - 8 : head], "little")
    wrong[start + position] = held
    with pytest.raises(certus.DataError, match="not those of a state"):
        State.from_bytes(bytes(wrong) + zlib.crc32(bytes(wrong)).to_bytes(4, "little"))


WRAPPED = [0, 2**63 - 1, -2, 3]
"""Places in disorder; their differences wrap around to numbers that are not negative."""


@pytest.mark.parametrize(
    ("head", "columns"),
    [
        ({}, {0: WRAPPED}),
        ({}, {6: WRAPPED}),
        ({"queries": ["b", "a", "c"]}, {}),
        ({"queries": ["a", "b", 3]}, {}),
        ({"queries": ["a", "b", "\ud800"]}, {}),
        ({"unjudged": ["\ud800"]}, {}),
        ({"unjudged": [None]}, {}),
    ],
)
def test_queries_that_no_state_writes_are_refused(head: dict[str, Any], columns: dict[int, list[int]]) -> None:
    state = State("AP", task="ranking")
    state.update({query: {"d1": 1} for query in "abc"}, {query: {"d1": 1.0} for query in "abcu"})
    before, arrays = parse_state(state.to_bytes())
    assert State.from_bytes(state_bytes(before, arrays)).to_bytes() == state.to_bytes()
    for position, numbers in columns.items():
        arrays[position] = np.array(numbers)
    with pytest.raises(certus.DataError, match="not those of a state"):
        State.from_bytes(state_bytes(before | head, arrays))
