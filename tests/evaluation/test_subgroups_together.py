"""Subgroups whose estimates are made together: the same as one by one."""

import dataclasses
import os
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import DataError
from certus.classification import gini, roc_auc
from certus.core import kernels
from certus.data import Scores
from certus.data.samples import Parts
from certus.evaluation.cases import Samples
from certus.inference import Estimate
from certus.inference.estimate import SubgroupEstimates
from certus.metrics import Metric
from certus.table.row import Rows

pd = pytest.importorskip("pandas")
SAMPLES = st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(-3, 3)), min_size=1, max_size=60)


def together(metric: Metric, parts: Parts[Scores]) -> list[Any]:
    return list(metric.of_parts(parts) or ())


def columns(samples: list[tuple[int, bool, int]]) -> tuple[Any, Any, Any]:
    by, truth, score = zip(*samples, strict=True)
    return np.array(by), np.array(truth), np.array(score, dtype=float)


@settings(max_examples=60, deadline=None)
@given(SAMPLES)
def test_each_subgroup_has_the_area_and_the_limits_of_its_own_samples(samples: list[tuple[int, bool, int]]) -> None:
    by, truth, score = columns(samples)
    table = certus.evaluate(truth, y_score=score, metrics=["AUC", "Gini"], by=by, task="classification")
    rows = iter([row for row in table.rows if row.group is not None])
    for group in np.unique(by):
        for metric in (roc_auc, gini):
            own, row = metric(truth[by == group], score[by == group]), next(rows)
            interval = own.interval()
            assert (row.group, row.metric, row.n, row.reason) == (
                str(group),
                metric.name,
                own.n,
                own.reason or interval.reason,
            )
            assert np.array_equal([row.value], [own.value], equal_nan=True)
            assert repr((row.low, row.high)) == repr(tuple(interval))


@pytest.mark.parametrize("level", [0.3, 0.5, 0.95, 1 - 1e-5])
def test_limits_of_many_areas_at_once_are_those_of_each(level: float) -> None:
    rng = np.random.default_rng(5)
    whole = np.repeat(np.arange(400), rng.integers(4, 90, 400))
    truth = rng.random(len(whole)) < 0.4
    score = rng.normal(size=len(whole)) + truth * rng.choice([0.0, 1.0, 2.0, -1.0], 400)[whole]
    score[whole % 3 == 0] = score[whole % 3 == 0].round(1)
    parts = Parts(Scores.from_arrays(truth, score), whole.astype(np.uint32), 400)
    for metric, bounds in ((roc_auc, (0.0, 1.0)), (gini, (-1.0, 1.0))):
        statistics: Any = metric.of_parts(parts)
        found = SubgroupEstimates([str(part) for part in range(400)], statistics, metric.name, bounds)
        low, high, known, names, _ = found.limits(level)
        assert known.sum() > 250
        for position in range(400):
            singly: Any = metric.compute(parts[position])
            expected = Estimate(singly, bounds=bounds).interval(level)
            assert np.array_equal(list(found.estimate_at(position).interval(level)), list(expected), equal_nan=True)
            if known[position]:
                assert (low[position], high[position], names[position], "") == (
                    *expected,
                    expected.method,
                    expected.reason,
                )
            one = found.estimate_at(position)
            values = (found.metric_values[position], found.sizes[position], *statistics.variances[position])
            assert np.array_equal(values, (one.value, one.n, *singly.variances), equal_nan=True)


def test_a_part_whose_counts_float64_does_not_hold_is_as_exact_as_others() -> None:
    rng = np.random.default_rng(8)
    by = np.repeat([0, 1, 2], [20_000, 60, 24_000])
    truth, score = rng.random(len(by)) < 0.5, rng.normal(size=len(by))
    parts = Parts(Scores.from_arrays(truth, score), by.astype(np.uint32), 3)
    assert [part for part, *_ in kernels.score_auc_of_parts(score, truth, parts.codes, 3)[2]] == [0, 2]
    rows = certus.evaluate(truth, y_score=score, metrics="AUC", by=by, task="classification").rows
    for position in range(3):
        alone = roc_auc(truth[by == position], score[by == position])
        assert (rows[position].value, rows[position].low, rows[position].high) == (alone.value, *alone.interval())


def test_neither_threads_nor_the_order_of_rows_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    by = rng.integers(0, 900, 20_000)
    truth = rng.random(20_000) < 0.5
    score = rng.normal(size=20_000).round(2) + truth
    order = rng.permutation(20_000)

    def rows(index: Any, threads: int) -> list[Any]:
        monkeypatch.setitem(os.environ, "CERTUS_THREADS", str(threads))
        table = certus.evaluate(truth[index], y_score=score[index], metrics="AUC", by=by[index], task="classification")
        return [row.to_dict() for row in table.rows]

    assert rows(slice(None), 1) == rows(slice(None), 2) == rows(order, 2)


