"""Two or more systems: is one better, by how much, and how sure."""

from certus.comparison.result import Comparison, Difference

