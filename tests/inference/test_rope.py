"""Posterior probabilities with a region of practical equivalence."""

import math

import numpy as np
import pytest
from scipy import stats

from certus import DataError, MetricNameError
from certus.inference import Estimate, dirichlet_superiority, paired, rope
from certus.inference.tests.difference import difference
from certus.inference.tests.rope import Rope
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
        np.bincount(right.astype(np.int64), minlength=2),
        lambda t: t[..., 1] / t.sum(-1),
        contributions=lambda: parts,
        n=len(right),
    )


def test_the_joint_dirichlet_is_the_closed_form_of_mcnemars_table() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.random(60) < 0.8, rng.random(60) < 0.7
    found = rope(difference(accuracy(a), accuracy(b)), 0.0, replicates=40_000)
    # The prior of a table of four cells is 1/2 in each.
    closed = dirichlet_superiority(int((a & ~b).sum()), int((~a & b).sum()), prior=0.5)
    assert found.above == pytest.approx(closed, abs=4 * found.error)
    assert found.method == "dirichlet"
    wide = rope(difference(accuracy(a), accuracy(b)), 0.5, replicates=2000)
    assert wide.equivalent > 0.99
    assert sums_to_1(wide)


def test_equal_systems_are_equivalent() -> None:
    same = rope(paired([0.5, 0.7, 0.2], [0.5, 0.7, 0.2]), 0.01)
    assert (same.above, same.equivalent, same.below) == (0.0, 1.0, 0.0)
    assert same.why == "all units agree: the posterior has no spread"
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
    assert "a single unit" in rope(paired([0.1], [0.2]), 0.1).why
    for region in (-0.1, math.nan, (0.1, 0.2)):
        with pytest.raises(DataError, match=r"region is .*; give a number of at least 0"):
            rope(paired([0.1, 0.2], [0.2, 0.1]), region)


def test_bare_differences_are_refused() -> None:
    with pytest.raises(DataError, match=r"found is list; give what paired\(\) or difference\(\) returned"):
        rope([0.1, 0.2], 0.05)  # type: ignore[arg-type]
