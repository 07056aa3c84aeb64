"""Inversion and random rankings against exact laws, and against one another."""

import math
from typing import Any

import numpy as np
import pytest

from certus.chance import monte_carlo
from certus.chance.fourier import Additive
from certus.chance.laws.dcg import dcg, ndcg
from certus.chance.laws.graded import (
    EnumeratedStatistic,
    LinearRankStatistic,
    best,
    gains_of,
    quadrature_ranks,
    ranks,
    single_ranks,
)
from certus.chance.laws.graded_fourier import ApproximateStatistic, TiltedRanks, conditional_transform
from certus.core.errors import DataError


def law_of(kind: type[LinearRankStatistic], grades: dict[int, int], cutoff: int | None) -> LinearRankStatistic:
    gains = gains_of(grades, "linear")
    seen = ranks(gains, cutoff)
    return kind(gains, seen, 1 / best(gains, seen))


@pytest.mark.parametrize(
    ("grades", "cutoff"),
    [
        ({0: 80, 1: 20}, 20),
        ({0: 997, 1: 3}, 100),
        ({0: 14, 1: 14}, None),
        ({0: 10, 1: 6, 2: 4}, 12),
        ({0: 300, 1: 20, 2: 10}, 12),
    ],
)
def test_every_approximate_probability_is_within_its_error_of_the_exact_one(
    grades: dict[int, int], cutoff: int | None
) -> None:
    exact, inverted, drawn = (
        law_of(kind, grades, cutoff) for kind in (EnumeratedStatistic, ApproximateStatistic, ApproximateStatistic)
    )
    drawn.__dict__ |= {"_is_invertible": False}
    for far in (-1.5, 0.3, 2.0, 4.0):
        x = exact.mean() + far * exact.std()
        if not exact.support()[0] < x < exact.support()[1]:
            continue
        for found in (inverted.tail(x), drawn.tail(x)):
            # Half of the atom at x, if there is one, is not in the tail of either.
            assert abs(found - exact.tail(x)) <= found.error + float(exact.pmf(x))
        assert inverted.cdf(x) + inverted.sf(x) == pytest.approx(1, abs=1e-12)
        assert drawn.tail(x).method in ("Monte Carlo", "bound")


def test_inversion_has_four_digits_where_atoms_are_too_many_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        monte_carlo, "_MOST_DRAWS", 2048
    )  # the digits are those of the inversion; draws bound its error
    exact, inverted = (law_of(kind, {0: 100, 1: 100}, 34) for kind in (EnumeratedStatistic, ApproximateStatistic))
    for far in (-2.0, 0.3, 2.0, 4.0):
        x = exact.mean() + far * exact.std()
        assert inverted.tail(x) == pytest.approx(float(exact.tail(x)), rel=1e-4)


@pytest.mark.parametrize("grades", [{0: 450, 1: 50}, {0: 130, 1: 20, 2: 10}])
def test_random_rankings_are_within_their_error_of_the_inversion(grades: dict[int, int]) -> None:
    inverted, drawn = law_of(ApproximateStatistic, grades, None), law_of(ApproximateStatistic, grades, None)
    drawn.__dict__ |= {"_is_invertible": False}
    for far in (-1.0, 0.01, 3.0):
        x = inverted.mean() + far * inverted.std()
        found, other = inverted.tail(x), drawn.tail(x)
        assert found.method == "fourier"
        assert found.error < 1e-7 * found
        assert abs(found - other) <= other.error


def test_two_engines_that_share_nothing_agree_to_nine_digits() -> None:
    own, engine = law_of(ApproximateStatistic, {0: 450, 1: 50}, None), ndcg({0: 450, 1: 50})
    assert isinstance(engine, Additive)
    assert (own.mean(), own.var(), own.skewness()) == (engine.mean(), engine.var(), engine.skewness())
    for far in (0.5, 5.0):
        x = own.mean() + far * own.std()
        assert own.tail(x) == pytest.approx(float(engine.tail(x)), rel=2e-9)


