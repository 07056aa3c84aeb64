"""Foundations of every part of certus: errors, notes, one registry, arrays, exact sums, text and files of results."""
