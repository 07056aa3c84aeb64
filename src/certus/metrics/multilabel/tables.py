"""Metrics of tables of predicted labels."""

from functools import partial
from typing import Annotated, Literal, TypeAlias

from certus.data import Multilabel
from certus.metrics.check import Doc, Range
from certus.metrics.classification.agreement import share_of, wrong_labels
from certus.metrics.classification.average import Result, averaged
from certus.metrics.classification.rates import F1, JACCARD, PRECISION, RECALL, fbeta_share
from certus.metrics.declaration import metric
from certus.metrics.multilabel.label_scores import Instead
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Proportion, Ratio, TableFunction

_TSOUMAKAS = (
    "Tsoumakas, Katakis & Vlahavas (2010), Data Mining and Knowledge Discovery Handbook, 667-685, "
    "doi:10.1007/978-0-387-09823-4_34"
)
Average: TypeAlias = Annotated[
    Literal["samples", "macro", "micro", "weighted"] | None,
    Doc(
        '``"samples"``: the mean over samples of the metric of their labels. ``"macro"``: the mean over labels of the '
        'metric of their samples. ``"weighted"``: the same, each label weighted by its true samples. ``"micro"``: the '
        "metric of all cells of the table. None: each label by itself."
    ),
]
"""Average over a table."""
Undefined: TypeAlias = Annotated[
    Instead,
    Doc(
        'What a sample or a label with 0/0 counts as: ``"nan"``, ``"skip"`` (left out of the average) or a number, '
        "such as scikit-learn's 0.0."
    ),
]
"""The same for a sample or a label."""
Averages: TypeAlias = Annotated[Result, Doc(forms=("Mean", "Ratio", "TableFunction", "Proportion"))]
"""A metric of samples or of labels."""
averaged_metric = partial(metric, source=_TSOUMAKAS, state=SampleSums(when={"average": ("samples",)}))
"""Declares a metric that is averaged over samples or labels."""


@averaged_metric(
    "Precision",
    spellings=SCIKIT_LEARN("precision", "precision_score", "precision_{average}"),
)
def precision(data: Multilabel, *, average: Average = "samples", undefined: Undefined = "nan") -> Averages:
    """Share of the labels predicted for a sample that it has.

    ``precision of a sample = right labels / predicted labels``. It is 0/0 for a sample for which no label is predicted,
    and for a label that is never predicted.

    Examples
    --------
    The first sample has the one label predicted for it, the second two of three.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> round(certus.multilabel.precision(true, predicted).value, 4)
    0.8333
    >>> certus.multilabel.precision(true, predicted, average="micro").value
    0.75
    """
    return averaged(data, PRECISION, average, undefined)


@averaged_metric(
    "Recall",
    spellings=SCIKIT_LEARN("recall", "recall_score", "recall_{average}"),
)
def recall(data: Multilabel, *, average: Average = "samples", undefined: Undefined = "nan") -> Averages:
    """Share of the labels of a sample that are predicted.

    ``recall of a sample = right labels / true labels``. It is 0/0 for a sample without any label, and for a label that
    no sample has.

    Examples
    --------
    Of the first sample one of two labels is predicted, of the second both.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> certus.multilabel.recall(true, predicted).value
    0.75
    >>> round(certus.multilabel.recall(true, predicted, average="macro").value, 4)
    0.8333
    """
    return averaged(data, RECALL, average, undefined)


@averaged_metric(
    "F1",
    spellings=SCIKIT_LEARN("f1", "f1_score", "f1_{average}"),
)
def f1(data: Multilabel, *, average: Average = "samples", undefined: Undefined = "nan") -> Averages:
    """Harmonic mean of the precision and the recall of a sample's labels.

    ``F1 of a sample = 2 right labels / (predicted labels + true labels)``. It is 0/0 where there are neither. The macro
    average is the mean of F1 over labels, not F1 of mean precision and mean recall.

    Examples
    --------
    2/3 and 4/5.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> round(certus.multilabel.f1(true, predicted).value, 4)
    0.7333
    >>> certus.multilabel.f1(true, predicted, average="micro").value
    0.75
    """
    return averaged(data, F1, average, undefined)


