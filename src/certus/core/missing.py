"""Words that mean a missing value where labels, groups, subgroups or ids stand: warned of, and refused if asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from certus.core.errors import DataError, MetricNameError, keyword, mention
from certus.core.note import Note
from certus.core.spelling import plural

WORDS = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "null", "NULL", "Null", "None", "none", "<NA>", "NaN", "nan", "\\N", "?", "-")
)
"""As R, pandas, spreadsheets and databases write a missing value."""


class MissingWords:
    """The words that a call says are missing values, and whether anything was checked for them."""

    def __init__(self, words: str | Sequence[str]) -> None:
        word_list: list[Any] = [words] if isinstance(words, str) else list(words)
        if not word_list or not all(isinstance(word, str) and word.strip() for word in word_list):
            raise DataError(f"is {words!r}", "give words, such as 'NA'", argument="missing_values")
        self.words, self.is_used = frozenset(word.strip() for word in word_list), False

    def find(self, labels: Iterable[object]) -> int | None:
        """The index of the first label that is such a word."""
        self.is_used = True
        return next((index for index, label in enumerate(labels) if str(label).strip() in self.words), None)

    def refuse(self, labels: Sequence[object], name: str, sample_of: Callable[[int], int]) -> None:
        """Refuse a label of a column that is such a word; `sample_of` gives the first sample that has a label."""
        if (index := self.find(labels)) is not None:
            text = f"{labels[index]!r} (missing by {mention('missing_values')})"
            remedy = "leave out or fill such samples first"
            raise DataError.for_value(name, (sample_of(index),), labels[index], text, remedy)

    def refuse_names(self, names: Sequence[object], problem: str, remedy: str, **error: Any) -> None:
        """Refuse a name that is such a word, such as that of a query; `problem` says what has it."""
        if (index := self.find(names)) is not None:
            text = f"{problem} {str(names[index])!r} (missing by {mention('missing_values')})"
            raise DataError(text, remedy, **error)


@contextmanager
def missing_words(words: "str | Sequence[str] | MissingWords | None") -> Iterator[MissingWords | None]:
    """The words of a call, which must check something for them; None where it names none."""
    if words is None or isinstance(words, MissingWords):
        yield words
        return
    missing = MissingWords(words)
    yield missing
    if not missing.is_used:
        raise MetricNameError(
            "has no meaning here, where no labels, groups, subgroups or ids are read",
            "leave it out",
            argument="missing_values",
        )


def notice_of_words(counts: Mapping[object, Mapping[str, int]], nouns: str, noun: str = "label") -> Note | None:
    """A warning about labels that are such words, by the number that each column has; ``-`` beside ``+`` is a label."""
    matches = [word for word in counts if isinstance(word, str) and word.strip() in WORDS]
    matches = [word for word in matches if word.strip() != "-" or "+" not in counts]
    columns: dict[str, int] = {}
    for word in matches:
        for column, count in counts[word].items():
            columns[column] = columns.get(column, 0) + count
    total = sum(columns.values())
    if not total:
        return None
    where = ", ".join(f"{count} in {column}" for column, count in columns.items() if count)
    verb = "is a word that usually means" if total == 1 else "are words that usually mean"
    fate = f"it counts as one of the {nouns}" if total == 1 else f"they count as {nouns}"
    unless = f"unless {keyword('missing_values')} names {'it' if total == 1 else 'them'}"
    text = f"{plural(total, noun)} ({where}) {verb} a missing value; {fate} {unless}"
    return Note(text, kind="missing-words", queries=tuple(map(ascii, matches[:3])), count=len(matches))
