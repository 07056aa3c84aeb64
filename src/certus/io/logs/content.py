"""Results of evaluation tools, item by item: their content, and which format it is."""

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

from certus import kernels
from certus.errors import CertusError, DataError
from certus.io.columns import quoted
from certus.io.files import FORMATS, Format
from certus.io.scores import Log, Scores, of_records
from certus.io.sources import PathLike, is_path, is_stream, path_name, readable, refusals
from certus.io.text import Delimited
from certus.note import Note
from certus.statistic.common import plural

_UNEXPECTED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that a field of another kind than the tool writes leads to."""
_START = 1 << 14
_LONGEST = 60
"""Characters of a text that names an item."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ZIP = b"PK\x03\x04"
_PACKED = (_ZIP, b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")


class Content:
    """A file of unknown shape, looked at in each way once.

    Attributes
    ----------
    name
        Its name.
    notices, conditions, about
        What a reader adds to beside the scores; see `certus.io.Log`.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name = data, name
        self.notices: list[Note] = []
        self.conditions: dict[str, Any] = {}
        self.about: list[tuple[str, Any]] = []

    @property
    def stem(self) -> str:
        """The file's name without folders and suffix."""
        return PurePath(self.name).stem

    @cached_property
    def _text(self) -> bytes:
        return self.data.removeprefix(b"\xef\xbb\xbf").strip()

    @cached_property
    def zip(self) -> zipfile.ZipFile | None:
        """The archive; None for what is none."""
        if not self.data.startswith(_ZIP):
            return None
        try:
            return zipfile.ZipFile(io.BytesIO(self.data))
        except zipfile.BadZipFile as error:
            raise self.error(f"is a damaged zip archive ({error})", "was it copied whole?") from None

    @cached_property
    def json(self) -> Any:
        """The JSON document; None for what is none, such as JSON Lines."""
        if not self._text.startswith((b"{", b"[")):
            return None
        try:
            return json.loads(self._text)
        except (ValueError, RecursionError):
            return None

    def check_whole(self) -> None:
        """Refuse what starts as JSON and is none."""
        if self._text.startswith(b"{") and self.json is None and not self.first:
            raise self.error("starts as JSON but is none", "was the file copied whole?")

    @property
    def object(self) -> dict[str, Any]:
        """The JSON document where it is an object; otherwise empty."""
        return self.json if isinstance(self.json, dict) else {}

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first line of JSON Lines; empty where it is none."""
        line = self._text.partition(b"\n")[0]
        try:
            found = json.loads(line) if line.startswith(b"{") else {}
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every object of JSON Lines with the number of its line."""
        for number, line in enumerate(self.data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise self.error(f"is not a JSON object ({error})", "was the file copied whole?", line=number) from None
            if not isinstance(found, dict):
                raise self.error("is not a JSON object", line=number)
            yield number, found

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of comma- or tab-separated values; empty for what is none."""
        line = self._text.partition(b"\n")[0]
        if not (b"," in line or b"\t" in line) or line.startswith((b"{", b"[", b"PK\x03", b"PAR1")):
            return ()
        try:
            return Delimited(self.data, self.name).names
        except DataError:
            return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of a table: comma- or tab-separated values, JSON Lines or Parquet; empty for what is none."""
        if self._parquet is not None:
            return tuple(self._parquet.schema_arrow.names)
        return self.header or tuple(self.first)

    def records(self) -> Iterator[tuple[int | None, dict[str, Any]]]:
        """Every row of a table by column, with the number of its line where there are lines."""
        if self.header:
            for number, row in Delimited(self.data, self.name).rows():
                yield number, dict(zip(self.header, row, strict=True))
        elif self.first:
            yield from self.lines()
        else:
            yield from ((None, row) for row in self.parquet())

    @cached_property
    def _parquet(self) -> Any:
        """The Parquet file, of which only the names of the columns are read; None for what is none."""
        if not self.data.startswith(b"PAR1"):
            return None
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ImportError:
            raise self.error("is a Parquet file", "to read it: pip install 'certus[arrow]'") from None
        try:
            return parquet.ParquetFile(pa.BufferReader(self.data))
        except (pa.ArrowException, OSError) as error:
            raise self._no_parquet(error) from None

    def _no_parquet(self, error: Exception) -> DataError:
        return self.error(f"cannot be read as a Parquet file: {' '.join(str(error).split())[:200]}")

    def parquet(self) -> list[dict[str, Any]]:
        """The rows of a Parquet file; none of another."""
        if self._parquet is None:
            return []
        from pyarrow import ArrowException

        try:
            found: list[dict[str, Any]] = self._parquet.read().to_pylist()
        except (ArrowException, OSError) as error:
            raise self._no_parquet(error) from None
        return found

    def error(self, found: str, remedy: str | None = None, *, line: int | None = None) -> DataError:
        """An error about the file, or a line of it."""
        return DataError(found, remedy, place=self.name if line is None else f"{self.name}:{line}")

    def once(self, keys: Iterable[tuple[int | None, tuple[Any, ...]]], what: str) -> None:
        """Refuse records of which there may be one: lines and what tells the records apart."""
        seen: set[tuple[Any, ...]] = set()
        for line, key in keys:
            if key in seen:
                raise self.error(
                    f"{what} {' '.join(map(str, key))} is there twice", "was the file written twice?", line=line
                )
            seen.add(key)

    def left_out(self, metric: str, items: list[str], why: str) -> None:
        """A notice of values of a metric that are left out."""
        named = tuple(dict.fromkeys(items))
        why = why.replace("they are", "it is") if len(items) == 1 else why
        text = f"{plural(len(items), 'value')} of {metric} left out, {why}"
        self.notices.append(Note(text, kind="no-value", queries=named[:3], count=len(named)))

    def lacking(self, values: Iterable[tuple[str, str, str]]) -> None:
        """Notices of metrics, of which some items of a system have a value, empty or not, and others have none."""
        metrics: dict[str, dict[tuple[str, str], None]] = {}
        for system, metric, item in values:
            metrics.setdefault(metric, {})[system, item] = None
        every = {pair: None for pairs in metrics.values() for pair in pairs}
        for metric, pairs in metrics.items():
            if items := [item for system, item in every if (system, item) not in pairs]:
                text = f"{len(items)} of {plural(len(every), 'item')} have no value of {metric}"
                self.notices.append(
                    Note(text, kind="no-value", queries=tuple(dict.fromkeys(items))[:3], count=len(set(items)))
                )

    def parsed(self, cells: Iterable[tuple[int | None, str, str, Any]], system: str) -> Iterator[Scores]:
        """Scores from the cells of a table: line, item, metric and what stands there; empty cells are left out.

        A metric that is text for every item, as a category is, is left out where another one has numbers.
        """
        wrong: dict[str, DataError] = {}
        found: list[tuple[str, str, str, float]] = []
        empty: dict[str, list[str]] = {}
        seen: list[tuple[str, str, str]] = []
        for line, item, metric, cell in cells:
            value = number_of(cell)
            seen.append((system, metric, item))
            if value is not None:
                found.append((system, metric, item, value))
            elif cell is None or cell == "" or cell != cell or cell == "nan":
                empty.setdefault(metric, []).append(item)
            elif metric not in wrong:
                text = f"column {quoted(metric)} is {quoted(str(cell))}, which is not a number"
                wrong[metric] = self.error(text, line=line)
        numeric = {metric for _, metric, _, _ in found}
        for metric, error in wrong.items():
            if metric in numeric or not numeric:
                raise error
            self.notices.append(Note(f"{metric} left out, as it is text for every item", kind="no-value"))
        for metric, items in empty.items():
            if metric not in wrong:
                self.left_out(metric, items, "as they are empty")
        self.lacking([each for each in seen if each[1] not in wrong])
        yield from of_records(found)


def read_log(path: PathLike) -> Log | None:
    """The results that an evaluation tool wrote, item by item; None where no known tool wrote the file."""
    if not is_path(path) or path in ("-", b"-"):
        return None
    with readable(path) as (file, name), refusals():
        if not _may_be(file):
            return None
        data, fingerprint = _read(file, name)
    content = Content(data, name)
    form = next((each for each in FORMATS.values() if "results" in each.forms and _matches(each, content)), None)
    if form is None:
        content.check_whole()
        return None
    expected = f"expected {form.forms['results']}"
    try:
        scores = tuple(form.read(content))
    except CertusError:
        raise
    except _UNEXPECTED as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise content.error(
            f"is nearly a file of {form.title}, but a field is not as expected ({what})", expected
        ) from None
    for each in scores:
        try:
            _ = each.first  # refuses an item with a second value
        except DataError as error:
            raise (error if error.place else error.at(name)) from None
    if not scores:
        raise content.error(f"is a file of {form.title} without any score of an item", expected)
    notices = tuple(replace(each, about=name) for each in content.notices)
    return Log(name, fingerprint, scores, form.title, notices, content.conditions, content.about)


def required_log(path: PathLike, found: str, remedy: str | None = None) -> Log:
    """The results that an evaluation tool wrote, item by item."""
    log = read_log(path)
    if log is None:
        if not is_stream(path):
            with refusals():
                kernels.read_start(Path(os.fsdecode(path)), path_name(path), 1)
        raise DataError(found, remedy, place=path_name(path))
    return log


def _matches(form: Format[Content, Iterable[Scores]], content: Content) -> bool:
    """True if a file has that shape; a field of another kind excludes all shapes."""
    try:
        return form.matches(content)
    except CertusError:
        raise
    except _UNEXPECTED:
        return False


def _read(file: Path, name: str) -> tuple[bytes, str]:
    """The bytes, decompressed, and the hash of the file; an archive is not taken apart."""
    with file.open("rb") as stream:
        packed = stream.read(len(_ZIP)) == _ZIP
    if not packed:
        data, fingerprint = kernels.read_bytes(file, name)
        return data, f"xxh3-128:{fingerprint}"
    data = file.read_bytes()
    return data, f"sha256:{hashlib.sha256(data).hexdigest()}"


def _may_be(file: Path) -> bool:
    """True if a file starts like the output of a known tool, so that a large run is not read in vain."""
    try:
        with file.open("rb") as stream:
            start = stream.read(_START)
    except OSError:  # whoever reads it says so
        return False
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith((b"PAR1", b"{", b"[", *_PACKED)) or b"," in text.partition(b"\n")[0]


def fields(content: Content, record: Any, names: Iterable[str], where: str, line: int | None = None) -> list[Any]:
    """Fields that a record must have."""
    if not isinstance(record, dict):
        raise content.error(f"{where} is not a JSON object", line=line)
    for name in names:
        if name not in record:
            raise content.error(f"{where} has no {quoted(name)}", f"expected {', '.join(names)}", line=line)
    return [record[name] for name in names]


def digest(value: Any) -> str:
    """A short name of what an item is made of, the same for the same content."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def legible(text: str, value: Any = None) -> str:
    """A name of an item by a text that stands in the file, cut off where it is long, and by what else tells it apart.

    Examples
    --------
    >>> legible("Where is  Lima?"), legible("Where is Lima?", ["Lima", "contains"])
    ('Where is Lima?', 'Where is Lima? #190abb')
    """
    words = " ".join(text.split())
    whole = bool(words) and len(words) <= _LONGEST and value is None
    short = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."
    return short if whole else f"{short} #{digest([text, value])[:6]}".strip()


def number_of(value: Any) -> float | None:
    """A finite number or a truth value, or how one is written, as a number; None for anything else."""
    if isinstance(value, str):
        text = value.strip()
        if text.lower() in ("true", "false"):
            return float(text.lower() == "true")
        if not _NUMBER.fullmatch(text):
            return None
        value = float(text)
    if isinstance(value, bool | int | float):
        try:
            found = float(value)
        except OverflowError:
            return None
        return found if math.isfinite(found) else None
    return None
