"""Regression metrics, one (or a tight family) a file; `certus.regression` is their face."""
