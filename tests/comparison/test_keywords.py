"""Keywords of a comparison: the same are refused of arrays, of columns of a table, and of batches."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import certus
from certus import MetricNameError

TRUTH = [1, 0, 1, 1, 0, 0, 1, 0] * 4
SCORES = {"old": [0.9, 0.2, 0.4, 0.8, 0.5, 0.1, 0.7, 0.6] * 4, "new": [0.8, 0.1, 0.6, 0.9, 0.7, 0.3, 0.2, 0.4] * 4}


def _in_memory(**told: Any) -> object:
    return certus.compare(TRUTH, SCORES, "AUC", **told)


def _by_name(**told: Any) -> object:
    return certus.compare(pd.DataFrame({"y": TRUTH, **SCORES}), list(SCORES), "AUC", truth="y", **told)


def _in_batches(**told: Any) -> object:
    return certus.compare(iter([pd.DataFrame({"y": TRUTH, **SCORES})]), list(SCORES), "AUC", truth="y", **told)


@pytest.mark.parametrize("compare", [_in_memory, _by_name, _in_batches])
def test_a_keyword_that_a_comparison_has_no_use_for_is_refused(compare: Callable[..., object]) -> None:
    compare()
    for name in ("by", "per_query", "undefined", "spam"):
        with pytest.raises(
            TypeError, match=rf"compare\(\) does not take '{name}' here: a comparison of classification"
        ):
            compare(**{name: "new"})
    with pytest.raises(MetricNameError, match=r"^y_score is what each system predicts; give it by system, as in"):
        compare(y_score="new")


def test_the_first_data_are_given_by_place() -> None:
    with pytest.raises(TypeError, match="does not take 'y_true'"):
        certus.compare(TRUTH, SCORES, "AUC", y_true=TRUTH)
