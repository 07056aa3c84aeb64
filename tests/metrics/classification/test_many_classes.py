"""Tables of many classes, of which the cells that samples fill are held: the numbers of the whole table."""

import pickle
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from crossed import crossed
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import certus
from certus import classification
from certus.data import Labels
from certus.data import cells as layouts
from certus.data.cells import FullLayout, SparseLayout, four_cells
from certus.inference import Estimate, difference
from certus.metrics import Metric
from certus.statistic import TableFunction

FEW = 400
"""Cells of a table held whole, in tests: those of the 20 classes of which all cells get pseudo-errors."""
METRICS: list[Metric] = [
    *(
        metric.using(average=average, undefined=0.25)
        for metric in (classification.f1, classification.precision, classification.specificity)
        for average in ("macro", "weighted")
    ),
    classification.jaccard.using(average="micro"),
    classification.informedness.using(average="macro", undefined="skip"),
    classification.balanced_accuracy.using(undefined=0.0),
    classification.balanced_accuracy.using(adjusted=True, undefined="skip"),
    classification.mcc,
    *(classification.cohen_kappa.using(weights=weights) for weights in (None, "linear", "quadratic")),
]


def cells(estimate: Estimate) -> TableFunction:
    assert isinstance(estimate.statistic, TableFunction)
    return estimate.statistic


def columns(classes: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, dict[str, dict[str, np.ndarray]]]:
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.ones(classes))
    true, other = random.choice(classes, n, p=shares), random.integers(0, classes, n)
    weights = {"sample_weight": random.choice([0.5, 1.0, 3.0], n)}
    groups = {"groups": random.integers(0, n // 5, n)}
    pred = np.where(random.random(n) < 0.6, true, other)
    return true, pred, {"plain": {}, "weights": weights, "groups": groups, "both": weights | groups}


@pytest.mark.parametrize(("metric", "kind"), crossed(METRICS, ("plain", "weights", "groups", "both")), ids=str)
def test_the_cells_held_give_the_intervals_of_the_whole_table(
    metric: Metric, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, pred, kinds = columns(25, 300, 1)
    whole = metric(true, pred, **kinds[kind])
    monkeypatch.setattr(layouts, "MOST_CELLS", FEW)
    held = metric(true, pred, **kinds[kind])
    assert (cells(whole).counts.ndim, cells(held).counts.ndim) == (2, 1)
    assert held.value == pytest.approx(whole.value, rel=1e-13)
    assert held.standard_error == pytest.approx(whole.standard_error, rel=1e-10)
    assert held.methods == whole.methods
    assert held.interval().method == whole.interval().method
    for method in (None, *held.methods):
        wanted, found = (each.interval(method=method, replicates=400) for each in (whole, held))
        assert found[:2] == pytest.approx(wanted[:2], rel=1e-7, abs=1e-9), method
    again = pickle.loads(pickle.dumps(held))
    assert again.interval()[:2] == held.interval()[:2]


def test_few_classes_with_samples_among_many_have_all_their_cells() -> None:
    true, pred, _ = columns(4, 60, 2)
    labels = list(range(100))
    few, many = (classification.mcc(true, pred, labels=each) for each in (None, labels))
    assert cells(many).counts.size == 16
    assert many.interval()[:2] == pytest.approx(few.interval()[:2], rel=1e-9)


@settings(max_examples=60)
@given(
    filled=st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([1e12, 5.0, 0.3, 1e-7])), min_size=1
    )
)
def test_the_four_cells_are_right_to_all_digits(filled: list[tuple[int, int, float]]) -> None:
    table = np.zeros((6, 6))
    for row, column, weight in filled:
        table[row, column] = weight
    exact = [[Fraction(x) for x in row] for row in table.tolist()]
    every = range(6)
    wanted: list[list[Any]] = [
        [exact[k][k] for k in every],
        [sum(exact[i][k] for i in every if i != k) for k in every],
        [sum(exact[k][j] for j in every if j != k) for k in every],
        [sum(exact[i][j] for i in every for j in every if k not in (i, j)) for k in every],
    ]
    rows, columns = np.nonzero(table)
    held = SparseLayout(rows, columns, 6)
    for found in (four_cells(table), held.four(table[rows, columns])):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, np.array(other, dtype=np.float64), rtol=1e-14, atol=0)
    tp, fp, fn, tn = np.random.default_rng(len(filled)).normal(size=(4, 6))
    slopes = tp, fp, fn, tn
    np.testing.assert_allclose(
        held.by_cell(slopes), FullLayout().by_cell(slopes)[rows, columns], rtol=1e-12, atol=1e-14
    )


