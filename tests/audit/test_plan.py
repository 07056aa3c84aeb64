"""Plans: sample sizes against plain sums over every outcome, and splits against every other split."""

import math
from typing import Literal

import numpy as np
import pytest

from certus import CertusError, MetricNameError
from certus.audit import plan, recall_precision, two_samples
from certus.audit.plan import Outcomes, _SplitQuestion, rough_width


def by_definition(positives: int, checked: int, true: int, half_width: float, method: str) -> tuple[float, float]:
    """The chance of a narrow interval and its expected half width, by the sum over all outcomes."""
    chance = expected = 0.0
    for hits in range(max(0, checked - positives + true), min(true, checked) + 1):
        samples = math.comb(true, hits) * math.comb(positives - true, checked - hits)
        probability = samples / math.comb(positives, checked)
        audit = recall_precision(positives=positives, checked=checked, hits=hits, predicted=positives, interval=method)
        interval = audit.recall.interval()
        half = (interval.high - interval.low) / 2
        expected += probability * half
        chance += probability * (half <= half_width * (1 + 1e-12))
    return chance, expected


@pytest.mark.parametrize("method", ["blaker", "posterior", "wilson-fpc"])
@pytest.mark.parametrize(("positives", "checked", "recall"), [(40, 20, 0.8), (100, 30, 0.5), (30, 30, 0.1), (25, 5, 1)])
def test_the_chance_is_the_sum_over_all_outcomes(positives: int, checked: int, recall: float, method: str) -> None:
    found = plan.chance_narrow_enough(
        positives=positives, checked=checked, recall=recall, half_width=0.1, interval=method
    )
    chance, expected = by_definition(positives, checked, round(recall * positives), 0.1, method)
    assert found.chance == pytest.approx(chance, abs=1e-8)
    assert found.expected == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("recall", "half_width", "chance"), [(0.8, 0.1, 0.8), (0.5, 0.05, 0.5), (0.95, 0.08, 0.95)])
def test_the_size_is_enough_and_one_less_is_not(recall: float, half_width: float, chance: float) -> None:
    found = plan.sample_size(120, recall, half_width, chance=chance)
    true = round(recall * 120)
    assert by_definition(120, found.checked, true, half_width, "blaker")[0] >= chance
    assert by_definition(120, found.checked - 1, true, half_width, "blaker")[0] < chance
    assert str(found).startswith(f"check {found.checked} of 120 positives\n")


def test_a_width_that_none_but_all_gives_takes_all() -> None:
    assert plan.sample_size(50, 0.5, 0.001).checked == 50


def test_of_many_outcomes_interpolated_widths_are_good_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = {"positives": 20_000, "checked": 4000, "recall": 0.6, "half_width": 0.0136, "interval": "wilson-fpc"}
    some = plan.chance_narrow_enough(**arguments)  # type: ignore[arg-type]
    monkeypatch.setattr("certus.audit.plan.MOST_EXACT", 10_000)
    each = plan.chance_narrow_enough(**arguments)  # type: ignore[arg-type]
    assert some.chance == pytest.approx(each.chance, abs=0.01)
    assert some.expected == pytest.approx(each.expected, rel=1e-4)


def test_the_law_of_outcomes_keeps_its_digits_in_large_populations() -> None:
    outcomes = Outcomes.of_sample(10**12, 3 * 10**11, 50)
    binomial = [math.comb(50, k) * 0.3**k * 0.7 ** (50 - k) for k in outcomes.hits.tolist()]
    assert outcomes.chance == pytest.approx(np.array(binomial), rel=1e-7)


@pytest.mark.parametrize("law", [(50, 20, 10), (1000, 30, 200), (9000, 270, 360), (10**6, 5, 2000), (10, 0, 5)])
def test_the_quadrature_gives_the_mean_of_polynomials(law: tuple[int, int, int]) -> None:
    outcomes = Outcomes.of_sample(*law)
    nodes, of_each = outcomes.quadrature(4)
    weights = outcomes.chance @ of_each
    for power in range(len(nodes)):
        exact = float(outcomes.chance @ outcomes.hits**power)
        assert float(weights @ [node**power for node in nodes]) == pytest.approx(exact, rel=1e-9)


def test_the_outlook_of_two_samples_is_that_over_all_outcomes() -> None:
    question = _SplitQuestion((60, 400), (0.75, 0.05), 0.95, "bonferroni", "jeffreys")
    laws = [Outcomes.of_sample(60, 45, 12), Outcomes.of_sample(400, 20, 40)]
    whole = chance = 0.0
    for x, p in zip(laws[0].hits, laws[0].chance, strict=True):
        for y, q in zip(laws[1].hits, laws[1].chance, strict=True):
            if p * q > 1e-7:
                half = question._width((12, 40), (int(x), int(y))) / 2
                whole += p * q * half
                chance += p * q * (half <= 0.34)
    found = question.answer((12, 40), 0.34)
    assert found.expected == pytest.approx(whole, rel=0.01)
    assert found.chance == pytest.approx(chance, abs=0.05)
    assert 0.2 < chance < 0.8
    assert str(found).endswith(f"and within ±0.34 with probability {found.chance:.2f}")


def test_the_split_is_as_good_as_any() -> None:
    found = plan.split(300, 3000, precision=0.7, elusion=0.02, checked=200, interval="bonferroni")
    assert found.checked == 200
    question = _SplitQuestion((300, 3000), (0.7, 0.02), 0.95, "bonferroni", "jeffreys")
    best = min(question.answer((n, 200 - n)).expected for n in range(10, 191, 12))
    assert found.expected <= 1.02 * best


