"""Ranking metrics: call one on qrels and a run, or bind its parameters with `using`."""

from certus.core.lazy import publish
from certus.evaluation.metric_curves import metric_curve, precision_recall_curve
from certus.metrics.declaration import functions

__all__ = ["metric_curve", "precision_recall_curve", *publish(__name__, functions("ranking"))]
