"""Tests of a difference between two systems: importing this declares them, each with its own interval."""

from certus.inference.tests import guaranteed, means, pairs, rank_tests

__all__ = ["guaranteed", "means", "pairs", "rank_tests"]
