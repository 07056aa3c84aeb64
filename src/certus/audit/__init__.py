"""Recall and precision when only a sample was checked by hand.

=========================  ==========================================================================
`recall_precision`         the number of positives is known; some of them, drawn at random, were checked
`unknown_positives`        the same, but it is not known how many positives there are
`two_samples`              a sample of the retrieved items and one of the discarded ones were checked
`post_stratified`          a sample of the whole population was checked
`strata`                   each of several strata had a sample of its own
`hits_posterior`           the posterior law of the hits among all positives
`coverage`                 how often the interval of a method holds the true count, exactly
=========================  ==========================================================================
"""

from certus.audit.coverage import coverage
from certus.audit.known import KnownPositives, hits_posterior, recall_precision
from certus.audit.post_stratified import post_stratified
from certus.audit.strata import StrataAudit, Stratum, strata
from certus.audit.two_samples import two_samples
from certus.audit.unknown import unknown_positives

__all__ = [
    "KnownPositives",
    "StrataAudit",
    "Stratum",
    "coverage",
    "hits_posterior",
    "post_stratified",
    "recall_precision",
    "strata",
    "two_samples",
    "unknown_positives",
]
