"""The provider for ir_measures against ir_measures' own providers (0.4.3), and how it is registered.

ir_measures' own tests are run with it in peer_suites.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import (
    AP,
    ERR,
    RBP,
    RR,
    Accuracy,
    Bpref,
    Compat,
    IPrec,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    Success,
    alpha_nDCG,
    infAP,
    nDCG,
)

from certus import DataError, MetricNameError
from certus.compat.ir_measures import Provider, register

OF_TREC_EVAL = (
    *(AP, AP @ 10, AP(rel=2) @ 3, AP(judged_only=True), AP(rel=2, judged_only=True) @ 2, P @ 5, P(rel=3) @ 1),
    *(
        P(rel=2, judged_only=True) @ 5,
        R @ 2,
        R(rel=2) @ 5,
        R(judged_only=True) @ 1,
        RR,
        RR(rel=3),
        RR(judged_only=True),
    ),
    *(Rprec, Rprec(rel=2), Rprec(judged_only=True), Bpref, infAP, infAP(rel=2), nDCG, nDCG @ 3, nDCG(judged_only=True)),
    *(nDCG(gains={0: 0, 1: 5, 3: 7}) @ 3, NumRet, NumRelRet, NumRet(rel=2), NumQ, NumRel, SetP, SetP(rel=2), SetRelP),
    *(SetP(judged_only=True), SetR, SetR(rel=2), SetF, SetF(judged_only=True), SetAP, SetAP(rel=2, judged_only=True)),
    *(Success @ 1, Success(rel=2) @ 3, IPrec @ 0.1, IPrec(rel=2) @ 0.5, IPrec(judged_only=True) @ 0.5),
)
"""Measures for which ir_measures asks pytrec_eval."""
PROVIDER = Provider()
DOCUMENTS = [f"d{i}" for i in range(10)]


class Case(NamedTuple):
    """Judgments and a run."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]


@st.composite
def cases(draw: st.DrawFn, *, ties: bool = True, least: int = -1) -> Case:
    """Queries are missing on either side; each query of the run has a judged document, of no negative grade."""
    queries = [f"q{i}" for i in range(draw(st.integers(1, 4)))]
    grade = st.integers(least, 4)
    qrels = {
        query: {**draw(st.dictionaries(st.sampled_from(DOCUMENTS), grade, max_size=8)), "top": 4} for query in queries
    }
    run = {}
    for query in draw(st.sets(st.sampled_from([*queries, "other"]))):
        found = draw(st.lists(st.sampled_from([*DOCUMENTS, "x", "y"]), unique=True, max_size=8))
        position = draw(st.integers(0, len(found)))
        listed = [*found[:position], "top", *found[position:]]
        kinds = st.sampled_from([1.0, 2.0, 2.00000001, -1.0]) if ties else st.nothing()
        scores = [draw(kinds) for _ in listed] if ties else [float(-i) for i, _ in enumerate(listed)]
        run[query] = dict(zip(listed, scores, strict=True))
    return Case(qrels, run)


def values(tool: Any, measures: Any, case: Case) -> dict[tuple[str, Any], float]:
    return {(each.query_id, each.measure): each.value for each in tool.iter_calc(measures, case.qrels, case.run)}


@settings(max_examples=100, deadline=None)
@given(cases(), st.sets(st.sampled_from(OF_TREC_EVAL), min_size=1, max_size=6))
def test_values_are_those_of_pytrec_eval_bit_for_bit(case: Case, measures: set[Any]) -> None:
    # One at a time: ir_measures asks pytrec_eval for nDCG with the mapped grades of another nDCG(gains=...) beside it.
    peer = ir_measures.pytrec_eval
    one_by_one = {key: found for each in measures for key, found in values(peer, [each], case).items()}
    assert values(PROVIDER, measures, case) == one_by_one
    aggregates = PROVIDER.calc_aggregate(measures, case.qrels, case.run)
    expected = {each: peer.calc_aggregate([each], case.qrels, case.run)[each] for each in measures}
    assert aggregates == pytest.approx(expected, 1e-14)


def test_ndcg_does_not_depend_on_the_measures_beside_it() -> None:
    """In ir_measures 0.4.3 the first value is 0 if the second measure is asked for, too."""
    together = PROVIDER.calc_aggregate([nDCG(gains={1: 5, 3: 7}) @ 3, nDCG @ 3], {"q": {"d": 4}}, {"q": {"d": 1.0}})
    assert together == {nDCG(gains={1: 5, 3: 7}) @ 3: 1.0, nDCG @ 3: 1.0}


