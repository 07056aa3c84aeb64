"""Foundations of every part of certus: errors, notes, the registry, arrays, exact sums, files of results."""
