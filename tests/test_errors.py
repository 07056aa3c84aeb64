"""Errors say in fields what their texts say in words."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import pytest

import certus
from certus.errors import CertusError, DataError, MetricNameError, NotGivenError, options_for

COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda error: pickle.loads(pickle.dumps(error)),
    lambda error: pickle.loads(cloudpickle.dumps(error)),
]


def test_a_text_is_made_of_place_argument_find_and_remedy() -> None:
    error = DataError("is NaN at index 1", "leave it out", argument="y_true", place="a.csv:3")
    assert str(error) == "a.csv:3: y_true is NaN at index 1; leave it out"
    assert (error.place, error.argument, error.found, error.remedy) == (
        "a.csv:3",
        "y_true",
        "is NaN at index 1",
        "leave it out",
    )
    assert error.args == (str(error),)


def test_what_is_not_known_is_none_and_not_in_the_text() -> None:
    error = CertusError("there are no rows")
    assert (error.place, error.argument, error.remedy, error.subject) == (None, None, None, "")
    assert str(error) == "there are no rows"
    assert CertusError("no metric is named 'x'", "").remedy is None


def test_a_subject_stands_for_the_argument_in_the_text_only() -> None:
    error = DataError("is -1", "a weight is at least 0", argument="weights", subject="weights[2]")
    assert str(error) == "weights[2] is -1; a weight is at least 0"
    assert error.argument == "weights"
    assert str(DataError("there are no runs", argument="runs", subject="")) == "there are no runs"


def test_an_option_is_in_the_text_and_python_has_its_own_name() -> None:
    with options_for({"y_true": "--truth"}):
        error = DataError("has no samples", argument="y_true")
    assert str(error) == "--truth has no samples"
    assert error.argument == "y_true"
    assert str(error.at("a.csv")) == "a.csv: --truth has no samples"  # not asked for again, where no option is known


def test_a_place_is_added_in_front_and_leaves_the_error_as_it_was() -> None:
    error = DataError.of_cell("y_true", (4,), -1.0, "-1", "it must be at least 0")
    placed = error.at("batch 2").at("a.csv")
    assert str(placed) == "a.csv: batch 2: y_true is -1 at index 4; it must be at least 0"
    assert placed.place == "a.csv: batch 2"
    assert placed.cell == error.cell is not None
    assert error.place is None
    assert str(error) == "y_true is -1 at index 4; it must be at least 0"


@pytest.mark.parametrize("kind", [CertusError, DataError, MetricNameError, NotGivenError])
def test_no_kind_of_copy_loses_a_field(kind: type[CertusError]) -> None:
    with options_for({"y_true": "--truth"}):
        error = kind("is NaN", "leave it out", argument="y_true").at(3)
    for copied in COPIES:
        other = copied(error)
        assert type(other) is kind
        assert str(other) == str(error) == "3: --truth is NaN; leave it out"
        assert vars(other) == vars(error)


def test_an_error_that_is_caught_has_fields() -> None:
    with pytest.raises(certus.DataError) as caught:
        certus.regression.mae([1.0, float("nan")], [1.0, 2.0])
    assert (caught.value.argument, caught.value.found) == ("y_true", "is NaN at index 1")
    assert caught.value.remedy == "leave out or fill such samples first"
