"""Two estimates with other weights are not subtracted as a pair."""

import numpy as np
import pytest

from certus import CertusError, classification, regression
from certus.metrics import Metric

METRICS = [classification.roc_auc, classification.average_precision, classification.log_loss, classification.accuracy]


@pytest.mark.parametrize("metric", [*METRICS, regression.r2, regression.mae], ids=str)
def test_estimates_of_which_one_has_weights_have_no_paired_difference(metric: Metric) -> None:
    rng = np.random.default_rng(0)
    truth, score, weights = rng.integers(0, 2, 60), rng.random(60), rng.random(60) + 0.5
    predicted = (score > 0.5).astype(int) if metric is classification.accuracy else score
    weighted, plain = metric(truth, predicted, sample_weight=weights), metric(truth, predicted)
    for a, b in ((weighted, plain), (plain, weighted)):
        with pytest.raises(CertusError, match="weight"):
            a - b
    assert (weighted - metric(truth, predicted, sample_weight=weights)).value == 0
