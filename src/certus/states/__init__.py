"""States: what is known of data that come in batches, from which the table of all of them is made."""

from certus.states._counted import ORDERED, Outlook
from certus.states._memory import bytes_of
from certus.states._regressed import Fit, Near, Pairs, Sums, Work, is_in_parts, merged_sums, statistics_of
from certus.states._state import TASKS, State
from certus.states._stream import Named, column_words, columns_called, fill, fill_cells, of_stream, of_table, wanted_of
from certus.states._sums import central
from certus.states._systems import NamedSystems, compare_columns

__all__ = [
    "ORDERED",
    "TASKS",
    "Fit",
    "Named",
    "NamedSystems",
    "Near",
    "Outlook",
    "Pairs",
    "State",
    "Sums",
    "Work",
    "bytes_of",
    "central",
    "column_words",
    "columns_called",
    "compare_columns",
    "fill",
    "fill_cells",
    "is_in_parts",
    "merged_sums",
    "of_stream",
    "of_table",
    "statistics_of",
    "wanted_of",
]
