"""Recall, precision and F1 when only a sample was checked by hand.

=========================  ==========================================================================
`recall_precision`         the number of positives is known; some of them, drawn at random, were checked
`unknown_positives`        the same, but it is not known how many positives there are
`two_samples`              a sample of the retrieved items and one of the discarded ones were checked
`post_stratified`          a sample of the whole population was checked
`strata`                   each of several strata had a sample of its own
`hits_posterior`           the posterior law of the hits among all positives
`coverage`                 how often the interval of a method holds the true count, exactly
`sequence`, `Watch`        intervals that hold at every moment of checking, so that one may stop at any
`plan`                     a module: how much to check, and of what
`draw`, `read_back`        items to check written to a file, and their labels read from it
`xinf_ap`, `xinf_ndcg`,    metrics of rankings of which a random sample of documents was judged
`stat_ap`
=========================  ==========================================================================
"""

from certus.audit import plan
from certus.audit.known_positives import coverage, hits_posterior, recall_precision, unknown_positives
from certus.audit.rankings import stat_ap, xinf_ap, xinf_ndcg
from certus.audit.read_back import read_back
from certus.audit.sample import draw
from certus.audit.sequence import Watch, sequence
from certus.audit.strata import Stratum, post_stratified, strata, two_samples

__all__ = [
    "Stratum",
    "Watch",
    "coverage",
    "draw",
    "hits_posterior",
    "plan",
    "post_stratified",
    "read_back",
    "recall_precision",
    "sequence",
    "stat_ap",
    "strata",
    "two_samples",
    "unknown_positives",
    "xinf_ap",
    "xinf_ndcg",
]
