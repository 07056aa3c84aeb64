"""States: what is known of data that come in batches, from which the table of all of them is made."""

from certus.states._memory import bytes_of
from certus.states._state import TASKS, State
from certus.states._stream import Named, columns_called, fill, of_stream, of_table, wanted_of
from certus.states._systems import NamedSystems, compare_columns

__all__ = [
    "TASKS",
    "Named",
    "NamedSystems",
    "State",
    "bytes_of",
    "columns_called",
    "compare_columns",
    "fill",
    "of_stream",
    "of_table",
    "wanted_of",
]
