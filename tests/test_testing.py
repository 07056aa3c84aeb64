"""``certus.testing``: an assertion that decides as the gate does and says why it failed."""

from typing import Any

import numpy as np
import pytest

import certus
from certus import CertusError, DataError, MetricNameError
from certus.entry import compare
from certus.testing import assert_not_worse

GENERATOR = np.random.default_rng(2)
OLD = GENERATOR.uniform(size=60).round(3)
NEAR = (OLD + GENERATOR.normal(0.0, 0.02, 60)).round(3)
WORSE = (OLD - GENERATOR.uniform(0.05, 0.15, 60)).clip(0).round(3)
QRELS = {f"q{i}": {"d1": 1} for i in range(20)}
FIRST = {f"q{i}": {"d1": 2.0, "d2": 1.0} for i in range(20)}
SECOND = {f"q{i}": {"d1": 1.0, "d2": 2.0 if i % 2 else 0.5} for i in range(20)}


def test_it_is_reached_from_the_package() -> None:
    assert certus.testing.assert_not_worse is assert_not_worse


def test_what_is_within_the_margin_passes_and_the_comparison_comes_back() -> None:
    found = assert_not_worse(NEAR, OLD, margin=0.08)
    assert (found.baseline, found.margin, found.rows[0].system) == ("baseline", 0.08, "system")
    assert found.rows[0].low > -0.08
    assert assert_not_worse(NEAR, OLD, margin=0.02, assume="symmetric").rows[0].low > -0.02
    assert assert_not_worse(NEAR, OLD).margin is None
    assert assert_not_worse(NEAR, OLD, margin=0).margin is None


def test_what_is_worse_fails_with_the_numbers() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_not_worse(WORSE, OLD, "nDCG@10", margin=0.05)
    row = compare(None, {"baseline": OLD, "system": WORSE}, "nDCG@10", margin=0.05).rows[0]
    shown = f"{row.difference:.4f} [{row.low:.4f}, {row.high:.4f}]"
    assert str(failure.value).splitlines() == [
        f"system may be worse than baseline by 0.05 or more in nDCG@10: difference {shown}",
        f"  nDCG@10: {shown} 95% interval, p = {row.p:.3g}, 60 queries: fails at margin 0.05",
    ]
    with pytest.raises(AssertionError, match=r"system is worse than baseline in value: difference -0\.1"):
        assert_not_worse(WORSE, OLD)


def test_lower_can_be_better() -> None:
    assert_not_worse(WORSE, OLD, "seconds", better="lower", margin=0.05)
    with pytest.raises(AssertionError, match=r"system is worse than baseline by 0\.01 or more in seconds"):
        assert_not_worse(OLD, WORSE, "seconds", better="lower", margin=0.01, assume="symmetric")


def test_runs_are_compared_with_qrels_on_every_metric() -> None:
    assert_not_worse(FIRST, SECOND, ["AP", "RR"], qrels=QRELS, margin=0.01)
    with pytest.raises(AssertionError) as failure:
        assert_not_worse(SECOND, FIRST, ["AP", "Success@2"], qrels=QRELS, margin=0.01)
    message = str(failure.value)
    assert "  AP: -0.2500 [" in message
    assert "20 queries: fails at margin 0.01" in message
    assert "  Success@2: 0.0000 " in message
    assert message.endswith("20 queries: fails at margin 0.01")
    with pytest.raises(AssertionError) as failure:
        assert_not_worse(SECOND, FIRST, ["AP", "Success@2"], qrels=QRELS, margin=0.01, identical_passes=True)
    assert str(failure.value).endswith("20 queries: passes at margin 0.01")


@pytest.mark.parametrize("margin", [None, 0.01])
def test_a_run_that_lacks_queries_fails_unless_a_rule_for_them_is_chosen(margin: float | None) -> None:
    fewer = {query: ranking for i, (query, ranking) in enumerate(FIRST.items()) if i < 15}
    options: dict[str, Any] = {"qrels": QRELS, "margin": margin, "identical_passes": margin is not None}
    for pair in [(fewer, FIRST), (FIRST, fewer)]:
        with pytest.raises(AssertionError, match=r"^5 queries left out .* choose the queries: judged, which counts"):
            assert_not_worse(*pair, "AP", **options)
    assert_not_worse(fewer, FIRST, "AP", **options, queries="intersection")
    assert_not_worse(fewer, FIRST, "AP", **options, unpaired_passes=True)
    with pytest.raises(AssertionError, match=r"in AP: difference -0\.2500"):
        assert_not_worse(fewer, FIRST, "AP", qrels=QRELS, margin=0.01, queries="judged")


def test_units_that_a_system_lacks_fail() -> None:
    by_name = dict(enumerate(OLD.tolist()))
    fewer = dict(list(by_name.items())[:40])
    with pytest.raises(AssertionError, match=r"^20 units that not every system has left out; .* give every system all"):
        assert_not_worse(fewer, by_name)
    assert assert_not_worse(fewer, by_name, unpaired_passes=True).rows[0].n == 40


def test_values_by_unit_are_paired_by_name() -> None:
    by_name = dict(enumerate(OLD.tolist()))
    assert_not_worse(dict(reversed(by_name.items())), by_name, margin=0.0001, identical_passes=True)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((FIRST, SECOND, "AP"), {"qrels": QRELS, "y_true": [1]}, CertusError, "qrels and y_true are both given"),
        (
            (FIRST, SECOND, "AP"),
            {"qrels": QRELS, "better": "lower"},
            CertusError,
            "better is 'lower', but metrics know",
        ),
        ((FIRST, SECOND, "APP"), {"qrels": QRELS}, MetricNameError, "no metric is named 'APP'"),
        ((OLD, OLD[:5]), {}, DataError, "has 60 of 'baseline' but 5 of 'system'|has 5 of 'baseline' but 60|pair up"),
        ((OLD, NEAR), {"margin": -0.1}, DataError, "margin is -0.1; it must be a finite number above 0"),
        ((OLD, NEAR), {"alternative": "greater"}, MetricNameError, "a gate asks whether it is worse"),
    ],
)
def test_wrong_input_is_no_failed_assertion(
    arguments: tuple[Any, ...], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        assert_not_worse(*arguments, **options)
