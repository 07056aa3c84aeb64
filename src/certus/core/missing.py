"""Words that mean a missing value where labels, groups, subgroups or ids stand: warned of, and refused if asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from certus.core.errors import DataError, MetricNameError, called, keyword
from certus.core.note import Note
from certus.core.spelling import plural

WORDS = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "null", "NULL", "Null", "None", "none", "<NA>", "NaN", "nan", "\\N", "?", "-")
)
"""As R, pandas, spreadsheets and databases write a missing value."""


class _MissingWords:
    """The words that a call says are missing values, and whether anything was looked at for them."""

    def __init__(self, words: frozenset[str]) -> None:
        self.words, self.looked = words, False


_CURRENT: ContextVar[_MissingWords | None] = ContextVar("missing_values", default=None)


@contextmanager
def missing_values_are(words: str | Sequence[str] | None) -> Iterator[None]:
    """While this lasts, labels, groups, subgroups and ids that are such a word are refused; None: none is."""
    if words is None:
        yield
        return
    word_list: list[Any] = [words] if isinstance(words, str) else list(words)
    if not word_list or not all(isinstance(word, str) and word.strip() for word in word_list):
        raise DataError(f"is {words!r}", "give words, such as 'NA'", argument="missing_values")
    missing = _MissingWords(frozenset(word.strip() for word in word_list))
    token = _CURRENT.set(missing)
    try:
        yield
    finally:
        _CURRENT.reset(token)
    if not missing.looked:
        raise MetricNameError(
            "has no meaning here, where no labels, groups, subgroups or ids are read",
            "leave it out",
            argument="missing_values",
        )


def first_missing(labels: Iterable[object]) -> str | None:
    """The first label that the call says is a missing value."""
    if (missing := _CURRENT.get()) is None:
        return None
    missing.looked = True
    return next((str(label) for label in labels if str(label).strip() in missing.words), None)


def check_missing(labels: Callable[[], Iterable[object]], name: str, index: Callable[[int], int]) -> None:
    """Refuse a label that the call says is a missing value; `index` gives the sample that has the label of a number."""
    missing = _CURRENT.get()
    if missing is None:
        return
    missing.looked = True
    for number, label in enumerate(labels()):
        if str(label).strip() in missing.words:
            text = f"{label!r} (missing by {called('missing_values')})"
            raise DataError.of_cell(name, (index(number),), label, text, "leave out or fill such samples first")


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
