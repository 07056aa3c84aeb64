"""certus.compat.sklearn refuses what scikit-learn refuses, with the same exception and message, before it computes."""

import math
import subprocess
import sys
import warnings
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from in_a_row import in_a_row
from scipy import sparse
from sklearn_oracle import FUNCTIONS, check_same, outcome, theirs

import certus.compat.sklearn as face

NAN = math.nan
BINARY, SCORES = [0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8]
CLASSES, TABLE = [0, 1, 2, 1], np.array([[0.2, 0.3, 0.5], [0.5, 0.3, 0.2], [0.3, 0.3, 0.4], [0.1, 0.1, 0.8]])

OF_LABELS = [
    "accuracy_score",
    "zero_one_loss",
    "hamming_loss",
    "matthews_corrcoef",
    "balanced_accuracy_score",
    "cohen_kappa_score",
    "confusion_matrix",
    "multilabel_confusion_matrix",
    "class_likelihood_ratios",
    "precision_score",
    "recall_score",
    "f1_score",
    "jaccard_score",
    "precision_recall_fscore_support",
    "classification_report",
]
OF_SCORES = [
    "roc_curve",
    "precision_recall_curve",
    "det_curve",
    "confusion_matrix_at_thresholds",
    "roc_auc_score",
    "average_precision_score",
]
OF_PROBABILITIES = ["log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score"]

WRONG_LABELS: dict[str, tuple[Any, Any]] = {
    "lengths that differ": (BINARY, [0, 1]),
    "nothing": ([], []),
    "real numbers": (BINARY, SCORES),
    "real truth": (SCORES, BINARY),
    "NaN": ([NAN, 1, 0, 1], BINARY),
    "NaN predicted": (BINARY, [NAN, 1, 0, 1]),
    "infinity": (BINARY, [math.inf, 1, 0, 1]),
    "text and numbers": (BINARY, ["a", "b", "b", "a"]),
    "several labels and one": ([[0, 1], [1, 0], [1, 1], [0, 0]], BINARY),
    "labels that differ in number": ([[0, 1], [1, 0]], [[0, 1, 0], [1, 0, 0]]),
    "several classes in several columns": ([[0, 1], [1, 2]], [[0, 1], [1, 2]]),
    "a text": ("0110", BINARY),
    "a number": (3, BINARY),
    "nothing at all": (None, BINARY),
    "bytes": ([b"a", b"b", b"b", b"a"], BINARY),
    "objects": (np.array([0, 1, 1, 0], dtype=object), BINARY),
    "sparse labels": (sparse.csr_array(np.array([[0], [1]])), sparse.csr_array(np.array([[0], [1]]))),
}
WRONG_WEIGHTS: dict[str, Any] = {
    "too few": [1, 1, 1],
    "all zero": [0, 0, 0, 0],
    "NaN": [1, NAN, 1, 1],
    "infinite": [1, math.inf, 1, 1],
    "a table": [[1], [1], [1], [1]],
    "a number": 3,
    "a text": "1111",
}


@pytest.mark.parametrize("name", OF_LABELS)
@in_a_row("wrong", WRONG_LABELS)
def test_wrong_labels_are_refused_as_by_scikit_learn(name: str, wrong: str) -> None:
    given, wanted = (outcome(each, WRONG_LABELS[wrong], {}) for each in (getattr(face, name), theirs(name)))
    # The weights that scikit-learn's confusion matrix makes for itself are in its list of lengths.
    assert given[1].replace("[4, 2]", "[4, 2, 4]") == wanted[1].replace("[4, 2]", "[4, 2, 4]")


@pytest.mark.parametrize("name", OF_LABELS)
@in_a_row("wrong", WRONG_WEIGHTS)
def test_wrong_weights_of_labels_are_refused_as_by_scikit_learn(name: str, wrong: str) -> None:
    check_same(name, BINARY, BINARY, sample_weight=WRONG_WEIGHTS[wrong])


WRONG_SCORES: dict[str, tuple[Any, Any]] = {
    "lengths that differ": (BINARY, [0.1, 0.2]),
    "NaN": (BINARY, [NAN, 0.1, 0.2, 0.3]),
    "infinity": (BINARY, [math.inf, 0.1, 0.2, 0.3]),
    "several classes": (CLASSES, SCORES),
    "real truth": (SCORES, SCORES),
    "NaN in the truth": ([NAN, 1, 0, 1], SCORES),
    "a table of scores": (BINARY, [[0.9, 0.1]] * 4),
    "labels without a usual positive one": ([2, 3, 3, 2], SCORES),
    "no scores": (BINARY, None),
    "a number": (BINARY, 0.3),
    "three dimensions": (BINARY, np.zeros((4, 2, 2))),
}


