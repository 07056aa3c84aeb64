"""Pictures of results, drawn with matplotlib; they need ``pip install 'certus[plot]'``.

Each function draws on the axes it is given, or on those of a new figure, and returns them. It changes no setting of
matplotlib and shows nothing by itself: call ``matplotlib.pyplot.show()``, or save ``axes.figure``. Several curves drawn
on one axes get colors and dashes of their own and share the legend.
"""

from certus.plot.calibration import calibration
from certus.plot.confusion_matrix import confusion_matrix
from certus.plot.critical_difference import critical_difference
from certus.plot.det import det
from certus.plot.difference_matrix import difference_matrix
from certus.plot.differences import differences
from certus.plot.gain import gain
from certus.plot.hit_list import hit_list, hit_list_scores
from certus.plot.law import law
from certus.plot.lift import lift
from certus.plot.power import power
from certus.plot.precision_recall import precision_recall
from certus.plot.roc import roc
from certus.plot.unit_differences import unit_differences

__all__ = [
    "calibration",
    "confusion_matrix",
    "critical_difference",
    "det",
    "difference_matrix",
    "differences",
    "gain",
    "hit_list",
    "hit_list_scores",
    "law",
    "lift",
    "power",
    "precision_recall",
    "roc",
    "unit_differences",
]
