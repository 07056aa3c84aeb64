"""Classification metrics: call one on truth and predictions, or bind its parameters with `using`.

What every call may be told, beside the parameters of the metric itself:

labels
    The classes that averages run over, in this order. A class that no sample has counts 0 in every cell; samples of
    other classes still count as mistakes of the classes listed.
pos_label
    The positive class of a binary metric. None takes the greater of 0 and 1, of -1 and 1, or of False and True; other
    pairs of labels have no usual positive class, and it must be given.
sample_weight
    A weight of at least 0 for each sample: a sample of weight 2 counts as two, one of weight 0 not at all.
groups
    The cluster each sample belongs to (a patient, a document, a user). Only samples of different clusters are taken to
    be independent, so the intervals widen; the values do not change.

What the parameters that several metrics have in common mean:

average
    ``"binary"``: the metric of the positive class. ``"macro"``: the mean over classes. ``"weighted"``: the mean over
    classes, each weighted by its true samples. ``"micro"``: the metric of the counts summed over classes.
    ``"samples"``: the mean over samples, for several labels per sample. None: each class by itself, as `Estimates`.
undefined
    What a class whose value is 0/0 counts as: ``"nan"``, no value, and so no average either; ``"skip"``, it is left out
    of the average; or a number, such as 0.0 (scikit-learn's ``zero_division=0``). A class without any weight in an
    average does not enter it, whatever its value.
"""

from certus.budget import at_budget
from certus.confusion import ConfusionMatrix, confusion_matrix
from certus.curves.best_threshold import best_threshold
from certus.curves.calibration import calibration_curve
from certus.curves.gain import gain_curve, lift_curve
from certus.curves.precision_recall import precision_recall_curve
from certus.curves.rates import det_curve, roc_curve
from certus.evaluation.reports import classification as report
from certus.metrics.faces.classification import (
    accuracy,
    average_precision,
    balanced_accuracy,
    break_even_point,
    brier,
    cohen_kappa,
    d2_brier,
    d2_log_loss,
    e_measure,
    expected_calibration_error,
    f1,
    false_negative_rate,
    false_positive_rate,
    fbeta,
    fowlkes_mallows,
    gain_capture,
    gini,
    h_measure,
    hamming_loss,
    hinge_loss,
    informedness,
    jaccard,
    ks,
    lift,
    log_loss,
    markedness,
    maximum_calibration_error,
    mcc,
    negative_likelihood_ratio,
    negative_predictive_value,
    positive_likelihood_ratio,
    precision,
    precision_at_recall,
    prevalence,
    recall,
    recall_at_precision,
    roc_auc,
    specificity,
    top_k_accuracy,
)

__all__ = [
    "ConfusionMatrix",
    "accuracy",
    "at_budget",
    "average_precision",
    "balanced_accuracy",
    "best_threshold",
    "break_even_point",
    "brier",
    "calibration_curve",
    "cohen_kappa",
    "confusion_matrix",
    "d2_brier",
    "d2_log_loss",
    "det_curve",
    "e_measure",
    "expected_calibration_error",
    "f1",
    "false_negative_rate",
    "false_positive_rate",
    "fbeta",
    "fowlkes_mallows",
    "gain_capture",
    "gain_curve",
    "gini",
    "h_measure",
    "hamming_loss",
    "hinge_loss",
    "informedness",
    "jaccard",
    "ks",
    "lift",
    "lift_curve",
    "log_loss",
    "markedness",
    "maximum_calibration_error",
    "mcc",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "precision",
    "precision_at_recall",
    "precision_recall_curve",
    "prevalence",
    "recall",
    "recall_at_precision",
    "report",
    "roc_auc",
    "roc_curve",
    "specificity",
    "top_k_accuracy",
]


def __dir__() -> list[str]:
    return __all__
