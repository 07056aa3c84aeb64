"""The root of a mean over samples."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Targets
from certus.metrics.classification._samples import per_sample
from certus.metrics.regression._outputs import by_output, output_weights
from certus.metrics.regression._smooth import smooth, summed
from certus.statistic import Mean, Ratio

__all__ = ["root_of_mean"]

Floats = NDArray[np.float64]
MODERATE = 1e60
"""A root of a mean of squares from one over this to this has lost none of them that matters."""


def root_of_mean(
    data: Targets,
    losses: Callable[[Floats, Floats], Floats],
    multioutput: str | tuple[float, ...],
    *,
    value: Callable[[Floats, Floats], float] | None = None,
    moments: Callable[[Floats, Floats], tuple[float, ...]] | None = None,
) -> Any:
    """The root of the mean loss of each output, averaged over outputs.

    `value` gives that of two columns directly; `moments` those of the losses, which then are squared errors, whose root
    is in the unit of the targets.
    """
    if multioutput == "raw_values":
        return by_output(data, lambda one: root_of_mean(one, losses, "uniform_average", value=value, moments=moments))
    weights = output_weights(multioutput, len(data.outputs))
    known = None
    if value is not None and data.plain and len(data):
        known = value(np.ascontiguousarray(data.true), np.ascontiguousarray(data.predicted))
    unit = 1.0
    if moments is not None and not (known is not None and MODERATE**-1 < known < MODERATE):
        data, unit = data.moderate()
        known = None

    def columns() -> Sequence[Floats]:
        return [*losses(*data.table).T]

    def function(sums: Any) -> Any:
        return unit * (np.sqrt(sums[..., 1:] / sums[..., :1]) @ weights)

    if not len(data):
        return smooth(data, columns, function, float("nan"))
    if known is not None:
        found = known
    elif value is not None and data.plain:
        found = value(np.ascontiguousarray(data.true), np.ascontiguousarray(data.predicted))
    else:
        mass = len(data) if data.weights is None else data.weights.sum()
        found = float(np.sqrt(summed(losses(*data.table), data.weights) / mass) @ weights)
    if len(data.outputs) > 1:
        return smooth(data, columns, function, unit * found)

    @cache
    def root_of() -> Mean | Ratio:
        if moments is None or not data.plain:
            return per_sample(losses(*data.table)[:, 0], data)
        true, predicted = (np.ascontiguousarray(each) for each in (data.true, data.predicted))
        return Mean.later(
            found**2, len(data), lambda: losses(true, predicted), moments=lambda: moments(true, predicted)
        )

    return smooth(data, columns, function, unit * found, root_of=root_of)
