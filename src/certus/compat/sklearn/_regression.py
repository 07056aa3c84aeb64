"""Metrics of true and predicted numbers."""

import math
from typing import Any, NamedTuple

import numpy as np

from certus import regression
from certus.compat.sklearn._input import Array, array_of, check_lengths, moved_together, numbers, weights_of
from certus.compat.sklearn._parameters import ARRAY, BOOLEAN, NONE, among, checked, warn_undefined, within
from certus.data import Targets
from certus.errors import DataError
from certus.metrics import Metric
from certus.metrics.regression.smooth import centred

_ERRORS = {
    "y_true": (ARRAY,),
    "y_pred": (ARRAY,),
    "multioutput": (among("str", str, "raw_values", "uniform_average"), ARRAY),
    "alpha": (within(0.0, 1.0, "[]"),),
    "power": (within(-math.inf, 0.0, "(]"), within(1.0, math.inf, "[)")),
    "force_finite": (BOOLEAN,),
}
_OF_DIFFERENCES = {
    metric.name
    for metric in (
        regression.d2_pinball,
        regression.explained_variance,
        regression.mae,
        regression.max_error,
        regression.median_absolute_error,
        regression.mse,
        regression.pinball,
        regression.r2,
        regression.rmse,
    )
}
"""Names of the metrics that stay the same when a number is added to truth and prediction."""
_SCORED = (among("str", str, "raw_values", "uniform_average", "variance_weighted"), ARRAY)


class _Given(NamedTuple):
    """The input of a metric, and the way outputs are summarised."""

    data: Targets
    multioutput: Any
    dtype: Any
    samples: int
    least: tuple[float, float]
    """The least truth and prediction, samples of weight 0 included, which are checked as all others are."""
    moved: bool = False
    """True if a common number has been subtracted from truth and prediction."""

    def raw(self, metric: Metric) -> Array:
        """The value of each output."""
        if self.moved and metric.name not in _OF_DIFFERENCES:
            raise DataError(
                f"{metric.name} depends on the numbers themselves, and y_true or y_pred holds whole numbers beyond "
                "2**53, which float64 cannot tell apart",
                "round them to floats",
            )
        found: Any = metric if len(self.data.outputs) == 1 else metric.using(multioutput="raw_values")
        found = found.compute(self.data)
        statistics = found.values() if isinstance(found, dict) else [found]
        return np.array([each.value for each in statistics])

    def summary(self, values: Array, weights: Any = None) -> Any:
        """The values themselves, or their average over outputs."""
        if isinstance(self.multioutput, str) and self.multioutput == "raw_values":
            return values.astype(self.dtype, copy=False)
        if not isinstance(self.multioutput, str):
            weights = self.multioutput
        return float(np.average(values, weights=weights))


def _given(
    y_true: Any, y_pred: Any, sample_weight: Any = None, multioutput: Any = None, *, typed: bool = True
) -> _Given:
    """Columns or tables of finite numbers that pair up; what scikit-learn says of those that do not."""
    check_lengths(y_true, y_pred, sample_weight)
    true_found, predicted_found = moved_together(y_true, y_pred)
    moved = true_found is not y_true
    y_true, y_pred = true_found, predicted_found
    kinds = [values.dtype for values in (y_true, y_pred, sample_weight) if _floating(values)]
    true, predicted = (_numbers(values, typed) for values in (y_true, y_pred))
    weights = weights_of(sample_weight, len(true), floats=True)
    true, predicted = (values.reshape(len(values), -1).astype(np.float64, copy=False) for values in (true, predicted))
    outputs = true.shape[1]
    if outputs != predicted.shape[1]:
        raise ValueError(f"y_true and y_pred have different number of output ({outputs}!={predicted.shape[1]})")
    if multioutput is not None and not isinstance(multioutput, str):
        multioutput = numbers(multioutput)
        if outputs == 1:
            raise ValueError("Custom weights are useful only in multi-output cases.")
        if outputs != multioutput.shape[0]:
            raise ValueError(
                f"There must be equally many custom weights ({multioutput.shape[0]}) as outputs ({outputs})."
            )
    samples, least = len(true), (float(true.min()), float(predicted.min()))
    if weights is not None:
        weights = weights.astype(np.float64, copy=False)
        if not weights.all():
            kept = weights > 0
            true, predicted, weights = true[kept], predicted[kept], weights[kept]
    if outputs == 1:
        true, predicted = true[:, 0], predicted[:, 0]
    data = Targets(true, predicted, tuple(range(outputs)), weights)
    return _Given(data, multioutput, np.result_type(*kinds) if kinds else np.float64, samples, least, moved)


