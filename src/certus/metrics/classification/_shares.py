"""The rates of a class that have a name of their own."""

from certus.metrics.classification._smooth import Product, Share, Sum

__all__ = [
    "F1",
    "FNR",
    "FOWLKES_MALLOWS",
    "FPR",
    "INFORMEDNESS",
    "JACCARD",
    "MARKEDNESS",
    "NEGATIVE_LIKELIHOOD",
    "NPV",
    "POSITIVE_LIKELIHOOD",
    "PRECISION",
    "PREVALENCE",
    "RECALL",
    "SPECIFICITY",
    "fbeta_share",
]

# The cells are tp, fp, fn, tn.
PRECISION = Share((1, 0, 0, 0), (1, 1, 0, 0), "predicted positive")
RECALL = Share((1, 0, 0, 0), (1, 0, 1, 0), "positive")
SPECIFICITY = Share((0, 0, 0, 1), (0, 1, 0, 1), "negative")
NPV = Share((0, 0, 0, 1), (0, 0, 1, 1), "predicted negative")
FPR = Share((0, 1, 0, 0), (0, 1, 0, 1), "negative")
FNR = Share((0, 0, 1, 0), (1, 0, 1, 0), "positive")
F1 = Share((2, 0, 0, 0), (2, 1, 1, 0), "true or predicted positive", dice=True)
JACCARD = Share((1, 0, 0, 0), (1, 1, 1, 0), "true or predicted positive")
PREVALENCE = Share((1, 0, 1, 0), (1, 1, 1, 1), "sample")

INFORMEDNESS = Sum((RECALL, SPECIFICITY), -1.0)
MARKEDNESS = Sum((PRECISION, NPV), -1.0)
POSITIVE_LIKELIHOOD = Product(((RECALL, 1.0), (FPR, -1.0)))
NEGATIVE_LIKELIHOOD = Product(((FNR, 1.0), (SPECIFICITY, -1.0)))
FOWLKES_MALLOWS = Product(((PRECISION, 0.5), (RECALL, 0.5)))


def fbeta_share(beta: float) -> Share:
    """F-beta; F1 has an interval of its own."""
    if beta == 1:
        return F1
    square = beta * beta
    return Share((1 + square, 0, 0, 0), (1 + square, 1, square, 0), "true or predicted positive")
