"""Differences of two statistics, by form."""

import itertools
import math
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import certus
from certus import CertusError, DataError, MetricNameError
from certus.inference import Estimate
from certus.inference import paired as paired_values
from certus.inference.tests.difference import difference
from certus.inference.tests.pairs import pair_ranks
from certus.statistic import Influence, Mean, Plugin, Proportion, Ratio, TableFunction, UStatistic
from certus.statistic.folds import Folds

SIDES = ("two-sided", "greater", "less")


def share_out(values: list[float], seen: float, side: str) -> float:
    reached = {
        "two-sided": [abs(v) >= abs(seen) - 1e-9 for v in values],
        "greater": [v >= seen - 1e-9 for v in values],
        "less": [v <= seen + 1e-9 for v in values],
    }[side]
    return sum(reached) / len(values)


def swapped(a: np.ndarray, b: np.ndarray) -> Any:
    """Both systems after every choice of units that trade places."""
    for choice in itertools.product((False, True), repeat=len(a)):
        mask = np.array(choice).reshape(-1, *[1] * (a.ndim - 1))
        yield np.where(mask, b, a), np.where(mask, a, b)


def ratio(rows: np.ndarray) -> Ratio:
    return Ratio(rows[:, 0], rows[:, 1])


def geometric(values: np.ndarray, weights: np.ndarray) -> float:
    return float(np.exp(weights @ np.log(values) / weights.sum()))


@settings(max_examples=60)
@given(
    side=st.sampled_from(SIDES),
    rows=st.lists(
        st.tuples(st.integers(0, 5), st.integers(1, 6), st.integers(0, 5), st.integers(1, 6)), min_size=2, max_size=8
    ),
)
def test_the_permutation_of_ratios_counts_every_choice_of_units(side: str, rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=float)
    a, b = table[:, :2], table[:, 2:]
    values = [ratio(x).value - ratio(y).value for x, y in swapped(a, b)]
    expected = share_out(values, ratio(a).value - ratio(b).value, side)
    found = difference(ratio(a), ratio(b), test="permutation", alternative=side)  # type: ignore[arg-type]
    assert found.p == pytest.approx(expected, abs=1e-12)


def test_ratios_of_one_denominator_are_flipped_exactly() -> None:
    below = np.array([2.0, 3.0, 5.0, 4.0, 1.0, 6.0])
    a, b = np.array([1.0, 3, 4, 2, 1, 6]), np.array([2.0, 1, 2, 2, 0, 3])
    values = [(x.sum() - y.sum()) / below.sum() for x, y in swapped(a, b)]
    found = difference(Ratio(a, below), Ratio(b, below), test="permutation")
    assert found.p == pytest.approx(share_out(values, (a - b).sum() / below.sum(), "two-sided"), abs=1e-12)
    assert found.method_note == "lattice"


def test_the_difference_of_ratios_has_the_error_of_the_jackknife_and_the_bootstrap() -> None:
    rng = np.random.default_rng(2)
    below = rng.integers(5, 30, 200).astype(float)
    a, b = (Ratio(rng.binomial(below.astype(int), p).astype(float), below) for p in (0.6, 0.5))
    other = Ratio(b.numerators, below + rng.integers(0, 5, 200))
    found = difference(a, other, test="t")
    without = np.array(
        [
            (a.numerators.sum() - a.numerators[i]) / (below.sum() - below[i])
            - (other.numerators.sum() - other.numerators[i]) / (other.denominators.sum() - other.denominators[i])
            for i in range(200)
        ]
    )
    jackknife = math.sqrt(199 / 200 * float(((without - without.mean()) ** 2).sum()))
    assert found.difference.standard_error == pytest.approx(jackknife, rel=5e-3)
    low, high, *_ = found.difference.interval(method="percentile", seed=1)
    assert (high - low) / (2 * 1.96) == pytest.approx(jackknife, rel=0.05)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.difference.value) / found.difference.standard_error, 199))