def test_a_wanted_width_is_reached_with_few_items() -> None:
    found = plan.split(300, 3000, precision=0.7, elusion=0.02, half_width=0.1, interval="bonferroni")
    assert found.expected <= 0.1
    fewer = plan.split(300, 3000, precision=0.7, elusion=0.02, checked=int(found.checked * 0.93), interval="bonferroni")
    assert fewer.expected > 0.1


def test_a_split_can_be_carried_out() -> None:
    found = plan.split(20, 3000, precision=0.1, elusion=0.3, checked=1500, interval="bonferroni")
    assert (found.retrieved_checked, found.discarded_checked) == (20, 1480)
    none_left = plan.split(500, 800, precision=0.9, elusion=0.0, checked=100, interval="bonferroni")
    assert none_left.discarded_checked > none_left.retrieved_checked > 0
    hits = (round(found.precision * 20), round(found.elusion * 1480))
    audit = two_samples(
        retrieved=20,
        retrieved_checked=20,
        retrieved_hits=hits[0],
        discarded=3000,
        discarded_checked=1480,
        discarded_hits=hits[1],
        interval="bonferroni",
    )
    interval = audit.recall.interval()
    assert (interval.high - interval.low) / 2 == pytest.approx(found.expected, rel=0.1)


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(CertusError, match=r"recall is 1\.2; it is a share, from 0 to 1"):
        plan.sample_size(100, 1.2, 0.1)
    with pytest.raises(CertusError, match="half_width is 0"):
        plan.sample_size(100, 0.5, 0)
    with pytest.raises(CertusError, match="chance is 1"):
        plan.sample_size(100, 0.5, 0.1, chance=1)
    with pytest.raises(CertusError, match="positives is 0; it must be at least 1"):
        plan.sample_size(0, 0.5, 0.1)
    with pytest.raises(MetricNameError, match="no interval method is named 'blakr'; did you mean 'blaker'"):
        plan.sample_size(100, 0.5, 0.1, interval="blakr")
    with pytest.raises(CertusError, match="checked is 11 but positives is 10"):
        plan.chance_narrow_enough(positives=10, checked=11, recall=0.5, half_width=0.1)
    with pytest.raises(CertusError, match="give either checked"):
        plan.split(10, 10, precision=0.5, elusion=0.5)
    with pytest.raises(CertusError, match="give either checked"):
        plan.split(10, 10, precision=0.5, elusion=0.5, checked=5, half_width=0.1)
    with pytest.raises(CertusError, match="checked is 21 but there are 20 items"):
        plan.split(10, 10, precision=0.5, elusion=0.5, checked=21)
    with pytest.raises(CertusError, match="leave no relevant items"):
        plan.split(10, 10, precision=0, elusion=0, checked=5)
    with pytest.raises(CertusError, match=r"elusion is -0\.1"):
        plan.split(10, 10, precision=0.5, elusion=-0.1, checked=5)
    with pytest.raises(CertusError, match=r"half_width is 0\.7"):
        plan.split(10, 10, precision=0.5, elusion=0.1, half_width=0.7)


@pytest.mark.parametrize("method", ["hypergeometric-lower", "Hypergeometric_Upper"])
def test_a_limit_has_no_half_width(method: str) -> None:
    with pytest.raises(CertusError, match=r"interval is 'hypergeometric-(low|upp)er', whose intervals have one limit"):
        plan.sample_size(100, 0.8, 0.1, interval=method)
    with pytest.raises(CertusError, match="plan with 'hypergeometric', or 'blaker'"):
        plan.chance_narrow_enough(positives=100, checked=50, recall=0.8, half_width=0.1, interval=method)


@pytest.mark.parametrize("method", ["amo", "wang"])
def test_tables_that_would_take_hours_are_refused(method: str) -> None:
    with pytest.raises(CertusError, match=f"interval is '{method}' but there are 5001 positives; .* 'blaker'"):
        plan.sample_size(5001, 0.8, 0.1, interval=method)


def test_no_fewer_items_give_the_wanted_width() -> None:
    found = plan.split(1000, 9000, half_width=0.05, precision=1, elusion=0)
    assert found.checked <= 252
    assert found.expected <= 0.05
    assert plan.split(1000, 9000, checked=found.checked - 1, precision=1, elusion=0).expected > 0.05


@pytest.mark.parametrize(
    ("checked", "hits"), [((100, 400), (80, 9)), ((100, 400), (100, 0)), ((500, 60), (250, 3)), ((1000, 500), (700, 5))]
)
@pytest.mark.parametrize("prior", ["jeffreys", "uniform"])
def test_rough_widths_are_good_enough(
    checked: tuple[int, int], hits: tuple[int, int], prior: Literal["jeffreys", "uniform"]
) -> None:
    interval = two_samples(
        retrieved=1000,
        retrieved_checked=checked[0],
        retrieved_hits=hits[0],
        discarded=19000,
        discarded_checked=checked[1],
        discarded_hits=hits[1],
        prior=prior,
    ).recall.interval()
    rough = rough_width((1000, 19000), checked, hits, 0.95, prior)
    assert rough == pytest.approx(interval.high - interval.low, rel=0.005)


def test_large_populations_are_planned_in_seconds() -> None:
    found = plan.split(1_000_000, 10_000_000, precision=0.5, elusion=0.001, half_width=0.05)
    assert found.expected <= 0.05
    assert 740 < found.checked < 800
    with pytest.raises(CertusError, match="prior is 'flat'"):
        plan.split(1_000_000, 10_000_000, precision=0.5, elusion=0.001, half_width=0.05, prior="flat")  # type: ignore[arg-type]


def test_a_method_may_be_spelt_otherwise() -> None:
    assert plan.split(100, 900, precision=0.5, elusion=0.1, checked=50, interval="Beta-Binomial").method == "posterior"
