"""Posterior laws of precision, recall and F (Goutte & Gaussier 2005), and which of two systems is better."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy import integrate, stats

from certus import DataError, MetricNameError, classification
from certus.inference import difference, dirichlet_superiority, f1_superiority, posteriors, rope, superiority
from certus.inference.posterior import BetaPosterior, FPosterior

counts = st.integers(0, 60)


@settings(max_examples=25, deadline=None)
@given(counts, counts, counts, st.sampled_from([0.5, 1.0, 2.5]))
def test_precision_and_recall_are_beta(tp: int, fp: int, fn: int, prior: float) -> None:
    found = posteriors(tp, fp, fn, prior=prior)
    for law, misses in ((found.precision, fp), (found.recall, fn)):
        oracle = stats.beta(tp + prior, misses + prior)
        assert law.mean() == pytest.approx(oracle.mean(), rel=1e-12)
        assert law.std() == pytest.approx(oracle.std(), rel=1e-10)
        assert law.interval(0.9) == pytest.approx(oracle.interval(0.9), rel=1e-9)
        x = np.array([0.1, 0.5, 0.93])
        np.testing.assert_allclose(law.cdf(x), oracle.cdf(x), rtol=1e-9)
        np.testing.assert_allclose(law.pdf(x), oracle.pdf(x), rtol=1e-9)


@settings(max_examples=10, deadline=None)
@given(counts, counts, counts, st.sampled_from([0.5, 2.0, 3.0]), st.floats(0.05, 0.95))
def test_f_is_the_integral_over_the_dirichlet_law(tp: int, fp: int, fn: int, beta: float, x: float) -> None:
    law = posteriors(tp, fp, fn).f(beta)
    a, b, c = tp + 0.5, fp + 0.5, fn + 0.5

    def inner(share: float) -> float:
        # share of fn among the errors: F <= x where tp / errors <= x (beta^2 share + 1 - share) / ((1 + beta^2)(1 - x))
        odds = x * (beta**2 * share + 1 - share) / ((1 + beta**2) * (1 - x))
        return float(stats.beta.cdf(odds / (1 + odds), a, b + c))

    # by quantiles of the share, so that the ends of its density do not matter
    oracle, _ = integrate.quad(lambda u: inner(float(stats.beta.ppf(u, c, b))), 0, 1, limit=400, epsabs=1e-10)
    assert float(law.cdf(x)) == pytest.approx(oracle, abs=3e-8)
    assert float(law.sf(x)) == pytest.approx(1 - oracle, abs=3e-8)


def test_f_has_the_quantiles_the_density_and_the_moments_of_its_draws() -> None:
    for beta in (1.0, 2.0, 0.5):
        law = posteriors(30, 12, 7).f(beta)
        drawn = law.rvs(400_000, seed=1)
        assert law.mean() == pytest.approx(drawn.mean(), abs=5e-4)
        assert law.std() == pytest.approx(drawn.std(), abs=5e-4)
        for q in (0.025, 0.5, 0.975):
            assert law.ppf(q) == pytest.approx(np.quantile(drawn, q), abs=1e-3)
            assert float(law.cdf(law.ppf(q))) == pytest.approx(q, rel=1e-9)
        grid = np.linspace(0, 1, 20_001)
        assert float(law.pdf(grid).sum()) * (grid[1] - grid[0]) == pytest.approx(1, rel=1e-6)


def test_the_better_of_two_test_sets_is_found_without_draws() -> None:
    # with whole parameters P(X > Y) is a finite sum
    a, b = posteriors(7, 2, 3, prior=1), posteriors(4, 5, 1, prior=1)
    oracle = sum(
        float(np.exp(stats.betabinom.logpmf(i, 10, 8, 3))) for i in range(5, 11)
    )  # of 4 + 5 + 1 later items, 5 or more are hits under Beta(8, 3)
    assert superiority(a.precision, b.precision) == pytest.approx(oracle, abs=1e-9)
    assert superiority(a.f(), b.f()) == pytest.approx(f1_superiority((7, 2, 3), (4, 5, 1), prior=1), abs=1e-9)
    assert superiority(b.recall, a.recall) + superiority(a.recall, b.recall) == pytest.approx(1, abs=1e-9)
    x, y = a.f(2).rvs(1_000_000, seed=3), b.f(2).rvs(1_000_000, seed=4)
    assert superiority(a.f(2), b.f(2)) == pytest.approx((x > y).mean(), abs=2e-3)


def test_paired_systems_have_the_joint_posterior_with_the_prior_asked_for() -> None:
    rng = np.random.default_rng(5)
    true = rng.integers(0, 2, 150)
    a, b = (np.where(rng.random(150) < share, true, 1 - true) for share in (0.85, 0.75))
    found = difference(classification.accuracy(true, a), classification.accuracy(true, b))
    right = [int(((a == true) & (b != true)).sum()), int(((a != true) & (b == true)).sum())]
    for prior in (0.5, 1.0, 5.0):
        drawn = rope(found, 0, prior=prior, posterior="dirichlet", replicates=200_000)
        assert drawn.above == pytest.approx(dirichlet_superiority(right[0], right[1], prior=prior), abs=4 * drawn.error)
    f1 = difference(classification.f1(true, a), classification.f1(true, b))
    flat = rope(f1, 0, prior=1.0, replicates=100_000)
    cells = np.array([[[((true == t) & (a == x) & (b == y)).sum() for y in (0, 1)] for x in (0, 1)] for t in (0, 1)])
    tables = rng.dirichlet(cells.ravel() + 1.0, 100_000).reshape(-1, 2, 2, 2)
    both = []
    for table in (tables.sum(axis=3), tables.sum(axis=2)):
        tp = table[:, 1, 1]
        both.append(2 * tp / (2 * tp + table[:, 1, 0] + table[:, 0, 1]))
    assert flat.above == pytest.approx((both[0] > both[1]).mean(), abs=8e-3)


def test_priors_are_checked() -> None:
    assert posteriors(3, 1, 2, prior=(1, 2, 3)).parameters == (4, 3, 5)
    wrong: list[Any] = ["flat", 0, -1, (1, 2), float("inf"), None, (1, 0, 1)]
    for prior in wrong:
        with pytest.raises(DataError, match="give 'jeffreys', 'uniform', a finite number above 0, or three of them"):
            posteriors(3, 1, 2, prior=prior)
    with pytest.raises(DataError, match="tp"):
        posteriors(-1, 1, 2)
    with pytest.raises(DataError, match="beta is 0; it must be a finite number above 0"):
        posteriors(3, 1, 2).f(0)
    with pytest.raises(DataError, match="a is 0 and b is 1"):
        BetaPosterior(0, 1)
    with pytest.raises(DataError, match=r"b is 0\.5; it must be a posterior law"):
        superiority(posteriors(3, 1, 2).recall, 0.5)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="q is 2; a probability lies in"):
        posteriors(3, 1, 2).recall.ppf(2)
    estimates = (classification.roc_auc([0, 1, 0, 1], score) for score in ([1, 2, 3, 4], [4, 1, 2, 3]))
    with pytest.raises(MetricNameError, match="prior is for the posterior 'dirichlet'; 'student' has none"):
        rope(next(estimates), 0, prior=1.0)


def test_a_law_with_no_counts_is_its_prior() -> None:
    law = FPosterior(0.5, 0.5, 0.5)
    assert 0 < law.interval()[0] < law.mean() < law.interval()[1] < 1
    assert posteriors(0, 0, 0, prior="uniform").precision.mean() == 0.5


def test_laws_draw_themselves() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    found = posteriors(90, 10, 20)
    ax = found.precision.plot()
    assert found.f(2).plot(ax, name="F2 of A") is ax
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    low, high = found.precision.interval()
    assert names[0] == f"precision: {found.precision.mean():.3f} [{low:.3f}, {high:.3f}], 95% of the posterior"
    assert names[1].startswith("F2 of A: 0.830 [")
    (shade, _) = (each for each in ax.findobj() if each.get_gid() == "certus-shaded")
    across = shade.get_paths()[0].vertices[:, 0]
    assert (across.min(), across.max()) == pytest.approx((low, high))


COUNT = st.integers(0, 20)


def larger(a: int, b: int, c: int, d: int) -> float:
    """P(Beta(a, b) > Beta(c, d)) for whole parameters: the finite sum over Beta(a, b)'s Bernstein terms."""
    total = mp.mpf(0)
    for i in range(a):
        total += mp.beta(c + i, b + d) / ((b + i) * mp.beta(1 + i, b) * mp.beta(c, d))
    return float(total)


