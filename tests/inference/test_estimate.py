"""An estimate's text, fields and comparisons."""

import copy
import json
import math
import operator
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from untyped import untyped

import certus
from certus import CertusError, MetricNameError
from certus.inference import Estimate, Estimates, mean_interval
from certus.statistic import Mean, Plugin, Proportion, Ratio

X = np.linspace(0.05, 0.65, 13) ** 2


def test_it_prints_as_the_design_says() -> None:
    values = np.repeat([0.1, 0.5], 125)
    # mean 0.3, s = 0.2 sqrt(250 / 249), SE = 0.2 / sqrt(249), t(249; 0.975) = 1.969537
    assert str(Estimate(Mean(values), metric="AP")) == "0.3000 [0.2750, 0.3250]  95% Student t, 250 queries"
    assert repr(Estimate(Mean(values), metric="AP")).startswith("<Estimate AP: 0.3000 [0.2750")
    assert str(Estimate(Proportion(9, 12))) == "0.7500 [0.4677, 0.9111]  95% Wilson, 12 samples"


def test_what_is_undefined_is_printed_with_its_reason() -> None:
    assert str(Estimate(Mean([0.5, math.nan]))) == "nan  (1 of 2 queries has no value)"
    assert str(Estimate(Mean([0.5]))) == "0.5000  1 query (no interval: 1 query alone has no variance)"
    assert "(all 10 values are equal" in str(Estimate(Mean([1.0] * 10), bounds=(0, 1)))


def test_totals_print_without_decimals() -> None:
    assert str(Estimate(Mean([10, 20, 30], total=True))).startswith("60 [-15, 135]  95% Student t, 3 queries")


def test_a_range_is_printed_with_what_it_ranges_over() -> None:
    estimate = Estimate(Mean(X), range=(0.1, 0.2), range_of="ties")
    assert str(estimate).endswith("13 queries; 0.1000 to 0.2000 over ties")


def test_it_is_a_number() -> None:
    estimate = Estimate(Mean([0.25, 0.5]))
    assert float(estimate) == estimate.value == 0.375
    assert f"{estimate:.2f}" == "0.38"
    assert f"{estimate}" == str(estimate)


def test_methods_are_those_of_the_form() -> None:
    assert Estimate(Mean(X)).methods == ("t", "hall", "normal", "percentile", "bca", "bootstrap-t")
    assert Estimate(Ratio(X, X)).methods == ("delta", "hall", "jackknife", "percentile", "bca")
    assert Estimate(Plugin(X, lambda rows, weights: 0.0)).methods == ("bca", "percentile", "jackknife")


@pytest.mark.parametrize(
    ("spelling", "method"),
    [
        ("Student t", "t"),
        ("student-t", "t"),
        ("BCa", "bca"),
        ("BCa bootstrap", "bca"),
        ("bootstrap", "percentile"),
        ("bootstrap_t", "bootstrap-t"),
        ("Normal", "normal"),
    ],
)
def test_usual_spellings_are_understood(spelling: str, method: str) -> None:
    estimate = Estimate(Mean(X))
    assert estimate.interval(method=spelling) == estimate.interval(method=method)
    assert estimate.interval(method=spelling).method == method


def test_a_wrong_method_is_answered_with_the_right_ones() -> None:
    with pytest.raises(MetricNameError, match=r"no interval method is named 'bcaa'; did you mean 'bca'\? There are"):
        Estimate(Mean(X)).interval(method="bcaa")
    with pytest.raises(
        MetricNameError, match="'wilson' is not one for a mean; the methods are t, hall, normal, percentile"
    ):
        Estimate(Mean(X)).interval(method="wilson")


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
def test_a_level_outside_0_and_1_is_refused(level: float) -> None:
    with pytest.raises(CertusError, match=r"it must lie strictly between 0 and 1, for example 0\.95"):
        Estimate(Mean(X)).interval(level)
    with pytest.raises(CertusError, match="strictly between 0 and 1"):
        Estimate(Mean([math.nan])).interval(level)


def test_senseless_replicates_and_seeds_are_refused() -> None:
    with pytest.raises(CertusError, match="replicates is 0; it must be a whole number of at least 1"):
        mean_interval(X, method="bca", replicates=0)
    with pytest.raises(CertusError, match=r"replicates is 10; level 0\.95 needs at least 39"):
        mean_interval(X, method="bca", replicates=10)
    with pytest.raises(CertusError, match="seed is 'x'; it must be a whole number"):
        untyped(mean_interval)(X, method="bca", seed="x")
    with pytest.raises(CertusError, match=r"seed is -1; it must be a whole number from 0 to 2\*\*64 - 1"):
        mean_interval(X, method="bca", seed=-1)


def run(program: str) -> str:
    path = f"import sys; sys.path[:0] = {sys.path!r}\n"
    return subprocess.run([sys.executable, "-c", path + program], check=True, capture_output=True, text=True).stdout


