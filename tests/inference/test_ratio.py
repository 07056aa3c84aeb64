"""The ratio of two values, and comparisons that are given estimates."""

import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import certus
from certus import CertusError, DataError, MetricNameError
from certus.inference import Estimate, difference, ratio
from certus.statistic import Mean, Plugin, Proportion, Quantile, Ratio, TableFunction

A = [0.4, 0.5, 0.9, 0.6, 0.3]
B = [0.5, 0.8, 1.0, 0.7, 0.2]
SIDES: tuple[Literal["two-sided", "greater", "less"], ...] = ("two-sided", "greater", "less")


def sample(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    return truth, truth + rng.normal(size=n), truth + 2 * rng.normal(size=n)


def test_the_ratio_of_paired_means_by_hand() -> None:
    a, b = np.array(A), np.array(B)
    log = math.log(a.mean() / b.mean())
    terms = a / a.mean() - b / b.mean()
    error = terms.std(ddof=1) / math.sqrt(len(a))
    found = ratio(Mean(A), Mean(B))
    assert found.ratio.value == pytest.approx(a.mean() / b.mean(), abs=1e-15)
    assert found.statistic == pytest.approx(log / error, rel=1e-12)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(log / error), 4), rel=1e-10)
    low, high, *_ = found.ratio.interval()
    away = stats.t.ppf(0.975, 4) * error
    assert (low, high) == pytest.approx((math.exp(log - away), math.exp(log + away)), rel=1e-10)


def test_the_ratio_of_independent_means_adds_the_squared_relative_errors() -> None:
    a, b = np.array(A), np.array(B[:4])
    shares = [x.var(ddof=1) / len(x) / x.mean() ** 2 for x in (a, b)]
    freedom = sum(shares) ** 2 / (shares[0] ** 2 / 4 + shares[1] ** 2 / 3)
    found = ratio(Mean(a), Mean(b), paired=False)
    x = math.log(a.mean() / b.mean()) / math.sqrt(sum(shares))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(x), freedom), rel=1e-10)
    assert found.ratio.n == 9


def test_geometric_means_have_the_t_test_of_their_logarithms() -> None:
    found = ratio(Mean(A, scale="log"), Mean(B, scale="log"))
    assert found.p == pytest.approx(stats.ttest_rel(np.log(A), np.log(B)).pvalue, rel=1e-10)


@settings(max_examples=40, deadline=None)
@given(
    m=st.integers(1, 30),
    n=st.integers(1, 30),
    data=st.data(),
    level=st.sampled_from([0.5, 0.9, 0.95]),
    log=st.floats(-3, 3),
)
def test_the_score_limits_are_the_ratios_that_the_score_test_does_not_reject(
    m: int, n: int, data: st.DataObject, level: float, log: float
) -> None:
    a, b = data.draw(st.integers(0, m)), data.draw(st.integers(1, n))
    phi = math.exp(log)
    shares = np.linspace(0, 1, 200_001)[1:-1]
    shares = shares[shares * phi < 1]
    with np.errstate(divide="ignore"):
        likelihood = a * np.log(phi * shares) + (m - a) * np.log1p(-phi * shares) if m - a or a else 0 * shares
        likelihood = likelihood + b * np.log(shares) + (n - b) * np.log1p(-shares)
    second = shares[np.argmax(likelihood)]
    first = phi * second
    z = (a / m - phi * b / n) / math.sqrt(first * (1 - first) / m + phi**2 * second * (1 - second) / n)
    quantile = stats.norm.ppf((1 + level) / 2)
    low, high, *_ = ratio(Proportion(a, m), Proportion(b, n), paired=False, level=level).ratio.interval()
    # At the end of the grid the shares are 1e-5 from their limits; ratios near a limit may fall on either side.
    if abs(abs(z) - quantile) > 0.02:
        assert (low <= phi <= high) == (abs(z) <= quantile)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("paired", [True, False])
