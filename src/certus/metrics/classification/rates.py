"""Rates of a class, and metrics that combine two of them: sums, ratios and means."""

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from certus.core.arrays import Floats
from certus.data import Labels, Multilabel
from certus.data.cells import Four
from certus.metrics.check import Doc, Range
from certus.metrics.classification.average import (
    Average,
    Averaged,
    Combination,
    Combined,
    Rate,
    Result,
    Share,
    SignedUndefined,
    TableUndefined,
    Undefined,
    averaged,
    of_table,
)
from certus.metrics.declaration import metric
from certus.metrics.spellings import MTEB, SCIKIT_LEARN
from certus.statistic import TableFunction

_RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7"
_ALTMAN = "Altman & Bland (1994), BMJ 309:102, doi:10.1136/bmj.309.6947.102"
_FAWCETT = "Fawcett (2006), Pattern Recognit. Lett. 27(8):861-874, doi:10.1016/j.patrec.2005.10.010"


def _sum_above_chance(first: Any, second: Any) -> Any:
    return first + second - 1.0


def _quotient(first: Any, second: Any) -> Any:
    return first * second**-1.0


def _geometric_mean(first: Any, second: Any) -> Any:
    return first**0.5 * second**0.5


# The cells are tp, fp, fn, tn.
PRECISION = Share((1, 0, 0, 0), (1, 1, 0, 0), "predicted positive")
RECALL = Share((1, 0, 0, 0), (1, 0, 1, 0), "positive")
SPECIFICITY = Share((0, 0, 0, 1), (0, 1, 0, 1), "negative")
NPV = Share((0, 0, 0, 1), (0, 0, 1, 1), "predicted negative")
FPR = Share((0, 1, 0, 0), (0, 1, 0, 1), "negative")
FNR = Share((0, 0, 1, 0), (1, 0, 1, 0), "positive")
F1 = Share((2, 0, 0, 0), (2, 1, 1, 0), "true or predicted positive", dice=True)
JACCARD = Share((1, 0, 0, 0), (1, 1, 1, 0), "true or predicted positive")
PREVALENCE = Share((1, 0, 1, 0), (1, 1, 1, 1), "sample")

INFORMEDNESS = Combination((RECALL, SPECIFICITY), _sum_above_chance, is_product=False)
MARKEDNESS = Combination((PRECISION, NPV), _sum_above_chance, is_product=False)
POSITIVE_LIKELIHOOD = Combination((RECALL, FPR), _quotient)
NEGATIVE_LIKELIHOOD = Combination((FNR, SPECIFICITY), _quotient)
FOWLKES_MALLOWS = Combination((PRECISION, RECALL), _geometric_mean)


def fbeta_share(beta: float) -> Share:
    """F-beta; F1 has an interval of its own."""
    if beta == 1:
        return F1
    square = beta * beta
    return Share((1 + square, 0, 0, 0), (1 + square, 1, square, 0), "true or predicted positive")


