"""Names of other tools: declared with the tool, read in any case, and refused where they have several meanings."""

import math
from typing import Any

import pytest
import sklearn.metrics
from in_a_row import in_a_row

from certus import MetricNameError, tasks
from certus.core.spelling import compact
from certus.metrics import declared, parse
from certus.metrics.check import Parameter
from certus.metrics.names import REFUSED, meanings, refused, resolve_metric, spelled_by, task_of
from certus.metrics.spellings import Spelling

SPELLED = [
    (task, metric, spelling) for task in tasks.names() for metric in declared(task) for spelling in metric.spelled
]


def _value(parameter: Parameter) -> Any:
    """A value that a name can hold."""
    words = [each for each in parameter.choices if isinstance(each, str)]
    return words[-1] if words else 2 if int in parameter.types else 0.5


def _written(spelling: Spelling, parameters: Any) -> tuple[str, dict[str, Any]]:
    """An example of the name, and the parameters that it holds."""
    held = {name: _value(parameters[name]) for name in (*spelling.holes, *spelling.arguments) if name in parameters}
    text = spelling.text
    for name, value in held.items():
        square = value * value if isinstance(value, float) else value
        text = text.replace(f"{{{name}}}", str(value)).replace(f"{{{name}^2}}", str(square))
        text = text.replace(f"{{.{name}}}", str(value).removeprefix("0"))
    return text, held


@in_a_row("task, metric, spelling", SPELLED, group=lambda task, metric, spelling: task)
def test_every_spelling_is_read_in_any_case_as_its_metric(task: str, metric: Any, spelling: Spelling) -> None:
    text, held = _written(spelling, metric.parameters)
    name = text.partition("(")[0]
    # certus's own name of the metric means certus's parameters, whatever the tool has
    own = not spelling.arguments and compact(name) in {
        compact(each) for each in (metric.name, *metric.aliases, metric.function_name)
    }
    expected = metric.using(**({} if own else spelling.chosen), **held)
    for written in (text, name.upper() + text.removeprefix(name), name.lower() + text.removeprefix(name)):
        if not refused(written, task):
            assert resolve_metric(written, task) == expected
    assert spelled_by(spelling.tool, text, task) == metric.using(**spelling.chosen, **held)
    assert spelling in meanings(text, task)


@pytest.mark.parametrize("task", tasks.names())
def test_no_tool_s_name_of_one_metric_is_another_s_own(task: str) -> None:
    own = {
        compact(name): each.name for each in declared(task) for name in (each.name, *each.aliases, each.function_name)
    }
    for metric in declared(task):
        for spelling in metric.spelled:
            if not spelling.arguments:
                assert own.get(compact(spelling.name), metric.name) == metric.name
            assert spelling.differs <= bool(spelling.note)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        # MTEB
        ("ndcg_at_10", "nDCG@10"),
        ("Precision_At_5", "P@5"),
        # ranx
        ("NDCG-Burges@10", "nDCG(gain='exp')@10"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.05", "RBP(p=0.05)"),
        ("MAP@10-L2", "AP(rel=2)@10"),
        ("NDCG-L3", "nDCG(rel=3)"),
        # ir_measures
        ("P(judged_only=True)@10", "P(judged_only=True)@10"),
        ("nDCG(dcg='exp-log2', judged_only=True)@10", "nDCG(gain='exp',judged_only=True)@10"),
        ("SetP(relative=True, rel=2)", "RelP(rel=2)"),
        ("setp(relative=True)", "RelP"),
        ("SetF(beta=4, rel=2)", "F(rel=2,beta=2)"),
        ("RBP(rel=2, p=0.5)@10", "RBP(p=0.5,rel=2)@10"),
        ("Accuracy(rel=2)@10", "Accuracy(rel=2)@10"),
        ("accuracy", "Accuracy"),
        # trec_eval's own name of another number than RBP's default
        ("rbp", "RBP"),
    ],
)
def test_a_name_of_a_ranking_tool_is_understood(text: str, name: str) -> None:
    assert str(parse(text)) == name


@pytest.mark.parametrize(
    ("text", "task", "name"),
    [
        ("roc_auc_ovr_weighted", "classification", "AUC(multi_class='ovr',average='weighted')"),
        ("F1_MACRO", "classification", "F1(average='macro')"),
        ("recall_samples", "multilabel", "Recall"),
        ("neg_mean_squared_error", "regression", "MSE"),
        ("accuracy_score", "multilabel", "SubsetAccuracy"),
        ("cosine_spearman", "regression", "Spearman"),
    ],
)
def test_a_name_of_scikit_learn_or_mteb_is_understood(text: str, task: str, name: str) -> None:
    assert str(parse(text, task=task)) == name


def test_each_answer_to_0_of_0_is_one_of_scikit_learns_zero_division() -> None:
    truth, predicted = [[1, 0], [0, 1], [0, 0]], [[1, 0], [0, 0], [0, 0]]
    for undefined, zero_division in ((0, 0.0), (1, 1.0), ("'skip'", math.nan)):
        for name in ("precision", "f1"):
            found = parse(f"{name}_samples(undefined={undefined})", task="multilabel")(truth, predicted).value
            peer = getattr(sklearn.metrics, f"{name}_score")
            assert found == peer(truth, predicted, average="samples", zero_division=zero_division)
    assert math.isnan(parse("precision_samples", task="multilabel")(truth, predicted).value)


HELPERS = ("check_scoring", "get_scorer", "get_scorer_names", "make_scorer", "metric_at_thresholds")
DISTANCES = ("distances", "kernels", "argmin", "argmin_min", "chunked", "at_thresholds")


