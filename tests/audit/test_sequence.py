"""Confidence sequences: by hand, by enumeration of every order of the labels, and by the exact chance of a miss."""

import itertools
import math
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import CertusError, DataError, MetricNameError
from certus.audit.sequence import Watch, ratio_steps, sequence

Method = Literal["ppr", "wsr"]
METHODS: tuple[Method, ...] = get_args(Method)


def kept_by_definition(labels: list[int], population: int, alpha: Fraction) -> list[tuple[int, int]]:
    """The intersection, step by step, of the counts whose prior is less than 1 / alpha times their posterior."""
    kept = set(range(population + 1))
    found = []
    for t in range(1, len(labels) + 1):
        k = sum(labels[:t])
        likelihood = [Fraction(math.comb(m, k) * math.comb(population - m, t - k)) for m in range(population + 1)]
        total = sum(likelihood)
        kept &= {m for m in range(population + 1) if Fraction(1, population + 1) * total * alpha < likelihood[m]}
        found.append((min(kept, default=-1), max(kept, default=-1)))
        if not kept:
            break
    return found


@given(st.data(), st.integers(1, 25), st.sampled_from([Fraction(499, 1000), Fraction(101, 1000), Fraction(53, 1000)]))
@settings(max_examples=60, deadline=None)
def test_the_ratio_keeps_the_counts_of_its_definition(data: st.DataObject, population: int, alpha: Fraction) -> None:
    labels = data.draw(st.lists(st.integers(0, 1), min_size=1, max_size=population))
    expected = kept_by_definition(labels, population, alpha)
    found = sequence(labels, population=population, level=float(1 - alpha))
    limits = list(zip(found.low.tolist(), found.high.tolist(), strict=True))
    until = next((i for i, each in enumerate(expected) if each == (-1, -1)), len(expected))
    assert limits[:until] == expected[:until]
    assert (found.contradictions[:1] == (until + 1,)) == (until < len(expected))


def miss(population: int, count: int, level: float, method: Method, prior: tuple[float, float]) -> Fraction:
    """The exact chance that any interval on the way misses the count, over all orders of the labels."""
    orders = list(itertools.combinations(range(population), count))
    missed = 0
    for ones in orders:
        labels = np.zeros(population, dtype=int)
        labels[list(ones)] = 1
        found = sequence(labels, population=population, level=level, interval=method, prior=prior)
        missed += bool(((found.low > count) | (found.high < count)).any())
    return Fraction(missed, len(orders))


@pytest.mark.parametrize(("method", "prior"), [("ppr", (1, 1)), ("ppr", (0.5, 0.5)), ("ppr", (8, 2)), ("wsr", (1, 1))])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_no_count_is_ever_missed_more_often_than_promised(
    method: Method, prior: tuple[float, float], level: float
) -> None:
    worst = max(miss(9, count, level, method, prior) for count in range(10))
    assert worst <= 1 - level + 1e-12


def test_the_chance_of_a_miss_is_not_far_below_the_promise() -> None:
    # an interval that never misses would pass the test above
    assert max(miss(10, count, 0.5, "ppr", (1, 1)) for count in range(11)) > 0.2


def ever_missed(population: int, count: int, level: float) -> float:
    """The same by recursion over labels seen and hits among them, on which alone the ratio depends."""
    alive = np.zeros(population + 1)
    alive[0] = 1
    hits = np.arange(population + 1)
    for t in range(population):
        hit = np.clip((count - hits) / (population - t), 0, 1)
        alive = alive * (1 - hit) + np.concatenate(([0], (alive * hit)[:-1]))
        possible = (hits <= t + 1) & (hits <= count) & (t + 1 - hits <= population - count)
        alive[~possible] = 0
        with np.errstate(divide="ignore"):
            likelihood = np.array(
                [math.log(math.comb(count, k) * math.comb(population - count, t + 1 - k)) if ok else -np.inf
                 for k, ok in zip(hits.tolist(), possible.tolist(), strict=True)]
            )  # fmt: skip
        average = math.log(math.comb(population + 1, t + 2)) - math.log(population + 1)
        total = math.log(math.comb(population, t + 1)) - math.log(t + 2) + np.zeros(1)
        assert average == pytest.approx(float(total[0]))  # the sum over counts, and its closed form
        alive[likelihood <= average + math.log(1 - level)] = 0
    return 1 - float(alive.sum())


@pytest.mark.parametrize("count", [0, 3, 30, 60, 85, 120])
def test_the_chance_of_a_miss_is_held_in_larger_populations(count: int) -> None:
    missed = ever_missed(120, count, 0.9)
    assert missed <= 0.1
    rng = np.random.Generator(np.random.PCG64(count))
    truth = np.arange(120) < count
    orders = [sequence(rng.permutation(truth), population=120, level=0.9) for _ in range(300)]
    share = np.mean([((each.low > count) | (each.high < count)).any() for each in orders])
    assert share == pytest.approx(missed, abs=4 * math.sqrt(0.1 * 0.9 / 300))


def test_when_all_is_checked_the_count_is_known() -> None:
    labels = [1, 0, 1, 1, 0, 1]
    for method in METHODS:
        found = sequence(labels, population=6, interval=method)
        assert (found.low[-1], found.high[-1]) == (4, 4)
        assert found.interval() == (4 / 6, 4 / 6)
        assert found.interval().method == method


