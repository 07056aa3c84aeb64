"""Warnings of readable but suspicious input: given with the numbers, never instead of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from certus.errors import named_by, shown_in_python
from certus.printable import printable

Noticed = TypeVar("Noticed")
"""A table or a comparison."""


@dataclass(frozen=True, slots=True, repr=False)
class Notice:
    """A warning about input, kept as data so that it can be printed, counted and filtered.

    Parameters
    ----------
    kind
        What kind of thing it is, as a fixed word: ``"missing-queries"``, ``"ties"``, ...
    marked
        One sentence for a reader, without the file's name; arguments in it may be marked.
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
    marked: str
    source: str | None = None
    queries: tuple[str, ...] = ()
    count: int = 1

    @property
    def text(self) -> str:
        """The sentence in which arguments have the names of Python."""
        return shown_in_python(self.marked)

    def named_by(self, options: Mapping[str, str]) -> Self:
        """The notice with options in place of the arguments that they give."""
        return replace(self, marked=named_by(self.marked, options))

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        plain = {"source": self.source, "queries": list(self.queries), "count": self.count}
        return {"kind": self.kind, "text": self.text, **plain}

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in ("kind", "text", "source", "queries", "count"))
        return f"Notice({', '.join(fields)})"

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """The notice that `to_dict` gave."""
        return cls(fields["kind"], fields["text"], fields["source"], tuple(fields["queries"]), fields["count"])

    def __str__(self) -> str:
        start = f"{self.source}: " if self.source is not None else ""
        more = ", ..." if self.count > len(self.queries) else ""
        examples = f" ({', '.join(self.queries)}{more})" if self.queries else ""
        return printable(f"{start}{self.text}{examples}")


def with_options(result: Noticed, options: Mapping[str, str]) -> Noticed:
    """A table, or a comparison with its table, whose notices name options in place of arguments."""
    made = object.__new__(type(result))
    vars(made).update(vars(result))  # a copy would leave out what is not pickled, such as the data of curves
    for name in ("warnings", "notices"):
        if (notices := getattr(result, name, None)) is not None:
            object.__setattr__(made, name, tuple(notice.named_by(options) for notice in notices))
    if hasattr(values := getattr(result, "values", None), "warnings"):
        object.__setattr__(made, "values", with_options(values, options))
    return made
