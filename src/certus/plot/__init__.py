"""Pictures of results, drawn with matplotlib; they need ``pip install 'certus[plot]'``.

Results draw themselves: curves, tables, comparisons, laws and estimates have a method ``plot``. Here are pictures of
what is not one result. All of them draw on the axes they are given, or on those of a new figure, and return them. They
change no setting of matplotlib and show nothing by themselves: call ``matplotlib.pyplot.show()``, or save
``axes.figure``. Several curves drawn on one axes get colors and dashes of their own and share the legend.
"""

from certus.plot.estimates import estimates
from certus.plot.threshold_curves import roc_points

__all__ = ["estimates", "roc_points"]
