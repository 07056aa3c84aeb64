"""Metrics of values, one (or a tight family) a file; `certus.values` is their face."""
