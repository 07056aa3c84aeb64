"""Classification metrics, one (or one tight family) a file, all of them read; `certus.classification` is their face."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
from certus.metrics.classification.accuracy import accuracy
from certus.metrics.classification.balanced_accuracy import balanced_accuracy
from certus.metrics.classification.cohen_kappa import cohen_kappa
from certus.metrics.classification.e_measure import e_measure
from certus.metrics.classification.f1 import f1
from certus.metrics.classification.false_negative_rate import false_negative_rate
from certus.metrics.classification.false_positive_rate import false_positive_rate
from certus.metrics.classification.fbeta import fbeta
from certus.metrics.classification.fowlkes_mallows import fowlkes_mallows
from certus.metrics.classification.hamming_loss import hamming_loss
from certus.metrics.classification.informedness import informedness
from certus.metrics.classification.jaccard import jaccard
from certus.metrics.classification.likelihood_ratios import negative_likelihood_ratio, positive_likelihood_ratio
from certus.metrics.classification.markedness import markedness
from certus.metrics.classification.mcc import mcc
from certus.metrics.classification.negative_predictive_value import negative_predictive_value
from certus.metrics.classification.precision import precision
from certus.metrics.classification.prevalence import prevalence
from certus.metrics.classification.recall import recall
from certus.metrics.classification.specificity import specificity

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "e_measure",
    "f1",
    "false_negative_rate",
    "false_positive_rate",
    "fbeta",
    "fowlkes_mallows",
    "hamming_loss",
    "informedness",
    "jaccard",
    "markedness",
    "mcc",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "precision",
    "prevalence",
    "recall",
    "specificity",
]
