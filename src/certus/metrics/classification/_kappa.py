"""Kappa as a function of tables, and from whole numbers."""

import math
from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data.layouts import Four

ONE_CLASS = "both labellings know one class only"


def shares_of(four: Four) -> Four:
    """The cells as shares of all samples."""
    total = (four[0] + four[2]).sum(-1, keepdims=True)
    tp, fp, fn, tn = (cell / total for cell in four)
    return tp, fp, fn, tn


class Kappa:
    """Kappa as ``1 - observed / expected`` disagreement, of the four cells of each class."""

    def value(self, four: Four) -> Floats:
        """Kappa of each table."""
        tp, _, fn, tn = shares_of(four)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(1 - fn.sum(-1) / ((tp + fn) * (fn + tn)).sum(-1))

    def slopes(self, four: Four) -> Four:
        """The derivatives, the same for every tn."""
        tp, fp, fn, tn = shares_of(four)
        observed, expected = fn.sum(), ((tp + fn) * (fn + tn)).sum()
        times = (four[0].sum() + four[2].sum()) * expected
        row = (observed / expected * (fn + tn - expected) - 1) / times
        column = observed / expected * (fp + tn) / times
        return row + column + 1 / times, column, row, np.zeros(len(tp))

    def reason(self, four: Four, classes: tuple[Hashable, ...]) -> str:
        """The only reason."""
        del four, classes
        return ONE_CLASS


class GradedKappa:
    """Kappa with disagreement that grows with the distance between classes, or with its square."""

    def __init__(self, layout: Any, power: Literal[1, 2]) -> None:
        self.layout = layout
        self.power = power

    def value(self, tables: Floats) -> Floats:
        """Kappa of each table."""
        with np.errstate(divide="ignore", invalid="ignore"):
            observed, by_true, predicted, _ = self._parts(tables)
            return np.asarray(1 - observed / (by_true * predicted).sum(-1))

    def gradient(self, table: Floats) -> Floats:
        """The derivative by each cell."""
        observed, by_true, predicted, distances = self._parts(table)
        expected = (by_true * predicted).sum()
        times = float(table.sum()) * expected
        row = observed / expected * (distant(predicted, self.power) - expected) / times
        column = observed / expected * by_true / times
        return np.asarray(self.layout.by_cell((row + column, column, row, np.zeros(len(row)))) - distances / times)

    def _parts(self, tables: Floats) -> tuple[Any, Floats, Floats, Floats]:
        """Observed disagreement, mean distance to the true classes, shares by predicted class, distances of cells."""
        tp, fp, fn, _ = shares_of(self.layout.four(tables))
        distances = self.layout.class_distances(tp.shape[-1]) ** self.power
        axes = tuple(range(-distances.ndim, 0))
        observed = (tables * distances).sum(axes) / tables.sum(axes)
        return observed, distant(tp + fn, self.power), tp + fp, distances


def distant(shares: Floats, power: int) -> Floats:
    """Sum over all classes of share times distance (or its square) to each class, by repeated sums."""

    def sum_below(masses: Floats) -> Floats:
        once = np.cumsum(masses, axis=-1)
        for _ in range(power):
            once = np.cumsum(once, axis=-1)
        total = np.zeros_like(masses)
        total[..., 1:] = once[..., :-1]
        if power == 2:  # d^2 = d (d + 1) / 2 + d (d - 1) / 2
            total[..., 2:] += once[..., :-2]
        return total

    return sum_below(shares) + sum_below(shares[..., ::-1])[..., ::-1]


def exact_kappa(counts: NDArray[np.int64], weights: Literal["linear", "quadratic"] | None) -> float:
    """From whole numbers, rounded once at the end."""
    true, predicted = counts.sum(1).tolist(), counts.sum(0).tolist()
    n = sum(true)
    if weights is None:
        products = sum(map(int.__mul__, true, predicted))
        observed, expected = n * (n - int(counts.trace())), n * n - products
    else:
        power = 1 if weights == "linear" else 2
        observed = n * sum(number * distance**power for distance, number in enumerate(_by_distance(counts)))
        expected = _expected(true, predicted, power)
    return (expected - observed) / expected if expected else math.nan


def _by_distance(counts: NDArray[np.int64]) -> list[int]:
    """Number of samples by the distance between their two classes."""
    classes = len(counts)
    return [
        int(counts.trace(distance)) + (int(counts.trace(-distance)) if distance else 0) for distance in range(classes)
    ]


def _expected(true: list[int], predicted: list[int], power: int) -> int:
    """``sum |i - j|^power true_i predicted_j`` in whole numbers, without a double sum."""
    n = sum(true)
    if power == 2:
        first, second = (
            [sum(i**k * count for i, count in enumerate(marginal)) for k in (1, 2)] for marginal in (true, predicted)
        )
        return n * (first[1] + second[1]) - 2 * first[0] * second[0]
    total = below_true = below_predicted = 0
    for true_count, predicted_count in zip(true, predicted, strict=True):
        total += below_true * (n - below_predicted) + below_predicted * (n - below_true)
        below_true, below_predicted = below_true + true_count, below_predicted + predicted_count
    return total
