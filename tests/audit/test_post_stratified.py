"""One sample of the whole population, split by the prediction."""

from fractions import Fraction
from math import comb
from typing import Any, get_args

import pytest

from certus import DataError
from certus.audit import post_stratified, two_samples
from certus.statistic.sampled import Share

COUNTS: dict[str, Any] = {
    "population": 2000,
    "predicted": 300,
    "predicted_checked": 60,
    "predicted_hits": 40,
    "other_checked": 120,
    "other_hits": 6,
}


def test_it_is_two_samples_given_the_split() -> None:
    found = post_stratified(**COUNTS, level=0.9, interval="bonferroni", prior="uniform")
    same = two_samples(
        retrieved=300, retrieved_checked=60, retrieved_hits=40,
        discarded=1700, discarded_checked=120, discarded_hits=6, level=0.9, prior="uniform",
    )  # fmt: skip
    for of in get_args(Share):
        assert found.share(of).value == same.share(of).value
        assert found.share(of).interval().level == 0.9
        assert found.share(of).interval().method == "bonferroni"
        assert found.share(of).interval(method="posterior") == same.share(of).interval()


def test_exact_intervals_cover_over_all_samples_of_the_population() -> None:
    """6 predicted items, x of them relevant, and 7 others, y of them relevant: all samples of 5 of the 13."""
    predicted, others, n, level = 6, 7, 5, Fraction(4, 5)
    for x in range(predicted + 1):
        for y in range(others + 1):
            if x + y == 0:
                continue
            covered = Fraction(0)
            for checked in range(n + 1):
                for j in range(min(x, checked) + 1):
                    for k in range(min(y, n - checked) + 1):
                        ways = comb(x, j) * comb(predicted - x, checked - j)
                        ways *= comb(y, k) * comb(others - y, n - checked - k)
                        if ways and _holds(predicted, others, checked, n - checked, j, k, x / (x + y)):
                            covered += Fraction(ways, comb(predicted + others, n))
            assert covered >= level


_INTERVALS: dict[tuple[int, ...], tuple[float, float]] = {}


def _holds(predicted: int, others: int, checked: int, other_checked: int, j: int, k: int, recall: float) -> bool:
    key = checked, other_checked, j, k
    if key not in _INTERVALS:
        estimate = post_stratified(
            population=predicted + others,
            predicted=predicted,
            predicted_checked=checked,
            predicted_hits=j,
            other_checked=other_checked,
            other_hits=k,
            level=0.8,
            interval="berger-boos",
        ).recall
        _INTERVALS[key] = (0.0, 1.0) if estimate.reason else estimate.interval()[:2]
    low, high = _INTERVALS[key]
    return low <= recall <= high


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("predicted", 2001, "predicted is 2001 but population is 2000; predicted items are part of it"),
        ("population", "x", "population is 'x'; it must be a whole number"),
        ("population", -3, "population is -3; it must be a whole number"),
        ("predicted_checked", 301, "predicted_checked is 301 but predicted is 300"),
        ("predicted_hits", 61, "predicted_hits is 61 but predicted_checked is 60"),
        ("other_checked", 1701, "other_checked is 1701 but the number of other items, population - predicted, is 1700"),
        ("other_hits", 121, "other_hits is 121 but other_checked is 120"),
    ],
)
def test_impossible_counts_are_refused_by_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        post_stratified(**{**COUNTS, name: value})
