"""One estimate per class."""

import pickle
from typing import Any

import pytest

import certus
from certus.inference import Estimate, Estimates
from certus.statistic import Proportion


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


def test_estimates_survive_pickling(each: Estimates) -> None:
    again = pickle.loads(pickle.dumps(each))
    assert str(again) == str(each)
    averaged = certus.classification.f1([0, 1, 2], [0, 1, 1], average="macro", undefined=0.0, groups=[1, 2, 3])
    assert pickle.loads(pickle.dumps(averaged)).interval() == averaged.interval()
