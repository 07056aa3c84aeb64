"""Results of tests share their names."""

from typing import Any

import numpy as np
import pytest

from certus.inference import difference, max_t, mcnemar, paired, ratio, tukey_hsd
from certus.statistic import Mean, Proportion

A, B = [0.41, 0.52, 0.33, 0.60, 0.48, 0.71], [0.35, 0.50, 0.35, 0.51, 0.40, 0.66]
OF_TWO = {
    "paired": paired(A, B),
    "difference": difference(Proportion(45, 50), Proportion(30, 40), paired=False),
    "ratio": ratio(Mean(A), Mean(B)),
}
OTHERS = {
    "mcnemar": mcnemar(9, 1),
    "max_t": max_t(np.subtract.outer(A, [0.3, 0.4])),
    "tukey_hsd": tukey_hsd(np.column_stack([A, B])),
}


@pytest.mark.parametrize("found", (OF_TWO | OTHERS).values(), ids=(OF_TWO | OTHERS).keys())
def test_every_result_has_p_its_error_a_statistic_and_the_name_of_the_test(found: Any) -> None:
    assert np.all((np.asarray(found.p) >= 0) & (np.asarray(found.p) <= 1))
    assert np.all(np.asarray(found.error) >= 0)
    assert np.isfinite(np.asarray(found.statistic, dtype=float)).all()
    assert found.method in str(found) or "test" in str(found) or "Tukey" in str(found)


@pytest.mark.parametrize("found", OF_TWO.values(), ids=OF_TWO.keys())
def test_results_of_two_systems_have_an_interval_that_excludes_the_null_if_and_only_if_p_says_so(found: Any) -> None:
    null = 1.0 if "ratio" in vars(found) else 0.0
    low, high = found.interval()
    level = found.interval().level
    assert (low > null or high < null) == (found.p <= 1 - level)
    assert found.interval(0.8)[0] > low
