"""States: what is known of data that come in batches, from which the table of all of them is made."""

from certus.states._state import State

__all__ = ["State"]
