"""Tables whose columns have names: those of truth and prediction stand in one order."""

from typing import Any

import pandas as pd
import polars as pl
import pytest

from certus import DataError, multilabel, regression

ROWS = [[1, 0], [0, 1], [1, 1]]
METRICS = [multilabel.hamming_loss, multilabel.label_ranking_loss, multilabel.ndcg, regression.mae]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_the_same_columns_in_another_order_are_refused(metric: Any, frame: Any) -> None:
    one = frame({"u": [1, 0, 1], "v": [0, 1, 1]})
    other = one[["v", "u"]]
    with pytest.raises(DataError, match=r"has the columns of y_true in another order \('v' where y_true has 'u'\)"):
        metric(one, other)
    assert metric(one, one).value == metric(ROWS, ROWS).value


def test_columns_of_other_names_are_taken_by_their_places() -> None:
    true, predicted = pd.DataFrame(ROWS, columns=["u", "v"]), pd.DataFrame(ROWS, columns=["u_hat", "v_hat"])
    assert multilabel.hamming_loss(true, predicted).value == 0
    assert multilabel.hamming_loss(true, ROWS).value == 0
