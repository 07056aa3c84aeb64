"""Every measure of ir_measures that certus has, as a text and as an object, against ir_measures 0.4.3 itself."""

import math
from collections.abc import Iterator
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, BPM, RBP, P
from ir_measures.measures import registry
from numpy.testing import assert_allclose

import certus
from certus import MetricNameError, parse
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import Metric, declared
from certus.statistic import Mean, Ratio

SUBTOPICS = ["alpha_DCG", "α_DCG", "alpha_nDCG", "α_nDCG", "ERR_IA", "nERR_IA", "AP_IA", "MAP_IA", "P_IA"]
SUBTOPICS += ["NRBP", "nNRBP", "StRecall"]
LACKING = ["BPM", "Compat", "INST", "INSQ", "NERR8", "NERR9", "NERR10", "NERR11", "SDCG"]
VALUES: dict[str, list[object]] = {
    "cutoff": [3, 10],
    "rel": [2],
    "judged_only": [True],
    "relative": [True],
    "dcg": ["log2", "exp-log2"],
    "gains": [{1: 3, 2: 9}],
    "beta": [4.0],
    "p": [0.5],
    "recall": [0.1, 0.7],
    "max_rel": [4],
    "min_rel": [1],
    "T": [2.0],
    "normalize": [False],
    "alpha": [0.3],
}


def _texts(name: str) -> Iterator[str]:
    """A name with the parameters it needs, then with each of the others, too."""
    measure = registry[name]
    needed = {key: VALUES[key][0] for key, each in measure.SUPPORTED_PARAMS.items() if each.required}
    more = [{key: value} for key in measure.SUPPORTED_PARAMS for value in VALUES[key]]
    for chosen in [{}, *more]:
        asked = needed | chosen
        inside = ",".join(f"{key}={value!r}" for key, value in asked.items() if key != measure.AT_PARAM)
        at = f"@{asked[measure.AT_PARAM]}" if measure.AT_PARAM in asked else ""
        yield name + (f"({inside})" if inside else "") + at


STRINGS = list(dict.fromkeys(text for name in registry for text in _texts(name)))
HAD = [text for text in STRINGS if text.partition("(")[0].partition("@")[0] not in (*SUBTOPICS, *LACKING)]
# Measures that ir_measures asks a tool for that may not be installed: gdeval (perl) and cwl_eval.
ELSEWHERE = ("ERR", "RBP")
COMPUTED = [text for text in HAD if not text.startswith((*ELSEWHERE, "NumRel(rel=")) and "exp-log2" not in text]
# Their providers put documents of equal scores in another order than trec_eval does.
OTHER_TIES = ("Accuracy", "Judged", "RR", "MRR")

DOCUMENTS = st.sampled_from([f"d{index}" for index in range(12)])
RUNS = st.dictionaries(DOCUMENTS, st.integers(0, 6), min_size=1)
UNTIED = st.lists(DOCUMENTS, min_size=1, unique=True).map(
    lambda found: {d: -position for position, d in enumerate(found)}
)
JUDGMENTS = st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1)
# Where a grade is negative or none is positive, trec_eval reads its gains past their end and may never return.
GAINFUL = st.builds(lambda some, one: some | {one: 2}, st.dictionaries(DOCUMENTS, st.integers(0, 3)), DOCUMENTS)


def _values(metric: Metric, qrels: Any, run: Any) -> tuple[dict[str, float], float]:
    """The values of the queries that have one, and that of all."""
    ranking = rank(as_qrels(qrels), run).ranking
    statistic = metric.compute(ranking)
    if isinstance(statistic, Ratio):
        counted = statistic.denominators > 0
        values = statistic.numerators[counted]
        return dict(zip(np.array(ranking.queries)[counted], values, strict=True)), statistic.value
    assert isinstance(statistic, Mean)
    return dict(zip(ranking.queries, statistic.values, strict=True)), statistic.value


