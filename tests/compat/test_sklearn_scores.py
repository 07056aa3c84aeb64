"""Metrics of scores and losses in certus.compat.sklearn against scikit-learn: values, types and warnings."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn_oracle import AVERAGES, ROUNDING, check_same, examples, scored, tables_of_labels, tables_of_scores


@examples
@given(scored(), st.booleans())
def test_curves_are_scikit_learns(data: Any, drop_intermediate: bool) -> None:
    y_true, y_score, sample_weight = data
    one_class = len(set(y_true if sample_weight is None else y_true[sample_weight > 0])) == 1
    for name in ("roc_curve", "precision_recall_curve", "det_curve"):
        if name == "det_curve" and one_class and len(set(y_true)) == 2:
            continue  # only samples without weight have the other class; there is no curve to agree on
        check_same(name, y_true, y_score, sample_weight=sample_weight, drop_intermediate=drop_intermediate)


@examples
@given(scored(), st.sampled_from([None, 0.1, 0.5, 1.0]))
def test_areas_are_scikit_learns(data: Any, max_fpr: float | None) -> None:
    y_true, y_score, sample_weight = data
    if sample_weight is not None and len(set(y_true[sample_weight > 0])) == 1:
        max_fpr = None  # scikit-learn fails to find the point where a curve of NaN passes it
    check_same("roc_auc_score", y_true, y_score, sample_weight=sample_weight, max_fpr=max_fpr)
    check_same("average_precision_score", y_true, y_score, sample_weight=sample_weight)


@examples
@given(tables_of_scores(), st.data())
def test_areas_of_several_classes_are_scikit_learns(data: Any, more: st.DataObject) -> None:
    y_true, y_score, sample_weight, names = data
    labels = list(names) if more.draw(st.booleans()) else None
    average = more.draw(st.sampled_from(AVERAGES))
    check_same(
        "roc_auc_score", y_true, y_score, multi_class="ovr", average=average, labels=labels, sample_weight=sample_weight
    )
    if len(set(y_true)) > 1:  # scikit-learn divides by the number of pairs
        check_same("roc_auc_score", y_true, y_score, multi_class="ovo", average=average, labels=labels)
    check_same("average_precision_score", y_true, y_score, average=average, sample_weight=sample_weight)


@examples
@given(tables_of_labels(), st.sampled_from([*AVERAGES, "samples"]))
def test_areas_of_several_labels_are_scikit_learns(data: Any, average: str | None) -> None:
    y_true, y_score, sample_weight = data
    for name in ("roc_auc_score", "average_precision_score"):
        check_same(name, y_true, y_score, average=average, sample_weight=sample_weight)


@examples
@given(scored())
def test_losses_of_two_classes_are_scikit_learns(data: Any) -> None:
    y_true, probability, sample_weight = data
    exact = probability.dtype == np.float64
    # scikit-learn computes in float32 what comes in float32.
    rounding = ROUNDING if exact else 1e-5
    for normalize in (True, False):
        check_same(
            "log_loss",
            y_true == 1,
            probability,
            labels=[False, True],
            sample_weight=sample_weight,
            normalize=normalize,
            rounding=1e-9 if exact else 1e-4,
        )
    for scale in (True, False, "auto"):
        check_same(
            "brier_score_loss", y_true, probability, sample_weight=sample_weight, scale_by_half=scale, rounding=rounding
        )


@examples
@given(tables_of_scores(), st.integers(1, 3), st.booleans())
def test_losses_of_several_classes_are_scikit_learns(data: Any, k: int, normalize: bool) -> None:
    y_true, table, sample_weight, names = data
    keywords = {"labels": list(names), "sample_weight": sample_weight}
    check_same("log_loss", y_true, table, normalize=normalize, **keywords)
    check_same("brier_score_loss", y_true, table, **keywords)
    check_same("hinge_loss", y_true, table * 3 - 1, **keywords)
    check_same("top_k_accuracy_score", y_true, table, k=k, normalize=normalize, **keywords)
