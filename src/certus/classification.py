"""Classification metrics: call one on truth and predictions, or bind its parameters with `using`.

What every call may be told, beside the parameters of the metric itself:

labels
    The classes that averages run over, in this order. A class that no sample has counts 0 in every cell; samples of
    other classes still count as mistakes of the classes listed.
pos_label
    The positive class of a binary metric. None takes the greater of 0 and 1, of -1 and 1, or of False and True; other
    pairs of labels have no usual positive class, and it must be given.
sample_weight
    A weight of at least 0 for each sample: a sample of weight 2 counts as two, one of weight 0 not at all.
groups
    The cluster each sample belongs to (a patient, a document, a user). Only samples of different clusters are taken to
    be independent, so the intervals widen; the values do not change.

What the parameters that several metrics have in common mean:

average
    ``"binary"``: the metric of the positive class. ``"macro"``: the mean over classes. ``"weighted"``: the mean over
    classes, each weighted by its true samples. ``"micro"``: the metric of the counts summed over classes.
    ``"samples"``: the mean over samples, for several labels per sample. None: each class by itself, as `Estimates`.
undefined
    What a class whose value is 0/0 counts as: ``"nan"``, no value, and so no average either; ``"skip"``, it is left out
    of the average; or a number, such as 0.0 (scikit-learn's ``zero_division=0``). A class without any weight in an
    average does not enter it, whatever its value.
"""

from certus.core.lazy import publish
from certus.curves.best_threshold import best_threshold
from certus.curves.calibration import calibration_curve
from certus.curves.rates import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
from certus.entry.reports import classification as report
from certus.metrics.declaration import functions
from certus.tasks.classification.confusion import ConfusionMatrix, confusion_matrix
from certus.tasks.classification.decision import at_budget, at_threshold

__all__ = [
    "ConfusionMatrix",
    "at_budget",
    "at_threshold",
    "best_threshold",
    "calibration_curve",
    "confusion_matrix",
    "det_curve",
    "gain_curve",
    "lift_curve",
    "precision_recall_curve",
    "report",
    "roc_curve",
    *publish(__name__, functions("classification")),
]
