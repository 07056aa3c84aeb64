# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Clustered, Partition
from certus.inference import Estimate, Estimates
from certus.metrics import Metric

class _adjusted_mutual_info(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Estimate: ...
    def using(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Self: ...  # type: ignore[override]

adjusted_mutual_info: _adjusted_mutual_info

class _adjusted_rand(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

adjusted_rand: _adjusted_rand

class _calinski_harabasz(Metric):
    @overload
    def __call__(self, X: Any, labels: Any, *, metric: Any = ..., metric_params: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Clustered, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

calinski_harabasz: _calinski_harabasz

class _completeness(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

completeness: _completeness

class _conditional_entropy(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, of: Literal["true", "pred"] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, of: Literal["true", "pred"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, of: Literal["true", "pred"] = ...) -> Estimate: ...
    def using(self, *, of: Literal["true", "pred"] = ...) -> Self: ...  # type: ignore[override]

conditional_entropy: _conditional_entropy

class _davies_bouldin(Metric):
    @overload
    def __call__(self, X: Any, labels: Any, *, metric: Any = ..., metric_params: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Clustered, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

davies_bouldin: _davies_bouldin

class _dunn(Metric):
    @overload
    def __call__(self, X: Any, labels: Any, *, metric: Any = ..., metric_params: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Clustered, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

dunn: _dunn

class _entropy(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, of: Literal["true", "pred"] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, of: Literal["true", "pred"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, of: Literal["true", "pred"] = ...) -> Estimate: ...
    def using(self, *, of: Literal["true", "pred"] = ...) -> Self: ...  # type: ignore[override]

entropy: _entropy

class _fowlkes_mallows(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, undefined: float | Literal["nan"] = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, undefined: float | Literal["nan"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, undefined: float | Literal["nan"] = ...) -> Estimate: ...
    def using(self, *, undefined: float | Literal["nan"] = ...) -> Self: ...  # type: ignore[override]

fowlkes_mallows: _fowlkes_mallows

class _homogeneity(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

homogeneity: _homogeneity

class _joint_entropy(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

joint_entropy: _joint_entropy

class _mutual_info(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

mutual_info: _mutual_info

class _normalized_mutual_info(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Estimate: ...
    def using(self, *, average_method: Literal["arithmetic", "geometric", "min", "max"] = ...) -> Self: ...  # type: ignore[override]

normalized_mutual_info: _normalized_mutual_info

class _purity(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

purity: _purity

class _rand(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

rand: _rand

class _silhouette(Metric):
    @overload
    def __call__(self, X: Any, labels: Any, *, metric: Any = ..., metric_params: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Clustered, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

silhouette: _silhouette

class _v_measure(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, beta: float = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, beta: float = ..., contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /, *, beta: float = ...) -> Estimate: ...
    def using(self, *, beta: float = ...) -> Self: ...  # type: ignore[override]

v_measure: _v_measure

class _variation_of_information(Metric):
    @overload
    def __call__(self, labels_true: Any, labels_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, *, contingency: Any) -> Estimate: ...
    @overload
    def __call__(self, data: Partition, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

variation_of_information: _variation_of_information
