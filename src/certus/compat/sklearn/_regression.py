"""Metrics of true and predicted numbers."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from certus import regression
from certus.compat.sklearn._input import Array, array_of, check_lengths, numbers, subtract_offset, weights_of
from certus.compat.sklearn._parameters import ARRAY, BOOLEAN, NONE, check_parameters, choice, number_in, warn_undefined
from certus.core.errors import DataError
from certus.data import Targets
from certus.metrics import Metric
from certus.metrics.regression.smooth import centred

__all__ = [
    "d2_absolute_error_score",
    "d2_pinball_score",
    "d2_tweedie_score",
    "explained_variance_score",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_gamma_deviance",
    "mean_pinball_loss",
    "mean_poisson_deviance",
    "mean_squared_error",
    "mean_squared_log_error",
    "mean_tweedie_deviance",
    "median_absolute_error",
    "r2_score",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
]

_ERRORS = {
    "y_true": (ARRAY,),
    "y_pred": (ARRAY,),
    "multioutput": (choice("str", str, "raw_values", "uniform_average"), ARRAY),
    "alpha": (number_in(0.0, 1.0, "[]"),),
    "power": (number_in(-math.inf, 0.0, "(]"), number_in(1.0, math.inf, "[)")),
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
_SCORED = (choice("str", str, "raw_values", "uniform_average", "variance_weighted"), ARRAY)


class _RegressionInputs(NamedTuple):
    """The input of a metric, and the way outputs are summarised."""

    data: Targets
    multioutput: Any
    dtype: Any
    samples: int
    minima: tuple[float, float]
    """The least truth and prediction, samples of weight 0 included, which are checked as all others are."""
    has_offset: bool = False
    """True if a common number has been subtracted from truth and prediction."""

    def raw(self, metric: Metric) -> Array:
        """The value of each output."""
        if self.has_offset and metric.name not in _OF_DIFFERENCES:
            raise DataError(
                f"{metric.name} depends on the numbers themselves, and y_true or y_pred holds whole numbers beyond "
                "2**53, which float64 cannot tell apart",
                "round them to floats",
            )
        result: Any = metric if len(self.data.outputs) == 1 else metric.using(multioutput="raw_values")
        result = result.compute(self.data)
        statistics = result.values() if isinstance(result, dict) else [result]
        return np.array([statistic.value for statistic in statistics])

    def summary(self, values: Array, weights: Any = None) -> Any:
        """The values themselves, or their average over outputs."""
        if isinstance(self.multioutput, str) and self.multioutput == "raw_values":
            return values.astype(self.dtype, copy=False)
        if not isinstance(self.multioutput, str):
            weights = self.multioutput
        return float(np.average(values, weights=weights))


def _prepare_inputs(
    y_true: Any, y_pred: Any, sample_weight: Any = None, multioutput: Any = None, *, typed: bool = True
) -> _RegressionInputs:
    """Columns or tables of finite numbers that pair up; what scikit-learn says of those that do not."""
    check_lengths(y_true, y_pred, sample_weight)
    true_found, predicted_found = subtract_offset(y_true, y_pred)
    dtypes = [values.dtype for values in (true_found, predicted_found, sample_weight) if _floating(values)]
    true, predicted = (_numbers(values, typed) for values in (true_found, predicted_found))
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
            message = f"There must be equally many custom weights ({multioutput.shape[0]}) as outputs ({outputs})."
            raise ValueError(message)
    samples, lowest = len(true), (float(true.min()), float(predicted.min()))
    if weights is not None:
        weights = weights.astype(np.float64, copy=False)
        if not weights.all():
            mask = weights > 0
            true, predicted, weights = true[mask], predicted[mask], weights[mask]
    if outputs == 1:
        true, predicted = true[:, 0], predicted[:, 0]
    data = Targets(true, predicted, tuple(range(outputs)), weights)
    dtype = np.result_type(*dtypes) if dtypes else np.float64
    return _RegressionInputs(data, multioutput, dtype, samples, lowest, has_offset=true_found is not y_true)


def _numbers(values: Any, typed: bool) -> Array:
    """The values; scikit-learn makes numbers of a list at once where a metric asks for a type of them."""
    if typed and not _floating(values) and getattr(getattr(values, "dtype", None), "kind", "") != "c":
        values = array_of(values, np.float64)
    array = numbers(values)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _floating(values: Any) -> bool:
    return isinstance(getattr(values, "dtype", None), np.dtype) and values.dtype.kind == "f"


def _error(name: str, metric: Metric, *, logarithmic: str = "") -> Callable[..., Any]:
    """Make scikit-learn's function of that name; `logarithmic` is what its errors call a metric of logarithms."""

    def error(y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average") -> Any:
        inputs = _prepare_inputs(y_true, y_pred, sample_weight, multioutput)
        if logarithmic and min(inputs.minima) <= -1:
            raise ValueError(f"{logarithmic} cannot be used when targets contain values less than or equal to -1.")
        return inputs.summary(inputs.raw(metric))

    error.__name__, error.__qualname__, error.__doc__ = name, name, f"`certus.regression.{metric.function_name}`."
    return check_parameters(**_ERRORS)(error)


mean_absolute_error = _error("mean_absolute_error", regression.mae)
mean_absolute_percentage_error = _error("mean_absolute_percentage_error", regression.mape.using(zeros="epsilon"))
mean_squared_error = _error("mean_squared_error", regression.mse)
_MSLE, _RMSLE = "Mean Squared Logarithmic Error", "Root Mean Squared Logarithmic Error"
mean_squared_log_error = _error("mean_squared_log_error", regression.msle, logarithmic=_MSLE)
root_mean_squared_log_error = _error("root_mean_squared_log_error", regression.rmsle, logarithmic=_RMSLE)


@check_parameters(**_ERRORS)
def median_absolute_error(
    y_true: Any, y_pred: Any, *, multioutput: Any = "uniform_average", sample_weight: Any = None
) -> Any:
    """`certus.regression.median_absolute_error`."""
    inputs = _prepare_inputs(y_true, y_pred, sample_weight, multioutput, typed=False)
    return inputs.summary(inputs.raw(regression.median_absolute_error))


@check_parameters(**_ERRORS)
def root_mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.rmse`."""
    # scikit-learn averages the roots without a look at the number of weights
    inputs = _prepare_inputs(y_true, y_pred, sample_weight)._replace(multioutput=multioutput)
    return inputs.summary(inputs.raw(regression.rmse))


@check_parameters(**_ERRORS)
def mean_pinball_loss(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """`certus.regression.pinball`."""
    inputs = _prepare_inputs(y_true, y_pred, sample_weight, multioutput)
    return inputs.summary(inputs.raw(regression.pinball.using(alpha=alpha)))


@check_parameters(**{**_ERRORS, "multioutput": _SCORED})
def explained_variance_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """`certus.regression.explained_variance`."""
    inputs = _prepare_inputs(y_true, y_pred, sample_weight, multioutput)
    return _score(regression.explained_variance, inputs, force_finite)


@check_parameters(**{**_ERRORS, "multioutput": (*_SCORED, NONE)})
def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """`certus.regression.r2`."""
    inputs = _prepare_inputs(y_true, y_pred, sample_weight, multioutput)
    if inputs.samples < 2:
        warn_undefined("R^2 score is not well-defined with less than two samples.")
        return math.nan
    return _score(regression.r2, inputs, force_finite)


@check_parameters(**_ERRORS)
def max_error(y_true: Any, y_pred: Any) -> float:
    """`certus.regression.max_error`."""
    inputs = _one_output(_prepare_inputs(y_true, y_pred, typed=False), "max_error")
    return float(inputs.raw(regression.max_error)[0])


@check_parameters(**_ERRORS)
def mean_tweedie_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0) -> float:
    """`certus.regression.tweedie_deviance`."""
    inputs = _one_output(_prepare_inputs(y_true, y_pred, sample_weight), "mean_tweedie_deviance")
    _check_domain(inputs, power)
    return float(inputs.raw(regression.tweedie_deviance.using(power=float(power)))[0])


@check_parameters(**_ERRORS)
def mean_poisson_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.regression.poisson_deviance`."""
    return mean_tweedie_deviance(y_true, y_pred, sample_weight=sample_weight, power=1)


@check_parameters(**_ERRORS)
def mean_gamma_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.regression.gamma_deviance`."""
    return mean_tweedie_deviance(y_true, y_pred, sample_weight=sample_weight, power=2)


@check_parameters(**_ERRORS)
def d2_tweedie_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0) -> float:
    """`certus.regression.d2_tweedie`."""
    inputs = _one_output(_prepare_inputs(y_true, y_pred, sample_weight), "d2_tweedie_score")
    if not _two_samples(inputs):
        return math.nan
    _check_domain(inputs, power)
    return float(inputs.raw(regression.d2_tweedie.using(power=float(power)))[0])


