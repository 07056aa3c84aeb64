"""Intervals for functions of cell counts."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cell_counts import BINARY, accuracy, estimate, kappa
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import certus
from certus import CertusError, MetricNameError
from certus.inference import Estimate
from certus.inference.intervals import cell_functions, pseudocounts
from certus.statistic import Contributions, TableFunction

Table = NDArray[np.float64]


def balanced_accuracy(tables: Any) -> Any:
    return (np.diagonal(tables, axis1=-2, axis2=-1) / tables.sum(axis=-1)).mean(axis=-1)


def odds_ratio(tables: Any) -> Any:
    return tables[..., 0, 0] * tables[..., 1, 1] / (tables[..., 0, 1] * tables[..., 1, 0])


def fleiss_error(table: Any) -> float:
    """Of Cohen's kappa, after Fleiss, Cohen & Everitt (1969), equation 13, in fractions."""
    n = sum(map(sum, table))
    k = range(len(table))
    p = [[Fraction(table[i][j], n) for j in k] for i in k]
    rows, columns = [sum(p[i]) for i in k], [sum(p[i][j] for i in k) for j in k]
    observed, expected = sum(p[i][i] for i in k), sum(rows[i] * columns[i] for i in k)
    on = sum(p[i][i] * ((1 - expected) - (columns[i] + rows[i]) * (1 - observed)) ** 2 for i in k)
    off = sum(p[i][j] * (columns[i] + rows[j]) ** 2 for i in k for j in k if i != j)
    rest = (observed * expected - 2 * expected + observed) ** 2
    return math.sqrt((on + (1 - observed) ** 2 * off - rest) / (n * (1 - expected) ** 4))


PUBLISHED = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]


@pytest.mark.parametrize("table", [BINARY, [[20, 5], [10, 15]], [[88, 14, 18], [10, 40, 10], [2, 6, 12]], PUBLISHED])
def test_the_error_of_kappa_is_that_of_fleiss_cohen_and_everitt(table: list[list[int]]) -> None:
    assert estimate(table).standard_error == pytest.approx(fleiss_error(table), rel=1e-9)


def test_kappa_is_the_published_one() -> None:
    # Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, 3rd ed., table 18.1: kappa 0.676.
    assert estimate(PUBLISHED).value == pytest.approx(0.676, abs=5e-4)


def test_the_error_of_accuracy_is_that_of_a_proportion() -> None:
    found = estimate([[50, 10], [5, 35]], accuracy, (0.0, 1.0))
    assert found.standard_error == pytest.approx(math.sqrt(0.85 * 0.15 / 100), rel=1e-9)


def test_kappa_has_fishers_z_by_default() -> None:
    found = estimate(BINARY)
    low, high = interval = found.interval()
    method = interval.method
    assert method == "fisher-z"
    z, slope = math.atanh(found.value), 1 - found.value**2
    step = 1.959963985 * found.standard_error / slope
    assert (low, high) == pytest.approx((math.tanh(z - step), math.tanh(z + step)), rel=1e-8)
    assert found.interval(method="delta")[:2] == (low, high)


def test_the_scale_is_that_of_the_bounds() -> None:
    value, error = 6.0, math.sqrt(1 / 20 + 1 / 5 + 1 / 10 + 1 / 15)
    ratio = estimate([[20, 5], [10, 15]], odds_ratio, (0.0, math.inf)).interval(method="delta")
    # Woolf's interval: the error of a log odds ratio is the root of the sum of reciprocal counts.
    assert ratio[:2] == pytest.approx((value * math.exp(-1.959963985 * error), value * math.exp(1.959963985 * error)))
    share = estimate([[50, 10], [5, 35]], accuracy, (0.0, 1.0)).interval(method="delta")
    logit, step = math.log(0.85 / 0.15), 1.959963985 / math.sqrt(0.85 * 0.15 * 100)
    assert share[:2] == pytest.approx((1 / (1 + math.exp(step - logit)), 1 / (1 + math.exp(-step - logit))), rel=1e-8)
    log = estimate([[20, 5], [10, 15]], lambda t: np.log(odds_ratio(t)), (-math.inf, math.inf)).interval(method="delta")
    assert log[:2] == pytest.approx(np.log(ratio[:2]), rel=1e-8)


