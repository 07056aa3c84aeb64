"""Metrics of labels in certus.compat.sklearn against scikit-learn: values, types and warnings."""

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn_oracle import AVERAGES, check_same, examples, pairs_of_labels, tables_of_labels


@examples
@given(pairs_of_labels(), st.booleans())
def test_agreement_of_labels_is_scikit_learns(data: Any, flag: bool) -> None:
    y_true, y_pred, sample_weight, _ = data
    check_same("accuracy_score", y_true, y_pred, normalize=flag, sample_weight=sample_weight)
    check_same("zero_one_loss", y_true, y_pred, normalize=flag, sample_weight=sample_weight)
    check_same("hamming_loss", y_true, y_pred, sample_weight=sample_weight)
    check_same("matthews_corrcoef", y_true, y_pred, sample_weight=sample_weight, rounding=1e-7)
    flag &= len(set(y_true if sample_weight is None else np.array(y_true)[sample_weight > 0])) > 1
    check_same("balanced_accuracy_score", y_true, y_pred, adjusted=flag, sample_weight=sample_weight)


@examples
@given(pairs_of_labels(), st.data())
def test_confusion_matrices_and_kappa_are_scikit_learns(data: Any, more: st.DataObject) -> None:
    y_true, y_pred, sample_weight, names = data
    labels = more.draw(st.none() | st.lists(st.sampled_from(names), min_size=1, unique=True))
    normalize = more.draw(st.sampled_from([None, "true", "pred", "all"]))
    how = more.draw(st.sampled_from([None, "linear", "quadratic"]))
    check_same("confusion_matrix", y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize)
    check_same("cohen_kappa_score", y_true, y_pred, labels=labels, weights=how, sample_weight=sample_weight)
    check_same("multilabel_confusion_matrix", y_true, y_pred, labels=labels, sample_weight=sample_weight)


@examples
@given(pairs_of_labels(), st.data())
def test_averages_are_scikit_learns(data: Any, more: st.DataObject) -> None:
    y_true, y_pred, sample_weight, names = data
    keywords = {
        "labels": more.draw(st.none() | st.lists(st.sampled_from(names), min_size=1, unique=True)),
        "average": more.draw(st.sampled_from(AVERAGES)),
        "sample_weight": sample_weight,
    }
    zero_division = more.draw(st.sampled_from(["warn", 0, 1, math.nan]))
    beta = more.draw(st.sampled_from([0, 0.5, 1, 2.0, math.inf]))
    for name in ("precision_score", "recall_score", "f1_score"):
        check_same(name, y_true, y_pred, zero_division=zero_division, **keywords)
    check_same("fbeta_score", y_true, y_pred, beta=beta, zero_division=zero_division, **keywords)
    check_same("precision_recall_fscore_support", y_true, y_pred, beta=beta, zero_division=zero_division, **keywords)
    if zero_division == zero_division:
        check_same("jaccard_score", y_true, y_pred, zero_division=zero_division, **keywords)


@examples
@given(pairs_of_labels(most=2), st.sampled_from(["warn", 0, 1]))
def test_metrics_of_the_positive_class_are_scikit_learns(data: Any, zero_division: Any) -> None:
    y_true, y_pred, sample_weight, names = data
    for pos_label in names:
        keywords = {"pos_label": pos_label, "sample_weight": sample_weight, "zero_division": zero_division}
        for name in ("precision_score", "recall_score", "f1_score", "jaccard_score"):
            check_same(name, y_true, y_pred, **keywords)
    check_same("class_likelihood_ratios", y_true, y_pred, sample_weight=sample_weight)


@examples
@given(tables_of_labels(), st.data())
def test_metrics_of_several_labels_per_sample_are_scikit_learns(data: Any, more: st.DataObject) -> None:
    y_true, y_pred, sample_weight = data
    keywords = {
        "labels": more.draw(st.none() | st.lists(st.sampled_from(range(y_true.shape[1])), min_size=1, unique=True)),
        "average": more.draw(st.sampled_from([*AVERAGES, "samples"])),
        "sample_weight": sample_weight,
    }
    for name in ("precision_score", "recall_score", "f1_score"):
        check_same(name, y_true, y_pred, zero_division=more.draw(st.sampled_from(["warn", 1, math.nan])), **keywords)
    check_same("jaccard_score", y_true, y_pred, **keywords)
    for name in ("accuracy_score", "zero_one_loss", "hamming_loss"):
        check_same(name, y_true, y_pred, sample_weight=sample_weight)
    check_same("multilabel_confusion_matrix", y_true, y_pred, samplewise=True, sample_weight=sample_weight)


@examples
@given(pairs_of_labels() | tables_of_labels(), st.booleans(), st.integers(0, 5))
def test_reports_are_scikit_learns_to_the_character(data: Any, output_dict: bool, digits: int) -> None:
    y_true, y_pred, sample_weight = data[:3]
    if sample_weight is not None and sample_weight.dtype.kind == "f":
        output_dict = True  # the last digits of sums of real weights depend on the order of adding
    check_same(
        "classification_report", y_true, y_pred, sample_weight=sample_weight, output_dict=output_dict, digits=digits
    )
