"""DCG and nDCG of a random ranking against all rankings, and the ways to find a probability against one another."""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import certus
from certus.chance.exact import Finite
from certus.chance.fourier import Additive
from certus.chance.laws.dcg import dcg, linear_rank_statistic, ndcg
from certus.chance.laws.graded import EnumeratedStatistic, LinearRankStatistic, best, gains_of, ranks
from certus.chance.laws.graded_fourier import (
    ApproximateStatistic,
    ByNodes,
    ByNumbers,
    TiltedRanks,
    conditional_transform,
)
from certus.core.errors import DataError


def rankings(grades: list[int], cutoff: int | None, gain: str) -> list[float]:
    """DCG of every ranking."""
    gains = [grade if gain == "linear" else 2**grade - 1 for grade in (max(grade, 0) for grade in grades)]
    return [math.fsum(g / math.log2(i + 2) for i, g in enumerate(order[:cutoff])) for order in permutations(gains)]


def law_of(kind: type[LinearRankStatistic], grades: dict[int, int], cutoff: int | None) -> LinearRankStatistic:
    gains = gains_of(grades, "linear")
    seen = ranks(gains, cutoff)
    return kind(gains, seen, 1 / best(gains, seen))


def test_dcg_by_hand() -> None:
    law = dcg([3, 0, 1], cutoff=2)
    # 3 and 0, 3 and 1, 0 and 3, 0 and 1, 1 and 3, 1 and 0, discounted by 1 and log2(3).
    deep = math.log2(3)
    values = sorted([3, 3 + 1 / deep, 3 / deep, 1 / deep, 1 + 3 / deep, 1.0])
    assert [float(law.pmf(x)) for x in values] == pytest.approx([1 / 6] * 6, rel=1e-14)
    assert law.mean() == pytest.approx(4 / 3 * (1 + 1 / deep), rel=1e-15)
    assert ndcg([3, 0, 1], cutoff=2).tail(1.0) == pytest.approx(1 / 6, rel=1e-14)


@pytest.mark.parametrize("gain", ["linear", "exp"])
@pytest.mark.parametrize("cutoff", [None, 1, 3])
@pytest.mark.parametrize(
    "grades", [[1, 0], [2, 0, 0], [3, 1, 0, 0], [1, 1, 1, 2, 2], [2, 2, 1, 1, 0, 0, -1], [1, 1, 1, 0, 0, 0, 0, 0]]
)
def test_the_law_is_that_of_all_rankings(grades: list[int], cutoff: int | None, gain: str) -> None:
    law = dcg(grades, cutoff, gain)  # type: ignore[arg-type]
    values = np.array(rankings(grades, cutoff, gain))
    assert law.exact
    assert law.support() == pytest.approx((values.min(), values.max()), abs=1e-14)
    atoms = {round(x, 9): x for x in values.tolist()}
    for rounded, times in Counter(np.round(values, 9).tolist()).items():
        x = atoms[rounded]
        assert law.pmf(x) == pytest.approx(times / len(values), rel=1e-11)
        assert law.tail(x) == pytest.approx((values > x - 1e-9).mean(), rel=1e-11)
        assert law.cdf(law.ppf(float(law.cdf(x)))) == law.cdf(x)
    centred = values - values.mean()
    gains = gains_of(grades, gain)
    smooth = ApproximateStatistic(gains, ranks(gains, cutoff), 1.0)
    for found in (law, smooth):
        assert found.mean() == pytest.approx(values.mean(), rel=1e-13)
        assert found.var() == pytest.approx((centred**2).mean(), rel=1e-12, abs=1e-28)
        if found.var() > 1e-20:
            assert found.skewness() == pytest.approx((centred**3).mean() / found.var() ** 1.5, abs=1e-9)
            assert found.kurtosis() == pytest.approx((centred**4).mean() / found.var() ** 2 - 3, abs=1e-9)


def test_ndcg_is_dcg_over_the_dcg_of_the_best_ranking() -> None:
    grades = {2: 3, 1: 5, 0: 40}
    whole, part = dcg(grades, cutoff=6, gain="exp"), ndcg(grades, cutoff=6, gain="exp")
    highest = whole.support()[1]
    assert part.support()[1] == 1
    assert part.mean() == pytest.approx(whole.mean() / highest, rel=1e-14)
    assert part.tail(0.3) == pytest.approx(float(whole.tail(0.3 * highest)), rel=1e-12)


def test_an_observed_value_of_the_metric_is_an_atom_of_its_law() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    grades = rng.integers(0, 4, 12)
    documents = [f"d{i}" for i in range(12)]
    qrels = {"q": dict(zip(documents, grades.tolist(), strict=True))}
    run = {"q": dict(zip(documents, rng.random(12).tolist(), strict=True))}
    law = ndcg(grades.tolist(), cutoff=5)
    assert law.pmf(certus.ranking.ndcg(qrels, run, cutoff=5).value) > 0