def test_wald_is_the_value_and_normal_steps() -> None:
    found = estimate(BINARY)
    step = 1.959963985 * found.standard_error
    assert found.interval(method="wald")[:2] == pytest.approx((found.value - step, found.value + step), rel=1e-8)
    narrow = estimate([[99, 1], [0, 100]], accuracy, (0.0, 1.0)).interval(method="wald")
    assert narrow.high == 1.0


def test_fishers_z_is_for_bounds_of_minus_one_and_one() -> None:
    assert "fisher-z" in estimate(BINARY).methods
    with pytest.raises(MetricNameError, match="'fisher-z' is not one for a function of cell counts; the methods are"):
        estimate(BINARY, accuracy, (0.0, 1.0)).interval(method="fisher-z")


def table_of(k: int) -> st.SearchStrategy[Table]:
    counts = st.lists(st.integers(0, 60), min_size=k * k, max_size=k * k)
    return counts.map(lambda flat: np.array(flat, dtype=np.float64).reshape(k, k))


@given(table_of(3).filter(lambda t: bool((t.sum(axis=1) > 0).all() and t.trace() > 0)))
def test_the_numerical_derivative_is_the_derivative(table: Table) -> None:
    def formula(t: Table) -> Table:
        rows = t.sum(axis=1, keepdims=True)
        slopes: Table = (np.eye(3) / rows - np.diagonal(t)[:, np.newaxis] / rows**2) / 3
        return slopes

    statistic, filled = TableFunction(table, balanced_accuracy), np.flatnonzero(table)
    numerical = cell_functions.gradient(statistic, table.reshape(-1), filled)
    exact = cell_functions.gradient(
        TableFunction(table, balanced_accuracy, gradient=formula), table.reshape(-1), filled
    )
    assert numerical == pytest.approx(exact, rel=1e-8, abs=1e-8 / table.sum())


def test_small_blocks_of_tables_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = estimate([[30, 2, 1], [4, 20, 3], [2, 2, 9]])
    whole = {method: found.interval(method=method, replicates=999) for method in found.methods}
    monkeypatch.setattr(cell_functions, "BLOCK", 50)
    for method in ("delta", "adjusted-delta"):
        assert found.interval(method=method)[:2] == pytest.approx(whole[method][:2], rel=1e-9)
    monkeypatch.setattr(cell_functions, "BLOCK", 500)
    for method in ("dirichlet", "percentile"):
        assert found.interval(method=method, replicates=999)[:2] == pytest.approx(whole[method][:2], rel=1e-12)


def test_a_table_multiplied_by_a_number_has_the_interval_of_that_many_units() -> None:
    once, tenfold = estimate(BINARY), estimate(10 * np.array(BINARY))
    assert tenfold.standard_error == pytest.approx(once.standard_error / math.sqrt(10), rel=1e-9)
    huge = estimate(10**15 * np.array(BINARY))
    assert huge.standard_error == pytest.approx(once.standard_error / math.sqrt(1e15), rel=1e-6)
    assert huge.interval().low < huge.value < huge.interval().high


def test_sparse_tables_have_methods_of_their_own_by_default() -> None:
    few = estimate([[20, 5], [10, 14]])
    assert (few.n, few.interval().method) == (49, "dirichlet")
    assert estimate([[120, 4], [10, 200]]).interval().method == "dirichlet"
    assert estimate([[120, 5], [10, 200]]).interval().method == "fisher-z"
    assert estimate([[0, 60], [0, 40]]).interval().method == "dirichlet"
    assert estimate([[60, 3, 1], [9, 50, 8], [7, 9, 70]]).interval().method == "adjusted-delta"
    assert estimate([[60, 3, 3], [9, 50, 8], [7, 9, 70]]).interval().method == "fisher-z"


