"""Mixtures over the number of hits: each part is asked by itself."""

import copy
import pickle

import numpy as np
import pytest

from certus.chance import average_precision, fourier, mean_of
from certus.chance.laws.average_precision import ByParts


@pytest.fixture
def few_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only parts with few values are listed."""
    monkeypatch.setattr(fourier, "_VALUES", 2000)
    monkeypatch.setattr(fourier, "_SUMS", 1)


@pytest.mark.parametrize(("items", "relevant", "cutoff"), [(20, 9, 13), (100, 3, 30)])
@pytest.mark.usefixtures("few_listed")
def test_the_parts_together_have_the_tails_of_all_values(items: int, relevant: int, cutoff: int) -> None:
    law = average_precision(items, relevant, cutoff, "hits")
    assert isinstance(law, ByParts)
    assert law._law is None
    all_values = law._mixed.atoms(1 << 20)
    assert all_values is not None
    values, chances = all_values
    drawn = np.random.default_rng(5)
    for x in [*drawn.choice(values, 12), *drawn.random(6), 0.0, 1.0, 1 / 3, -0.1, 1.1]:
        near, beyond = np.abs(values - x) < 1e-12, values > x + 1e-12
        for found, expected in [
            (law.tail(x), chances[near | beyond].sum()),
            (law.sf(x), chances[beyond].sum()),
            (law.cdf(x), 1 - chances[beyond].sum()),
            (law.pmf(x), chances[near].sum()),
        ]:
            assert abs(found - expected) <= found.error + 1e-13
            assert not found.exact or abs(found - expected) <= 1e-13


@pytest.mark.parametrize(("items", "relevant", "cutoff"), [(20, 9, 13), (100, 3, 30)])
@pytest.mark.usefixtures("few_listed")
def test_a_quantile_is_that_of_all_values(items: int, relevant: int, cutoff: int) -> None:
    law = average_precision(items, relevant, cutoff, "hits")
    assert isinstance(law, ByParts)
    for q in (1e-3, 0.025, 0.31, 0.5, 0.83, 0.975, 0.999):
        for x, beyond in [(law.ppf(q), 1 - q), (law.isf(q), q)]:
            assert law.sf(x) <= beyond + 1e-9
            assert law.tail(x) >= beyond - 1e-9


def test_a_quantile_of_inverted_parts_has_its_probability() -> None:
    law = average_precision(1000, 60, 80, "hits")
    x = law.ppf(0.5)
    p, beyond = law.tail(x), law.sf(x)
    assert p.method == "fourier"
    assert beyond - beyond.error <= 0.5 <= p + p.error
    assert p + p.error - beyond + beyond.error < 1e-3


def test_the_mixture_is_within_the_error_of_one_inversion() -> None:
    law = average_precision(1000, 30, 40, "hits")
    whole = average_precision(1000, 30, 40, "hits", engine="fourier")
    for x in (0.11, 0.25):
        p, other = law.tail(x), whole.tail(x)
        assert abs(p - other) <= p.error + other.error
        assert p.error < 0.01 * other.error


def test_the_quantile_of_a_mixture_is_its_value() -> None:
    """Half the lists have at most one hit in twenty ranks; a single hit at rank 4 gives 1/4."""
    law = average_precision(1000, 10, 100, "hits")
    assert law.ppf(0.975) == pytest.approx(0.25, abs=1e-12)
    assert law.ppf(0.025) == 0.0


def test_a_mixture_is_copied_and_averaged() -> None:
    law = average_precision(300, 30, 20, "hits")
    assert law.tail(0.4).method == "enumeration"
    for copied in (pickle.loads(pickle.dumps(law)), copy.deepcopy(law)):
        assert copied.tail(0.4) == law.tail(0.4)
    small = average_precision(9, 4, 5, "hits")
    assert mean_of([small]).tail(0.4) == small.tail(0.4)


def test_half_of_a_single_value_is_within_the_error() -> None:
    """Two hits in four ranks: each of the six rankings has a value of its own."""
    law = average_precision(4, 2, engine="fourier")
    for x in (7 / 12, 5 / 6):
        assert abs(law.pmf(x) - 1 / 6) <= law.pmf(x).error


def test_a_law_with_one_value_has_no_tail_to_invert() -> None:
    laws = [average_precision(4, 4), average_precision(7, 7), average_precision(5, 0)]
    mean = mean_of(laws, engine="fourier")
    assert [float(p) for p in (mean.tail(2 / 3), mean.cdf(2 / 3), mean.pmf(2 / 3))] == [1, 1, 1]
    assert [float(p) for p in (mean.sf(2 / 3), mean.tail(0.7), mean.cdf(0.6))] == [0, 0, 0]
    assert mean.ppf(0.5) == pytest.approx(2 / 3)
