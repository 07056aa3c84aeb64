"""Foundations that every part uses: errors, notes, the registry, arrays, exact sums, files of results."""
