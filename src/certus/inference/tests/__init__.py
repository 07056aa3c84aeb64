"""Tests of a difference between two systems, and the interval that belongs to each."""