def _numbers(values: Any, typed: bool) -> Array:
    """The values; scikit-learn makes numbers of a list at once where a metric asks for a type of them."""
    if typed and not _floating(values) and getattr(getattr(values, "dtype", None), "kind", "") != "c":
        values = array_of(values, np.float64)
    found = numbers(values)
    return found if found.dtype.kind == "f" else found.astype(np.float64)


def _floating(values: Any) -> bool:
    return isinstance(getattr(values, "dtype", None), np.dtype) and values.dtype.kind == "f"


def _error(metric: Metric, *given: Any) -> Any:
    found = _given(*given)
    return found.summary(found.raw(metric))


@checked(**_ERRORS)
def mean_absolute_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.mae`."""
    return _error(regression.mae, y_true, y_pred, sample_weight, multioutput)


@checked(**_ERRORS)
def mean_pinball_loss(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """`certus.regression.pinball`."""
    return _error(regression.pinball.using(alpha=alpha), y_true, y_pred, sample_weight, multioutput)


@checked(**_ERRORS)
def mean_absolute_percentage_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.mape`, targets of 0 counting as scikit-learn counts them."""
    return _error(regression.mape.using(zeros="epsilon"), y_true, y_pred, sample_weight, multioutput)


@checked(**_ERRORS)
def mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.mse`."""
    return _error(regression.mse, y_true, y_pred, sample_weight, multioutput)


@checked(**_ERRORS)
def root_mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.rmse`."""
    # scikit-learn averages the roots without a look at the number of weights
    given = _given(y_true, y_pred, sample_weight)._replace(multioutput=multioutput)
    return given.summary(given.raw(regression.rmse))


@checked(**_ERRORS)
def mean_squared_log_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.msle`."""
    given = _logarithmic(_given(y_true, y_pred, sample_weight, multioutput), "Mean Squared Logarithmic Error")
    return given.summary(given.raw(regression.msle))


@checked(**_ERRORS)
def root_mean_squared_log_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.rmsle`."""
    given = _logarithmic(_given(y_true, y_pred, sample_weight, multioutput), "Root Mean Squared Logarithmic Error")
    return given.summary(given.raw(regression.rmsle))


@checked(**_ERRORS)
def median_absolute_error(
    y_true: Any, y_pred: Any, *, multioutput: Any = "uniform_average", sample_weight: Any = None
) -> Any:
    """`certus.regression.median_absolute_error`."""
    given = _given(y_true, y_pred, sample_weight, multioutput, typed=False)
    return given.summary(given.raw(regression.median_absolute_error))


@checked(**{**_ERRORS, "multioutput": _SCORED})
def explained_variance_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """`certus.regression.explained_variance`."""
    given = _given(y_true, y_pred, sample_weight, multioutput)
    return _score(regression.explained_variance, given, force_finite)


@checked(**{**_ERRORS, "multioutput": (*_SCORED, NONE)})
def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """`certus.regression.r2`."""
    given = _given(y_true, y_pred, sample_weight, multioutput)
    if given.samples < 2:
        warn_undefined("R^2 score is not well-defined with less than two samples.")
        return math.nan
    return _score(regression.r2, given, force_finite)


@checked(**_ERRORS)
def max_error(y_true: Any, y_pred: Any) -> float:
    """`certus.regression.max_error`."""
    given = _one_output(_given(y_true, y_pred, typed=False), "max_error")
    return float(given.raw(regression.max_error)[0])


