"""certus.scorer in scikit-learn's model selection."""

import copy
import pickle
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np
import pytest

import certus
from certus import DataError, MetricNameError
from certus.scoring import Scorer

pytest.importorskip("sklearn", reason="scorers are for scikit-learn")

from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import make_blobs, make_classification, make_multilabel_classification, make_regression
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv as enable_halving_search_cv
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import (
    davies_bouldin_score,
    get_scorer,
    get_scorer_names,
    ndcg_score,
)
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

X, Y = make_classification(120, random_state=0)
X3, Y3 = make_classification(150, n_classes=3, n_informative=5, random_state=1)
MODEL = LogisticRegression()


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: certus.scorer("roc_acu"), r"^no metric is named 'roc_acu'; did you mean 'roc_auc'\?$"),
        (lambda: certus.scorer("f1", avg="macro"), "^F1 has no parameter 'avg'"),
        (lambda: certus.scorer("f1", average="median"), "^average of F1 is 'median'; it must be"),
        (lambda: certus.scorer("f1", average=None), "has a value for each class; a score is one number"),
        (lambda: certus.scorer("prevalence"), "neither higher nor lower values are better"),
        (
            lambda: certus.scorer(certus.parse("AP", task="ranking")),
            "scored by metrics of classification, multilabel, ",
        ),
        (
            lambda: certus.scorer(object()),  # type: ignore[arg-type]
            "scored by metrics of classification, multilabel, ",
        ),
        (lambda: certus.scorer("RBP"), "^no classification metric is named 'RBP'; RBP is a metric of ranking$"),
        (lambda: certus.scorer("mae", task="classification"), "^no classification metric is named 'mae'; MAE is a "),
        (lambda: certus.scorer("neg_r2"), "^higher values of R2 are better; name it 'r2', without neg_$"),
        (lambda: certus.scorer("mae", multioutput="raw_values"), "has a value for each output; a score is one number"),
        (lambda: certus.scorer("mae", pos_label=1), "^pos_label does not apply to MAE; leave it out$"),
        (lambda: certus.scorer("ARI", labels=[0, 1]), "^labels does not apply to ARI; leave it out$"),
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


def test_names_are_those_of_any_task() -> None:
    expected = {"mae": "MAE", "R2": "R2", "ARI": "ARI", "rmse": "RMSE", "silhouette": "Silhouette", "lrap": "LRAP"}
    expected |= {"adjusted_rand_score": "ARI", "roc_auc_score": "AUC", "neg_log_loss": "LogLoss", "v_measure": "V"}
    expected |= {"f1_macro": "F1(average='macro')", "jaccard_samples": "Jaccard(average='samples')", "AUROC": "AUC"}
    expected |= {"mean_squared_error": "MSE", "neg_negative_likelihood_ratio": "LR-", "ndcg_score": "nDCG"}
    assert {name: str(certus.scorer(name).metric) for name in expected} == expected
    assert certus.scorer("f1", task="multilabel").metric == certus.multilabel.f1
    assert repr(certus.scorer("f1", task="multilabel")) == "certus.scorer('F1', task='multilabel')"