def test_the_dirichlet_posterior_of_a_proportion_is_a_beta_distribution() -> None:
    # Of two cells with 1/2 each, the share of one has the posterior Beta(8.5, 4.5): Jeffreys's interval.
    found = estimate([8, 4], lambda t: t[..., 0] / t.sum(axis=-1), (0.0, 1.0))
    low, high, *_ = found.interval(method="dirichlet", replicates=1_000_000)
    assert (low, high) == pytest.approx(stats.beta(8.5, 4.5).ppf([0.025, 0.975]), abs=2e-3)
    assert found.interval(method="dirichlet") == found.interval(method="dirichlet", seed=0)
    assert found.interval(method="dirichlet") != found.interval(method="dirichlet", seed=1)


def test_pseudocounts_by_hand() -> None:
    # 48 of 60 right: wrong share (12 + 0.5) / 61; a class has half a unit, and a third of one divided evenly.
    table = np.array([[30.0, 4, 2], [1, 10, 3], [1, 1, 8]])
    wrong = 12.5 / 61
    extra = pseudocounts.pseudocounts(table)
    assert np.diagonal(extra) == pytest.approx([(1 - wrong) / 2 + 1 / 6] * 3)
    assert extra[0, 1:] == pytest.approx([(wrong / 2 + 1 / 6) / 2] * 2)
    assert extra.sum() == pytest.approx(3 / 2 + 1)
    absent = pseudocounts.pseudocounts(np.pad(table, ((0, 1), (0, 1))))
    assert absent[:3, :3] == pytest.approx(extra)
    assert not absent[3].any()
    assert not absent[:, 3].any()
    many = pseudocounts.pseudocounts(np.eye(40))
    assert np.count_nonzero(many) == 80
    assert many.sum() == pytest.approx(21)
    assert many.sum(axis=0) == pytest.approx(many.sum(axis=1))


def test_a_stack_of_tables_has_pseudocounts_for_each_of_them() -> None:
    stack = np.array([[[50.0, 6], [7, 30]], [[80.0, 3], [6, 8]]])
    assert pseudocounts.square(stack)
    assert pseudocounts.sparse(stack)
    assert not pseudocounts.sparse(stack[:1])
    assert pseudocounts.pseudocounts(stack) == pytest.approx(
        np.stack([pseudocounts.pseudocounts(each) for each in stack])
    )


def test_the_adjusted_interval_holds_the_delta_intervals_of_both_tables() -> None:
    table = np.array([[30.0, 4, 2], [1, 10, 3], [1, 1, 8]])
    adjusted = table + pseudocounts.pseudocounts(table)
    step = 1.959963985 * estimate(adjusted, n=60).standard_error * math.sqrt(adjusted.sum() / 60)
    value = kappa(adjusted)
    z, scaled = math.atanh(value), step / (1 - value**2)
    found = estimate(table).interval(method="adjusted-delta")
    plain = estimate(table).interval(method="fisher-z")
    farther = min(plain.low, math.tanh(z - scaled)), max(plain.high, math.tanh(z + scaled))
    assert found[:2] == pytest.approx(farther, rel=1e-8)
    # Here the lower limit is that of the adjusted table, and the upper one that of the table itself.
    assert found.low < plain.low
    assert found.high == plain.high


@pytest.mark.parametrize("k", [2, 3, 25])
@pytest.mark.parametrize("method", ["delta", "fisher-z", "dirichlet", "percentile", "bca", "adjusted-delta"])
def test_a_table_without_errors_has_an_interval_of_some_width(k: int, method: str) -> None:
    interval = estimate(10 * np.eye(k)).interval(method=method, replicates=999)
    assert 0.2 < interval.low < 0.99
    assert interval.high == 1.0
    if method not in ("dirichlet", "adjusted-delta"):
        assert interval.reason == "the counts give no variance; the limits are from the Dirichlet posterior"


