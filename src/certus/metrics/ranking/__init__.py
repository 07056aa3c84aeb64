"""Ranking metrics, one (or one tight family) a file. Every file here is read; `certus.ranking` is the public face."""

from certus.metrics._registry import read_all

read_all(__name__, __path__)