@pytest.mark.parametrize("name", OF_SCORES)
@in_a_row("wrong", WRONG_SCORES)
def test_wrong_scores_are_refused_as_by_scikit_learn(name: str, wrong: str) -> None:
    check_same(name, *(np.array(each) if isinstance(each, list) else each for each in WRONG_SCORES[wrong]))


@pytest.mark.parametrize("name", OF_SCORES)
@in_a_row("wrong", WRONG_WEIGHTS)
def test_wrong_weights_of_scores_are_refused_as_by_scikit_learn(name: str, wrong: str) -> None:
    if name in ("roc_auc_score", "average_precision_score") and wrong == "a table":
        return  # there scikit-learn takes a single column for weights, and so does certus
    check_same(name, BINARY, SCORES, sample_weight=WRONG_WEIGHTS[wrong])


WRONG_PROBABILITIES: dict[str, tuple[Any, Any]] = {
    "lengths that differ": (BINARY, [0.1, 0.2]),
    "more than 1": (BINARY, [0.1, 0.2, 0.3, 1.5]),
    "less than 0": (BINARY, [0.1, 0.2, 0.3, -0.5]),
    "NaN": (BINARY, [NAN, 0.1, 0.2, 0.3]),
    "rows that do not sum to 1": (CLASSES, TABLE * 0.9),
    "a class without a column": (CLASSES, [[0.5, 0.5]] * 4),
    "a column without a class": (BINARY, TABLE),
    "a single class": ([1, 1, 1, 1], [[0.5, 0.5]] * 4),
    "nothing": ([], []),
}


@pytest.mark.parametrize("name", OF_PROBABILITIES)
@in_a_row("wrong", WRONG_PROBABILITIES)
def test_wrong_probabilities_are_refused_as_by_scikit_learn(name: str, wrong: str) -> None:
    check_same(name, *WRONG_PROBABILITIES[wrong])


