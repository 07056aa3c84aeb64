"""Warnings of readable but suspicious input: given with the numbers, never instead of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from certus.printable import printable


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning about input, kept as data so that it can be printed, counted and filtered.

    Parameters
    ----------
    kind
        What kind of thing it is, as a fixed word: ``"missing-queries"``, ``"ties"``, ...
    text
        One sentence for a reader, without the file's name.
    source
        The file or run it is about; None for all of them.
    queries
        A few of the queries concerned.
    count
        How many queries, documents or lines are concerned.

    Examples
    --------
    >>> print(Notice("missing-queries", "3 judged queries are missing from the run", "bm25.run", ("31", "32"), 3))
    bm25.run: 3 judged queries are missing from the run (31, 32, ...)
    """

    kind: str
    text: str
    source: str | None = None
    queries: tuple[str, ...] = ()
    count: int = 1

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {**asdict(self), "queries": list(self.queries)}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """The notice that `to_dict` gave."""
        return cls(**{**fields, "queries": tuple(fields["queries"])})

    def __str__(self) -> str:
        start = f"{self.source}: " if self.source is not None else ""
        more = ", ..." if self.count > len(self.queries) else ""
        examples = f" ({', '.join(self.queries)}{more})" if self.queries else ""
        return printable(f"{start}{self.text}{examples}")
