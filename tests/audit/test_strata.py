"""Any number of strata, and one sample of the whole: convolution against enumeration, methods, refusals."""

from fractions import Fraction
from math import comb
from typing import Any, get_args

import numpy as np
import pytest
from strata_oracle import cdf, coverage, posterior, quantile

from certus import CertusError, DataError
from certus.audit import Stratum, post_stratified, strata, two_samples
from certus.inference.finite import laws
from certus.inference.finite.hypergeometric import count_limits, hypergeometric_rows
from certus.inference.finite.laws import beta_binomial, total_law
from certus.statistic.sampled import Share

BANDS = [
    Stratum(6, 3, 3),
    Stratum(8, 4, 2),
    Stratum(9, 2, 0, predicted=False),
    Stratum(5, 5, 1, predicted=False),
]


@pytest.mark.parametrize("of", get_args(Share))
def test_the_posterior_of_four_strata_is_that_of_every_combination(of: Share) -> None:
    law = posterior(BANDS, of)
    found = strata(BANDS).posterior(of)
    expected = np.array(cdf(law))
    np.testing.assert_allclose(found.cdf([float(value) for value in law]), expected, rtol=1e-13)
    assert strata(BANDS, level=0.9).share(of).interval()[:2] == (
        float(quantile(law, Fraction(1, 20))),
        float(quantile(law, Fraction(19, 20))),
    )


def test_two_strata_are_two_samples() -> None:
    found = strata([Stratum(300, 60, 40), Stratum(1500, 120, 6, predicted=False)])
    same = two_samples(
        retrieved=300, retrieved_checked=60, retrieved_hits=40,
        discarded=1500, discarded_checked=120, discarded_hits=6,
    )  # fmt: skip
    for of in get_args(Share):
        for method in ("posterior", "bonferroni", "berger-boos"):
            assert found.share(of).interval(method=method) == same.share(of).interval(method=method)


def test_the_order_of_strata_does_not_matter() -> None:
    a, b = strata(BANDS), strata(BANDS[::-1])
    assert a.recall.value == b.recall.value
    assert a.recall.interval() == b.recall.interval()
    assert a.posterior("f1").mean() == pytest.approx(b.posterior("f1").mean(), rel=1e-15)


def test_bonferroni_splits_the_error_among_strata_that_are_open() -> None:
    limits = [count_limits(s.size, s.checked, s.hits, 0.05 / 3) for s in BANDS[:3]] + [(1, 1)]
    found = strata(BANDS, level=0.9, interval="bonferroni")
    low = sum(low for low, _ in limits[:2]), sum(high for _, high in limits[2:])
    high = sum(high for _, high in limits[:2]), sum(low for low, _ in limits[2:])
    assert found.recall.interval()[:2] == (low[0] / sum(low), high[0] / sum(high))
    assert found.precision.interval()[:2] == (low[0] / 14, high[0] / 14)


def test_bonferroni_of_three_strata_covers_at_least_its_level() -> None:
    """The third stratum is checked whole; so the two others can be enumerated as a pair."""
    known = Stratum(3, 3, 2)

    def interval(pair: tuple[int, int]) -> tuple[float, float]:
        parts = [Stratum(5, 2, pair[0]), known, Stratum(7, 3, pair[1], predicted=False)]
        return strata(parts, level=0.8, interval="bonferroni").precision.interval()[:2]

    def of_the_first(pair: tuple[int, int]) -> tuple[float, float]:
        # Precision is (x + 2) / 8 for x / 5 of the first stratum alone.
        low, high = interval(pair)
        return (8 * low - 2) / 5 - 1e-9, (8 * high - 2) / 5 + 1e-9

    pair = Stratum(5, 2, 0), Stratum(7, 3, 0, predicted=False)
    covered = coverage(*pair, "precision", of_the_first)
    assert min(covered.values()) >= Fraction(4, 5)


