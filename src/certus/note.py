"""Notes: every remark beside numbers, on how they were made, what they show, or what in the input is suspicious."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from certus.printable import printable

FINDING = "finding"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark beside numbers, kept as data so that it can be printed, counted and filtered.

    Parameters
    ----------
    text
        One sentence for a reader.
    about
        The file, the system or the metrics that the remark is about; None for all of them.
    kind
        Of a warning about input a fixed word: ``"missing-queries"``, ``"ties"``, ...; of a result of a comparison
        ``"finding"``; empty for how the numbers were made.
    queries
        A few of the queries concerned.
    count
        How many queries, documents or lines are concerned.

    Examples
    --------
    >>> print(Note("3 judged queries are missing from the run", "bm25.run", "missing-queries", ("31", "32"), 3))
    bm25.run: 3 judged queries are missing from the run (31, 32, ...)
    """

    text: str
    about: str | None = None
    kind: str = ""
    queries: tuple[str, ...] = ()
    count: int = 1

    @property
    def is_warning(self) -> bool:
        """True if the note warns of input that can be read, but is suspicious."""
        return self.kind not in ("", FINDING)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "source": self.about,
            "queries": list(self.queries),
            "count": self.count,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """The note that `to_dict` gave."""
        return cls(fields["text"], fields["source"], fields["kind"], tuple(fields["queries"]), fields["count"])

    def __str__(self) -> str:
        start = f"{self.about}: " if self.about is not None else ""
        more = ", ..." if self.count > len(self.queries) else ""
        examples = f" ({', '.join(self.queries)}{more})" if self.queries else ""
        return printable(f"{start}{self.text}{examples}")


def of_systems(sentences: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """The sentences on each system; one that holds for all systems stands once, without a name."""
    shared = [text for text in next(iter(sentences.values()), ()) if all(text in texts for texts in sentences.values())]
    yield from map(Note, shared)
    for system, texts in sentences.items():
        yield from (Note(text, system) for text in texts if text not in shared)
