# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Values
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.entry.reports import values as report

class _like_geometric_mean(Metric):
    def __call__(self, values: Any, *, ids: Any = ..., sample_weight: Any = ..., groups: Any = ..., pos_label: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

geometric_mean: _like_geometric_mean
mean: _like_geometric_mean
median: _like_geometric_mean
__all__ = ["geometric_mean", "mean", "median", "report"]
