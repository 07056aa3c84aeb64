"""What chance would score: distributions of metrics under a random ranking."""

from certus.chance._distribution import Distribution
from certus.chance._probability import Probability
from certus.chance.hit_rank import hit_rank
from certus.chance.hits import hits, precision, r_precision, recall, success
from certus.chance.reciprocal_rank import reciprocal_rank
from certus.chance.versus import VersusChance

__all__ = [
    "Distribution",
    "Probability",
    "VersusChance",
    "hit_rank",
    "hits",
    "precision",
    "r_precision",
    "recall",
    "reciprocal_rank",
    "success",
]