@settings(max_examples=30, deadline=None)
@given(cases())
def test_f_with_a_beta_is_that_of_pytrec_eval_but_for_the_last_bits(case: Case) -> None:
    """SetF's beta is the square of F's, whose root is rounded."""
    for measure in (SetF(beta=2.0), SetF(beta=0.5), SetF(beta=3.0, rel=2)):
        expected = values(ir_measures.pytrec_eval, [measure], case)
        assert values(PROVIDER, [measure], case) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_gdeval_as_far_as_it_prints_them(seed: int) -> None:
    documents = [f"d{(seed + 7 * i) % 10}" for i in range(10)]
    qrels = {f"{k}": {doc: (i * k + seed) % 5 for i, doc in enumerate(documents[k:])} for k in range(1, 4)}
    run = {f"{k}": {doc: float(i * k % 11) for i, doc in enumerate(documents[:-k])} for k in range(1, 4)}
    case = Case(qrels, run)
    for measure in (nDCG(dcg="exp-log2") @ 5, nDCG(dcg="exp-log2") @ 20, ERR @ 3, ERR @ 20):
        assert values(PROVIDER, [measure], case) == pytest.approx(
            values(ir_measures.gdeval, [measure], case), abs=5.1e-6
        )


def test_ties_are_broken_alike_for_every_measure() -> None:
    """The greater id first, as in trec_eval; ir_measures' own provider of RR@5 takes the lesser, of RR the greater."""
    case = Case({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}})
    assert list(values(PROVIDER, [RR, RR @ 5], case).values()) == [0.5, 0.5]
    assert list(values(ir_measures, [RR], case).values()) == [0.5]
    assert list(values(ir_measures, [RR @ 5], case).values()) == [1.0]


def test_graded_rank_biased_precision_is_not_offered() -> None:
    """Without rel the grades themselves are added, which carries it above 1; no provider of ir_measures has it."""
    assert not PROVIDER.supports(RBP)
    assert PROVIDER.supports(RBP(rel=1, p=0.5) @ 5)
    case = Case({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}})
    assert list(values(PROVIDER, [RBP(rel=1, p=0.5)], case).values()) == [0.25]
    with pytest.raises(MetricNameError, match="without rel the grades themselves are added"):
        values(PROVIDER, [RBP], case)


@pytest.mark.parametrize("measure", [alpha_nDCG @ 5, Compat, ir_measures.BPM(max_rel=3) @ 5])
def test_measures_that_certus_lacks_are_not_supported(measure: Any) -> None:
    assert not PROVIDER.supports(measure)
    with pytest.raises(ValueError, match=str(measure.NAME)):
        PROVIDER.calc_aggregate([measure], {"q": {"a": 1}}, {"q": {"a": 1.0}})


def test_wrong_parameters_are_refused_as_by_other_providers() -> None:
    with pytest.raises(AssertionError, match="invalid param cutoff"):
        PROVIDER.supports(P)


QRELS, RUN = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}, {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 0.5}}
QREL_ROWS = [ir_measures.Qrel(query, doc, grade) for query, found in QRELS.items() for doc, grade in found.items()]
RUN_ROWS = [ir_measures.ScoredDoc(query, doc, score) for query, found in RUN.items() for doc, score in found.items()]


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (QRELS, RUN),
        (QREL_ROWS, RUN_ROWS),
        (iter(QREL_ROWS), iter(RUN_ROWS)),
        (pd.DataFrame(QREL_ROWS), pd.DataFrame(RUN_ROWS).assign(rank=0, docno="")),
    ],
    ids=["dicts", "named tuples", "iterators", "frames"],
)
def test_data_may_have_any_shape_of_ir_measures(qrels: Any, run: Any) -> None:
    assert PROVIDER.calc_aggregate([AP], qrels, run) == {AP: 0.75}


def empty(*columns: str) -> list[Any]:
    """Nothing, in every shape of ir_measures."""
    return [{}, [], iter([]), pd.DataFrame([], columns=list(columns))]


@pytest.mark.parametrize("run", empty("query_id", "doc_id", "score"))
def test_nothing_retrieved_is_the_default(run: Any) -> None:
    missing = [ir_measures.Metric("q1", AP, 0.0), ir_measures.Metric("q2", AP, 0.0)]
    assert list(PROVIDER.iter_calc([AP, Accuracy], QRELS, run)) == missing


@pytest.mark.parametrize("qrels", empty("query_id", "doc_id", "relevance"))
def test_nothing_judged_is_nothing(qrels: Any) -> None:
    assert list(PROVIDER.iter_calc([AP], qrels, RUN)) == []


@pytest.mark.parametrize(
    ("qrels", "run", "of_q1", "mean"),
    [
        ({"q1": {"a": 1}, "q2": {"c": 1}}, {"q1": {}, "q2": {"c": 1.0}}, (0, 1, 1, 0), 0.5),
        ({"q1": {}, "q2": {"c": 1}}, {"q1": {"a": 1.0}, "q2": {"c": 1.0}}, (0, 0, 0, 0), 0.5),
        ({"q1": {}, "q2": {"c": 1}}, {"q1": {"a": 1.0}}, (0, 0, 0, 0), 0.0),
        ({"q1": {}}, {"q1": {"a": 1.0}}, (0, 0, 0, 0), 0.0),
    ],
)
def test_queries_of_dicts_that_hold_nothing_count(qrels: Any, run: Any, of_q1: tuple[int, ...], mean: float) -> None:
    """As in pytrec_eval, which is not asked here: on lists without documents it reads memory that it does not own."""
    measures = [AP, NumQ, NumRel, NumRet]
    found = PROVIDER.evaluator(measures, qrels).calc(run)
    values = {(each.query_id, each.measure): each.value for each in found.per_query}
    assert tuple(values["q1", measure] for measure in measures) == of_q1
    assert {query for query, _ in values} == set(qrels)
    assert found.aggregated[AP] == mean


