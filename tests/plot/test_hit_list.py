"""Pictures of hit lists."""

from typing import Any

import numpy as np
import pytest
from legible import artists

from certus import DataError
from certus.chance import HitList

plt = pytest.importorskip("matplotlib.pyplot")


def test_the_dots_are_the_hits_and_the_line_is_that_of_least_squares() -> None:
    r = HitList("x-x-x-xx")
    ax = r.plot()
    (dots,) = artists(ax, "certus-curve")
    (line,) = artists(ax, "certus-line")
    np.testing.assert_array_equal(dots.get_data(), [range(1, 6), r.ranks])
    assert dots.get_linestyle() == "None"
    slope, intercept = np.polyfit(range(1, 6), r.ranks, 1)
    x, y = line.get_data()
    np.testing.assert_array_equal(x, [1, 5])
    np.testing.assert_allclose(y, intercept + slope * x, rtol=1e-12)
    assert ax.get_title() == "x-x-x-xx"


def test_the_line_is_left_out_when_unwanted_or_when_there_is_one_hit() -> None:
    for ax in (HitList("x-xx").plot(regression=False), HitList("--x").plot()):
        ax.figure.canvas.draw()
        assert not artists(ax, "certus-line")
        assert "least squares" not in ax.get_legend().get_texts()[0].get_text()


def test_the_title_shows_the_score() -> None:
    def correlation(r: HitList) -> float:
        return float(np.corrcoef(np.arange(r.hits), r.ranks)[0, 1])

    r = HitList("x-x-x-xx")
    # 18 / sqrt(10 * 32.8)
    assert r.plot(score=correlation).get_title() == "x-x-x-xx   correlation = 0.9939"
    assert r.plot(score="score").get_title() == "x-x-x-xx   score = 0.6679"
    assert HitList([1, 1000]).plot(score="average_precision").get_title() == "average_precision = 0.501"


def test_several_lists_share_axes() -> None:
    ax = HitList("x-x").plot()
    assert HitList("-x-x-x").plot(ax) is ax
    dots = artists(ax, "certus-curve")
    assert len({each.get_color() for each in dots}) == 2


def test_the_scores_of_all_lists_stand_above_their_lengths() -> None:
    ax = HitList.plot_scores(2, [4, 3, 6, 3], m=5)
    (dots,) = artists(ax, "certus-curve")
    expected = {(p, r.score(5)) for p in (3, 4, 6) for r in HitList.all(p, 2)}
    assert set(zip(*(each.tolist() for each in dots.get_data()), strict=True)) == expected
    assert ax.get_title() == "Scores of all hit lists with 2 hits, m = 5"
    assert len(artists(ax, "certus-span")) == 3
    # equal scores are one dot
    (dots,) = artists(HitList.plot_scores(3, [6]), "certus-curve")
    assert len(dots.get_xdata()) == len({r.score() for r in HitList.all(6, 3)}) < HitList.count(6, 3)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: HitList.plot_scores(3, [2]), "length is 2; it must be a whole number of at least 3"),
        (lambda: HitList.plot_scores(0, [2]), "k is 0"),
        (
            lambda: HitList.plot_scores(2, []),
            "0 hit lists have 2 hits and these lengths; from 1 to 1,048,576 are drawn",
        ),
        (lambda: HitList.plot_scores(20, [40]), "68,923,264,410 hit lists have 20 hits"),
        (lambda: HitList.plot_scores(10_000, [20_000]), "about 10.6018 hit lists have 10000 hits"),
        (lambda: HitList.plot_scores(2, [3], m=1), "m is 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(ask: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        ask()


def test_pictures_of_hit_lists_change_no_settings() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    HitList("x-x").plot().figure.canvas.draw()
    HitList.plot_scores(2, range(2, 5)).figure.canvas.draw()
    assert dict(mpl.rcParams) == before


def test_the_area_below_precision_at_recall_is_average_precision() -> None:
    for r in (HitList("-x-xx-"), HitList("-x-xx-", relevant=4), HitList("x---x")):
        (line,) = artists(r.plot_area(), "certus-curve")
        x, y = line.get_data()
        assert np.trapezoid(y, x) == pytest.approx(r.average_precision(), rel=1e-12)
        assert (x[0], x[-1]) == (0, 1)


def test_precision_at_recall_of_the_note_is_its_step() -> None:
    (line,) = artists(HitList.from_names(list("xaybcz"), set("abc")).plot_area(), "certus-curve")
    np.testing.assert_allclose(line.get_ydata(), [1 / 2, 1 / 2, 2 / 4, 2 / 4, 3 / 5, 3 / 5])
    np.testing.assert_allclose(line.get_xdata(), [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 1])


def test_average_precision_at_each_rank_by_each_denominator() -> None:
    r = HitList("x---x--", relevant=3)
    lines = artists(r.plot_average_precision_at(), "certus-curve")
    for line, name in zip(lines, ("relevant", "min", "hits"), strict=True):
        expected = [r.average_precision_at(k, name) for k in range(1, 8)]  # type: ignore[arg-type]
        np.testing.assert_allclose(line.get_ydata(), expected, rtol=1e-14)


def test_a_score_without_a_name_is_a_custom_score_in_the_title() -> None:
    assert HitList("x-x").plot(score=lambda _: 0.99).get_title().endswith("custom score = 0.99")
