"""Fitted models of scikit-learn in the place of predictions."""

from typing import Any, cast

import numpy as np
import pytest

import certus

pytest.importorskip("sklearn", reason="the models are of scikit-learn")

from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import average_precision_score, f1_score, log_loss, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, Y = make_classification(120, random_state=0)
X3, Y3 = make_classification(150, n_classes=3, n_informative=5, random_state=1)
WORDS = np.array(["ham", "spam"])


def value(table: certus.Table, metric: str) -> float:
    return next(row.value for row in table.rows if row.metric == metric)


@pytest.mark.parametrize("model", [LogisticRegression(), RidgeClassifier(), RandomForestClassifier(20, random_state=0)])
@pytest.mark.parametrize("labels", [np.array([0, 1]), WORDS], ids=["numbers", "text"])
@pytest.mark.parametrize("positive", [None, 0, 1])
def test_a_fitted_classifier_is_evaluated_as_scikit_learn_scores_it(
    model: Any, labels: np.ndarray, positive: int | None
) -> None:
    truth = labels[Y]
    fitted = clone(model).fit(X[:60], truth[:60])
    told: dict[str, Any] = {} if positive is None else {"pos_label": labels[positive]}
    table = certus.evaluate(fitted, X[60:], truth[60:], **told)
    assert {row.run for row in table.rows} == {type(model).__name__}
    assert value(table, "Accuracy") == pytest.approx(fitted.score(X[60:], truth[60:]), abs=1e-15)
    scores = (
        fitted.predict_proba(X[60:])[:, 1] if hasattr(fitted, "predict_proba") else fitted.decision_function(X[60:])
    )
    marks, sign = (truth[60:] == labels[1], 1) if positive in (None, 1) else (truth[60:] == labels[0], -1)
    assert value(table, "AP") == pytest.approx(average_precision_score(marks, sign * scores), abs=1e-12)
    assert value(table, "AUC") == pytest.approx(roc_auc_score(marks, sign * scores), abs=1e-12)
    assert ("LogLoss" in [row.metric for row in table.rows]) is hasattr(fitted, "predict_proba")
    named = certus.evaluate(fitted, X[60:], ["AUC", "F1"], truth=truth[60:], **told)
    assert value(named, "AUC") == value(table, "AUC")
    assert value(named, "F1") == pytest.approx(f1_score(marks, (fitted.predict(X[60:]) == labels[1]) ^ (sign < 0)))


def test_fitted_models_of_several_classes_and_regressors_are_evaluated() -> None:
    three = make_pipeline(StandardScaler(), LogisticRegression()).fit(X3[:100], Y3[:100])
    table = certus.evaluate(three, X3[100:], Y3[100:], name="three")
    probabilities = three.predict_proba(X3[100:])
    assert value(table, "LogLoss") == pytest.approx(log_loss(Y3[100:], probabilities), abs=1e-12)
    assert value(table, "AUC(multi_class='ovr')") == pytest.approx(
        roc_auc_score(Y3[100:], probabilities, multi_class="ovr")
    )
    assert {row.run for row in table.rows} == {"three"}
    samples, numbers = make_regression(60, random_state=0)
    ridge = Ridge().fit(samples[:30], numbers[:30])
    found = certus.evaluate(ridge, samples[30:], numbers[30:])
    assert value(found, "R2") == pytest.approx(ridge.score(samples[30:], numbers[30:]), abs=1e-12)


def test_metrics_of_a_fitted_model_follow_its_truth_or_are_named() -> None:
    model, evaluate = LogisticRegression().fit(X[:60], Y[:60]), cast(Any, certus.evaluate)
    before = certus.evaluate(model, X[60:], ["AUC", "F1"], truth=Y[60:])
    weights = np.arange(1.0, len(Y[60:]) + 1)
    for table in (
        evaluate(model, X[60:], Y[60:], ["AUC", "F1"]),
        evaluate(model, X[60:], Y[60:], metrics=["AUC", "F1"]),
    ):
        assert [(row.metric, row.value) for row in table] == [(row.metric, row.value) for row in before]
    weighted = evaluate(model, X[60:], Y[60:], "AUC", sample_weight=weights)
    scores = model.predict_proba(X[60:])[:, 1]
    assert value(weighted, "AUC") == pytest.approx(roc_auc_score(Y[60:], scores, sample_weight=weights), abs=1e-12)
    decided = evaluate(model, X[60:], Y[60:], "F1", threshold=0.7)
    assert value(decided, "F1") == pytest.approx(f1_score(Y[60:], scores >= 0.7), abs=1e-12)


@pytest.mark.parametrize(("samples", "classes"), [(X, Y), (X, Y.astype(bool)), (X, 2 * Y - 1), (X3, Y3)])
def test_of_a_fitted_model_metrics_without_a_positive_class_are_named_alone(samples: Any, classes: Any) -> None:
    model, evaluate = LogisticRegression().fit(samples, classes), cast(Any, certus.evaluate)
    table = evaluate(model, samples, classes, "Accuracy")
    assert value(table, "Accuracy") == pytest.approx(model.score(samples, classes), abs=1e-15)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda model: certus.evaluate(model, X), "data is a fitted estimator; give samples and their truth, as in"),
        (lambda model: certus.evaluate(model, X, "AUC"), "data is a fitted estimator; give samples and their truth"),
        (
            lambda model: certus.evaluate(model, X, truth="y"),
            "data is a fitted estimator; give samples and their truth",
        ),
        (lambda model: certus.evaluate(model, X, Y, task="regression"), "LogisticRegression is for classification"),
        (lambda _: certus.evaluate(KMeans(2, n_init=1).fit(X), X, Y), "KMeans is not a fitted classifier or regressor"),
    ],
)
def test_a_model_without_what_it_is_evaluated_by_is_refused(call: Any, text: str) -> None:
    with pytest.raises(certus.CertusError, match=text):
        call(LogisticRegression().fit(X, Y))
