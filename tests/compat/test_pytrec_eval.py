"""The face of pytrec_eval against pytrec-eval-terrier itself: values bit for bit, keys, order, types and errors.

Its sdist holds no tests. Those of its repository are about nDCG by hand, the names in each group and two files of
trec_eval; these cases are here and in test_trec_eval.py.
"""

import collections
import io
import math
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import pytrec_eval
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trec_eval_oracle import read

import certus
from certus import DataError, MetricNameError
from certus.compat import pytrec_eval as face

DEMO = Path(certus.__file__).parent / "demo"
PARAMETERS = (
    *("P_3", "P.7,2", "recall_1", "recall.4,1000", "map_cut_2", "map_cut.3,9", "ndcg_cut_3", "ndcg_cut.1,5,10"),
    *("relative_P.2", "success_2", "success.3,4", "iprec_at_recall_0.25", "iprec_at_recall.0.5,0.75"),
    *("Rprec_mult_0.5", "Rprec_mult.1.5,3", "11pt_avg.0.8,0.2", "set_F_0.5", "set_F.3", "utility.2,3,4,1"),
    *("map.5", "relstring_20", "P.1000"),
)
DOCUMENTS = [f"d{i}" for i in range(9)] + ["ü", "d10 with blanks", "D"]


class Case(NamedTuple):
    """Arguments of one evaluator, and one run."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]
    measures: set[str]
    level: int
    judged_only: bool


@st.composite
def cases(draw: st.DrawFn) -> Case:
    queries = st.sampled_from(["q1", "q2", "q10", "é"])
    grades = st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 4])
    scores = st.sampled_from([0.0, 1.0, 1.00000001, 2, -3.5, 1e30]) | st.floats(-4, 4, width=16)
    documents = st.sampled_from(DOCUMENTS)
    qrels = draw(st.dictionaries(queries, st.dictionaries(documents, grades, max_size=9), min_size=1))
    found = st.dictionaries(documents | st.sampled_from(["x1", "x2", "x3"]), scores, max_size=12)
    run = draw(st.dictionaries(queries | st.just("unjudged"), found))
    names = st.sampled_from([*sorted(pytrec_eval.supported_measures), *PARAMETERS, "official", "set", "all_trec"])
    if not any(qrels.values()):
        qrels["q1"] = {"d1": 1}
    return Case(qrels, run, draw(st.sets(names, min_size=1, max_size=4)), draw(st.integers(1, 4)), draw(st.booleans()))


def made(tool: Any, case: Case) -> dict[str, dict[str, float]]:
    """Values by query; pytrec_eval's number for ``runid`` is whatever its memory holds, so that it is 0 here."""
    evaluator = tool.RelevanceEvaluator(case.qrels, case.measures, case.level, case.judged_only)
    found = dict(evaluator.evaluate(case.run))
    return {query: {**values, "runid": 0.0} if "runid" in values else values for query, values in found.items()}


def safe(case: Case) -> Case:
    """The case without what pytrec_eval reads memory for that it does not own, and sometimes ends the process.

    That are bpref above a query's highest grade, and lists in which nothing is left to rank.
    """
    qrels = {query: judged for query, judged in case.qrels.items() if max(judged.values(), default=0) >= case.level}
    left = {
        query: [doc for doc in found if not case.judged_only or qrels.get(query, {}).get(doc, -1) >= 0]
        for query, found in case.run.items()
    }
    run = {query: found for query, found in case.run.items() if left[query]}
    return case._replace(qrels=qrels or {"q1": {"d1": case.level}}, run=run)


@settings(max_examples=120, deadline=None)
@given(cases().map(safe))
@example(Case({"q1": {"a": True, "b": 0}}, {"q1": {"b": True, "a": 1}}, {"map"}, 1, False))
@example(Case({"q1": {"a": 1, "b": 0}}, {"q1": {"b": 0.2, "a": 0.7, "c": True}}, {"map"}, 1, False))
def test_values_names_and_order_are_those_of_pytrec_eval(case: Case) -> None:
    expected, found = made(pytrec_eval, case), made(face, case)
    assert found == expected
    assert list(found) == list(expected)
    for query, values in found.items():
        assert list(values) == list(expected[query])
        assert {type(value) for value in values.values()} <= {float}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("name", ["bm25", "tfidf"])
