# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import LabelGrades, Multilabel, MultilabelScores
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.entry.reports import multilabel as report

class _coverage_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, offset: Literal[0, 1] = ..., ties: Literal["last", "average", "best"] = ..., none_true: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: MultilabelScores, /, *, offset: Literal[0, 1] = ..., ties: Literal["last", "average", "best"] = ..., none_true: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, offset: Literal[0, 1] = ..., ties: Literal["last", "average", "best"] = ..., none_true: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _dcg(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, k: int | None = ..., gain: Literal["linear", "exp"] = ..., log_base: float = ..., ignore_ties: bool = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: LabelGrades, /, *, k: int | None = ..., gain: Literal["linear", "exp"] = ..., log_base: float = ..., ignore_ties: bool = ...) -> Estimate: ...
    def using(self, *, k: int | None = ..., gain: Literal["linear", "exp"] = ..., log_base: float = ..., ignore_ties: bool = ...) -> Self: ...  # type: ignore[override]

class _like_f1(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Multilabel, /, *, average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Multilabel, /, *, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, average: Literal["macro", "weighted", "micro", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _fbeta(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, beta: float, average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, beta: float, average: None, undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Multilabel, /, *, beta: float, average: Literal["macro", "weighted", "micro", "samples"] = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Multilabel, /, *, beta: float, average: None, undefined: float | Literal["nan", "skip"] = ...) -> Estimates: ...
    def using(self, *, beta: float = ..., average: Literal["macro", "weighted", "micro", "samples"] | None = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _like_hamming_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Multilabel, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _label_ranking_average_precision(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, ties: Literal["last", "average", "best", "worst"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: MultilabelScores, /, *, ties: Literal["last", "average", "best", "worst"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, ties: Literal["last", "average", "best", "worst"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _label_ranking_loss(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, ties: Literal["whole", "half", "none"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: MultilabelScores, /, *, ties: Literal["whole", "half", "none"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, ties: Literal["whole", "half", "none"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _ndcg(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, k: int | None = ..., gain: Literal["linear", "exp"] = ..., ignore_ties: bool = ..., undefined: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: LabelGrades, /, *, k: int | None = ..., gain: Literal["linear", "exp"] = ..., ignore_ties: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, k: int | None = ..., gain: Literal["linear", "exp"] = ..., ignore_ties: bool = ..., undefined: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

class _one_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_score: Any, *, ties: Literal["average", "best", "worst"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ..., labels: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: MultilabelScores, /, *, ties: Literal["average", "best", "worst"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ...) -> Estimate: ...
    def using(self, *, ties: Literal["average", "best", "worst"] = ..., none_true: float | Literal["nan", "skip"] = ..., all_true: float | Literal["nan", "skip"] = ...) -> Self: ...  # type: ignore[override]

coverage_error: _coverage_error
dcg: _dcg
f1: _like_f1
fbeta: _fbeta
hamming_loss: _like_hamming_loss
jaccard: _like_f1
label_ranking_average_precision: _label_ranking_average_precision
label_ranking_loss: _label_ranking_loss
ndcg: _ndcg
one_error: _one_error
precision: _like_f1
recall: _like_f1
subset_accuracy: _like_hamming_loss
__all__ = ["coverage_error", "dcg", "f1", "fbeta", "hamming_loss", "jaccard", "label_ranking_average_precision", "label_ranking_loss", "ndcg", "one_error", "precision", "recall", "report", "subset_accuracy"]
