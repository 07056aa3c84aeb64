"""Intervals for the probability of a right order."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from certus import CertusError, MetricNameError
from certus.inference import Estimate
from certus.inference.intervals.ustatistic import hanley_mcneil_error
from certus.statistic import Influence, Mean, UStatistic

ANALYTIC = ("score-delong", "logit-delong", "delong", "hanley-mcneil")

# Ten cases of a disease and ten controls with a rating each.
POSITIVES = [5, 5, 4, 5, 3, 4, 5, 2, 4, 5]
NEGATIVES = [1, 2, 1, 3, 2, 4, 1, 3, 2, 1]


def placements(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Part of the others that each of ours lies above, one that is equal counting half."""
    return [sum((a > b) + (a == b) / 2 for b in theirs) / len(theirs) for a in ours]


def auc(positives: Sequence[float], negatives: Sequence[float], resample: bool = False) -> UStatistic:
    won = placements(positives, negatives)
    lost = [1 - p for p in placements(negatives, positives)]
    value = sum(won) / len(won)
    variances = tuple(
        sum((p - value) ** 2 for p in group) / (len(group) - 1) if len(group) > 1 else math.nan for group in (won, lost)
    )
    return UStatistic(
        value,
        (len(won), len(lost)),
        variances,
        influence=lambda: (np.array(won) - value, np.array(lost) - value),
        resample=(lambda replicates, seed, stratified: slow(positives, negatives, replicates, seed, stratified))
        if resample
        else None,
    )


def slow(
    positives: Sequence[float], negatives: Sequence[float], replicates: int, seed: int, stratified: bool
) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    m, n = len(positives), len(negatives)
    wins = (np.sign(np.subtract.outer(positives, negatives)) + 1) / 2
    values = np.empty(replicates)
    for i in range(replicates):
        if stratified:
            ours, theirs = rng.integers(m, size=m), rng.integers(n, size=n)
        else:
            drawn = rng.integers(m + n, size=m + n)
            ours, theirs = drawn[drawn < m], drawn[drawn >= m] - m
        values[i] = wins[np.ix_(ours, theirs)].mean() if len(ours) and len(theirs) else math.nan
    return values


def test_delong_by_hand() -> None:
    # Wins of (3, 5) over (1, 4), with a half for none tied: placements 1/2 and 1; of the negatives 1 and 1/2.
    # AUC 3/4, variances ((1/4)^2 * 2) / 1 = 1/8 each, SE = sqrt(1/16 + 1/16), df = 1 + 1.
    statistic = auc([3, 5], [1, 4])
    assert (statistic.value, statistic.variances) == (0.75, (0.125, 0.125))
    found = Estimate(statistic, bounds=(0.0, 1.0))
    assert found.standard_error == pytest.approx(math.sqrt(1 / 8), rel=1e-15)
    step = stats.t.isf(0.025, 2) * math.sqrt(1 / 8) / (0.75 * 0.25)
    low, high, *_ = found.interval(method="logit-delong")
    assert (low, high) == pytest.approx((1 / (1 + math.exp(step) / 3), 1 / (1 + math.exp(-step) / 3)), rel=1e-12)


def test_the_default_is_the_score_interval() -> None:
    found = Estimate(auc(POSITIVES, NEGATIVES), bounds=(0.0, 1.0))
    assert found.interval().method == "score-delong"
    assert found.methods == ANALYTIC
    assert found.interval(method="DeLong score") == found.interval()


def test_delong_is_the_value_and_normal_steps_within_bounds() -> None:
    found = Estimate(auc(POSITIVES, NEGATIVES), bounds=(0.0, 1.0))
    low, high, *_ = found.interval(method="delong")
    assert low == pytest.approx(found.value - 1.959963985 * found.standard_error, rel=1e-9)
    assert high == min(1.0, found.value + 1.959963985 * found.standard_error)


