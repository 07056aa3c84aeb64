"""The correlation of two classes by columns and in Python's floats: the bits of the definition in arrays."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.core.arrays import Floats
from certus.data.cells import FULL, Four
from certus.metrics.classification.agreement import _Correlation

CELLS = st.one_of(st.integers(0, 60).map(float), st.floats(1e-9, 1e9))
TABLES = st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=5)


def value_in_arrays(four: Four) -> Floats:
    total = (four[0] + four[2]).sum(-1, keepdims=True)
    tp, fp, fn, tn = (cell / total for cell in four)
    of_true, of_predicted = ((tp + fn) * (fp + tn)).sum(-1), ((tp + fp) * (fn + tn)).sum(-1)
    scale = np.where(of_true == of_predicted, of_true, np.sqrt(of_true) * np.sqrt(of_predicted))
    return np.asarray(np.clip((tp * tn - fp * fn).sum(-1) / scale, -1.0, 1.0))


def slopes_in_arrays(four: Four) -> Four:
    total = (four[0] + four[2]).sum(-1, keepdims=True)
    tp, fp, fn, tn = (cell / total for cell in four)
    covariance = (tp * tn - fp * fn).sum(-1)
    of_true, of_predicted = ((tp + fn) * (fp + tn)).sum(-1), ((tp + fp) * (fn + tn)).sum(-1)
    times = (four[0].sum() + four[2].sum()) * np.sqrt(of_true * of_predicted)
    row = (tp.sum() - (tp + fp) - covariance * (fp + tn) / of_true) / times
    column = (-(tp + fn) - covariance * (fn + tn) / of_predicted) / times
    return row + column + 1 / times, column, row, np.zeros(2)


@settings(max_examples=200, deadline=None)
@given(TABLES)
def test_values_and_derivatives_of_two_classes_have_the_bits_of_arrays(cells: list[tuple[float, ...]]) -> None:
    tables = np.array(cells).reshape(-1, 2, 2)
    correlation = _Correlation()
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = value_in_arrays(FULL.four(tables))
        assert np.array_equal(correlation.value(FULL.four(tables)), expected, equal_nan=True)
        for table, value in zip(tables, expected, strict=True):
            four = FULL.four(table)
            assert np.array_equal(correlation.value(four), value, equal_nan=True)
            for ours, theirs in zip(correlation.slopes(four), slopes_in_arrays(four), strict=True):
                assert np.array_equal(ours, theirs, equal_nan=True)