def test_every_scorer_and_metric_function_of_scikit_learn_is_a_metric_or_refused_with_the_reason() -> None:
    functions = [
        name for name in sklearn.metrics.__all__ if name.islower() and callable(getattr(sklearn.metrics, name))
    ]
    others = [task for task in tasks.names() if task != "ranking"]
    known = [name for name in functions if name not in HELPERS and not name.endswith(DISTANCES)]
    for name in [*sklearn.metrics.get_scorer_names(), *known]:
        assert task_of(name, others) or refused(name), name
    assert all(task_of(name, others) for name in sklearn.metrics.get_scorer_names())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "accuracy@10",
            r"^'accuracy@10' means two things: a relevant document among the first 10 \(sentence-transformers",
        ),
        ("accuracy_at_5", r"write Success@5\), or .* \(ir_measures; write Accuracy@5\)$"),
        ("nauc_ndcg_at_10_std", r"^'nauc_ndcg_at_10_std' is how well MTEB's model knows which queries to leave out"),
        ("alpha_nDCG@20", r"^'alpha_nDCG@20' needs judgments by subtopic, which certus does not read$"),
        ("NERR8(max_rel=4)@10", r"is a measure of the C/W/L framework, which certus does not have"),
        ("SDCG(max_rel=4)@10", r"nDCG here divides by those of the query's judgments$"),
        ("P.5,10", r"^'P\.5,10' names several metrics; name them one by one, beginning with P_5$"),
        ("ndcg_cut.5,10,20", r"beginning with ndcg_cut_5$"),
        ("all_trec", r"^'all_trec' is a group of measures"),
        ("runid", r"^'runid' is a text and no number; certus trec-eval prints it$"),
        ("zero_one_loss", r"^'zero_one_loss' is 1 - Accuracy"),
        ("roc_curve", r"^'roc_curve' is a curve or a table and no number"),
    ],
)
def test_a_name_of_several_meanings_or_of_no_metric_is_refused_with_what_it_means(text: str, message: str) -> None:
    with pytest.raises(MetricNameError, match=message):
        parse(text)


def test_no_refused_name_hides_a_metric() -> None:
    for each in REFUSED:
        for name in each.names.split(", "):
            text = name.replace("{k}", "10").replace("...", "ndcg_at_10").removesuffix(" and the like")
            if text != "ndcg_at_10":
                assert refused(text, each.task or None), text
    for task, metric, spelling in SPELLED:
        text = _written(spelling, metric.parameters)[0]
        assert refused(text, task) is None
        assert refused(str(metric), task) is None


def test_a_name_says_what_other_tools_mean_by_it() -> None:
    assert {each.tool for each in meanings("map", "ranking")} == {"trec_eval, pytrec_eval", "ir_measures", "ranx"}
    assert [(each.tool, each.differs) for each in meanings("rbp.95", "ranking")] == [("ranx", True)]
    assert {each.tool for each in meanings("SetP(relative=True)", "ranking")} == {"ir_measures"}
    assert meanings("Coverage", "ranking") == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("prec@5", "P@5"),
        ("prec@5(rel=2)", "P(rel=2)@5"),
        ("prec_5", "P@5"),
        ("prec_at_5", "P@5"),
        ("p_at_5", "P@5"),
        ("r10", "R@10"),
        ("rec@10", "R@10"),
        ("prec@k", "P"),
        ("avg_prec@20", "AP@20"),
        ("mean_avg_prec@20", "AP@20"),
        ("mean_recip_rank@10", "RR@10"),
        ("normalized_discounted_cumulative_gain@10", "nDCG@10"),
        ("normalised-discounted-cumulated-gain@10", "nDCG@10"),
        ("norm_dcg(gain=exp)@7", "nDCG(gain='exp')@7"),
        ("success_rate@5", "Success@5"),
        ("cum_gain@3", "CG@3"),
        ("nDGC@10", "nDCG@10"),
        ("nDGC@10(gain=exp)", "nDCG@10(gain=exp)"),
        ("nDGC@10(gain=wrong)", "nDCG"),
    ],
)
def test_a_ranking_metric_is_suggested_whole(text: str, meant: str) -> None:
    with pytest.raises(MetricNameError) as error:
        parse(text)
    assert str(error.value).endswith((f"did you mean {meant!r}?", f"did you mean {meant!r}? "))


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        ("classification", "acc", "'Accuracy'"),
        ("classification", "acc@5", "'Accuracy@5', a metric of ranking"),
        ("classification", "bal_acc", "'BalancedAccuracy'"),
        ("classification", "top5_acc", "'TopK@5'"),
        ("classification", "f-score", "'F1'"),
        ("classification", "pr_auc", "'AP'"),
        ("classification", "rec", "'Recall'"),
        ("classification", "prec@5", "'P@5', a metric of ranking"),
        ("classification", "mean_abs_err", "'MAE', a metric of regression"),
        ("regression", "root_mean_sq_error", "'RMSE'"),
        ("regression", "mean_abs_pct_err", "'MAPE'"),
    ],
)
def test_words_are_known_in_every_task(task: str, text: str, said: str) -> None:
    with pytest.raises(MetricNameError) as error:
        parse(text, task=task)
    assert f"did you mean {said}?" in str(error.value)


@pytest.mark.parametrize("text", ["xyz", "at", "zq@5", "11"])
def test_words_of_no_metric_suggest_none(text: str) -> None:
    with pytest.raises(MetricNameError) as error:
        parse(text)
    assert "did you mean" not in str(error.value)