def test_hanley_and_mcneil_by_their_formula() -> None:
    # Q1 = A / (2 - A) and Q2 = 2 A^2 / (1 + A), the published example of 58 normal and 51 abnormal cases.
    a, positives, negatives = 0.893, 51, 58
    q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
    variance = (a * (1 - a) + (positives - 1) * (q1 - a**2) + (negatives - 1) * (q2 - a**2)) / (positives * negatives)
    statistic = UStatistic(a, (positives, negatives), (0.1, 0.1))
    assert hanley_mcneil_error(statistic) == pytest.approx(math.sqrt(variance), rel=1e-12)
    # Hanley & McNeil (1982), table III, print 0.032.
    assert hanley_mcneil_error(statistic) == pytest.approx(0.032, abs=6e-4)


@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 0.025 ** (1 / 5), 1.0), (0.0, 0.0, 1 - 0.025 ** (1 / 5))])
def test_perfect_separation_has_the_limits_of_k_successes_in_k_trials(value: float, low: float, high: float) -> None:
    found = Estimate(UStatistic(value, (5, 9), (0.0, 0.0)), bounds=(0.0, 1.0))
    for method in found.methods:
        interval = found.interval(method=method)
        assert interval[:2] == pytest.approx((low, high), rel=1e-12)
        order = "above" if value else "below"
        assert interval.reason == (
            f"all positives rank {order} all negatives; the limits are exact, from 5 pairs that share no sample"
        )


def test_tied_scores_have_exact_limits_around_one_half() -> None:
    low, high, *_ = interval = Estimate(auc([1, 1, 1], [1, 1, 1, 1]), bounds=(0.0, 1.0)).interval()
    half = (1 - 0.025 ** (1 / 3)) / 2
    assert (low, high) == pytest.approx((0.5 - half, 0.5 + half))
    assert (
        interval.reason
        == "all positives are tied with all negatives; the limits are exact, from 3 pairs that share no sample"
    )


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.05, 0.95))
def test_no_law_is_refuted_by_separation_more_often_than_the_level_allows(m: int, n: int, share: float) -> None:
    # The two extreme pairs of laws: a share of the positives (or of the negatives) on the right side of all others.
    low = Estimate(UStatistic(1.0, (m, n), (0.0, 0.0)), bounds=(0.0, 1.0)).interval().low
    separated = max(share**m, share**n)
    if share < low:
        assert separated < 0.025 + 1e-12
    else:
        assert separated > 0.025 - 1e-12


def test_a_single_positive_has_no_interval_unless_all_pairs_agree() -> None:
    found = Estimate(auc([3], [1, 4, 2]), bounds=(0.0, 1.0))
    for method in ("logit-delong", "delong"):
        assert found.interval(method=method).reason == "1 sample alone in its stratum has no variance"
    assert math.isnan(found.standard_error)
    assert found.interval(method="hanley-mcneil").defined
    for negatives in ([1, 4, 2], [1]):
        assert Estimate(auc([5], negatives), bounds=(0.0, 1.0)).interval()[:2] == pytest.approx((0.025, 1.0))


def test_an_affine_image_has_the_images_of_the_limits() -> None:
    area = Estimate(UStatistic(0.8, (20, 30), (0.05, 0.04)), bounds=(0.0, 1.0))
    gini = Estimate(UStatistic(0.6, (20, 30), (0.20, 0.16), span=(-1.0, 1.0)), bounds=(-1.0, 1.0))
    for method in area.methods:
        low, high, *_ = area.interval(method=method)
        assert gini.interval(method=method)[:2] == pytest.approx((2 * low - 1, 2 * high - 1), rel=1e-12)
    perfect = Estimate(UStatistic(1.0, (5, 9), (0.0, 0.0), span=(-1.0, 1.0)), bounds=(-1.0, 1.0)).interval()
    assert perfect[:2] == pytest.approx((2 * 0.025 ** (1 / 5) - 1, 1.0))


