"""Efficiency metrics, one (or a tight family) a file; `certus.efficiency` is their face."""
