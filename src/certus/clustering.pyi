# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Clustered, Partition
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.entry.reports import clustering as report
from certus.tasks.clustering.functions import expected_mutual_information as expected_mutual_information, pair_confusion as pair_confusion, silhouette_samples as silhouette_samples

class _adjusted_mutual_info(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Estimate: ...
    def using(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Self: ...  # type: ignore[override]

class _like_adjusted_rand(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _like_calinski_harabasz(Metric):
    @overload
    def __call__(self, X: Any, labels: Any, *, metric: Any = ..., metric_params: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Clustered, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _like_completeness(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _conditional_entropy(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, labelling: Literal["true", "pred"] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, labelling: Literal["true", "pred"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, labelling: Literal["true", "pred"] = ...) -> Estimate: ...
    def using(self, *, labelling: Literal["true", "pred"] = ...) -> Self: ...  # type: ignore[override]

class _entropy(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any = ..., *, labelling: Literal["true", "pred"] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, labelling: Literal["true", "pred"] = ..., contingency: Any) -> Estimate: ...
    def using(self, *, labelling: Literal["true", "pred"] = ...) -> Self: ...  # type: ignore[override]

class _fowlkes_mallows(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, undefined: float | Literal["nan"] = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, undefined: float | Literal["nan"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, undefined: float | Literal["nan"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan"] = ...) -> Self: ...  # type: ignore[override]

class _normalized_mutual_info(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Estimate: ...
    def using(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Self: ...  # type: ignore[override]

class _v_measure(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, beta: float = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, beta: float = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, beta: float = ...) -> Estimate: ...
    def using(self, *, beta: float = ...) -> Self: ...  # type: ignore[override]

adjusted_mutual_info: _adjusted_mutual_info
adjusted_rand: _like_adjusted_rand
calinski_harabasz: _like_calinski_harabasz
completeness: _like_completeness
conditional_entropy: _conditional_entropy
davies_bouldin: _like_calinski_harabasz
dunn: _like_calinski_harabasz
entropy: _entropy
fowlkes_mallows: _fowlkes_mallows
homogeneity: _like_completeness
joint_entropy: _like_completeness
mutual_info: _like_completeness
normalized_mutual_info: _normalized_mutual_info
purity: _like_completeness
rand: _like_adjusted_rand
silhouette: _like_calinski_harabasz
v_measure: _v_measure
variation_of_information: _like_completeness
__all__ = ["adjusted_mutual_info", "adjusted_rand", "calinski_harabasz", "completeness", "conditional_entropy", "davies_bouldin", "dunn", "entropy", "expected_mutual_information", "fowlkes_mallows", "homogeneity", "joint_entropy", "mutual_info", "normalized_mutual_info", "pair_confusion", "purity", "rand", "report", "silhouette", "silhouette_samples", "v_measure", "variation_of_information"]
