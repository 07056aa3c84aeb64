"""Pictures of a comparison: they hold its numbers, fit their names, and say what they cannot show."""

import itertools
from typing import Any

import numpy as np
import pytest
from legible import artists, assert_legible

from certus import CertusError, DataError, MetricNameError
from certus.comparison import Comparison, compare_values
from certus.entry import compare
from certus.plot.comparisons import critical_difference, differences, unit_differences

pytest.importorskip("matplotlib")
plt = pytest.importorskip("matplotlib.pyplot")

LONG = "splade-v3-distilled-from-a-large-one-epoch-{}.run.gz"


def made(systems: int, name: str = "system {}", **options: Any) -> Comparison:
    generator = np.random.default_rng(1)
    common = generator.uniform(size=40)
    values = {name.format(i): (common + 0.05 * i + generator.normal(0, 0.1, 40)).round(3) for i in range(systems)}
    return compare_values(values, **options)


def words(ax: Any) -> list[str]:
    return [each.get_text() for each in ax.texts]


def test_each_difference_stands_with_its_interval_and_verdict_on_a_line_of_its_own() -> None:
    found = made(4)
    ax = found.plot()
    dots, spans = artists(ax, "certus-difference"), artists(ax, "certus-band")
    assert len(dots) == len(spans) == len(found.rows) == 6
    for position, (row, dot, span) in enumerate(zip(found.rows, dots, spans, strict=True)):
        assert dot.get_xydata().tolist() == [[row.difference, position]]
        assert span.get_xydata().tolist() == [[row.low, position], [row.high, position]]
    assert words(ax) == [f"{row.difference:+.4f}  {row.verdict}" for row in found.rows]
    assert ax.get_yticklabels()[0].get_text() == "system 1 − system 0"
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first line is on top


def test_verdicts_differ_in_color_and_in_marker() -> None:
    found = compare_values({"base": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "up": [0.3, 0.5, 0.4, 0.6, 0.8, 0.7]})
    better = artists(differences(found), "certus-difference")[0]
    worse = artists(
        differences(
            made_worse := compare_values(
                {"base": [0.3, 0.5, 0.4, 0.6, 0.8, 0.7], "down": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}
            )
        ),
        "certus-difference",
    )[0]
    assert (found.rows[0].verdict, made_worse.rows[0].verdict) == ("better", "worse")
    assert better.get_color() != worse.get_color()
    assert better.get_marker() != worse.get_marker()


def test_the_margin_is_shaded_and_named() -> None:
    ax = made(3, margin=0.02, baseline="system 0").plot()
    (band,) = artists(ax, "certus-margin")
    assert band.get_x() == -0.02
    assert band.get_width() == 0.04
    assert ax.get_xlabel() == "Difference to system 0\n95% intervals, 40 units, shaded: margin ±0.02"
    assert [each.get_text() for each in ax.get_yticklabels()] == ["system 1", "system 2"]
    assert not artists(made(3).plot(), "certus-margin")


def test_lower_is_better_is_said() -> None:
    found = made(3, better="lower")
    assert differences(found).get_xlabel().endswith("lower is better")
    assert critical_difference(found).get_title().endswith("(lower is better)")


def test_the_steps_are_the_sorted_differences() -> None:
    found = made(2)
    ax = found.plot("units")
    (line,) = artists(ax, "certus-curve")
    expected = np.sort(found.per_unit["value"]["system 1"] - found.per_unit["value"]["system 0"])[::-1]
    np.testing.assert_array_equal(line.get_ydata()[::2], expected)
    np.testing.assert_array_equal(line.get_ydata()[1::2], expected)
    assert line.get_xdata()[0] == 0
    assert line.get_xdata()[-1] == 1
    row = found.rows[0]
    assert ax.get_legend().get_texts()[0].get_text() == (
        f"system 1: above {row.wins}, equal {row.ties}, below {row.losses}"
    )