@pytest.mark.parametrize("side", SIDES)
def test_the_permutation_of_geometric_means_is_that_of_their_difference(side: str) -> None:
    rng = np.random.default_rng(3)
    a, b = rng.uniform(0.1, 1, 9), rng.uniform(0.1, 1, 9)
    ones = np.ones(9)
    values = [geometric(x, ones) - geometric(y, ones) for x, y in swapped(a, b)]
    a_log, b_log = Mean(a, scale="log"), Mean(b, scale="log")
    found = difference(a_log, b_log, test="permutation", alternative=side, bounds=(0.0, 1.0))  # type: ignore[arg-type]
    seen = geometric(a, ones) - geometric(b, ones)
    assert found.p == pytest.approx(share_out(values, seen, side), abs=1e-12)
    assert found.difference.value == pytest.approx(seen, rel=1e-12)
    order = np.argsort(pair_ranks(a_log.scaled, b_log.scaled))  # in which draws fall on the units
    ranked = a[order], b[order]
    plugin = Estimate(Plugin(np.arange(9), lambda _, w: geometric(ranked[0], w) - geometric(ranked[1], w)))
    two_sided = difference(Mean(a, scale="log"), Mean(b, scale="log"), bounds=(0.0, 1.0)).difference
    for method in ("percentile", "bca", "jackknife"):
        got, wanted = two_sided.interval(method=method), plugin.interval(method=method)
        assert got[:2] == pytest.approx(wanted[:2], abs=1e-9)


def test_means_are_those_of_paired_and_totals_are_sums() -> None:
    a, b = [0.3, 0.8, 0.5, 0.9], [0.2, 0.6, 0.6, 0.5]
    one, other = difference(Mean(a), Mean(b)), paired_values(a, b)
    assert (one.p, one.difference.value, one.wins) == (other.p, other.difference.value, other.wins)
    total = difference(Mean(a, total=True), Mean(b, total=True))
    assert total.difference.value == pytest.approx(0.6)
    assert total.difference.interval()[0] == pytest.approx(4 * one.difference.interval()[0])


def test_influence_values_are_subtracted_stratum_by_stratum() -> None:
    rng = np.random.default_rng(4)
    terms = [tuple(rng.normal(size=size) for size in (8, 20)) for _ in range(2)]
    a, b = (
        UStatistic(value, (8, 20), tuple(t.var(ddof=1) for t in each), influence=partial(tuple, each))
        for value, each in zip((0.8, 0.6), terms, strict=True)
    )
    found = difference(a, b, bounds=(0.0, 1.0))
    shares = [(x - y).var(ddof=1) / len(x) for x, y in zip(*terms, strict=True)]
    freedom = sum(shares) ** 2 / sum(s**2 / (n - 1) for s, n in zip(shares, (8, 20), strict=True))
    assert found.p == pytest.approx(2 * stats.t.sf(0.2 / math.sqrt(sum(shares)), freedom), rel=1e-9)
    low, high, *_ = found.difference.interval()
    half = stats.t.ppf(0.975, freedom) * math.sqrt(sum(shares))
    assert (low, high) == pytest.approx((max(0.2 - half, -1), min(0.2 + half, 1)))


def test_the_bootstrap_of_plugins_weighs_both_systems_alike() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.5, 1, 40), rng.normal(0, 1, 40)

    def mean(rows: np.ndarray, weights: np.ndarray) -> float:
        return float(weights @ rows / weights.sum())

    found = difference(Plugin(a, mean), Plugin(b, mean), replicates=4000)
    assert found.difference.interval(method="jackknife")[:2] == pytest.approx(
        Estimate(Mean(a - b)).interval(method="t")[:2], rel=1e-9
    )
    by_t = difference(Plugin(a, mean), Plugin(b, mean), test="t")
    assert by_t.p == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)
    assert abs(found.p - by_t.p) < 0.03  # the resamples have the spread divided by n, not by n - 1
    assert found.p == difference(Plugin(a, mean), Plugin(b, mean), replicates=4000).p


def identical() -> list[tuple[Any, str | None]]:
    rng = np.random.default_rng(6)
    values, below = rng.random(12), rng.uniform(1, 3, 12)
    terms = (values - values.mean(), below - below.mean())
    auc = UStatistic(0.7, (12, 12), (terms[0].var(ddof=1), terms[1].var(ddof=1)), influence=lambda: terms)
    plugin = Plugin(values, lambda rows, w: float(w @ rows / w.sum()))
    log = Mean(values, scale="log")
    perfect = Influence(1.0, (3, 4), (0.0, 0.0), influence=lambda: (np.zeros(3), np.zeros(4)))
    return [
        *[(Mean(values), test) for test in (None, "t", "bootstrap-t", "wilcoxon", "sign")],
        *[(log, test) for test in (None, "t", "bootstrap-t", "wilcoxon", "sign")],
        *[(Mean(values, total=True), test) for test in (None, "t")],
        *[(Ratio(values, below), test) for test in (None, "t")],
        *[(auc, test) for test in (None, "delong")],
        (perfect, None),
        *[(plugin, test) for test in (None, "t")],
    ]


