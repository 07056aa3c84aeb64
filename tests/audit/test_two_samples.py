"""Two samples: by hand, against full enumeration, and what holds at every size."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strata_oracle import Pair, buehler, coverage, samples

from certus import CertusError, DataError, MetricNameError
from certus.audit import two_samples
from certus.audit.strata import StrataAudit
from certus.inference import Estimate
from certus.statistic.sampled import Share, Stratum

SHARES = get_args(Share)
METHODS = ("posterior", "bonferroni", "buehler", "berger-boos")
EXACT = [method for method in METHODS if method != "posterior"]
COUNTS = {
    "retrieved": 300,
    "retrieved_checked": 60,
    "retrieved_hits": 40,
    "discarded": 1500,
    "discarded_checked": 120,
    "discarded_hits": 6,
}


def audit(*counts: int, **options: Any) -> StrataAudit:
    given: dict[str, Any] = dict(zip(COUNTS, counts, strict=True))
    return two_samples(**given, **options)


def test_values_are_those_at_the_estimated_counts() -> None:
    # 40 of 60: 200 of 300; 6 of 120: 75 of 1500.
    found = audit(*COUNTS.values())
    assert found.recall.value == 200 / 275
    assert found.precision.value == 200 / 300
    assert found.f1.value == 2 * 200 / (300 + 275)
    assert found.elusion.value == 75 / 1500
    assert isinstance(found.recall, Estimate)
    assert found.recall.n == 180


def test_an_interval_is_of_the_level_and_the_method_asked_for() -> None:
    found = audit(*COUNTS.values(), level=0.9, interval="bonferroni")
    assert (found.recall.interval().level, found.recall.interval().method) == (0.9, "bonferroni")
    asked = found.recall.interval(0.8, "posterior")
    assert (asked.level, asked.method) == (0.8, "posterior")
    assert found.recall.interval(0.9, "posterior") == found.posterior("recall").interval(0.9)
    assert "90% Bonferroni exact, 180 checked items" in str(found.recall)
    assert str(found).endswith("90% Bonferroni exact, 180 of 1800 items checked")


def test_the_prior_is_the_one_asked_for() -> None:
    found = audit(10, 2, 1, 10, 2, 1, prior="uniform")
    # Uniform prior, 1 hit of 2: the 8 others are beta-binomial(8; 2, 2), with (x + 1) (9 - x) / 165 for x.
    assert found.posterior("precision").cdf(0.1) == pytest.approx(9 / 165)
    assert found.posterior("precision").cdf(0.2) == pytest.approx((9 + 16) / 165)


@pytest.mark.parametrize(
    ("given", "name"),
    [("Uniform", "uniform"), ((1, 1), "uniform"), (" JEFFREYS", "jeffreys"), ([0.5, 0.5], "jeffreys")],
)
def test_a_prior_goes_by_its_name_or_its_parameters(given: Any, name: str) -> None:
    assert audit(10, 2, 1, 10, 2, 1, prior=given).prior == name


def test_bonferroni_is_the_rectangle_of_two_exact_intervals() -> None:
    # All hits, 3 of 3 checked of 5: P(3 hits | 3 relevant) = 1/10, P(3 | 2) = 0. At 1 - 0.8 = 0.2 over two strata and
    # two sides 0.05 is left: 3 relevant stay. No hit among 2 of 4: P(0 | 2) = 1/6, P(0 | 3) = 0.
    found = audit(5, 3, 3, 4, 2, 0, level=0.8, interval="bonferroni")
    assert found.precision.interval() == (3 / 5, 1.0)
    assert found.elusion.interval() == (0.0, 2 / 4)
    assert found.recall.interval() == (3 / 5, 1.0)
    assert found.f1.interval() == (6 / (5 + 5), 1.0)


@pytest.mark.parametrize("method", ["buehler", "berger-boos"])
@pytest.mark.parametrize("of", ["recall", "f1"])
@pytest.mark.parametrize("design", [(6, 6, 9, 3), (7, 2, 10, 0), (6, 3, 6, 3), (3, 3, 4, 4)])
def test_limits_from_ordered_samples_are_those_of_the_definition(
    design: tuple[int, int, int, int], of: Share, method: str
) -> None:
    n1, checked1, n2, checked2 = design
    spent = Fraction(1, 20_000) if method == "berger-boos" else Fraction(0)
    expected = buehler(Stratum(n1, checked1, 0), Stratum(n2, checked2, 0, predicted=False), of, Fraction(1, 20), spent)
    for (j, k), (low, high) in expected.items():
        estimate = audit(n1, checked1, j, n2, checked2, k, level=0.9, interval=method).share(of)
        if not estimate.reason:
            assert estimate.interval() == (float(low), float(high))


@pytest.mark.parametrize("method", ["buehler", "berger-boos"])
def test_limits_from_ordered_samples_are_possible(method: str) -> None:
    # All retrieved are checked: F1 is at most 2 * 50 / (100 + 50).
    assert audit(100, 100, 50, 1000, 50, 0, interval=method).f1.interval().high <= 100 / 150
    # 1 of 10 retrieved, all checked, and at least 1 discarded; at least 2 of at most 10.
    assert audit(10, 10, 1, 12, 3, 1, interval=method).recall.interval().high <= 1 / 2
    assert audit(6, 3, 2, 8, 4, 4, interval=method).recall.interval().low >= 2 / 10


@pytest.mark.parametrize("of", SHARES)
@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("design", [(6, 3, 9, 4), (5, 5, 8, 3), (7, 2, 6, 6)])
def test_exact_methods_cover_at_least_their_level(design: tuple[int, int, int, int], method: str, of: Share) -> None:
    """Every population, every sample: the exact probability that the interval holds the share."""
    n1, checked1, n2, checked2 = design
    retrieved, discarded = Stratum(n1, checked1, 0), Stratum(n2, checked2, 0, predicted=False)

    def interval(pair: Pair) -> tuple[float, float]:
        estimate = audit(n1, checked1, pair[0], n2, checked2, pair[1], level=0.8, interval=method).share(of)
        return (0.0, 1.0) if estimate.reason else estimate.interval()

    assert min(coverage(retrieved, discarded, of, interval).values()) >= Fraction(4, 5)
    assert len(samples(retrieved, discarded)) == (checked1 + 1) * (checked2 + 1)


def test_bonferroni_holds_for_all_shares_at_once() -> None:
    """Whenever the intervals of precision and elusion hold, so do those of recall and F1."""
    n1, checked1, n2, checked2 = 6, 3, 9, 4
    for pair in samples(Stratum(n1, checked1, 0), Stratum(n2, checked2, 0, predicted=False)):
        each = audit(n1, checked1, pair[0], n2, checked2, pair[1], level=0.8, interval="bonferroni")
        precision, elusion, f1 = (each.share(of).interval() for of in ("precision", "elusion", "f1"))
        recall = (0.0, 1.0) if each.recall.reason else each.recall.interval()
        for x in range(n1 + 1):
            for y in range(n2 + 1):
                if precision.low <= x / n1 <= precision.high and elusion.low <= y / n2 <= elusion.high:
                    assert f1.low <= 2 * x / (n1 + x + y) <= f1.high
                    assert not x + y or recall[0] <= x / (x + y) <= recall[1]


def test_limits_of_the_methods_at_the_size_of_the_coverage_study() -> None:
    found = {method: audit(*COUNTS.values()).recall.interval(method=method) for method in METHODS}
    # Checked once against an order of all 7,381 samples (bench/coverage/two_samples.py).
    assert found["posterior"][:2] == pytest.approx((0.569536, 0.858333), abs=1e-6)
    assert found["berger-boos"][:2] == pytest.approx((0.568254, 0.862832), abs=1e-6)
    assert found["buehler"][:2] == pytest.approx((0.545455, 0.916667), abs=1e-6)
    assert found["bonferroni"][:2] == pytest.approx((0.489297, 0.900383), abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_limits_do_not_fall_as_retrieved_hits_are_added(method: str) -> None:
    for of in ("recall", "precision", "f1"):
        intervals = [audit(60, 7, hits, 200, 15, 3, interval=method).share(of).interval() for hits in range(8)]
        assert all(a.low <= b.low and a.high <= b.high for a, b in pairwise(intervals))


@pytest.mark.parametrize("method", METHODS)
def test_swapped_sides_swap_the_limits_of_recall(method: str) -> None:
    low, high = audit(200, 30, 20, 900, 50, 3, interval=method).recall.interval()
    swapped = audit(900, 50, 3, 200, 30, 20, interval=method).recall.interval()
    assert (low, high) == pytest.approx((1 - swapped.high, 1 - swapped.low), rel=1e-13)


@pytest.mark.parametrize("of", ["recall", "f1"])
def test_a_million_retrieved_and_ten_million_discarded(of: Share) -> None:
    estimate = audit(10**6, 700, 490, 10**7, 900, 9).share(of)
    posterior = estimate.interval()
    assert 0 < posterior.low < estimate.value < posterior.high < 1
    for method in EXACT:
        low, high = estimate.interval(method=method)[:2]
        assert 0 < low < posterior.low + 0.001
        assert posterior.high - 0.001 < high < 1
    narrow, wide = estimate.interval(method="berger-boos"), estimate.interval(method="bonferroni")
    assert narrow.high - narrow.low < 0.9 * (wide.high - wide.low)


@pytest.mark.parametrize("method", METHODS)
def test_items_that_were_all_checked_are_known(method: str) -> None:
    found = audit(40, 40, 30, 60, 60, 10, interval=method)
    assert found.recall.interval() == (0.75, 0.75)
    assert found.f1.interval() == (60 / 80, 60 / 80)
    half = audit(40, 40, 30, 600, 60, 2, interval=method)
    assert half.precision.interval() == (0.75, 0.75)
    if method == "bonferroni":
        # All error goes to the one count that is open, and the limits of recall are those of elusion.
        low, high = (30 / (30 + 600 * rate) for rate in half.elusion.interval())
        assert half.recall.interval() == pytest.approx((high, low), rel=1e-14)


@pytest.mark.parametrize("method", EXACT)
def test_what_was_not_checked_may_be_anything(method: str) -> None:
    found = audit(10, 5, 5, 100, 0, 0, interval=method)
    assert found.elusion.interval() == (0, 1)
    assert found.recall.interval().high == 1
    assert found.recall.interval().low == pytest.approx(found.precision.interval().low * 10 / 110, rel=0.15)


def test_equal_tails_of_few_checked_among_many_do_not_leave_out_the_estimate() -> None:
    few = audit(1000, 10, 10, 10**6, 10, 0)
    assert few.recall.value == 1.0 > few.posterior("recall").interval(0.95)[1]
    assert few.recall.interval().high == few.f1.interval().high == 1.0
    assert few.elusion.interval().low == 0.0 < few.posterior("elusion").interval(0.95)[0]
    none = audit(10**6, 10, 0, 1000, 10, 10)
    assert none.recall.interval().low == none.precision.interval().low == none.f1.interval().low == 0.0


def test_the_posterior_of_what_was_not_checked_is_its_prior() -> None:
    found = audit(10, 5, 5, 100, 0, 0)
    assert found.posterior("elusion").mean() == pytest.approx(0.5)
    assert found.elusion.interval().reason == "the prior alone determines 100 items, none of which was checked"
    assert "the prior alone" in str(found.recall)
    assert not found.precision.interval().reason


@pytest.mark.parametrize("method", METHODS)
def test_no_hits_at_all(method: str) -> None:
    found = audit(50, 10, 0, 100, 20, 0, interval=method)
    assert math.isnan(found.recall.value)
    assert found.recall.reason == "no checked item is relevant"
    assert found.precision.interval().low == found.elusion.interval().low == found.f1.interval().low == 0
    assert found.f1.value == 0
    assert 0 < found.posterior("recall").mean() < 1


@pytest.mark.parametrize("method", METHODS)
def test_nothing_retrieved_and_nothing_discarded(method: str) -> None:
    nothing = audit(0, 0, 0, 100, 20, 5, interval=method)
    assert nothing.recall.interval() == nothing.f1.interval() == (0, 0)
    assert nothing.precision.reason == "no item is predicted"
    everything = audit(100, 20, 5, 0, 0, 0, interval=method)
    assert everything.recall.interval() == (1, 1)
    assert everything.elusion.reason == "every item is predicted"
    with pytest.raises(DataError, match="elusion is undefined, for every item is predicted"):
        everything.posterior("elusion")


@settings(max_examples=15)
@given(st.data())
def test_any_counts_give_intervals_in_order(data: st.DataObject) -> None:
    sizes = [data.draw(st.integers(0, 40)) for _ in range(2)]
    if not sum(sizes):
        return
    checked = [data.draw(st.integers(0, size)) for size in sizes]
    hits = [data.draw(st.integers(0, count)) for count in checked]
    found = audit(sizes[0], checked[0], hits[0], sizes[1], checked[1], hits[1], level=data.draw(st.floats(0.5, 0.999)))
    for estimate in (found.recall, found.f1):
        for method in METHODS:
            low, high = estimate.interval(method=method)[:2]
            assert estimate.reason or 0 <= low <= high <= 1
            # Where all were checked or none, the value may be a limit; elsewhere no exact interval leaves it out.
            if not estimate.reason and method != "posterior":
                assert low <= estimate.value + 1e-12
                assert estimate.value - 1e-12 <= high


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("retrieved", -1, "retrieved is -1; it must be a whole number of at least 0"),
        ("discarded", 10.5, "discarded is 10.5; it must be a whole number"),
        ("retrieved_checked", 301, "retrieved_checked is 301 but retrieved is 300; an item is checked at most once"),
        ("retrieved_checked", "5", "retrieved_checked is '5'; it must be a whole number"),
        ("retrieved_checked", None, "retrieved_checked is None; it must be a whole number"),
        ("retrieved_checked", [5], r"retrieved_checked is \[5\]; it must be a whole number"),
        ("retrieved_checked", True, "retrieved_checked is True; it must be a whole number"),
        ("level", "0.95", "level is '0.95'; it must be a number strictly between 0 and 1"),
        ("interval", 3, "the interval method is 3; it must be the name of one: posterior"),
        ("prior", (2, 1), r"prior is \(2, 1\); it must be one of 'jeffreys', 'uniform', \(0.5, 0.5\), \(1, 1\)"),
        ("retrieved_hits", 61, "retrieved_hits is 61 but retrieved_checked is 60; hits are counted among"),
        ("discarded_checked", 1501, "discarded_checked is 1501 but discarded is 1500"),
        ("discarded_hits", 121, "discarded_hits is 121 but discarded_checked is 120"),
        ("level", 1.0, "level is 1.0; it must lie strictly between 0 and 1"),
        ("interval", "bühler", "no interval method is named 'bühler'; did you mean 'buehler'?"),
        (
            "interval",
            "wilson",
            "the interval method 'wilson' is not one for a share of strata; the methods are posterior",
        ),
        ("prior", "haldane", "prior is 'haldane'; it must be one of 'jeffreys', 'uniform'"),
    ],
)
def test_impossible_arguments_are_refused_by_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(CertusError, match=message.replace("?", r"\?")):
        two_samples(**{**COUNTS, name: value})


@pytest.mark.parametrize("of", SHARES)
def test_quantiles_of_what_is_no_probability_are_nan(of: Share) -> None:
    law = audit(*COUNTS.values()).posterior(of)
    for quantile in (law.ppf, law.isf):
        assert np.isnan(quantile([-0.1, 1.1, math.inf, math.nan])).all()
        assert np.isfinite(quantile([0, 1])).all()
    assert law.cdf([-0.1, 1.1]) == pytest.approx([0, 1])


def test_no_items_and_no_such_share_are_refused() -> None:
    with pytest.raises(DataError, match="the strata have no items"):
        audit(0, 0, 0, 0, 0, 0)
    with pytest.raises(DataError, match="of is 'accuracy'; it must be one of 'recall'"):
        audit(*COUNTS.values()).posterior("accuracy")  # type: ignore[arg-type]
    with pytest.raises(MetricNameError, match="no interval method is named 'exactly'"):
        audit(*COUNTS.values()).recall.interval(method="exactly")


def test_a_posterior_too_long_to_sum_is_refused() -> None:
    with pytest.raises(CertusError, match="the exact sum takes at most 20000000: check more items"):
        audit(10**10, 10, 5, 10**10, 10, 5).recall.interval()


def test_samples_too_large_to_order_are_refused() -> None:
    with pytest.raises(CertusError, match="300000 items were checked; limits from ordered samples take at most 200000"):
        audit(10**6, 10**5, 10**4, 10**6, 2 * 10**5, 10**3).recall.interval(method="berger-boos")
