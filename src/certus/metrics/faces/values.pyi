# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Values
from certus.inference import Estimate, Estimates
from certus.metrics import Metric

class _geometric_mean(Metric):
    def __call__(self, values: Any, *, ids: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

geometric_mean: _geometric_mean

class _mean(Metric):
    def __call__(self, values: Any, *, ids: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

mean: _mean

class _median(Metric):
    def __call__(self, values: Any, *, ids: Any = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

median: _median