@pytest.mark.parametrize("text", COMPUTED)
@settings(max_examples=10)
@given(data=st.data())
def test_a_measure_has_the_values_of_ir_measures(text: str, data: st.DataObject) -> None:
    measure = ir_measures.parse_measure(text)
    judgments = GAINFUL if text.startswith(("nDCG", "NDCG")) else JUDGMENTS
    runs = UNTIED if text.startswith(OTHER_TIES) else RUNS
    queries = data.draw(st.lists(st.tuples(judgments, runs), min_size=1, max_size=3))
    qrels = {f"q{index}": judged for index, (judged, _) in enumerate(queries)}
    run = {f"q{index}": {d: float(s) for d, s in found.items()} for index, (_, found) in enumerate(queries)}
    if text.startswith("Accuracy"):  # ir_measures divides by 0 where nothing else is retrieved
        run = {query: found | {"other": -100.0} for query, found in run.items()}
    if text.startswith("Judged"):  # there a negative grade counts as judged, here as in the pool only
        qrels = {query: {d: max(grade, 0) for d, grade in judged.items()} for query, judged in qrels.items()}
    try:
        theirs = {each.query_id: each.value for each in ir_measures.iter_calc([measure], qrels, run)}
    except ZeroDivisionError:
        assert text.startswith("Accuracy")  # above a cutoff nothing else is retrieved
        return
    ours, total = _values(parse(measure), qrels, run)
    assert ours.keys() == theirs.keys()
    if "judged_only" in text:  # trec_eval divides 0 by 0 where nothing is left to rank
        theirs = {query: 0.0 if math.isnan(value) else value for query, value in theirs.items()}
    assert_allclose([ours[query] for query in theirs], list(theirs.values()), rtol=1e-12, atol=1e-15)
    if theirs:
        aggregator = measure.aggregator()
        for value in theirs.values():
            aggregator.add(value)
        expected = aggregator.result()
        assert total == pytest.approx(expected, rel=1e-12, abs=1e-15)
    else:
        assert math.isnan(total)


def test_every_measure_string_is_a_metric_or_refused_with_the_reason() -> None:
    for text in STRINGS:
        if text in HAD:
            assert parse(text).task == "ranking"
            continue
        with pytest.raises(MetricNameError, match=r"subtopic|which certus does not have|nDCG here divides"):
            parse(text)
    # those of subtopics need judgments of another kind
    ranked = [text for text in STRINGS if not text.startswith(tuple(SUBTOPICS))]
    assert (len(ranked), len(HAD)) == (139, 109)


def test_a_text_and_an_object_are_one_metric_but_where_the_tool_makes_a_difference() -> None:
    differ = {
        text for text in HAD if not text.startswith("RBP") and parse(text) != parse(ir_measures.parse_measure(text))
    }
    # NumRelRet is NumRet(rel=1) there, which is another name of the same number
    assert differ == {text for text in HAD if text.startswith(("IPrec", "NumRelRet"))}


def test_every_name_of_ir_measures_is_declared_as_such() -> None:
    spelled = {each.name for metric in declared() for each in metric.spelled if each.tool == "ir_measures"}
    assert spelled == set(registry) - {*SUBTOPICS, *LACKING}


QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": 0}}
RUN = {"q1": {"d1": 0.9, "d2": 0.8, "d5": 0.85, "d3": 0.7}, "q2": {"d5": 1.0, "d1": 0.5}}


def test_measures_are_metrics_wherever_a_metric_is_taken() -> None:
    measures = [AP @ 10, P(judged_only=True) @ 2]
    table = certus.evaluate(QRELS, RUN, measures)
    assert [row.metric for row in table] == ["AP@10", "P(judged_only=True)@2"]
    expected = ir_measures.calc_aggregate(measures, QRELS, RUN)
    assert [row.value for row in table] == [expected[each] for each in measures]
    assert [row.value for row in certus.evaluate(QRELS, RUN, AP(rel=2))] == [0.5]
    assert certus.compare(QRELS, {"a": RUN, "b": RUN}, AP @ 10).metrics == ("AP@10",)


def test_a_measure_that_certus_has_not_is_refused_with_the_reason() -> None:
    with pytest.raises(MetricNameError, match=r"^'BPM\(max_rel=3\)@10' is a measure of the C/W/L framework"):
        parse(BPM(max_rel=3) @ 10)
    with pytest.raises(
        MetricNameError, match=r"^'RBP' of ir_measures is not a metric of certus: without rel the grades"
    ):
        parse(RBP)
    assert parse(RBP(rel=2, p=0.5)) == parse("RBP(p=0.5,rel=2)")
    own = ir_measures.define_byquery(lambda qrels, run: 1.0, name="P")
    with pytest.raises(MetricNameError, match=r"^P of ir_measures was defined by a function of its own, which certus"):
        parse(own)
    with pytest.raises(MetricNameError, match=r"^'AP' of ir_measures is a metric of ranking, not of classification$"):
        parse(AP, task="classification")
