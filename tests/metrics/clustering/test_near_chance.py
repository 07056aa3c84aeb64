"""Intervals of chance-corrected agreement where clusterings have little or nothing in common."""

import numpy as np
import pytest

from certus import clustering
from certus.metrics import Metric


@pytest.mark.parametrize("metric", [clustering.adjusted_rand, clustering.adjusted_mutual_info])
def test_independent_clusterings_have_intervals_that_hold_zero(metric: Metric) -> None:
    # The first derivative alone, which vanishes there, covers .91 (adjusted Rand index) and .87 (mutual information).
    rng = np.random.default_rng(144)
    shares = np.outer([0.55, 0.45], [0.3, 0.3, 0.4]).ravel()
    covered = 0
    for _ in range(150):
        cells = rng.choice(6, 144, p=shares)
        low, high, *_ = metric(cells // 3, cells % 3).interval()
        covered += low <= 0 <= high
    assert covered >= 0.95 * 150
