"""States: summaries of data in batches from which the evaluation of all batches is computed."""

from certus.states._files import bytes_of
from certus.states._samples import Outlook
from certus.states._state import TASKS, State
from certus.states._stream import columns_called, compare_columns, empty_state, fill, fill_cells, of_stream

__all__ = [
    "TASKS",
    "Outlook",
    "State",
    "bytes_of",
    "columns_called",
    "compare_columns",
    "empty_state",
    "fill",
    "fill_cells",
    "of_stream",
]