def test_the_bootstrap_uses_the_replicates_of_the_statistic() -> None:
    found = Estimate(auc(POSITIVES, NEGATIVES, resample=True), bounds=(0.0, 1.0))
    assert found.methods == (*ANALYTIC, "percentile", "bca")
    for stratified in (False, True):
        replicates = np.sort(slow(POSITIVES, NEGATIVES, 999, 3, stratified))
        interval = found.interval(method="percentile", replicates=999, seed=3, stratified=stratified)
        assert interval[:2] == pytest.approx((replicates[24], replicates[974]), rel=1e-12)
    low, high, *_ = found.interval(method="bca", replicates=999)
    assert 0 < low < found.value < high <= 1


def test_bca_takes_the_skewness_of_all_strata() -> None:
    # Davison & Hinkley (1997), equation 5.27: sum over strata of sum(l^3) / n_s^3 over 6 times the variance to the 3/2.
    statistic = auc(POSITIVES, NEGATIVES, resample=True)
    assert statistic.influence is not None
    strata = [values / size for values, size in zip(statistic.influence(), statistic.sizes, strict=True)]
    third, second = sum((v**3).sum() for v in strata), sum((v**2).sum() for v in strata)
    replicates = slow(POSITIVES, NEGATIVES, 1999, 0, False)
    defined = replicates[~np.isnan(replicates)]
    below, not_above = defined < statistic.value - 1e-9, defined <= statistic.value + 1e-9
    bias = stats.norm.ppf((below.mean() + not_above.mean()) / 2)
    acceleration = third / (6 * second**1.5)
    shifted = bias + stats.norm.ppf([0.025, 0.975])
    probabilities = stats.norm.cdf(bias + shifted / (1 - acceleration * shifted))
    expected = np.quantile(defined, probabilities, method="weibull")
    found = Estimate(statistic, bounds=(0.0, 1.0)).interval(method="bca", replicates=1999)
    assert found[:2] == pytest.approx(tuple(expected), rel=1e-9)


def test_strata_are_kept_only_where_there_are_any() -> None:
    with pytest.raises(CertusError, match="stratified is True but a U-statistic has no strata to keep; leave it out"):
        Estimate(auc(POSITIVES, NEGATIVES)).interval(stratified=True)
    with pytest.raises(CertusError, match="stratified is True but 'delong' draws no resamples; take 'percentile' or"):
        Estimate(auc(POSITIVES, NEGATIVES, resample=True)).interval(method="delong", stratified=True)
    with pytest.raises(CertusError, match="stratified is True but a mean has no strata to keep; leave it out"):
        Estimate(Mean([0.1, 0.2])).interval(method="bca", stratified=True)


def test_without_replicates_there_is_no_bootstrap() -> None:
    with pytest.raises(MetricNameError, match="'bca' is not one for a U-statistic; the methods are score-delong"):
        Estimate(auc(POSITIVES, NEGATIVES)).interval(method="bca")
    no_values = UStatistic(0.8, (9, 9), (0.1, 0.1), resample=lambda replicates, seed, stratified: np.zeros(replicates))
    assert Estimate(no_values).methods == (*ANALYTIC, "percentile")


def test_a_u_statistic_is_an_influence_statistic_to_any_other_method() -> None:
    plain = auc(POSITIVES, NEGATIVES)
    same = Influence(plain.value, plain.sizes, plain.variances)
    ours = Estimate(plain, bounds=(0.0, 1.0)).interval(method="logit-delong")
    theirs = Estimate(same, bounds=(0.0, 1.0)).interval(method="influence-logit")
    assert ours[:2] == theirs[:2]
    single = Estimate(auc([1], [1, 1, 1, 1]), bounds=(0.0, 1.0)).interval()
    assert (
        single.reason
        == "all positives are tied with all negatives; the limits are exact, from 1 pair that shares no sample"
    )
