"""One value per sample and output, summarised as ``multioutput=`` says."""

import math
from collections.abc import Callable, Hashable
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError
from certus.data import Targets
from certus.metrics._metric import metric
from certus.metrics.check import Doc, Weights
from certus.metrics.classification.per_sample import per_sample
from certus.statistic import Mean, Ratio
from certus.statistic.cached import constant
from certus.statistic.common import Bounds, clip_mean
from certus.statistic.mean import MeanByMoments

_Outputs: TypeAlias = Literal["raw_values", "uniform_average"] | Weights
Outputs: TypeAlias = Annotated[
    _Outputs,
    Doc(
        'Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a '
        "weight for each, of which the part in their sum counts."
    ),
]
"""Summary of the errors of several outputs."""
Roots: TypeAlias = Annotated[
    _Outputs,
    Doc(
        'Of several outputs: ``"uniform_average"``, the mean of their roots; ``"raw_values"``, each by itself, as '
        "`Estimates`; or a weight for each, of which the part in their sum counts."
    ),
]
"""The same where each output has a root."""
ForceFinite: TypeAlias = Annotated[
    bool,
    Doc("What targets that are all equal give. False: no value. True: 1 for a perfect prediction and 0 for any other."),
]
"""Value of a part of no variance."""
Scores: TypeAlias = Literal["raw_values", "uniform_average", "variance_weighted"] | Weights
"""Summary of scores that compare with the variance of an output."""
Summary: TypeAlias = Mean | Ratio | dict[Hashable, Any]
"""A mean of losses."""
ValueInfluence: TypeAlias = Annotated[Any, Doc(forms=("Influence",))]
"""A function of sums over samples."""
loss = partial(metric, better="lower", bounds=(0.0, math.inf))
"""Declares a loss: 0 at best, and as large as can be."""


def output_weights(multioutput: str | tuple[float, ...], outputs: int) -> Floats:
    """The part that each output has in the average."""
    if isinstance(multioutput, str):
        return np.full(outputs, 1 / outputs)
    if len(multioutput) != outputs:
        raise DataError(
            f"has {len(multioutput)} weights for {outputs} outputs", "give one for each output", argument="multioutput"
        )
    weights = np.asarray(multioutput)
    return np.asarray(weights / weights.sum())


def by_output(data: Targets, compute: Callable[[Targets], Any]) -> dict[Hashable, Any]:
    """Result of a function for each output by itself, by the name of the output."""
    true, predicted = data.table
    return {
        name: compute(Targets(true[:, i], predicted[:, i], (name,), data.weights, data.groups))
        for i, name in enumerate(data.outputs)
    }


def averaged(
    data: Targets,
    losses: Callable[[Floats, Floats], Floats],
    multioutput: str | tuple[float, ...] = "uniform_average",
    *,
    value: Callable[[Floats, Floats], float] | None = None,
    moments: Callable[[Floats, Floats], tuple[float, ...]] | None = None,
    bounds: Bounds | None = None,
) -> Summary:
    """The mean loss over samples, averaged over outputs; `value` and `moments` sum it without an array of losses."""
    if multioutput == "raw_values":
        return by_output(data, partial(averaged, losses=losses, value=value, moments=moments, bounds=bounds))
    weights = output_weights(multioutput, len(data.outputs))
    compute = partial(_losses, losses, data)
    if data.true.ndim == 2:
        return per_sample(product(compute(), weights), data, bounds=bounds)
    if value is not None and data.is_simple_column and len(data):
        true, predicted = (np.ascontiguousarray(column) for column in (data.true, data.predicted))
        mean = value(true, predicted) / len(data)
        if math.isfinite(mean):  # otherwise the sum is beyond what a float holds, and the mean perhaps not
            mean = clip_mean(mean, float(losses(true[:1], predicted[:1])[0]), compute)
            loss_moments = None if moments is None else partial(moments, true, predicted)
            return MeanByMoments(mean, len(data), compute, bounds=bounds, moments=loss_moments)
    values = np.ascontiguousarray(compute())
    mean_loss = per_sample(values, data, bounds=bounds)
    if not (data.is_simple_column and math.isfinite(mean_loss.value)):
        return mean_loss
    return MeanByMoments(
        mean_loss.value, len(data), constant(values), bounds=bounds, moments=partial(kernels.moments_of, values)
    )


def _losses(losses: Callable[[Floats, Floats], Floats], data: Targets) -> Floats:
    with np.errstate(over="ignore"):  # a loss beyond what a float holds is infinite
        return losses(data.true, data.predicted)
