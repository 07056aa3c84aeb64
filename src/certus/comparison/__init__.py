"""Two or more systems: is one better, by how much, and how sure."""

from certus.comparison._compare import compare, compare_values
from certus.comparison.result import Comparison
from certus.comparison.row import Difference, Verdict

__all__ = ["Comparison", "Difference", "Verdict", "compare", "compare_values"]
