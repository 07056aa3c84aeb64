"""Comparisons of units in groups: the group is what is independent, wherever two systems are judged."""

from pathlib import Path

import numpy as np
import pytest

from certus import DataError, MetricNameError
from certus.comparison import compare_values
from certus.entry import compare
from certus.inference import paired
from certus.testing import assert_not_worse

RNG = np.random.default_rng(1)
GROUPS = np.repeat(np.arange(30), 10)
BASE = RNG.normal(size=300)
OTHER = BASE + RNG.normal(0.05, 1, 30)[GROUPS] + RNG.normal(0, 0.1, 300)
QRELS = {f"q{i}": {"d1": 1} for i in range(16)}
RUNS = {
    "x": {f"q{i}": {"d0": 2.0, "d1": 1.0} for i in range(16)},
    "y": {f"q{i}": {"d0": 1.0, "d1": 2.0 if i % 4 else 0.5} for i in range(16)},
}
OF_QUERIES = {f"q{i}": f"g{i // 2}" for i in range(16)}


def test_values_in_groups_are_judged_by_their_groups() -> None:
    values = {"base": BASE, "other": OTHER}
    (alone,), (row,) = compare_values(values), compare_values(values, groups=GROUPS)
    assert (row.n, row.unit) == (30, "group")
    assert row.difference == pytest.approx(alone.difference)
    assert row.high - row.low > 2.5 * (alone.high - alone.low)
    assert (alone.verdict, row.verdict) == ("worse", "not significant")
    direct = paired(OTHER, BASE, groups=GROUPS)
    assert (row.p, row.low) == pytest.approx((direct.p, direct.difference.interval().low), rel=1e-4)
    weighted = compare_values(values, groups=GROUPS, weights=np.arange(300) + 1.0)
    assert weighted.rows[0].difference != row.difference
    assert weighted.values.rows[0].value == pytest.approx(np.average(BASE, weights=np.arange(300) + 1.0))


def test_the_gate_goes_by_groups() -> None:
    with pytest.raises(AssertionError, match="is worse than baseline"):
        assert_not_worse(OTHER, BASE)
    assert_not_worse(OTHER, BASE, groups=GROUPS)
    assert_not_worse(OTHER, BASE, groups=GROUPS, better="higher")


def test_values_by_unit_have_groups_by_unit() -> None:
    names = [f"u{i}" for i in range(300)]
    values = {
        "base": dict(zip(names, BASE, strict=True)),
        "other": dict(zip(reversed(names), OTHER[::-1], strict=True)),
    }
    groups = dict(zip(names, GROUPS.tolist(), strict=True))
    (row,) = compare_values(values, groups=groups)
    assert row.p == compare_values({"base": BASE, "other": OTHER}, groups=GROUPS).rows[0].p
    del groups["u7"]
    with pytest.raises(DataError, match="groups lacks the unit 'u7'"):
        compare_values(values, groups=groups)
    with pytest.raises(DataError, match="the values are columns; give one per row"):
        compare_values({"base": BASE, "other": OTHER}, groups=groups)


def test_queries_have_groups_from_a_mapping_or_a_file(tmp_path: Path) -> None:
    (row,) = compare(QRELS, RUNS, "RR", groups=OF_QUERIES)
    assert (row.n, row.unit) == (8, "group")
    sums = [0.5 * sum(bool(i % 4) for i in range(16) if i // 2 == g) for g in range(8)]
    assert row.p == paired(sums, np.zeros(8), "permutation").p
    file = tmp_path / "groups.txt"
    file.write_text("".join(f"{query}\t{group}\n" for query, group in OF_QUERIES.items()))
    assert compare(QRELS, RUNS, "RR", groups=file).rows[0].p == row.p


@pytest.mark.parametrize(
    ("text", "message"),
    [("q0 g0\n", "lacks the query"), ("q0 a b\n", ":1: 3 fields"), ("q0 a\nq0 b\n", "in group 'b', but in 'a'")],
)
def test_a_file_of_groups_that_is_no_such_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "groups.txt"
    file.write_text(text)
    with pytest.raises(DataError, match=message):
        compare(QRELS, RUNS, "RR", groups=file)
    with pytest.raises(DataError, match="is not a file"):
        compare(QRELS, RUNS, "RR", groups=str(tmp_path))


def test_metrics_that_are_no_mean_over_queries_have_no_groups() -> None:
    with pytest.raises(MetricNameError, match="groups are not for it"):
        compare(QRELS, RUNS, "GMAP", groups=OF_QUERIES)


@pytest.mark.parametrize("correction", ["holm", "max-t", "tukey-hsd"])
def test_every_correction_takes_groups(correction: str) -> None:
    values = {"a": BASE, "b": OTHER, "c": BASE + RNG.normal(0, 0.1, 300)}
    alone = compare_values(values, correction=correction, replicates=2000)
    grouped = compare_values(values, groups=GROUPS, correction=correction, replicates=2000)
    assert grouped.row("value", "b", "a").p_adjusted > alone.row("value", "b", "a").p_adjusted


def test_a_text_is_no_column_of_groups() -> None:
    for text in ("", "ab"):
        with pytest.raises(DataError, match=f"groups is '{text}'; give one group per unit"):
            paired([1.0, 2.0], [2.0, 1.0], groups=text)
    runs = {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 2.0}}}
    with pytest.raises(DataError, match=r"^'' is not a file; groups are"):
        compare({"q": {"d": 1}}, runs, "AP", groups="")


def test_the_values_of_single_units_are_kept_with_groups_and_weights() -> None:
    for how in ({"groups": GROUPS}, {"weights": GROUPS + 1.0}):
        found = compare_values({"a": BASE, "b": OTHER}, **how)
        assert found.per_unit["value"]["b"].tolist() == OTHER.tolist()
    groups = {f"q{i}": i // 4 for i in range(16)}
    runs = compare(QRELS, RUNS, "RR", groups=groups)
    alone = compare(QRELS, RUNS, "RR")
    assert runs.rows[0].unit == "group"
    assert runs.units == alone.units
    assert runs.per_unit["RR"]["x"].tolist() == alone.per_unit["RR"]["x"].tolist()


def test_groups_of_one_class_are_undefined_for_that_reason() -> None:
    truth, systems = [1, 1, 1, 1], {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.4, 0.2, 0.3, 0.1]}
    for metric in ("AUC", "AP", "Gini"):
        (row,) = compare(truth, systems, metric, task="classification", groups=[1, 1, 2, 2])
        assert metric == "AP" or row.reason == "b: there are no negatives"
