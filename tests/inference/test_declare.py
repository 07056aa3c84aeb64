"""A method is declared once: its name, label, spellings, errors and documentation follow."""

import math
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scripts import load_script

from certus import MetricNameError
from certus.core.registry import Registry
from certus.inference import Estimate, declare, difference, paired
from certus.inference.declare import FORMS, LABELS, declared, interval
from certus.inference.interval import Limits, Request
from certus.inference.tests import declare as declare_tests
from certus.inference.tests.means import PairedDifferences
from certus.statistic import (
    CalibrationError,
    Influence,
    Mean,
    Plugin,
    Proportion,
    Quantile,
    Ratio,
    Statistic,
    TableFunction,
    UStatistic,
)
from certus.statistic.folds import Folds, Independent
from certus.statistic.sampled import Sampled, Strata, Stratum

ROOT = Path(__file__).parents[2]
X = np.array([0.11, 0.42, 0.31, 0.65, 0.27, 0.58, 0.93, 0.46, 0.35, 0.77])


def bootstrap(replicates: int, seed: int, stratified: bool) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.5, 0.1, replicates)


EXAMPLES: dict[type[Statistic], Statistic] = {
    Mean: Mean(X),
    Ratio: Ratio(X, X + 1),
    Proportion: Proportion(13, 20),
    Plugin: Plugin(X, lambda rows, weights: float(weights @ rows / weights.sum())),
    TableFunction: TableFunction(
        np.array([[40.0, 9.0], [6.0, 30.0]]), lambda c: c[..., [0, 1], [0, 1]].sum(-1) / c.sum((-1, -2))
    ),
    Influence: Influence(0.5, (10,), (0.06,), influence=lambda: (X - X.mean(),), resample=bootstrap),
    UStatistic: UStatistic(
        0.6, (10, 10), (0.06, 0.06), influence=lambda: (X - X.mean(), X - X.mean()), resample=bootstrap
    ),
    Folds: Folds(X, 0.25),
    CalibrationError: CalibrationError(np.arange(10) % 2, X, np.round(X).astype(int)),
    Sampled: Sampled(population=200, checked=30, hits=7),
    Quantile: Quantile(X, 0.5),
    Strata: Strata((Stratum(60, 20, 15), Stratum(100, 30, 2, predicted=False)), "recall"),
    Independent: Independent(Proportion(13, 20), Proportion(9, 20), (0.0, 1.0), "sample"),
}


def method_tables() -> ModuleType:
    return load_script("tools/method_tables.py")


@pytest.mark.parametrize("kind", FORMS, ids=lambda kind: kind.__name__)
def test_every_declared_method_gives_ordered_limits_by_its_name_and_by_its_label(kind: type[Statistic]) -> None:
    estimate = Estimate(EXAMPLES[kind])
    assert set(estimate.methods) <= set(FORMS[kind].methods)
    for name in estimate.methods:
        found = estimate.interval(method=name, replicates=500)
        assert found.low < found.high, name
        assert estimate.interval(method=LABELS[name].upper().replace(" ", "_"), replicates=500) == found


def test_every_declared_method_has_a_label_a_summary_and_a_form_that_names_its_measured_coverage() -> None:
    for form, methods in declared():
        assert form.default in methods
        assert not form.measured or (ROOT / "docs" / form.measured).is_file()
        for name, method in methods.items():
            assert method.label
            assert method.summary.endswith("."), (form.name, name)


@pytest.fixture
def arcsine(monkeypatch: pytest.MonkeyPatch) -> str:
    """A method declared as anyone would declare one, and forgotten after the test."""
    form = FORMS[Proportion]
    monkeypatch.setitem(declare._FORMS, Proportion, replace(form, methods=dict(form.methods)))
    monkeypatch.setitem(declare._METHODS, Proportion, dict(declare._METHODS[Proportion]))
    monkeypatch.setattr(declare, "_SOURCES", Registry("interval method", declare._SOURCES, declare._SOURCES.aliases))
    monkeypatch.setitem(declare._LABELS, "arcsine", "arcsine transform")

    @interval(
        "arcsine",
        Proportion,
        label="arcsine transform",
        aliases=("anscombe",),
        source="Anscombe (1948), Biometrika 35(3/4):246-254, doi:10.1093/biomet/35.3-4.246",
    )
    def arcsine(statistic: Proportion, request: Request) -> Limits:
        """``sin^2(asin(sqrt((k + 3/8) / (n + 3/4))) +- z / (2 sqrt(n + 1/2)))``."""
        centre = math.asin(math.sqrt((statistic.successes + 0.375) / (statistic.trials + 0.75)))
        half = 1.959963984540054 / (2 * math.sqrt(statistic.trials + 0.5))
        low, high = max(centre - half, 0.0), min(centre + half, math.pi / 2)
        return Limits(math.sin(low) ** 2, math.sin(high) ** 2)

    return "arcsine"


