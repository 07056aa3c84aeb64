"""Answers of every law outside its support and at its ends."""

import math
import pickle

import pytest

from certus import chance
from certus.chance import Distribution
from certus.chance.laws.mann_whitney import Mixture

LAWS = [
    chance.hits(10, 3, 4),
    chance.hits(10**9, 10**5, 10**6),
    chance.success(5, 2, 1),
    chance.hit_rank(9, 3, 2),
    chance.hit_rank(10**9, 5, 2),
    chance.reciprocal_rank(20, 3),
    chance.reciprocal_rank(10**9, 3, 10**8),
    chance.reciprocal_rank(5, 0),
    chance.auc(3, 4),
    chance.auc(300, 400),
    chance.auc(300, 400, [350] * 2),
    chance.auc(300, 400, [70] * 10),
    chance.bpref(relevant=3, nonrelevant=9),
    chance.bpref(relevant=100, nonrelevant=900),
    chance.list_score(10, 3),
    chance.list_score(2000, 30),
]


@pytest.mark.parametrize("law", LAWS)
def test_all_mass_lies_in_the_support(law: Distribution) -> None:
    low, high = law.support()
    for below in (-math.inf, -1e300, -5.0):
        assert [float(p) for p in (law.tail(below), law.sf(below), law.cdf(below), law.pmf(below))] == [1, 1, 0, 0]
    for above in (math.inf, 1e300):
        assert [float(p) for p in (law.tail(above), law.sf(above), law.cdf(above), law.pmf(above))] == [0, 0, 1, 0]
    assert [float(p) for p in (law.tail(low), law.cdf(high), law.sf(high))] == [1, 1, 0]


@pytest.mark.parametrize("law", LAWS)
def test_odd_values_have_probabilities_and_extreme_quantiles_are_values(law: Distribution) -> None:
    low, high = law.support()
    for x in (0.0, -0.0, 1e-320, 1e-300, low, high):
        assert 0 <= law.pmf(x) <= law.tail(x) * (1 + 1e-13) <= 1 + 1e-12
        assert law.logsf(x) <= law.logtail(x) <= 0
    # Extreme quantiles of a mixture take seconds.
    for q in (0.0, 1.0) if isinstance(law, Mixture) else (0.0, 1.0, 1e-300, 1e-17, 1 - 1e-16):
        assert low <= law.ppf(q) <= high
        assert low <= law.isf(q) <= high


@pytest.mark.parametrize("law", LAWS)
def test_both_sides_of_the_mean_add_up(law: Distribution) -> None:
    assert law.cdf(law.mean()) + law.sf(law.mean()) == pytest.approx(1, abs=1e-12)
    assert law.cdf([law.mean()]).tolist() == [float(law.cdf(law.mean()))]
    again = pickle.loads(pickle.dumps(law))
    assert again.tail(law.mean()) == law.tail(law.mean())
    assert again.rvs(3, seed=1).tolist() == law.rvs(3, seed=1).tolist()


DRAWN = [
    chance.hits(10, 3, 4),
    chance.hit_rank(9, 3, 2),
    chance.reciprocal_rank(20, 3),
    chance.auc(20, 30),
    chance.auc(300, 200),
    chance.auc(200, 300, ties=[100, 1, 99, 250, 50]),
    chance.average_precision(1000, 20),
    chance.average_precision(60, 30, 10, "hits"),
    chance.average_precision(60, 30, ties=[10, 30, 20]),
    chance.bpref(relevant=100, nonrelevant=300),
    chance.list_score(60, 5),
    chance.ndcg({0: 30, 1: 8, 2: 4}, 4),
    chance.ndcg({0: 30, 1: 8, 2: 4}, 10),
]


@pytest.mark.parametrize("law", DRAWN)
def test_draws_follow_the_law(law: Distribution) -> None:
    drawn, (low, high) = law.rvs(3000, seed=3), law.support()
    assert abs(drawn.mean() - law.mean()) <= 4.5 * law.std() / math.sqrt(len(drawn)) + 1e-15
    if law.kurtosis() < 3:
        assert drawn.var() == pytest.approx(law.var(), rel=0.15)
    assert low - 1e-12 <= drawn.min() <= drawn.max() <= high + 1e-12
    assert drawn.tolist() == law.rvs(3000, seed=3).tolist()
