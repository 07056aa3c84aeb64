"""Pools of documents to be judged: of the tops of several runs, with what each run adds and how a pool is biased."""

from certus.pooling._bias import leave_one_out
from certus.pooling._pool import pool

__all__ = ["leave_one_out", "pool"]
