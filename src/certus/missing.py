"""Words that mean a missing value where labels, groups, subgroups or ids stand: warned of, and refused if asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from certus.errors import DataError, MetricNameError, called, keyword
from certus.note import Note
from certus.spelling import plural

WORDS = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "null", "NULL", "Null", "None", "none", "<NA>", "NaN", "nan", "\\N", "?", "-")
)
"""As R, pandas, spreadsheets and databases write a missing value."""


class _Asked:
    """The words that a call says are missing values, and whether anything was looked at for them."""

    def __init__(self, words: frozenset[str]) -> None:
        self.words, self.looked = words, False


_ASKED: ContextVar[_Asked | None] = ContextVar("missing_values", default=None)


@contextmanager
def missing_values_are(words: str | Sequence[str] | None) -> Iterator[None]:
    """While this lasts, labels, groups, subgroups and ids that are such a word are refused; None: none is."""
    if words is None:
        yield
        return
    listed: list[Any] = [words] if isinstance(words, str) else list(words)
    if not listed or not all(isinstance(word, str) and word.strip() for word in listed):
        raise DataError(f"is {words!r}", "give words, such as 'NA'", argument="missing_values")
    asked = _Asked(frozenset(word.strip() for word in listed))
    token = _ASKED.set(asked)
    try:
        yield
    finally:
        _ASKED.reset(token)
    if not asked.looked:
        raise MetricNameError(
            "has no meaning here, where no labels, groups, subgroups or ids are read",
            "leave it out",
            argument="missing_values",
        )


def missing_among(labels: Iterable[object]) -> str | None:
    """The first label that the call says is a missing value."""
    if (asked := _ASKED.get()) is None:
        return None
    asked.looked = True
    return next((str(label) for label in labels if str(label).strip() in asked.words), None)


def check_missing(labels: Callable[[], Iterable[object]], name: str, index: Callable[[int], int]) -> None:
    """Refuse a label that the call says is a missing value; `index` gives the sample that has the label of a number.

    Examples
    --------
    >>> with missing_values_are(["NA"]):
    ...     check_missing(lambda: ["a", "b", "NA"], "groups", [0, 1, 5].__getitem__)
    Traceback (most recent call last):
        ...
    certus.errors.DataError: groups is 'NA' (missing by missing_values) at index 5; leave out or fill such samples first
    """
    asked = _ASKED.get()
    if asked is None:
        return
    asked.looked = True
    for number, label in enumerate(labels()):
        if str(label).strip() in asked.words:
            shown = f"{label!r} (missing by {called('missing_values')})"
            raise DataError.of_cell(name, (index(number),), label, shown, "leave out or fill such samples first")


def notice_of_words(counts: Mapping[object, Mapping[str, int]], nouns: str, what: str = "label") -> Note | None:
    """A warning about labels that are such words, by the number that each column has; ``-`` beside ``+`` is a label.

    Examples
    --------
    >>> print(notice_of_words({"NA": {"truth": 2, "prediction": 0}, "cat": {"truth": 5, "prediction": 7}}, "classes"))
    2 labels (2 in truth) are words that usually mean a missing value; they count as classes unless missing_values= \
names them ('NA')
    """
    found = [word for word in counts if isinstance(word, str) and word.strip() in WORDS]
    found = [word for word in found if word.strip() != "-" or "+" not in counts]
    columns: dict[str, int] = {}
    for word in found:
        for column, count in counts[word].items():
            columns[column] = columns.get(column, 0) + count
    total = sum(columns.values())
    if not total:
        return None
    where = ", ".join(f"{count} in {column}" for column, count in columns.items() if count)
    verb = "is a word that usually means" if total == 1 else "are words that usually mean"
    fate = f"it counts as one of the {nouns}" if total == 1 else f"they count as {nouns}"
    unless = f"unless {keyword('missing_values')} names {'it' if total == 1 else 'them'}"
    text = f"{plural(total, what)} ({where}) {verb} a missing value; {fate} {unless}"
    return Note(text, kind="missing-words", queries=tuple(map(ascii, found[:3])), count=len(found))
