"""The picture of a power curve."""

import numpy as np
import pytest
from legible import artists

from certus.inference import power_curve
from certus.plot.power import power

plt = pytest.importorskip("matplotlib.pyplot")

PILOT = np.random.default_rng(1).normal(0, 0.12, 50)


def test_the_line_the_band_and_the_mark_are_those_of_the_curve() -> None:
    curve = power_curve(PILOT, effect=0.05)
    ax = curve.plot()
    (line,) = artists(ax, "certus-curve")
    np.testing.assert_array_equal(line.get_data(), [curve.n, curve.power])
    (band,) = artists(ax, "certus-band")
    assert band.get_xy()[:, 1].max() == pytest.approx(curve.high.max())
    (mark,) = artists(ax, "certus-needed")
    np.testing.assert_array_equal(mark.get_xdata(), [curve.needed.n] * 2)
    ax.figure.canvas.draw()
    legend = ax.get_legend()
    assert legend.get_title().get_text() == "95% limits of the standard deviation"
    needed = curve.needed
    assert legend.get_texts()[0].get_text() == f"difference 0.05: {needed.n} units [{needed.low}, {needed.high}]"


def test_several_curves_share_axes_and_the_widest_is_all_there() -> None:
    small, large = power_curve(PILOT, effect=0.03), power_curve(PILOT, effect=0.06)
    ax = power(small)
    assert large.plot(ax, label="twice as much", band=False) is ax
    assert ax.get_xlim()[1] >= small.n[-1]
    assert len(artists(ax, "certus-curve")) == 2
    assert len(artists(ax, "certus-band")) == 1
    assert len(artists(ax, "certus-reference")) == 1
    assert len({each.get_color() for each in artists(ax, "certus-curve")}) == 2


def test_a_mark_outside_the_picture_is_left_out() -> None:
    ax = power_curve(PILOT, effect=0.05, n=[2, 3, 4]).plot()
    assert not artists(ax, "certus-needed")