@pytest.mark.parametrize(
    ("grades", "cutoff"), [({0: 20, 1: 10, 2: 4}, 8), ({0: 990, 1: 10}, 15), ({0: 6, 1: 6}, None), ({1: 5, 2: 5}, 7)]
)
def test_two_halves_met_in_the_middle_give_the_law_of_all_sequences(grades: dict[int, int], cutoff: int | None) -> None:
    met = law_of(EnumeratedStatistic, grades, cutoff)
    listed = ndcg(grades, cutoff)
    assert isinstance(listed, Finite)
    for x in [*listed.isf([0.9, 0.5, 0.1, 1e-3, 1e-6]).tolist(), *listed.support(), 0.123]:
        assert met.tail(x) == pytest.approx(float(listed.tail(x)), rel=1e-11)
        assert met.sf(x) == pytest.approx(float(listed.sf(x)), rel=1e-11)
        assert met.cdf(x) == pytest.approx(float(listed.cdf(x)), rel=1e-11)
        assert met.pmf(x) == pytest.approx(float(listed.pmf(x)), rel=1e-9)
    assert (met.mean(), met.var()) == pytest.approx((listed.mean(), listed.var()), rel=1e-12)


def test_quantiles_of_a_law_met_in_the_middle_are_its_atoms() -> None:
    met, listed = law_of(EnumeratedStatistic, {0: 8, 1: 6}, 9), ndcg({0: 8, 1: 6}, 9)
    for q in (1e-3, 0.2, 0.5, 0.9):
        assert met.ppf(q) == pytest.approx(listed.ppf(q), abs=2e-12)
        assert met.isf(q) == pytest.approx(listed.isf(q), abs=2e-12)


def test_chances_of_a_few_hits_among_a_billion_billion_items_keep_their_digits() -> None:
    law = dcg({0: 10**18 - 5, 1: 5}, cutoff=3)
    assert law.tail(1e-9) == pytest.approx(15e-18, rel=1e-12)
    assert law.tail(2.0) == pytest.approx(60e-54, rel=1e-12)


def test_a_law_without_choice_is_one_value() -> None:
    law = dcg([2, 2, 2], cutoff=2)
    assert law.support()[0] == law.support()[1] == pytest.approx(2 + 2 / math.log2(3))
    assert float(law.tail(law.mean())) == 1
    nothing = ndcg([0, 0, -1])
    assert (nothing.mean(), nothing.var(), float(nothing.tail(0.0))) == (0, 0, 1)


def test_the_rung_depends_on_how_many_sequences_there_are() -> None:
    assert ndcg({1: 10, 0: 990}, cutoff=10).method == "enumeration"
    assert isinstance(ndcg({2: 10, 1: 10, 0: 80}, cutoff=16), EnumeratedStatistic)
    assert ndcg({1: 100, 0: 900}).method == "fourier"
    assert isinstance(ndcg({1: 100, 0: 900}), Additive)
    assert ndcg({1: 10**6, 0: 10**7}).method == "Monte Carlo"
    assert ndcg({1: 10**16, 0: 10**18}, cutoff=50).method == "fourier"
    assert linear_rank_statistic({1.0: 3}, ranks({1.0: 3}, None)).method == "closed"


@pytest.mark.parametrize(
    ("grades", "message"),
    [
        ([], "grades has 0 items; there must be at least one"),
        ([1.5, 0], "grades has 1.5; a grade is a whole number"),
        ({1: -2}, "the number of items of grade 1 is -2; it must be a whole number of at least 0"),
        ([2000, 1], "grades has 2000; with gain 'linear' a grade is at most 1000"),
    ],
)
def test_grades_that_make_no_sense_are_refused(grades: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        dcg(grades)


def test_other_arguments_that_make_no_sense_are_refused() -> None:
    with pytest.raises(DataError, match="grades has 251; with gain 'exp' a grade is at most 250"):
        ndcg([251, 0, 0], gain="exp")
    assert ndcg([250, 0, 0], gain="exp").kurtosis() == pytest.approx(-1.5, abs=0.1)
    with pytest.raises(DataError, match="gain is 'log'; it must be 'linear' or 'exp'"):
        ndcg([1, 0], gain="log")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="cutoff is 0; it must be a whole number of at least 1"):
        ndcg([1, 0], cutoff=0)


def test_only_an_enumerated_law_says_that_it_is_exact() -> None:
    grades = {0: 20, 1: 6, 3: 3}
    for kind, exact in ((EnumeratedStatistic, True), (ApproximateStatistic, False)):
        law = law_of(kind, grades, 20)
        assert (law.exact, law.tail(law.mean()).exact) == (exact, exact)


@pytest.mark.parametrize("cutoff", [None, 60])
@pytest.mark.parametrize("grades", [{0: 90, 1: 2, 3: 2}, {0: 80, 1: 3, 2: 2, 3: 1}])
def test_counted_numbers_of_gains_have_the_transform_of_the_nodes(grades: dict[int, int], cutoff: int | None) -> None:
    gains = gains_of(grades, "exp")
    law = ApproximateStatistic(gains, ranks(gains, cutoff), 1.0)
    for s in (-0.3, 0.0, 0.2):
        tilted = TiltedRanks(law._ranked, s)
        nodes, numbers = ByNodes(tilted), ByNumbers(tilted)
        assert numbers.cells < nodes.cells
        assert isinstance(conditional_transform(tilted), ByNumbers)
        assert numbers.probability == pytest.approx(nodes.probability, rel=1e-8)
        u = np.array([0.0, 0.1, 1.0, 5.0])
        assert numbers.transform(u, 2.0) == pytest.approx(nodes.transform(u, 2.0), abs=1e-8)