def test_real_runs_have_the_values_of_pytrec_eval(name: str, judged_only: bool, level: int) -> None:
    qrels, run = read(DEMO / "qrels.txt.gz", DEMO / f"{name}.run.gz")
    options = ({"all_trec"}, level, judged_only)
    held = Case({q: dict(found) for q, found in qrels.items()}, {q: dict(found) for q, found in run.items()}, *options)
    case = safe(held)
    found = made(face, case)
    assert len(found) > 100
    assert found == made(pytrec_eval, case)


def test_at_a_level_above_all_grades_no_document_is_relevant() -> None:
    """Not asked of pytrec_eval, which reads memory there that it does not own, and may end the process."""
    measures = {"map", "P", "bpref", "num_rel", "num_ret"}
    found = made(face, Case({"q": {"a": 2, "b": 1}}, {"q": {"a": 2.0, "x": 1.0}}, measures, 3, False))["q"]
    assert found == {**dict.fromkeys(found, 0.0), "num_ret": 2.0}


@pytest.mark.parametrize("judged_only", [False, True])
def test_a_list_with_nothing_to_rank_counts_as_zero(judged_only: bool) -> None:
    """Not asked of pytrec_eval, which reads memory there that it does not own: 0, NaN, or the end of the process."""
    run: dict[str, dict[str, float]] = {"q1": {"x": 1.0} if judged_only else {}, "q2": {"b": 1.0}}
    case = Case({"q1": {"a": 1, "c": 0}, "q2": {"b": 1}}, run, {"all_trec"}, 1, judged_only)
    values = made(face, case)["q1"]
    ones = {"num_q": 1.0, "num_rel": 1.0, "gm_map": math.log(0.00001), "gm_bpref": math.log(0.00001)}
    assert values == {**dict.fromkeys(values, 0.0), **ones}


@pytest.mark.parametrize("measure", sorted(pytrec_eval.supported_measures))
def test_each_measure_by_itself(measure: str) -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 2, "d": -1}, "q2": {"a": 1, "b": 3}}
    run = {"q2": {"z": 2.0, "b": 1.0, "a": 1.0}, "q1": {"c": 1.0, "b": 1.0, "x": 3.0, "d": 0.5}}
    case = Case(qrels, run, {measure}, 1, False)
    assert made(face, case) == made(pytrec_eval, case)


def test_the_supported_names_are_those_of_pytrec_eval() -> None:
    assert face.supported_measures == pytrec_eval.supported_measures
    assert face.supported_nicknames == pytrec_eval.supported_nicknames


def test_measures_may_be_any_iterable_of_strings() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    kinds: list[Callable[[], Any]] = [
        lambda: ["map"],
        lambda: ("map",),
        lambda: frozenset({"map"}),
        lambda: "P",
        lambda: iter(["map"]),
        set,
    ]
    for measures in kinds:
        expected = pytrec_eval.RelevanceEvaluator(qrels, measures()).evaluate(run)
        assert face.RelevanceEvaluator(qrels, measures()).evaluate(run) == expected