def test_a_declared_method_is_offered_spelled_labelled_and_documented_without_another_edit(arcsine: str) -> None:
    estimate = Estimate(Proportion(13, 20, unit="trial"), bounds=(0.0, 1.0))
    assert estimate.methods[-1] == arcsine
    found = estimate.interval(method="Arcsine_Transform")
    assert found == estimate.interval(method="Anscombe")
    assert found.method == arcsine
    # asin(sqrt(13.375 / 20.75)) = 0.9321 and z / (2 sqrt(20.5)) = 0.2164
    assert found[:2] == pytest.approx((math.sin(0.93207 - 0.21644) ** 2, math.sin(0.93207 + 0.21644) ** 2), abs=2e-4)
    assert "95% arcsine transform, 20 trials" in str(replace(estimate, method=arcsine))
    with pytest.raises(MetricNameError, match="did you mean 'arcsine'"):
        estimate.interval(method="arcsin")
    with pytest.raises(MetricNameError, match="the interval method 'arcsine' is not one for a mean; the methods are t"):
        Estimate(Mean(X)).interval(method=arcsine)
    # on another scale, the guard of the form takes its limits there
    dice = Estimate(Proportion(13, 20, scale="dice")).interval(method=arcsine)
    assert dice.low == pytest.approx(2 * found.low / (1 + found.low))
    row = next(line for line in method_tables().intervals().splitlines() if "`arcsine`" in line)
    assert "arcsine transform" in row
    assert "Anscombe (1948)" in row
    assert "asin(sqrt((k + 3/8)" in row


def test_a_name_has_one_label_and_an_alias_one_meaning(arcsine: str) -> None:
    with pytest.raises(ValueError, match="labelled 'arcsine transform' already"):
        interval(arcsine, Mean, label="arc sine")
    with pytest.raises(MetricNameError, match="'anscombe' already names the interval method arcsine"):
        interval("wilson", Mean, label="Wilson", aliases=("anscombe",))


def test_the_generated_parts_of_the_guides_are_fresh() -> None:
    for path, text in method_tables().fresh().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"


@pytest.fixture
def median_sign(monkeypatch: pytest.MonkeyPatch) -> str:
    """A test declared as anyone would declare one, and forgotten after the test."""
    tests = declare_tests.TESTS_BY_KIND
    monkeypatch.setitem(tests, declare_tests.MEANS, Registry("test", tests[declare_tests.MEANS]))
    monkeypatch.setitem(declare_tests.TESTS, "walk", "walk test")
    monkeypatch.setitem(declare._LABELS, "walk", "walk test inverted")

    def limits(sample: PairedDifferences, request: Request) -> Limits:
        half = 2.0 * float(np.abs(sample.sums).sum()) / sample.n
        return Limits(sample.mean - half, sample.mean + half)

    @declare_tests.difference_test(
        "walk",
        declare_tests.MEANS,
        label="walk test",
        interval="walk",
        interval_label="walk test inverted",
        limits=limits,
        null="the signs are a fair coin's",
        aliases=("random walk",),
        source="Nobody (1900)",
    )
    def walk(
        sample: PairedDifferences, alternative: str, request: Request, shift: float
    ) -> tuple[float, float, str, float, str]:
        return 0.5, sample.mean, "by hand", 0.0, ""

    return "walk"


def test_a_declared_test_is_offered_spelled_labelled_and_documented_without_another_edit(median_sign: str) -> None:
    a, b = [0.4, 0.9, 0.8], [0.1, 0.5, 0.9]
    found = paired(a, b, "Random_Walk")
    assert (found.method, found.p, found.method_note) == (median_sign, 0.5, "by hand")
    assert found.difference.interval()[:2] == pytest.approx((0.2 - 1.6 / 3, 0.2 + 1.6 / 3))
    assert "95% walk test inverted" in str(found)
    assert "p = 0.5 (walk test, by hand)" in str(found)
    assert difference(Mean(a), Mean(b), test="walk").p == 0.5
    with pytest.raises(MetricNameError, match="did you mean 'walk'"):
        paired(a, b, "walkk")
    with pytest.raises(MetricNameError, match="the test 'walk' is not for ratios of sums; there are t, permutation"):
        difference(Ratio(a, b), Ratio(b, a), test="walk")
    tables = method_tables()
    assert any("`walk`" in line and "Nobody (1900)" in line for line in tables.tests().splitlines())
    assert "`walk`" in tables.tests_of_forms()


def test_every_declared_test_is_labelled_and_so_is_its_interval() -> None:
    for tests in declare_tests.TESTS_BY_KIND.values():
        for each in tests.values():
            assert each.label
            assert each.interval in LABELS
