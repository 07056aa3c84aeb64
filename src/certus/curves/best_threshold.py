"""The threshold that is best by a named criterion."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from certus.curves._counts import scores_of, threshold_counts
from certus.curves._criteria import ConfusionCounts, Criterion, criterion_named
from certus.curves.operating_point import OperatingPoint
from certus.errors import DataError, MetricNameError

__all__ = ["BestThreshold", "best_threshold"]


@dataclass(frozen=True)
class BestThreshold(OperatingPoint):
    """The counts at the best threshold, and how good it is.

    Attributes
    ----------
    criterion
        What it is best by.
    value
        The value of the criterion on these samples. Having been chosen as the best of many it is too good: other
        samples, at this threshold, will on average do worse.
    """

    criterion: str
    value: float


def best_threshold(
    y_true: Any,
    y_score: Any = None,
    criterion: str = "informedness",
    *,
    beta: float = 1.0,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    precision: float | None = None,
    recall: float | None = None,
    fpr: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> BestThreshold:
    """The threshold that is best by a criterion, among all distinct scores and infinity (nothing is called positive).

    Samples with a score of at least the threshold are called positive. Of thresholds that are equally good the highest
    is taken, which calls the fewest samples positive; for ``"precision-at-recall"`` the lowest, which finds the most
    positives at that precision. What is equally good is decided in whole numbers, not after rounding, where samples,
    costs and beta are whole numbers.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.of` takes them; or one `Scores` alone.
    criterion
        To be as high as possible: ``"informedness"`` (TPR - FPR, Youden's J), ``"balanced-accuracy"`` (which gives the
        same threshold), ``"accuracy"``, ``"f1"``, ``"fbeta"``, ``"mcc"``. As low as possible: ``"closest"`` (the
        distance of (FPR, TPR) from (0, 1)), ``"cost"`` (the mean cost of a sample). As high as possible within a bound:
        ``"precision-at-recall"``, ``"recall-at-precision"``, ``"recall-at-fpr"``.
    beta
        For ``"fbeta"``: how much more recall weighs than precision.
    false_positive_cost, false_negative_cost
        For ``"cost"``: what one mistake of each kind costs.
    precision, recall, fpr
        The bound of a criterion that has one: at least that precision or recall, at most that false positive rate.

    Raises
    ------
    DataError
        There are no samples, or they are not valid; a class is missing without which the criterion is undefined; or no
        threshold keeps the bound.
    MetricNameError
        There is no such criterion, or one of its options is missing or out of range.

    Examples
    --------
    >>> best = best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> best.threshold, best.value, best.true_positives, best.false_positives
    (0.8, 0.5, 1, 0)
    >>> best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "recall-at-precision", precision=0.6).threshold
    0.35
    """
    name, rule = criterion_named(criterion)
    options = {"beta": beta, "false_positive_cost": false_positive_cost, "false_negative_cost": false_negative_cost}
    bounds = {"precision": precision, "recall": recall, "fpr": fpr}
    settings = [_checked(name, option, (options | bounds)[option]) for option in rule.options]
    data = scores_of(y_true, y_score, pos_label, sample_weight)
    counts = threshold_counts(data)
    for side, total in (("positive", counts.positives), ("negative", counts.negatives)):
        if side in rule.needs and not total:
            raise DataError(f"{name} is undefined: there are no {side} samples")
    every = ConfusionCounts.of(counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        key = np.asarray(rule.key(every, *settings))
    if key.dtype.kind == "f":
        key = np.where(np.isnan(key), -math.inf, key)
        if key.max() == -math.inf:
            raise DataError(_unreached(name, every, settings))
    at = _best(key, every, rule, exact=data.weights is None)
    cells = every.at(at)
    return BestThreshold(_plain(counts.thresholds[at]), *cells, name, float(rule.value(cells, *settings)))


def _plain(threshold: Any) -> Any:
    """A number as Python has it."""
    return threshold.item() if isinstance(threshold, np.floating) else threshold


def _best(key: Any, every: ConfusionCounts, rule: Criterion, *, exact: bool) -> int:
    """The point of the greatest key: the first such point, which has the highest threshold, or the last."""
    if rule.lowest:
        return len(key) - 1 - int(np.argmax(key[::-1]))
    at = int(np.argmax(key))
    if rule.exact is None or not exact:
        return at
    near = np.flatnonzero(key >= key[at] - 1e-12 * abs(key[at])).tolist()
    twins = [rule.exact(every.at(point)) for point in near]
    return int(near[twins.index(max(twins))])


def _checked(name: str, option: str, value: object) -> Any:
    ranges: dict[str, tuple[Callable[[Any], bool], str]] = {
        "beta": (lambda x: 0 < x < math.inf, "a finite number above 0"),
        "false_negative_cost": (lambda x: 0 <= x < math.inf, "a finite number of at least 0"),
        "false_positive_cost": (lambda x: 0 <= x < math.inf, "a finite number of at least 0"),
    }
    fine, wanted = ranges.get(option, (lambda x: 0 <= x <= 1, "a number from 0 to 1"))
    if value is None:
        raise MetricNameError(f"the criterion {name!r} needs {option}=, {wanted}")
    if not isinstance(value, int | float | np.number) or not fine(value):
        raise MetricNameError(f"{option} is {value!r}; it must be {wanted}")
    return value


def _unreached(name: str, every: ConfusionCounts, settings: list[float]) -> str:
    if name != "recall-at-precision":
        return f"{name} is undefined at every threshold: all scores are equal"
    highest = (every.tp[1:] / (every.tp[1:] + every.fp[1:])).max()
    return f"no threshold reaches a precision of {settings[0]:g}; the highest is {highest:.4g}"
