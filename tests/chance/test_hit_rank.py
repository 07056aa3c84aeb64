"""The rank of a hit under a random ranking."""

import math
from fractions import Fraction
from itertools import combinations
from operator import itemgetter

import numpy as np
import pytest
from chance_laws_oracle import check, law_of

from certus import DataError, chance


@pytest.mark.parametrize("n", range(1, 8))
def test_the_rank_of_a_hit_agrees_with_all_rankings(n: int) -> None:
    for m in range(1, n + 1):
        for i in range(1, m + 1):
            check(chance.hit_rank(n, m, i), law_of(itemgetter(i - 1), n, m))


@pytest.mark.parametrize(("n", "m"), [(5, 2), (8, 5), (7, 7), (10, 4)])
def test_joint_moments_agree_with_all_rankings(n: int, m: int) -> None:
    all_ranks = list(combinations(range(1, n + 1), m))
    for i in range(1, m + 1):
        for j in range(1, m + 1):
            means = [Fraction(sum(ranks[k - 1] for ranks in all_ranks), len(all_ranks)) for k in (i, j)]
            products = Fraction(sum(ranks[i - 1] * ranks[j - 1] for ranks in all_ranks), len(all_ranks))
            joint = chance.hit_rank(n, m, i).joint(j)
            assert joint.mean == pytest.approx([float(mean) for mean in means], rel=1e-14)
            assert joint.covariance == pytest.approx(float(products - means[0] * means[1]), rel=1e-13)
            assert joint.var[1] == pytest.approx(chance.hit_rank(n, m, j).var(), rel=1e-14)
            if m < n:
                assert joint.correlation <= 1 + 1e-14
            else:
                assert math.isnan(joint.correlation)


def test_moments_are_the_closed_forms_at_a_billion() -> None:
    n, m, i, j = 10**9, 10**4, 3, 500
    law = chance.hit_rank(n, m, i)
    assert law.mean() == pytest.approx(i * (n + 1) / (m + 1), rel=1e-15)
    joint = law.joint(j)
    scale = (n + 1) * (n - m) / ((m + 1) ** 2 * (m + 2))
    assert joint.covariance == pytest.approx(i * (m + 1 - j) * scale, rel=1e-13)
    assert joint.var == pytest.approx([i * (m + 1 - i) * scale, j * (m + 1 - j) * scale], rel=1e-13)


def test_the_only_hit_of_a_billion_items_is_anywhere() -> None:
    law = chance.hit_rank(10**9, 1, 1)
    assert law.cdf(250_000_000) == pytest.approx(0.25, rel=1e-13)
    assert law.pmf(77) == pytest.approx(1e-9, rel=1e-13)
    assert law.ppf(0.5) == 500_000_000
    assert law.kurtosis() == pytest.approx(-1.2, rel=1e-9)
    assert 0 < law.rvs(10, seed=1).min() < 10**9


def test_a_hit_that_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="hit is 4, but there are 3 relevant items; it must be one of 1 to 3"):
        chance.hit_rank(9, 3, 4)
    with pytest.raises(DataError, match="hit is 0; it must be a whole number of at least 1"):
        chance.hit_rank(9, 3, 0)


def test_the_joint_law_of_two_ranks_takes_arrays() -> None:
    joint = chance.hit_rank(8, 3, 1).joint(3)
    ranks = range(1, 9)
    table = joint.pmf(*np.ix_(ranks, ranks))
    assert table.shape == (8, 8)
    assert math.fsum(table.ravel()) == pytest.approx(1, abs=1e-15)
    assert all(table[s - 1, t - 1] == float(joint.pmf(s, t)) for s in ranks for t in ranks)
    assert joint.pmf([1, 2], 8).tolist() == [float(joint.pmf(1, 8)), float(joint.pmf(2, 8))]
    with pytest.raises(DataError, match=r"s has the shape \(2,\) and t \(3,\)"):
        joint.pmf([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match=r"s is 1\.5"):
        joint.pmf([1.5], 2)