def test_intervals_of_means_and_shares_import_no_functions_of_scipy() -> None:
    program = """
from certus.inference import Estimate, mean_interval, proportion_interval
from certus.statistic import Mean, Proportion
import sys
from typing import Any
for estimate in (Estimate(Mean([0.1, 0.4, 0.2, 0.7])), Estimate(Proportion(3, 7))):
    for method in estimate.methods:
        estimate.interval(method=method)
print('scipy.special' in sys.modules, 'scipy.stats' in sys.modules)
"""
    assert run(program) == "False False\n"


def test_a_total_that_is_no_whole_number_is_printed_with_its_decimals() -> None:
    assert str(Estimate(Mean([0.5, 1.0], total=True))).startswith("1.5000 [")
    assert str(Estimate(Mean([1.0, 2.0], total=True))).startswith("3 [")


def test_an_estimate_may_have_a_level_and_a_method_of_its_own() -> None:
    estimate = Estimate(Mean(X), level=0.8, method="Student t")
    assert estimate.interval() == Estimate(Mean(X)).interval(0.8, "t")
    assert estimate.interval(0.9, "normal") == Estimate(Mean(X)).interval(0.9, "normal")
    assert "80% Student t" in str(estimate)
    with pytest.raises(CertusError, match="level is 2; it must lie strictly between 0 and 1"):
        Estimate(Mean(X), level=2).interval()


def test_an_estimate_has_its_limits_and_is_compared_with_numbers() -> None:
    estimate = Estimate(Mean([0.1, 0.4, 0.3, 0.6]), metric="AP", bounds=(0.0, 1.0))
    assert (estimate.low, estimate.high) == estimate.interval()
    low, high = estimate.interval()
    assert low < estimate < high
    assert low <= estimate <= high
    assert estimate == estimate.value
    assert hash(estimate) == hash(estimate.value)
    assert estimate != Estimate(Mean([0.1, 0.4, 0.3, 0.6]))


def test_two_estimates_are_not_ordered_by_their_values() -> None:
    estimate: Any = Estimate(Mean([0.1, 0.4]))
    for compared in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError, match=r"certus.inference.difference\(a, b\) says how sure the difference is"):
            compared(estimate, Estimate(Mean([0.1, 0.3])))
        with pytest.raises(TypeError, match="compared with a number, not with str"):
            compared(estimate, "0.3")


def test_an_estimate_is_written_as_plain_values() -> None:
    estimate = Estimate(Mean([0.1, 0.4, 0.3, 0.6]), metric="<AP>", bounds=(0.0, 1.0), conventions={"rel": 2})
    fields = json.loads(estimate.to_json())
    assert fields == estimate.to_dict()
    assert (fields["metric"], fields["value"], fields["low"]) == ("<AP>", estimate.value, estimate.low)
    assert fields["conventions"] == {"rel": 2}
    assert "<b>&lt;AP&gt;</b>" in estimate._repr_html_()
    undefined = Estimate(Mean([])).to_dict()
    assert (undefined["value"], undefined["low"]) == (None, None)
    assert undefined["reason"]


def test_an_interval_is_the_pair_of_its_limits_and_keeps_how_it_was_made() -> None:
    interval = Estimate(Mean([0.1, 0.4, 0.3, 0.6])).interval(0.9)
    for copied in (pickle.loads(pickle.dumps(interval)), copy.deepcopy(interval)):
        assert copied == (interval.low, interval.high)
        assert (copied.level, copied.method, copied.reason) == (0.9, "t", "")
        assert repr(copied) == repr(interval)


def test_an_undefined_value_has_no_interval_by_any_method_of_its_form() -> None:
    more: tuple[dict[str, Any], ...] = ({}, {"groups": [1, 2]})
    for told in more:
        found = certus.classification.roc_auc([1, 1], [0.5, 0.4], **told)
        for method in ("bca", "percentile"):
            assert found.interval(method=method).reason == "there are no negatives"
        with pytest.raises(certus.CertusError, match="wilson"):
            found.interval(method="wilson")


@pytest.fixture
def each() -> Estimates:
    found: Any = certus.classification.recall(["a", "b", "b"], ["a", "b", "a"], average=None)
    assert isinstance(found, Estimates)
    return found


def test_estimates_are_a_mapping_from_label_to_estimate(each: Estimates) -> None:
    assert list(each) == ["a", "b"]
    assert len(each) == 2
    assert "b" in each
    assert each["b"].value == 0.5
    assert {label: estimate.value for label, estimate in each.items()} == {"a": 1.0, "b": 0.5}
    assert each.metric == "Recall(average=None)"
    with pytest.raises(KeyError):
        each["z"]


def test_estimates_do_not_change(each: Estimates) -> None:
    with pytest.raises(TypeError):
        each["a"] = each["b"]  # type: ignore[index]


def test_estimates_print_a_line_for_each_class(each: Estimates) -> None:
    assert str(each).splitlines() == [f"a  {each['a']}", f"b  {each['b']}"]
    assert repr(each) == f"<Estimates Recall(average=None): 2 classes>\n{each}"
    wide = Estimates({"cat": Estimate(Proportion(1, 2)), "a": Estimate(Proportion(1, 2))})
    assert [line.index("0.5000") for line in str(wide).splitlines()] == [5, 5]
    assert str(Estimates({"\x1b[31m": Estimate(Proportion(1, 2))})).startswith("\\x1b[31m")
    assert str(Estimates({})) == ""
