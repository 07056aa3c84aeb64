"""Two or more systems: is one better, by how much, and how sure."""

from certus.comparison.result import Comparison
from certus.comparison.scores import compare_values
from certus.comparison.topics import topic_table

__all__ = ["Comparison", "compare_values", "topic_table"]
