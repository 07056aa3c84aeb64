"""Classification metrics: call one on truth and predictions, or bind its parameters with `using`."""

from certus.metrics.classification.accuracy import accuracy
from certus.metrics.classification.f1 import f1
from certus.metrics.classification.precision import precision
from certus.metrics.classification.recall import recall

__all__ = ["accuracy", "f1", "precision", "recall"]