@checked(**_ERRORS)
def mean_tweedie_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0) -> float:
    """`certus.regression.tweedie_deviance`."""
    return _deviance(y_true, y_pred, sample_weight, power)


@checked(**_ERRORS)
def mean_poisson_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.regression.poisson_deviance`."""
    return _deviance(y_true, y_pred, sample_weight, 1)


@checked(**_ERRORS)
def mean_gamma_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.regression.gamma_deviance`."""
    return _deviance(y_true, y_pred, sample_weight, 2)


@checked(**_ERRORS)
def d2_tweedie_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0) -> float:
    """`certus.regression.d2_tweedie`."""
    given = _one_output(_given(y_true, y_pred, sample_weight), "d2_tweedie_score")
    if not _two_samples(given):
        return math.nan
    _check_domain(given, power)
    return float(given.raw(regression.d2_tweedie.using(power=float(power)))[0])


@checked(**_ERRORS)
def d2_pinball_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """`certus.regression.d2_pinball`, finite as scikit-learn's is."""
    return _d2_pinball(y_true, y_pred, sample_weight, alpha, multioutput)


@checked(**_ERRORS)
def d2_absolute_error_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.d2_absolute_error`, finite as scikit-learn's is."""
    return _d2_pinball(y_true, y_pred, sample_weight, 0.5, multioutput)


def _d2_pinball(y_true: Any, y_pred: Any, sample_weight: Any, alpha: float, multioutput: Any) -> Any:
    given = _given(y_true, y_pred, sample_weight, multioutput)
    if not _two_samples(given):
        return math.nan
    values = given.raw(regression.d2_pinball.using(alpha=alpha, force_finite=True))
    return given.summary(np.where(np.isnan(values), _alike(given.data, regression.mae), values))


def _two_samples(given: _Given) -> bool:
    if given.samples < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return False
    return True


def _score(metric: Metric, given: _Given, force_finite: bool) -> Any:
    """The scores of outputs, those that compare with no variance as scikit-learn has them."""
    values = given.raw(metric)
    nothing = np.isnan(values)
    if nothing.any():
        values = np.where(nothing, _alike(given.data, metric), values)
        if not force_finite:
            values = np.where(nothing, np.where(values == 1, math.nan, -math.inf), values)
    if isinstance(given.multioutput, str) and given.multioutput == "variance_weighted":
        variances = centred(given.data.table[0], given.data.weights)[1]
        return given.summary(values, variances if variances.any() else None)
    return given.summary(values)


def _alike(data: Targets, metric: Metric) -> Array:
    """For each output 1 where predictions are as good as they can be, otherwise 0."""
    true, predicted = data.table
    errors = true - predicted
    if metric == regression.explained_variance:
        errors = errors - errors[:1]
    return np.asarray((errors == 0).all(axis=0), dtype=np.float64)


def _one_output(given: _Given, name: str) -> _Given:
    if len(given.data.outputs) > 1:
        raise ValueError(f"Multioutput not supported in {name}")
    return given


def _logarithmic(given: _Given, name: str) -> _Given:
    if min(given.least) <= -1:
        raise ValueError(f"{name} cannot be used when targets contain values less than or equal to -1.")
    return given


def _deviance(y_true: Any, y_pred: Any, sample_weight: Any, power: float) -> float:
    given = _one_output(_given(y_true, y_pred, sample_weight), "mean_tweedie_deviance")
    _check_domain(given, power)
    return float(given.raw(regression.tweedie_deviance.using(power=float(power)))[0])


def _check_domain(given: _Given, power: float) -> None:
    """Refuse numbers that the distribution does not have, in scikit-learn's words."""
    true, predicted = given.least
    message = f"Mean Tweedie deviance error with power={power} can only be used on "
    if power < 0 and predicted <= 0:
        raise ValueError(f"{message}strictly positive y_pred.")
    if 1 <= power < 2 and (true < 0 or predicted <= 0):
        raise ValueError(f"{message}non-negative y and strictly positive y_pred.")
    if power >= 2 and (true <= 0 or predicted <= 0):
        raise ValueError(f"{message}strictly positive y and y_pred.")
