# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import ClassScores, Labels, Multilabel, MultilabelScores, Probabilities, Scores
from certus.inference import Estimate, Estimates
from certus.metrics import Metric

class _accuracy(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

accuracy: _accuracy

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

average_precision: _average_precision

class _balanced_accuracy(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, adjusted: bool = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, adjusted: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, adjusted: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

balanced_accuracy: _balanced_accuracy

class _break_even_point(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

break_even_point: _break_even_point

class _brier(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, scale_by_half: bool | Literal["auto"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, scale_by_half: bool | Literal["auto"] = ...) -> Estimate: ...
    def using(self, *, scale_by_half: bool | Literal["auto"] = ...) -> Self: ...  # type: ignore[override]

brier: _brier

class _cohen_kappa(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, weights: Literal["linear", "quadratic"] | None = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, weights: Literal["linear", "quadratic"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, weights: Literal["linear", "quadratic"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

cohen_kappa: _cohen_kappa

class _d2_brier(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

d2_brier: _d2_brier

class _d2_log_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, clip: float | None | Literal["auto"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, clip: float | None | Literal["auto"] = ...) -> Estimate: ...
    def using(self, *, clip: float | None | Literal["auto"] = ...) -> Self: ...  # type: ignore[override]

d2_log_loss: _d2_log_loss

class _e_measure(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, alpha: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, alpha: float = ..., average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, alpha: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

e_measure: _e_measure

class _expected_calibration_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., norm: Literal["l1", "l2", "l2-debiased"] = ..., confidence: Literal["auto", "positive", "top"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., norm: Literal["l1", "l2", "l2-debiased"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Estimate: ...
    def using(self, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., norm: Literal["l1", "l2", "l2-debiased"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Self: ...  # type: ignore[override]

expected_calibration_error: _expected_calibration_error

class _f1(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

f1: _f1

class _false_negative_rate(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

false_negative_rate: _false_negative_rate

class _false_positive_rate(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

false_positive_rate: _false_positive_rate

class _fbeta(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, beta: float, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, beta: float, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, beta: float, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, beta: float, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, beta: float = ..., average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

fbeta: _fbeta

class _fowlkes_mallows(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

fowlkes_mallows: _fowlkes_mallows

class _gain_capture(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

gain_capture: _gain_capture

class _gini(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

gini: _gini

class _h_measure(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, prior: Literal["hand", "hand-anagnostopoulos", "hmeasure"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, prior: Literal["hand", "hand-anagnostopoulos", "hmeasure"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, prior: Literal["hand", "hand-anagnostopoulos", "hmeasure"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

h_measure: _h_measure

class _hamming_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

hamming_loss: _hamming_loss

class _hinge_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, multiclass: Literal["crammer-singer", "weston-watkins"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: ClassScores, /, *, multiclass: Literal["crammer-singer", "weston-watkins"] = ...) -> Estimate: ...
    def using(self, *, multiclass: Literal["crammer-singer", "weston-watkins"] = ...) -> Self: ...  # type: ignore[override]

hinge_loss: _hinge_loss

class _informedness(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

informedness: _informedness

class _jaccard(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

jaccard: _jaccard

class _ks(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, one_sided: bool = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, one_sided: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, one_sided: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

ks: _ks

class _lift(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, depth: float = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, depth: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, depth: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

lift: _lift

class _log_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, clip: float | None | Literal["auto"] = ..., normalize: bool = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, clip: float | None | Literal["auto"] = ..., normalize: bool = ...) -> Estimate: ...
    def using(self, *, clip: float | None | Literal["auto"] = ..., normalize: bool = ...) -> Self: ...  # type: ignore[override]

log_loss: _log_loss

class _markedness(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

markedness: _markedness

class _maximum_calibration_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_prob: Any, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., confidence: Literal["auto", "positive", "top"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Probabilities, /, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Estimate: ...
    def using(self, *, n_bins: int = ..., strategy: Literal["uniform", "quantile", "equal-mass"] = ..., confidence: Literal["auto", "positive", "top"] = ...) -> Self: ...  # type: ignore[override]

maximum_calibration_error: _maximum_calibration_error

class _mcc(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

mcc: _mcc

class _negative_likelihood_ratio(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, undefined: float | Literal["nan"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, undefined: float | Literal["nan"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan"] = ...) -> Self: ...  # type: ignore[override]

negative_likelihood_ratio: _negative_likelihood_ratio

class _negative_predictive_value(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

negative_predictive_value: _negative_predictive_value

class _positive_likelihood_ratio(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, undefined: float | Literal["nan"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels, /, *, undefined: float | Literal["nan"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan"] = ...) -> Self: ...  # type: ignore[override]

positive_likelihood_ratio: _positive_likelihood_ratio

class _precision(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

precision: _precision

class _precision_at_recall(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, recall: float, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, recall: float, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

precision_at_recall: _precision_at_recall

class _prevalence(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None) -> Estimates: ...
    def using(self, *, average: Literal["binary"] | None = ...) -> Self: ...  # type: ignore[override]

prevalence: _prevalence

class _recall(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

recall: _recall

class _recall_at_precision(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, precision: float, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Scores, /, *, precision: float, undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, precision: float = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

recall_at_precision: _recall_at_precision

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

roc_auc: _roc_auc

class _specificity(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Labels | Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["binary", "macro", "micro", "weighted", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

specificity: _specificity

class _top_k_accuracy(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, k: int = ..., ties: Literal["last", "pessimistic", "optimistic", "average"] = ..., threshold: float | None = ..., labels: Any = ..., pos_label: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: ClassScores, /, *, k: int = ..., ties: Literal["last", "pessimistic", "optimistic", "average"] = ..., threshold: float | None = ...) -> Estimate: ...
    def using(self, *, k: int = ..., ties: Literal["last", "pessimistic", "optimistic", "average"] = ..., threshold: float | None = ...) -> Self: ...  # type: ignore[override]

top_k_accuracy: _top_k_accuracy