def test_parameters_of_one_measure_are_joined() -> None:
    case = Case({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, {"P_5", "P.10,7", "P", "set_F", "set_F.3"}, 1, False)
    assert made(face, case) == made(pytrec_eval, case)


def test_later_changes_of_the_judgments_do_not_count() -> None:
    qrels = {"q": {"a": 1}}
    evaluator = face.RelevanceEvaluator(qrels, {"map"})
    qrels["q"]["a"] = 0
    assert evaluator.evaluate({"q": {"a": 1.0}}) == {"q": {"map": 1.0}}


QRELS, RUN, MEASURES = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1.0}}, {"map"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([], MEASURES), "'list' object has no attribute 'items'"),
        (({"q1": None}, MEASURES), "object of type 'NoneType' has no len"),
        (({"q1": ["a"]}, MEASURES), "query 'q1' has a list; expected a dict from document to grade"),
        (({"q1": types.MappingProxyType({"a": 1})}, MEASURES), "query 'q1' has a mappingproxy"),
        (({1: {"a": 1}}, MEASURES), "query id 1 is not a string; use '1'"),
        (({"q1": {1: 1}}, MEASURES), "query 'q1': document id 1 is not a string; use '1'"),
        (({"q1": {"a": 1.0}}, MEASURES), "the grade of document 'a' for query 'q1' is 1.0; it must be an int"),
        (({"q1": {"a": np.int64(1)}}, MEASURES), r"the grade of document 'a' for query 'q1' is np.int64\(1\)"),
        ((QRELS, None), "'NoneType' object is not iterable"),
        ((QRELS, [1]), "expected string or bytes-like object"),
        ((QRELS, [["map"]]), "unhashable type: 'list'"),
        ((QRELS, ["yaap"]), "unsupported measure yaap"),
        ((QRELS, ["NDCG_cut_10"]), "unsupported measure NDCG_cut_10; did you mean 'ndcg_cut'"),
        ((QRELS, ["prefs"]), "unsupported measure prefs_"),
        ((QRELS, MEASURES, 1.0), "relevance_level is 1.0; it must be a whole number"),
        ((QRELS, MEASURES, "1"), "relevance_level is '1'"),
        ((QRELS, MEASURES, 0), "relevance_level is 0; it must be at least 1"),
        ((QRELS, MEASURES, 1, None), "judged_docs_only_flag is None; it must be True or False"),
    ],
)
def test_arguments_are_refused_with_pytrec_evals_exceptions(arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError)) as theirs:
        pytrec_eval.RelevanceEvaluator(*arguments)
    with pytest.raises(theirs.type, match=said):
        face.RelevanceEvaluator(*arguments)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1], "scores is a list; expected a dict of dicts"),
        (types.MappingProxyType(RUN), "scores is a mappingproxy"),
        ({"q1": ["a"]}, "query 'q1' has a list; expected a dict from document to score"),
        ({1: {"a": 1.0}}, "query id 1 is not a string"),
        ({"q1": {1: 1.0}}, "document id 1 is not a string"),
        ({"other": {"a": "1"}}, "the score of document 'a' for query 'other' is '1'; it must be an int or a float"),
        ({"q1": {"a": np.float32(1)}}, r"is np.float32\(1.0\); it must be an int or a float"),
    ],
)
def test_scores_are_refused_with_pytrec_evals_exceptions(scores: Any, said: str) -> None:
    with pytest.raises(TypeError):
        pytrec_eval.RelevanceEvaluator(QRELS, MEASURES).evaluate(scores)
    with pytest.raises(TypeError, match=said):
        face.RelevanceEvaluator(QRELS, MEASURES).evaluate(scores)


@pytest.mark.parametrize("scores", [None, {}, [], "", {"unjudged": {"a": 1.0}}, {"q1": {}}, {"q1": {"x": 1}}])
def test_runs_without_anything_to_evaluate_give_what_pytrec_eval_gives(scores: Any) -> None:
    expected = pytrec_eval.RelevanceEvaluator(QRELS, MEASURES).evaluate(scores)
    assert face.RelevanceEvaluator(QRELS, MEASURES).evaluate(scores) == expected


def test_keywords_are_those_of_pytrec_eval() -> None:
    made = {
        tool.RelevanceEvaluator(
            query_relevance=QRELS, measures=MEASURES, relevance_level=True, judged_docs_only_flag=2
        ).evaluate(scores={"q1": {"x": 2.0, "a": 1.0}})["q1"]["map"]
        for tool in (pytrec_eval, face)
    }
    assert made == {1.0}


