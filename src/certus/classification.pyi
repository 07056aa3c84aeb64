# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import ClassScores, Labels, Multilabel, MultilabelScores, Probabilities, Scores
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.curves.best_threshold import best_threshold as best_threshold
from certus.curves.calibration import calibration_curve as calibration_curve
from certus.curves.rates import det_curve as det_curve, gain_curve as gain_curve, lift_curve as lift_curve, precision_recall_curve as precision_recall_curve, roc_curve as roc_curve
from certus.entry.reports import classification as report
from certus.tasks.classification.confusion import ConfusionMatrix as ConfusionMatrix, confusion_matrix as confusion_matrix
from certus.tasks.classification.decision import at_budget as at_budget, at_threshold as at_threshold

class _like_accuracy(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _average_precision(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, interpolation: Literal["step", "trapezoid", "davis-goadrich", "11-point"] = ..., prevalence: Literal["random", "fixed"] = ..., average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, interpolation: Literal["step", "trapezoid", "davis-goadrich", "11-point"] = ..., prevalence: Literal["random", "fixed"] = ..., average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: ClassScores | MultilabelScores | Scores, /, *, interpolation: Literal["step", "trapezoid", "davis-goadrich", "11-point"] = ..., prevalence: Literal["random", "fixed"] = ..., average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: ClassScores | MultilabelScores | Scores, /, *, interpolation: Literal["step", "trapezoid", "davis-goadrich", "11-point"] = ..., prevalence: Literal["random", "fixed"] = ..., average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, interpolation: Literal["step", "trapezoid", "davis-goadrich", "11-point"] = ..., prevalence: Literal["random", "fixed"] = ..., average: Literal["macro", "weighted", "micro", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _balanced_accuracy(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, adjusted: bool = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, adjusted: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, adjusted: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _like_break_even_point(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _brier(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, scale_by_half: bool | Literal["auto"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, scale_by_half: bool | Literal["auto"] = ...) -> Estimate: ...
    def using(self, *, scale_by_half: bool | Literal["auto"] = ...) -> Self: ...  # type: ignore[override]

class _cohen_kappa(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, weights: Literal["linear", "quadratic"] | None = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, weights: Literal["linear", "quadratic"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, weights: Literal["linear", "quadratic"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _d2_brier(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _d2_log_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, clip: float | None | Literal["auto"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, clip: float | None | Literal["auto"] = ...) -> Estimate: ...
    def using(self, *, clip: float | None | Literal["auto"] = ...) -> Self: ...  # type: ignore[override]

class _e_measure(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, alpha: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, alpha: float = ..., average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, alpha: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _expected_calibration_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., norm: Literal["l1", "l2", "l2-debiased"] = ..., confidence: Literal["auto", "positive", "top"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., norm: Literal["l1", "l2", "l2-debiased"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Estimate: ...
    def using(self, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., norm: Literal["l1", "l2", "l2-debiased"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Self: ...  # type: ignore[override]

class _like_f1(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _fbeta(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, beta: float, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, beta: float, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, beta: float, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, beta: float, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, beta: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _like_fowlkes_mallows(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _h_measure(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, prior: Literal["hand", "hand-anagnostopoulos", "hmeasure"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, prior: Literal["hand", "hand-anagnostopoulos", "hmeasure"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, prior: Literal["hand", "hand-anagnostopoulos", "hmeasure"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _hinge_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, multiclass: Literal["crammer-singer", "weston-watkins"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: ClassScores, /, *, multiclass: Literal["crammer-singer", "weston-watkins"] = ...) -> Estimate: ...
    def using(self, *, multiclass: Literal["crammer-singer", "weston-watkins"] = ...) -> Self: ...  # type: ignore[override]

class _ks(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, one_sided: bool = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, one_sided: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, one_sided: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _lift(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, depth: float = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, depth: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, depth: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _log_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, clip: float | None | Literal["auto"] = ..., normalize: bool = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, clip: float | None | Literal["auto"] = ..., normalize: bool = ...) -> Estimate: ...
    def using(self, *, clip: float | None | Literal["auto"] = ..., normalize: bool = ...) -> Self: ...  # type: ignore[override]

class _maximum_calibration_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., confidence: Literal["auto", "positive", "top"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Estimate: ...
    def using(self, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Self: ...  # type: ignore[override]

class _like_negative_likelihood_ratio(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, undefined: float | Literal["nan"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, undefined: float | Literal["nan"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan"] = ...) -> Self: ...  # type: ignore[override]

class _precision_at_recall(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, recall: float, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, recall: float, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _prevalence(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ..., universe: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None) -> Estimates: ...
    def using(self, *, average: Literal["binary"] | None = ...) -> Self: ...  # type: ignore[override]

class _recall_at_precision(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, precision: float, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, precision: float, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, precision: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _roc_auc(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, max_fpr: float | None = ..., min_tpr: float | None = ..., partial: Literal["mcclish", "raw"] = ..., multi_class: Literal["raise", "ovr", "ovo"] = ..., average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, max_fpr: float | None = ..., min_tpr: float | None = ..., partial: Literal["mcclish", "raw"] = ..., multi_class: Literal["raise", "ovr", "ovo"] = ..., average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: ClassScores | MultilabelScores | Scores, /, *, max_fpr: float | None = ..., min_tpr: float | None = ..., partial: Literal["mcclish", "raw"] = ..., multi_class: Literal["raise", "ovr", "ovo"] = ..., average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: ClassScores | MultilabelScores | Scores, /, *, max_fpr: float | None = ..., min_tpr: float | None = ..., partial: Literal["mcclish", "raw"] = ..., multi_class: Literal["raise", "ovr", "ovo"] = ..., average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, max_fpr: float | None = ..., min_tpr: float | None = ..., partial: Literal["mcclish", "raw"] = ..., multi_class: Literal["raise", "ovr", "ovo"] = ..., average: Literal["macro", "weighted", "micro", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _top_k_accuracy(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, k: int = ..., ties: Literal["last", "pessimistic", "optimistic", "average"] = ..., threshold: float | None = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: ClassScores, /, *, k: int = ..., ties: Literal["last", "pessimistic", "optimistic", "average"] = ..., threshold: float | None = ...) -> Estimate: ...
    def using(self, *, k: int = ..., ties: Literal["last", "pessimistic", "optimistic", "average"] = ..., threshold: float | None = ...) -> Self: ...  # type: ignore[override]

accuracy: _like_accuracy
average_precision: _average_precision
balanced_accuracy: _balanced_accuracy
break_even_point: _like_break_even_point
brier: _brier
cohen_kappa: _cohen_kappa
d2_brier: _d2_brier
d2_log_loss: _d2_log_loss
e_measure: _e_measure
expected_calibration_error: _expected_calibration_error
f1: _like_f1
false_negative_rate: _like_f1
false_positive_rate: _like_f1
fbeta: _fbeta
fowlkes_mallows: _like_fowlkes_mallows
gain_capture: _like_break_even_point
gini: _like_break_even_point
h_measure: _h_measure
hamming_loss: _like_accuracy
hinge_loss: _hinge_loss
informedness: _like_f1
jaccard: _like_f1
ks: _ks
lift: _lift
log_loss: _log_loss
markedness: _like_f1
maximum_calibration_error: _maximum_calibration_error
mcc: _like_fowlkes_mallows
negative_likelihood_ratio: _like_negative_likelihood_ratio
negative_predictive_value: _like_f1
positive_likelihood_ratio: _like_negative_likelihood_ratio
precision: _like_f1
precision_at_recall: _precision_at_recall
prevalence: _prevalence
recall: _like_f1
recall_at_precision: _recall_at_precision
roc_auc: _roc_auc
specificity: _like_f1
top_k_accuracy: _top_k_accuracy
__all__ = ["ConfusionMatrix", "accuracy", "at_budget", "at_threshold", "average_precision", "balanced_accuracy", "best_threshold", "break_even_point", "brier", "calibration_curve", "cohen_kappa", "confusion_matrix", "d2_brier", "d2_log_loss", "det_curve", "e_measure", "expected_calibration_error", "f1", "false_negative_rate", "false_positive_rate", "fbeta", "fowlkes_mallows", "gain_capture", "gain_curve", "gini", "h_measure", "hamming_loss", "hinge_loss", "informedness", "jaccard", "ks", "lift", "lift_curve", "log_loss", "markedness", "maximum_calibration_error", "mcc", "negative_likelihood_ratio", "negative_predictive_value", "positive_likelihood_ratio", "precision", "precision_at_recall", "precision_recall_curve", "prevalence", "recall", "recall_at_precision", "report", "roc_auc", "roc_curve", "specificity", "top_k_accuracy"]
