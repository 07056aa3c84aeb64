"""Pictures of results, drawn with matplotlib; they need ``pip install 'certus[plot]'``.

Each function draws on the axes it is given, or on those of a new figure, and returns them. It changes no setting of
matplotlib and shows nothing by itself: call ``matplotlib.pyplot.show()``, or save ``axes.figure``. Several curves drawn
on one axes get colors and dashes of their own and share the legend.
"""

from certus.plot.calibration import calibration
from certus.plot.confusion_matrix import confusion_matrix
from certus.plot.critical_difference import critical_difference
from certus.plot.differences import difference_matrix, differences, unit_differences
from certus.plot.estimates import estimates
from certus.plot.gains import gains
from certus.plot.hit_list import hit_list, hit_list_scores
from certus.plot.law import law
from certus.plot.metric_curve import metric_curve
from certus.plot.power import power
from certus.plot.precision_at_recall import average_precision_at, precision_at_recall
from certus.plot.ranks import ranks
from certus.plot.roc_points import gini, roc_points
from certus.plot.threshold_curves import det, gain, lift, precision_recall, roc
from certus.plot.values import per_query, values

__all__ = [
    "average_precision_at",
    "calibration",
    "confusion_matrix",
    "critical_difference",
    "det",
    "difference_matrix",
    "differences",
    "estimates",
    "gain",
    "gains",
    "gini",
    "hit_list",
    "hit_list_scores",
    "law",
    "lift",
    "metric_curve",
    "per_query",
    "power",
    "precision_at_recall",
    "precision_recall",
    "ranks",
    "roc",
    "roc_points",
    "unit_differences",
    "values",
]
