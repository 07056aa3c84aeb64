"""Hits above a cutoff under a random ranking."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from chance_laws_oracle import check, law_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus import DataError, chance


def _share(ranks: tuple[int, ...], t: int, whole: int) -> Fraction:
    return Fraction(sum(rank <= t for rank in ranks), whole)


def _found(ranks: tuple[int, ...], t: int) -> int:
    return int(any(rank <= t for rank in ranks))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6])
def test_counts_of_hits_agree_with_all_rankings(n: int) -> None:
    for m in range(n + 1):
        check(chance.r_precision(n, m), law_of(_share, n, m, m, max(m, 1)))
        for t in range(0, n + 2, 1 + n // 6):
            counts = law_of(_share, n, m, t, 1)
            check(chance.hits(n, m, t), counts)
            check(chance.recall(n, m, t), {k / max(m, 1): p for k, p in counts.items()})
            check(chance.precision(n, m, t), {k / max(t, 1): p for k, p in counts.items()})
            check(chance.success(n, m, t), law_of(_found, n, m, t))


@pytest.mark.parametrize(("n", "m", "t"), [(1000, 100, 50), (400, 200, 200), (5000, 3, 1000)])
def test_hits_agree_with_scipy(n: int, m: int, t: int) -> None:
    law, other = chance.hits(n, m, t), stats.hypergeom(n, m, t)
    k = np.arange(max(0, t + m - n), min(m, t) + 1)
    assert law.pmf(k) == pytest.approx(other.pmf(k), rel=1e-9)
    assert law.cdf(k) == pytest.approx(other.cdf(k), rel=1e-9)
    q = [0.001, 0.3, 0.5, 0.9, 0.9999]
    assert law.ppf(q).tolist() == other.ppf(q).tolist()
    assert law.isf(q).tolist() == other.isf(q).tolist()


def _log_atom(n: int, m: int, t: int, k: int) -> mpmath.mpf:
    def choose(a: int, b: int) -> mpmath.mpf:
        return mpmath.loggamma(a + 1) - mpmath.loggamma(b + 1) - mpmath.loggamma(a - b + 1)

    return choose(m, k) + choose(n - m, t - k) - choose(n, t)


@pytest.mark.parametrize(
    ("n", "m", "t", "k"),
    [
        (10**9, 10**5, 10**6, 100),
        (10**9, 10**5, 10**6, 300),
        (10**9, 5 * 10**8, 5 * 10**8, 250_200_000),
        (10**9, 10, 10**8, 7),
        (10**12, 10**6, 10**7, 0),
    ],
)
def test_probabilities_of_huge_rankings_keep_their_digits(n: int, m: int, t: int, k: int) -> None:
    law = chance.hits(n, m, t)
    with mpmath.workdps(60):
        terms = [mpmath.exp(_log_atom(n, m, t, k))]
        ratio = mpmath.mpf(1)
        for j in range(k, min(m, t, k + 60_000 if k > 10**6 else k + 3000)):
            ratio = mpmath.mpf((m - j) * (t - j)) / ((j + 1) * (n - m - t + j + 1))
            terms.append(terms[-1] * ratio)
            if terms[-1] < terms[0] * mpmath.mpf(10) ** -25:
                break
        assert law.pmf(k) == pytest.approx(float(terms[0]), rel=1e-13)
        assert law.tail(k) == pytest.approx(float(min(mpmath.fsum(terms), 1)), rel=2e-13)


def test_the_logarithm_goes_on_where_probabilities_underflow() -> None:
    law = chance.hits(10**9, 5 * 10**8, 5 * 10**8)
    with mpmath.workdps(40):
        assert law.logtail(260_000_000) == pytest.approx(
            float(_log_atom(10**9, 5 * 10**8, 5 * 10**8, 260_000_000)), rel=1e-5
        )
    assert float(law.tail(260_000_000)) == 0


def test_a_billion_items_have_moments_quantiles_and_random_values() -> None:
    law = chance.precision(10**9, 10**8, 10**6)
    assert law.mean() == 0.1
    assert law.var() == pytest.approx(0.1 * 0.9 / 10**6 * (10**9 - 10**6) / (10**9 - 1), rel=1e-14)
    low, high = law.interval(0.95)
    assert law.cdf(low) >= 0.025 > law.cdf(low - 1e-6)
    assert law.cdf(high) >= 0.975 > law.cdf(high - 1e-6)
    drawn = law.rvs(2000, seed=3)
    assert abs(drawn.mean() - law.mean()) < 4 * law.std() / math.sqrt(2000)
    assert drawn.tolist() == law.rvs(2000, seed=3).tolist()


@given(st.integers(0, 60), st.data())
@settings(max_examples=40)
def test_cdf_and_sf_add_up_and_quantiles_come_back(n: int, data: st.DataObject) -> None:
    m, t = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    law = chance.hits(n, m, t)
    k = data.draw(st.integers(max(0, t + m - n), min(m, t)))
    assert law.cdf(k) + law.sf(k) == pytest.approx(1, abs=1e-14)
    assert law.tail(k) >= law.sf(k)
    if law.pmf(k) > 1e-13:
        assert law.ppf(float(law.cdf(k))) == k
    assert law.tail(k).exact
    other = chance.hits(n, t, m)
    assert law.tail(k) == pytest.approx(other.tail(k), rel=1e-13)


def test_a_cutoff_behind_the_end_takes_all_items() -> None:
    assert chance.recall(5, 2, 9).support() == (1, 1)
    assert chance.precision(5, 2, 10).support() == (0.2, 0.2)
    assert chance.precision(5, 2, 0).support() == (0, 0)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="relevant is 6 but items is 5; there cannot be more relevant items than items"):
        chance.hits(5, 6, 2)
    with pytest.raises(DataError, match="cutoff is -1; it must be a whole number of at least 0"):
        chance.recall(5, 3, -1)
    with pytest.raises(DataError, match=r"items is 2\.5; it must be a whole number"):
        chance.success(2.5, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"at most 2\*\*53 items"):
        chance.r_precision(2**60, 5)
