# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Timings
from certus.inference import Estimate, Estimates
from certus.metrics import Metric

class _latency_quantile(Metric):
    def __call__(self, timings: Any, *, q: float, interpolation: Literal["averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"] = ..., units: Any = ..., items: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self, *, q: float = ..., interpolation: Literal["averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"] = ...) -> Self: ...  # type: ignore[override]

latency_quantile: _latency_quantile

class _mean_latency(Metric):
    def __call__(self, timings: Any, *, units: Any = ..., items: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

mean_latency: _mean_latency

class _throughput(Metric):
    def __call__(self, timings: Any, *, workers: int = ..., units: Any = ..., items: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self, *, workers: int = ...) -> Self: ...  # type: ignore[override]

throughput: _throughput
