"""Ranking metrics: call one on qrels and a run, or bind its parameters with `using`."""

from certus.evaluation.metric_curves import metric_curve, precision_recall_curve
from certus.metrics.registry import functions

_METRICS = functions("ranking")
globals().update(_METRICS)

__all__ = ["metric_curve", "precision_recall_curve", *_METRICS]


def __dir__() -> list[str]:
    return __all__
