"""Many comparisons at once: adjusted p-values and intervals that hold together."""