REGRESSED, NUMBERS = make_regression(150, random_state=0, noise=10)
NUMBERS = np.exp(NUMBERS / 200)
BLOBS, CLUSTERS = make_blobs(150, random_state=0)
MANY, LABELS = make_multilabel_classification(150, n_classes=4, random_state=0)
ESTIMATORS = {
    "two classes": (LogisticRegression(), X, Y),
    "three classes": (LogisticRegression(), X3, Y3),
    "numbers": (TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp), REGRESSED, NUMBERS),
    "clusters": (KMeans(3, n_init=1, random_state=0), BLOBS, CLUSTERS),
    "labels": (RandomForestClassifier(20, random_state=0), MANY, LABELS),
}
OTHERWISE = {
    ("labels", "neg_log_loss"): "probabilities of several labels per sample are not a task of certus",
    ("labels", "neg_brier_score"): "the same",
    ("labels", "d2_log_loss_score"): "the same",
    ("labels", "d2_brier_score"): "the same",
}
CLUSTERING = {name for name in get_scorer_names() if name.endswith("_score") and not name.startswith(("d2", "neg"))}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_name_of_scikit_learns_scorers_gives_its_score_wherever_that_is_defined(kind: str) -> None:
    model, samples, truth = ESTIMATORS[kind]
    fitted = cross_validate(model, samples, truth, cv=3, return_estimator=True, return_indices=True)
    folds = list(zip(fitted["estimator"], fitted["indices"]["test"], strict=True))

    def scores(scorer: Any) -> Any:
        """The score of each fold, NaN where it has none, as cross_val_score has it."""
        found = np.full(len(folds), np.nan)
        for fold, (estimator, rows) in enumerate(folds):
            with suppress(ValueError, AttributeError):
                found[fold] = scorer(estimator, samples[rows], truth[rows])
        return found

    compared = 0
    for name in get_scorer_names():
        if (kind == "numbers" and name in CLUSTERING) or (kind, name) in OTHERWISE:
            continue  # where numbers are not labels
        theirs = scores(get_scorer(name))
        if np.isnan(theirs).any():
            continue
        ours = scores(certus.scorer(name))
        defined = np.isfinite(ours)
        compared += defined.any()
        np.testing.assert_allclose(ours[defined], theirs[defined], rtol=1e-12, atol=1e-14, err_msg=name)
    assert compared >= {"two classes": 45, "three classes": 40, "numbers": 13, "clusters": 30, "labels": 20}[kind]


def test_averaged_names_are_scikit_learns_where_0_by_0_is_0() -> None:
    model, samples, truth = ESTIMATORS["labels"]
    for name in ("f1_samples", "precision_macro", "recall_samples", "jaccard_weighted"):
        with pytest.warns(UndefinedMetricWarning) if "samples" in name else nullcontext():
            theirs = cross_val_score(model, samples, truth, scoring=name)
        ours = cross_val_score(model, samples, truth, scoring=certus.scorer(name, undefined=0.0))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_a_clustering_is_scored_without_any_truth() -> None:
    search = GridSearchCV(
        KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3, 6]}, scoring=certus.scorer("silhouette")
    )
    assert search.fit(BLOBS).best_params_ == {"n_clusters": 3}
    model = KMeans(3, n_init=1, random_state=0).fit(BLOBS)
    assert certus.scorer("davies_bouldin")(model, BLOBS) == pytest.approx(
        -davies_bouldin_score(BLOBS, model.predict(BLOBS))
    )
    with pytest.raises(DataError, match=r"^y_true is None; ARI is computed from the truth, give it$"):
        certus.scorer("ARI")(model, BLOBS)


def test_a_table_of_grades_is_ranked_by_what_is_predicted() -> None:
    grades = np.random.default_rng(0).integers(0, 4, (150, 5)).astype(float)
    model = Ridge().fit(REGRESSED, grades)
    assert certus.scorer("ndcg")(model, REGRESSED, grades) == pytest.approx(
        ndcg_score(grades, model.predict(REGRESSED))
    )


def test_what_an_estimator_is_asked_for_may_be_chosen() -> None:
    model = LogisticRegression().fit(X3, Y3)
    asked = certus.scorer("roc_auc", multi_class="ovr", response_method="predict_proba")
    assert asked(model, X3, Y3) == pytest.approx(get_scorer("roc_auc_ovr")(model, X3, Y3), rel=1e-14)
    assert asked.metric == certus.scorer("roc_auc_ovr").metric
    assert certus.scorer("roc_auc_ovr") == certus.scorer("roc_auc", multi_class="ovr")


def test_the_area_of_many_classes_is_of_probabilities_under_every_name() -> None:
    data, classes = make_classification(150, n_classes=3, n_informative=4, flip_y=0.3, random_state=1)
    model = LogisticRegression().fit(data, classes)
    for way in ("ovr", "ovo"):
        expected = get_scorer(f"roc_auc_{way}")(model, data, classes)
        for name in (f"roc_auc_{way}", f"AUC(multi_class='{way}')"):
            assert certus.scorer(name)(model, data, classes) == pytest.approx(expected, abs=1e-14)
