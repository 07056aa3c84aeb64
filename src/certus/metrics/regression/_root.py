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

__all__ = ["root_of_mean"]

Floats = NDArray[np.float64]


def root_of_mean(
    data: Targets,
    losses: Callable[[Floats, Floats], Floats],
    multioutput: str | tuple[float, ...],
    *,
    value: Callable[[Floats, Floats], float] | None = None,
    squares: bool = False,
) -> Any:
    """The root of the mean loss of each output, averaged over outputs.

    `value` gives that of two columns directly; `squares` says that the losses are squared errors, whose root is in the
    unit of the targets.
    """
    if multioutput == "raw_values":
        return by_output(data, lambda one: root_of_mean(one, losses, "uniform_average", value=value, squares=squares))
    weights = output_weights(multioutput, len(data.outputs))
    data, unit = data.moderate() if squares else (data, 1.0)

    def columns() -> Sequence[Floats]:
        return [*losses(*data.table).T]

    def function(sums: Any) -> Any:
        return unit * (np.sqrt(sums[..., 1:] / sums[..., :1]) @ weights)

    if not len(data):
        return smooth(data, columns, function, float("nan"))
    if value is not None and data.plain:
        found = value(np.ascontiguousarray(data.true), np.ascontiguousarray(data.predicted))
    else:
        mass = len(data) if data.weights is None else data.weights.sum()
        found = float(np.sqrt(summed(losses(*data.table), data.weights) / mass) @ weights)
    if len(data.outputs) > 1 or unit != 1:
        return smooth(data, columns, function, unit * found)
    return smooth(data, columns, function, found, root_of=cache(lambda: per_sample(losses(*data.table)[:, 0], data)))
