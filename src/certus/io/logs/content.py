"""Results of evaluation tools item by item: file content, and the recognition of its format."""

import hashlib
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from certus.core import kernels
from certus.core.errors import CertusError, DataError
from certus.core.note import Note
from certus.io.columns import quoted
from certus.io.formats import FORMATS, Format
from certus.io.scores import Log, Scores, of_records
from certus.io.sources import PathLike, existing, is_path, is_stream, is_there, path_name, readable, refusals
from certus.io.text import Delimited
from certus.statistic.common import plural

_UNEXPECTED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that a field of another type than the tool writes leads to."""
_START_BYTES = 1 << 14
_LONGEST = 60
"""Characters of a text that names an item."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MARK = b"\xef\xbb\xbf"
_ZIP = b"PK\x03\x04"
_BINARY = (_ZIP, b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")


class Content:
    """A file of unknown format, parsed at most once in each way, with what its reader adds for the `Log`."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name = data, name
        self.notices: list[Note] = []
        self.conditions: dict[str, Any] = {}
        self.about: list[tuple[str, Any]] = []

    @property
    def stem(self) -> str:
        """File name without folders and suffix."""
        return PurePath(self.name).stem

    @cached_property
    def text(self) -> bytes:
        """Content without byte-order mark and surrounding blanks."""
        return self.data.removeprefix(_MARK).strip()

    @cached_property
    def zip(self) -> zipfile.ZipFile | None:
        """The archive, if it is one; otherwise None."""
        if not self.data.startswith(_ZIP):
            return None
        try:
            return zipfile.ZipFile(io.BytesIO(self.data))
        except zipfile.BadZipFile as error:
            raise self.error(f"is a damaged zip archive ({error})", "was it copied whole?") from None

    @cached_property
    def json(self) -> Any:
        """JSON document, if it is one; otherwise None, also for JSON Lines."""
        return _parse(self.text) if self.text.startswith((b"{", b"[")) else None

    @property
    def object(self) -> dict[str, Any]:
        """JSON document if it is an object; otherwise empty."""
        return self.json if isinstance(self.json, dict) else {}

    @cached_property
    def first(self) -> dict[str, Any]:
        """First object of JSON Lines; otherwise empty."""
        line = self.text.partition(b"\n")[0]
        row = _parse(line) if line.startswith(b"{") else {}
        return row if isinstance(row, dict) else {}

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Objects of JSON Lines with their line numbers."""
        for number, line in enumerate(self.data.removeprefix(_MARK).split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise self.error(f"is not a JSON object ({error})", "was the file copied whole?", line=number) from None
            if not isinstance(row, dict):
                raise self.error("is not a JSON object", line=number)
            yield number, row

    @cached_property
    def _delimited(self) -> Delimited | None:
        """Table of comma- or tab-separated values, if it is one; otherwise None."""
        line = self.text.partition(b"\n")[0]
        if not (b"," in line or b"\t" in line) or line.startswith((b"{", b"[", b"PK\x03", b"PAR1")):
            return None
        try:
            return Delimited(self.data, self.name)
        except DataError:
            return None

    @cached_property
    def _parquet(self) -> Any:
        """Parquet file of which only the column names are read; otherwise None."""
        if not self.data.startswith(b"PAR1"):
            return None
        from certus.io.frames import parquet_file

        return parquet_file(self.data, self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names of comma- or tab-separated values, JSON Lines or Parquet; otherwise empty."""
        if self._parquet is not None:
            return tuple(self._parquet.schema_arrow.names)
        return self._delimited.names if self._delimited is not None else tuple(self.first)

    def records(self) -> Iterator[tuple[int | None, dict[str, Any]]]:
        """Rows of a table as dicts, with line numbers if there are lines."""
        if self._delimited is not None:
            for number, row in self._delimited.rows():
                yield number, dict(zip(self.names, row, strict=True))
        elif self.first:
            yield from self.lines()
        else:
            yield from ((None, row) for row in self.parquet())

    def parquet(self) -> list[dict[str, Any]]:
        """Rows of a Parquet file as dicts; otherwise empty."""
        if self._parquet is None:
            return []
        from certus.io.frames import arrow_refusals

        with arrow_refusals(self.name, "Parquet"):
            rows: list[dict[str, Any]] = self._parquet.read().to_pylist()
        return rows

    def error(self, problem: str, remedy: str | None = None, *, line: int | None = None) -> DataError:
        """Error about the file, or about a line of it."""
        return DataError(problem, remedy, location=self.name if line is None else f"{self.name}:{line}")

    def check_unique(self, keys: Iterable[tuple[int | None, tuple[Any, ...]]], label: str) -> None:
        """Refuse duplicate records, from pairs of a line and a key."""
        earlier: set[tuple[Any, ...]] = set()
        for line, key in keys:
            if key in earlier:
                problem = f"{label} {' '.join(map(str, key))} is there twice"
                raise self.error(problem, "was the file written twice?", line=line)
            earlier.add(key)

    def notice(self, kind: str, text: str, items: Iterable[str] = ()) -> None:
        """Add a warning, about some items or the whole file."""
        distinct = tuple(dict.fromkeys(items))
        self.notices.append(
            Note(text, kind=kind, queries=distinct[:3], count=len(distinct)) if distinct else Note(text, kind=kind)
        )

    def left_out(self, metric: str, items: list[str], reason: str) -> None:
        """Add a warning that some values of a metric are left out."""
        reason = reason.replace("they are", "it is") if len(items) == 1 else reason
        self.notice("no-value", f"{plural(len(items), 'value')} of {metric} left out, {reason}", items)

    def lacking(self, values: Iterable[tuple[str, str, str]]) -> None:
        """Add warnings about metrics that some items lack, from triples (system, metric, item)."""
        metrics: dict[str, dict[tuple[str, str], None]] = {}
        for system, metric, item in values:
            metrics.setdefault(metric, {})[system, item] = None
        union = {pair: None for pairs in metrics.values() for pair in pairs}
        for metric, pairs in metrics.items():
            if items := [item for system, item in union if (system, item) not in pairs]:
                self.notice(
                    "no-value", f"{len(items)} of {plural(len(union), 'item')} have no value of {metric}", items
                )

    def parsed(self, cells: Iterable[tuple[int | None, str, str, Any]], system: str) -> Iterator[Scores]:
        """Scores from cells (line, item, metric, value); empty cells are left out with a warning.

        A metric that is text for every item, as a category is, is left out where another one has numbers.
        """
        errors: dict[str, DataError] = {}
        records: list[tuple[str, str, str, float]] = []
        empty: dict[str, list[str]] = {}
        keys: list[tuple[str, str, str]] = []
        for line, item, metric, cell in cells:
            value = number_of(cell)
            keys.append((system, metric, item))
            if value is not None:
                records.append((system, metric, item, value))
            elif cell is None or cell == "" or cell != cell or cell == "nan":
                empty.setdefault(metric, []).append(item)
            elif metric not in errors:
                text = f"column {quoted(metric)} is {quoted(str(cell))}, which is not a number"
                errors[metric] = self.error(text, line=line)
        numeric = {metric for _, metric, _, _ in records}
        for metric, error in errors.items():
            if metric in numeric or not numeric:
                raise error
            self.notice("no-value", f"{metric} left out, as it is text for every item")
        for metric, items in empty.items():
            if metric not in errors:
                self.left_out(metric, items, "as they are empty")
        self.lacking([key for key in keys if key[1] not in errors])
        yield from of_records(records)


def read_log(path: PathLike) -> Log | None:
    """Read the results of an evaluation tool item by item; None if no known tool wrote the file."""
    if not is_path(path) or path in ("-", b"-") or not is_there(path):
        return None
    with readable(path) as (file, name), refusals():
        try:
            with file.open("rb") as stream:
                start = stream.read(_START_BYTES)
        except OSError:  # whoever reads it says so
            return None
        if not _may_be_log(start, name):
            return None
        if start.startswith(_ZIP):  # an archive is not taken apart
            data = file.read_bytes()
            fingerprint = f"sha256:{hashlib.sha256(data).hexdigest()}"
        else:
            data, digest_of_file = kernels.read_bytes(file, name)
            fingerprint = f"xxh3-128:{digest_of_file}"
    content = Content(data, name)
    format = _format_of(content)
    if format is None:
        if _is_summary_of_helm(content.json):
            remedy = "make a table of per_instance_stats.json with a row for each instance, and name --value and --id"
            raise content.error("is HELM's stats.json, which holds means over the instances", remedy)
        if content.text.startswith(b"{") and content.json is None and not content.first:
            raise content.error("starts as JSON but is none", "was the file copied whole?")
        return None
    expected = f"expected {format.forms['results']}"
    try:
        scores = tuple(format.read(content))
    except CertusError:
        raise
    except _UNEXPECTED as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        problem = f"looks like a file of {format.title}, but a field is not as expected ({text})"
        raise content.error(problem, expected) from None
    for part in scores:
        try:
            _ = part.first  # refuses an item with a second value
        except DataError as error:
            raise (error if error.location else error.with_location(name)) from None
    if not scores:
        raise content.error(f"is a file of {format.title} without any score of an item", expected)
    notices = tuple(replace(notice, about=name) for notice in content.notices)
    return Log(name, fingerprint, scores, format.title, notices, content.conditions, content.about)


def _is_summary_of_helm(document: Any) -> bool:
    """True for the content of a ``stats.json`` of HELM."""
    return (
        isinstance(document, list)
        and bool(document)
        and all(isinstance(row, dict) and {"name", "count", "sum"} <= {*row} for row in document)
        and all(isinstance(row["name"], dict) and "name" in row["name"] for row in document)
    )


def required_log(path: PathLike, problem: str, remedy: str | None = None) -> Log:
    """Read the results of an evaluation tool; an error if no known tool wrote the file."""
    log = read_log(path)
    if log is None:
        if not is_stream(path):
            with refusals():
                kernels.read_start(Path(existing(os.fsdecode(path))), path_name(path), 1)
        raise DataError(problem, remedy, location=path_name(path))
    return log


def _format_of(content: Content) -> Format[Content, Iterable[Scores]] | None:
    """First results format that the content matches; a field of an unexpected type counts as no match."""
    for format in FORMATS.values():
        try:
            if "results" in format.forms and format.matches(content):
                return format
        except CertusError:
            raise
        except _UNEXPECTED:
            continue
    return None


def _may_be_log(start: bytes, name: str) -> bool:
    """True if a file starts like a known tool's output; saves reading large runs in vain."""
    text = start.removeprefix(_MARK).lstrip()
    if text.startswith((b"PAR1", b"{", b"[", *_BINARY)):
        return True
    return b"," in text.partition(b"\n")[0] and _format_of(Content(start, name)) is not None


def _parse(text: bytes) -> Any:
    """Parse JSON; None if it is invalid."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def fields(content: Content, record: Any, names: Iterable[str], label: str, line: int | None = None) -> list[Any]:
    """Return the named fields of a record; a missing one is an error."""
    if not isinstance(record, dict):
        raise content.error(f"{label} is not a JSON object", line=line)
    for name in names:
        if name not in record:
            raise content.error(f"{label} has no {quoted(name)}", f"expected {', '.join(names)}", line=line)
    return [record[name] for name in names]


def digest(value: Any) -> str:
    """First 12 hexadecimal digits of a hash of the value."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def legible(text: str, value: Any = None) -> str:
    """Name an item by a text, shortened if long, and by a digest of `value`.

    Examples
    --------
    >>> legible("Where is  Lima?"), legible("Where is Lima?", ["Lima", "contains"])
    ('Where is Lima?', 'Where is Lima? #190abb')
    """
    words = " ".join(text.split())
    is_complete = bool(words) and len(words) <= _LONGEST and value is None
    short = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."
    return short if is_complete else f"{short} #{digest([text, value])[:6]}".strip()


def number_of(value: Any) -> float | None:
    """Finite number or truth value, also from text, as float; otherwise None."""
    if isinstance(value, str):
        text = value.strip()
        if text.lower() in ("true", "false"):
            return float(text.lower() == "true")
        if not _NUMBER.fullmatch(text):
            return None
        value = float(text)
    if isinstance(value, bool | int | float):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if math.isfinite(number) else None
    return None
