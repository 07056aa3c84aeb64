"""Pictures: what is drawn is the curve, its band and honest words, and nothing else is changed."""

import builtins
import math
import sys
import warnings
from collections.abc import Callable
from typing import Any, Literal, cast

import numpy as np
import pytest
from curve_oracle import PROBABILITY, TRUE_CLASS, binormal
from legible import artists

from certus import CertusError
from certus.classification import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
from certus.curves import Curve
from certus.curves.calibration import calibration_curve
from certus.data import Scores
from certus.plot.canvas import pyplot, thinned
from certus.tasks.classification.confusion import confusion_matrix

matplotlib = pytest.importorskip("matplotlib")
plt = pytest.importorskip("matplotlib.pyplot")

CURVES: dict[str, Callable[..., Curve]] = {
    "det": det_curve,
    "gain": gain_curve,
    "lift": lift_curve,
    "precision_recall": precision_recall_curve,
    "roc": roc_curve,
}
AXES = {"det": ("fpr", "fnr"), "gain": ("share", "gain"), "lift": ("share", "lift"), "roc": ("fpr", "tpr")}
AXES["precision_recall"] = ("recall", "precision")


def texts(ax: Any) -> list[str]:
    return [each.get_text() for each in ax.get_legend().get_texts()]


@pytest.mark.parametrize("name", CURVES)
def test_the_line_holds_the_numbers_of_the_curve(name: str) -> None:
    curve = CURVES[name](TRUE_CLASS, PROBABILITY)
    (line,) = artists(curve.plot(), "certus-curve")
    for drawn, expected in zip(line.get_data(), AXES[name], strict=True):
        np.testing.assert_array_equal(drawn, getattr(curve, expected))


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_the_shade_lies_between_the_boundaries_of_the_band(
    name: str, kind: Literal["pointwise", "simultaneous"]
) -> None:
    curve = CURVES[name](TRUE_CLASS, PROBABILITY)
    ax = curve.plot(band=kind, level=0.9)
    (shade,) = artists(ax, "certus-band")
    band = curve.band(0.9, simultaneous=kind == "simultaneous")
    drawn = shade.get_xy()
    if name not in ("lift", "precision_recall"):
        outline = np.concatenate((np.array(band.lower).T, np.array(band.upper).T[::-1]))
        np.testing.assert_array_equal(drawn[: len(outline)], outline)
    start = drawn[:, 0].min()
    lower, upper = (np.array(line).T[line.x > start] for line in (band.lower, band.upper))
    np.testing.assert_array_equal(drawn[:-1][drawn[:-1, 0] > start], np.concatenate((lower, upper[::-1])))
    n = len(TRUE_CLASS), int(np.sum(TRUE_CLASS))
    assert ax.get_legend().get_title().get_text() == f"90% {kind} band\n{n[1]} positives, {n[0] - n[1]} negatives"