def test_an_evaluator_takes_many_runs() -> None:
    evaluator = PROVIDER.evaluator([AP, nDCG @ 1], QRELS)
    assert evaluator.calc_aggregate(RUN) == {AP: 0.75, nDCG @ 1: 0.5}
    assert evaluator.calc_aggregate({"q2": {"c": 1}}) == {AP: 0.5, nDCG @ 1: 0.5}
    assert evaluator.calc_aggregate({"other": {"c": 1}}) == {AP: 0.0, nDCG @ 1: 0.0}
    assert len(evaluator.calc(RUN).per_query) == 4


def test_what_ir_measures_overwrites_in_silence_is_refused() -> None:
    twice = [*RUN_ROWS, ir_measures.ScoredDoc("q1", "a", 9.0)]
    assert ir_measures.pytrec_eval.calc_aggregate([AP], QRELS, twice) == {AP: 1.0}
    with pytest.raises(DataError, match="document 'a' appears twice"):
        PROVIDER.calc_aggregate([AP], QRELS, twice)
    with pytest.raises(ValueError, match="neither a dict of dicts, a DataFrame nor named tuples"):
        PROVIDER.calc_aggregate([AP], QRELS, [("q1", "a", 1.0)])
    with pytest.raises(ValueError, match="missing columns"):
        PROVIDER.calc_aggregate([AP], QRELS, pd.DataFrame({"query_id": ["q1"], "doc_id": ["a"]}))


@pytest.fixture
def registry() -> Iterator[None]:
    """Undoes what is registered."""
    before, asked = dict(ir_measures.providers.registry), list(ir_measures.DefaultPipeline.providers)
    ir_measures.providers.registry.pop("certus", None)
    yield
    ir_measures.providers.registry.clear()
    ir_measures.providers.registry.update(before)
    ir_measures.DefaultPipeline.providers[:] = asked


@pytest.mark.usefixtures("registry")
def test_registered_first_it_computes_what_ir_measures_computes() -> None:
    provider = register()
    assert register() is provider
    assert ir_measures.DefaultPipeline.providers[0] is provider
    assert ir_measures.DefaultPipeline.providers.count(provider) == 1
    tied = Case({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}})
    assert list(values(ir_measures, [RR @ 5], tied).values()) == [0.5]
    both = ir_measures.calc_aggregate([AP, Compat(p=0.8)], QRELS, RUN)
    assert both[AP] == 0.75
    assert 0 < both[Compat(p=0.8)] < 1


@pytest.mark.usefixtures("registry")
def test_registered_by_name_it_leaves_the_others_in_place() -> None:
    provider = register(first=False)
    assert provider not in ir_measures.DefaultPipeline.providers
    assert ir_measures.providers.registry["certus"] is provider


@pytest.mark.parametrize("options", [[], ["--provider", "certus"]])
def test_the_command_line_of_ir_measures(tmp_path: Path, options: list[str]) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, found in QRELS.items() for d, g in found.items()))
    run.write_text("".join(f"{q} Q0 {d} 0 {s} r\n" for q, found in RUN.items() for d, s in found.items()))
    command = [sys.executable, "-m", "certus.compat.ir_measures", str(qrels), str(run), "AP nDCG@1", "-q", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        *("q1\tAP\t0.5000", "q2\tAP\t1.0000", "q1\tnDCG@1\t0.0000", "q2\tnDCG@1\t1.0000"),
        *("all\tAP\t0.7500", "all\tnDCG@1\t0.5000"),
    ]


def test_the_command_line_ends_with_a_line_where_a_file_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 d 1 x r\n")
    for run, said in (("run", "could not convert string to float: 'x'"), ("none", "No such file or directory")):
        command = [
            sys.executable,
            "-m",
            "certus.compat.ir_measures",
            str(tmp_path / "qrels"),
            str(tmp_path / run),
            "AP",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert (done.stderr.startswith("certus: "), len(done.stderr.splitlines())) == (True, 1)
        assert said in done.stderr


def test_polars_frames_are_refused_with_what_is_taken() -> None:
    with pytest.raises(ValueError, match="a DataFrame nor named tuples as of ir_measures"):
        PROVIDER.calc_aggregate([AP], QRELS, pl.DataFrame(RUN_ROWS))
