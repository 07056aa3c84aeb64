"""Every metric of ranx by its name, against values of ranx 0.3.21 (tools/make_ranx_values.py), and its objects."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_a_row import in_a_row
from numpy.testing import assert_allclose
from scipy import stats

import certus
from certus import parse
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import declared
from certus.statistic import Mean

STORED = json.loads((Path(__file__).parents[2] / "reference" / "ranx" / "values.json").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = STORED["cases"]
NAMES = list(CASES[0]["values"])
DOCUMENTED = {"bpref": "NaN without relevant or nonrelevant judgments", "rbp": "adds the grades themselves"}


def _values(case: dict[str, Any], name: str) -> np.ndarray[Any, Any]:
    # stored in the order that ranx's sort gave tied documents, which is that of neither rule of certus
    statistic = parse(name).compute(rank(as_qrels(case["qrels"]), case["run"], ties="input").ranking)
    assert isinstance(statistic, Mean)
    return statistic.values


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"grades to {case['highest']}{', ties' * case['tied']}")
@in_a_row("name", NAMES)
def test_a_metric_of_ranx_has_its_values_or_differs_for_the_documented_reason(case: dict[str, Any], name: str) -> None:
    theirs = np.array([np.nan if value is None else value for value in case["values"][name]])
    ours = _values(case, name)
    if name.startswith("rbp") and case["highest"] > 1:
        factor = _values(case, f"RBP(p={name[3:]},graded=True,max_grade={case['highest']})")
        assert_allclose(case["highest"] * factor, theirs, rtol=1e-12, atol=1e-15)
        assert (ours <= 1).all()
        return
    if name == "bpref":
        assert np.isnan(theirs).any() == any(_one_sided(judged) for judged in case["qrels"].values())
        ours, theirs = ours[~np.isnan(theirs)], theirs[~np.isnan(theirs)]
    assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)


def test_the_stored_orders_are_by_score_and_tied_documents_stand_in_an_order_of_ranx_s_sort() -> None:
    for case in CASES:
        scores = [list(found.values()) for found in case["run"].values()]
        assert all(each == sorted(each, reverse=True) for each in scores)
        assert any(len(set(each)) < len(each) for each in scores) == case["tied"]


def _one_sided(judged: dict[str, int]) -> bool:
    relevant = sum(grade >= 1 for grade in judged.values())
    return relevant in (0, len(judged))


def test_every_name_of_ranx_is_checked_and_every_difference_documented() -> None:
    spelled = [each for metric in declared() for each in metric.spelled if each.tool == "ranx"]
    checked = {name.partition("@")[0].partition("-l")[0] for name in NAMES}
    assert {each.text.partition("{")[0] for each in spelled} == {name.partition(".")[0] for name in checked}
    assert {each.text.partition("{")[0] for each in spelled if each.differs} == set(DOCUMENTED)
    assert len({name for name in NAMES if "@3" not in name and "-l" not in name} - {"rbp.5"}) == 25


class Held:
    """An object like the Qrels and Run of ranx: its data in an attribute of that name."""

    def __init__(self, attribute: str, data: dict[str, dict[str, Any]], name: str | None = None) -> None:
        setattr(self, attribute, data)
        self.name, self._data = name, data

    def to_dict(self) -> dict[str, dict[str, Any]]:
        return self._data


def test_a_comparison_takes_the_objects_and_the_metric_names_of_ranx() -> None:
    qrels = Held("qrels", {f"q{i}": {"a": 1 + i % 2} for i in range(8)})
    runs = [
        Held("run", {f"q{i}": {"a": 2.0, "b": i % 3 + 0.5} for i in range(8)}, "bm25"),
        Held("run", {f"q{i}": {"a": 2.0, "b": 3.5, "c": 5.0 * (i % 2)} for i in range(8)}, "dense"),
    ]
    table = certus.compare(qrels, runs, ["mrr", "map@1-l2"], test="t", correction="none")
    assert [(row.baseline, row.system, row.metric) for row in table] == [
        ("bm25", "dense", "RR"),
        ("bm25", "dense", "AP(rel=2)@1"),
    ]
    bm25 = [1 if i % 3 < 2 else 1 / 2 for i in range(8)]
    dense = [1 / 3 if i % 2 else 1 / 2 for i in range(8)]
    assert table.rows[0].difference == pytest.approx(np.mean(dense) - np.mean(bm25), rel=1e-14)
    assert table.rows[0].p == pytest.approx(stats.ttest_rel(bm25, dense).pvalue, rel=1e-10)