def test_an_inverted_graded_law_is_that_of_all_sequences() -> None:
    """Three items with a gain among forty: 29,640 sequences."""
    law = dcg({0: 37, 1: 2, 3: 1})
    assert isinstance(law, Finite)
    gains = gains_of({0: 37, 1: 2, 3: 1}, "linear")
    inverted = ApproximateStatistic(gains, ranks(gains, None), 1.0)
    inverted.__dict__ |= {"_inverted": True, "_drawable": False}
    for x in (1.3, 1.6, 2.2, 3.1):
        p = inverted.tail(x)
        assert p.method == "fourier"
        assert abs(p - law.tail(x)) <= p.error


@pytest.mark.parametrize(("items", "cutoff"), [(30_000, None), (200_000, 150_000)])
def test_one_item_among_many_is_at_each_rank_as_often(items: int, cutoff: int | None) -> None:
    law = dcg({2: 1, 0: items - 1}, cutoff)
    for rank in (1, 7, 12_345, 29_999):
        p = law.tail(2 / math.log2(rank + 1))
        assert p.exact
        assert p == pytest.approx(rank / items, rel=1e-13)
    assert law.tail(1e-6) == pytest.approx((cutoff or items) / items, rel=1e-13)


def tail_of_two(items: int, gains: tuple[int, int], x: float) -> float:
    """The share of the pairs of ranks at which two items have a DCG of x or more, counted."""
    discounts = 1 / np.log2(np.arange(2.0, items + 2))
    least = (x - gains[0] * discounts) / gains[1]
    places = items - np.searchsorted(discounts[::-1], least) - (discounts >= least)
    return float(places.sum()) / (items * (items - 1))


@pytest.mark.parametrize("gains", [(1, 1), (3, 1)])
@pytest.mark.parametrize("items", [5_000, 30_000, 200_000, 3_000_000])
def test_two_items_among_many_are_counted(items: int, gains: tuple[int, int]) -> None:
    law = dcg(Counter(gains) + Counter({0: items - 2}))
    drawn = np.random.default_rng(items).integers(2, items + 2, size=(1000, 2))
    sums = (np.array(gains) / np.log2(drawn)).sum(axis=1)
    for share in (0.02, 0.3, 0.8):
        x = float(np.quantile(sums, share)) * (1 + 1e-9)
        found, counted = law.tail(x), tail_of_two(items, gains, x)
        assert found.error == 0
        assert found == pytest.approx(counted, abs=4e-12)


def test_quantiles_of_few_items_among_a_million_are_those_of_the_stated_tails() -> None:
    """Of ten relevant ones the 97.5% quantile lay where the stated tail was another one."""
    law = ndcg({0: 10**6 - 10, 1: 10})
    for q in (0.5, 0.975):
        assert law.cdf(law.ppf(q)) == pytest.approx(q, abs=1e-4)


def test_no_tail_of_graded_documents_has_an_error_as_large_as_itself() -> None:
    """Five grades, 200 documents, the whole list: tilted rankings say nothing there, those without a tilt do."""
    law = ndcg({0: 40, 1: 40, 2: 40, 3: 40, 4: 40})
    drawn = np.sort(law.rvs(30_000, seed=5))
    for deviations in (-1, 1, 2):
        x = law.mean() + deviations * law.std()
        p = law.tail(x)
        share = 1 - np.searchsorted(drawn, x) / len(drawn)
        assert p.error <= 0.1 * p
        assert abs(p - share) <= p.error + 4 * math.sqrt(share * (1 - share) / len(drawn))


def test_few_graded_items_among_very_many_are_drawn_where_an_inversion_knows_nothing() -> None:
    law = dcg({0: 60_000, 1: 22, 2: 11, 3: 5, 4: 3})
    generator = np.random.default_rng(5)
    gains = np.repeat([1.0, 2.0, 3.0, 4.0], [22, 11, 5, 3])
    ranks = np.array([generator.choice(60_041, 41, replace=False) for _ in range(10_000)])
    drawn = (gains / np.log2(ranks + 2)).sum(axis=1)
    assert law.rvs(20_000).mean() == pytest.approx(law.mean(), rel=1e-3)
    for deviations in (-0.5, 0.3, 1.0, 2.2):
        x = law.mean() + deviations * law.std()
        found = law.sf(x) if deviations > 0 else law.cdf(x)
        share = float((drawn > x).mean() if deviations > 0 else (drawn <= x).mean())
        assert abs(float(found) - share) < found.error + 5 * math.sqrt(share / 10_000)
        assert found.error < 0.2 * found
