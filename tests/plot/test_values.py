"""Pictures of a table: values with their intervals, subgroups beside the whole, and values of queries."""

import numpy as np
import pytest
from legible import artists, assert_legible

import certus
from certus import CertusError, DataError, MetricNameError
from certus.plot.estimates import per_query, values
from certus.table import Row, Table

plt = pytest.importorskip("matplotlib.pyplot")

QRELS = {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"c": 1}}
RUNS = {
    "one": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 3.0, "a": 2.0}, "q3": {"a": 1.0}},
    "two": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 3.0, "b": 2.0}, "q3": {"c": 1.0}},
}
TRUTH = [1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0]
GUESS = [1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0]
SITE = ["x"] * 6 + ["y"] * 6


def test_each_value_stands_with_its_interval_on_a_line_of_its_own() -> None:
    table = certus.evaluate(QRELS, RUNS, ["AP", "RR"])
    ax = table.plot(metric="AP")
    rows = [row for row in table if row.metric == "AP"]
    assert [row.value for row in rows] == [pytest.approx((1 + 1 / 4 + 0) / 3), pytest.approx((1 / 2 + 1 + 1) / 3)]
    for position, (row, dot, span) in enumerate(
        zip(rows, artists(ax, "certus-value"), artists(ax, "certus-band"), strict=True)
    ):
        assert dot.get_xydata().tolist() == [[row.value, position]]
        assert span.get_xydata().tolist() == [[row.low, position], [row.high, position]]
    assert [each.get_text() for each in ax.get_yticklabels()] == ["one", "two"]
    assert [each.get_text() for each in ax.texts] == [f"{r.value:.4f} [{r.low:.4f}, {r.high:.4f}]" for r in rows]
    assert ax.get_xlabel() == "95% intervals, 3 queries"
    assert_legible(ax.figure)


def test_subgroups_stand_below_all_samples_whose_interval_is_shaded() -> None:
    table = certus.evaluate(TRUTH, GUESS, "Accuracy", by=SITE)
    ax = table.plot()
    whole = certus.evaluate(TRUTH, GUESS, "Accuracy").rows[0]
    assert [each.get_text() for each in ax.get_yticklabels()] == ["all samples", "x", "y"]
    assert [dot.get_xydata()[0, 0] for dot in artists(ax, "certus-value")] == pytest.approx([9 / 12, 5 / 6, 4 / 6])
    (shade,) = artists(ax, "certus-whole")
    assert (shade.get_x(), shade.get_x() + shade.get_width()) == pytest.approx((whole.low, whole.high))
    gap = next(row for row in table if row.among == "largest gap")
    assert gap.low is not None
    assert gap.high is not None
    assert ax.get_xlabel().split("\n") == [
        "95% intervals, 12 samples",
        f"largest gap {1 / 6:.4f} [{gap.low:.4f}, {gap.high:.4f}]",
        "x − y",
    ]
    markers = [dot.get_marker() for dot in artists(ax, "certus-value")]
    assert markers[0] != markers[1]
    assert_legible(ax.figure)


def test_classes_and_several_systems_are_named_on_their_lines() -> None:
    table = certus.evaluate(TRUTH, {"m": GUESS, "n": TRUTH}, "F1", by=SITE)
    labels = [each.get_text() for each in table.plot().get_yticklabels()]
    assert labels[:4] == ["m: all samples: 0", "m: all samples: 1", "m: x: 0", "m: x: 1"] or labels == [
        *("m: all samples", "m: x", "m: y", "n: all samples", "n: x", "n: y")
    ]


def test_a_value_without_interval_or_without_number_says_so() -> None:
    ax = values(Table([Row("a", "AP", float("nan")), Row("b", "AP", 0.5)]))
    assert [each.get_text() for each in ax.texts] == ["undefined", "0.5000"]
    assert not artists(ax, "certus-band")


