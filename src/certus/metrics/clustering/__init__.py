"""Clustering metrics, one (or a tight family) a file; `certus.clustering` is their face."""
