# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Holdings, Sizes, Staleness, Timings, Updates
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.entry.reports import efficiency as report

class _collection_coverage(Metric):
    def __call__(self, held: Any, *, groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _like_freshness(Metric):
    def __call__(self, staleness: Any, *, groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _latency_quantile(Metric):
    def __call__(self, timings: Any, *, q: float, interpolation: Literal["averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"] = ..., units: Any = ..., items: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self, *, q: float = ..., interpolation: Literal["averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"] = ...) -> Self: ...  # type: ignore[override]

class _mean_latency(Metric):
    def __call__(self, timings: Any, *, units: Any = ..., items: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _mean_space(Metric):
    def __call__(self, sizes: Any, *, groups: Any = ...) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _space_quantile(Metric):
    def __call__(self, sizes: Any, *, q: float, interpolation: Literal["averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"] = ..., groups: Any = ...) -> Estimate: ...
    def using(self, *, q: float = ..., interpolation: Literal["averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"] = ...) -> Self: ...  # type: ignore[override]

class _throughput(Metric):
    def __call__(self, timings: Any, *, workers: int = ..., units: Any = ..., items: Any = ..., groups: Any = ...) -> Estimate: ...
    def using(self, *, workers: int = ...) -> Self: ...  # type: ignore[override]

class _update_rate(Metric):
    def __call__(self, updates: Any, *, period: float = ..., groups: Any = ...) -> Estimate: ...
    def using(self, *, period: float = ...) -> Self: ...  # type: ignore[override]

collection_coverage: _collection_coverage
freshness: _like_freshness
latency_quantile: _latency_quantile
mean_latency: _mean_latency
mean_space: _mean_space
mean_staleness: _like_freshness
space_quantile: _space_quantile
throughput: _throughput
update_rate: _update_rate
__all__ = ["collection_coverage", "freshness", "latency_quantile", "mean_latency", "mean_space", "mean_staleness", "report", "space_quantile", "throughput", "update_rate"]
