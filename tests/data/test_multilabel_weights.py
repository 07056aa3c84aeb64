"""Sums of weights in the cells of several labels per sample."""

import numpy as np

from certus.classification import precision
from certus.data import Multilabel


def test_a_cell_that_no_sample_fills_is_exactly_0() -> None:
    data = Multilabel.of([[0], [1]], [[1], [0]], sample_weight=[0.1, 0.25])
    # 0.1 + 0.25 - 0.25 - 0.1 is less than 0.
    np.testing.assert_array_equal(data.counts[0], [[0.0, 0.1], [0.25, 0.0]])
    assert precision(data, average="macro").value == 0.0
