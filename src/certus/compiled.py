"""The compiled functions that need no NumPy: readers of rankings, and rankings as they hold them.

`certus.kernels` has the others, and readers too.
"""

from certus._core import (
    HeldColumns,
    Qrels,
    Ranked,
    Run,
    added_up,
    rank_file,
    rank_run,
    read_bytes,
    read_start,
    show,
)

__all__ = [
    "HeldColumns",
    "Qrels",
    "Ranked",
    "Run",
    "added_up",
    "rank_file",
    "rank_run",
    "read_bytes",
    "read_start",
    "show",
]