def test_wald_without_spread_is_undefined() -> None:
    interval = estimate([[50, 0], [0, 50]]).interval(method="wald")
    assert math.isnan(interval.low)
    assert interval.reason == "the Wald interval has no width when the units do not vary: take 'delta'"


def test_an_infinite_value_has_a_lower_limit() -> None:
    with np.errstate(divide="ignore"):
        interval = estimate([[20, 0], [10, 15]], odds_ratio, (0.0, math.inf)).interval(method="delta")
        assert 2 < interval.low < 20
        assert interval.high == math.inf
        assert interval.reason == "the value is infinite; the limits are from the Dirichlet posterior"


def test_an_infinite_derivative_leaves_the_posterior() -> None:
    def root(tables: Any) -> Any:
        return np.sqrt(np.abs(tables[..., 1] - tables[..., 0]) / tables.sum(axis=-1))

    def slope(table: Table) -> Table:
        return np.array([-np.inf, np.inf])

    interval = estimate([30, 30], root, (0.0, 1.0), gradient=slope).interval(method="delta")
    assert interval.low == 0.0
    assert 0.4 < interval.high < 0.8
    assert interval.reason == "the counts give no variance; the limits are from the Dirichlet posterior"


def test_what_is_undefined_says_so() -> None:
    with np.errstate(invalid="ignore"):
        empty = estimate([[0, 0], [0, 0]])
        single = estimate([[5, 0], [0, 0]])
        assert empty.interval().reason == "there are no samples"
        assert single.interval().reason == "the metric is undefined for these data"
        assert math.isnan(single.standard_error)
    alone = estimate(
        [1, 2], accuracy_of_pair, contributions=lambda: Contributions(np.zeros(3, int), np.zeros(3, int)), n=1
    )
    assert alone.interval().reason == "1 sample alone has no variance"
    assert math.isnan(alone.standard_error)


def accuracy_of_pair(tables: Any) -> Any:
    return tables[..., 1] / tables.sum(axis=-1)


def test_one_unit_has_a_wide_interval() -> None:
    low, high, *_ = estimate([0, 1], accuracy_of_pair, (0.0, 1.0)).interval()
    # Jeffreys's prior: the 2.5% quantile of Beta(1.5, 0.5).
    assert low == pytest.approx(stats.beta(1.5, 0.5).ppf(0.025), abs=0.01)
    assert high == 1.0


def test_a_high_level_takes_the_draws_it_needs() -> None:
    small = estimate([[20, 5], [10, 14]])
    assert small.interval(0.9999).method == "dirichlet"
    assert small.interval(0.9999).low < small.interval(0.99).low
    assert small.interval(method="dirichlet", replicates=10) == small.interval(method="dirichlet", replicates=39)
    with pytest.raises(CertusError, match="needs at least 1999999 bootstrap replicates"):
        small.interval(0.999999)
    with pytest.raises(CertusError, match=r"replicates is 10; level 0\.95 needs at least 39"):
        small.interval(method="percentile", replicates=10)


@given(table_of(3).filter(lambda t: bool(t.sum() > 0)), st.sampled_from(["adjusted-delta", "dirichlet", "delta"]))
def test_limits_hold_the_value_and_stay_in_bounds(table: Table, method: str) -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = estimate(table)
        interval = found.interval(method=method, replicates=99)
    if interval.defined:
        assert -1 <= interval.low <= found.value <= interval.high <= 1
        assert interval.low < interval.high


