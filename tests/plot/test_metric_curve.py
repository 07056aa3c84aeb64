"""Pictures of metrics by rank and of precision by recall."""

import numpy as np
import pytest
from legible import artists

from certus.ranking import metric_curve, precision_recall_curve

plt = pytest.importorskip("matplotlib.pyplot")

QRELS = {f"q{i}": {f"d{doc}": int((i + doc) % 3 == 0) for doc in range(9)} for i in range(5)}
RUN = {query: list(docs) for query, docs in QRELS.items()}


def test_the_lines_are_the_values_and_the_bands_their_limits() -> None:
    curve = precision_recall_curve(QRELS, RUN)
    ax = curve.plot(label="run")
    (line,) = artists(ax, "certus-curve")
    np.testing.assert_array_equal(line.get_data(), [curve.places, curve.values()])
    (band,) = artists(ax, "certus-band")
    low, high = curve.limits()
    assert band.get_xy()[: len(low), 1].tolist() == low.tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Recall", "IPrec")
    assert high.max() <= 1


def test_gains_and_shares_have_axes_of_their_own() -> None:
    ax = metric_curve(QRELS, RUN, at=range(1, 6)).plot(level=None)
    left = [each for each in ax.lines if each.get_gid() == "certus-curve"]
    (right,) = [each for each in ax.figure.axes if each is not ax]
    assert (len(left), len(right.lines)) == (3, 1)
    np.testing.assert_array_equal(right.lines[0].get_ydata(), metric_curve(QRELS, RUN, "nDCG", range(1, 6)).values())


def test_the_area_of_precision_at_recall_is_named() -> None:
    curve = precision_recall_curve(QRELS, RUN, interpolated=False)
    text = curve.plot().get_legend().get_texts()[0].get_text()
    assert text == f"P@recall, area {curve.area():.4f}"
