"""Correlations between targets and predictions."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.data import Targets
from certus.metrics._declare import metric
from certus.metrics.regression._fraction import cleaned
from certus.metrics.regression._outputs import Outputs, by_output, output_weights
from certus.metrics.regression._smooth import centred, enough, smooth, summed
from certus.statistic import Influence

__all__ = ["concordance", "constant_column", "pearson"]

Floats = NDArray[np.float64]


@metric(
    "Pearson",
    aliases=("pearson", "pearsonr", "correlation"),
    bounds=(-1.0, 1.0),
    source="Pearson (1896), Philos. Trans. R. Soc. A 187:253-318, doi:10.1098/rsta.1896.0007",
)
def pearson(targets: Targets, *, multioutput: Outputs = "uniform_average") -> Any:
    """How nearly the predictions lie on a straight line against the targets.

    ::

        r = Cov(y, prediction) / sqrt(Var(y) Var(prediction))

    Neither an offset nor a positive factor of the predictions matters. Targets or predictions that are all equal have
    no correlation: it is undefined.

    Parameters
    ----------
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Influence
        The influence of each sample, or group, on the correlation.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.pearson([1, 2, 3], [1, 3, 2]).value, 12)
    0.5
    """

    def of(cross: Any, one: Any, other: Any, apart: Any, mass: Any) -> Any:
        del apart, mass
        product = one * other  # its root is exact where both are equal; it may leave the range of floats
        fine = (product.real > 1e-300) & np.isfinite(product)
        return cross / np.where(fine, np.sqrt(product), np.sqrt(one) * np.sqrt(other))

    return _correlation(targets, of, multioutput)


@metric(
    "CCC",
    aliases=("concordance", "concordance_correlation", "lin_ccc"),
    bounds=(-1.0, 1.0),
    source="Lin (1989), Biometrics 45(1):255-268, doi:10.2307/2532051",
)
def concordance(targets: Targets, *, ddof: Literal[0, 1] = 0, multioutput: Outputs = "uniform_average") -> Any:
    """How nearly predictions and targets are equal: Pearson's correlation, less for a wrong mean or spread.

    ::

        CCC = 2 Cov(y, prediction) / (Var(y) + Var(prediction) + (mean of y - mean of prediction)^2)

    It is undefined where all targets and predictions are one number, and 0 where only one side is constant.

    Parameters
    ----------
    ddof
        Variances are sums over n - ddof: 0 is Lin's estimate, 1 has unbiased variances.
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each, of which the part in their sum counts.

    Returns
    -------
    Influence
        The influence of each sample, or group, on the coefficient.

    Examples
    --------
    Predictions too high by 1 throughout, with variances 2/3: 4/3 over 4/3 + 1.

    >>> import certus
    >>> round(certus.regression.concordance([1, 2, 3], [2, 3, 4]).value, 4)
    0.5714
    """
    n = len(targets) if targets.weights is None else float(targets.weights.sum())
    factor = 1.0 if ddof == 0 or n <= 1 else (n - 1) / n

    def of(cross: Any, one: Any, other: Any, apart: Any, mass: Any) -> Any:
        return 2 * cross / (one + other + factor * mass * apart**2)

    return _correlation(targets, of, multioutput, shift=True)


def _correlation(
    data: Targets,
    of: Callable[..., Any],
    multioutput: str | tuple[float, ...],
    *,
    shift: bool = False,
) -> Influence | dict[Any, Any]:
    """A function of the sums of products about the means, of the distance of the means, and of the weight."""
    if multioutput == "raw_values":
        return by_output(data, lambda one: _correlation(one, of, "uniform_average", shift=shift))
    outputs = len(data.outputs)
    parts = output_weights(multioutput, outputs)
    data, _ = data.moderate(each=not shift)  # which changes no correlation
    true, predicted = data.table
    reason = enough(data) or ("" if shift else constant_column(data))
    if reason:
        return smooth(data, lambda: (), lambda sums: sums[..., 0] * math.nan, math.nan, reason=reason)
    one, other = (centred(values, data.weights)[0] for values in (true, predicted))
    apart = (true[0] - one[0]) - (predicted[0] - other[0])

    def function(sums: Any) -> Any:
        mass = sums[..., :1]
        a, b, aa, bb, ab = np.split(sums[..., 1:], 5, axis=-1)
        spreads = cleaned(aa - a**2 / mass, aa), cleaned(bb - b**2 / mass, bb)
        found = of(ab - a * b / mass, *spreads, apart + (a - b) / mass, mass)
        return np.where(np.isfinite(found), found, math.nan) @ parts

    def columns() -> Sequence[Floats]:
        return [*one.T, *other.T, *(one**2).T, *(other**2).T, *(one * other).T]

    sums = _sums(one, other, data.weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = of(*sums[:3], _apart(true - predicted, data.weights), sums[3])
    value = float(np.clip(each, -1.0, 1.0) @ parts)
    if math.isnan(value):
        reason = "all targets and predictions are one number: there is nothing to agree on"
    return smooth(data, columns, function, value, reason=reason)


def _sums(one: Floats, other: Floats, weights: Floats | None) -> tuple[Floats, Floats, Floats, float]:
    """Sums of products of distances from the means: of both, of the first, of the other; and the weight."""
    mass = len(one) if weights is None else float(weights.sum())
    a, b = summed(one, weights), summed(other, weights)
    cross = summed(one * other, weights) - a * b / mass
    squares = [np.maximum(summed(x * x, weights) - s * s / mass, 0.0) for x, s in ((one, a), (other, b))]
    return cross, squares[0], squares[1], mass


def _apart(errors: Floats, weights: Floats | None) -> Floats:
    """The mean error, which is the distance of the means."""
    mass = len(errors) if weights is None else weights.sum()
    return summed(errors, weights) / mass


def constant_column(data: Targets) -> str:
    """Why there is no correlation; empty where both sides vary in every output."""
    for what, values in zip(("targets", "predictions"), data.table, strict=True):
        still = (values == values[:1]).all(axis=0)
        if still.any():
            where = f" in output {data.outputs[int(np.argmax(still))]!r}" if len(data.outputs) > 1 else ""
            return f"all {what} are equal{where}: a constant has no correlation"
    return ""
