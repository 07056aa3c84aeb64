"""The metrics of a confusion matrix from their definitions, in fractions, sample by sample."""

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

Pairs = Sequence[tuple[Hashable, Hashable]]
"""True and predicted label of each sample."""
Undefined = None
"""0/0."""


def share(above: Fraction | int, below: Fraction | int) -> Fraction | None:
    return Fraction(above) / Fraction(below) if below else Undefined


def four(pairs: Pairs, label: Hashable) -> tuple[int, int, int, int]:
    """tp, fp, fn and tn of one label against all others."""
    tp = sum(true == label and predicted == label for true, predicted in pairs)
    fp = sum(true != label and predicted == label for true, predicted in pairs)
    fn = sum(true == label and predicted != label for true, predicted in pairs)
    return tp, fp, fn, len(pairs) - tp - fp - fn


def harmonic(precision: Fraction | None, recall: Fraction | None, weight: Fraction) -> Fraction | None:
    """Weighted harmonic mean: 0 where either is; undefined where neither is defined."""
    if precision is None and recall is None:
        return Undefined
    if not precision or not recall:
        return Fraction(0)
    return 1 / (weight / precision + (1 - weight) / recall)


def of_class(name: str) -> Callable[[int, int, int, int], Fraction | None]:
    """The metric of one class from its four cells."""

    def metric(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
        precision, recall = share(tp, tp + fp), share(tp, tp + fn)
        specificity, npv = share(tn, tn + fp), share(tn, tn + fn)
        if name == "Precision":
            return precision
        if name == "Recall":
            return recall
        if name == "Specificity":
            return specificity
        if name == "NPV":
            return npv
        if name == "FPR":
            return share(fp, fp + tn)
        if name == "FNR":
            return share(fn, fn + tp)
        if name == "F1":
            return harmonic(precision, recall, Fraction(1, 2))
        if name == "Fbeta(beta=2)":
            return harmonic(precision, recall, Fraction(1, 5))
        if name == "E(alpha=0.25)":
            f = harmonic(precision, recall, Fraction(1, 4))
            return Undefined if f is None else 1 - f
        if name == "Jaccard":
            return share(tp, tp + fp + fn)
        if name == "Informedness":
            return Undefined if recall is None or specificity is None else recall + specificity - 1
        if name == "Markedness":
            return Undefined if precision is None or npv is None else precision + npv - 1
        raise KeyError(name)

    return metric


CLASS_METRICS = (
    "Precision",
    "Recall",
    "Specificity",
    "NPV",
    "FPR",
    "FNR",
    "F1",
    "Fbeta(beta=2)",
    "E(alpha=0.25)",
    "Jaccard",
    "Informedness",
    "Markedness",
)


def average(
    name: str, cells: Sequence[tuple[int, int, int, int]], how: str, undefined: Fraction | str
) -> Fraction | None:
    """The average over classes of the metric of each class."""
    metric = of_class(name)

    def value(four: tuple[int, int, int, int]) -> Fraction | None:
        found = metric(*four)
        return undefined if found is None and isinstance(undefined, Fraction) else found

    if how == "micro":
        tp, fp, fn, tn = (sum(each) for each in zip(*cells, strict=True))
        return value((tp, fp, fn, tn))
    weights = [tp + fn if how == "weighted" else 1 for tp, _, fn, _ in cells]
    entering = [(value(each), weight) for each, weight in zip(cells, weights, strict=True) if weight]
    if undefined == "skip":
        entering = [(found, weight) for found, weight in entering if found is not None]
    if any(found is None for found, _ in entering):
        return Undefined
    if not entering:
        return undefined if isinstance(undefined, Fraction) else Undefined
    total = sum(found * weight for found, weight in entering if found is not None)
    return Fraction(total) / sum(weight for _, weight in entering)


def kappa(pairs: Pairs, classes: Sequence[Hashable], weights: str | None) -> Fraction | None:
    """Chance-corrected agreement, by observed and expected disagreement."""
    position = {label: index for index, label in enumerate(classes)}

    def apart(one: Hashable, other: Hashable) -> int:
        distance = abs(position[one] - position[other])
        return distance**2 if weights == "quadratic" else distance if weights == "linear" else int(distance > 0)

    observed = Fraction(sum(apart(*pair) for pair in pairs), len(pairs))
    expected = Fraction(sum(apart(true, other) for true, _ in pairs for _, other in pairs), len(pairs) ** 2)
    return 1 - observed / expected if expected else Undefined


def mcc(pairs: Pairs, classes: Sequence[Hashable]) -> float | None:
    """Correlation of the indicators of the classes, summed over classes (Gorodkin)."""

    def covariance(first: int, second: int) -> Fraction:
        total = Fraction(0)
        for label in classes:
            one = [int(pair[first] == label) for pair in pairs]
            two = [int(pair[second] == label) for pair in pairs]
            mean_one, mean_two = Fraction(sum(one), len(pairs)), Fraction(sum(two), len(pairs))
            total += sum((x - mean_one) * (y - mean_two) for x, y in zip(one, two, strict=True))
        return total

    of_true, of_predicted = covariance(0, 0), covariance(1, 1)
    if not of_true or not of_predicted:
        return Undefined
    return float(covariance(0, 1)) / math.sqrt(of_true * of_predicted)
