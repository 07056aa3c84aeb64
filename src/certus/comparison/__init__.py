"""Two or more systems: is one better, by how much, and how sure."""

from certus.comparison._compare import compare, compare_values
from certus.comparison.result import Comparison
from certus.comparison.row import Difference, Verdict
from certus.comparison.topics import TopicTable, topic_table

__all__ = ["Comparison", "Difference", "TopicTable", "Verdict", "compare", "compare_values", "topic_table"]
