"""Accuracy."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._agreement import need_all_classes, share_of
from certus.statistic import Cells, Proportion

__all__ = ["accuracy"]


@metric(
    "Accuracy",
    aliases=("accuracy", "accuracy_score"),
    source="Sokolova & Lapalme (2009), Inf. Process. Manag. 45(4):427-437, doi:10.1016/j.ipm.2009.03.002",
)
def accuracy(data: Labels | Multilabel) -> Proportion | Cells:
    """Share of the samples whose predicted label is the true one.

    ::

        accuracy = samples with the right label / samples

    With several labels per sample, a sample counts only if all of its labels are right (subset accuracy), which is
    strict. With one label it is the micro average of precision, of recall and of F1.

    Returns
    -------
    Proportion or Cells
        One trial per sample; a function of the sums of weights, or of the sums per group, where these are given.

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
