"""Pictures of estimates: the value with its interval, among the values of its units where it is made of them."""

from typing import Any

import numpy as np
import pytest
from legible import artists, assert_legible

from certus import CertusError, DataError, classification, inference, plot, ranking
from certus.inference import Estimate
from certus.statistic import Mean, Proportion, Quantile

plt = pytest.importorskip("matplotlib.pyplot")

QRELS = {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"c": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 3.0, "a": 2.0}, "q3": {"a": 1.0}}


def bars(ax: Any) -> list[tuple[float, int]]:
    return [(each.get_x() + each.get_width() / 2, int(each.get_height())) for each in artists(ax, "certus-bar")]


def test_a_mean_is_drawn_among_the_values_of_its_queries() -> None:
    found = ranking.average_precision(QRELS, RUN)  # 1, (1/2) / 2 and 0
    ax = found.plot()
    assert np.array(bars(ax)) == pytest.approx(np.array([(0, 1), (1 / 4, 1), (1, 1)]))
    (line,), (shade,) = artists(ax, "certus-mark"), artists(ax, "certus-band")
    assert list(line.get_xdata()) == [found.value] * 2
    assert (shade.get_x(), shade.get_x() + shade.get_width()) == pytest.approx((found.low, found.high))
    assert [each.get_text() for each in ax.get_legend().get_texts()] == [
        f"AP {found.value:.4f} [{found.low:.4f}, {found.high:.4f}]"
    ]
    assert ax.get_xlabel() == "Value of a query\n95% interval, 3 queries"
    assert ax.get_ylabel() == "Queries"
    assert_legible(ax.figure)


def test_values_near_each_other_are_counted_in_bins_that_hold_all_of_them() -> None:
    values = np.random.default_rng(1).random(500)
    ax = Estimate(Mean(values), "AP", (0.0, 1.0)).plot()
    drawn = artists(ax, "certus-bar")
    assert len(drawn) == 20
    for each in drawn:
        inside = (values >= each.get_x()) & (values < each.get_x() + each.get_width())
        assert each.get_height() == inside.sum()
    assert sum(count for _, count in bars(ax)) == 500


def test_the_interval_is_the_one_asked_for() -> None:
    found = Estimate(Mean([0.1, 0.4, 0.3, 0.6]), "AP", (0.0, 1.0))
    asked = found.interval(0.8, "percentile")
    ax = found.plot(level=0.8, interval="percentile")
    (shade,) = artists(ax, "certus-band")
    assert (shade.get_x(), shade.get_x() + shade.get_width()) == pytest.approx(tuple(asked))
    assert ax.get_xlabel().endswith("80% interval, 4 queries")


def test_a_quantile_stands_in_the_values_it_is_one_of() -> None:
    ax = Estimate(Quantile(np.array(list(range(1, 101))), 0.9, unit="request"), "p90").plot()
    assert sum(count for _, count in bars(ax)) == 100
    assert ax.get_ylabel() == "Requests"


@pytest.mark.parametrize("statistic", [Proportion(7, 10), Mean([3.0, 1.0], total=True)], ids=["share", "sum"])
def test_a_value_on_another_scale_than_its_units_is_a_line(statistic: Any) -> None:
    found = Estimate(statistic, "it")
    ax = found.plot()
    assert bars(ax) == []
    (dot,), (span,) = artists(ax, "certus-value"), artists(ax, "certus-band")
    assert dot.get_xydata().tolist() == [[found.value, 0]]
    assert span.get_xydata().tolist() == [[found.low, 0], [found.high, 0]]
    assert [each.get_text() for each in ax.get_yticklabels()] == ["it"]
    assert_legible(ax.figure)


def test_each_class_has_a_line() -> None:
    found = classification.recall(list("aabbcc"), list("abbbcc"), average=None)
    ax = found.plot()
    assert [dot.get_xydata()[0].tolist() for dot in artists(ax, "certus-value")] == [[0.5, 0], [1, 1], [1, 2]]
    assert [each.get_text() for each in ax.get_yticklabels()] == ["a", "b", "c"]
    assert ax.get_title() == found.metric
    assert_legible(ax.figure)


def test_what_the_data_leave_open_is_drawn_beside_the_value() -> None:
    found = Estimate(Proportion(7, 10), "it", range=(0.5, 0.8), range_of="ties")
    ax = found.plot()
    (line,) = artists(ax, "certus-range")
    assert line.get_xdata().tolist() == [0.5, 0.8]
    assert ax.get_xlabel().endswith("0.5000 to 0.8000 over ties")
    among = Estimate(Mean([0.5, 0.75]), "it", range=(0.5, 0.8), range_of="unjudged").plot()
    assert [list(each.get_xdata()) for each in artists(among, "certus-range")] == [[0.5] * 2, [0.8] * 2]
    both = plot.estimates({"one": found, "other": Estimate(Proportion(1, 2))})
    assert both.get_xlabel() == "95% intervals, 2 to 10 samples\ngrey: range over ties"


def test_a_value_without_interval_says_why() -> None:
    ax = Estimate(Mean([0.5]), "AP", (0.0, 1.0)).plot()
    assert artists(ax, "certus-band") == []
    assert "no interval: " in ax.get_xlabel()
    undefined = plot.estimates({"a": Estimate(Mean([np.nan, 1.0])), "b": Estimate(Proportion(1, 2))})
    assert undefined.texts[0].get_text() == "undefined"


def test_nothing_to_draw_is_refused_with_its_reason() -> None:
    with pytest.raises(DataError, match=r"^AP has no finite value to draw: 1 of 2 queries has no value$"):
        Estimate(Mean([np.nan, 1.0]), "AP").plot()
    with pytest.raises(DataError, match=r"^there are no estimates to draw$"):
        plot.estimates({})
    with pytest.raises(CertusError, match=r"^65 lines do not fit on a page, at most 64 do; draw fewer estimates$"):
        plot.estimates({position: Estimate(Proportion(1, 2)) for position in range(65)})


def test_names_are_text_and_axes_given_are_drawn_on() -> None:
    _, given = plt.subplots()
    ax = inference.Estimates({"$x": Estimate(Proportion(1, 2))}, metric="$y").plot(given)
    assert ax is given
    assert ax.get_title() == r"\$y"
    assert [each.get_text() for each in ax.get_yticklabels()] == [r"\$x"]
