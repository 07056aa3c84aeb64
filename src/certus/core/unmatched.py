"""Ids or labels of two sides that never meet: an example of each, and the likely cause."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

MAX_IDS = 1000
"""Ids of each side that are looked at."""
LONGEST = 40
"""Characters of an id that are shown."""
_INVISIBLE = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
_FRACTION = re.compile(r"^([+-]?[0-9]+)\.0*$")
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_SUFFIX = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9]{0,5}){1,2}$")
_ADDRESS = re.compile(r"[/\\]+")
_PREFIX = re.compile(r"^(?:[^\W\d_]+[\W_]*(?=[0-9])|.*[:#|_@-](?=[^:#|_@-]))", re.DOTALL)
_PART = re.compile(r"(?<=[^:#|_@-])[:#|_@-][^:#|_@-]*$")

_Form = Callable[[str], str]
_FORMS: tuple[tuple[str, _Form], ...] = (
    (
        "blanks, quotes or invisible characters around the id",
        lambda text: _INVISIBLE.sub("", text).strip().strip("'\""),
    ),
    ("upper and lower case", str.casefold),
    ("Unicode normalisation", lambda text: unicodedata.normalize("NFKC", text)),
    ("a point behind whole numbers, read as floats", lambda text: _FRACTION.sub(r"\1", text)),
    ("zeros before numbers", lambda text: _ZEROS.sub("", text)),
    ("a file's suffix behind the id", lambda text: _SUFFIX.sub("", text)),
    ("a folder or an address before the id", lambda text: _ADDRESS.split(text.rstrip("/\\"))[-1]),
)
"""What may tell the ids of two sides apart, and the function that takes it away."""
_PARTS: tuple[tuple[str, _Form], ...] = (
    ("a prefix", lambda text: _PREFIX.sub("", text)),
    ("a part behind the id: the number of a passage", lambda text: _PART.sub("", text)),
)
"""The same of what only one side may have."""


def cause_of(left_ids: Iterable[object], right_ids: Iterable[object]) -> tuple[str, str, str] | None:
    """An id of each side that mean the same, and what tells them apart; None where nothing usual does."""
    first, second = (list(dict.fromkeys(map(str, islice(ids, MAX_IDS)))) for ids in (left_ids, right_ids))
    right_texts = frozenset(second)
    first = [text for text in first if text not in right_texts]
    left, right = first, second
    causes: list[str] = []
    for name, form in _FORMS:
        if pair := _common(list(map(form, first)), list(map(form, second))):
            return first[pair[0]], second[pair[1]], name
    for name, form in _FORMS:
        reduced = list(map(form, left)), list(map(form, right))
        causes += [name] if reduced != (left, right) else []
        left, right = reduced
        if pair := _common(left, right):
            return first[pair[0]], second[pair[1]], ", ".join(causes)
    for name, form in _PARTS:
        for ids, other_ids, before in ((first, second, list[str]()), (left, right, causes)):
            if pair := _common(list(map(form, ids)), other_ids) or _common(ids, list(map(form, other_ids))):
                return first[pair[0]], second[pair[1]], ", ".join([*before, name])
    return None


def _common(left: list[str], right: list[str]) -> tuple[int, int] | None:
    """The indices of the first text that both have."""
    indices = {text: index for index, text in reversed(list(enumerate(right))) if text}
    return next(((index, indices[text]) for index, text in enumerate(left) if text in indices), None)


def contrast(left_ids: Iterable[object], right_ids: Iterable[object], subjects: tuple[str, str]) -> str:
    """The clause of a message that shows an id of each side, and the likely cause."""
    first, second = (list(islice(ids, MAX_IDS)) for ids in (left_ids, right_ids))
    if not first or not second:
        return ""
    cause_found = cause_of(first, second)
    left, right = (str(first[0]), str(second[0])) if cause_found is None else cause_found[:2]
    cause = "" if cause_found is None else f" (likely cause: {cause_found[2]})"
    return f"{subjects[0]} {_quoted(left)}, {subjects[1]} {_quoted(right)}{cause}"


def pairing(ids_by_side: Mapping[str, Iterable[object]], *, always: bool = False) -> str:
    """The contrast of two sides whose ids differ, for an error or a warning; empty without a cause, unless `always`."""
    (first, ids), *further_sides = ((name, dict.fromkeys(map(str, side_ids))) for name, side_ids in ids_by_side.items())
    for with_cause in (True, False) if always else (True,):
        for name, side_ids in further_sides:
            lacking = [text for text in ids if text not in side_ids], [text for text in side_ids if text not in ids]
            if not with_cause or cause_of(*lacking):
                return contrast(*lacking, (f"{first} has", f"{name} has"))
    return ""


def _quoted(text: str) -> str:
    """Id in quotes for a message; invisible characters are escaped, long ids cut off."""
    quoted = ascii(text) if _INVISIBLE.search(text) else repr(text)
    return quoted if len(quoted) <= LONGEST + 2 else f"{quoted[:LONGEST]}...'"
