"""Losses in certus.compat.sklearn against scikit-learn: values, types and warnings."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn_oracle import ROUNDING, check_same, examples, scored, tables_of_scores


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
