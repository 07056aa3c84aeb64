"""The threshold that is best by a named criterion, and the counts at it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.core.registry import Registry
from certus.curves._counts import counted_scores


class ConfusionCounts(NamedTuple):
    """The four counts: one number each, or arrays with one for each threshold."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    def select(self, point: int) -> "ConfusionCounts":
        """The counts at one threshold."""
        return ConfusionCounts(*(column[point].item() for column in self))


class Criterion(NamedTuple):
    """A function of the counts by which thresholds are compared."""

    key: Callable[..., Any]
    """Greatest at the best thresholds, NaN where there is no value; made of whole numbers with one rounding at most."""
    value: Callable[..., float]
    """The criterion at the best threshold."""
    needs: tuple[str, ...] = ()
    """The classes without which it is undefined."""
    options: tuple[str, ...] = ()
    """The keywords of `best_threshold` that it takes, in this order."""
    exact: Callable[[ConfusionCounts], Fraction] | None = None
    """The key in rational numbers, where it needs more than one rounding."""
    lowest: bool = False
    """Of equally good thresholds the lowest is meant."""


def _wins(cells: ConfusionCounts) -> Any:
    """``tp tn - fp fn``: informedness times positives times negatives."""
    # In whole numbers up to 2 billion samples of each class, else as floats.
    if cells.tp.dtype.kind == "i" and int(cells.tp[-1]) * int(cells.fp[-1]) >= 2**62:
        cells = ConfusionCounts(*(cell.astype(np.float64) for cell in cells))
    return cells.tp * cells.tn - cells.fp * cells.fn


def _informedness(cells: ConfusionCounts) -> float:
    return float(_recall(cells) - _fpr(cells))


def _mcc_key(cells: ConfusionCounts) -> Floats:
    predicted_positive, predicted_negative = cells.tp + cells.fp, cells.fn + cells.tn
    return np.asarray(_wins(cells) / np.sqrt(predicted_positive.astype(np.float64) * predicted_negative))


def _mcc_exact(cells: ConfusionCounts) -> Fraction:
    wins = cells.tp * cells.tn - cells.fp * cells.fn
    return Fraction(wins * abs(wins), (cells.tp + cells.fp) * (cells.fn + cells.tn))


def _mcc(cells: ConfusionCounts) -> float:
    (tp, fp, fn, tn) = cells
    return float((tp * tn - fp * fn) / (math.sqrt((tp + fp) * (fn + tn)) * math.sqrt((tp + fn) * (fp + tn))))


def _distance(cells: ConfusionCounts) -> Any:
    return np.hypot(cells.fn / (cells.tp + cells.fn), _fpr(cells))


def _distance_exact(cells: ConfusionCounts) -> Fraction:
    (tp, fp, fn, tn) = cells
    return -Fraction((fn * (fp + tn)) ** 2 + (fp * (tp + fn)) ** 2)


def _fbeta(cells: ConfusionCounts, beta: float) -> Any:
    (tp, fp, fn, _) = cells
    return (1 + beta**2) * tp / (beta**2 * (tp + fn) + (tp + fp))


def _cost(cells: ConfusionCounts, false_positive: float, false_negative: float) -> Any:
    return (false_positive * cells.fp + false_negative * cells.fn) / sum(cells)


def _accuracy(cells: ConfusionCounts) -> Any:
    return (cells.tp + cells.tn) / sum(cells)


def _recall(cells: ConfusionCounts, _: float = 0) -> Any:
    return cells.tp / (cells.tp + cells.fn)


def _fpr(cells: ConfusionCounts) -> Any:
    return cells.fp / (cells.fp + cells.tn)


def _precision(cells: ConfusionCounts, _: float = 0) -> Any:
    return cells.tp / (cells.tp + cells.fp)


def _bounded_key(bounded: Callable[..., Any], sign: int, maximised: Callable[..., Any]) -> Callable[..., Any]:
    """A key that is NaN where `bounded`, times the sign, is below the bound."""
    return lambda cells, bound: np.where(sign * bounded(cells) >= sign * bound, maximised(cells), math.nan)


_BOTH_CLASSES = ("positive", "negative")
_CRITERIA = Registry(
    "criterion",
    {
        "accuracy": Criterion(lambda cells: cells.tp - cells.fp, _accuracy),
        "balanced-accuracy": Criterion(_wins, lambda cells: (1 + _informedness(cells)) / 2, _BOTH_CLASSES),
        "closest": Criterion(lambda cells: -_distance(cells), _distance, _BOTH_CLASSES, exact=_distance_exact),
        "cost": Criterion(
            lambda *arguments: -_cost(*arguments), _cost, (), ("false_positive_cost", "false_negative_cost")
        ),
        "f1": Criterion(partial(_fbeta, beta=1), partial(_fbeta, beta=1), ("positive",)),
        "fbeta": Criterion(_fbeta, _fbeta, ("positive",), ("beta",)),
        "informedness": Criterion(_wins, _informedness, _BOTH_CLASSES),
        "mcc": Criterion(_mcc_key, _mcc, _BOTH_CLASSES, exact=_mcc_exact),
        "precision-at-recall": Criterion(
            _bounded_key(_recall, 1, _precision), _precision, ("positive",), ("recall",), lowest=True
        ),
        "recall-at-fpr": Criterion(_bounded_key(_fpr, -1, attrgetter("tp")), _recall, _BOTH_CLASSES, ("fpr",)),
        "recall-at-precision": Criterion(
            _bounded_key(_precision, 1, attrgetter("tp")), _recall, ("positive",), ("precision",)
        ),
    },
    {"youden": "informedness", "youden-j": "informedness", "j": "informedness", "f-beta": "fbeta"},
)