def test_a_subgroup_that_is_wrong_says_so_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, score = ["a", "b", "b", "a"], [0.1, 0.4, 0.3, 0.2]
    with pytest.raises(DataError, match="say which is positive"):
        certus.evaluate(truth, y_score=score, metrics="AUC", by=[0, 0, 1, 1])
    table = certus.evaluate(truth, y_score=score, metrics="AUC", by=[0, 0, 1, 1], pos_label="b")
    assert [row.value for row in table.rows][:2] == [1.0, 1.0]

    def refused(*_: Any) -> None:
        raise AssertionError("the parts are made one by one")

    monkeypatch.setattr(Samples, "part", refused)
    assert certus.evaluate([0, 1, 1, 0], y_score=score, metrics="AUC", by=[0, 0, 1, 1]).rows[0].value == 1.0


def test_estimates_of_parts_are_held_against_chance_resampled_and_pickled_as_others_are() -> None:
    rng = np.random.default_rng(7)
    truth, score, by = rng.random(200) < 0.5, rng.normal(size=200), np.repeat([0, 1], 100)
    for position, statistic in enumerate(
        together(roc_auc, Parts(Scores.from_arrays(truth, score), by.astype(np.uint32), 2))
    ):
        alone: Any = roc_auc.compute(Scores.from_arrays(truth[by == position], score[by == position]))
        found, expected = (Estimate(each, bounds=(0.0, 1.0)).interval(0.9, "percentile") for each in (statistic, alone))
        assert found == expected
        again = pickle.loads(pickle.dumps(statistic))
        assert [values.tolist() for values in again.influence()] == [values.tolist() for values in alone.influence()]
    table = certus.evaluate(truth, y_score=score, metrics="AUC", by=by, task="classification", chance=True)
    assert table.rows[0].p == roc_auc(truth[:100], score[:100]).versus_chance().p


OF_LABELS = [
    *("Accuracy", "Precision", "Recall", "F1", "Specificity", "NPV", "FPR", "Jaccard", "MCC", "kappa"),
    *("F1(average='macro')", "F1(undefined=0)", "Precision(average='micro')", "BalancedAccuracy"),
]
OF_SCORES = ["AP", "KS", "LogLoss", "Brier", "Brier(scale_by_half=False)", "LogLoss(clip='auto')", "ECE", "AUC"]
OF_NUMBERS = ["MAE", "MSE", "RMSE", "R2", "MedAE", "MAPE", "Pearson", "MeanPinballLoss"]


def compared(**asked: Any) -> None:
    """The same cells from all subgroups together, one by one in a table, and each in a call of its own."""
    together = certus.evaluate(**asked)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Samples, "estimates_of_parts", lambda *_: None)
        singly = certus.evaluate(**asked)
        assert not any(isinstance(each, Rows) for each in singly._parts)
    assert any(isinstance(each, Rows) for each in together._parts)
    assert [repr(row) for row in together.rows] == [repr(row) for row in singly.rows]
    by, found = asked["by"], iter(together.rows)
    for group in np.unique(by):
        part = {name: each[by == group] for name, each in asked.items() if isinstance(each, np.ndarray)}
        alone = certus.evaluate(**{**asked, **part, "by": None})
        for row in alone:
            own = next(found)
            assert own.group == str(group)
            assert repr(dataclasses.replace(own, group=None)) == repr(row)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from(["numbers", "text", "truth values"]))
def test_metrics_of_labels_of_many_subgroups_are_those_of_each(seed: int, groups: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    n = 25 * groups
    by = np.sort(rng.integers(0, groups, n))[rng.permutation(n)]
    truth, guess = rng.random((2, n)) < rng.random((2, groups))[:, by]
    guess = np.where(by % 3 == 0, truth, guess)
    names = {"numbers": (0, 1), "text": ("no", "yes"), "truth values": (False, True)}[kind]
    given = {"truth": np.array(names)[truth.astype(int)], "y_pred": np.array(names)[guess.astype(int)]}
    told = {"pos_label": "yes"} if kind == "text" else {}
    compared(**given, metrics=OF_LABELS, by=by, task="classification", **told)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.booleans())
def test_metrics_of_scores_of_many_subgroups_are_those_of_each(seed: int, groups: int, rounded: bool) -> None:
    rng = np.random.default_rng(seed)
    n = 25 * groups
    by = rng.integers(0, groups, n)
    truth = (rng.random(n) < rng.random(groups)[by]).astype(int)
    score = np.clip((0.3 * truth + 0.6 * rng.random(n)).round(1 if rounded else 9), 0.01, 0.99)
    score[by % 4 == 1] = truth[by % 4 == 1]
    compared(truth=truth, y_score=score, metrics=OF_SCORES, by=by, task="classification")


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_metrics_of_numbers_of_many_subgroups_are_those_of_each(seed: int, groups: int) -> None:
    rng = np.random.default_rng(seed)
    n = 25 * groups
    by = rng.integers(0, groups, n)
    truth = rng.lognormal(0, 2, n) + 1
    guess = truth + rng.standard_t(2, n) * (by % 3)
    compared(truth=truth, predictions=guess, metrics=OF_NUMBERS, by=by, task="regression")


