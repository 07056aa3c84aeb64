"""Tests of a difference between two systems: importing this declares them, each with its own interval."""

from certus.inference.tests import form_tests, guaranteed, means, rank_tests

__all__ = ["form_tests", "guaranteed", "means", "rank_tests"]