def test_buehler_limits_take_one_stratum_on_either_side() -> None:
    with pytest.raises(CertusError, match="'buehler' but there are 2 predicted strata and 2 others; it takes"):
        strata(BANDS, interval="buehler")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "strata is None; it must be a list of Stratum"),
        ("abc", "strata is 'abc'; it must be a list of Stratum"),
        (BANDS[0], r"strata is Stratum\(.*; it must be a list of Stratum"),
        ([BANDS[0], (10, 5, 2)], r"strata\[1\] is \(10, 5, 2\); it must be a Stratum"),
    ],
)
def test_what_is_no_list_of_strata_is_refused(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        strata(given)


def test_a_stratum_of_wrong_types_is_refused() -> None:
    wrong: Any = "no"
    with pytest.raises(DataError, match="size of stratum 'tail' is 'no'; it must be a whole number"):
        Stratum(wrong, 5, 2, name="tail")
    with pytest.raises(DataError, match="predicted is 'no'; it must be True or False"):
        Stratum(10, 5, 2, wrong)
    with pytest.raises(CertusError, match="the interval method 'berger-boos' is not one for a share of strata"):
        strata(BANDS).recall.interval(method="berger-boos")
    assert strata(BANDS).recall.methods == ("posterior", "bonferroni")


def test_impossible_strata_are_refused_with_their_name() -> None:
    with pytest.raises(DataError, match="checked of stratum 'tail' is 9 but its size is 8"):
        Stratum(8, 9, 1, name="tail")
    with pytest.raises(DataError, match="hits is 5 but its checked is 4; hits are among the checked items"):
        Stratum(8, 4, 5)
    with pytest.raises(DataError, match=r"size is 2.5; it must be a whole number of at least 0"):
        Stratum(2.5, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="the strata have no items"):
        strata([])


def test_convolution_by_transforms_is_that_by_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [(3000, 40.5, 61.5, 40), (5000, 3.5, 200.5, 3), (900, 0.5, 30.5, 0)]
    direct = total_law(parts)
    monkeypatch.setattr(laws, "_DIRECT", 0)
    transformed = total_law(parts)
    assert transformed.start == direct.start
    assert 0 < transformed.error < 1e-12
    np.testing.assert_allclose(transformed.mass, direct.mass, atol=1e-17)
    assert np.abs(transformed.up_to - direct.up_to).max() < transformed.error


def test_large_strata_are_convolved() -> None:
    found = strata(
        [
            Stratum(10**5, 500, 400),
            Stratum(2 * 10**5, 500, 100),
            Stratum(10**6, 1000, 5, predicted=False),
            Stratum(10**5, 200, 10, predicted=False),
        ]
    )
    low, high = found.recall.interval()[:2]
    posterior = found.posterior("recall")
    assert low < found.recall.value < high
    assert posterior.cdf(low) == pytest.approx(0.025, abs=1e-6)
    assert posterior.truncation < 1e-15


@pytest.mark.parametrize("shapes", [(0.5, 100.5), (5.5, 1.5), (0.5, 0.5), (700.5, 300.5), (3.5, 4000.5)])
def test_a_window_holds_all_but_its_bound(shapes: tuple[float, float]) -> None:
    """Mean and variance of the window are those of the whole law."""
    a, b, trials = *shapes, 10**6
    law = beta_binomial(trials, a, b)
    assert (law.cut > 0) == (len(law.mass) <= trials)
    mean = float(law.mass @ law.support)
    assert mean == pytest.approx(trials * a / (a + b), rel=1e-10)
    variance = trials * a * b * (a + b + trials) / ((a + b) ** 2 * (a + b + 1))
    assert float(law.mass @ (law.support - mean) ** 2) == pytest.approx(variance, rel=1e-9)


def test_hypergeometric_rows_are_binomial_coefficients() -> None:
    from math import comb

    relevant = np.arange(31)
    rows = hypergeometric_rows(30, 12, relevant)
    for m, start, mass in zip(relevant, rows.start, rows.mass, strict=True):
        for k, found in enumerate(mass, start):
            exact = comb(int(m), k) * comb(30 - int(m), 12 - k) / comb(30, 12) if k <= 12 else 0.0
            assert found == pytest.approx(exact, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("tail", [0.2, 0.025, 1e-6])
def test_count_limits_invert_the_two_tests(tail: float) -> None:
    for size, checked in ((12, 5), (30, 1), (9, 9), (7, 0), (40, 17)):
        rows = hypergeometric_rows(size, checked, np.arange(size + 1))
        k = rows.start[:, np.newaxis] + np.arange(rows.mass.shape[1])
        for hits in range(checked + 1):
            at_least = np.where(k >= hits, rows.mass, 0).sum(axis=1)
            at_most = np.where(k <= hits, rows.mass, 0).sum(axis=1)
            low = np.flatnonzero(at_least > tail * (1 + 1e-12))
            high = np.flatnonzero(at_most > tail * (1 + 1e-12))
            assert count_limits(size, checked, hits, tail) == (low.min(), high.max())


COUNTS: dict[str, Any] = {
    "population": 2000,
    "predicted": 300,
    "predicted_checked": 60,
    "predicted_hits": 40,
    "other_checked": 120,
    "other_hits": 6,
}


def test_it_is_two_samples_given_the_split() -> None:
    found = post_stratified(**COUNTS, level=0.9, interval="bonferroni", prior="uniform")
    same = two_samples(
        retrieved=300, retrieved_checked=60, retrieved_hits=40,
        discarded=1700, discarded_checked=120, discarded_hits=6, level=0.9, prior="uniform",
    )  # fmt: skip
    for of in get_args(Share):
        assert found.share(of).value == same.share(of).value
        assert found.share(of).interval().level == 0.9
        assert found.share(of).interval().method == "bonferroni"
        assert found.share(of).interval(method="posterior") == same.share(of).interval()


def test_exact_intervals_cover_over_all_samples_of_the_population() -> None:
    """6 predicted items, x of them relevant, and 7 others, y of them relevant: all samples of 5 of the 13."""
    predicted, others, n, level = 6, 7, 5, Fraction(4, 5)
    for x in range(predicted + 1):
        for y in range(others + 1):
            if x + y == 0:
                continue
            covered = Fraction(0)
            for checked in range(n + 1):
                for j in range(min(x, checked) + 1):
                    for k in range(min(y, n - checked) + 1):
                        ways = comb(x, j) * comb(predicted - x, checked - j)
                        ways *= comb(y, k) * comb(others - y, n - checked - k)
                        if ways and _holds(predicted, others, checked, n - checked, j, k, x / (x + y)):
                            covered += Fraction(ways, comb(predicted + others, n))
            assert covered >= level


_INTERVALS: dict[tuple[int, ...], tuple[float, float]] = {}


def _holds(predicted: int, others: int, checked: int, other_checked: int, j: int, k: int, recall: float) -> bool:
    key = checked, other_checked, j, k
    if key not in _INTERVALS:
        estimate = post_stratified(
            population=predicted + others,
            predicted=predicted,
            predicted_checked=checked,
            predicted_hits=j,
            other_checked=other_checked,
            other_hits=k,
            level=0.8,
            interval="berger-boos",
        ).recall
        _INTERVALS[key] = (0.0, 1.0) if estimate.reason else estimate.interval()[:2]
    low, high = _INTERVALS[key]
    return low <= recall <= high


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("predicted", 2001, "predicted is 2001 but population is 2000; predicted items are part of it"),
        ("population", "x", "population is 'x'; it must be a whole number"),
        ("population", -3, "population is -3; it must be a whole number"),
        ("predicted_checked", 301, "predicted_checked is 301 but predicted is 300"),
        ("predicted_hits", 61, "predicted_hits is 61 but predicted_checked is 60"),
        ("other_checked", 1701, "other_checked is 1701 but the number of other items, population - predicted, is 1700"),
        ("other_hits", 121, "other_hits is 121 but other_checked is 120"),
    ],
)
def test_impossible_counts_are_refused_by_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        post_stratified(**{**COUNTS, name: value})
