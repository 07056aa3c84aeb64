"""Claims about every classification metric; a new one is found and tested by itself."""

import math
import pydoc

import numpy as np
import pytest
from every_metric import case, ready
from untyped import untyped

import certus
from certus import DataError, Metric, MetricNameError
from certus.data import Labels, Multilabel
from certus.metrics import declared, parse
from certus.statistic import Proportion, TableFunction

METRICS = declared("classification")
UNDEFINED = [metric for metric in METRICS if "undefined" in metric.parameters]


@pytest.mark.parametrize("metric", UNDEFINED, ids=str)
def test_undefined_says_what_0_over_0_counts_as(metric: Metric) -> None:
    # Informedness and recall lack positives, precision and markedness predicted ones, specificity negatives, ...
    zeros, ones = np.zeros(9, int), np.ones(9, int)
    found = 0
    for true, predicted in ((zeros, zeros), (ones, ones), (zeros, ones)):
        value = ready(metric)(true, predicted)
        if not math.isnan(value.value):
            continue
        found += 1
        assert value.reason
        filled = ready(metric)(true, predicted, undefined=1.0)
        assert filled.value == (0.5 if metric.name == "BalancedAccuracy" and len({*true, *predicted}) == 2 else 1)
        assert not filled.reason
        interval = filled.interval()
        assert not interval.defined or interval.low < interval.high
    assert found


def test_every_estimate_says_its_conventions() -> None:
    estimate = certus.classification.f1([0, 1], [0, 1], average="macro", undefined=0.0)
    assert estimate.metric == "F1(average='macro',undefined=0)"
    assert estimate.conventions == {"average": "macro", "undefined": 0.0}


def test_a_wrong_keyword_is_answered_with_the_right_one() -> None:
    with pytest.raises(MetricNameError, match=r"^F1 has no parameter 'averge'; did you mean 'average'\?$"):
        untyped(certus.classification.f1)([0, 1], [0, 1], averge="macro")
    with pytest.raises(
        MetricNameError, match=r"^F1 has no parameter 'sample_weights'; did you mean 'sample_weight'\?$"
    ):
        untyped(certus.classification.f1)([0, 1], [0, 1], sample_weights=[1, 1])
    with pytest.raises(MetricNameError, match=r"average of F1 is 'makro'; it must be .*; did you mean 'macro'\?$"):
        untyped(certus.classification.f1)([0, 1], [0, 1], average="makro")
    with pytest.raises(DataError, match=r"^F1 needs y_true and y_pred; y_pred was not given$"):
        untyped(certus.classification.f1)(y_true=[0, 1])
    with pytest.raises(DataError, match=r"^F1 was given y_true twice; give it once$"):
        untyped(certus.classification.f1)([0, 1], [0, 1], y_true=[0, 1])
    with pytest.raises(DataError, match=r"^F1 takes y_true and y_pred; it was given 1$"):
        untyped(certus.classification.f1)([0, 1])
    with pytest.raises(DataError, match=r"^labels must be given where the Labels are made, not with them$"):
        untyped(certus.classification.f1)(Labels.from_arrays([0, 1], [0, 1]), labels=[0, 1])


def test_shapes_that_fit_nothing_are_refused() -> None:
    with pytest.raises(DataError, match=r"^y_true has shape \(2,\) and y_pred \(2, 2\); give one true and one "):
        certus.classification.f1([0, 1], [[0, 1], [1, 0]])


def test_a_metric_computes_from_prepared_data() -> None:
    data = Labels.from_arrays([0, 1, 1], [0, 1, 0])
    assert certus.classification.accuracy(data).value == certus.classification.accuracy.compute(data).value == 2 / 3  # type: ignore[union-attr]
    table = Multilabel.from_arrays([[0, 1]], [[0, 1]])
    assert certus.classification.accuracy(table).value == 1


def test_a_metric_remembers_what_it_was_bound_to() -> None:
    f1 = certus.classification.f1
    assert f1.using(average="macro") is f1.using(average="macro")
    assert f1.using(undefined=1) == f1.using(undefined=1.0)
    kappa = certus.classification.balanced_accuracy
    with pytest.raises(MetricNameError, match="it must be True or False"):
        untyped(kappa).using(adjusted=1)
    assert kappa.using(adjusted=True).bounds == (-1.0, 1.0)
    with pytest.raises(MetricNameError, match="it must be True or False"):
        untyped(kappa).using(adjusted=1)


BINARY_FORMS = ("Precision", "Recall", "Specificity", "NPV", "FPR", "FNR", "F1", "Jaccard", "Accuracy", "Hamming")


@pytest.mark.parametrize("name", [*BINARY_FORMS, "Prevalence"])
def test_what_counts_single_samples_is_a_proportion(name: str) -> None:
    metric = parse(name, task="classification")
    columns = case("classification", metric, n=60).given
    assert isinstance(metric.compute(Labels.from_arrays(*columns)), Proportion)
    assert isinstance(metric.compute(Labels.from_arrays(*columns, sample_weight=np.arange(1.0, 61.0))), TableFunction)
    assert isinstance(metric.compute(Labels.from_arrays(*columns, groups=np.arange(60))), TableFunction)


def test_help_shows_the_signature() -> None:
    text = pydoc.plain(pydoc.render_doc(certus.classification.f1))
    assert "f1(y_true, y_pred, *, average" in text
    assert "sample_weight=None, groups=None, universe=None) -> " in text
    assert "Harmonic mean of precision and recall." in text
