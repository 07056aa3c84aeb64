"""Two or more systems: is one better, by how much, and how sure."""

from certus.comparison._compare import compare, compare_values
from certus.comparison.result import Comparison
from certus.comparison.topics import topic_table

__all__ = ["Comparison", "compare", "compare_values", "topic_table"]
