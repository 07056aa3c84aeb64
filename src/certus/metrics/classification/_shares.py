"""The rates of a class that have a name of their own."""

from certus.metrics.classification._smooth import Share

__all__ = ["F1", "PRECISION", "RECALL"]

PRECISION = Share((1, 0, 0, 0), (1, 1, 0, 0), "predicted positive")
RECALL = Share((1, 0, 0, 0), (1, 0, 1, 0), "positive")
F1 = Share((2, 0, 0, 0), (2, 1, 1, 0), "true or predicted positive", dice=True)
