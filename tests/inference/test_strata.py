"""The form of strata: standard errors, and which methods there are."""

import math
from fractions import Fraction

import pytest
from strata_oracle import hypergeometric

from certus import DataError, MetricNameError
from certus.inference import Estimate
from certus.statistic.sampled import Strata, Stratum

RETRIEVED, DISCARDED = Stratum(300, 60, 40), Stratum(1500, 120, 6, predicted=False)


def estimate(*strata: Stratum, of: str = "recall") -> Estimate:
    return Estimate(Strata(strata, of), bounds=(0.0, 1.0))  # type: ignore[arg-type]


def test_the_variance_of_a_count_is_estimated_without_bias() -> None:
    """Over all samples the squared standard error of precision averages to the variance of its estimate."""
    size, checked, relevant = 20, 7, 6
    law = hypergeometric(size, checked, relevant)
    mean = sum(p * Fraction(k, checked) for k, p in law.items())
    variance = sum(p * (Fraction(k, checked) - mean) ** 2 for k, p in law.items())
    squares = sum(
        float(p) * estimate(Stratum(size, checked, k), of="precision").standard_error ** 2 for k, p in law.items()
    )
    assert mean == Fraction(relevant, size)
    assert squares == pytest.approx(float(variance), rel=1e-14)


@pytest.mark.parametrize("of", ["recall", "precision", "f1", "elusion"])
def test_standard_errors_are_those_of_numerical_slopes(of: str) -> None:
    def value(found: float, missed: float) -> float:
        return {
            "recall": found / (found + missed),
            "precision": found / 300,
            "f1": 2 * found / (300 + found + missed),
            "elusion": missed / 1500,
        }[of]

    step = 1e-3
    slopes = (
        (value(200 + step, 75) - value(200 - step, 75)) / (2 * step),
        (value(200, 75 + step) - value(200, 75 - step)) / (2 * step),
    )
    variances = 300 * 240 * (40 * 20 / 60**2) / 59, 1500 * 1380 * (6 * 114 / 120**2) / 119
    expected = math.sqrt(sum(slope**2 * each for slope, each in zip(slopes, variances, strict=True)))
    assert estimate(RETRIEVED, DISCARDED, of=of).standard_error == pytest.approx(expected, rel=1e-7)


def test_one_checked_item_shows_no_spread() -> None:
    assert math.isnan(estimate(Stratum(10, 1, 1), DISCARDED).standard_error)
    assert estimate(Stratum(10, 10, 4), Stratum(5, 5, 1, predicted=False)).standard_error == 0
    assert math.isnan(estimate(Stratum(10, 5, 0), Stratum(10, 5, 0, predicted=False)).standard_error)


def test_methods_depend_on_the_number_of_strata() -> None:
    assert estimate(RETRIEVED, DISCARDED).methods == ("posterior", "bonferroni", "buehler", "berger-boos")
    assert estimate(RETRIEVED, RETRIEVED, DISCARDED).methods == ("posterior", "bonferroni")
    assert estimate(RETRIEVED, of="precision").interval().method == "posterior"
    with pytest.raises(MetricNameError, match="did you mean 'berger-boos'"):
        estimate(RETRIEVED, DISCARDED).interval(method="berger boss")


@pytest.mark.parametrize("spelling", ["Beta-binomial posterior", "Bonferroni exact", "Buehler", "berger_boos"])
def test_methods_are_found_by_usual_spellings(spelling: str) -> None:
    assert estimate(RETRIEVED, DISCARDED).interval(method=spelling).method in spelling.lower().replace("_", "-")


def test_a_share_and_a_prior_that_do_not_exist_are_refused() -> None:
    with pytest.raises(DataError, match="of is 'accuracy'; it must be one of 'recall', 'precision', 'f1', 'elusion'"):
        Strata((RETRIEVED,), "accuracy")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="prior is 'flat'; it must be one of 'jeffreys', 'uniform'"):
        Strata((RETRIEVED,), "recall", "flat")  # type: ignore[arg-type]


def test_several_strata_of_one_side_add_up() -> None:
    half = Stratum(150, 30, 20)
    assert estimate(half, half, DISCARDED).value == estimate(RETRIEVED, DISCARDED).value == 200 / 275
    assert estimate(half, half, DISCARDED).n == 180
