"""Posterior probabilities with a region of practical equivalence."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from certus import DataError, MetricNameError
from certus.classification import f1
from certus.inference import Estimate, dirichlet_superiority, paired, rope
from certus.inference.tests.difference import difference
from certus.inference.tests.rope import Rope, with_error
from certus.statistic import Contributions, Influence, Mean, TableFunction


def sums_to_1(found: Rope) -> bool:
    return abs(found.above + found.equivalent + found.below - 1) < 1e-12


def test_the_posterior_of_a_mean_is_students() -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(0.05, 0.2, 25)
    found = rope(paired(d, np.zeros(25)), 0.02)
    law = stats.t(24, d.mean(), d.std(ddof=1) / 5)
    assert (found.above, found.below) == pytest.approx((law.sf(0.02), law.cdf(-0.02)), rel=1e-9)
    assert sums_to_1(found)
    lopsided = rope(paired(d, np.zeros(25)), (-0.1, 0.0))
    assert (lopsided.above, lopsided.below) == pytest.approx((law.sf(0.0), law.cdf(-0.1)), rel=1e-9)
    none = rope(paired(d, np.zeros(25)), 0.0)
    assert none.equivalent == 0.0
    assert none.above + none.below == pytest.approx(1.0)


def test_the_bayesian_bootstrap_is_near_and_reproducible() -> None:
    rng = np.random.default_rng(2)
    found = paired(rng.normal(0.05, 0.2, 60), np.zeros(60))
    one, other = rope(found, 0.02), rope(found, 0.02, posterior="Bayesian_Bootstrap", seed=3)
    assert (other.above, other.equivalent) == pytest.approx((one.above, one.equivalent), abs=0.03)
    assert sums_to_1(other)
    assert 0 < other.error < 0.006
    assert other == rope(found, 0.02, posterior="bayesian-bootstrap", seed=3)


def accuracy(right: np.ndarray) -> TableFunction:
    parts = Contributions(right.astype(np.int64), np.arange(len(right)))
    return TableFunction(
        np.bincount(right.astype(np.int64), minlength=2).astype(np.float64),
        lambda t: t[..., 1] / t.sum(-1),
        contributions=lambda: parts,
        n=len(right),
    )


def lead(a: float, b: float, c: float, margin: float) -> float:
    """P(x - y > margin) of a Dirichlet law, over y: x / (1 - y) is independent of it."""
    y, x = stats.beta(b, a + c), stats.beta(a, c)
    last = (1 - margin) / 2
    middle = min(y.mean(), 0.9 * last)
    pieces = [0.0, middle - min(middle, 6 * y.std()), middle, min(middle + 6 * y.std(), last), last]
    pieces_of_p = (
        integrate.quad(lambda t: y.pdf(t) * x.sf((margin + t) / (1 - t)), *ends, epsabs=1e-13, epsrel=1e-12)[0]
        for ends in pairwise(pieces)
    )
    return float(sum(pieces_of_p))


def pairs_of(both: int, first: int, second: int, neither: int) -> tuple[TableFunction, TableFunction]:
    """Accuracies of two systems, by how many samples each is right on."""
    counts = (both, first, second, neither)
    return accuracy(np.repeat([True, True, False, False], counts)), accuracy(
        np.repeat([True, False, True, False], counts)
    )


@pytest.mark.parametrize(
    ("counts", "prior"),
    [((3, 7, 2, 0), 1.0), ((40, 8, 3, 9), 0.5), ((900, 60, 35, 5), 0.5), ((0, 1, 0, 0), 3.0), ((20, 0, 0, 0), 0.5)],
)
def test_a_difference_of_shares_has_the_beta_integral_of_mcnemars_table(
    counts: tuple[int, int, int, int], prior: float
) -> None:
    a, b = pairs_of(*counts)
    both, first, second, neither = counts
    found = rope(difference(a, b), 0.0, prior=prior)
    assert found.above == dirichlet_superiority(first, second, prior=prior)
    assert found.below == dirichlet_superiority(second, first, prior=prior)
    assert (found.equivalent, found.error, found.method) == (0.0, 0.0, "dirichlet")
    parameters = first + prior, second + prior, both + neither + 2 * prior
    for region in (0.02, 0.1, (-0.3, 0.0), (0.0, 0.04), (-0.01, 0.6)):
        answer = rope(difference(a, b), region, prior=prior)
        low, high = region if isinstance(region, tuple) else (-region, region)
        assert answer.above == pytest.approx(lead(*parameters, high), abs=1e-9)
        assert answer.below == pytest.approx(lead(parameters[1], parameters[0], parameters[2], -low), abs=1e-9)
        assert sums_to_1(answer)
        swapped = rope(difference(b, a), (-high, -low), prior=prior)
        assert (swapped.above, swapped.equivalent, swapped.below) == (answer.below, answer.equivalent, answer.above)
        assert answer == rope(difference(a, b), region, prior=prior, seed=9, replicates=100)


def test_a_share_alone_has_its_beta_posterior() -> None:
    def of(wrong: int, right: int) -> Estimate:
        return Estimate(TableFunction(np.array([wrong, right]), lambda t: t[..., 1] / t.sum(-1)))

    found = rope(of(3, 7), (0.0, 0.6), prior=0.5)
    assert found.above == pytest.approx(stats.beta(7.5, 3.5).sf(0.6), abs=1e-12)
    assert found.below == 0.0
    assert rope(of(0, 9), (-0.1, 0.0)).above == 1.0


def test_many_samples_against_a_margin_are_normal() -> None:
    a, b = pairs_of(88_000, 5_100, 4_900, 2_000)
    found = rope(difference(a, b), 0.002)
    error = math.sqrt((0.1 - 0.002**2) / 1e5)
    assert found.above == pytest.approx(0.5, abs=2e-3)
    assert rope(difference(a, b), 0.0023).above == pytest.approx(stats.norm.sf(0.0003 / error), abs=2e-3)


def test_draws_are_printed_to_their_error_and_seeds_matter_only_within_it() -> None:
    truth = np.repeat([1, 0], [30, 30])
    one = np.repeat([1, 0, 1], [24, 31, 5])
    other = np.repeat([1, 0, 1, 0], [20, 10, 7, 23])
    found = difference(f1(truth, one), f1(truth, other))
    large = rope(found, 0.02, replicates=200_000, seed=99)
    for seed in range(8):
        answer = rope(found, 0.02, seed=seed)
        assert 0.001 < answer.error < 0.005
        assert abs(answer.above - large.above) < 5 * answer.error
        assert f"P(above 0.02) = {answer.above:.3f}({math.ceil(answer.error * 1000)}), P(equiv" in str(answer)
    assert re.search(r"P\(above 0\.9\) = 0\.0000\(1\), P\(equivalent\) = 1\.0000\(1\)", str(rope(found, 0.9)))


@pytest.mark.parametrize(
    ("error", "printed"),
    [
        (0.0, "0.8746"),
        (1e-7, "0.8746(1)"),
        (0.00031, "0.8746(4)"),
        (0.0038, "0.875(4)"),
        (0.0095, "0.87(1)"),
        (0.01, "0.87(1)"),
        (0.012, "0.87(2)"),
        (0.2, "0.9(2)"),
    ],
)
def test_a_drawn_probability_has_the_digits_of_its_error(error: float, printed: str) -> None:
    assert with_error(0.87462, error) == printed


def test_equal_systems_are_equivalent() -> None:
    same = rope(paired([0.5, 0.7, 0.2], [0.5, 0.7, 0.2]), 0.01)
    assert (same.above, same.equivalent, same.below) == (0.0, 1.0, 0.0)
    assert same.reason == "all units agree, so the posterior has no variance"
    assert rope(paired([0.5, 0.7], [0.5, 0.7]), 0.0, posterior="bayesian-bootstrap").equivalent == 1.0
    apart = rope(paired([0.5, 0.7], [0.4, 0.6]), 0.01)
    assert apart.above == 1.0
    right = np.array([True] * 30 + [False] * 10)
    assert rope(difference(accuracy(right), accuracy(right)), 0.1).equivalent > 0.9


def test_other_forms_are_students_with_the_error_of_the_form() -> None:
    statistic = Influence(0.1, (20,), (0.8,))
    found = rope(Estimate(statistic), 0.05)
    assert found.above == pytest.approx(stats.t.sf((0.05 - 0.1) / math.sqrt(0.04), 19))
    with pytest.raises(MetricNameError, match="no posterior is named 'dirichlet' for this form; there are student"):
        rope(Estimate(statistic), 0.05, posterior="dirichlet")


def test_what_has_no_posterior_says_why_and_a_wrong_region_is_refused() -> None:
    found = rope(difference(Mean([math.nan]), Mean([1.0])), 0.1)
    assert str(found) == "no posterior: a: 1 of 1 query has no value"
    assert "a single unit" in rope(paired([0.1], [0.2]), 0.1).reason
    for region in (-0.1, math.nan, (0.1, 0.2)):
        with pytest.raises(DataError, match=r"region is .*; give a number of at least 0"):
            rope(paired([0.1, 0.2], [0.2, 0.1]), region)


def test_bare_differences_are_refused() -> None:
    with pytest.raises(DataError, match=r"difference is list; give what paired\(\) or difference\(\) returned"):
        rope([0.1, 0.2], 0.05)  # type: ignore[arg-type]