@pytest.mark.parametrize(("statistic", "test"), identical())
@pytest.mark.parametrize("side", SIDES)
def test_equal_systems_differ_by_exactly_0_with_p_1(statistic: Any, test: str | None, side: str) -> None:
    found = difference(statistic, statistic, test=test, alternative=side, replicates=200)  # type: ignore[arg-type]
    assert found.difference.value == 0
    if test == "t" and isinstance(statistic, Plugin):
        assert found.p == (1.0 if side == "two-sided" else found.p)
    assert found.p == 1.0
    assert not found.reason


def test_an_undefined_value_gives_no_difference_but_the_reason() -> None:
    found = difference(Mean([0.5, math.nan]), Mean([0.5, 0.4]))
    assert math.isnan(found.difference.value)
    assert found.reason == "a: 1 of 2 queries has no value"
    assert "no p-value: a: 1 of 2 queries has no value" in str(found)
    assert difference(Mean([0.5, 1.0]), Mean([0.5, math.inf])).reason == "b: the value is infinite"
    zero = difference(Mean([0.0, 1.0], scale="log", floor=0.0), Mean([0.5, 0.5], scale="log", floor=0.0))
    assert zero.reason == "a value is not positive"
    filled = Influence(0.0, (4,), (math.nan,))
    assert "stands in" in difference(filled, filled).reason


def test_what_cannot_be_paired_is_refused() -> None:
    mean = Mean([0.1, 0.2])
    with pytest.raises(DataError, match="a has 2 queries but b has 3; they must pair up one to one"):
        difference(mean, Mean([0.1, 0.2, 0.3]))
    with pytest.raises(CertusError, match="counts alone do not say which samples two systems share"):
        difference(Proportion(3, 4), Proportion(2, 4))
    cells = TableFunction(np.array([3, 1]), lambda t: t[..., 0] / t.sum(-1))
    with pytest.raises(CertusError, match="counts alone do not say"):
        difference(cells, cells)
    with pytest.raises(CertusError, match="no paired comparison of a mean and a ratio of sums"):
        difference(mean, Ratio([1, 2], [2, 3]))
    with pytest.raises(CertusError, match="no paired comparison of a mean over folds"):
        difference(Folds(np.array([0.5, 0.6]), 0.5), Folds(np.array([0.5, 0.6]), 0.5))
    with pytest.raises(CertusError, match="summed up differently"):
        difference(mean, Mean([0.1, 0.2], total=True))
    with pytest.raises(
        MetricNameError, match=r"the test 'sign' takes units as independent and alike; .* permutation, t"
    ):
        difference(Ratio([1, 2], [2, 3]), Ratio([1, 2], [2, 3]), test="sign")
    with pytest.raises(MetricNameError, match="no test is named 'magic'"):
        difference(Ratio([1, 2], [2, 3]), Ratio([1, 2], [2, 3]), test="magic")
    with pytest.raises(MetricNameError, match="alternative is 'worse'"):
        difference(mean, mean, alternative="worse")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="bounds is"):
        difference(mean, mean, bounds=(1.0, 0.0))
    with pytest.raises(DataError, match="the strata of a have 2, 3 sample units but those of b 3, 2"):
        difference(
            Influence(0.5, (2, 3), (1.0, 1.0), influence=lambda: (np.ones(2), np.ones(3))),
            Influence(0.5, (3, 2), (1.0, 1.0), influence=lambda: (np.ones(3), np.ones(2))),
        )


def test_single_units_have_no_t_but_a_reason() -> None:
    found = difference(Ratio([1.0], [2.0]), Ratio([1.0], [4.0]), test="t")
    assert math.isnan(found.p)
    assert "a single unit" in found.reason
    apart = Influence(1.0, (3, 3), (0.0, 0.0), influence=lambda: (np.zeros(3), np.zeros(3)))
    other = Influence(0.0, (3, 3), (0.0, 0.0), influence=lambda: (np.zeros(3), np.zeros(3)))
    assert "do not vary" in difference(apart, other).reason


@pytest.mark.parametrize("name", ["accuracy", "f1", "recall", "mcc"])
@pytest.mark.parametrize("weighted", [False, True])
def test_estimates_of_labels_pair_up_as_compare_pairs_the_predictions(name: str, weighted: bool) -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 60)
    a, b = (np.where(rng.random(60) < error, 1 - truth, truth) for error in (0.1, 0.3))
    more: Any = {"sample_weight": rng.integers(1, 4, 60)} if weighted else {}
    metric = getattr(certus.classification, name)
    estimates = [pickle.loads(pickle.dumps(metric(truth, each, **more))) for each in (a, b)]
    found = difference(*estimates)
    (row,) = certus.compare(truth, {"b": b, "a": a}, metric, baseline="b", **more)
    assert (found.difference.value, found.p, found.method, found.difference.unit) == (
        row.difference,
        row.p,
        row.method,
        row.unit,
    )
    assert found.difference.interval()[:2] == (row.low, row.high)
    with pytest.raises(DataError, match="the truth of a and b differs at index 0"):
        difference(estimates[0], metric(1 - truth, b, **more))