def criterion_named(spelling: str) -> tuple[str, Criterion]:
    """Criterion that the user's spelling means, and its name."""
    name = _CRITERIA.resolve(spelling)
    return name, _CRITERIA[name]


@dataclass(frozen=True)
class OperatingPoint:
    """Counts and rates when samples with a score of at least `threshold` are predicted positive.

    Attributes
    ----------
    threshold
        The threshold; infinity predicts nothing as positive.
    true_positives, false_positives, false_negatives, true_negatives
        How many samples each is; with weights the sums of those.

    Examples
    --------
    >>> point = OperatingPoint(0.8, true_positives=4, false_positives=1, false_negatives=2, true_negatives=3)
    >>> round(point.tpr, 2), point.fpr, point.precision, point.share
    (0.67, 0.25, 0.8, 0.5)
    """

    threshold: float
    true_positives: float
    false_positives: float
    false_negatives: float
    true_negatives: float

    @property
    def tpr(self) -> float:
        """True positive rate, also called recall or sensitivity: the share of positives that are predicted positive."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def fpr(self) -> float:
        """False positive rate: the share of the negatives that are predicted positive."""
        return _share(self.false_positives, self.true_negatives)

    @property
    def precision(self) -> float:
        """The share of positives among the samples that are predicted positive; NaN if none is."""
        return _share(self.true_positives, self.false_positives)

    @property
    def share(self) -> float:
        """The share of all samples that are predicted positive."""
        predicted_positive = self.true_positives + self.false_positives
        return _share(predicted_positive, self.false_negatives + self.true_negatives)

    @property
    def mirrored(self) -> "OperatingPoint":
        """The point of the opposite answers, at (1 - FPR, 1 - TPR); its threshold is NaN, as it belongs to no score."""
        return OperatingPoint(
            math.nan, self.false_negatives, self.true_negatives, self.true_positives, self.false_positives
        )


def _share(inside: float, outside: float) -> float:
    return inside / (inside + outside) if inside + outside else math.nan


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
    """The threshold that is best by a criterion, among all distinct scores and infinity (nothing predicted positive).

    Samples with a score of at least the threshold are predicted positive. Of thresholds that are equally good the
    highest is taken, which predicts the fewest samples as positive; for ``"precision-at-recall"`` the lowest, which
    finds the most positives at that precision. What is equally good is decided in whole numbers, not after rounding,
    where samples, costs and beta are whole numbers.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.from_arrays` takes them; or one `Scores` alone.
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
    settings = [_validate_option(name, option, (options | bounds)[option]) for option in rule.options]
    data, counts = counted_scores(y_true, y_score, pos_label, sample_weight)
    for side, total in (("positive", counts.positives), ("negative", counts.negatives)):
        if side in rule.needs and not total:
            raise DataError(f"{name} is undefined: there are no {side} samples")
    tp, fp = counts.true_positives, counts.false_positives
    every = ConfusionCounts(tp, fp, counts.positives - tp, counts.negatives - fp)
    with np.errstate(divide="ignore", invalid="ignore"):
        key = np.asarray(rule.key(every, *settings))
    if key.dtype.kind == "f":
        key = np.where(np.isnan(key), -math.inf, key)
        if key.max() == -math.inf:
            if name != "recall-at-precision":
                raise DataError(f"{name} is undefined at every threshold: all scores are equal")
            highest = (tp[1:] / (tp[1:] + fp[1:])).max()
            raise DataError(f"no threshold reaches a precision of {settings[0]:g}", f"the highest is {highest:.4g}")
    index = _best(key, every, rule, exact=data.weights is None)
    cells, threshold = every.select(index), counts.thresholds[index]
    number = threshold.item() if isinstance(threshold, np.floating) else threshold
    return BestThreshold(number, *cells, name, float(rule.value(cells, *settings)))


def _best(key: Any, every: ConfusionCounts, rule: Criterion, *, exact: bool) -> int:
    """The point of the greatest key: the first such point, which has the highest threshold, or the last."""
    if rule.lowest:
        return len(key) - 1 - int(np.argmax(key[::-1]))
    index = int(np.argmax(key))
    if rule.exact is None or not exact:
        return index
    near = np.flatnonzero(key >= key[index] - 1e-12 * abs(key[index])).tolist()
    twins = [rule.exact(every.select(point)) for point in near]
    return int(near[twins.index(max(twins))])


def _validate_option(name: str, option: str, value: object) -> Any:
    ranges: dict[str, tuple[Callable[[Any], bool], str]] = {
        "beta": (lambda x: 0 < x < math.inf, "a finite number above 0"),
        "false_negative_cost": (lambda x: 0 <= x < math.inf, "a finite number of at least 0"),
        "false_positive_cost": (lambda x: 0 <= x < math.inf, "a finite number of at least 0"),
    }
    fine, wanted = ranges.get(option, (lambda x: 0 <= x <= 1, "a number from 0 to 1"))
    if value is None:
        raise MetricNameError(f"the criterion {name!r} needs {option}=, {wanted}")
    if not isinstance(value, int | float | np.number) or not fine(value):
        raise MetricNameError(f"is {value!r}", f"it must be {wanted}", argument=option)
    return value
