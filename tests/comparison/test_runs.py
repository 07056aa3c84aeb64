"""Comparing retrieval runs: which queries are paired, what is found, what is refused."""

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus.comparison import Comparison

QRELS = {f"q{i}": {"d1": 1, "d2": 0} for i in range(8)}


def run(good: int, queries: int = 8) -> dict[str, dict[str, float]]:
    """A run whose first `good` queries have the relevant document first, the others second."""
    return {f"q{i}": {"d1": 2.0 if i < good else 1.0, "d2": 1.5} for i in range(queries)}


def kinds(found: Comparison) -> dict[str, int]:
    return {notice.kind: notice.count for notice in found.notices}


def test_by_hand_the_difference_is_system_less_baseline_and_p_counts_the_flips() -> None:
    (row,) = certus.compare(QRELS, {"old": run(2), "new": run(7)}, "RR", test="permutation")
    assert (row.system, row.baseline, row.metric) == ("new", "old", "RR")
    assert row.value == pytest.approx(7.5 / 8)
    assert row.baseline_value == pytest.approx(5 / 8)
    assert row.difference == pytest.approx(2.5 / 8)
    assert (row.wins, row.ties, row.losses) == (5, 3, 0)
    assert row.p == pytest.approx(2 / 2**5)  # of five equal differences all have the same sign
    assert row.p_adjusted == row.p
    assert row.verdict == "not significant"
    assert (row.n, row.unit, row.method, row.interval) == (8, "query", "permutation", "permutation")


def test_a_significant_difference_is_better_or_worse_by_its_sign() -> None:
    forth = certus.compare(QRELS, {"old": run(0), "new": run(8)}, "RR")
    back = certus.compare(QRELS, {"old": run(0), "new": run(8)}, "RR", baseline="new")
    assert [row.verdict for row in forth] == ["better"]
    assert [row.verdict for row in back] == ["worse"]
    assert back.rows[0].difference == -forth.rows[0].difference
    assert back.rows[0].p == forth.rows[0].p


def test_the_one_sided_p_values_see_the_raw_direction() -> None:
    runs = {"old": run(2), "new": run(8)}
    greater, less = (
        certus.compare(QRELS, runs, "RR", test="permutation", alternative=side).rows[0].p
        for side in ("greater", "less")
    )
    assert greater == pytest.approx(2**-6)
    assert less == 1.0


def test_only_queries_of_all_runs_are_paired_and_a_notice_counts_the_others() -> None:
    found = certus.compare(QRELS, {"whole": run(8), "short": run(5, 5)}, "RR")
    assert found.rows[0].n == 5
    assert found.units == ("q0", "q1", "q2", "q3", "q4")
    assert found.rows[0].difference == 0
    assert kinds(found)["unpaired-queries"] == 3
    assert "short" in next(str(notice) for notice in found.notices if notice.kind == "unpaired-queries")
    assert {row.value for row in found.values} == {1.0}


def test_missing_queries_count_0_where_all_judged_queries_are_asked_for() -> None:
    found = certus.compare(QRELS, {"whole": run(8), "short": run(5, 5)}, "RR", queries="judged")
    assert found.rows[0].n == 8
    assert found.rows[0].difference == pytest.approx(-3 / 8)
    assert "unpaired-queries" not in kinds(found)


def test_without_a_baseline_the_first_of_two_is_it_and_of_more_all_pairs_are_compared() -> None:
    runs = {name: run(good) for name, good in zip("abcd", (1, 3, 5, 7), strict=True)}
    assert certus.compare(QRELS, {name: runs[name] for name in "ab"}, "RR").baseline == "a"
    every = certus.compare(QRELS, runs, ["RR", "P@1"])
    assert every.baseline is None
    assert [(row.metric, row.baseline, row.system) for row in every] == [
        (metric, *pair) for metric in ("RR", "P@1") for pair in itertools.combinations("abcd", 2)
    ]
    against = certus.compare(QRELS, runs, "RR", baseline="c")
    assert [(row.system, row.baseline) for row in against] == [("a", "c"), ("b", "c"), ("d", "c")]
    assert not against.letters


def test_p_values_are_adjusted_within_each_metric() -> None:
    runs = {name: run(good) for name, good in zip("abc", (0, 4, 8), strict=True)}
    both = certus.compare(QRELS, runs, ["RR", "P@1"])
    for metric in both.metrics:
        rows = [row for row in both if row.metric == metric]
        expected = certus.inference.adjust([row.p for row in rows], "holm")
        assert [row.p_adjusted for row in rows] == expected.tolist()
        assert rows == list(certus.compare(QRELS, runs, metric))


def test_joint_corrections_are_those_of_inference() -> None:
    runs = {name: run(good) for name, good in zip("abc", (0, 4, 8), strict=True)}
    tukey = certus.compare(QRELS, runs, "RR", correction="Tukey HSD", replicates=2000, seed=5)
    scores = np.column_stack([tukey.per_unit["RR"][name] for name in "abc"])
    table = certus.inference.tukey_hsd(scores, replicates=2000, seed=5).p
    assert [row.p_adjusted for row in tukey] == [
        max(row.p, p) for row, p in zip(tukey, (table[0, 1], table[0, 2], table[1, 2]), strict=True)
    ]
    joint = certus.compare(QRELS, runs, "RR", correction="max-t", baseline="b")
    expected = certus.inference.max_t(scores[:, [0, 2]] - scores[:, [1]]).p
    assert [row.p_adjusted for row in joint] == expected.tolist()
    with pytest.raises(certus.DataError, match="tukey-hsd compares all pairs; leave out baseline"):
        certus.compare(QRELS, runs, "RR", correction="tukey-hsd", baseline="b")
    with pytest.raises(certus.MetricNameError, match="tukey-hsd has two sides"):
        certus.compare(QRELS, {"a": runs["a"], "b": runs["b"]}, "RR", correction="tukey-hsd", alternative="less")


