"""certus.scorer in scikit-learn's model selection."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import certus
from certus.errors import DataError, MetricNameError
from certus.scoring import Scorer

pytest.importorskip("sklearn", reason="scorers are for scikit-learn")

from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

X, Y = make_classification(120, random_state=0)
X3, Y3 = make_classification(150, n_classes=3, n_informative=5, random_state=1)
MODEL = LogisticRegression()

PAIRS = [
    ("roc_auc", "roc_auc"),
    ("average_precision", "average_precision"),
    ("accuracy", "accuracy"),
    ("balanced_accuracy", "balanced_accuracy"),
    ("f1", "f1"),
    ("precision", "precision"),
    ("recall", "recall"),
    ("jaccard", "jaccard"),
    ("matthews_corrcoef", "matthews_corrcoef"),
    ("log_loss", "neg_log_loss"),
    ("brier", "neg_brier_score"),
    ("d2_log_loss", "d2_log_loss_score"),
    ("d2_brier", "d2_brier_score"),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_scores_of_two_classes_are_those_of_scikit_learns_scorer(ours: str, theirs: str) -> None:
    scores = cross_val_score(MODEL, X, Y, scoring=certus.scorer(ours))
    np.testing.assert_allclose(scores, cross_val_score(MODEL, X, Y, scoring=theirs), rtol=1e-12)


@pytest.mark.parametrize(
    ("parameters", "theirs"),
    [
        ({"metric": "f1", "average": "macro"}, "f1_macro"),
        ({"metric": "roc_auc", "multi_class": "ovr"}, "roc_auc_ovr"),
        ({"metric": "roc_auc", "multi_class": "ovo", "average": "weighted"}, "roc_auc_ovo_weighted"),
        ({"metric": "top_k_accuracy", "k": 2}, "top_k_accuracy"),
        ({"metric": "log_loss"}, "neg_log_loss"),
    ],
)
def test_scores_of_several_classes_are_those_of_scikit_learns_scorer(parameters: Any, theirs: str) -> None:
    # A random forest has probabilities only, so both scorers see the same.
    model = RandomForestClassifier(20, random_state=0, min_samples_leaf=3)
    scores = cross_val_score(model, X3, Y3, scoring=certus.scorer(**parameters))
    np.testing.assert_allclose(scores, cross_val_score(model, X3, Y3, scoring=theirs), rtol=1e-12)


def test_the_sign_of_a_loss_is_turned() -> None:
    model = MODEL.fit(X, Y)
    loss = certus.classification.log_loss(Y, model.predict_proba(X)[:, 1]).value
    assert loss > 0
    assert certus.scorer("log_loss")(model, X, Y) == pytest.approx(-loss)


def test_a_metric_and_its_parameters_may_be_given_in_any_way() -> None:
    same = [
        certus.scorer("fbeta", beta=2),
        certus.scorer("Fbeta@2"),
        certus.scorer(certus.classification.fbeta, beta=2),
        certus.scorer(certus.classification.fbeta.using(beta=2)),
    ]
    assert len(set(same)) == 1
    assert repr(same[0]) == "certus.scorer('Fbeta@2')"


def test_the_positive_label_may_be_either_class() -> None:
    names = np.array(["bad", "good"])[Y]
    model = LogisticRegression().fit(X, names)
    good, bad = (certus.scorer("average_precision", pos_label=label) for label in ("good", "bad"))
    score = model.decision_function(X)
    assert good(model, X, names) == certus.classification.average_precision(Y == 1, score).value
    assert bad(model, X, names) == certus.classification.average_precision(Y == 0, -score).value
    assert certus.scorer("roc_auc", pos_label="bad")(model, X, names) == pytest.approx(
        certus.scorer("roc_auc", pos_label="good")(model, X, names)
    )
    assert certus.scorer("f1", pos_label="bad")(model, X, names) == pytest.approx(
        certus.classification.f1(names, model.predict(X), pos_label="bad").value
    )


def test_either_class_may_be_positive_where_there_are_only_probabilities() -> None:
    names = np.array(["bad", "good"])[Y]
    model = RandomForestClassifier(10, random_state=0).fit(X[:60], names[:60])
    for column, label in enumerate(("bad", "good")):
        expected = certus.classification.average_precision(names == label, model.predict_proba(X)[:, column])
        assert certus.scorer("average_precision", pos_label=label)(model, X, names) == expected.value


def test_which_class_is_positive_is_not_guessed() -> None:
    names = np.array(["bad", "good"])[Y]
    model = LogisticRegression().fit(X, names)
    for name in ("f1", "average_precision"):
        with pytest.raises(DataError, match="pos_label="):
            certus.scorer(name)(model, X, names)


def test_it_asks_for_what_the_estimator_has() -> None:
    ridge = RidgeClassifier().fit(X, Y)
    expected = certus.classification.roc_auc(Y, ridge.decision_function(X)).value
    assert certus.scorer("roc_auc")(ridge, X, Y) == expected
    with pytest.raises(DataError, match=r"^RidgeClassifier has no predict_proba, which LogLoss needs$"):
        certus.scorer("log_loss")(ridge, X, Y)


def test_pairwise_decision_values_are_refused() -> None:
    machine = SVC(decision_function_shape="ovo").fit(*make_classification(80, n_classes=4, n_informative=4))
    with pytest.raises(DataError, match=r"^SVC\.decision_function gives 6 columns for 4 classes; with decision_"):
        certus.scorer("roc_auc", multi_class="ovr")(machine, X[:, :20], np.arange(120) % 4)


def test_several_labels_per_sample_have_scores_too() -> None:
    data, labels = make_multilabel_classification(80, n_classes=3, random_state=0)
    forest = RandomForestClassifier(10, random_state=0).fit(data, labels)
    table = np.column_stack([each[:, 1] for each in forest.predict_proba(data)])
    expected = certus.classification.roc_auc(labels, table, average="macro").value
    assert certus.scorer("roc_auc", average="macro")(forest, data, labels) == expected
    one = OneVsRestClassifier(LogisticRegression()).fit(data, labels)
    assert certus.scorer("roc_auc")(one, data, labels) == pytest.approx(get_scorer("roc_auc")(one, data, labels))
    assert certus.scorer("f1", average="samples", undefined="skip")(one, data, labels) == pytest.approx(
        certus.classification.f1(labels, one.predict(data), average="samples", undefined="skip").value
    )


def test_weights_are_passed_on() -> None:
    model = MODEL.fit(X, Y)
    weights = np.arange(120.0)
    found = certus.scorer("accuracy")(model, X, Y, sample_weight=weights)
    assert found == pytest.approx(get_scorer("accuracy")(model, X, Y, sample_weight=weights))


def test_scorers_survive_pickling_copying_and_cloning() -> None:
    scorer = certus.scorer("fbeta", beta=0.5, pos_label=1)
    for other in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        assert other == scorer
        assert hash(other) == hash(scorer)
    search = clone(GridSearchCV(MODEL, {"C": [0.1, 1.0]}, scoring=scorer))
    assert search.scoring == scorer
    assert scorer != certus.scorer("fbeta", beta=0.5)
    assert scorer != "fbeta"


def test_searches_and_many_metrics_at_once_work_in_parallel() -> None:
    search = GridSearchCV(MODEL, {"C": [0.01, 1.0]}, scoring=certus.scorer("log_loss"), n_jobs=2, cv=3).fit(X, Y)
    assert search.best_score_ == pytest.approx(
        GridSearchCV(MODEL, {"C": [0.01, 1.0]}, scoring="neg_log_loss", cv=3).fit(X, Y).best_score_
    )
    several = {"auc": certus.scorer("roc_auc"), "f1": certus.scorer("f1")}
    found = cross_validate(MODEL, X, Y, scoring=several, n_jobs=2)
    np.testing.assert_allclose(found["test_auc"], cross_val_score(MODEL, X, Y, scoring="roc_auc"), rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: certus.scorer("roc_acu"), r"^no metric is named 'roc_acu'; did you mean 'roc_auc'\?$"),
        (lambda: certus.scorer("f1", avg="macro"), "^F1 has no parameter 'avg'"),
        (lambda: certus.scorer("f1", average="median"), "^average of F1 is 'median'; it must be"),
        (lambda: certus.scorer("f1", average=None), "has a value for each class; a score is one number"),
        (lambda: certus.scorer("prevalence"), "neither higher nor lower values are better"),
        (lambda: certus.scorer(certus.parse("AP", task="ranking")), "must be a classification metric or its name"),
        (
            lambda: certus.scorer(object()),  # type: ignore[arg-type]
            "must be a classification metric or its name",
        ),
    ],
)
def test_what_cannot_be_a_score_is_refused_at_once(call: Any, message: str) -> None:
    with pytest.raises(MetricNameError, match=message):
        call()


def test_an_undefined_score_is_nan() -> None:
    assert np.isnan(certus.scorer("roc_auc")(MODEL.fit(X, Y), X[Y == 1], Y[Y == 1]))


def test_a_fold_may_lack_a_class() -> None:
    model = RandomForestClassifier(10, random_state=0).fit(X3, Y3)
    few = Y3 < 2
    score = certus.scorer("log_loss", clip=1e-9)(model, X3[few], Y3[few])
    assert (
        score
        == -certus.classification.log_loss(Y3[few], model.predict_proba(X3[few]), labels=[0, 1, 2], clip=1e-9).value
    )


def test_it_is_a_scorer() -> None:
    assert isinstance(certus.scorer("f1"), Scorer)


def test_a_metric_that_lacks_a_parameter_is_refused_at_once() -> None:
    with pytest.raises(MetricNameError, match=r"^Fbeta needs beta, "):
        certus.scorer("fbeta")