def test_pairs_are_chosen_where_there_are_too_many_to_tell_apart() -> None:
    found = made(5)
    with pytest.raises(CertusError, match="10 pairs cannot be told apart in a picture, at most 7 can; choose with"):
        unit_differences(found)
    ax = unit_differences(found, pairs=[("system 3", "system 1"), ("system 2", "system 0")])
    assert [each.get_text().split(":")[0] for each in ax.get_legend().get_texts()] == [
        "system 3 − system 1",
        "system 2 − system 0",
    ]
    with pytest.raises(MetricNameError, match=r"the comparison has no pair \('system 1', 'system 3'\)"):
        unit_differences(found, pairs=[("system 1", "system 3")])


def test_bars_join_exactly_the_systems_that_share_a_letter() -> None:
    found = made(6)
    ax = found.plot("critical-difference")
    values = {row.run: row.value for row in found.values.summary}
    letters = found.letters["value"]
    expected = {
        tuple(sorted(values[system] for system in values if letter in letters[system]))
        for letter in set("".join(letters.values()))
    }
    drawn = {tuple(bar.get_xdata().tolist()) for bar in artists(ax, "certus-bar")}
    assert drawn == {group for group in expected if len(group) > 1}
    assert drawn
    joined = {pair for bar in drawn for pair in itertools.combinations(bar, 2)}
    apart = {tuple(sorted((row.value, row.baseline_value))) for row in found.rows if row.significant}
    assert not joined & apart
    assert len(joined | apart) == 15


def test_every_system_has_a_lead_from_its_value_to_its_name() -> None:
    found = made(5)
    ax = critical_difference(found)
    values = {row.run: row.value for row in found.values.summary}
    assert sorted(lead.get_xdata()[0] for lead in artists(ax, "certus-lead")) == sorted(values.values())
    said = [each.get_text() for each in ax.texts]
    for system, value in values.items():
        assert any(system in text and f"{value:.4f}" in text for text in said)


def test_the_diagram_says_when_all_differ() -> None:
    generator = np.random.default_rng(3)
    values = {name: generator.normal(position, 0.01, 30) for name, position in (("a", 0), ("b", 1), ("c", 2))}
    ax = critical_difference(compare_values(values))
    assert not artists(ax, "certus-bar")
    assert ax.get_xlabel() == "all differences are significant (holm, at 0.05)\n30 units"


def test_the_diagram_of_two_systems_joins_them_unless_they_differ() -> None:
    same = compare_values({"a": [0.1, 0.5, 0.4], "b": [0.2, 0.4, 0.5]})
    apart = compare_values({"a": np.arange(9.0), "b": np.arange(9.0) + 1.5 + np.sin(np.arange(9.0))})
    assert len(artists(critical_difference(same), "certus-bar")) == 1
    assert not artists(critical_difference(apart), "certus-bar")


def test_the_diagram_needs_all_pairs() -> None:
    with pytest.raises(DataError, match="needs the tests of all pairs; compare without a baseline"):
        critical_difference(made(3, baseline="system 0"))


@pytest.mark.parametrize("name", ["system {}", LONG, "$x_{{{}}}$\n" + 30 * "w"])
@pytest.mark.parametrize(
    ("kind", "systems"),
    [*itertools.product(["differences", "critical-difference"], [2, 3, 10]), ("units", 2), ("units", 8)],
)
def test_no_two_words_overlap_and_none_is_cut_off(kind: str, systems: int, name: str) -> None:
    baseline = None if kind == "critical-difference" else name.format(0)
    ax = made(systems, name, baseline=baseline, margin=0.02, test="t").plot(kind)
    figure = ax.figure
    figure.canvas.draw()
    shown = [*ax.texts, ax.title, ax.xaxis.label, *(ax.get_yticklabels() if kind == "differences" else ())]
    shown += ax.get_legend().get_texts() if ax.get_legend() else []
    boxes = [each.get_window_extent() for each in shown if each.get_text()]
    assert len(boxes) > 2
    for box in boxes:
        assert figure.bbox.x0 - 1 <= box.x0 < box.x1 <= figure.bbox.x1 + 1
        assert figure.bbox.y0 - 1 <= box.y0 < box.y1 <= figure.bbox.y1 + 1
    for one, other in itertools.combinations(boxes, 2):
        assert min(one.x1, other.x1) - max(one.x0, other.x0) < 1 or min(one.y1, other.y1) - max(one.y0, other.y0) < 1


