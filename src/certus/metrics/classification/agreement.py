"""Agreement of predicted and true labels over all classes."""

import math
from collections.abc import Hashable
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, keyword, mention
from certus.data import ClassScores, Labels, Multilabel
from certus.data.cells import CellCounts, Four
from certus.metrics.check import Range
from certus.metrics.classification.average import SignedTableUndefined, SignedUndefined, cells_of, of_table
from certus.metrics.classification.per_sample import per_sample
from certus.metrics.declaration import metric
from certus.metrics.spellings import MTEB, SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Proportion, Ratio, TableFunction

ONE_CLASS = "both labellings know one class only"


@metric(
    "Accuracy",
    words=("准确率",),
    spellings=(*SCIKIT_LEARN("accuracy", "accuracy_score"), *MTEB("accuracy")),
    source="Sokolova & Lapalme (2009), Inf. Process. Manag. 45(4):427-437, doi:10.1016/j.ipm.2009.03.002",
)
def accuracy(data: Labels | Multilabel) -> Proportion | TableFunction:
    """Share of the samples whose predicted label is the true one.

    ``accuracy = samples with the right label / samples``. With several labels per sample, a sample counts only if all
    of its labels are right (subset accuracy), which is strict. With one label it is the micro average of precision, of
    recall and of F1.

    Raises
    ------
    DataError
        ``labels=`` leaves out a class.

    Examples
    --------
    Three of four are right.

    >>> import certus
    >>> certus.classification.accuracy(["cat", "dog", "dog", "cow"], ["cat", "dog", "cat", "cow"]).value
    0.75
    """
    need_all_classes(data, "accuracy")
    return share_of(data.agreement(), "right")


@metric(
    "Hamming",
    spellings=SCIKIT_LEARN("hamming_loss"),
    better="lower",
    source="Tsoumakas & Katakis (2007), Int. J. Data Warehous. Min. 3(3):1-13, doi:10.4018/jdwm.2007070101",
)
def hamming_loss(data: Labels | Multilabel) -> Proportion | TableFunction | Mean | Ratio:
    """Share of the labels that are wrong. Lower is better.

    ``loss = wrong labels / labels``. With several labels per sample it is the mean over samples of the share of wrong
    ones, much less strict than accuracy; with one label it is 1 - accuracy.

    Raises
    ------
    DataError
        ``labels=`` leaves out a class of samples with one label.

    Examples
    --------
    Of two samples with two labels each, one label is wrong.

    >>> import certus
    >>> certus.classification.hamming_loss([[1, 0], [1, 1]], [[1, 0], [1, 0]]).value
    0.25
    """
    need_all_classes(data, "the Hamming loss")
    if isinstance(data, Labels):
        return share_of(data.agreement(), "wrong")
    return wrong_labels(data)


@metric(
    "MCC",
    aliases=("Phi",),
    spellings=SCIKIT_LEARN("matthews_corrcoef"),
    bounds=(-1.0, 1.0),
    source="Matthews (1975), Biochim. Biophys. Acta 405(2):442-451, doi:10.1016/0005-2795(75)90109-9; several classes: "
    "Gorodkin (2004), Comput. Biol. Chem. 28(5-6):367-374, doi:10.1016/j.compbiolchem.2004.09.006",
)
def mcc(data: Labels, *, undefined: SignedUndefined = "nan") -> TableFunction:
    """Correlation of true and predicted class.

    ``MCC = (tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))``

    With t and p the numbers of true and predicted samples of each class, n samples and s right ones it is, for any
    number of classes: ``MCC = (n s - sum t p) / sqrt((n^2 - sum t^2) (n^2 - sum p^2))``.

    0 is no correlation. It is 0/0 where all samples are of one class, or are predicted to be. It is computed from
    whole numbers of any size, so no count is too large.

    Parameters
    ----------
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (the same here) or a number; scikit-learn says 0.

    Raises
    ------
    DataError
        ``labels=`` leaves out a class.

    Examples
    --------
    (3 * 1 - 1 * 1) / sqrt(4 * 4 * 2 * 2).

    >>> import certus
    >>> certus.classification.mcc([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1]).value
    0.25
    """
    need_all_classes(data, "the correlation")
    exact = None if data.weights is not None else _exact_mcc(data.counts)
    return of_table(data.table, _Correlation(), data.classes, value=exact, undefined=undefined, by_chance=True)


