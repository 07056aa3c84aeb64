"""Metrics that combine two rates of a class: sums, ratios and means."""

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from certus.arrays import Floats
from certus.data import Labels, Multilabel
from certus.data.layouts import Four
from certus.metrics._declare import metric
from certus.metrics.check import Between, Doc
from certus.metrics.classification.average import (
    Average,
    Averaged,
    Combined,
    Result,
    SignedUndefined,
    TableUndefined,
    Undefined,
    averaged,
    of_table,
)
from certus.metrics.classification.smooth import (
    FOWLKES_MALLOWS,
    INFORMEDNESS,
    MARKEDNESS,
    NEGATIVE_LIKELIHOOD,
    POSITIVE_LIKELIHOOD,
    RECALL,
)
from certus.metrics.spellings import NEGATED, SCIKIT_LEARN
from certus.statistic import TableFunction

_DEEKS = "Deeks & Altman (2004), BMJ 329:168-169, doi:10.1136/bmj.329.7458.168"
_ANY = (0.0, float("inf"))
_Undefined: TypeAlias = Annotated[
    Annotated[float, Between(0)] | Literal["nan"], Doc('What 0/0 counts as: ``"nan"`` or a number.')
]
OfTwoClasses: TypeAlias = Annotated[
    Result,
    Doc(
        "A function of the confusion matrix, in {bounds}.",
        raises="There are more than two classes, or the positive one is not known.",
        forms="TableFunction",
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

    ::

        informedness = recall + specificity - 1

    0 is what guessing gives, whatever it guesses. It is 0/0 where there are no positives, or no negatives.

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

    ::

        markedness = precision + NPV - 1

    It is 0/0 where nothing is predicted to be positive, or nothing negative.

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

    ::

        FM = sqrt(precision recall) = tp / sqrt((tp + fp) (tp + fn))

    It is 0/0 where there are no positives, or nothing is predicted to be positive. The index of two clusterings is
    this one over pairs of samples.

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

    ::

        LR+ = recall / FPR = (tp / (tp + fn)) / (fp / (fp + tn))

    It turns the odds before the prediction into those after it; 1 is an uninformative prediction. It is infinite where
    positives but no negatives are predicted to be positive, and 0/0 where there are no positives, no negatives, or no
    predicted positives.

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
    spellings=SCIKIT_LEARN("neg_negative_likelihood_ratio", note=NEGATED),
    better="lower",
    bounds=_ANY,
    source=_DEEKS,
)
def negative_likelihood_ratio(data: Labels, *, undefined: _Undefined = "nan") -> OfTwoClasses:
    """Probability of a negative prediction for a positive sample, relative to that for a negative one. Lower is better.

    ::

        LR- = FNR / specificity = (fn / (tp + fn)) / (tn / (fp + tn))

    It is infinite where positives but no negatives are predicted to be negative, and 0/0 where there are no positives,
    no negatives, or no predicted negatives.

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

    Returns
    -------
    TableFunction
        A function of the confusion matrix, in [0, 1]; adjusted in [-1, 1].

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
        tp, fp, fn, tn = (slope / times for slope in self.mean.slopes(four))
        return tp, fp, fn, tn

    def reason(self, four: Four, classes: tuple[Any, ...]) -> str:
        """The part that is undefined, in words."""
        return self.mean.reason(four, classes) or "chance and perfection are the same for a single class"


def _ratio(result: Result) -> Result:
    """The result as a ratio, whose limits are computed for its logarithm."""
    return replace(result, ratio=True) if isinstance(result, TableFunction) else result