OTHERS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("f1_score", (BINARY, BINARY), {"pos_label": 5}),
    ("f1_score", (BINARY, BINARY), {"pos_label": None}),
    ("f1_score", (BINARY, BINARY), {"pos_label": 1.5}),
    ("f1_score", (CLASSES, CLASSES), {}),
    ("f1_score", ([0, 1, 0, 1], [1, 2, 1, 1]), {}),
    ("f1_score", (CLASSES, CLASSES), {"average": "samples"}),
    ("f1_score", (CLASSES, CLASSES), {"average": "macro", "pos_label": 2}),
    ("f1_score", ([[0, 1], [1, 1]], [[0, 1], [1, 0]]), {}),
    ("f1_score", ([[0, 1], [1, 1]], [[0, 1], [1, 0]]), {"average": "macro", "labels": [0, 2]}),
    ("f1_score", ([[0, 1], [1, 1]], [[0, 1], [1, 0]]), {"average": "macro", "labels": [-1, 1]}),
    ("fbeta_score", (BINARY, BINARY), {"beta": -1}),
    ("fbeta_score", (BINARY, BINARY), {"beta": "1"}),
    ("confusion_matrix", (BINARY, BINARY), {"labels": []}),
    ("confusion_matrix", (BINARY, BINARY), {"labels": [5]}),
    ("confusion_matrix", ([[0, 1], [1, 1]], [[0, 1], [1, 0]]), {}),
    ("multilabel_confusion_matrix", (BINARY, BINARY), {"samplewise": True}),
    ("cohen_kappa_score", (BINARY, BINARY), {"labels": [5]}),
    ("cohen_kappa_score", (BINARY, BINARY), {"labels": [0]}),
    ("cohen_kappa_score", ([0, 0, 1, 1], [2, 2, 2, 2]), {"labels": [0, 1]}),
    ("cohen_kappa_score", (BINARY, BINARY), {"replace_undefined_by": 2}),
    ("class_likelihood_ratios", (CLASSES, CLASSES), {}),
    ("class_likelihood_ratios", (BINARY, BINARY), {"labels": [0, 1, 2]}),
    ("class_likelihood_ratios", (BINARY, BINARY), {"labels": [0]}),
    ("class_likelihood_ratios", (BINARY, BINARY), {"replace_undefined_by": {"LR+": 0, "LR-": 0.0}}),
    ("class_likelihood_ratios", (BINARY, BINARY), {"replace_undefined_by": {}}),
    ("class_likelihood_ratios", (BINARY, BINARY), {"replace_undefined_by": {"LR+": 5, "LR-": 0.5}}),
    ("classification_report", (BINARY, BINARY), {"target_names": ["a"]}),
    ("classification_report", (BINARY, BINARY), {"target_names": ["a"], "labels": [0, 1]}),
    ("classification_report", (BINARY, BINARY), {"digits": -1}),
    ("classification_report", (BINARY, BINARY), {"output_dict": 1}),
    ("roc_auc_score", (BINARY, SCORES), {"max_fpr": 0}),
    ("roc_auc_score", (CLASSES, TABLE), {}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovr", "max_fpr": 0.5}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovo", "average": None}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovo", "average": "micro"}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovo", "sample_weight": [1, 1, 1, 1]}),
    ("roc_auc_score", (CLASSES, TABLE * 2), {"multi_class": "ovr"}),
    ("roc_auc_score", (CLASSES, TABLE[:, 0]), {"multi_class": "ovr"}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovr", "labels": [0, 1]}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovr", "labels": [0, 2, 1]}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovr", "labels": [0, 1, 1]}),
    ("roc_auc_score", (CLASSES, TABLE), {"multi_class": "ovr", "labels": [0, 1, 3]}),
    ("roc_auc_score", (BINARY, TABLE), {"multi_class": "ovr"}),
    ("roc_auc_score", ([[0, 1], [1, 0], [1, 1], [0, 0]], SCORES), {}),
    ("average_precision_score", (BINARY, SCORES), {"pos_label": 2}),
    ("average_precision_score", (CLASSES, TABLE), {"pos_label": 2}),
    ("average_precision_score", ([[0, 1], [1, 0], [1, 1], [0, 0]], [[0.1, 0.2]] * 4), {"pos_label": 0}),
    ("average_precision_score", (CLASSES, TABLE[:, 0]), {}),
    ("det_curve", ([1, 1, 1, 1], SCORES), {}),
    ("auc", ([1.0], [1.0]), {}),
    ("auc", ([1.0, 3.0, 2.0], [1.0, 1.0, 1.0]), {}),
    ("auc", ([1.0, 2.0], [1.0, 1.0, 1.0]), {}),
    ("log_loss", (BINARY, SCORES), {"labels": [0]}),
    ("log_loss", (BINARY, SCORES), {"labels": [1, 0]}),
    ("log_loss", (BINARY, SCORES), {"y_pred": SCORES}),
    ("log_loss", (BINARY,), {"y_pred": SCORES}),
    ("log_loss", (CLASSES, TABLE), {"labels": [0, 1, 2, 3]}),
    ("brier_score_loss", (CLASSES, SCORES), {}),
    ("brier_score_loss", (["a", "b", "b", "a"], SCORES), {}),
    ("d2_log_loss_score", ([1], [0.5]), {}),
    ("d2_brier_score", ([1], [0.5]), {}),
    ("hinge_loss", (CLASSES, SCORES), {}),
    ("hinge_loss", (CLASSES, TABLE[:, :2]), {}),
    ("hinge_loss", (CLASSES, TABLE), {"labels": [0, 1, 2, 3]}),
    ("hinge_loss", (BINARY, TABLE), {}),
    ("hinge_loss", (BINARY, ["a", "b", "c", "d"]), {}),
    ("top_k_accuracy_score", (SCORES, SCORES), {}),
    ("top_k_accuracy_score", (BINARY, TABLE), {}),
    ("top_k_accuracy_score", (CLASSES, SCORES), {}),
    ("top_k_accuracy_score", (CLASSES, TABLE), {"k": 3}),
    ("top_k_accuracy_score", (CLASSES, TABLE), {"k": 0}),
    ("top_k_accuracy_score", (CLASSES, TABLE), {"labels": [0, 2, 1]}),
    ("top_k_accuracy_score", (CLASSES, TABLE), {"labels": [0, 1, 1]}),
    ("top_k_accuracy_score", (CLASSES, TABLE), {"labels": [0, 1, 3]}),
    ("top_k_accuracy_score", (CLASSES, TABLE), {"labels": [0, 1]}),
    ("top_k_accuracy_score", (BINARY, TABLE[:, :2]), {"labels": [0, 1, 2]}),
    ("calibration_curve", (BINARY, [0.1, 0.2, 0.3, 1.5]), {}),
    ("calibration_curve", (CLASSES, SCORES), {"pos_label": 1}),
    ("calibration_curve", (["a", "b", "b", "a"], SCORES), {}),
    ("calibration_curve", (BINARY, SCORES), {"n_bins": 0}),
    ("calibration_curve", (BINARY, SCORES), {"strategy": "kmeans"}),
    ("confusion_matrix_at_thresholds", (BINARY, SCORES, 1), {}),
]


