"""The part of a variance (or of a loss) that predictions save, of one output or averaged over several."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Targets
from certus.metrics.regression._outputs import by_output, output_weights
from certus.metrics.regression._smooth import smooth
from certus.statistic import Influence, Moments

__all__ = ["cleaned", "fraction", "saved"]

Floats = NDArray[np.float64]
MODERATE = 1e60
"""Sums of squares from one over this to this have lost none of them that matters."""
SAME = 1e-12
"""What is left of a sum of squares by rounding, as a part of it."""


def saved(lost: Any, total: Any, multioutput: str | tuple[float, ...], force_finite: bool) -> Any:
    """``1 - lost / total`` of each output (the last axis), averaged; of complex numbers too.

    An output without variance has no value; with `force_finite` it counts 1 if nothing is lost and 0 otherwise, and
    weighs nothing where outputs are weighted by variance, unless all are like that.
    """
    outputs = total.shape[-1]
    there = total.real != 0
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = 1 - lost / total
    scores = np.where(there, scores, np.where(lost.real == 0, 1.0, 0.0) if force_finite else math.nan)
    if multioutput != "variance_weighted":
        return scores @ output_weights(multioutput, outputs)
    if not force_finite:
        return 1 - lost.sum(axis=-1) / total.sum(axis=-1)
    some = there.any(axis=-1)
    mass = np.where(some[..., np.newaxis], total, 1.0)
    return (scores * mass).sum(axis=-1) / mass.sum(axis=-1)


def fraction(
    data: Targets,
    sums: Callable[[Targets], tuple[Floats, Floats]],
    columns: Callable[[Targets], Sequence[Floats]],
    parts: Callable[[Any, int], tuple[Any, Any]],
    *,
    multioutput: str | tuple[float, ...] = "uniform_average",
    force_finite: bool = False,
    factor: float = 1.0,
    constant: str = "all targets are equal: there is no variance to compare with",
    moments: Callable[[Targets, float, float], Moments | None] | None = None,
) -> Any:
    """The form of a metric ``1 - factor * lost / total``.

    Parameters
    ----------
    data
        True and predicted numbers.
    sums
        What is lost and what there is in all, of each output, rounded as little as possible.
    columns, parts
        Values per sample, whose sums `parts` makes the same two of, given the number of outputs; see `smooth`.
    multioutput, force_finite
        See `saved`.
    factor
        What the lost part is multiplied by.
    constant
        Why an output without variance has no value.
    moments
        From plain data, what is lost and the total to the moments of the influence values, see `smooth`.
    """
    if multioutput == "raw_values":
        options: dict[str, Any] = {"force_finite": force_finite, "factor": factor, "constant": constant}
        options["moments"] = moments
        return by_output(data, lambda one: fraction(one, sums, columns, parts, **options))
    outputs = len(data.outputs)
    if not isinstance(multioutput, str):
        output_weights(multioutput, outputs)
    summed = sums(data) if data.plain and len(data) > 1 else None
    if summed is None or not (1 / MODERATE < summed[1][0] < MODERATE and summed[0][0] < MODERATE):
        data, _ = data.moderate()  # which changes no such part
        summed = None

    def function(table: Any) -> Any:
        lost, total = parts(table, outputs)
        return saved(factor * lost, total, multioutput, force_finite)

    def made(value: float, reason: str = "", fast: Callable[[], Moments | None] | None = None) -> Influence:
        return smooth(data, lambda: columns(data), function, value, reason=reason, moments=fast)

    if len(data) < 2:
        return made(math.nan, "1 sample alone has no variance to compare with" if len(data) else "")
    lost, total = sums(data) if summed is None else summed
    if not force_finite and not total.all():
        one = outputs > 1
        if not (one and multioutput == "variance_weighted" and total.any()):
            return made(math.nan, constant + (f" in output {data.outputs[int(np.argmin(total))]!r}" if one else ""))
    with np.errstate(over="ignore"):
        value = float(saved(factor * lost, total, multioutput, force_finite))
    if moments is None or not data.plain or factor != 1 or not total.all():
        return made(value)
    return made(value, fast=cache(lambda: moments(data, float(lost[0]), float(total[0]))))


def cleaned(squares: Any, about: Any) -> Any:
    """Sums of squares about a mean, exactly 0 where they are but what rounding left of `about`, those about a point."""
    return np.where(squares.real > SAME * about.real, squares, 0.0)