def test_a_few_places_stand_for_all_ranks() -> None:
    some, singly = quadrature_ranks(15_000), single_ranks(15_000)
    assert len(some.discounts) < 200
    for power in (0, 1, 2, 3, 4):
        assert some.weights @ some.discounts**power == pytest.approx((singly.discounts**power).sum(), rel=1e-10)
    assert quadrature_ranks(40).discounts.tolist() == single_ranks(40).discounts.tolist()
    assert quadrature_ranks(10**18).weights.sum() == pytest.approx(1e18, rel=1e-12)


def test_nodes_that_can_be_seen_give_what_all_nodes_give(monkeypatch: pytest.MonkeyPatch) -> None:
    from certus.chance.laws import graded_fourier

    found = []
    for most in (100, 10**6):
        monkeypatch.setattr(graded_fourier, "_MAX_NODES", most)
        law = law_of(ApproximateStatistic, {0: 300, 1: 30, 2: 20}, None)
        found.append(law.tail(law.mean() + 3 * law.std()))
        assert found[-1].error < 1e-5 * found[-1]
    assert found[0].method == found[1].method == "fourier"
    assert abs(found[0] - found[1]) <= found[0].error + found[1].error


def test_the_ends_of_the_support_are_exact() -> None:
    law = ndcg({0: 900, 1: 60, 2: 40}, cutoff=25)
    assert isinstance(law, ApproximateStatistic)
    nothing = math.prod((900 - i) / (1000 - i) for i in range(25))
    best_of_all = math.prod((40 - i) / (1000 - i) for i in range(25))
    assert law.pmf(0.0) == pytest.approx(nothing, rel=1e-12)
    assert law.cdf(0.0) == pytest.approx(nothing, rel=1e-12)
    assert law.sf(0.0) == pytest.approx(1 - nothing, rel=1e-12)
    assert law.tail(1.0) == pytest.approx(best_of_all, rel=1e-12)
    assert (float(law.tail(0.0)), float(law.sf(1.0)), float(law.cdf(-0.1)), float(law.cdf(1.0))) == (1, 0, 0, 1)
    with pytest.raises(DataError, match=r"too many values to tell the probability of 0\.25 alone"):
        law.pmf(0.25)


def test_quantiles_turn_probabilities_back() -> None:
    law = law_of(ApproximateStatistic, {0: 170, 1: 30}, None)
    for q in (0.01, 0.975):
        assert law.cdf(law.ppf(q)) == pytest.approx(q, rel=1e-7)
    assert law.sf(law.isf(1e-6)) == pytest.approx(1e-6, rel=1e-7)


def test_a_billion_billion_items_have_a_finite_answer() -> None:
    law = dcg({0: 10**18, 1: 10**16})
    p = law.tail(law.mean() + 2 * law.std())
    assert abs(p - 0.02275) <= p.error < 0.5 * p
    assert (p.method, p.exact) == ("Monte Carlo", False)
    assert law.rvs(1000).mean() == pytest.approx(law.mean(), abs=0.2 * law.std())


def test_what_an_inversion_loses_is_the_sum_over_its_frequencies(monkeypatch: pytest.MonkeyPatch) -> None:
    transforms: list[Any] = []

    def kept(tilted: TiltedRanks) -> Any:
        transforms.append(conditional_transform(tilted))
        return transforms[-1]

    monkeypatch.setattr("certus.chance.laws.graded_fourier._MAX_NODES", 100)
    monkeypatch.setattr("certus.chance.laws.graded_fourier.conditional_transform", kept)
    law = law_of(ApproximateStatistic, {0: 300, 1: 30, 2: 20}, None)
    assert isinstance(law, ApproximateStatistic)
    for far in (1, 3, -2):
        x = law._inner(law.mean() + far * law.std())
        found = law._inversion(x, law._tilt_at(x), upper=far > 0)
        assert found is not None
        inversion, lost = found._inversion, transforms[-1].lost
        assert lost > 0
        j = np.arange(1, 1 + int(inversion._limits.max_terms(transforms[-1].cells)))
        weights = 1 / inversion._tilt + 2 * (1 / np.hypot(inversion._tilt, j * 2 * math.pi / inversion._period)).sum()
        every = math.exp(inversion.log) * lost * weights / inversion._period
        assert every <= found._lost <= 1.05 * every
        p, error = found.tail()
        assert error == pytest.approx(found._lost + 2e-9 * p, rel=1e-3)
