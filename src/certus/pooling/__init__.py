"""Pool documents to be judged from the tops of several runs, and measure the bias of a pool."""

from certus.pooling.pools import leave_one_out, pool

__all__ = ["leave_one_out", "pool"]
