"""Metrics of scores against random labels: every choice of the positives, tried one by one."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import certus
from certus import CertusError, DataError
from certus.chance.versus import VersusChance
from certus.metrics import Metric, declared, random_labels

Floats = NDArray[np.float64]

TRUTH = [1, 0, 1, 1, 0, 0, 1, 0, 0]
SCORE = [9.0, 8.0, 7.5, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
TIED = [3.0, 3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.0]

NEEDED = {"PrecisionAtRecall": {"recall": 0.5}, "RecallAtPrecision": {"precision": 0.6}}
OF_SCORES = [
    metric.using(**NEEDED.get(metric.name, {}))
    for metric in declared("classification")
    if certus.data.Scores in metric.input_types
]
EXACT = [metric for metric in OF_SCORES if metric.name in ("AP", "AUC", "Gini", "GainCapture")]
DRAWN = [metric for metric in OF_SCORES if metric not in EXACT]


def of_all_labels(metric: Metric, score: list[float]) -> Floats:
    """The metric of every choice of the positives, each as likely."""
    values = []
    for positive in combinations(range(len(score)), sum(TRUTH)):
        truth = np.isin(np.arange(len(score)), positive)
        values.append(metric(truth, score).value)
    return np.array(values)


def check(result: VersusChance, values: Floats) -> None:
    x = result.value
    tail, cdf = np.mean(values >= x - 1e-9), np.mean(values <= x + 1e-9)
    drawn = not result.exact
    assert result.p == pytest.approx(tail, rel=1e-9, abs=2 * result.p.error)
    assert result.null.cdf(x) == pytest.approx(cdf, rel=1e-9, abs=2 * result.null.cdf(x).error)
    assert result.expected == pytest.approx(values.mean(), abs=0.1 * values.std() if drawn else 1e-12)
    assert result.sd == pytest.approx(values.std(), rel=0.1 if drawn else 1e-9)
    assert result.best == pytest.approx(values.max(), rel=1e-12)


@pytest.mark.parametrize("metric", EXACT, ids=str)
@pytest.mark.parametrize("score", [SCORE, TIED], ids=["distinct", "tied"])
def test_exact_laws_are_as_every_choice_of_positives_says(metric: Metric, score: list[float]) -> None:
    result = metric(TRUTH, score).versus_chance()
    assert result.exact
    check(result, of_all_labels(metric, score))
    assert ("staying tied" in result.random) == (score is TIED)


@pytest.mark.parametrize("metric", OF_SCORES, ids=str)
@pytest.mark.parametrize("score", [SCORE, TIED], ids=["distinct", "tied"])
def test_draws_agree_with_every_choice_of_positives(metric: Metric, score: list[float]) -> None:
    result = metric(TRUTH, score).versus_chance(replicates=1000, seed=5)
    assert result.method == "Monte Carlo"
    check(result, of_all_labels(metric, score))


@pytest.mark.parametrize("metric", DRAWN, ids=str)
def test_metrics_without_an_exact_law_are_drawn(metric: Metric) -> None:
    estimate = metric(TRUTH, SCORE)
    one, two = (estimate.versus_chance(seed=3, replicates=200) for _ in range(2))
    assert (one.p, one.method) == (two.p, "Monte Carlo")


def test_parts_of_the_curve_and_interpolations_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_labels, "DRAWS", 100)
    monkeypatch.setattr(random_labels, "MIN_DRAWS", 100)
    auc, ap = certus.classification.roc_auc, certus.classification.average_precision
    assert auc(TRUTH, SCORE, max_fpr=0.5).versus_chance().method == "Monte Carlo"
    assert ap(TRUTH, SCORE, interpolation="11-point").versus_chance().method == "Monte Carlo"


def test_auc_is_the_rank_sum_test() -> None:
    from scipy.stats import mannwhitneyu

    truth, score = np.array(TRUTH, dtype=bool), np.array(SCORE)
    for alternative in ("greater", "less", "two-sided"):
        expected = mannwhitneyu(score[truth], score[~truth], alternative=alternative, method="exact").pvalue
        estimate = certus.classification.roc_auc(TRUTH, SCORE)
        assert estimate.versus_chance(alternative).p == pytest.approx(expected, rel=1e-12)


def test_one_column_of_scores_per_class_is_the_same() -> None:
    both = np.column_stack([-np.array(SCORE), SCORE])
    one = certus.classification.roc_auc(TRUTH, SCORE).versus_chance()
    assert certus.classification.roc_auc(TRUTH, both).versus_chance().p == one.p


REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"sample_weight": range(1, 10)}, DataError, "AUC was computed with sample_weight; .* leave out sample_weight"),
    ({"groups": [1, 1, 2, 2, 3, 3, 4, 4, 5]}, DataError, "AUC was computed with groups; .* leave out groups"),
]


@pytest.mark.parametrize(("given", "kind", "message"), REFUSED, ids=["weights", "groups"])
def test_samples_that_do_not_count_alike_are_refused(given: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        certus.classification.roc_auc(TRUTH, SCORE, **given).versus_chance()


def test_what_has_no_random_ranking_is_refused() -> None:
    auc = certus.classification.roc_auc
    with pytest.raises(CertusError, match=r"all samples have one label; AUC.* cannot be compared with random labels"):
        auc([1, 1], [0.1, 0.2], labels=[0, 1], undefined=0.5).versus_chance()
    with pytest.raises(CertusError, match=r"AUC is undefined \(there are no negatives\)"):
        auc([1, 1], [0.1, 0.2], labels=[0, 1]).versus_chance()
    with pytest.raises(DataError, match="items is for lists of documents"):
        auc(TRUTH, SCORE).versus_chance(items=20)
    several = auc([0, 1, 2, 0, 1, 2], np.eye(3)[[0, 1, 2, 0, 1, 2]], multi_class="ovr")
    for estimate in (several, certus.classification.brier(TRUTH, np.linspace(0, 1, 9))):
        with pytest.raises(CertusError, match="has no distribution under a random ranking; ranking metrics have one"):
            estimate.versus_chance()
