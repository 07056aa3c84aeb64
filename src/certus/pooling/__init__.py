"""Pools of documents to be judged: of the tops of several runs, with what each run adds and how a pool is biased."""

from certus.pooling._bias import LeftOut, leave_one_out
from certus.pooling._pool import Pool, pool

__all__ = ["LeftOut", "Pool", "leave_one_out", "pool"]
