"""scikit-learn's functions as oracles of certus.compat.sklearn, and data to compare them on."""

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import certus.compat.sklearn as face

__all__ = [
    "AVERAGES",
    "FUNCTIONS",
    "ROUNDING",
    "check_equal",
    "check_same",
    "examples",
    "outcome",
    "pairs_of_labels",
    "scored",
    "tables_of_labels",
    "tables_of_scores",
    "theirs",
]

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the oracle")
calibration = pytest.importorskip("sklearn.calibration")
cluster = pytest.importorskip("sklearn.metrics.cluster")

FUNCTIONS = sorted(name for name in face.__all__ if not isinstance(getattr(face, name), type))
ROUNDING = 1e-12
"""Sums of weights are added in another order than scikit-learn's; counts are exact on both sides."""


def theirs(name: str) -> Callable[..., Any]:
    """scikit-learn's function of that name."""
    where = next(module for module in (metrics, calibration, cluster) if hasattr(module, name))
    function: Callable[..., Any] = getattr(where, name)
    return function


def outcome(function: Callable[..., Any], args: Any, keywords: Any) -> tuple[Any, str, list[str]]:
    """Result, error and warnings of a call."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            value, error = function(*args, **keywords), ""
        except Exception as raised:  # noqa: BLE001
            value, error = None, f"{type(raised).__name__}: {raised}"
    # What numpy says while scikit-learn divides by zero is not a part of its interface.
    told = {f"{each.category.__name__}: {each.message}" for each in said if each.category is not RuntimeWarning}
    return value, error, sorted(told)


def check_same(name: str, *args: Any, rounding: float = ROUNDING, **keywords: Any) -> None:
    """The two functions of that name return, raise and warn of the same."""
    value, error, said = outcome(getattr(face, name), args, keywords)
    wanted, wanted_error, wanted_said = outcome(theirs(name), args, keywords)
    assert error == wanted_error
    assert said == wanted_said
    check_equal(value, wanted, rounding)


def check_equal(value: Any, wanted: Any, rounding: float) -> None:
    """The two are of the same type and hold the same numbers."""
    if isinstance(wanted, tuple | list):
        assert type(value) is type(wanted)
        assert len(value) == len(wanted)
        for one, other in zip(value, wanted, strict=True):
            check_equal(one, other, rounding)
    elif isinstance(wanted, dict):
        assert list(value) == list(wanted)
        check_equal(list(value.values()), list(wanted.values()), rounding)
    elif isinstance(wanted, np.ndarray):
        assert isinstance(value, np.ndarray)
        # Sums of counts are floats in scikit-learn when no prediction is right.
        assert value.dtype == wanted.dtype or (value.dtype == np.int64 and (wanted == np.floor(wanted)).all())
        np.testing.assert_allclose(value, wanted, rtol=rounding, atol=rounding)
    elif isinstance(wanted, int | float | np.number):
        assert isinstance(value, float) == isinstance(wanted, float)
        np.testing.assert_allclose(value, wanted, rtol=rounding, atol=rounding)
    elif isinstance(wanted, str):
        # scikit-learn prints counts as floats when no prediction is right, and sums of weights as whole numbers then.
        ending = re.compile(r"(?m) +(\d+)(\.0)?$")
        assert ending.sub(r" \1", value) == ending.sub(r" \1", wanted)
    else:
        assert value == wanted


KINDS: tuple[tuple[Any, ...], ...] = (
    (0, 1),
    (-1, 1),
    (False, True),
    ("no", "yes"),
    (0, 1, 2),
    ("ant", "bee", "cow"),
    (2, 3, 5, 7),
)
AVERAGES = (None, "micro", "macro", "weighted")


@st.composite
def weights(draw: st.DrawFn, n: int) -> Any:
    """No weights, whole ones or real ones, some of them 0."""
    kind = draw(st.sampled_from(["none", "whole", "real"]))
    if kind == "none":
        return None
    each: Any = st.integers(0, 4) if kind == "whole" else st.sampled_from([0.0, 0.1, 0.25, 1.0, 1.7, 300.0])
    return np.array(draw(st.lists(each, min_size=n, max_size=n).filter(any)))


@st.composite
def pairs_of_labels(draw: st.DrawFn, most: int = 7) -> tuple[Any, Any, Any, tuple[Any, ...]]:
    """True and predicted labels, weights, and all labels there could be."""
    names = draw(st.sampled_from([kind for kind in KINDS if len(kind) <= most]))
    n = draw(st.integers(1, 25))
    columns = [draw(st.lists(st.sampled_from(names), min_size=n, max_size=n)) for _ in range(2)]
    y_true, y_pred = columns if draw(st.booleans()) else map(np.array, columns)
    return y_true, y_pred, draw(weights(n)), names


@st.composite
def tables_of_labels(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Several labels per sample: truth, prediction and weights."""
    n, labels = draw(st.integers(1, 12)), draw(st.integers(2, 4))
    cells = st.lists(st.integers(0, 1), min_size=n * labels, max_size=n * labels)
    y_true, y_pred = (np.array(draw(cells)).reshape(n, labels) for _ in range(2))
    return y_true, y_pred, draw(weights(n))


@st.composite
def scored(draw: st.DrawFn, classes: int = 2) -> tuple[Any, Any, Any]:
    """Binary truth, scores that are often equal, and weights."""
    n = draw(st.integers(1, 25))
    names = draw(st.sampled_from([kind for kind in KINDS[:3] if len(kind) == classes]))
    y_true = np.array(draw(st.lists(st.sampled_from(names), min_size=n, max_size=n)))
    values = draw(
        st.sampled_from(
            [
                st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0]),
                st.floats(0, 1, width=32),
                st.floats(0, 1),
                st.integers(0, 4),
            ]
        )
    )
    scores = np.array(draw(st.lists(values, min_size=n, max_size=n)))
    if scores.dtype == np.float64 and draw(st.booleans()):
        scores = scores.astype(np.float32)
    return y_true, scores, draw(weights(n))


@st.composite
def tables_of_scores(draw: st.DrawFn) -> tuple[Any, Any, Any, tuple[Any, ...]]:
    """True classes, probabilities of each class, weights, and the classes."""
    names = draw(st.sampled_from(KINDS[4:]))
    n = draw(st.integers(1, 15))
    y_true = np.array(draw(st.lists(st.sampled_from(names), min_size=n, max_size=n)))
    cells = st.lists(st.integers(1, 6), min_size=len(names) * n, max_size=len(names) * n)
    table = np.array(draw(cells), dtype=np.float64).reshape(n, len(names))
    return y_true, table / table.sum(axis=1, keepdims=True), draw(weights(n)), names


examples = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Number of examples that each comparison tries."""
