"""Ranking metrics, one (or a tight family) a file, read by `load`; `certus.ranking` is their face."""

from functools import partial

from certus.metrics._registry import read_all

__all__ = ["load"]

load = partial(read_all, __name__, __path__)