def _exact_mcc(counts: NDArray[np.int64]) -> float:
    """From whole numbers, rounded once or twice at the end."""
    true, predicted = counts.sum(1).tolist(), counts.sum(0).tolist()
    n = sum(true)
    covariance = n * int(counts.trace()) - sum(map(int.__mul__, true, predicted))
    square = (n * n - sum(map(int.__mul__, true, true))) * (n * n - sum(map(int.__mul__, predicted, predicted)))
    if square == 0:
        return math.nan
    root = math.isqrt(square)
    return float(covariance / root if root * root == square else max(-1.0, min(1.0, covariance / math.sqrt(square))))


class _Correlation:
    """The correlation between true and predicted class, from the four cells of each class."""

    def value(self, four: Four) -> Floats:
        """The correlation of each table."""
        tp = four[0]
        if tp.shape[-1] == 2 and tp.dtype == np.float64:
            return kernels.correlation_of_two(*four).reshape(tp.shape[:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            covariance, of_true, of_predicted = _moments(_cell_shares(four))
            scale = np.where(of_true == of_predicted, of_true, np.sqrt(of_true) * np.sqrt(of_predicted))
            return np.asarray(np.clip(covariance / scale, -1.0, 1.0))

    def slopes(self, four: Four) -> Four:
        """The derivatives, the same for every tn."""
        if four[0].shape == (2,) and (derivatives := kernels.correlation_slopes_of_two(*four)) is not None:
            return tuple(derivatives)
        tp, fp, fn, tn = shares = _cell_shares(four)
        covariance, of_true, of_predicted = _moments(shares)
        scale = np.sqrt(of_true * of_predicted)
        times = (four[0].sum() + four[2].sum()) * scale
        row = (tp.sum() - (tp + fp) - covariance * (fp + tn) / of_true) / times
        column = (-(tp + fn) - covariance * (fn + tn) / of_predicted) / times
        return row + column + 1 / times, column, row, np.zeros(len(tp))

    def reason(self, four: Four, classes: tuple[Hashable, ...]) -> str:
        """The labelling that has one class."""
        del classes
        if np.count_nonzero(four[0] + four[2]) < 2:
            return "all samples are of one class"
        return "all samples are predicted to be of one class"


def _moments(shares: Four) -> tuple[Any, Any, Any]:
    """The covariance and the two variances; nothing is subtracted from a whole."""
    tp, fp, fn, tn = shares
    covariance = (tp * tn - fp * fn).sum(-1)
    return covariance, ((tp + fn) * (fp + tn)).sum(-1), ((tp + fp) * (fn + tn)).sum(-1)


@metric(
    "kappa",
    words=("Cohen's kappa", "kappa系数"),
    aliases=("Kappa",),
    spellings=SCIKIT_LEARN("cohen_kappa_score"),
    bounds=(-1.0, 1.0),
    source="Cohen (1960), Educ. Psychol. Meas. 20(1):37-46, doi:10.1177/001316446002000104; weighted: Cohen (1968), "
    "Psychol. Bull. 70(4):213-220, doi:10.1037/h0026256",
)
def cohen_kappa(
    data: Labels, *, weights: Literal["linear", "quadratic"] | None = None, undefined: SignedTableUndefined = "nan"
) -> TableFunction:
    """Agreement of two labellings beyond what chance would give.

    ``kappa = (p_o - p_e) / (1 - p_e)``

    where p_o is the share of samples labelled alike and p_e the share expected if each labelling kept its own
    frequencies of labels but was independent of the other. With weights, disagreement is weighted by the distance of
    the two classes in their order: ``kappa = 1 - sum w_ij observed_ij / sum w_ij expected_ij,  w_ij = |i - j| or (i -
    j)^2``.

    0 is chance, 1 full agreement. It is 0/0 where both labellings give one and the same label only. ``labels=`` orders
    the classes, and leaves out the samples that either labelling puts into a class not listed. It is computed from
    whole numbers of any size.

    Parameters
    ----------
    weights
        How disagreement grows with the distance between classes: None, not at all; ``"linear"``; ``"quadratic"``.

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
            f"kappa with {weights} weights needs an order of the classes",
            f"give it with {keyword('labels')}",
            argument="labels",
            subject="",
        )
    data = data.only_selected()
    exact = None if data.weights is not None else _exact_kappa(data.counts, weights)
    if weights is None:
        return of_table(data.table, _Kappa(), data.classes, value=exact, undefined=undefined, by_chance=True)
    graded = _GradedKappa(data.table.layout, 1 if weights == "linear" else 2)
    return cells_of(
        data.table, graded.value, graded.gradient, value=exact, undefined=undefined, reason=lambda: ONE_CLASS
    )


def share_of(table: CellCounts, cell: Literal["wrong", "right"]) -> Proportion | TableFunction:
    """The share of one of the cells ``[wrong, right]``."""
    index = int(cell == "right")
    if table.exact:
        return Proportion(table.counts.tolist()[index], table.counts.sum().item(), "sample")
    return TableFunction(
        table.counts,
        partial(_share_of_cell, index),
        gradient=partial(_slopes_of_cell, index),
        squares=table.squares,
        contributions=table.contributions,
        unit=table.unit,
        n=table.n,
    )


def wrong_labels(data: Multilabel) -> Mean | Ratio:
    """The mean over samples of the share of their labels that are wrong."""
    return per_sample(data.wrong / len(data.selected), data)


def need_all_classes(data: Labels | Multilabel, name: str) -> None:
    """Refuse ``labels=`` that leave out a class, for a metric that is of all of them."""
    if isinstance(data, Labels) and not data.has_all_classes:
        left_out = data.classes[len(data.selected)]
        raise DataError(
            f"leaves out {left_out!r}, but {name} is of all classes",
            f"list them all or leave out {mention('labels')}",
            argument="labels",
        )


def _share_of_cell(index: int, tables: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(tables[..., index] / tables.sum(-1))


def _slopes_of_cell(index: int, table: Floats) -> Floats:
    """Derivatives by both cells: ``-right / n^2`` and ``wrong / n^2`` for the share of right ones."""
    by_right = np.array([-table[1], table[0]], dtype=np.float64) / float(table.sum()) ** 2
    return by_right if index == 1 else -by_right


def _cell_shares(four: Four) -> Four:
    """The cells as shares of all samples."""
    total = (four[0] + four[2]).sum(-1, keepdims=True)
    return tuple(cell / total for cell in four)


class _Kappa:
    """Kappa as ``1 - observed / expected`` disagreement, of the four cells of each class."""

    def value(self, four: Four) -> Floats:
        """Kappa of each table."""
        tp, _, fn, tn = _cell_shares(four)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(1 - fn.sum(-1) / ((tp + fn) * (fn + tn)).sum(-1))

    def slopes(self, four: Four) -> Four:
        """The derivatives, the same for every tn."""
        tp, fp, fn, tn = _cell_shares(four)
        observed, expected = fn.sum(), ((tp + fn) * (fn + tn)).sum()
        times = (four[0].sum() + four[2].sum()) * expected
        row = (observed / expected * (fn + tn - expected) - 1) / times
        column = observed / expected * (fp + tn) / times
        return row + column + 1 / times, column, row, np.zeros(len(tp))

    def reason(self, four: Four, classes: tuple[Hashable, ...]) -> str:
        """The only reason."""
        del four, classes
        return ONE_CLASS


class _GradedKappa:
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
        row = observed / expected * (_distances_to(predicted, self.power) - expected) / times
        column = observed / expected * by_true / times
        return np.asarray(self.layout.by_cell((row + column, column, row, np.zeros(len(row)))) - distances / times)

    def _parts(self, tables: Floats) -> tuple[Any, Floats, Floats, Floats]:
        """Observed disagreement, mean distance to the true classes, shares by predicted class, distances of cells."""
        tp, fp, fn, _ = _cell_shares(self.layout.four(tables))
        distances = self.layout.class_distances(tp.shape[-1]) ** self.power
        axes = tuple(range(-distances.ndim, 0))
        observed = (tables * distances).sum(axes) / tables.sum(axes)
        return observed, _distances_to(tp + fn, self.power), tp + fp, distances


def _distances_to(shares: Floats, power: int) -> Floats:
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


def _exact_kappa(counts: NDArray[np.int64], weights: Literal["linear", "quadratic"] | None) -> float:
    """From whole numbers, rounded once at the end."""
    true, predicted = counts.sum(1).tolist(), counts.sum(0).tolist()
    n = sum(true)
    if weights is None:
        products = sum(map(int.__mul__, true, predicted))
        observed, expected = n * (n - int(counts.trace())), n * n - products
    else:
        power = 1 if weights == "linear" else 2
        observed = n * sum(abs(k) ** power * int(counts.trace(k)) for k in range(1 - len(counts), len(counts)))
        expected = _expected(true, predicted, power)
    return (expected - observed) / expected if expected else math.nan


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


Ties = Literal["last", "pessimistic", "optimistic", "average"]
BLOCK = 1 << 20
"""Scores compared at a time."""


@metric(
    "TopK",
    spellings=SCIKIT_LEARN("top_k_accuracy", "top_k_accuracy_score"),
    at_parameter="k",
    source="Russakovsky et al. (2015), Int. J. Comput. Vis. 115(3):211-252, doi:10.1007/s11263-015-0816-y, section 4",
    state=SampleSums(),
)
def top_k_accuracy(
    scores: ClassScores,
    *,
    k: Annotated[int, Range(1)] = 2,
    ties: Ties = "last",
    threshold: float | None = None,
) -> Proportion | Mean | Ratio:
    """Share of samples whose true class is among the k classes of highest score.

    With k as great as the number of classes it is 1.

    Parameters
    ----------
    k
        How many classes count as predicted.
    ties
        Where the k-th place is shared by classes of equal score: ``"last"``, those in later columns come first, as in
        scikit-learn; ``"pessimistic"``, the true class comes last; ``"optimistic"``, it comes first; ``"average"``, it
        is in with the probability that it has when all orders of equal classes are equally likely.
    threshold
        For one score per sample and k = 1: the positive class is predicted above this score, the other one below. At
        the threshold itself both are tied, the positive class being the earlier column. None: 0.5 where all scores are
        from 0 to 1, otherwise 0, as in scikit-learn.

    Examples
    --------
    The true class comes first, first, second and third.

    >>> import certus
    >>> scores = [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]]
    >>> certus.classification.top_k_accuracy([0, 1, 2, 2], scores, k=2).value
    0.75
    >>> certus.classification.top_k_accuracy([0, 1, 2, 2], scores, k=1).value
    0.5
    """
    if scores.scores.ndim == 1:
        hits = _hits_of_two(scores, ties, threshold) if k == 1 else np.ones(len(scores))
    else:
        hits = _top_k_hits(scores, k, ties)
    if ties == "average" or scores.weights is not None or scores.groups is not None:
        return per_sample(hits, scores)
    return Proportion(int(np.count_nonzero(hits)), len(hits))


def _hits_of_two(data: ClassScores, ties: Ties, threshold: float | None) -> NDArray[np.float64]:
    scores, positive = data.scores, data.hits
    if threshold is None:
        threshold = 0.5 if len(scores) and scores.min() >= 0 and scores.max() <= 1 else 0.0
    hits: NDArray[np.float64] = ((scores > threshold) == positive).astype(np.float64)
    if ties != "last":
        hits[scores == threshold] = {"pessimistic": 0.0, "optimistic": 1.0, "average": 0.5}[ties]
    return hits


def _top_k_hits(data: ClassScores, k: int, ties: Ties) -> NDArray[np.float64]:
    """Probability, mostly 0 or 1, that a sample's true class is among its first k."""
    n, classes = data.scores.shape
    hits = np.empty(n)
    columns = np.arange(classes)
    step = max(1, BLOCK // max(classes, 1))
    for start in range(0, n, step):
        rows: NDArray[Any] = data.scores[start : start + step]
        true = data.true[start : start + step, np.newaxis]
        true_scores = np.take_along_axis(rows, true, axis=1)
        before = np.count_nonzero(rows > true_scores, axis=1)
        equal = rows == true_scores
        if ties == "last":
            before += np.count_nonzero(equal & (columns > true), axis=1)
        elif ties == "pessimistic":
            before += np.count_nonzero(equal, axis=1) - 1
        if ties == "average":
            hits[start : start + step] = np.clip((k - before) / np.count_nonzero(equal, axis=1), 0, 1)
        else:
            hits[start : start + step] = before < k
    return hits