@check_parameters(**_ERRORS)
def d2_pinball_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """`certus.regression.d2_pinball`, finite as scikit-learn's is."""
    inputs = _prepare_inputs(y_true, y_pred, sample_weight, multioutput)
    if not _two_samples(inputs):
        return math.nan
    values = inputs.raw(regression.d2_pinball.using(alpha=alpha, force_finite=True))
    return inputs.summary(np.where(np.isnan(values), _are_perfect(inputs.data, regression.mae), values))


@check_parameters(**_ERRORS)
def d2_absolute_error_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """`certus.regression.d2_absolute_error`, finite as scikit-learn's is."""
    return d2_pinball_score(y_true, y_pred, sample_weight=sample_weight, multioutput=multioutput)


def _two_samples(inputs: _RegressionInputs) -> bool:
    if inputs.samples < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return False
    return True


def _score(metric: Metric, inputs: _RegressionInputs, force_finite: bool) -> Any:
    """The scores of outputs, those that compare with no variance as scikit-learn has them."""
    values = inputs.raw(metric)
    nothing = np.isnan(values)
    if nothing.any():
        values = np.where(nothing, _are_perfect(inputs.data, metric), values)
        if not force_finite:
            values = np.where(nothing, np.where(values == 1, math.nan, -math.inf), values)
    if isinstance(inputs.multioutput, str) and inputs.multioutput == "variance_weighted":
        variances = centred(inputs.data.table[0], inputs.data.weights)[1]
        return inputs.summary(values, variances if variances.any() else None)
    return inputs.summary(values)


def _are_perfect(data: Targets, metric: Metric) -> Array:
    """1 for outputs whose predictions are as good as they can be, otherwise 0."""
    true, predicted = data.table
    errors = true - predicted
    if metric == regression.explained_variance:
        errors = errors - errors[:1]
    return np.asarray((errors == 0).all(axis=0), dtype=np.float64)


def _one_output(inputs: _RegressionInputs, name: str) -> _RegressionInputs:
    if len(inputs.data.outputs) > 1:
        raise ValueError(f"Multioutput not supported in {name}")
    return inputs


def _check_domain(inputs: _RegressionInputs, power: float) -> None:
    """Refuse numbers that the distribution does not have, in scikit-learn's words."""
    true, predicted = inputs.minima
    message = f"Mean Tweedie deviance error with power={power} can only be used on "
    if power < 0 and predicted <= 0:
        raise ValueError(f"{message}strictly positive y_pred.")
    if 1 <= power < 2 and (true < 0 or predicted <= 0):
        raise ValueError(f"{message}non-negative y and strictly positive y_pred.")
    if power >= 2 and (true <= 0 or predicted <= 0):
        raise ValueError(f"{message}strictly positive y and y_pred.")