@metric(
    "Precision",
    words=("precisão", "精确率", "TPA", "true positive accuracy"),
    aliases=("PPV",),
    spellings=SCIKIT_LEARN("precision", "precision_score", "precision_{average}"),
    source=_RIJSBERGEN,
)
def precision(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Rate:
    """Share of the samples predicted to be positive that are.

    ``precision = tp / (tp + fp)``. It is 0/0 where nothing is predicted to be positive.

    Examples
    --------
    Of three predicted positives two are right.

    >>> import certus
    >>> round(certus.classification.precision([1, 1, 0, 1], [1, 1, 1, 0]).value, 4)
    0.6667
    """
    return averaged(data, PRECISION, average, undefined)


@metric(
    "Recall",
    words=("revocação", "revocacao", "召回率", "true positive rate", "真正率"),
    aliases=("TPR", "Sensitivity", "sensitivity"),
    spellings=SCIKIT_LEARN("recall", "recall_score", "recall_{average}"),
    source=_RIJSBERGEN,
)
def recall(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Rate:
    """Share of the positive samples that are predicted to be positive.

    ``recall = tp / (tp + fn)``. It is 0/0 where there are no positives. Other names are sensitivity and true positive
    rate.

    Examples
    --------
    Of four positives three are found.

    >>> import certus
    >>> certus.classification.recall([1, 1, 1, 1, 0], [1, 1, 1, 0, 1]).value
    0.75
    """
    return averaged(data, RECALL, average, undefined)


@metric(
    "Specificity",
    aliases=("Selectivity", "TNR"),
    source="Altman & Bland (1994), BMJ 308:1552, doi:10.1136/bmj.308.6943.1552",
)
def specificity(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Rate:
    """Share of the negative samples that are predicted to be negative.

    ``specificity = tn / (tn + fp)``. It is 0/0 where there are no negatives. Another name is true negative rate.

    Examples
    --------
    Of three negatives two are recognised.

    >>> import certus
    >>> round(certus.classification.specificity([0, 0, 0, 1], [0, 0, 1, 1]).value, 4)
    0.6667
    """
    return averaged(data, SPECIFICITY, average, undefined)


@metric("NPV", source=_ALTMAN)
def negative_predictive_value(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan"
) -> Rate:
    """Share of the samples predicted to be negative that are.

    ``NPV = tn / (tn + fn)``. It is 0/0 where nothing is predicted to be negative.

    Examples
    --------
    Of four predicted negatives three are right.

    >>> import certus
    >>> certus.classification.negative_predictive_value([0, 0, 0, 1, 1], [0, 0, 0, 0, 1]).value
    0.75
    """
    return averaged(data, NPV, average, undefined)


@metric("FPR", words=("假正率",), aliases=("Fallout",), better="lower", source=_FAWCETT)
def false_positive_rate(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan"
) -> Rate:
    """Share of the negative samples that are predicted to be positive.

    ``FPR = fp / (fp + tn) = 1 - specificity``. It is 0/0 where there are no negatives. Another name is fall-out.

    Examples
    --------
    Of four negatives one is mistaken.

    >>> import certus
    >>> certus.classification.false_positive_rate([0, 0, 0, 0, 1], [0, 0, 0, 1, 1]).value
    0.25
    """
    return averaged(data, FPR, average, undefined)


@metric("FNR", aliases=("Miss",), better="lower", source=_FAWCETT)
def false_negative_rate(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan"
) -> Rate:
    """Share of the positive samples that are predicted to be negative.

    ``FNR = fn / (fn + tp) = 1 - recall``. It is 0/0 where there are no positives. Another name is miss rate.

    Examples
    --------
    Of four positives one is missed.

    >>> import certus
    >>> certus.classification.false_negative_rate([1, 1, 1, 1, 0], [1, 1, 1, 0, 0]).value
    0.25
    """
    return averaged(data, FNR, average, undefined)


@metric(
    "F1",
    words=("F score", "F1 measure", "F1分数", "F1值"),
    aliases=("Dice",),
    spellings=(
        *SCIKIT_LEARN("f1", "f1_score", "f1_{average}"),
        *MTEB(
            "f1",
            differs=True,
            note="MTEB averages over classes; f1 alone is of two classes here, as in scikit-learn",
        ),
    ),
    source=_RIJSBERGEN,
)
def f1(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Rate:
    """Harmonic mean of precision and recall.

    ``F1 = 2 / (1 / precision + 1 / recall) = 2 tp / (2 tp + fp + fn)``. It is 0 where precision and recall are 0, and
    0/0 where there are neither positives nor predicted ones. The macro average is the mean of the F1 of each class, not
    the harmonic mean of macro precision and macro recall.

    Examples
    --------
    Precision 2/3 and recall 2/4: 2 / (3/2 + 4/2).

    >>> import certus
    >>> round(certus.classification.f1([1, 1, 1, 1, 0], [1, 1, 0, 0, 1]).value, 4)
    0.5714
    """
    return averaged(data, F1, average, undefined)


@metric("Fbeta", spellings=SCIKIT_LEARN("fbeta_score"), at_parameter="beta", source=_RIJSBERGEN)
def fbeta(
    data: Labels | Multilabel,
    *,
    beta: Annotated[float, Range(0, limit=1e6)],
    average: Average = "binary",
    undefined: Undefined = "nan",
) -> Rate:
    """Weighted harmonic mean of precision and recall.

    ::

        Fbeta = (1 + beta^2) precision recall / (beta^2 precision + recall)
              = (1 + beta^2) tp / ((1 + beta^2) tp + fp + beta^2 fn)

    It is 0 where precision and recall are 0, and 0/0 where there are neither positives nor predicted ones. F1 is
    ``beta=1``.

    Parameters
    ----------
    beta
        How much recall counts, relative to precision: 2 twice as much, 0.5 half as much.

    Examples
    --------
    Precision 1 and recall 1/2: 5 (1/2) / (4 + 1/2).

    >>> import certus
    >>> round(certus.classification.fbeta([1, 1, 0], [1, 0, 0], beta=2).value, 4)
    0.5556
    """
    return averaged(data, fbeta_share(beta), average, undefined)


@metric(
    "Jaccard",
    aliases=("IoU",),
    spellings=SCIKIT_LEARN("jaccard", "jaccard_score", "jaccard_{average}"),
    source="Jaccard (1912), New Phytologist 11(2):37-50, doi:10.1111/j.1469-8137.1912.tb05611.x",
)
def jaccard(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Rate:
    """Intersection of true and predicted positives, divided by their union.

    ``Jaccard = tp / (tp + fp + fn) = F1 / (2 - F1)``. It is 0/0 where there are neither positives nor predicted ones.
    For samples with several labels, ``average="samples"`` compares the set of true labels of each sample with its
    predicted one.

    Examples
    --------
    Two samples are both, four are either.

    >>> import certus
    >>> certus.classification.jaccard([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]).value
    0.5
    """
    return averaged(data, JACCARD, average, undefined)


@metric("E", better="lower", source=_RIJSBERGEN)
def e_measure(
    data: Labels | Multilabel,
    *,
    alpha: Annotated[float, Range(0, 1)] = 0.5,
    average: Average = "binary",
    undefined: Undefined = "nan",
) -> Combined:
    """Effectiveness lost: one minus the weighted harmonic mean of precision and recall. Lower is better.

    ::

        E = 1 - 1 / (alpha / precision + (1 - alpha) / recall)
          = (alpha fp + (1 - alpha) fn) / (tp + alpha fp + (1 - alpha) fn) = 1 - Fbeta, alpha = 1 / (1 + beta^2)

    It is 1 where precision and recall are 0, and 0/0 where there are neither positives nor predicted ones.

    Parameters
    ----------
    alpha
        Weight of precision; above 1/2 it counts more than recall.

    Examples
    --------
    Precision 1 and recall 1/2: 1 - 1 / (1/2 + 1).

    >>> import certus
    >>> round(certus.classification.e_measure([1, 1, 0], [1, 0, 0]).value, 4)
    0.3333
    """
    other = 1 - alpha
    return averaged(
        data, Share((0, alpha, other, 0), (1, alpha, other, 0), "true or predicted positive"), average, undefined
    )


@metric("Prevalence", better=None, source=_ALTMAN)
def prevalence(data: Labels | Multilabel, *, average: Literal["binary"] | None = "binary") -> Rate:
    """Share of the samples that are truly positive; it says nothing about the prediction.

    ``prevalence = (tp + fn) / samples``

    Parameters
    ----------
    average
        ``"binary"``: of the positive class; None: of each class.

    Raises
    ------
    DataError
        There are more than two classes, or the positive one is not known.

    Examples
    --------
    >>> import certus
    >>> certus.classification.prevalence([1, 0, 0, 0], [1, 1, 0, 0]).value
    0.25
    """
    return averaged(data, PREVALENCE, average, "nan")


_DEEKS = "Deeks & Altman (2004), BMJ 329:168-169, doi:10.1136/bmj.329.7458.168"
_ANY = (0.0, float("inf"))
_Undefined: TypeAlias = Annotated[
    Annotated[float, Range(0)] | Literal["nan"], Doc('What 0/0 counts as: ``"nan"`` or a number.')
]
OfTwoClasses: TypeAlias = Annotated[
    Result,
    Doc(
        raises="There are more than two classes, or the positive one is not known.",
        forms=("TableFunction",),
    ),
]
"""A function of a table of two classes."""


@metric(
    "Informedness",
    aliases=("Youden", "youden_j"),
    bounds=(-1.0, 1.0),
    source="Youden (1950), Cancer 3(1):32-35; Powers (2011), J. Mach. Learn. Technol. 2(1):37-63, arXiv:2010.16061",
)
def informedness(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: SignedUndefined = "nan"
) -> Combined:
    """Information of the prediction about the class, beyond guessing: Youden's J.

    ``informedness = recall + specificity - 1``. Guessing gives 0, whatever it guesses. Without positives, or without
    negatives, it is 0/0.

    Examples
    --------
    Recall 3/4, specificity 1/2.

    >>> import certus
    >>> certus.classification.informedness([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1]).value
    0.25
    """
    return averaged(data, INFORMEDNESS, average, undefined)


@metric(
    "Markedness",
    bounds=(-1.0, 1.0),
    source="Powers (2011), J. Mach. Learn. Technol. 2(1):37-63, arXiv:2010.16061",
)
def markedness(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: SignedUndefined = "nan"
) -> Combined:
    """Information of the class about the prediction, beyond chance: informedness with the roles exchanged.

    ``markedness = precision + NPV - 1``. It is 0/0 where nothing is predicted to be positive, or nothing negative.

    Examples
    --------
    Precision 3/4, negative predictive value 1/2.

    >>> import certus
    >>> certus.classification.markedness([1, 1, 1, 0, 0, 1], [1, 1, 1, 1, 0, 0]).value
    0.25
    """
    return averaged(data, MARKEDNESS, average, undefined)


@metric(
    "FM",
    aliases=("Fowlkes-Mallows",),
    source="Fowlkes & Mallows (1983), JASA 78(383):553-569, doi:10.1080/01621459.1983.10478008",
)
def fowlkes_mallows(data: Labels, *, undefined: TableUndefined = "nan") -> OfTwoClasses:
    """Geometric mean of precision and recall of the positive class.

    ``FM = sqrt(precision recall) = tp / sqrt((tp + fp) (tp + fn))``. It is 0/0 where there are no positives, or nothing
    is predicted to be positive. The index of two clusterings is this one over pairs of samples.

    Examples
    --------
    Precision 1 and recall 1/4.

    >>> import certus
    >>> certus.classification.fowlkes_mallows([1, 1, 1, 1, 0], [1, 0, 0, 0, 0]).value
    0.5
    """
    return averaged(data, FOWLKES_MALLOWS, "binary", undefined)


@metric("LR+", spellings=SCIKIT_LEARN("positive_likelihood_ratio"), bounds=_ANY, source=_DEEKS)
def positive_likelihood_ratio(data: Labels, *, undefined: _Undefined = "nan") -> OfTwoClasses:
    """Probability of a positive prediction for a positive sample, relative to that for a negative one.

    ``LR+ = recall / FPR = (tp / (tp + fn)) / (fp / (fp + tn))``. It turns the odds before the prediction into those
    after it; 1 is an uninformative prediction. It is infinite where positives but no negatives are predicted to be
    positive, and 0/0 where there are no positives, no negatives, or no predicted positives.

    Examples
    --------
    Recall 3/4 over a false positive rate of 1/4.

    >>> import certus
    >>> y_true, y_pred = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 0, 0, 0]
    >>> certus.classification.positive_likelihood_ratio(y_true, y_pred).value
    3.0
    """
    return _ratio(averaged(data, POSITIVE_LIKELIHOOD, "binary", undefined))


@metric(
    "LR-",
    spellings=SCIKIT_LEARN("neg_negative_likelihood_ratio"),
    better="lower",
    bounds=_ANY,
    source=_DEEKS,
)
def negative_likelihood_ratio(data: Labels, *, undefined: _Undefined = "nan") -> OfTwoClasses:
    """Probability of a negative prediction for a positive sample, relative to that for a negative one. Lower is better.

    ``LR- = FNR / specificity = (fn / (tp + fn)) / (tn / (fp + tn))``. It is infinite where positives but no negatives
    are predicted to be negative, and 0/0 where there are no positives, no negatives, or no predicted negatives.

    Examples
    --------
    A false negative rate of 1/4 over a specificity of 1/2.

    >>> import certus
    >>> y_true, y_pred = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0, 0]
    >>> certus.classification.negative_likelihood_ratio(y_true, y_pred).value
    0.5
    """
    return _ratio(averaged(data, NEGATIVE_LIKELIHOOD, "binary", undefined))


@metric(
    "BalancedAccuracy",
    spellings=SCIKIT_LEARN("balanced_accuracy", "balanced_accuracy_score"),
    bounds=lambda values: (-1.0 if values["adjusted"] else 0.0, 1.0),
    source="Brodersen, Ong, Stephan & Buhmann (2010), ICPR, 3121-3124, doi:10.1109/ICPR.2010.764",
)
def balanced_accuracy(data: Labels, *, adjusted: bool = False, undefined: Undefined = "nan") -> TableFunction:
    """Mean over classes of the share of its samples that are recognised: accuracy as if all classes were equally large.

    ::

        balanced accuracy = mean over classes of tp / (tp + fn)
        adjusted          = (balanced accuracy - 1 / classes) / (1 - 1 / classes)

    A class that is predicted but that no sample truly has is 0/0; scikit-learn leaves it out of the mean, which is
    ``undefined="skip"``.

    Parameters
    ----------
    adjusted
        Rescale so that guessing gives 0 and a perfect prediction 1. Skipped classes are not counted as classes.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of the mean) or a number.

    Examples
    --------
    All of four dogs and one of two cats are recognised: the mean of 1 and 1/2.

    >>> import certus
    >>> y_true, y_pred = ["dog", "dog", "dog", "dog", "cat", "cat"], ["dog", "dog", "dog", "dog", "dog", "cat"]
    >>> certus.classification.balanced_accuracy(y_true, y_pred).value
    0.75
    >>> certus.classification.balanced_accuracy(y_true, y_pred, adjusted=True).value
    0.5
    """
    mean = Averaged(RECALL, "macro", undefined, slice(len(data.selected)))
    return of_table(data.table, _Adjusted(mean) if adjusted else mean, data.classes)


@dataclass(frozen=True, slots=True, eq=False)
class _Adjusted:
    """A mean over classes, rescaled so that 1 / classes becomes 0."""

    mean: Averaged

    def value(self, four: Four) -> Floats:
        """The rescaled mean; NaN of a single class."""
        classes = self.mean.classes(four)
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = 1 / np.where(classes > 1, classes, np.nan)
            return np.asarray((self.mean.value(four) - chance) / (1 - chance))

    def slopes(self, four: Four) -> Four:
        """The derivatives of the mean, rescaled."""
        classes = float(self.mean.classes(four))
        times = 1 - 1 / classes if classes > 1 else math.inf
        return tuple(slope / times for slope in self.mean.slopes(four))

    def reason(self, four: Four, classes: tuple[Any, ...]) -> str:
        """The part that is undefined, in words."""
        return self.mean.reason(four, classes) or "chance and perfection are the same for a single class"


def _ratio(result: Result) -> Result:
    """The result as a ratio, whose limits are computed for its logarithm."""
    return replace(result, ratio=True) if isinstance(result, TableFunction) else result
