"""Curves of the samples of a state."""

import numpy as np
import pytest

import certus
from certus import classification

POINTS = {
    "roc_curve": ["fpr", "tpr", "thresholds"],
    "precision_recall_curve": ["precision", "recall", "thresholds"],
    "det_curve": ["fpr", "fnr", "thresholds"],
    "gain_curve": ["share", "gain", "thresholds"],
    "lift_curve": ["share", "lift", "thresholds"],
    "calibration_curve": ["prob_true", "prob_pred", "counts"],
}


@pytest.mark.parametrize(
    ("name", "weighted"), [(name, False) for name in POINTS] + [(name, True) for name in list(POINTS)[:5]]
)
def test_a_curve_of_a_state_has_the_points_of_all_samples(name: str, weighted: bool) -> None:
    rng = np.random.default_rng(5)
    truth, score = rng.choice(["spam", "ham"], 900), rng.random(900).round(2)
    weights = {"sample_weight": rng.integers(1, 9, 900).astype(float)} if weighted else {}
    state = certus.State("AUC", pos_label="spam")
    for part in (slice(400, 900), slice(0, 150), slice(150, 400)):
        state.update(truth[part], score=score[part], **{key: column[part] for key, column in weights.items()})
    draw = getattr(classification, name)
    columns = state.columns()
    ours = draw(columns.pop("y_true"), columns.pop("y_score"), **columns, pos_label="spam")
    whole = draw(truth, score, **weights, pos_label="spam")
    for points in POINTS[name]:
        np.testing.assert_array_equal(getattr(ours, points), getattr(whole, points), err_msg=points)