@given(COUNT, COUNT, COUNT)
def test_more_wins_are_probably_better_by_the_finite_sum(n1: int, n2: int, n3: int) -> None:
    a, b = n1 + 1, n2 + 1
    expected = sum(math.comb(a + b - 1, i) for i in range(b, a + b)) / 2 ** (a + b - 1)
    assert dirichlet_superiority(n1, n2, n3) == pytest.approx(expected, rel=1e-12)
    assert dirichlet_superiority(n1, n2) + dirichlet_superiority(n2, n1) == pytest.approx(1, abs=1e-14)


@given(st.tuples(COUNT, COUNT, COUNT), st.tuples(COUNT, COUNT, COUNT))
@example((9, 12, 20), (16, 0, 0))
@example((1, 9, 20), (10, 0, 0))
def test_f1_superiority_is_the_finite_sum_for_a_whole_prior(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    expected = larger(a[0] + 1, a[1] + a[2] + 2, b[0] + 1, b[1] + b[2] + 2)
    assert f1_superiority(a, b, prior=1) == pytest.approx(expected, abs=1e-9)
    assert f1_superiority(a, b) + f1_superiority(b, a) == pytest.approx(1, abs=1e-9)


def test_large_counts_keep_the_answer() -> None:
    assert f1_superiority((90_000, 10_000, 10_000), (89_000, 11_000, 11_000)) > 0.999999
    assert f1_superiority((10**8, 10**7, 10**7), (10**8, 10**7, 10**7 + 1)) == pytest.approx(0.5, abs=1e-3)


def test_bad_input_is_refused() -> None:
    with pytest.raises(DataError, match="a has 2 counts; give tp, fp and fn"):
        f1_superiority((1, 2), (1, 2, 3))
    with pytest.raises(DataError, match="fn of b"):
        f1_superiority((1, 2, 3), (1, 2, -3))
    with pytest.raises(DataError, match="prior is 0"):
        dirichlet_superiority(1, 2, prior=0)
    with pytest.raises(DataError, match="n2"):
        dirichlet_superiority(1, -2)
