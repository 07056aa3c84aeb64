"""Area under the ROC curve, or under a part of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from certus import kernels
from certus.data import ClassScores, MultilabelScores, Scores
from certus.errors import DataError, MetricNameError, called
from certus.kernels import ScoreMetric
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics._random_labels import RandomLabels
from certus.metrics.classification._area import area, random_area
from certus.metrics.classification._average import Result, Undefined
from certus.metrics.classification._ordered import filled, lacking, linear
from certus.metrics.classification._partial import part_of_area
from certus.metrics.classification._several import Average, Measure, averaged, of_pairs, only_scores
from certus.statistic import Influence

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["roc_auc"]

AREA = Measure(area, ScoreMetric.auc(), kernels.score_auc_influence, lacking)


def _bounds(parameters: Mapping[str, Any]) -> tuple[float, float]:
    if parameters["partial"] == "raw":
        if parameters["max_fpr"] is not None:
            return 0.0, parameters["max_fpr"]
        if parameters["min_tpr"] is not None:
            return 0.0, 1.0 - parameters["min_tpr"]
    return 0.0, 1.0


def _law(labels: RandomLabels, *, max_fpr: float | None, min_tpr: float | None, **_: Any) -> "Distribution | None":
    if max_fpr not in (None, 1) or min_tpr not in (None, 0):
        return None
    return random_area(labels)


@metric(
    "AUC",
    aliases=("roc_auc", "roc_auc_score", "AUROC"),
    unit="sample",
    bounds=_bounds,
    source="Hanley & McNeil (1982), Radiology 143(1):29-36, doi:10.1148/radiology.143.1.7063747",
    chance=_law,
)
def roc_auc(
    scores: Scores | ClassScores | MultilabelScores,
    *,
    max_fpr: Annotated[float, Between(above=0, high=1)] | None = None,
    min_tpr: Annotated[float, Between(low=0, below=1)] | None = None,
    partial: Literal["mcclish", "raw"] = "mcclish",
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    average: Average = "macro",
    undefined: Undefined = "nan",
) -> Result:
    """Probability that a positive sample has a higher score than a negative one: the area under the ROC curve.

    Over all pairs of a positive and a negative, a pair with equal scores counting half::

        AUC = (pairs in which the positive has the higher score + half the tied pairs) / (positives * negatives)

    Where one of the classes has no samples it is undefined. Of two columns of scores that of the positive class is
    taken. With weights a pair counts as much as the product of its two weights.

    Parameters
    ----------
    max_fpr
        Only the part of the curve with a false positive rate of at most this, above 0.
    min_tpr
        Only the part with a true positive rate of at least this, below 1: the area to the right of the curve.
    partial
        What a part gives. ``"mcclish"``: ``(1 + (A - chance) / (best - chance)) / 2``, which is 1 at best and 1/2 by
        chance (McClish 1989). ``"raw"``: its area A, at most `max_fpr` or ``1 - min_tpr``.
    multi_class
        For more than two classes. ``"ovr"``: each class against the rest (Provost & Domingos 2000). ``"ovo"``: the mean
        over ordered pairs of classes, with the samples of these two classes only (Hand & Till 2001).
    average
        For several classes or labels. ``"macro"``: the mean. ``"weighted"``: weighted by the samples of a class, or of
        a pair of classes. ``"micro"``: the area over all cells of the table. ``"samples"``: the mean over samples of
        the area over the labels. None: each class against the rest, or each label, by itself.
    undefined
        What a class or label without positives or without negatives counts as: ``"nan"``, ``"skip"`` (left out of an
        average) or a number.

    Returns
    -------
    UStatistic or Influence
        For two classes with the variances of DeLong, DeLong & Clarke-Pearson (1988); with weights or groups those of
        the weighted placements, summed over each group (Obuchowski 1997). A part of the curve has influence values of
        its own. An average is the mean of its areas with the sum of their influence values; several classes keep their
        sizes, samples with several labels have none to keep.

    Raises
    ------
    DataError
        There are more than two classes and `multi_class` does not say how they are compared; they are compared in pairs
        and `average` is neither ``"macro"`` nor ``"weighted"``; or a part is asked for of several curves.
    MetricNameError
        Two parts are asked for.

    Examples
    --------
    Of the 2 x 2 pairs three are in the right order and one is tied: 3.5 of 4.

    >>> import certus
    >>> certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.875

    Up to a false positive rate of 1/2, where the curve runs from (0, 1/2) to (1/2, 1), the area is 3/8 of at most 4/8;
    by chance it would be 1/8.

    >>> certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1], max_fpr=0.5, partial="raw").value
    0.375
    >>> round(certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1], max_fpr=0.5).value, 4)
    0.8333
    """
    given = only_scores(scores) if isinstance(scores, ClassScores) else scores
    if max_fpr not in (None, 1) or min_tpr not in (None, 0):
        if max_fpr not in (None, 1) and min_tpr not in (None, 0):
            raise MetricNameError("max_fpr and min_tpr are two different parts of the curve; give one of them")
        if not isinstance(given, Scores):
            raise DataError("max_fpr and min_tpr are for two classes; leave them out for an average over several")
        return filled(_part(given, max_fpr, min_tpr, partial), undefined)
    if isinstance(given, Scores):
        return filled(area(given), undefined)
    if isinstance(given, MultilabelScores) or multi_class == "ovr":
        return averaged(given, AREA, average, undefined)
    if multi_class == "raise":
        raise DataError(
            f"{called('y_true')} has {len(given.classes)} classes; say how they are compared with multi_class='ovr' or "
            "'ovo'"
        )
    if average not in ("macro", "weighted"):
        raise DataError(f"average is {average!r}; pairs of classes (multi_class='ovo') have 'macro' and 'weighted'")
    return of_pairs(given, AREA, average, undefined)


def _part(scores: Scores, max_fpr: float | None, min_tpr: float | None, partial: str) -> Influence:
    if max_fpr is not None:
        metric, width = ScoreMetric.auc_to_fpr(max_fpr), max_fpr
    else:
        metric, width = ScoreMetric.auc_from_tpr(min_tpr or 0.0), 1 - (min_tpr or 0.0)
    # The least area has half the width as its height by chance, so McClish's index of no area is (1 - w) / (2 - w).
    scale = (0.0, width) if partial == "raw" else ((1 - width) / (2 - width), 1.0)
    kernel = part_of_area(metric, max_fpr=max_fpr, min_tpr=min_tpr)
    return linear(scores, kernel, metric, stratified=True, why=lacking(scores), scale=scale)
