"""The score-type interval for a probability of a right order."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from certus.inference import Estimate, Interval
from certus.statistic import UStatistic

Floats = NDArray[np.float64]


def interval(area: float, sizes: tuple[int, int], variances: tuple[float, float], level: float = 0.95) -> Interval:
    return Estimate(UStatistic(area, sizes, variances), bounds=(0.0, 1.0)).interval(level)


def by_scanning(area: float, sizes: tuple[int, int], variances: tuple[float, float]) -> tuple[float, float]:
    """The definition: all p of a grid for which the inequality holds; the limits of nearly perfect orders left out."""

    def model(p: Floats) -> Floats:
        more = np.maximum(p, 1 - p)
        return np.asarray(p * (1 - p) * more / (1 + more))

    lost = min(area, 1 - area)
    # The mean of the squares of what the units lose is their variance, divided by n, plus the square of their mean.
    losing = min(n * lost**2 / (v * (n - 1) / n + lost**2) for n, v in zip(sizes, variances, strict=True))
    weight = losing / (losing + 7)
    ratios = [v / float(model(np.array(area))) for v in variances]
    mixed = [weight * r + (1 - weight) * max(r, 1 + 1 / losing) for r in ratios]
    scale = sum(r / n for r, n in zip(mixed, sizes, strict=True))
    freedom = scale**2 / sum((weight * r / n) ** 2 / (n - 1) for r, n in zip(ratios, sizes, strict=True))
    p = np.linspace(0, 1, 1_000_001)
    kept = p[(p - area) ** 2 <= stats.t.isf(0.025, freedom) ** 2 * scale * model(p)]
    return float(kept.min()), float(kept.max())


@pytest.mark.parametrize(
    ("area", "sizes", "variances"),
    [
        (0.5, (10, 40), (0.08, 0.09)),
        (0.8, (20, 30), (0.05, 0.04)),
        (0.2, (20, 30), (0.05, 0.04)),
        (0.93, (200, 45), (0.02, 0.002)),
        (0.97, (60, 3000), (0.004, 0.001)),
    ],
)
def test_the_limits_bound_all_areas_that_fit(
    area: float, sizes: tuple[int, int], variances: tuple[float, float]
) -> None:
    assert interval(area, sizes, variances)[:2] == pytest.approx(by_scanning(area, sizes, variances), abs=3e-6)


def test_many_units_have_delongs_interval_in_the_limit() -> None:
    low, high, *_ = interval(0.8, (10**7, 10**7), (0.05, 0.04))
    step = stats.norm.isf(0.025) * math.sqrt(0.09 / 10**7)
    assert (low, high) == pytest.approx((0.8 - step, 0.8 + step), abs=1e-3 * step)


@given(st.integers(2, 60), st.integers(2, 60), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
@settings(max_examples=60)
def test_one_pair_in_the_wrong_order_has_no_better_lower_limit_than_none(m: int, n: int, level: float) -> None:
    area = 1 - 1 / (m * n)
    one = interval(area, (m, n), (1 / n**2 / m, 1 / m**2 / n), level)
    none = interval(1.0, (m, n), (0.0, 0.0), level)
    assert one.low <= none.low + 1e-12
    assert one.low <= area <= one.high


def test_the_other_direction_of_scores_mirrors_the_limits() -> None:
    low, high, *_ = interval(0.97, (15, 300), (0.004, 0.001))
    mirrored = interval(1 - 0.97, (15, 300), (0.004, 0.001))
    assert mirrored[:2] == pytest.approx((1 - high, 1 - low), rel=1e-9)


def placements(ours: Floats, theirs: Floats) -> Floats:
    ordered = np.sort(theirs)
    below = np.searchsorted(ordered, ours, "left") + np.searchsorted(ordered, ours, "right")
    return np.asarray(below / (2 * len(theirs)))


@pytest.mark.parametrize(
    ("positives", "negatives", "spread", "area"),
    [(25, 500, 1.0, 0.99), (5, 1000, 1.0, 0.99), (200, 200, 1.0, 0.999), (8, 400, 2.0, 0.95), (300, 12, 0.5, 0.98)],
)
def test_few_positives_and_areas_near_one_are_covered(
    positives: int, negatives: int, spread: float, area: float
) -> None:
    # The logit interval covers .86, .81, .92, .76 and .77 of these samples.
    rng = np.random.default_rng([positives, negatives])
    shift = stats.norm.ppf(area) * math.hypot(1, spread)
    covered = 0
    for _ in range(600):
        x, y = rng.normal(shift, spread, positives), rng.normal(0, 1, negatives)
        won, lost = placements(x, y), placements(y, x)
        low, high, *_ = interval(float(won.mean()), (positives, negatives), (won.var(ddof=1), lost.var(ddof=1)))
        covered += low <= area <= high
    assert covered / 600 >= 0.94


def test_a_level_that_nearly_all_positives_tie_at_does_not_hide_the_rare_losses() -> None:
    # All positives at the top of 14 levels lose a little each by ties; 1 in 20 of them falls anywhere. Samples without
    # one of those are not sure that there are none: .92 of these samples without that, the interval above the truth.
    from certus.classification import roc_auc

    rng = np.random.default_rng(11)
    negatives = np.floor(14 * rng.random(20_000))
    truth = float(0.95 * (np.mean(negatives < 13) + np.mean(negatives == 13) / 2) + 0.05 * 0.5)
    covered, samples = 0, 400
    for _ in range(samples):
        m, n = 45, 600
        positives = np.where(rng.random(m) < 0.05, np.floor(14 * rng.random(m)), 13.0)
        scores = np.concatenate([positives, rng.choice(negatives, n)])
        low, high, *_ = roc_auc(np.repeat([1, 0], [m, n]), scores).interval()
        covered += low <= truth <= high
    assert covered >= 0.94 * samples


@pytest.mark.parametrize(("m", "n", "misplaced"), [(44, 1000, 0.05), (20, 1000, 0.1), (100, 3000, 0.02)])
def test_negatives_spread_among_the_positives_do_not_hide_positives_lost_among_the_negatives(
    m: int, n: int, misplaced: float
) -> None:
    # Every positive loses at most .03 of the pairs unless it is a misplaced one, of which an eighth of the samples have
    # none: .88, .91 and .86 of all of them covered, the intervals of those without above the truth.
    from certus.classification import roc_auc

    rng = np.random.default_rng([408, m])
    above = 0.03
    truth = (1 - misplaced) * (1 - above / 2) + misplaced * (1 - above) / 2
    covered, samples = 0, 400
    for _ in range(samples):
        positives = rng.random(m) + (rng.random(m) >= misplaced)
        negatives = rng.random(n) + (rng.random(n) < above)
        low, high, *_ = roc_auc(np.repeat([1, 0], [m, n]), np.concatenate([positives, negatives])).interval()
        covered += low <= truth <= high
    assert covered >= 0.94 * samples


def test_influence_values_are_computed_only_where_what_few_units_lose_can_decide() -> None:
    asked: list[int] = []

    def influence() -> tuple[Floats, ...]:
        asked.append(1)
        return np.zeros(200), np.zeros(200)

    def limits(area: float, variance: float) -> None:
        Estimate(UStatistic(area, (200, 200), (variance, variance), influence=influence), bounds=(0.0, 1.0)).interval()

    limits(0.7, 0.08)
    limits(0.3, 0.08)
    assert not asked
    limits(0.999, 1e-5)
    assert asked
