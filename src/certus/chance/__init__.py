"""What chance would score: distributions of metrics under a random ranking."""

from certus.chance._distribution import Distribution
from certus.chance._probability import Probability
from certus.chance.dcg import dcg
from certus.chance.ndcg import ndcg

__all__ = ["Distribution", "Probability", "dcg", "ndcg"]