@averaged_metric(
    "Fbeta",
    spellings=SCIKIT_LEARN("fbeta_score"),
    at_parameter="beta",
)
def fbeta(
    data: Multilabel,
    *,
    beta: Annotated[float, Range(0, limit=1e6)],
    average: Average = "samples",
    undefined: Undefined = "nan",
) -> Averages:
    """Weighted harmonic mean of the precision and the recall of a sample's labels.

    ``Fbeta of a sample = (1 + beta^2) right / ((1 + beta^2) right + wrong + beta^2 missed)``. It is 0/0 where there are
    neither true nor predicted labels. F1 is ``beta=1``.

    Parameters
    ----------
    beta
        How much recall counts, relative to precision: 2 twice as much, 0.5 half as much.

    Examples
    --------
    Precision 1 and recall 1/2 of the one sample: 5 (1/2) / (4 + 1/2).

    >>> import certus
    >>> round(certus.multilabel.fbeta([[1, 1, 0]], [[1, 0, 0]], beta=2).value, 4)
    0.5556
    """
    return averaged(data, fbeta_share(beta), average, undefined)


@averaged_metric(
    "Jaccard",
    words=("Jaccard similarity coefficient", "Jaccard similarity coefficients", "杰卡德相似系数"),
    aliases=("IoU",),
    spellings=SCIKIT_LEARN("jaccard", "jaccard_score", "jaccard_{average}"),
    source="Godbole & Sarawagi (2004), PAKDD, LNCS 3056:22-30, doi:10.1007/978-3-540-24775-3_5",
)
def jaccard(data: Multilabel, *, average: Average = "samples", undefined: Undefined = "nan") -> Averages:
    """Common labels of truth and prediction, among all that a sample has or is predicted to have.

    ``Jaccard of a sample = labels both true and predicted / labels true or predicted``. It is 0/0 where there are
    neither. The multilabel "accuracy" of Godbole & Sarawagi (2004) is this.

    Examples
    --------
    One of two, and two of three.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> round(certus.multilabel.jaccard(true, predicted).value, 4)
    0.5833
    >>> certus.multilabel.jaccard(true, predicted, average="micro").value
    0.6
    """
    return averaged(data, JACCARD, average, undefined)


@metric(
    "Hamming",
    words=("Hamming distance", "海明距离"),
    spellings=SCIKIT_LEARN("hamming_loss"),
    better="lower",
    source="Tsoumakas & Katakis (2007), Int. J. Data Warehous. Min. 3(3):1-13, doi:10.4018/jdwm.2007070101",
    state=SampleSums(),
)
def hamming_loss(data: Multilabel) -> Mean | Ratio:
    """Share of the labels of a sample that are wrong.

    ``loss of a sample = labels that it has or is predicted to have, but not both / labels``. It is much less strict
    than subset accuracy; where few labels are true, predicting none is hard to beat by it. As all samples have as many
    labels, the mean over samples, that over labels and the share of all cells are one number.

    Examples
    --------
    Of two samples with two labels each, one label is wrong.

    >>> import certus
    >>> certus.multilabel.hamming_loss([[1, 0], [1, 1]], [[1, 0], [1, 0]]).value
    0.25
    """
    return wrong_labels(data)


@metric(
    "SubsetAccuracy",
    aliases=("ExactMatch",),
    spellings=SCIKIT_LEARN("accuracy", "accuracy_score"),
    source="Zhu, Ji, Xu & Gong (2005), SIGIR, 274-281, doi:10.1145/1076034.1076082",
    state=SampleSums(),
)
def subset_accuracy(data: Multilabel) -> Proportion | TableFunction:
    """Share of the samples whose labels are all right.

    ``accuracy = samples whose predicted set of labels is the true one / samples``. A single wrong label makes a sample
    wrong, so it falls with the number of labels.

    Examples
    --------
    The second sample lacks a label.

    >>> import certus
    >>> certus.multilabel.subset_accuracy([[1, 0], [1, 1]], [[1, 0], [1, 0]]).value
    0.5
    """
    return share_of(data.agreement(), "right")
