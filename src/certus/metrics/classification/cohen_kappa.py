"""Cohen's kappa."""

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels
from certus.errors import DataError, keyword
from certus.metrics._declare import metric
from certus.metrics.classification._average import SignedUndefined
from certus.metrics.classification._cells import cells_of
from certus.statistic import Cells

__all__ = ["cohen_kappa"]

Floats = NDArray[np.float64]
Weights = Literal["linear", "quadratic"] | None


@metric(
    "kappa",
    aliases=("Kappa", "cohen_kappa", "cohen_kappa_score"),
    bounds=(-1.0, 1.0),
    source="Cohen (1960), Educ. Psychol. Meas. 20(1):37-46, doi:10.1177/001316446002000104; weighted: Cohen (1968), "
    "Psychol. Bull. 70(4):213-220, doi:10.1037/h0026256",
)
def cohen_kappa(
    data: Labels, *, weights: Literal["linear", "quadratic"] | None = None, undefined: SignedUndefined = "nan"
) -> Cells:
    """Agreement of two labellings beyond what chance would give.

    ::

        kappa = (p_o - p_e) / (1 - p_e)

    where p_o is the share of samples labelled alike and p_e the share expected if each labelling kept its own
    frequencies of labels but was independent of the other. With weights, disagreement is weighted by the distance of
    the two classes in their order::

        kappa = 1 - sum w_ij observed_ij / sum w_ij expected_ij,  w_ij = |i - j| or (i - j)^2

    0 is chance, 1 full agreement. It is 0/0 where both labellings give one and the same label only. ``labels=`` orders
    the classes, and leaves out the samples that either labelling puts into a class not listed. It is computed from
    whole numbers of any size.

    Parameters
    ----------
    weights
        How disagreement grows with the distance between classes: None, not at all; ``"linear"``; ``"quadratic"``.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (the same here) or a number.

    Returns
    -------
    Cells
        A function of the confusion matrix, in [-1, 1].

    Raises
    ------
    DataError
        Disagreement is weighted but the classes have no order.

    Examples
    --------
    Two of three samples agree; independent labellings would agree on (2 * 1 + 1 * 2) / 9 of them.

    >>> import certus
    >>> round(certus.classification.cohen_kappa(["yes", "no", "no"], ["yes", "no", "yes"]).value, 4)
    0.4
    """
    if weights is not None and not data.sorted:
        raise DataError(
            f"kappa with weights={weights!r} needs an order of the classes; give it with {keyword('labels')}"
        )
    data = data.only_selected()
    agreement = _Agreement(weights)
    exact = None if data.weights is not None else agreement.exact(data.counts)
    return cells_of(
        data.table,
        agreement.value,
        agreement.gradient,
        value=exact,
        undefined=undefined,
        why=lambda: "both labellings know one class only",
    )


class _Agreement:
    """Kappa as ``1 - observed / expected`` disagreement."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def _distances(self, classes: int) -> Floats:
        apart = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))).astype(np.float64)
        if self.weights is None:
            return np.minimum(apart, 1.0)
        return apart if self.weights == "linear" else apart**2

    def value(self, tables: Floats) -> Floats:
        """Kappa of each table."""
        distances = self._distances(tables.shape[-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = tables / tables.sum((-2, -1), keepdims=True)
            observed = (shares * distances).sum((-2, -1))
            expected = (shares.sum(-1) @ distances * shares.sum(-2)).sum(-1)
            return np.asarray(1 - observed / expected)

    def gradient(self, table: Floats) -> Floats:
        """The derivative by each cell."""
        distances = self._distances(len(table))
        n = table.sum()
        shares = table / n
        true, predicted = shares.sum(1), shares.sum(0)
        observed, expected = (shares * distances).sum(), true @ distances @ predicted
        by_expected = (distances @ predicted)[:, np.newaxis] + true @ distances
        return np.asarray((observed / expected * (by_expected - expected) - distances) / (expected * n))

    def exact(self, counts: NDArray[np.int64]) -> float:
        """From whole numbers, rounded once at the end."""
        true, predicted = counts.sum(1).tolist(), counts.sum(0).tolist()
        n = sum(true)
        if self.weights is None:
            alike = sum(map(int.__mul__, true, predicted))
            observed, expected = n * (n - int(counts.trace())), n * n - alike
        else:
            power = 1 if self.weights == "linear" else 2
            observed = n * sum(number * apart**power for apart, number in enumerate(_by_distance(counts)))
            expected = _expected(true, predicted, power)
        return (expected - observed) / expected if expected else math.nan


def _by_distance(counts: NDArray[np.int64]) -> list[int]:
    """How many samples lie how many classes apart."""
    classes = len(counts)
    return [int(counts.trace(apart)) + (int(counts.trace(-apart)) if apart else 0) for apart in range(classes)]


def _expected(true: list[int], predicted: list[int], power: int) -> int:
    """``sum |i - j|^power true_i predicted_j`` in whole numbers, without a double sum."""
    n = sum(true)
    if power == 2:
        first, second = (
            [sum(i**k * count for i, count in enumerate(each)) for k in (1, 2)] for each in (true, predicted)
        )
        return n * (first[1] + second[1]) - 2 * first[0] * second[0]
    total = below_true = below_predicted = 0
    for one, other in zip(true, predicted, strict=True):
        total += below_true * (n - below_predicted) + below_predicted * (n - below_true)
        below_true, below_predicted = below_true + one, below_predicted + other
    return total