def test_more_lines_than_a_page_holds_are_refused() -> None:
    with pytest.raises(CertusError, match="65 lines do not fit on a page, at most 64 do"):
        Table([Row(f"r{i}", "AP", 0.5) for i in range(65)]).plot()
    ax = Table([Row(f"run number {i}", "AP", i / 65, i / 70, i / 60, 0.95, "t") for i in range(64)]).plot()
    assert ax.figure.get_size_inches()[1] <= 11.7
    assert_legible(ax.figure)


def test_queries_stand_in_the_order_of_their_mean_over_the_systems() -> None:
    ax = certus.evaluate(QRELS, RUNS, "AP", per_query=True).plot("per-query")
    # q1: 1 and 1/2; q2: 1/4 and 1; q3: 0 and 1
    assert [each.get_text() for each in ax.get_xticklabels()] == ["q1", "q2", "q3"]
    one, two = artists(ax, "certus-curve")
    np.testing.assert_allclose(one.get_ydata(), [1, 0.25, 0])
    np.testing.assert_allclose(two.get_ydata(), [0.5, 1, 1])
    np.testing.assert_allclose(two.get_xdata() - one.get_xdata(), 0.25)  # side by side
    assert one.get_marker() != two.get_marker()
    assert [each.get_text() for each in ax.get_legend().get_texts()] == ["one: mean 0.4167", "two: mean 0.8333"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("3 queries, highest mean first", "AP")
    assert_legible(ax.figure)


def test_queries_without_a_value_are_counted() -> None:
    runs = {"all": RUNS["one"], "less": {"q1": {"a": 1.0}}}
    ax = certus.evaluate(QRELS, runs, "AP", per_query=True).plot("per-query")
    assert ax.get_legend().get_texts()[1].get_text() == "less: mean 1.0000, 2 without a value"


def test_many_queries_are_not_named() -> None:
    qrels = {f"q{i}": {"a": 1} for i in range(60)}
    runs = {f"r{k}": {f"q{i}": {"a": float(i % (k + 2)), "b": 1.0} for i in range(60)} for k in range(3)}
    ax = certus.evaluate(qrels, runs, "RR", per_query=True).plot("per-query")
    assert ax.get_xlabel() == "60 queries, highest mean first"
    assert not any(each.get_text().startswith("q") for each in ax.get_xticklabels())
    assert_legible(ax.figure)


def test_what_the_table_lacks_is_refused_by_name() -> None:
    table = certus.evaluate(QRELS, RUNS, "AP")
    with pytest.raises(DataError, match="no values of single queries; evaluate with per_query=True"):
        table.plot("per-query")
    with pytest.raises(
        MetricNameError, match="kind is 'roc'; the pictures of this table are 'values', 'per-query', 'pre"
    ):
        table.plot("roc")
    with pytest.raises(MetricNameError, match="the table has no metric 'P'; it has AP"):
        table.plot(metric="P")
    with pytest.raises(MetricNameError, match="metric is 'AP', but 'ndcg' draws none of the table's; leave it out"):
        table.plot("ndcg", metric="AP")
    with pytest.raises(CertusError, match="2 metrics do not fit on one axes; choose one, such as metric='AP'"):
        certus.evaluate(QRELS, RUNS, ["AP", "RR"]).plot(ax=plt.subplots()[1])
    many = {f"r{k}": RUNS["one"] for k in range(8)}
    with pytest.raises(CertusError, match="8 systems cannot be told apart in a picture, at most 7 can"):
        per_query(certus.evaluate(QRELS, many, "AP", per_query=True))


def test_a_table_read_again_still_draws_its_values() -> None:
    table = certus.evaluate(QRELS, RUNS, "AP", per_query=True)
    again = Table.from_json(table.to_json())
    for kind in ("values", "per-query"):
        _, ax = plt.subplots()
        assert again.plot(kind, ax) is ax
    with pytest.raises(MetricNameError, match=r"the pictures of this table are 'values', 'per-query'$"):
        again.plot("ndcg")
