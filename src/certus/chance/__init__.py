"""What chance would score: distributions of metrics under a random ranking."""

from certus.chance._distribution import Distribution
from certus.chance._probability import Probability
from certus.chance.auc import auc
from certus.chance.bpref import bpref
from certus.chance.hit_rank import hit_rank
from certus.chance.hits import hits, precision, r_precision, recall, success
from certus.chance.list_score import list_score
from certus.chance.reciprocal_rank import reciprocal_rank

__all__ = [
    "Distribution",
    "Probability",
    "auc",
    "bpref",
    "hit_rank",
    "hits",
    "list_score",
    "precision",
    "r_precision",
    "recall",
    "reciprocal_rank",
    "success",
]
