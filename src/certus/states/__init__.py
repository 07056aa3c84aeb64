"""States: what is known of data that come in batches, from which the table of all of them is made."""

from certus.states._files import bytes_of
from certus.states._samples import Outlook
from certus.states._state import TASKS, State
from certus.states._stream import (
    Named,
    NamedSystems,
    column_words,
    columns_called,
    compare_columns,
    fill,
    fill_cells,
    of_stream,
    of_table,
    wanted_of,
)

__all__ = [
    "TASKS",
    "Named",
    "NamedSystems",
    "Outlook",
    "State",
    "bytes_of",
    "column_words",
    "columns_called",
    "compare_columns",
    "fill",
    "fill_cells",
    "of_stream",
    "of_table",
    "wanted_of",
]
