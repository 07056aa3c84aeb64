"""The maximum test of several comparisons."""

import itertools
import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from certus import CertusError, DataError, MetricNameError
from certus.inference import max_t, paired
from certus.inference.intervals.proportion import clopper_pearson_limits
from certus.inference.many.joint import max_t_of_pairs, row_order

RNG = np.random.default_rng(20261122)


def t_of(rows: Any) -> Any:
    n = len(rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = rows.mean(axis=0) / (rows.std(axis=0, ddof=1) / np.sqrt(n))
    return np.where(rows.any(axis=0), found, 0.0)


def oracle(rows: Any, alternative: str = "two-sided", statistic: str = "t") -> tuple[Any, Any, Any]:
    """Raw, single-step and step-down p-values: the definition, with all flips and Student's t itself."""

    def far_out(flipped: Any) -> Any:
        found = t_of(flipped) if statistic == "t" else flipped.mean(axis=0)
        return np.abs(found) if alternative == "two-sided" else found if alternative == "greater" else -found

    observed = far_out(rows)
    flips = itertools.product((1.0, -1.0), repeat=len(rows))
    all_ = np.array([far_out(np.array(signs)[:, None] * rows) for signs in flips])
    reached = observed - 1e-9 * np.abs(observed)
    raw = (all_ >= reached).mean(axis=0)
    single = (all_.max(axis=1)[:, None] >= reached).mean(axis=0)
    down, order, before = np.empty_like(raw), np.argsort(-observed, kind="stable"), 0.0
    for position, column in enumerate(order):
        before = max(before, float((all_[:, order[position:]].max(axis=1) >= reached[column]).mean()))
        down[column] = before
    return raw, single, down


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("statistic", ["t", "mean"])
@pytest.mark.parametrize(("units", "columns"), [(2, 1), (3, 2), (6, 4), (9, 7), (10, 3)])
def test_p_is_that_of_all_sign_flips(units: int, columns: int, statistic: Any, alternative: Any) -> None:
    rows = RNG.normal(0.3, 1.0, (units, columns)) * np.arange(1, columns + 1)
    raw, single, down = oracle(rows, alternative, statistic)
    found = max_t(rows, alternative=alternative, statistic=statistic)
    np.testing.assert_allclose(found.p, down, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.raw, raw, rtol=0, atol=1e-12)
    assert found.exact
    assert found.method_note == f"all {2**units} sign flips"
    assert not found.error.any()
    np.testing.assert_allclose(found.statistic, t_of(rows) if statistic == "t" else rows.mean(axis=0), rtol=1e-12)
    one_step = max_t(rows, alternative=alternative, statistic=statistic, correction="single-step")
    np.testing.assert_allclose(one_step.p, single, rtol=0, atol=1e-12)


def test_differences_tied_on_a_lattice_are_counted_as_tied() -> None:
    rows = RNG.integers(-3, 5, (8, 5)) / 10
    for statistic in ("t", "mean"):
        raw, _, down = oracle(rows * 10, statistic=statistic)
        found = max_t(rows, statistic=statistic)
        np.testing.assert_allclose(found.p, down, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.raw, raw, rtol=0, atol=1e-12)


def test_one_comparison_needs_no_adjustment() -> None:
    rows = RNG.normal(0.2, 1.0, (12, 1))
    found = max_t(rows)
    assert found.p[0] == found.raw[0] == pytest.approx(paired(rows[:, 0], 0 * rows[:, 0], "permutation").p, abs=1e-12)


def test_random_flips_agree_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = RNG.normal(0.2, 1.0, (12, 8))
    exact = max_t(rows)
    monkeypatch.setattr(sys.modules["certus.inference.many.joint"], "MOST_STEPS", 0)
    drawn = max_t(rows, replicates=20_000, seed=5)
    assert not drawn.exact
    assert drawn.method_note == "20000 random sign flips"
    np.testing.assert_allclose(drawn.p, exact.p, rtol=0, atol=4.5 * drawn.error.max())
    np.testing.assert_allclose(drawn.error, np.sqrt(drawn.p * (1 - drawn.p) / 20_000))
    low, high = drawn.p_interval(0.9999)
    assert ((low <= exact.p) & (exact.p <= high)).all()


def test_a_random_p_counts_the_flip_observed() -> None:
    rows = 1.0 + 0.01 * RNG.normal(size=(80, 3))
    found = max_t(rows, replicates=999)
    np.testing.assert_array_equal(found.p, 1 / 1000)
    low, high = found.p_interval()
    np.testing.assert_array_equal(low, 0)
    np.testing.assert_allclose(high, clopper_pearson_limits(0, 999, 0.025)[1], rtol=1e-12)


ROWS = arrays(
    np.float64,
    st.tuples(st.integers(1, 7), st.integers(1, 5)),
    elements=st.one_of(st.just(0.0), st.integers(-9, 9).map(float), st.floats(-4, 4, width=16)),
)


@settings(deadline=None, max_examples=80)
@given(ROWS, st.sampled_from(["two-sided", "greater", "less"]), st.sampled_from(["t", "mean"]), st.randoms())
def test_what_holds_for_all_differences(rows: Any, alternative: Any, statistic: Any, random: Any) -> None:
    found = max_t(rows, alternative=alternative, statistic=statistic)
    single = max_t(rows, alternative=alternative, statistic=statistic, correction="single-step")
    assert (found.raw <= found.p).all()
    assert (found.p <= single.p).all()
    assert (found.p <= 1).all()
    assert (found.p[~rows.any(axis=0)] == 1).all()
    order = list(range(rows.shape[1]))
    random.shuffle(order)
    np.testing.assert_allclose(
        max_t(rows[:, order], alternative=alternative, statistic=statistic).p, found.p[order], atol=1e-12
    )
    units = list(range(len(rows)))
    random.shuffle(units)
    np.testing.assert_allclose(max_t(rows[units], alternative=alternative, statistic=statistic).p, found.p, atol=1e-12)
    turned = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    np.testing.assert_array_equal(max_t(-rows, alternative=turned, statistic=statistic).p, found.p)  # type: ignore[arg-type]
    scales = np.arange(1, rows.shape[1] + 1) if statistic == "t" else 3
    np.testing.assert_allclose(
        max_t(rows * scales, alternative=alternative, statistic=statistic).p, found.p, atol=1e-12
    )


def test_no_difference_has_p_1_and_no_effect_on_the_others() -> None:
    rows = RNG.normal(0.4, 1.0, (60, 3))
    rows[:, 1] = 0
    found = max_t(rows, replicates=2000)
    assert found.p[1] == 1
    assert found.statistic[1] == 0
    np.testing.assert_array_equal(found.p[[0, 2]], max_t(rows[:, [0, 2]], replicates=2000).p)


def test_one_unit_shows_nothing_two_sided() -> None:
    found = max_t([[1.0, -2.0, 0.0]])
    np.testing.assert_array_equal(found.p, 1.0)
    assert np.isnan(found.statistic).all()
    np.testing.assert_array_equal(max_t([[1.0]], alternative="greater").p, 0.5)


def test_constant_differences_are_as_far_out_as_can_be() -> None:
    found = max_t(np.full((5, 2), 0.1))
    np.testing.assert_array_equal(found.p, 2 / 32)
    np.testing.assert_array_equal(found.statistic, np.inf)


@pytest.mark.parametrize("scale", [1e-300, 1e-10, 1e150, 1e300])
def test_the_unit_of_measurement_does_not_matter(scale: float) -> None:
    rows = RNG.normal(0.4, 1.0, (9, 3))
    found = max_t(rows * scale)
    np.testing.assert_allclose(found.p, max_t(rows).p, atol=1e-12)
    np.testing.assert_allclose(found.statistic, max_t(rows).statistic, rtol=1e-9)


def test_bad_input_is_refused() -> None:
    with pytest.raises(DataError, match="differences has 1 dimensions; give one row per unit"):
        max_t([1.0, 2.0])
    with pytest.raises(DataError, match="differences holds nan in row 1, column 0; every unit needs a finite value"):
        max_t([[1.0, 2.0], [np.nan, 1.0]])
    with pytest.raises(DataError, match="differences has 0 rows and 3 columns"):
        max_t(np.zeros((0, 3)))
    with pytest.raises(DataError, match="differences is not an array of numbers"):
        max_t([["a", "b"]])
    with pytest.raises(DataError, match="replicates is 0"):
        max_t([[1.0]], replicates=0)
    with pytest.raises(MetricNameError, match="alternative is 'both'; it must be 'two-sided' or 'greater' or 'less'"):
        max_t([[1.0]], alternative="both")  # type: ignore[arg-type]
    with pytest.raises(MetricNameError, match="statistic is 'z'"):
        max_t([[1.0]], statistic="z")  # type: ignore[arg-type]
    with pytest.raises(MetricNameError, match="correction is 'step-up'"):
        max_t([[1.0]], correction="step-up")  # type: ignore[arg-type]
    with pytest.raises(CertusError, match="level is 95"):
        max_t([[1.0]]).p_interval(95)


RANDOM = np.random.default_rng(20261128)


def pairs_of(systems: int) -> Any:
    return np.array(list(itertools.combinations(range(systems), 2)))


def tables() -> dict[str, Any]:
    near = RANDOM.normal(size=(40, 4))
    near[:, 1] = near[:, 0] + 1e-11 * RANDOM.normal(size=40)
    near[:, 3] = near[:, 2] + 1e-11 * RANDOM.normal(size=40)
    return {
        "few units": RANDOM.normal(size=(9, 4)),
        "0 and 1": RANDOM.integers(0, 2, (60, 5)).astype(float),
        "two pairs of near-copies": near,
        "a system twice": RANDOM.normal(size=(30, 3))[:, [0, 1, 1, 2]],
        "huge and tiny": RANDOM.normal(size=(30, 4)) * [1e300, 1e-300, 1.0, 1e150],
    }


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name", tables())
def test_p_is_that_of_the_differences(name: str, alternative: Any) -> None:
    values = tables()[name]
    pairs = pairs_of(values.shape[1])
    differences = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    expected = max_t(differences, alternative=alternative, replicates=2_000, seed=3)
    found = max_t_of_pairs(values, pairs, alternative=alternative, replicates=2_000, seed=3)
    assert found.p.tolist() == expected.p.tolist()
    assert found.raw.tolist() == expected.raw.tolist()
    np.testing.assert_allclose(found.statistic, expected.statistic, rtol=1e-12)


def test_rows_are_ordered_by_the_sizes_of_all_columns_then_by_their_values() -> None:
    for turn in range(60):
        rows = RANDOM.integers(0, 3, (20, 3)) / 3 if turn % 2 else RANDOM.normal(size=(20, 3))
        sides = np.array([1.0 if math.fsum(column) >= 0 else -1.0 for column in rows.T])
        expected = np.lexsort((*(rows * sides).T, *np.abs(rows).T))
        assert (rows[row_order(rows)] == rows[expected]).all()