@given(st.data(), st.integers(1, 400), st.sampled_from(METHODS))
@settings(max_examples=60, deadline=None)
def test_intervals_never_widen_and_hold_what_was_seen(data: st.DataObject, population: int, method: Method) -> None:
    labels = data.draw(st.lists(st.booleans(), max_size=min(population, 60)))
    found = sequence(labels, population=population, interval=method)
    assert len(found) == len(labels)
    assert (found.low <= found.high).all()
    if not found.contradictions:
        assert (np.diff(found.low) >= 0).all()
        assert (np.diff(found.high) <= 0).all()
    misses = np.arange(1, len(labels) + 1) - found.hits
    assert (found.low >= found.hits).all()
    assert (found.high <= population - misses).all()


def test_hits_and_misses_are_treated_alike() -> None:
    labels = np.random.Generator(np.random.PCG64(5)).random(200) < 0.3
    for method in METHODS:
        one = sequence(labels, population=1000, interval=method)
        other = sequence(~labels, population=1000, interval=method)
        assert np.array_equal(one.low, 1000 - other.high)


@given(st.lists(st.booleans(), min_size=1, max_size=80))
@settings(max_examples=40, deadline=None)
def test_a_watch_gives_what_the_sequence_gives(labels: list[bool]) -> None:
    watch = Watch(population=80, level=0.8, prior="jeffreys")
    found = sequence(labels, population=80, level=0.8, prior="jeffreys")
    for i, label in enumerate(labels):
        interval = watch.add(label)
        assert interval == found.interval(i + 1)
    assert (watch.checked, watch.hits) == (len(labels), sum(labels))


def test_stopping_is_at_the_first_narrow_interval() -> None:
    labels = [1, 1, 1, 0] * 100
    found = sequence(labels, population=1000)
    at = found.stop(0.2)
    assert at is not None
    widths = (found.high - found.low) / 1000
    assert widths[at - 1] <= 0.2 < widths[at - 2]
    assert found.stop(0.001) is None
    assert sequence([], population=10).stop(0.5) is None


def test_labels_out_of_order_are_contradicted_and_said_to_be() -> None:
    found = sequence([1] * 300 + [0] * 500, population=1000)
    assert found.contradictions
    assert f"(contradicted after label {found.contradictions[0]})" in str(found)


def test_among_a_milliard_items_the_limits_are_those_of_exact_arithmetic() -> None:
    population, checked, hits = 10**9, 1000, 750
    low, high = (
        int(limit[0]) for limit in ratio_steps(np.array([checked]), np.array([hits]), population, 0.05, (1, 1))
    )
    average = math.log(Fraction(1, (checked + 1) * math.comb(checked, hits)))

    def log_ratio(count: int) -> float:
        falling = [(count, hits), (population - count, checked - hits), (population, checked)]
        ones, zeros, drawn = (math.fsum(math.log(x - i) for i in range(k)) for x, k in falling)
        return average - (ones + zeros - drawn)

    refuted = math.log(20)
    # rounding widens by 1e-4 of the ratio's logarithm at most, here by a few thousand of 1e9 items
    assert log_ratio(low) < refuted + 2e-4
    assert log_ratio(low + 5000) < refuted < log_ratio(low - 1)
    assert log_ratio(high - 5000) < refuted < log_ratio(high + 1)


@pytest.mark.parametrize(
    ("labels", "arguments", "match"),
    [
        ([1, 2], {"population": 5}, "label 2 is 2; it must be 1 or True for a hit"),
        ([1, float("nan")], {"population": 5}, "label 2 is nan"),
        ([1, None], {"population": 5}, "label 2 is None"),
        (["yes"], {"population": 5}, "label 1 is 'yes'"),
        ([1, "yes"], {"population": 5}, "label 2 is 'yes'"),
        ([1, [2]], {"population": 5}, r"label 2 is \[2\]"),
        ([1], {"population": "5"}, "population is '5'; it must be a whole number of at least 1"),
        ([1], {"population": 5, "level": "0.9"}, "level is '0.9'; it must be a number"),
        ([1], {"population": 5, "interval": ["ppr"]}, r"interval is \['ppr'\]; it must be 'ppr' or 'wsr'"),
        ([[1]], {"population": 5}, r"labels have the shape \(1, 1\)"),
        ([1, 1, 0], {"population": 2}, "there are 3 labels but population is 2"),
        ([1], {"population": 0}, "population is 0; it must be at least 1"),
        ([1], {"population": 2.5}, "population is 2.5"),
        ([1], {"population": 2, "level": 1.0}, "level is 1.0"),
        ([1], {"population": 2, "prior": (0, 1)}, r"prior is \(0, 1\); it must be .* two positive numbers"),
    ],
)
def test_what_cannot_be_is_refused(labels: list[object], arguments: dict[str, object], match: str) -> None:
    with pytest.raises(CertusError, match=match):
        sequence(labels, **arguments)  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(MetricNameError, match="interval is 'betting'; it must be 'ppr' or 'wsr'"):
        sequence([1], population=2, interval="betting")  # type: ignore[arg-type]
    with pytest.raises(MetricNameError, match="no prior is named 'flat'"):
        sequence([1], population=2, prior="flat")
    with pytest.raises(CertusError, match="width is 0"):
        sequence([1], population=2).stop(0)
    with pytest.raises(CertusError, match="checked is 3; there is 1 label"):
        sequence([1], population=4).interval(3)


def test_a_watch_ends_with_the_population() -> None:
    watch = Watch(population=1)
    watch.add(True)
    with pytest.raises(DataError, match="every item of the population has a label"):
        watch.add(True)
