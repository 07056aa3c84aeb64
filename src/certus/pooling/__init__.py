"""Pool documents to be judged from the tops of several runs, and measure the bias of a pool."""

from certus.pooling._bias import leave_one_out
from certus.pooling._pool import pool

__all__ = ["leave_one_out", "pool"]
