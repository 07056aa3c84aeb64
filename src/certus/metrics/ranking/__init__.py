"""Ranking metrics, one (or a tight family) a file; `certus.ranking` is their face."""
