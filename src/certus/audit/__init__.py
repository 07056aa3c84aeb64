"""Recall and precision when only a sample was checked by hand.

=========================  ==========================================================================
`recall_precision`         the number of positives is known; some of them, drawn at random, were checked
`unknown_positives`        the same, but it is not known how many positives there are
`hits_posterior`           the posterior law of the hits among all positives
`coverage`                 how often the interval of a method holds the true count, exactly
=========================  ==========================================================================
"""

from certus.audit.coverage import coverage
from certus.audit.known import KnownPositives, hits_posterior, recall_precision
from certus.audit.unknown import unknown_positives

__all__ = [
    "KnownPositives",
    "coverage",
    "hits_posterior",
    "recall_precision",
    "unknown_positives",
]