@in_a_row("name, args, keywords", OTHERS, group=lambda name, args, keywords: name)
def test_other_mistakes_are_treated_as_by_scikit_learn(name: str, args: Any, keywords: Any) -> None:
    given, wanted = (outcome(each, args, keywords) for each in (getattr(face, name), theirs(name)))
    if " among {" in wanted[1]:  # in scikit-learn the order of a set
        assert given[1].partition(" among {")[0] == wanted[1].partition(" among {")[0]
    else:
        check_same(name, *args, **keywords)


@in_a_row("name", FUNCTIONS)
def test_signatures_are_scikit_learns(name: str) -> None:
    given, wanted = signature(getattr(face, name)).parameters, signature(theirs(name)).parameters
    assert list(given) == list(wanted)
    for parameter, ours in given.items():
        assert ours.kind == wanted[parameter].kind
        assert ours.default is wanted[parameter].default or str(ours.default) == str(wanted[parameter].default)


@pytest.mark.parametrize("wrap", [np.array, list, tuple, pd.Series, pl.Series])
def test_columns_of_any_library_are_taken(wrap: Any) -> None:
    for name in OF_LABELS:
        check_same(name, wrap(BINARY), wrap([0, 1, 0, 1]), sample_weight=wrap([1.0, 2.0, 0.0, 1.0]))
    for name in (*OF_SCORES, *OF_PROBABILITIES, "calibration_curve", "hinge_loss"):
        check_same(name, wrap(BINARY), wrap(SCORES))


@pytest.mark.parametrize("values", [pd.array([0, 1, 1, 0], dtype="Int64"), pd.array([False, True, True, False])])
def test_columns_with_their_own_missing_values_are_taken(values: Any) -> None:
    for name in OF_LABELS[:-1]:  # a report names the labels, which scikit-learn makes floats of
        check_same(name, pd.Series(values), pd.Series(values))
    for name in OF_SCORES:
        check_same(name, pd.Series(values), SCORES)


def test_a_warning_and_an_error_are_caught_by_scikit_learns_class_and_by_certuss() -> None:
    exceptions = pytest.importorskip("sklearn.exceptions")
    parameters = pytest.importorskip("sklearn.utils._param_validation")
    for category in (exceptions.UndefinedMetricWarning, face.UndefinedMetricWarning):
        with pytest.warns(category, match="Only one class is present"):
            assert math.isnan(face.roc_auc_score([1, 1], [0.1, 0.2]))
    for error in (parameters.InvalidParameterError, face.InvalidParameterError, ValueError, TypeError):
        with pytest.raises(error, match="The 'average' parameter of f1_score must be"):
            face.f1_score(BINARY, BINARY, average="median")


def test_a_warning_points_at_the_callers_line() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        face.precision_score([0, 1], [0, 0])
    assert [each.filename for each in said] == [__file__]


def test_the_face_works_without_scikit_learn() -> None:
    program = (
        "import sys, warnings; sys.modules['sklearn'] = None; import certus.compat.sklearn as face\n"
        "with warnings.catch_warnings(record=True) as said:\n"
        "    warnings.simplefilter('always'); face.precision_score([0, 1], [0, 0])\n"
        "print(said[0].category.__name__, face.roc_auc_score([0, 1, 1], [0.1, 0.4, 0.3]))\n"
        "print(sorted(name for name in sys.modules if name.startswith('sklearn.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["UndefinedMetricWarning 1.0", "[]"]
