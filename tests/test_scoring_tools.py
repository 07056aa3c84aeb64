"""certus.scorer in the tools of scikit-learn: searches, thresholds, weights that are routed, selection of columns."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import certus
from certus import DataError, MetricNameError

pytest.importorskip("sklearn", reason="scorers are for scikit-learn")

import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.experimental import enable_halving_search_cv as enable_halving_search_cv
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Ridge, RidgeCV
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
    learning_curve,
)

X, Y = make_classification(120, random_state=0)
MODEL = LogisticRegression()


def test_searches_and_many_metrics_at_once_work_in_parallel() -> None:
    search = GridSearchCV(MODEL, {"C": [0.01, 1.0]}, scoring=certus.scorer("log_loss"), n_jobs=2, cv=3).fit(X, Y)
    assert search.best_score_ == pytest.approx(
        GridSearchCV(MODEL, {"C": [0.01, 1.0]}, scoring="neg_log_loss", cv=3).fit(X, Y).best_score_
    )
    several = {"auc": certus.scorer("roc_auc"), "f1": certus.scorer("f1")}
    found = cross_validate(MODEL, X, Y, scoring=several, n_jobs=2)
    np.testing.assert_allclose(found["test_auc"], cross_val_score(MODEL, X, Y, scoring="roc_auc"), rtol=1e-12)


REGRESSED, NUMBERS = make_regression(150, random_state=0, noise=10)
NUMBERS = np.exp(NUMBERS / 200)


WEIGHTS = np.random.default_rng(0).integers(1, 5, len(Y)).astype(float)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("f1", "f1"), ("MCC", "matthews_corrcoef"), ("precision", "precision"), ("accuracy", "accuracy")],
)
def test_a_threshold_is_tuned_as_with_scikit_learns_scorer(ours: str, theirs: str) -> None:
    found, expected = (
        TunedThresholdClassifierCV(LogisticRegression(), scoring=scoring, cv=3).fit(X, Y)
        for scoring in (certus.scorer(ours), theirs)
    )
    assert found.best_threshold_ == expected.best_threshold_
    assert found.best_score_ == pytest.approx(expected.best_score_, rel=1e-12)


@pytest.mark.parametrize("positive", ["bad", "good"])
def test_a_threshold_is_tuned_for_either_class(positive: str) -> None:
    names = np.array(["bad", "good"])[Y]
    found, expected = (
        TunedThresholdClassifierCV(LogisticRegression(), scoring=scoring, cv=3).fit(X, names)
        for scoring in (certus.scorer("f1", pos_label=positive), make_scorer(f1_score, pos_label=positive))
    )
    assert found.best_threshold_ == expected.best_threshold_
    assert found.predict(X).tolist() == expected.predict(X).tolist()


def test_an_undefined_threshold_is_never_the_best() -> None:
    of_labels = certus.scorer("MCC")._score_func
    assert of_labels([0, 1], [1, 1]) == -1.0
    with pytest.raises(DataError, match=r"LR- is undefined: .*; say what that counts as with undefined="):
        certus.scorer("LR-")._score_func([1, 1], [1, 1])


@pytest.mark.parametrize(
    ("tool", "ours", "theirs"),
    [
        (lambda scoring: GridSearchCV(MODEL, {"C": [0.1, 1]}, scoring=scoring).fit(X, Y, sample_weight=WEIGHTS), 0, 0),
        (lambda scoring: HalvingGridSearchCV(MODEL, {"C": [0.1, 1]}, scoring=scoring, random_state=0).fit(X, Y), 0, 0),
        (lambda scoring: RidgeCV(scoring=scoring).fit(REGRESSED, NUMBERS), "rmse", "neg_root_mean_squared_error"),
    ],
    ids=["grid with weights", "halving", "ridge"],
)
def test_searches_find_the_same_best_score(tool: Any, ours: Any, theirs: Any) -> None:
    found, expected = tool(certus.scorer(ours or "log_loss")), tool(theirs or "neg_log_loss")
    assert found.best_score_ == pytest.approx(expected.best_score_, rel=1e-12)


def test_other_tools_take_it_as_they_take_scikit_learns() -> None:
    model = LogisticRegression().fit(X, Y)
    shuffled = [
        permutation_importance(model, X, Y, scoring=scoring, random_state=0, sample_weight=WEIGHTS).importances
        for scoring in (certus.scorer("log_loss"), "neg_log_loss")
    ]
    np.testing.assert_allclose(shuffled[0], shuffled[1], rtol=1e-9, atol=1e-12)
    curves = [
        learning_curve(Ridge(), REGRESSED, NUMBERS, scoring=s)[2]
        for s in (certus.scorer("mae"), "neg_mean_absolute_error")
    ]
    np.testing.assert_allclose(curves[0], curves[1], rtol=1e-12)
    paths = [
        LogisticRegressionCV(Cs=3, scoring=scoring, l1_ratios=(0,), use_legacy_attributes=False).fit(X, Y).scores_
        for scoring in (certus.scorer("log_loss", clip=2.0**-52), "neg_log_loss")
    ]
    np.testing.assert_allclose(paths[0], paths[1], rtol=1e-9)
    assert (
        SequentialFeatureSelector(model, n_features_to_select=1, scoring=certus.scorer("mcc")).fit(X, Y).support_.any()
    )
    boosted = HistGradientBoostingRegressor(scoring=certus.scorer("mae"), early_stopping=True, max_iter=3)
    assert len(boosted.fit(REGRESSED, NUMBERS).validation_score_) == 4


def test_weights_are_routed_as_requested() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True)
        weighted = certus.scorer("log_loss").set_score_request(sample_weight=True)
        theirs = get_scorer("neg_log_loss").set_score_request(sample_weight=True)
        alias = certus.scorer("log_loss").set_score_request(sample_weight="w")
        plain = certus.scorer("log_loss").set_score_request(sample_weight=False)

        def best(scoring: Any, **given: Any) -> float:
            found = GridSearchCV(model, {"C": [0.1, 1]}, scoring=scoring).fit(X, Y, sample_weight=WEIGHTS, **given)
            return float(found.best_score_)

        assert best(weighted) == best(alias, w=WEIGHTS) == pytest.approx(best(theirs), rel=1e-12)
        unweighted = get_scorer("neg_log_loss").set_score_request(sample_weight=False)
        assert best(plain) == pytest.approx(best(unweighted), rel=1e-12) != best(weighted)
        with pytest.raises(UnsetMetadataPassedError, match="set_score_request"):
            best(certus.scorer("log_loss"))
        both = {"ours": weighted, "theirs": theirs, "unweighted": certus.scorer("ARI")}
        found = cross_validate(model, X, Y, scoring=both, params={"sample_weight": WEIGHTS})
        np.testing.assert_allclose(found["test_ours"], found["test_theirs"], rtol=1e-12)
        tuned = [
            TunedThresholdClassifierCV(model, scoring=scoring.set_score_request(sample_weight=True), cv=3)
            .fit(X, Y, sample_weight=WEIGHTS)
            .best_score_
            for scoring in (certus.scorer("f1"), get_scorer("f1"))
        ]
        assert tuned[0] == pytest.approx(tuned[1], rel=1e-12)
        for other in (pickle.loads(pickle.dumps(weighted)), copy.deepcopy(weighted), clone(weighted, safe=False)):
            assert other == weighted
            assert best(other) == best(weighted)
        assert weighted != certus.scorer("log_loss")
        with pytest.raises(MetricNameError, match=r"^ARI does not apply to weighted samples; leave out sample_weight$"):
            certus.scorer("ARI").set_score_request(sample_weight=True)


def test_a_request_that_nobody_would_look_at_is_refused() -> None:
    with pytest.raises(RuntimeError, match="enable_metadata_routing=True"):
        certus.scorer("log_loss").set_score_request(sample_weight=True)
