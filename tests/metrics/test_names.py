"""Metrics by their text."""

import math
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_a_row import in_a_row

from certus import Metric, MetricNameError, tasks
from certus.metrics import Gains, declared, parse
from certus.metrics.check import Parameter
from certus.metrics.names import resolve_metric, task_of

RANKING = declared("ranking")


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Values that a parameter accepts."""
    kinds: dict[object, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(0, 2**33).filter(parameter.range.__contains__),
        float: st.floats(-1e9, 1e9).filter(parameter.range.__contains__),
        Gains: st.dictionaries(st.integers(0, 5), st.floats(0, 100)),
    }
    known = [st.sampled_from(parameter.choices)] if parameter.choices else []
    return st.one_of(*known, *(kinds[kind] for kind in parameter.types))


@st.composite
def bound_metrics(draw: st.DrawFn) -> Metric:
    metric = draw(st.sampled_from(RANKING))
    chosen = {
        name: draw(values(parameter))
        for name, parameter in metric.parameters.items()
        if parameter.required or draw(st.booleans())
    }
    return metric.using(**chosen)


@given(bound_metrics())
def test_every_metric_is_read_back_from_its_text(metric: Metric) -> None:
    again = parse(str(metric))
    assert again == metric
    assert dict(again.conventions) == dict(metric.conventions)
    assert str(again) == str(metric)


@in_a_row(
    "text, name",
    [
        # as papers write them
        ("P@10", "P@10"),
        ("R@100", "R@100"),
        ("nDCG@10", "nDCG@10"),
        ("nDCG(gain='exp')@10", "nDCG(gain='exp')@10"),
        ("nDCG(gain=exp)@10", "nDCG(gain='exp')@10"),
        ('nDCG@10(gain="exp")', "nDCG(gain='exp')@10"),
        ("AP", "AP"),
        ("AP@100", "AP@100"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("AP(denominator='min', rel=2)@5", "AP(rel=2,denominator='min')@5"),
        ("MAP", "AP"),
        ("MRR", "RR"),
        ("MRR@10", "RR@10"),
        ("GMAP", "GMAP"),
        ("RBP(p=0.9)", "RBP(p=0.9)"),
        ("ERR@20", "ERR@20"),
        ("nERR(max_grade=1)@20", "nERR(max_grade=1)@20"),
        ("F1", "F"),
        ("F0.5@10", "F(beta=0.5)@10"),
        ("F(beta=2)@10", "F(beta=2)@10"),
        ("E(alpha=0.7)@5", "E(alpha=0.7)@5"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("IPrec(recall=0)", "IPrec@0"),
        ("k@recall(0.5)", "k@recall(0.5)"),
        ("k@recall(0.5, rel=2)", "k@recall(0.5,rel=2)"),
        ("precision@recall(1)", "P@recall(1)"),
        (" Success @ 10 ", "Success@10"),
        # P alone is the precision of the whole list
        ("P", "P"),
        # as ir_measures and trec_eval write them; every one is tried in test_spellings
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain='exp')@10"),
        ("nDCG(gains={1:3,2:9})", "nDCG(gains={1:3,2:9})"),
        ("SetF(beta=4.)", "F(beta=2)"),
        ("R(rel=2)@1000", "R(rel=2)@1000"),
        ("ndcg_cut.10", "nDCG@10"),
        ("P_10", "P@10"),
        ("iprec_at_recall_0.00", "IPrec(rounding='trec9')@0"),
        ("iprec_at_recall_0.70(rel=2)", "IPrec(rel=2,rounding='trec9')@0.7"),
        ("11pt_avg(rounding='exact')", "11pt-AP"),
        ("Rprec_mult_0.20", "Rprec(multiple=0.2)"),
        ("set_F.4", "F(beta=2)"),
        ("utility.1,-0.5,0,0", "Utility(b=-0.5)"),
        # as people write them, in any case
        ("recall@100", "R@100"),
        ("precision@10", "P@10"),
        ("p@10", "P@10"),
        ("p_10", "P@10"),
        ("mrr@10", "RR@10"),
        ("mean_reciprocal_rank", "RR"),
        ("r-precision", "Rprec"),
        ("R-Precision(rel=2)", "Rprec(rel=2)"),
        ("rbp", "RBP"),
        ("rbp(p=.5)", "RBP(p=0.5)"),
        ("err@20", "ERR@20"),
        ("hit_rate@10", "Success@10"),
        ("HR@10", "Success@10"),
        ("hits@10", "Hits@10"),
        ("success@5", "Success@5"),
        ("Map", "AP"),
        ("average_precision", "AP"),
        ("ndcg@5", "nDCG@5"),
        ("ndcg_cut@10", "nDCG@10"),
        ("f1@10", "F@10"),
        ("f0.5", "F(beta=0.5)"),
        ("K@Recall(0.5)", "k@recall(0.5)"),
        ("iprec@0.1", "IPrec@0.1"),
        ("infap", "infAP"),
    ],
)
def test_a_name_in_use_is_understood(text: str, name: str) -> None:
    assert str(parse(text)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", r"^no metric is named 'nDGC'; did you mean 'nDCG@10'\?$"),
        ("precison@5", r"^no metric is named 'precison'; did you mean 'Precision@5'\?$"),
        ("auc", r"^no ranking metric is named 'auc'; AUC is a metric of classification$"),
        ("f1_score", r"^no ranking metric is named 'f1_score'; F1 is a metric of classification and multilabel$"),
        ("latency@0.99", r"^no ranking metric is named 'latency'; Latency is a metric of efficiency$"),
        (
            "infromedness",
            r"^no metric is named 'infromedness'; did you mean 'Informedness', a metric of classification\?$",
        ),
        # the nearest name of all tasks, though another one of this task is near, too
        ("roc_acu", r"^no metric is named 'roc_acu'; did you mean 'roc_auc', a metric of classification\?$"),
        ("xyzzy", r"^no metric is named 'xyzzy'$"),
        ("nDCG@0", r"^cutoff of nDCG is 0; it must be a whole number of at least 1 or None$"),
        ("nDCG@-3", r"^cutoff of nDCG is -3;"),
        ("nDCG@2.5", r"^cutoff of nDCG is 2\.5;"),
        ("nDCG@ten", r"^cutoff of nDCG is 'ten';"),
        (
            "nDCG@99999999999999999999",
            r"^cutoff of nDCG is 99999999999999999999; it must be .* or None, and 4294967295 at most$",
        ),
        ("AP(rel=1.0)", r"^rel of AP is 1\.0; it must be a whole number of at least 0$"),
        ("AP(rel=high)", r"^rel of AP is 'high';"),
        ("nDCG(gain=log)", r"^gain of nDCG is 'log'; it must be 'linear' or 'exp'$"),
        ("nDCG(gain=exp,gain=exp)", r"^gain of nDCG is given twice; give it once$"),
        ("P_10@5", r"^cutoff of P is given twice"),
        ("nDCG(gains={})", r"^gains of nDCG is "),
        ("RBP(p=1)", r"^p of RBP is 1; it must be a number above 0 and below 1$"),
        ("bpref@10", r"^bpref has no cutoff; write it without '@10'$"),
        ("IPrec", r"^IPrec needs recall, a number from 0 to 1, as in IPrec@0\.5$"),
        ("map_cut", r"^'map_cut' names a metric for each cutoff; say which, as in 'map_cut_10'$"),
        ("AP(judged_only=2)", r"^judged_only of AP is 2; it must be True or False$"),
        ("AP(10)", r"^'10' in 'AP\(10\)' is not a parameter; write parameter=value$"),
        ("AP(rel=__import__('os'))", r"is not the name of a metric; write NAME, NAME@10"),
        ("", r"^'' is not the name of a metric"),
        ("a" * 1000, r"^'a{56}\.\.\. is not the name of a metric"),
    ],
)
def test_a_wrong_name_is_answered_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(MetricNameError, match=message):
        parse(text)


@pytest.mark.parametrize("task", tasks.names())
def test_every_name_is_understood_in_any_case_unless_it_means_two_metrics(task: str) -> None:
    for metric in declared(task):
        for text in (metric.name, *metric.aliases):
            if "{" in text:
                continue
            for written in (text, text.lower(), text.upper(), text.replace("_", "-")):
                found = resolve_metric(written, task)
                same = [each for each in declared(task) if written in (each.name, *each.aliases, *each.spellings)]
                assert found == metric or found in same


def test_the_task_of_a_name_is_the_first_that_has_it() -> None:
    tasks = ("classification", "regression", "ranking")
    assert [task_of(text, tasks) for text in ("f1", "MAE", "AP(rel=2)@5", "nDGC", "", 3)] == [
        *("classification", "regression", "classification"),
        *(None, None, None),
    ]


def test_something_else_than_a_text_is_refused() -> None:
    with pytest.raises(MetricNameError, match="not by int"):
        parse(10)  # type: ignore[arg-type]


PIECES = ["nDCG", "AP", "F", "k@recall", "P_", "utility_", "(", ")", "@", "=", ",", "'", '"', "{", "}", ":", ".", "-"]


@given(
    st.one_of(st.text(), st.lists(st.sampled_from([*PIECES, "rel", "cutoff", "gains", "1", "1e9", " "])).map("".join))
)
def test_any_other_text_is_a_metric_name_error(text: str) -> None:
    message, metric = "", None
    try:
        metric = parse(text)
    except MetricNameError as error:
        message = str(error)
    assert message.isprintable()
    assert metric is None or parse(str(metric)) == metric


def test_numbers_in_names_are_read_as_written() -> None:
    assert parse("RBP(p=.5)").conventions["p"] == 0.5
    assert parse("RBP(p=5e-1)").conventions["p"] == 0.5
    assert parse("F(beta=3)").conventions["beta"] == 3.0
    assert isinstance(parse("F(beta=3)").conventions["beta"], float)
    assert parse("set_F_2").conventions["beta"] == math.sqrt(2)
    assert set(str(parse("P@007"))) <= set(string.printable)
    assert str(parse("P@007")) == "P@7"