def test_classes_without_samples_can_be_worth_anything() -> None:
    # Two classes of which one has no samples and counts as 0: the mean of the other and of anything from 0 to 1.
    counts = np.array([[8.0, 2.0], [3.0, 7.0]])
    known = Estimate(TableFunction(counts, accuracy), bounds=(0.0, 1.0)).interval(method="delta")
    part = Estimate(TableFunction(counts, lambda t: accuracy(t) / 2, unseen=(0.5, 0.0)), bounds=(0.0, 1.0))
    low, high, *_ = part.interval(method="delta")
    assert part.interval(method="delta").reason == (
        "a class without samples counts as 0; the limits allow it any value"
    )
    assert (low, high) == pytest.approx((known.low / 2, known.high / 2 + 0.5), rel=1e-12)
    ones = Estimate(TableFunction(counts, lambda t: (1 + accuracy(t)) / 2, unseen=(0.5, 1.0)), bounds=(0.0, 1.0))
    for method in ones.methods:
        interval = ones.interval(method=method, replicates=999)
        assert interval.low < 0.5 < interval.high
        assert "a class without samples counts as 1" in interval.reason


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_slopes_that_are_rounding_make_no_interval(classes: int, weighted: bool) -> None:
    """All samples predicted to be of one class: kappa is 0 whatever the counts, and its derivatives cancel."""
    rng = np.random.default_rng(7)
    for n in (12, 30, 60, 75):
        truth = rng.integers(0, classes, n)
        weights = rng.lognormal(0, 0.7, n) if weighted else None
        for scale in (None, "linear"):
            found = certus.classification.cohen_kappa(
                truth, np.full(n, 1), labels=range(classes), weights=scale, sample_weight=weights
            ).interval()
            assert found.high - found.low > 0.01


def test_pseudo_counts_by_chance_are_those_of_a_loop_over_the_cells() -> None:
    table, agreement = np.array([[30.0, 2.0, 1.0], [3.0, 5.0, 0.0], [0.0, 1.0, 0.0]]), 0.6
    n, k = table.sum(), 3
    rows, columns = ([(side + 0.5) / (n + k / 2) for side in table.sum(axis=axis)] for axis in (1, 0))
    by_chance = n - sum(table[i].sum() * table[:, i].sum() for i in range(k)) / n
    share = (by_chance * agreement + 0.5) / (by_chance + 1)
    expected = np.zeros((k, k))
    for i in range(k):
        right, left = share / 2 + 1 / (2 * k), (1 - share) / 2 + 1 / (2 * k)
        expected[i, i] += right
        for j in range(k):
            expected[i, j] += left * columns[j] / 2
            expected[j, i] += left * rows[j] / 2
    found = pseudocounts.by_chance(table, agreement)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert found.sum() == pytest.approx(pseudocounts.pseudocounts(table).sum(), rel=1e-13)


def _tables(prior: list[float], right: float, n: int, samples: int) -> tuple[float, list[Estimate]]:
    """Kappa, and estimates of it, where a share of the labels is right and the others are drawn at random."""
    shares = np.array(prior)
    cells = np.diag(right * shares) + (1 - right) * np.outer(shares, shares)
    rng = np.random.default_rng(n)
    found = []
    for counts in rng.multinomial(n, cells.ravel(), samples):
        true, predicted = np.divmod(np.repeat(np.arange(len(cells.ravel())), counts), len(shares))
        found.append(certus.classification.cohen_kappa(true, predicted, labels=range(len(shares))))
    return right, [each for each in found if math.isfinite(each.value)]


def test_kappa_of_rare_classes_is_covered_by_limits_that_are_no_wider_than_they_need_be() -> None:
    value, found = _tables([0.955, 0.015, 0.015, 0.015], 0.95, 120, 150)
    defaults, adjusted = ([each.interval(method=method) for each in found] for method in (None, "adjusted-delta"))
    assert np.mean([low <= value <= high for low, high, *_ in defaults]) >= 0.94
    widths = [np.median([each.high - each.low for each in some]) for some in (defaults, adjusted)]
    assert widths[1] > 1.15 * widths[0]


def test_kappa_near_chance_is_covered_where_nearly_all_are_of_one_class() -> None:
    # pseudo-samples of rare classes that are right as nine in ten of all samples are cover .66 to .75
    value, found = _tables([0.955, 0.015, 0.015, 0.015], 0.1, 260, 150)
    assert np.mean([low <= value <= high for low, high, *_ in (each.interval() for each in found)]) >= 0.93
