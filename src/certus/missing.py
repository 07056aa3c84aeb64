"""Words that usually mean a missing value, where they stand among labels."""

from collections.abc import Mapping

from certus.notice import Notice
from certus.spelling import plural

__all__ = ["WORDS", "notice_of_words"]

WORDS = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "null", "NULL", "Null", "None", "none", "<NA>", "NaN", "nan", "\\N", "?", "-")
)
"""As R, pandas, spreadsheets and databases write a missing value."""


def notice_of_words(counts: Mapping[object, Mapping[str, int]], noun: str) -> Notice | None:
    """A warning about labels that are such words, by the number that each column has; ``-`` beside ``+`` is a label.

    Examples
    --------
    >>> print(notice_of_words({"NA": {"truth": 2, "prediction": 0}, "cat": {"truth": 5, "prediction": 7}}, "classes"))
    2 labels (2 in truth) are words that usually mean a missing value; they count as classes ('NA')
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
    fate = f"it counts as one of the {noun}" if total == 1 else f"they count as {noun}"
    text = f"{plural(total, 'label')} ({where}) {verb} a missing value; {fate}"
    return Notice("missing-words", text, None, tuple(map(ascii, found[:3])), len(found))
