# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Targets
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.entry.reports import regression as report

class _concordance(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, ddof: Literal[0, 1] = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, ddof: Literal[0, 1] = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, ddof: Literal[0, 1] = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, ddof: Literal[0, 1] = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, ddof: Literal[0, 1] = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _d2_absolute_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, force_finite: bool = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, force_finite: bool = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, force_finite: bool = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, force_finite: bool = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, force_finite: bool = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _d2_pinball(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., force_finite: bool = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., force_finite: bool = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, alpha: float = ..., force_finite: bool = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, alpha: float = ..., force_finite: bool = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, alpha: float = ..., force_finite: bool = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _d2_tweedie(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, power: float = ..., force_finite: bool = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, power: float = ..., force_finite: bool = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, power: float = ..., force_finite: bool = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, power: float = ..., force_finite: bool = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, power: float = ..., force_finite: bool = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _explained_variance(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, force_finite: bool = ..., multioutput: Literal["uniform_average", "variance_weighted"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, force_finite: bool = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, force_finite: bool = ..., multioutput: Literal["uniform_average", "variance_weighted"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, force_finite: bool = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, force_finite: bool = ..., multioutput: Literal["raw_values", "uniform_average", "variance_weighted"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _like_gamma_deviance(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _huber(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, delta: float = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, delta: float = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, delta: float = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, delta: float = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, delta: float = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _mape(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, zeros: Literal["nan", "skip", "epsilon"] = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, zeros: Literal["nan", "skip", "epsilon"] = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, zeros: Literal["nan", "skip", "epsilon"] = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, zeros: Literal["nan", "skip", "epsilon"] = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, zeros: Literal["nan", "skip", "epsilon"] = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _max_error(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /) -> Estimate: ...
    def using(self) -> Self: ...  # type: ignore[override]

class _pinball(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, alpha: float = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, alpha: float = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, alpha: float = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, alpha: float = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _r2(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, predictors: int | None = ..., force_finite: bool = ..., multioutput: Literal["uniform_average", "variance_weighted"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, predictors: int | None = ..., force_finite: bool = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, predictors: int | None = ..., force_finite: bool = ..., multioutput: Literal["uniform_average", "variance_weighted"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, predictors: int | None = ..., force_finite: bool = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, predictors: int | None = ..., force_finite: bool = ..., multioutput: Literal["raw_values", "uniform_average", "variance_weighted"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _smape(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, denominator: Literal["mean", "sum"] = ..., zeros: Literal["perfect", "nan", "skip"] = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, denominator: Literal["mean", "sum"] = ..., zeros: Literal["perfect", "nan", "skip"] = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, denominator: Literal["mean", "sum"] = ..., zeros: Literal["perfect", "nan", "skip"] = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, denominator: Literal["mean", "sum"] = ..., zeros: Literal["perfect", "nan", "skip"] = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, denominator: Literal["mean", "sum"] = ..., zeros: Literal["perfect", "nan", "skip"] = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

class _tweedie_deviance(Metric):
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, power: float = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ..., sample_weight: Any = ..., groups: Any = ...) -> Estimate: ...
    @overload
    def __call__(self, y_true: Any, y_pred: Any, *, power: float = ..., multioutput: Literal["raw_values"], sample_weight: Any = ..., groups: Any = ...) -> Estimates: ...
    @overload
    def __call__(self, data: Targets, /, *, power: float = ..., multioutput: Literal["uniform_average"] | tuple[float, ...] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Targets, /, *, power: float = ..., multioutput: Literal["raw_values"]) -> Estimates: ...
    def using(self, *, power: float = ..., multioutput: Literal["raw_values", "uniform_average"] | tuple[float, ...] = ...) -> Self: ...  # type: ignore[override]

concordance: _concordance
d2_absolute_error: _d2_absolute_error
d2_pinball: _d2_pinball
d2_tweedie: _d2_tweedie
explained_variance: _explained_variance
gamma_deviance: _like_gamma_deviance
huber: _huber
mae: _like_gamma_deviance
mape: _mape
max_error: _max_error
median_absolute_error: _like_gamma_deviance
mse: _like_gamma_deviance
msle: _like_gamma_deviance
pearson: _like_gamma_deviance
pinball: _pinball
poisson_deviance: _like_gamma_deviance
r2: _r2
rmse: _like_gamma_deviance
rmsle: _like_gamma_deviance
smape: _smape
spearman: _like_gamma_deviance
tweedie_deviance: _tweedie_deviance
__all__ = ["concordance", "d2_absolute_error", "d2_pinball", "d2_tweedie", "explained_variance", "gamma_deviance", "huber", "mae", "mape", "max_error", "median_absolute_error", "mse", "msle", "pearson", "pinball", "poisson_deviance", "r2", "report", "rmse", "rmsle", "smape", "spearman", "tweedie_deviance"]