def test_metrics_of_other_forms_are_compared_too() -> None:
    runs = {"a": run(2), "b": run(6)}
    found = certus.compare(QRELS, runs, ["gm_map", "num_rel_ret"])
    geometric, count = found.rows
    assert geometric.difference == pytest.approx(2 ** (-2 / 8) - 2 ** (-6 / 8))
    assert count.difference == 0
    with pytest.raises(
        certus.MetricNameError,
        match="max-t permutes the values of units, and GMAP is not compared as their plain mean",
    ):
        certus.compare(QRELS, runs, "gm_map", correction="max-t")


def test_one_query_has_a_p_value_of_1_and_no_interval() -> None:
    (row,) = certus.compare({"q0": {"d1": 1}}, {"a": run(0, 1), "b": run(1, 1)}, "RR")
    assert row.p == 1
    assert np.isnan(row.low)
    assert "1 query alone has no variance" in row.reason
    assert row.to_dict()["low"] is None


def test_two_queries_and_constant_differences_have_clear_answers() -> None:
    (two,) = certus.compare(QRELS, {"a": run(0, 2), "b": run(1, 2)}, "RR")
    assert two.p == 1
    (constant,) = certus.compare(QRELS, {"a": run(0), "b": run(8)}, "RR", test="t")
    assert np.isnan(constant.p)
    assert "differences are equal" in constant.reason
    assert constant.verdict == "not significant"


def test_conventions_reach_the_rankings() -> None:
    tied = {f"q{i}": {"d1": 1.0, "d2": 1.0} for i in range(8)}
    runs = {"tied": tied, "good": run(8)}
    trec, average = (certus.compare(QRELS, runs, "RR", ties=ties).rows[0] for ties in ("trec", "average"))
    assert trec.baseline_value == pytest.approx(0.5)
    assert average.baseline_value == pytest.approx(0.75)
    found = certus.compare(QRELS, runs, "RR", unjudged="remove")
    assert found.conventions["unjudged"] == "remove"


@pytest.mark.parametrize(
    ("runs", "options", "message"),
    [
        ({"a": run(1)}, {}, "runs holds one system, 'a'; a comparison needs at least two"),
        ([run(1), run(2)], {"baseline": "bm25"}, "baseline is 'bm25', which is not one of the systems"),
        ({"bm25": run(1), "b": run(2)}, {"baseline": "bm52"}, "did you mean 'bm25'"),
        ({1: run(1), "1": run(2)}, {}, "two systems in runs are named '1'"),
        ({"a": run(1), "b": run(2)}, {"margin": 0}, "margin is 0; it must be a finite number above 0"),
        ({"a": run(1), "b": run(2)}, {"margin": "1%"}, "margin is '1%'; it must be a finite number above 0"),
    ],
)
def test_input_that_cannot_be_compared_is_refused(runs: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        certus.compare(QRELS, runs, "RR", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": []}, "no metric was named"),
        ({"metrics": "nDGC@10"}, "did you mean 'nDCG@10'"),
        (
            {"correction": "holms"},
            "no correction is named 'holms'; did you mean 'holm'. There are holm, .*, max-t, tukey-hsd",
        ),
        ({"test": "anova"}, "anova"),
        ({"alternative": "above"}, "alternative is 'above'"),
        ({"ties": "range"}, "ties='range' leaves the values open"),
        ({"unjudged": "bounds"}, "unjudged='bounds' leaves the values open"),
        ({"task": "rankng"}, "task is 'rankng'; it must be one of 'ranking'"),
    ],
)
def test_what_does_not_exist_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(certus.MetricNameError, match=message):
        certus.compare(QRELS, {"a": run(1), "b": run(2)}, **{"metrics": "RR", **options})


def test_runs_without_a_common_query_are_named() -> None:
    other = {f"q{i}": {"d1": 1.0} for i in range(4, 8)}
    with pytest.raises(certus.DataError, match=r"runs 'a' and 'b' have no query of .* in common"):
        certus.compare(QRELS, {"a": run(1, 4), "b": other}, "RR")


def test_options_of_classifiers_have_no_meaning_for_runs() -> None:
    with pytest.raises(TypeError, match="does not take 'pos_label'"):
        certus.compare(QRELS, {"a": run(1), "b": run(2)}, "RR", pos_label=1)


ROBUST03 = Path(os.environ.get("CERTUS_ROBUST03", Path(__file__).parents[3] / "shared" / "data" / "robust03"))


@pytest.mark.skipif(not ROBUST03.is_dir(), reason="the runs of TREC 2003 Robust are not here")
def test_real_runs_are_compared_as_evaluated() -> None:
    qrels = str(ROBUST03 / "qrels.txt.gz")
    runs = [str(path) for path in sorted(ROBUST03.glob("input.*"))[:3]]
    found = certus.compare(qrels, runs, ["AP"])
    table = {row.run: row.value for row in certus.evaluate(qrels, runs, ["AP"])}
    for row in found:
        assert row.difference == pytest.approx(table[row.system] - table[row.baseline], abs=1e-12)
        again = certus.inference.paired(found.per_unit["AP"][row.system], found.per_unit["AP"][row.baseline])
        assert again.p == row.p