@pytest.mark.parametrize(("samples", "called"), [(400, 10), (40, 4)])
def test_bands_of_precision_and_lift_begin_where_ten_samples_are_called_or_a_tenth(samples: int, called: int) -> None:
    truth = np.arange(samples) % 4 == 0
    scores = samples - np.arange(samples)  # the first of four is positive, so of `called` one in four and the rest
    for curve, start in (
        (lift_curve(truth, scores), called / samples),
        (precision_recall_curve(truth, scores), -(-called // 4) / (samples / 4)),
    ):
        (shade,) = artists(curve.plot(), "certus-band")
        band = curve.band()
        assert shade.get_xy()[:, 0].min() == start
        assert band.lower.x[0] < start  # the band itself leaves out nothing


@pytest.mark.parametrize("name", CURVES)
def test_no_band_where_none_is_wanted_or_there_is_none(name: str) -> None:
    make = CURVES[name]
    grouped = make(Scores.from_arrays([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4], groups=[1, 2, 3, 4]))
    weighted = make([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4], sample_weight=[1, 2, 1, 1])
    for ax in (
        make(TRUE_CLASS, PROBABILITY).plot(band=None),
        weighted.plot(),
        grouped.plot(),
        make([1, 1], [0.1, 0.2]).plot(),
        make([0, 0], [0.1, 0.2]).plot(),
    ):
        ax.figure.canvas.draw()
        assert not artists(ax, "certus-band")
        assert "band" not in ax.get_legend().get_title().get_text()


@pytest.mark.parametrize("name", CURVES)
def test_a_kind_of_band_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(CertusError, match="band is 'both'; it must be 'pointwise', 'simultaneous' or None"):
        CURVES[name](TRUE_CLASS, PROBABILITY).plot(band=cast(Any, "both"))


@pytest.mark.parametrize("name", CURVES)
def test_curves_on_one_axes_share_the_legend_and_differ_in_color_and_dashes(name: str) -> None:
    figure, ax = plt.subplots()
    for seed, label in ((1, "first"), (2, "second")):
        assert CURVES[name](*binormal(seed, 60)).plot(ax, label=label) is ax
    assert figure.axes == [ax]
    one, two = artists(ax, "certus-curve")
    assert one.get_color() != two.get_color()
    assert one.get_linestyle() != two.get_linestyle()
    shades = artists(ax, "certus-band")
    assert [shade.get_facecolor()[:3] for shade in shades] == [
        matplotlib.colors.to_rgb(line.get_color()) for line in (one, two)
    ]
    assert texts(ax)[0].startswith("first")
    assert texts(ax)[1].startswith("second")
    assert texts(ax).count("chance") <= 1
    ax.clear()
    CURVES[name](*binormal(3, 60)).plot(ax)
    assert len(artists(ax, "certus-curve")) == 1
    assert artists(ax, "certus-curve")[0].get_color() == one.get_color()


def test_bands_of_two_kinds_are_told_apart_in_the_legend() -> None:
    curve = roc_curve(*binormal(1, 60))
    ax = curve.plot(label="a")
    curve.plot(ax, label="b", band="simultaneous", color="black")
    assert ax.get_legend().get_title().get_text() == f"{curve.positives} positives, {curve.negatives} negatives"
    assert texts(ax)[0].endswith("(95% pointwise band)")
    assert texts(ax)[1].endswith("(95% simultaneous band)")
    assert artists(ax, "certus-curve")[1].get_color() == "black"


def test_legends_hold_the_metrics_and_their_intervals() -> None:
    roc = roc_curve(TRUE_CLASS, PROBABILITY)
    low, high, *_ = roc.auc.interval(0.9)
    assert texts(roc.plot(level=0.9)) == [f"AUC {19 / 24:.3f} [{low:.3f}, {high:.3f}]", "chance"]
    pr = precision_recall_curve(TRUE_CLASS, PROBABILITY)
    low, high, *_ = pr.average_precision.interval()
    assert texts(pr.plot(label="model")) == [
        f"model: AP {pr.average_precision.value:.3f} [{low:.3f}, {high:.3f}]",
        "chance: share of positives 0.6",
    ]
    assert texts(roc_curve([1, 1], [0.1, 0.2]).plot()) == ["AUC undefined", "chance"]


def test_precision_recall_is_drawn_in_the_steps_that_average_precision_sums() -> None:
    curve = precision_recall_curve(TRUE_CLASS, PROBABILITY)
    (line,) = artists(curve.plot(), "certus-curve")
    assert line.get_drawstyle() == "steps-post"
    recall, precision = line.get_data()
    # From each point the line runs level to the next recall.
    area = -np.diff(recall) @ precision[:-1]
    assert area == pytest.approx(curve.average_precision.value, rel=1e-14)


def test_points_on_an_iso_line_have_its_f1() -> None:
    ax = precision_recall_curve(TRUE_CLASS, PROBABILITY).plot(iso_f=(0.3, 0.7))
    for line, f in zip(artists(ax, "certus-iso-f"), (0.3, 0.7), strict=True):
        recall, precision = line.get_data()
        np.testing.assert_allclose(2 * precision * recall / (precision + recall), f)
    assert not artists(precision_recall_curve(TRUE_CLASS, PROBABILITY).plot(iso_f=()), "certus-iso-f")


def test_normal_scores_of_equal_variance_are_straight_on_the_axes_of_det() -> None:
    ndtri = pytest.importorskip("scipy.special").ndtri
    ax = det_curve(*binormal(1, 300)).plot()
    rates = np.array([0.01, 0.1, 0.5, 0.9])
    placed = ax.transData.transform(np.column_stack((rates, rates)))
    np.testing.assert_allclose(
        np.diff(placed[:, 0]) / np.diff(ndtri(rates)), np.diff(placed[:, 0])[0] / np.diff(ndtri(rates))[0]
    )
    assert [each.get_text() for each in ax.get_xticklabels()][4:6] == ["1%", "5%"]


@pytest.mark.parametrize("name", CURVES)
def test_a_long_curve_is_thinned_without_changing_its_look(name: str) -> None:
    curve = CURVES[name](*binormal(3, 60_000))
    (line,) = artists(curve.plot(), "certus-curve")
    x, y = (getattr(curve, each) for each in AXES[name])
    kept_x, kept_y = line.get_data()
    assert len(kept_x) < 20_000 < len(x)
    assert set(zip(kept_x.tolist(), kept_y.tolist(), strict=True)) <= set(zip(x.tolist(), y.tolist(), strict=True))
    assert (kept_x[0], kept_y[0], kept_x[-1], kept_y[-1]) == (x[0], y[0], x[-1], y[-1])
    # In every narrow column the line reaches as high and as low as the whole curve, but for a point on its edge.
    column = np.minimum((x * 300).astype(int), 299)
    kept_column = np.minimum((kept_x * 300).astype(int), 299)
    for each in np.unique(column):
        whole, kept = y[column == each], kept_y[kept_column == each]
        assert abs(whole.max() - kept.max()) < 2e-3 * max(1.0, y.max())
        assert abs(whole.min() - kept.min()) < 2e-3 * max(1.0, y.max())


def test_short_and_undefined_lines_are_left_as_they_are() -> None:
    x = np.linspace(0, 1, 5)
    assert thinned(x, x) == (x, x)
    nothing = np.full(20_000, math.nan)
    assert thinned(nothing, nothing)[0] is nothing


def test_calibration_shows_bins_intervals_and_how_many_samples_they_hold() -> None:
    truth, scores = binormal(5, 500)
    probability = 1 / (1 + np.exp(-scores))
    curve = calibration_curve(truth, probability, n_bins=8)
    ax = curve.plot(label="model")
    (line,) = artists(ax, "certus-curve")
    np.testing.assert_array_equal(line.get_data(), [curve.prob_pred, curve.prob_true])
    (bars,) = artists(ax, "certus-band")
    band = curve.band()
    ends = np.array([segment[:, 1] for segment in bars.get_segments()])
    np.testing.assert_allclose(ends, np.column_stack((band.low, band.high)), atol=1e-15)
    assert ax.get_legend().get_title().get_text() == "95% pointwise intervals\n500 samples"
    assert texts(ax) == ["model", "perfectly calibrated"]
    (strip,) = ax.child_axes
    heights, edges, _ = strip.patches[0].get_data()
    assert heights.sum() == 500
    np.testing.assert_array_equal(edges, curve.edges)
    assert strip.get_ylabel() == "samples"
    curve.plot(ax, label="again")
    assert ax.child_axes == [strip]
    assert not curve.plot(histogram=False, band=None).child_axes


def test_bins_of_unequal_width_are_shown_as_a_density() -> None:
    truth, scores = binormal(5, 500)
    curve = calibration_curve(truth, 1 / (1 + np.exp(-scores)), n_bins=5, strategy="quantile")
    (strip,) = curve.plot().child_axes
    heights, edges, _ = strip.patches[0].get_data()
    assert strip.get_ylabel() == "density"
    assert (heights * np.diff(edges)).sum() == pytest.approx(1)


def test_the_confusion_matrix_prints_counts_shares_and_intervals() -> None:
    matrix = confusion_matrix(["a"] * 10 + ["b"] * 5, ["a"] * 7 + ["b"] * 8)
    ax = matrix.plot()
    low, high = confusion_matrix(["a"] * 10 + ["b"] * 5, ["a"] * 7 + ["b"] * 8, normalize="true").interval()
    cells = [each.get_text() for each in ax.texts]
    assert cells[0] == f"7\n70.0%\n[{100 * low[0, 0]:.1f}, {100 * high[0, 0]:.1f}]"
    assert [each.split("\n")[0] for each in cells] == ["7", "3", "0", "5"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Predicted class", "True class")
    assert [each.get_text() for each in ax.get_xticklabels()] == ["a", "b"]
    assert ax.get_title(loc="left") == "Count, share of the true class and its 95% interval, 15 samples"
    np.testing.assert_allclose(ax.images[0].get_array(), [[0.7, 0.3], [0.0, 1.0]])
    assert len(matrix.plot(colorbar=False).figure.axes) == 1


def test_a_confusion_matrix_of_many_classes_keeps_to_what_can_be_read() -> None:
    labels = np.arange(100) % 10
    assert {each.get_text() for each in confusion_matrix(labels, labels).plot().texts} == {"0", "10"}
    labels = np.arange(100) % 25
    assert not confusion_matrix(labels, labels).plot().texts


def test_a_class_without_samples_has_no_share() -> None:
    ax = confusion_matrix(["a", "a"], ["a", "b"]).plot()
    assert [each.get_text() for each in ax.texts][2:] == ["0", "0"]
    ax.figure.canvas.draw()


def test_weighted_cells_are_printed_as_they_are() -> None:
    ax = confusion_matrix([0, 1], [0, 1], sample_weight=[0.5, 2.25]).plot(interval=False)
    assert [each.get_text() for each in ax.texts] == ["0.5", "0", "0", "2.25"]


def test_pictures_change_no_settings_show_nothing_and_warn_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("a picture was shown"))
    before = dict(matplotlib.rcParams)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in CURVES.values():
            make(*binormal(1, 80)).plot().figure.canvas.draw()
        calibration_curve([0, 1, 1], [0.2, 0.4, 0.9]).plot().figure.canvas.draw()
        confusion_matrix([0, 1, 1], [0, 1, 0]).plot().figure.canvas.draw()
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("name", [*CURVES, "calibration", "confusion"])
def test_nothing_is_cut_off_at_the_size_of_the_figure(name: str) -> None:
    truth, scores = binormal(1, 120)
    if name in CURVES:
        ax = CURVES[name](truth, scores).plot(label="a model with a longer name")
    elif name == "calibration":
        ax = calibration_curve(truth, 1 / (1 + np.exp(-scores))).plot()
    else:
        names = np.array(["a rather long name", "short"])
        ax = confusion_matrix(names[truth.astype(int)], names[(scores > 0.5).astype(int)]).plot()
    figure = ax.figure
    figure.canvas.draw()
    inner, page = figure.get_tightbbox(), figure.bbox_inches
    assert inner.x0 >= -0.01
    assert inner.y0 >= -0.01
    assert inner.x1 <= page.width + 0.01
    assert inner.y1 <= page.height + 0.01
    legend = ax.get_legend()
    if legend is not None:
        box, frame = legend.get_window_extent(), ax.get_window_extent()
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__
    pyplot.cache_clear()

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    for module in [each for each in sys.modules if each.startswith("matplotlib")]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match="pictures need matplotlib; to draw them: pip install 'certus\\[plot\\]'"):
        roc_curve([0, 1], [0.1, 0.2]).plot()


def test_the_legend_of_a_lift_curve_covers_no_part_of_it() -> None:
    ax = lift_curve(TRUE_CLASS, PROBABILITY).plot()
    ax.figure.canvas.draw()
    assert not ax.get_legend().get_window_extent().overlaps(ax.get_window_extent().padded(-2))
