"""Metrics of values, one (or one tight family) a file, all of them read; `certus.values` is their face."""

from certus.metrics._registry import read_all

read_all(__name__, __path__)
