"""Classifiers as points in ROC space, mirrored, and the areas of the Gini coefficient."""

from typing import Any

import numpy as np
import pytest
from legible import artists

from certus import DataError, plot
from certus.classification import confusion_matrix, roc_auc, roc_curve

plt = pytest.importorskip("matplotlib.pyplot")

# The overview's ten customers.
TRUTH = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]
SCORES = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]


def test_a_classifier_below_the_diagonal_is_mirrored_at_the_middle() -> None:
    ax = plot.roc_points({"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24)})
    places = [(float(dot.get_xdata()[0]), float(dot.get_ydata()[0])) for dot in artists(ax, "certus-point")]
    np.testing.assert_allclose(places, [(0.28, 0.63), (0.77, 0.77), (0.88, 0.24), (0.12, 0.76)], rtol=1e-14)
    assert [text.get_text() for text in ax.texts] == ["A", "B", "C", "C'"]
    alone = plot.roc_points({"C": (0.88, 0.24)}, mirror=False)
    assert [text.get_text() for text in alone.texts] == ["C"]


def test_the_opposite_answers_of_a_threshold_are_its_mirrored_point() -> None:
    curve = roc_curve(TRUTH, SCORES)
    point = curve.at(0.8)
    assert (round(point.tpr, 2), point.fpr) == (0.67, 0.25)
    assert (curve.at(0.5).tpr, curve.at(0.5).fpr) == (1, 0.5)
    assert point.mirrored.tpr == pytest.approx(1 - point.tpr)
    assert point.mirrored.fpr == 1 - point.fpr
    opposite = confusion_matrix(TRUTH, [int(score < 0.8) for score in SCORES])
    tn, fp, fn, tp = opposite.ravel().tolist()
    mirrored = point.mirrored
    assert (mirrored.true_positives, mirrored.false_positives) == (tp, fp)
    assert (mirrored.false_negatives, mirrored.true_negatives) == (fn, tn)


def test_the_gini_coefficient_is_the_share_of_its_area() -> None:
    curve = roc_curve(TRUTH, SCORES)
    ax = curve.plot_gini()
    areas = []
    for gid in ("certus-gini-a", "certus-gini-b"):
        (patch,) = artists(ax, gid)
        x, y = patch.get_xy().T
        areas.append(abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) / 2)
    assert areas[0] / sum(areas) == pytest.approx(curve.gini, rel=1e-12)
    assert sum(areas) == pytest.approx(0.5)
    assert curve.gini == 2 * roc_auc(TRUTH, SCORES).value - 1
    assert ax.get_title() == "Gini = A / (A + B) = 2 AUC - 1 = 0.5833"
    with pytest.raises(DataError, match="there is no curve: there are no negative samples"):
        roc_curve([1, 1], [0.5, 0.6]).plot_gini()


@pytest.mark.parametrize("point", [(1.2, 0.3), (0.3, -0.1), (float("nan"), 0.5)])
def test_rates_outside_of_0_and_1_are_refused(point: Any) -> None:
    with pytest.raises(DataError, match=r"points has .* for 'A'; give a false and a true positive rate from 0 to 1"):
        plot.roc_points({"A": point})
