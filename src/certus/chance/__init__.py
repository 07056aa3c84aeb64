"""What chance would score: distributions of metrics under a random ranking."""

from certus.chance._contingency import Contingency
from certus.chance._distribution import Distribution
from certus.chance._hit_list_kind import Standing
from certus.chance._probability import Probability
from certus.chance.auc import auc
from certus.chance.hit_list import HitList
from certus.chance.hit_rank import hit_rank
from certus.chance.hits import hits, precision, r_precision, recall, success
from certus.chance.reciprocal_rank import reciprocal_rank

__all__ = [
    "Contingency",
    "Distribution",
    "HitList",
    "Probability",
    "Standing",
    "auc",
    "hit_rank",
    "hits",
    "precision",
    "r_precision",
    "recall",
    "reciprocal_rank",
    "success",
]
