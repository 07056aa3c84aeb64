"""Pictures of the systems of an evaluation: runs by rank, gains of queries, curves of several classifiers."""

from typing import Any

import numpy as np
import pytest
from legible import artists

import certus
from certus import CertusError, DataError, tasks
from certus.plot.rankings import gains

plt = pytest.importorskip("matplotlib.pyplot")

QRELS = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}
RUNS = {
    "one": {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"x": 2.0, "a": 1.0}},
    "two": {"q1": {"a": 3.0, "y": 2.0}, "q2": {"x": 2.0, "y": 1.0}},
}
TRUTH = [0, 0, 1, 0, 1, 1, 0, 1]
SCORES = {"low": [0.1, 0.2, 0.3, 0.3, 0.4, 0.6, 0.5, 0.7], "high": [0.2, 0.4, 0.6, 0.5, 0.7, 0.9, 0.8, 0.95]}


def drawn(table: certus.Table) -> Any:
    assert table.drawn is not None
    return table.drawn


def texts(ax: Any) -> list[str]:
    return [each.get_text() for each in ax.get_legend().get_texts()]


def test_the_share_of_unjudged_documents_by_rank_is_that_of_the_first_k() -> None:
    ax = certus.evaluate(QRELS, RUNS, "AP").plot("unjudged")
    one, two = artists(ax, "certus-curve")
    # one: q1 is -, a, b and q2 -, a; two: q1 is a, - and q2 -, -; down to the end of the longest list
    np.testing.assert_allclose(one.get_xdata(), [1, 2, 3])
    np.testing.assert_allclose(one.get_ydata(), [1, 1 / 2, (1 / 3 + 1 / 2) / 2])
    np.testing.assert_allclose(two.get_ydata(), [1 / 2, 3 / 4, 3 / 4])
    assert ax.get_ylabel().replace("\n", " ") == "Unjudged@k (share of the first k without judgment)"
    assert texts(ax) == ["one: Unjudged", "two: Unjudged"]
    assert ax.get_legend().get_title().get_text() == "95% interval at each rank\n2 queries"


def test_precision_and_recall_by_rank_are_those_of_the_metrics() -> None:
    table = certus.evaluate(QRELS, RUNS["one"], "AP")
    for name, metric in (("precision", certus.ranking.precision), ("recall", certus.ranking.recall)):
        (line,) = artists(table.plot(name), "certus-curve")
        np.testing.assert_allclose(line.get_ydata(), [metric(QRELS, RUNS["one"], cutoff=k).value for k in (1, 2, 3)])


def test_one_run_has_its_gains_and_several_their_ndcg() -> None:
    ax = certus.evaluate(QRELS, RUNS["one"], "AP").plot("ndcg")
    (right,) = [each for each in ax.figure.axes if each is not ax]
    assert ax.get_legend() is None  # one for both scales
    assert texts(right) == ["CG", "DCG", "IdealDCG", "nDCG (right)"]
    assert texts(certus.evaluate(QRELS, RUNS, "AP").plot("ndcg")) == ["one: nDCG", "two: nDCG"]


def test_gains_stand_at_the_number_of_relevant_documents() -> None:
    ax = certus.evaluate(QRELS, RUNS, "AP").plot("gains")
    one, two = artists(ax, "certus-gains")
    # one finds gains 3 of the two documents of q1, and 1 of the one of q2; two 1 and 0; side by side, 0.3 apart
    np.testing.assert_allclose(one.get_offsets(), [[1 - 0.15, 1], [2 - 0.15, 3]])
    np.testing.assert_allclose(two.get_offsets(), [[1 + 0.15, 0], [2 + 0.15, 1]])
    (ideal,) = artists(ax, "certus-reference")
    np.testing.assert_allclose(ideal.get_xydata(), [[1, 1], [2, 3]])
    assert ax.get_xlabel() == "Relevant documents of the query"


def test_the_area_of_a_gain_is_the_number_of_queries() -> None:
    ax = gains(np.array([1.0, 1.0, 1.0, 2.0]), {"a": np.array([1.0, 1.0, 0.0, 2.0])})
    (dots,) = artists(ax, "certus-gains")
    assert dots.get_offsets().tolist() == [[1, 0], [1, 1], [2, 2]]
    small, large, other = dots.get_sizes()
    assert small == other < large
    assert ax.get_legend().get_title().get_text() == "4 queries; largest marker: 2"


def test_a_query_that_a_run_lacks_is_counted_out() -> None:
    ax = certus.evaluate(QRELS, {"all": RUNS["one"], "less": {"q1": {"a": 1.0}}}, "AP").plot("gains")
    assert texts(ax)[:2] == ["all (2 queries; largest marker: 1)", "less (1 query; largest marker: 1)"]


def test_gains_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(DataError, match="'b' has 1 gain for 2 queries"):
        gains(np.ones(2), {"a": np.ones(2), "b": np.ones(1)})
    with pytest.raises(CertusError, match="8 systems cannot be told apart in a picture, at most 7 can"):
        gains(np.ones(2), {str(i): np.ones(2) for i in range(8)})


def test_calibration_of_several_models_is_one_picture() -> None:
    ax = certus.evaluate(TRUTH, SCORES, "Brier").plot("calibration")
    lines = artists(ax, "certus-curve")
    for line, scores in zip(lines, SCORES.values(), strict=True):
        curve = certus.classification.calibration_curve(TRUTH, scores)
        np.testing.assert_array_equal(line.get_data(), [curve.prob_pred, curve.prob_true])
    assert texts(ax)[:2] == ["low", "high"]
    assert lines[0].get_linestyle() != lines[1].get_linestyle()


def test_a_comparison_draws_its_systems_together() -> None:
    assert texts(certus.compare(TRUTH, SCORES, "Brier").plot("roc"))[0].startswith("low: AUC")
    assert texts(certus.compare(QRELS, RUNS, "AP").plot("precision-recall")) == ["one: IPrec", "two: IPrec"]
    with pytest.raises(CertusError, match="8 runs cannot be told apart in a picture; at most 7 can"):
        certus.evaluate(QRELS, {f"r{i}": RUNS["one"] for i in range(8)}, "AP").plot("ndcg")


@pytest.mark.parametrize("task", [task for task in tasks.tasks() if task.pictures], ids=lambda task: task.name)
def test_the_pictures_of_a_task_are_those_it_names(task: Any) -> None:
    if task.name == "ranking":
        tables = [certus.evaluate(QRELS, RUNS, "AP")]
    else:
        tables = [certus.evaluate(TRUTH, TRUTH, "MCC"), certus.evaluate(TRUTH, SCORES["low"], "AUC")]
    names = [name for table in tables for name, _ in drawn(table).pictures()]
    assert names == list(task.drawn)
    for table in tables:
        for name, _ in drawn(table).pictures():
            _, ax = plt.subplots()
            assert table.plot(name, ax) is ax