def test_the_interval_leaves_out_1_if_and_only_if_p_is_small(seed: int, paired: bool) -> None:
    truth, s, t = sample(seed)
    groups = np.arange(60) // 3
    for metric, values in (
        (certus.classification.roc_auc, (s, t)),
        (certus.classification.average_precision, (s, t)),
        (certus.classification.balanced_accuracy, (s > 0.5, t > 0.5)),
        (certus.regression.mae, (s, t)),
        (certus.regression.rmse, (s, t)),
    ):
        for told in (
            {"groups": range(60)} if metric is certus.classification.balanced_accuracy else {},
            {"groups": groups},
        ):
            a, b = (metric(truth, each.astype(int) if each.dtype == bool else each, **told) for each in values)
            for side in SIDES:
                found = ratio(a, b, paired=paired, alternative=side)
                for level in (0.6, 0.8, 0.95):
                    low, high, *_ = found.ratio.interval(level)
                    assert (not low <= 1 <= high) == (found.p <= 1 - level), (metric, told, side, level)


@pytest.mark.parametrize("paired", [True, False])
def test_swapped_systems_have_the_reciprocal(paired: bool) -> None:
    truth, s, t = sample(3)
    a, b = (certus.classification.roc_auc(truth, each) for each in (s, t))
    one, other = ratio(a, b, paired=paired), ratio(b, a, paired=paired)
    assert one.p == pytest.approx(other.p, rel=1e-12)
    low, high, *_ = one.ratio.interval()
    assert other.ratio.interval()[:2] == pytest.approx((1 / high, 1 / low), rel=1e-9)


def test_equal_systems_have_a_ratio_of_1_and_p_1() -> None:
    for each in (Mean(A), Ratio(A, B), Proportion(3, 4), Plugin(np.array(A), lambda x, w: float(w @ x / w.sum()))):
        found = ratio(each, each, paired=not isinstance(each, Proportion))
        assert (found.ratio.value, found.p) == (1.0, 1.0)


def test_groups_of_unequal_size_have_the_error_of_cr2() -> None:
    rng = np.random.default_rng(5)
    sizes = np.array([1, 1, 2, 3, 8, 9, 4.0])
    sums = sizes * rng.uniform(0.5, 1.5, 7)
    found = ratio(Ratio(sums, sizes), Ratio(np.full(7, 28.0 / 7) * sizes / sizes, sizes))
    # The second is 1 on average; only the first varies in the numerator.
    one, two = sums / sums.sum() - sizes / 28, np.full(7, 1 / 7) - sizes / 28
    error = math.sqrt(float(((one - two) ** 2 / (1 - sizes / 28)).sum()))
    assert found.ratio.standard_error / found.ratio.value == pytest.approx(error, rel=1e-12)


def test_values_that_are_not_positive_have_no_limits_and_say_why() -> None:
    found = ratio(Mean([0.0, 0.0]), Mean(A[:2]))
    assert found.ratio.value == 0
    assert "a is 0" in str(found)
    assert math.isnan(found.p)
    for bad in (Mean([0.0, 0.0]), Mean([-1.0, -2.0])):
        assert math.isnan(ratio(Mean(A[:2]), bad).ratio.value)
    assert ratio(Proportion(0, 5), Proportion(3, 5), paired=False).ratio.interval().low == 0


def test_estimates_are_compared_as_their_statistics_are() -> None:
    truth, s, t = sample(1)
    a, b = (certus.classification.roc_auc(truth, each) for each in (s, t))
    for paired in (True, False):
        one = difference(a, b, paired=paired)
        other = difference(a.statistic, b.statistic, paired=paired, bounds=(0.0, 1.0))
        assert (one.p, one.difference.value) == (other.p, other.difference.value)
        assert one.difference.interval() == other.difference.interval()
        assert one.difference.bounds == (-1.0, 1.0)
    accuracies = [certus.classification.accuracy(truth, (each > 0.5).astype(int), groups=range(60)) for each in (s, t)]
    compared = certus.compare(truth, {"a": (s > 0.5).astype(int), "b": (t > 0.5).astype(int)}, metrics=["Accuracy"])
    assert difference(*accuracies).difference.value == pytest.approx(compared.rows[0].difference, abs=1e-12)