LABELS = ["accuracy", "f1", "balanced_accuracy", "mcc"]


def grouped_labels(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The truth of 90 samples in 12 groups of unequal size, two predictions that err by group, and the groups."""
    rng = np.random.default_rng(seed)
    groups = rng.choice(12, 90, p=np.arange(1, 13) / 78)
    truth = rng.integers(0, 2, 90)
    hard = rng.random(12)[groups] < 0.3
    a, b = (
        np.where((rng.random(90) < error) | (hard & (rng.random(90) < 0.5)), 1 - truth, truth) for error in (0.1, 0.2)
    )
    return truth, a, b, groups


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("test", [None, "t", "permutation"])
def test_groups_of_estimates_of_labels_are_those_of_compare(name: str, weighted: bool, test: str | None) -> None:
    truth, a, b, groups = grouped_labels(6)
    more: Any = {"sample_weight": np.random.default_rng(7).integers(1, 4, 90)} if weighted else {}
    metric = getattr(certus.classification, name)
    one, other = (metric(truth, each, **more) for each in (a, b))
    found = difference(one, other, groups=[f"g{g}" for g in groups], test=test)
    (row,) = certus.compare(truth, {"b": b, "a": a}, metric, baseline="b", groups=groups, test=test, **more)
    assert (found.method, found.difference.unit, found.difference.n) == (row.method, "group", len(set(groups.tolist())))
    assert (found.difference.value, found.p) == pytest.approx((row.difference, row.p), rel=1e-12)
    if test != "permutation":
        assert found.difference.interval()[:2] == pytest.approx((row.low, row.high), rel=1e-12)
        assert found.p != pytest.approx(difference(one, other, test=test).p, rel=1e-3)


def test_groups_of_labels_trade_places_together() -> None:
    truth, a, b, groups = grouped_labels(9)
    codes = np.unique(groups, return_inverse=True)[1]
    seen = certus.classification.f1(truth, a).value - certus.classification.f1(truth, b).value
    reached = 0
    patterns = list(itertools.product((False, True), repeat=int(codes.max()) + 1))
    for pattern in patterns:
        swap = np.array(pattern)[codes]
        one, other = np.where(swap, b, a), np.where(swap, a, b)
        tp = [int((each & truth).sum()) for each in (one, other)]
        values = [2 * hits / (each.sum() + truth.sum()) for hits, each in zip(tp, (one, other), strict=True)]
        reached += abs(values[0] - values[1]) >= abs(seen) - 1e-12
    estimates = [certus.classification.f1(truth, each) for each in (a, b)]
    found = difference(*estimates, groups=groups, test="permutation")
    assert found.p == pytest.approx(reached / len(patterns), abs=1e-12)


def test_groups_of_estimates_of_labels_are_one_per_sample() -> None:
    truth, a, b, groups = grouped_labels(6)
    one, other = (certus.classification.mcc(truth, each) for each in (a, b))
    with pytest.raises(DataError, match="groups has 89 labels for 90 units"):
        difference(one, other, groups=groups[:-1])
    with pytest.raises(CertusError, match="groups are of the units that a and b share; with paired=False"):
        difference(one, other, groups=groups, paired=False)


def test_groups_make_clusters_of_the_units_of_means_and_ratios() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.uniform(0, 1, (2, 40))
    groups = rng.integers(0, 9, 40)
    found, values = difference(Mean(a), Mean(b), groups=groups), paired_values(a, b, groups=groups)
    assert (found.p, found.difference.value) == pytest.approx((values.p, values.difference.value), rel=1e-12)
    assert found.difference.interval()[:2] == pytest.approx(values.difference.interval()[:2], rel=1e-9)
    assert (found.difference.unit, found.difference.n) == ("group", len(set(groups.tolist())))
    ratio = difference(Ratio(a, b + 1), Ratio(b, a + 1), groups=groups)
    assert ratio.difference.unit == "group"
    with pytest.raises(DataError, match="groups has 3 labels for 40 units"):
        difference(Mean(a), Mean(b), groups=[1, 2, 3])
    with pytest.raises(CertusError, match="groups are of the units that a and b share; with paired=False"):
        difference(Mean(a), Mean(b), groups=groups, paired=False)
    with pytest.raises(CertusError, match="a function of units has no value for each unit; give groups to the"):
        difference(Plugin(a, lambda r, w: float(w @ r)), Plugin(b, lambda r, w: float(w @ r)), groups=groups)
