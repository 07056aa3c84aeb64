"""A comparison in another order: what is compared stays, and every output follows."""

import itertools
from typing import Any

import pytest

import certus
from certus.comparison import Comparison, compare_values

SCORES = {
    "old": [1, 2, 3, 4, 5, 6, 7, 8],
    "new": [3, 2, 5, 7, 5, 8, 9, 9],
    "mid": [2, 1, 4, 6, 5, 7, 8, 8],
    "also": [2, 3, 7, 5, 8, 5, 9, 8],
}


def compared(**told: Any) -> Comparison:
    return compare_values(SCORES, "score", **told)


@pytest.mark.parametrize(
    ("by", "better", "order"),
    [
        ("name", "higher", ["also", "mid", "new", "old"]),
        ("score", "higher", ["new", "also", "mid", "old"]),
        ("score", "lower", ["old", "mid", "also", "new"]),
    ],
)
def test_systems_and_rows_are_in_the_order_asked_for(by: str, better: Any, order: list[str]) -> None:
    before = compared(better=better)
    found = before.sorted(by)
    assert list(found.systems) == [row.run for row in found.values] == order
    rank = {system: position for position, system in enumerate(order)}
    places = [(rank[row.system], rank[row.baseline]) for row in found]
    assert places == sorted(places)
    assert sorted(map(repr, found)) == sorted(map(repr, before))
    assert (found.letters, found.per_unit) == (before.letters, before.per_unit)
    lines = found.to_text(layout="matrix").splitlines()
    assert [line.split()[1] for line in lines[3:7]] == order
    again = Comparison.from_json(found.to_json())
    assert again.to_text() == found.to_text() != before.to_text()
    assert found.sorted("name").sorted(by).to_json() == found.to_json()


def test_with_a_baseline_the_others_are_sorted() -> None:
    found = compared(baseline="old").sorted("score")
    assert [(row.system, row.baseline) for row in found] == [("new", "old"), ("also", "old"), ("mid", "old")]


def test_each_metric_of_a_comparison_can_give_the_order() -> None:
    qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1}, "3": {"c": 1}}
    runs = {
        name: {query: list(docs) for query in qrels}
        for name, docs in zip("xyz", itertools.permutations("abc"), strict=False)
    }
    before = certus.compare(qrels, runs, ["P@1", "RR"])
    for metric in before.metrics:
        found = before.sorted(metric)
        values = [
            next(row.value for row in found.values if (row.run, row.metric) == (each, metric)) for each in found.systems
        ]
        assert values == sorted(values, reverse=True)
        assert [row.metric for row in found] == [row.metric for row in before]


def test_a_metric_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(certus.MetricNameError, match="has no metric 'scor' to sort by; did you mean 'score'"):
        compared().sorted("scor")