def test_estimates_that_do_not_belong_together_are_refused() -> None:
    truth, s, t = sample(1)
    auc, ap = certus.classification.roc_auc(truth, s), certus.classification.average_precision(truth, t)
    for compare in (difference, ratio):
        with pytest.raises(CertusError, match=r"a is AUC but b is AP; give the same metric of both, or a\.statistic"):
            compare(auc, ap)
        with pytest.raises(DataError, match="a has 60 samples but b has 58; they must pair up"):
            compare(auc, certus.classification.roc_auc(truth[:-2], s[:-2]))
        with pytest.raises(DataError, match="kind 'query' but those of b 'sample'; paired values must be of the same"):
            compare(Estimate(Mean(A)), Estimate(Mean(B, unit="sample")))
        with pytest.raises(CertusError, match="counts alone do not say which samples two systems share"):
            compare(Estimate(Proportion(3, 5)), Estimate(Proportion(2, 5)))
    with pytest.raises(CertusError, match="no ratio of a quantile"):
        ratio(Quantile(np.array(A), 0.5), Quantile(np.array(B), 0.5), paired=False)
    with pytest.raises(MetricNameError, match="the test 'permutation' is not for a ratio of these values; there are t"):
        ratio(Mean(A), Mean(B), test="permutation")


def test_a_ratio_of_functions_of_cells_by_the_delta_method() -> None:
    one = TableFunction(np.array([30, 10]), lambda t: t[..., 0] / t.sum(-1))
    two = TableFunction(np.array([20, 20]), lambda t: t[..., 0] / t.sum(-1))
    found = ratio(one, two, paired=False)
    error = math.sqrt(1 / 30 - 1 / 40 + 1 / 20 - 1 / 40)  # Katz
    assert found.statistic == pytest.approx(math.log(1.5) / error, rel=1e-9)


def test_ratios_cover_their_level() -> None:
    rng = np.random.default_rng(12)
    covered = {"paired means": 0, "independent means": 0, "shares": 0}
    times = 400
    for _ in range(times):
        unit = rng.gamma(3.0, size=30)
        a, b = (unit * rng.gamma(4.0, size=30) for _ in range(2))
        low, high, *_ = ratio(Mean(0.8 * a), Mean(b)).ratio.interval()
        covered["paired means"] += low <= 0.8 <= high
        low, high, *_ = ratio(Mean(0.8 * a), Mean(rng.gamma(4.0, 3.0, size=40)), paired=False).ratio.interval()
        covered["independent means"] += low <= 0.8 <= high
        first, second = rng.binomial(40, 0.72), rng.binomial(60, 0.9)
        low, high, *_ = ratio(Proportion(first, 40), Proportion(second, 60), paired=False).ratio.interval()
        covered["shares"] += low <= 0.8 <= high
    for name, count in covered.items():
        assert 0.92 * times <= count <= 0.985 * times, (name, count / times)


@pytest.mark.parametrize("name", ["accuracy", "f1", "mcc"])
def test_estimates_of_labels_pair_up_by_their_samples(name: str) -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 200)
    right, fair = (np.where(random.random(200) < share, truth, 1 - truth) for share in (0.85, 0.7))
    metric: Any = getattr(certus.classification, name)
    found = ratio(metric(truth, right), metric(truth, fair))
    assert found.ratio.value == pytest.approx(metric(truth, right).value / metric(truth, fair).value, rel=1e-12)
    drawn = []
    for _ in range(400):
        rows = random.integers(0, 200, 200)
        drawn.append(np.log(metric(truth[rows], right[rows]).value / metric(truth[rows], fair[rows]).value))
    error = np.log(found.ratio.high / found.ratio.low) / (2 * 1.972)
    assert error == pytest.approx(
        np.std(drawn), rel=0.2
    )  # 400 replicates know it to 4 %, the delta method to some more
    same = ratio(metric(truth, fair), metric(truth, fair))
    assert (same.ratio.value, same.p) == (1.0, 1.0)
