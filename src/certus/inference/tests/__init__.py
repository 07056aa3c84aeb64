"""Tests of a difference between two systems: importing this declares them, each with its own interval."""

from certus.inference.tests import guaranteed, means, pairs

__all__ = ["guaranteed", "means", "pairs"]
