"""What chance would score: distributions of metrics under a random ranking."""

from certus.chance._contingency import Contingency
from certus.chance._distribution import Distribution
from certus.chance._hit_list_kind import Standing
from certus.chance._probability import Probability
from certus.chance.hit_list import HitList

__all__ = ["Contingency", "Distribution", "HitList", "Probability", "Standing"]