@pytest.mark.parametrize(
    ("qrels", "scores", "said"),
    [
        (QRELS, {"q1": {"a": math.nan}}, "the score of document 'a' for query 'q1' is nan; a score must be finite"),
        (QRELS, {"q1": {"a": math.inf}}, "a score must be finite"),
        (QRELS, {"q1": {"": 1.0}}, "document id is empty"),
        (QRELS, {"q1": {"\ud800": 1.0}}, "holds half of a surrogate pair"),
        ({"q1": {"a\0b": 1}}, {}, "holds a NUL character"),
        ({"q1": {"a": 2**31}}, {}, "a grade must lie between"),
        ({"q1": {}}, {}, "hold no judgments"),
    ],
)
def test_what_certus_refuses_beyond_pytrec_eval(qrels: Any, scores: Any, said: str) -> None:
    """NaN has no place in an order; the others end the process, are cut short, or are a mistake."""
    with pytest.raises(DataError, match=said):
        face.RelevanceEvaluator(qrels, MEASURES).evaluate(scores)


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("P.0", "cutoff of P is '0'"),
        ("P_5,05", "P has the parameter 5 twice"),
        ("ndcg_10", "gain of ndcg is '10'"),
        ("P_5abc", "unsupported measure P_5abc"),
        ("P.5.7", "cutoff of P is '5.7'"),
        ("utility_1,0", "utility takes 4 parameters"),
    ],
)
def test_parameters_that_end_pytrec_evals_process_or_are_cut_short_are_refused(measure: str, said: str) -> None:
    with pytest.raises(MetricNameError, match=said):
        face.RelevanceEvaluator(QRELS, [measure])


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(["map", "num_ret", "gm_map", "P_10"]), st.lists(st.floats(0, 100), min_size=1))
def test_aggregates_are_those_of_pytrec_eval(measure: str, values: list[float]) -> None:
    found = face.compute_aggregated_measure(measure, values)
    assert type(found) is float
    assert found == pytrec_eval.compute_aggregated_measure(measure, values)


def test_an_aggregate_of_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="values is empty"):
        face.compute_aggregated_measure("map", [])


def test_files_are_parsed_as_pytrec_eval_does() -> None:
    qrels, run = "1 0 a 1\n2 0 b\t-1\r\n", "1 Q0 a 1 2.5 r\n1 Q0 b 2 1e-3 r\n"
    for ours, theirs, text in (
        (face.parse_qrel, pytrec_eval.parse_qrel, qrels),
        (face.parse_run, pytrec_eval.parse_run, run),
    ):
        found: Any = ours(io.StringIO(text))
        assert found == theirs(io.StringIO(text))
        assert type(found) is collections.defaultdict


@pytest.mark.parametrize(
    ("parse", "lines", "kind", "said"),
    [
        ("parse_run", ["1 Q0 a 1 .5 r"] * 2, AssertionError, "run:2: document 'a' appears twice for query '1'"),
        ("parse_qrel", ["1 0 a 1"] * 2, AssertionError, "qrels:2: document 'a' appears twice for query '1'"),
        ("parse_run", ["1 Q0 a 1 .5"], ValueError, "run:1: has 5 columns; expected query Q0 document rank score tag"),
        ("parse_qrel", ["1 0 a 1", ""], ValueError, "qrels:2: has 0 columns"),
        ("parse_qrel", ["1 0 a 1.0"], ValueError, "qrels:1: grade is '1.0'; it must be a whole number"),
        ("parse_run", ["1 Q0 a 1 x r"], ValueError, "run:1: score is 'x'; it must be a finite number"),
    ],
)
def test_lines_are_refused_with_pytrec_evals_exceptions(
    parse: str, lines: list[str], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind):
        getattr(pytrec_eval, parse)(lines)
    with pytest.raises(kind, match=said):
        getattr(face, parse)(lines)
    with pytest.raises(DataError):
        getattr(face, parse)(lines)


def test_a_score_that_is_no_number_is_refused_at_its_line() -> None:
    with pytest.raises(DataError, match="run:1: score is 'nan'"):
        face.parse_run(["1 Q0 a 1 nan r"])