def test_classes_of_which_some_subgroups_have_none_are_those_of_each_subgroup() -> None:
    rng = np.random.default_rng(2)
    by = np.repeat([0, 1, 2, 3], 40)
    truth = rng.choice(["cat", "dog", "eel"], 160)
    truth[by == 1] = "cat"
    guess = np.where(rng.random(160) < 0.7, truth, "dog")
    guess[by == 1] = "cat"
    metrics = ["Accuracy", "MCC", "F1(average='weighted')", "F1(average='micro')"]
    compared(truth=truth, y_pred=guess, metrics=metrics, by=by, task="classification")
    each = ["Accuracy", "Recall(average=None)"]
    table = certus.evaluate(truth, y_pred=guess, metrics=each, by=by, task="classification")
    assert not any(isinstance(block, Rows) for block in table._parts)


def test_a_subgroup_that_cannot_be_evaluated_is_refused_as_by_itself() -> None:
    truth, guess = np.array([0, 1, 2, 1, 0, 1]), np.array([0, 1, 2, 1, 1, 1])
    with pytest.raises(DataError, match="average='binary' is for two"):
        certus.evaluate(truth, y_pred=guess, metrics="F1", by=[0, 0, 0, 1, 1, 1], task="classification")
    # Here each subgroup has two classes, and all samples together three.
    compared(
        truth=np.array([0, 1, 0, 1, 2, 1]),
        y_pred=np.array([0, 1, 1, 1, 2, 2]),
        by=np.array([0, 0, 0, 1, 1, 1]),
        metrics="F1",
        pos_label=1,
        task="classification",
    )


def columns_of_kinds() -> dict[str, dict[str, Any]]:
    rng = np.random.default_rng(3)
    three, two = rng.choice(list("abc"), 90), np.where(rng.random(90) < 0.4, "yes", "no")
    two[:30] = "no"
    guess, scores, score = rng.choice(list("abc"), 90), rng.dirichlet(np.ones(3), 90), rng.random(90)
    ordered = [pd.Series(pd.Categorical(each, list("cab"), ordered=True)) for each in (three, guess)]
    both = np.column_stack([1 - score, score]).astype(np.float32)
    classified: dict[str, dict[str, Any]] = {
        "classes": {"truth": three, "y_score": scores, "metrics": ["LogLoss", "AUC(multi_class='ovr')"]},
        "named classes": {
            "truth": three,
            "y_score": pd.DataFrame(scores[:, ::-1], columns=list("cba")),
            "metrics": "Brier",
        },
        "ordered labels": {"truth": ordered[0], "y_pred": ordered[1], "metrics": ["MCC", "kappa(weights='linear')"]},
        "chosen labels": {"truth": three, "y_pred": guess, "labels": list("ab"), "metrics": "F1(average='macro')"},
        "two columns": {"truth": two, "y_score": both, "pos_label": "yes", "metrics": ["LogLoss", "AP"]},
        "weights": {"truth": two, "y_pred": two[::-1], "pos_label": "yes", "sample_weight": score, "metrics": "F1"},
        "labels and scores": {"truth": three == "a", "y_pred": guess == "a", "y_score": score, "metrics": ["F1", "AP"]},
        "no positive class": {"truth": two, "y_pred": two, "metrics": "F1"},
        "useless label": {"truth": two, "y_pred": two, "pos_label": "yes", "metrics": "Accuracy"},
    }
    outputs = rng.normal(size=(2, 90, 2))
    numbers: dict[str, dict[str, Any]] = {
        "outputs": {"truth": outputs[0], "predictions": outputs[1], "metrics": ["MAE", "RMSE", "R2"]},
        "raw outputs": {"truth": outputs[0], "predictions": outputs[1], "metrics": "MSE(multioutput='raw_values')"},
        "tiny": {
            "truth": outputs[0, :, 0] * 1e-300,
            "predictions": outputs[1, :, 0] * 1e-300,
            "metrics": ["MSE", "RMSE"],
        },
        "huge": {
            "truth": outputs[0, :, 0] * 1e200,
            "predictions": outputs[1, :, 0] * 1e200,
            "metrics": ["MSE", "RMSE"],
        },
    }
    return {name: {**each, "task": "classification"} for name, each in classified.items()} | {
        name: {**each, "task": "regression"} for name, each in numbers.items()
    }


KINDS = columns_of_kinds()


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_every_kind_give_the_rows_or_the_error_of_subgroups_one_by_one(kind: str) -> None:
    by = np.repeat([2, 0, 1], 30)

    def found() -> Any:
        try:
            table = certus.evaluate(**KINDS[kind], by=by)
            return [repr(row) for row in table.rows], table.signature, [str(each) for each in table.warnings]
        except certus.CertusError as error:
            return type(error), str(error)

    together = found()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Samples, "estimates_of_parts", lambda *_: None)
        assert together == found()
