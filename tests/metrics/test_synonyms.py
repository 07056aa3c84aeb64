"""Names that nobody declared, of words that mean those of a metric: what the error suggests."""

import pytest

from certus import MetricNameError
from certus.metrics import parse


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("prec@5", "P@5"),
        ("prec@5(rel=2)", "P(rel=2)@5"),
        ("prec_5", "P@5"),
        ("prec_at_5", "P@5"),
        ("p_at_5", "P@5"),
        ("r10", "R@10"),
        ("rec@10", "R@10"),
        ("prec@k", "P"),
        ("avg_prec@20", "AP@20"),
        ("mean_avg_prec@20", "AP@20"),
        ("mean_recip_rank@10", "RR@10"),
        ("normalized_discounted_cumulative_gain@10", "nDCG@10"),
        ("normalised-discounted-cumulated-gain@10", "nDCG@10"),
        ("norm_dcg(gain=exp)@7", "nDCG(gain='exp')@7"),
        ("success_rate@5", "Success@5"),
        ("cum_gain@3", "CG@3"),
        ("nDGC@10", "nDCG@10"),
        ("nDGC@10(gain=exp)", "nDCG@10(gain=exp)"),
        ("nDGC@10(gain=wrong)", "nDCG"),
    ],
)
def test_a_ranking_metric_is_suggested_whole(text: str, meant: str) -> None:
    with pytest.raises(MetricNameError) as error:
        parse(text)
    assert str(error.value).endswith((f"did you mean {meant!r}?", f"did you mean {meant!r}? "))


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        ("classification", "acc", "'Accuracy'"),
        ("classification", "acc@5", "'Accuracy@5', a metric of ranking"),
        ("classification", "bal_acc", "'BalancedAccuracy'"),
        ("classification", "top5_acc", "'TopK@5'"),
        ("classification", "f-score", "'F1'"),
        ("classification", "pr_auc", "'AP'"),
        ("classification", "rec", "'Recall'"),
        ("classification", "prec@5", "'P@5', a metric of ranking"),
        ("classification", "mean_abs_err", "'MAE', a metric of regression"),
        ("regression", "root_mean_sq_error", "'RMSE'"),
        ("regression", "mean_abs_pct_err", "'MAPE'"),
    ],
)
def test_words_are_known_in_every_task(task: str, text: str, said: str) -> None:
    with pytest.raises(MetricNameError) as error:
        parse(text, task=task)
    assert f"did you mean {said}?" in str(error.value)


@pytest.mark.parametrize("text", ["xyz", "at", "zq@5", "11"])
def test_words_of_no_metric_suggest_none(text: str) -> None:
    with pytest.raises(MetricNameError) as error:
        parse(text)
    assert "did you mean" not in str(error.value)
