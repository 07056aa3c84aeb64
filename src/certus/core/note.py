"""Notes: every remark beside numbers, on how they were made, what they show, or what in the input is suspicious."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from certus.core.errors import name_options, shown_in_python
from certus.core.printable import printable

FINDING = "finding"

Noted = TypeVar("Noted")
"""A table or a comparison."""


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """A remark beside numbers, kept as data so that it can be printed, counted and filtered.

    Parameters
    ----------
    marked
        One sentence for a reader; arguments in it may be marked.
    about
        The file, the system or the metrics that the remark is about; None for all of them.
    kind
        Of a warning about input a fixed word: ``"missing-queries"``, ``"ties"``, ...; of a result of a comparison
        ``"finding"``; empty for how the numbers were made.
    queries
        A few of the queries concerned.
    count
        How many queries, documents or lines are concerned.
    is_small
        True if the effect on the values is small beside their intervals: a note, not a warning.

    Examples
    --------
    >>> print(Note("3 judged queries are missing from the run", "bm25.run", "missing-queries", ("31", "32"), 3))
    bm25.run: 3 judged queries are missing from the run (31, 32, ...)
    """

    marked: str
    about: str | None = None
    kind: str = ""
    queries: tuple[str, ...] = ()
    count: int = 1
    is_small: bool = False

    @property
    def text(self) -> str:
        """The sentence in which arguments have the names of Python."""
        return shown_in_python(self.marked)

    def with_options(self, options: Mapping[str, str]) -> Self:
        """The note with options in place of the arguments that they give."""
        return replace(self, marked=name_options(self.marked, options))

    @property
    def is_warning(self) -> bool:
        """True if the note warns of input that can be read, but is suspicious."""
        return self.kind not in ("", FINDING) and not self.is_small

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

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in ("text", "about", "kind", "queries", "count"))
        return f"Note({', '.join(fields)})"

    def __str__(self) -> str:
        start = f"{self.about}: " if self.about is not None else ""
        more = ", ..." if self.count > len(self.queries) else ""
        examples = f" ({', '.join(self.queries)}{more})" if self.queries else ""
        return printable(f"{start}{self.text}{examples}")


def to_dicts(notes: Sequence[Note]) -> dict[str, list[dict[str, Any]]]:
    """Warnings, and notes on small effects, as JSON has them."""
    small = [note.to_dict() for note in notes if note.is_small]
    return {"warnings": [note.to_dict() for note in notes if not note.is_small], **({"notes": small} if small else {})}


def from_dicts(content: Mapping[str, Any]) -> tuple[Note, ...]:
    """The notes that `to_dicts` gave."""
    small = (replace(Note.from_dict(fields), is_small=True) for fields in content.get("notes", ()))
    return (*map(Note.from_dict, content["warnings"]), *small)


def of_systems(sentences: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """The sentences on each system; one that holds for all systems stands once, without a name."""
    shared = [text for text in next(iter(sentences.values()), ()) if all(text in texts for texts in sentences.values())]
    yield from map(Note, shared)
    for system, texts in sentences.items():
        yield from (Note(text, system) for text in texts if text not in shared)


def with_options(result: Noted, options: Mapping[str, str]) -> Noted:
    """A table, or a comparison with its table, whose notes name options in place of arguments."""
    renamed = copy(result)
    for name in ("warnings", "notices"):
        if (notes := getattr(result, name, None)) is not None:
            object.__setattr__(renamed, name, tuple(note.with_options(options) for note in notes))
    if hasattr(values := getattr(result, "values", None), "warnings"):
        object.__setattr__(renamed, "values", with_options(values, options))
    return renamed


def with_sentence(result: Noted, marked: str | None) -> Noted:
    """A table or a comparison with a further sentence below it, the first one; None: as it is."""
    if marked is None:
        return result
    copied = copy(result)
    name = "conventions" if hasattr(result, "conventions") else "signature"
    facts = getattr(result, name)
    object.__setattr__(copied, name, {**facts, "said": [shown_in_python(marked), *facts.get("said", ())]})
    return copied