def test_long_names_keep_their_ends_which_tell_runs_apart() -> None:
    said = [each.get_text() for each in made(3, LONG, baseline=LONG.format(0)).plot().get_yticklabels()]
    assert len(set(said)) == 2


def test_ranks_are_those_that_no_significant_difference_rules_out() -> None:
    values = {
        "a": [9.0, 9.1, 9.3, 9.2],
        "b": [5.0, 5.2, 5.1, 5.4],
        "c": [5.1, 5.1, 5.2, 5.2],
        "d": [1.0, 1.1, 1.2, 1.4],
    }
    found = compare_values(values, "score", better="higher", test="t")
    assert found.ranks("score") == {"a": (1, 1), "b": (2, 3), "c": (2, 3), "d": (4, 4)}
    ax = found.plot("ranks")
    assert [each.get_text().split("  ")[0] for each in ax.get_yticklabels()] == ["a", "b", "c", "d"]
    assert [bar.get_xdata().tolist() for bar in artists(ax, "certus-ranks")] == [[1, 1], [2, 3], [2, 3], [4, 4]]
    assert [dot.get_xdata().tolist() for dot in artists(ax, "certus-value")] == [[1], [2], [3], [4]]
    lower = compare_values(values, "score", better="lower", test="t")
    assert lower.ranks("score") == {"a": (4, 4), "b": (2, 3), "c": (2, 3), "d": (1, 1)}


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    ax = compare_values({"a": [1.0, 2.0, 3.0], "b": [3.0, 1.0, 2.0], "c": [0.0, 1.0, 1.0]}, better="higher").plot(
        "ranks"
    )
    assert [dot.get_xdata().tolist() for dot in artists(ax, "certus-value")] == [[1.5], [1.5], [3]]


def test_ranks_need_all_pairs_and_a_direction() -> None:
    with pytest.raises(DataError, match="ranks need the tests of all pairs; compare without a baseline"):
        made(3, baseline="system 0").plot("ranks")
    with pytest.raises(MetricNameError, match="the comparison has no metric 'F1'; it has value"):
        made(3).ranks("F1")


@pytest.mark.parametrize("kind", ["differences", "matrix", "critical-difference", "ranks"])
@pytest.mark.parametrize("name", ["run {}", LONG])
def test_twenty_systems_fit_a_page_and_can_be_read(kind: str, name: str) -> None:
    baseline = name.format(0) if kind == "differences" else None
    ax = made(20, name, baseline=baseline, test="t").plot(kind)
    assert max(ax.figure.get_size_inches()) <= 11.7
    assert_legible(ax.figure)


def test_several_metrics_have_an_axes_each() -> None:
    qrels = {f"q{i}": {"d1": 1, "d2": 2} for i in range(12)}
    runs = {
        name: {f"q{i}": {"d1": float((i * k) % 5), "d2": 2.0, "d3": float(i % 3)} for i in range(12)}
        for name, k in (("a", 1), ("b", 2), ("c", 3))
    }

    found = compare(qrels, runs, ["nDCG@10", "AP", "RR"])
    for kind in ("differences", "units", "critical-difference"):
        ax = found.plot(kind)
        titles = [each.get_title() for each in ax.figure.axes if each.get_visible()]
        assert titles == ["nDCG@10", "AP", "RR"]
        assert found.plot(kind, metric="AP").get_title() == "AP"
        with pytest.raises(MetricNameError, match="the comparison has no metric 'P'; it has nDCG@10, AP, RR"):
            found.plot(kind, metric="P")
        with pytest.raises(CertusError, match="3 metrics do not fit on one axes; choose one, such as metric='nDCG@10'"):
            found.plot(kind, plt.subplots()[1])


