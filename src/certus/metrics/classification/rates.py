"""Rates of a class: sample shares, and means of two shares."""

from typing import Annotated, Literal

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.check import Between
from certus.metrics.classification.average import Average, Combined, Rate, Result, Undefined, averaged
from certus.metrics.classification.smooth import (
    F1,
    FNR,
    FPR,
    JACCARD,
    NPV,
    PRECISION,
    PREVALENCE,
    RECALL,
    SPECIFICITY,
    Share,
    fbeta_share,
)
from certus.metrics.spellings import MTEB, SCIKIT_LEARN

_RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7"
_ALTMAN = "Altman & Bland (1994), BMJ 309:102, doi:10.1136/bmj.309.6947.102"
_FAWCETT = "Fawcett (2006), Pattern Recognit. Lett. 27(8):861-874, doi:10.1016/j.patrec.2005.10.010"


@metric(
    "Precision",
    words=("precisão", "精确率", "TPA", "true positive accuracy"),
    aliases=("PPV",),
    spellings=SCIKIT_LEARN("precision", "precision_score", "precision_{average}"),
    source=_RIJSBERGEN,
)
def precision(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Rate:
    """Share of the samples predicted to be positive that are.

    ::

        precision = tp / (tp + fp)

    It is 0/0 where nothing is predicted to be positive.

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

    ::

        recall = tp / (tp + fn)

    It is 0/0 where there are no positives. Other names are sensitivity and true positive rate.

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

    ::

        specificity = tn / (tn + fp)

    It is 0/0 where there are no negatives. Another name is true negative rate.

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

    ::

        NPV = tn / (tn + fn)

    It is 0/0 where nothing is predicted to be negative.

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

    ::

        FPR = fp / (fp + tn) = 1 - specificity

    It is 0/0 where there are no negatives. Another name is fall-out.

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

    ::

        FNR = fn / (fn + tp) = 1 - recall

    It is 0/0 where there are no positives. Another name is miss rate.

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
def f1(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Result:
    """Harmonic mean of precision and recall.

    ::

        F1 = 2 / (1 / precision + 1 / recall) = 2 tp / (2 tp + fp + fn)

    It is 0 where precision and recall are 0, and 0/0 where there are neither positives nor predicted ones. The macro
    average is the mean of the F1 of each class, not the harmonic mean of macro precision and macro recall.

    Returns
    -------
    Proportion, TableFunction or Mean
        Without an average, a function of the share of tp in ``tp + fp + fn``; else of the confusion matrix.

    Examples
    --------
    Precision 2/3 and recall 2/4: 2 / (3/2 + 4/2).

    >>> import certus
    >>> round(certus.classification.f1([1, 1, 1, 1, 0], [1, 1, 0, 0, 1]).value, 4)
    0.5714
    """
    return averaged(data, F1, average, undefined)


@metric("Fbeta", spellings=SCIKIT_LEARN("fbeta_score"), at="beta", source=_RIJSBERGEN)
def fbeta(
    data: Labels | Multilabel,
    *,
    beta: Annotated[float, Between(0, most=1e6)],
    average: Average = "binary",
    undefined: Undefined = "nan",
) -> Result:
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

    Returns
    -------
    Proportion, TableFunction or Mean
        A function of the confusion matrix, in [0, 1].

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

    ::

        Jaccard = tp / (tp + fp + fn) = F1 / (2 - F1)

    It is 0/0 where there are neither positives nor predicted ones. For samples with several labels,
    ``average="samples"`` compares the set of true labels of each sample with its predicted one.

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
    alpha: Annotated[float, Between(0, 1)] = 0.5,
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
def prevalence(data: Labels | Multilabel, *, average: Literal["binary"] | None = "binary") -> Result:
    """Share of the samples that are truly positive; it says nothing about the prediction.

    ::

        prevalence = (tp + fn) / samples

    Parameters
    ----------
    average
        ``"binary"``: of the positive class; None: of each class.

    Returns
    -------
    Proportion or TableFunction
        One trial per sample.

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
