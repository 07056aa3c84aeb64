"""Multilabel metrics, one (or a tight family) a file; `certus.multilabel` is their face."""