def test_a_wrong_kind_is_named() -> None:
    with pytest.raises(MetricNameError, match="kind is 'forest'; it must be one of 'differences', 'matrix', 'units'"):
        made(2).plot("forest")


def matrix_of(ax: Any) -> Any:
    return artists(ax, "certus-matrix")[0].get_array()


def test_a_matrix_has_the_best_system_first_and_each_difference_on_both_sides() -> None:
    found = made(5)
    ax = found.plot("matrix")
    names = [label.get_text().split("  ")[0] for label in ax.get_yticklabels()]
    values = {row.run: row.value for row in found.values}
    assert names == sorted(values, key=values.__getitem__, reverse=True)
    shown = matrix_of(ax)
    for row in found:
        position = names.index(row.system), names.index(row.baseline)
        assert shown[position] == pytest.approx(row.difference)
        assert shown[position[::-1]] == pytest.approx(-row.difference)
    bold = {each.get_text() for each in artists(ax, "certus-difference") if each.get_fontweight() == "bold"}
    assert bold == {f"{sign * row.difference:+.3f}" for row in found if row.significant for sign in (1, -1)}
    assert ax.get_xlabel() == "bold: significant (holm, at 0.05)\n40 units"


def test_no_difference_in_a_matrix_is_minus_zero() -> None:
    ax = compare_values({"a": [1.0, 2.0, 3.0, 5.0], "b": [1.0, 2.0, 3.0, 5.0], "c": [1.0, 1.0, 2.0, 1.0]}).plot(
        "matrix"
    )
    assert {each.get_text().strip("=") for each in artists(ax, "certus-difference")} == {"+0.000", "+1.500", "-1.500"}


def test_a_matrix_of_lower_values_has_the_lowest_first_in_the_color_of_the_best() -> None:
    values = {"slow": [3.0, 3.1, 3.3, 3.2], "fast": [1.0, 1.1, 1.2, 1.4], "mid": [2.0, 2.2, 2.1, 2.3]}
    higher = compare_values(values, better="higher").plot("matrix")
    lower = compare_values(values, better="lower").plot("matrix")
    assert lower.get_yticklabels()[0].get_text() == "fast  1.1750"
    assert higher.get_yticklabels()[0].get_text() == "slow  3.1500"
    for ax in (lower, higher):
        image = artists(ax, "certus-matrix")[0]
        red, _, blue, _ = image.cmap(image.norm(matrix_of(ax)[0, 2]))  # the best less the worst
        assert blue > red


@pytest.mark.parametrize(("systems", "name"), [(5, LONG), (14, LONG), (20, LONG), (20, "{}")])
def test_a_matrix_of_many_systems_fits_a_page_and_its_names_do_not_overlap(systems: int, name: str) -> None:
    ax = made(systems, name, test="t").plot()
    if systems < 8:
        ax = made(systems, name, test="t").plot("matrix")
    assert max(ax.figure.get_size_inches()) <= 11.7
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    whole = ax.figure.bbox
    for label in (*ax.get_yticklabels(), *ax.get_xticklabels(), ax.xaxis.label):
        box = label.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert whole.y0 <= box.y0
    dots = [text for text in words(ax) if text == "\u2022"]
    assert len(dots) == (0 if systems <= 12 else 2 * sum(row.significant for row in made(systems, name, test="t")))


def test_a_matrix_needs_all_pairs() -> None:
    with pytest.raises(DataError, match="a matrix is of all pairs; compare three or more systems without a baseline"):
        made(2).plot("matrix")


def test_many_differences_fit_a_page_and_their_names_do_not_overlap() -> None:
    found = made(14, LONG, test="t")
    assert len(found) == 91
    ax = found.plot("differences")
    assert ax.figure.get_size_inches()[1] < 17
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(not one.overlaps(other) for one, other in itertools.pairwise(boxes))