@pytest.mark.parametrize("power", [1, 2])
def test_weighted_kappa_of_many_classes_is_that_of_all_pairs_of_classes(power: int) -> None:
    counts = np.random.default_rng(3).integers(0, 50, (9, 9))
    apart = np.abs(np.subtract.outer(np.arange(9), np.arange(9))) ** power
    expected = (np.outer(counts.sum(1), counts.sum(0)) * apart).sum() / counts.sum()
    kappa = classification.cohen_kappa(Labels.from_counts(counts), weights="linear" if power == 1 else "quadratic")
    assert kappa.value == pytest.approx(1 - (counts * apart).sum() / expected, rel=1e-13)


def test_systems_of_many_classes_are_compared_by_whole_tables() -> None:
    true, a, _ = columns(70, 400, 4)
    b = np.where(np.random.default_rng(5).random(400) < 0.2, (true + 1) % 70, a)
    metric = classification.f1.using(average="macro", undefined=0.0)
    labels: Any = list(range(70))
    found = difference(metric(true, a, labels=labels), metric(true, b, labels=labels))
    (row,) = certus.compare(true, {"b": b, "a": a}, metric, baseline="b", labels=labels)
    assert (found.difference.value, found.p) == (row.difference, row.p)
    assert found.difference.value == pytest.approx(metric(true, a).value - metric(true, b).value, abs=0.02)


@pytest.mark.parametrize("kind", ["plain", "weights", "groups"])
def test_the_interval_of_two_thousand_classes_makes_nobody_wait(kind: str) -> None:
    true, pred, kinds = columns(2_000, 50_000, 6)
    for metric in (METRICS[0], classification.mcc):
        found = metric(true, pred, **kinds[kind])
        repr(found)  # what is imported is no part of it
        found = metric(true, pred, **kinds[kind])
        start = time.process_time()
        repr(found)
        assert time.process_time() - start < 0.4  # 0.05 on a quiet machine; it was 0.5 to 6


def test_a_table_holds_the_cells_that_are_filled() -> None:
    true, pred, _ = columns(300, 2_000, 7)
    table = Labels.from_arrays(true, pred).table
    assert isinstance(table.layout, SparseLayout)
    assert table.counts.sum() == 2_000
    assert len(table.counts) < 2_700


def test_an_average_over_classes_without_samples_has_limits_that_allow_them_any_value() -> None:
    table = np.diag([5, 6, 7, 3, 0])
    table[0, 1] = 2
    value = classification.f1(Labels.from_counts(table), average="macro", undefined=0)
    interval = value.interval()
    assert interval.reason == "a class without samples counts as 0; the limits allow it any value"
    seen = classification.f1(Labels.from_counts(table[:4, :4]), average="macro").interval()
    assert interval[:2] == pytest.approx((0.8 * seen.low, 0.8 * seen.high + 0.2), rel=1e-9)
    # What is left out of the average needs no limits, and without a number for it there is no value.
    assert not classification.f1(Labels.from_counts(table), average="macro", undefined="skip").interval().reason
    assert not classification.f1(Labels.from_counts(table), average="macro").interval().defined


@pytest.mark.parametrize(
    ("classes", "n", "zipf", "right"), [(10, 60, 1.0, 0.7), (20, 150, 1.5, 0.8), (30, 100, 1.0, 0.8)]
)
def test_macro_f1_of_rare_classes_is_covered(classes: int, n: int, zipf: float, right: float) -> None:
    # Where those classes count as 0 for certain, .87, .19 and .13 are covered, nearly all misses being below the truth.
    shares = 1 / np.arange(1, classes + 1) ** zipf
    shares /= shares.sum()
    table = shares[:, np.newaxis] * ((1 - right) * shares + right * np.eye(classes))

    def macro(counts: NDArray[np.int64]) -> Estimate:
        found: Estimate = classification.f1(Labels.from_counts(counts), average="macro", undefined=0)
        return found

    truth = float(macro(np.rint(1e12 * table).astype(np.int64)))
    rng = np.random.default_rng(classes + n)
    covered = 0
    for counts in rng.multinomial(n, table.ravel(), size=120).reshape(-1, classes, classes):
        low, high, *_ = macro(counts).interval()
        covered += low <= truth <= high
    assert covered >= 0.91 * 120
