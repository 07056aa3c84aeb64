"""Logs of Inspect, as .eval archives and as JSON."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from certus import kernels
from certus.io._format import input_format
from certus.io._log import Content, fields, number_of
from certus.io._unnamed import temporary_file
from certus.io.opened import refusals
from certus.io.scores import Scores, of_records
from certus.notice import Notice
from certus.statistic.common import plural

__all__ = ["inspect"]

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0}
"""Values of Inspect's words: correct, incorrect, partly correct, no answer."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93)
"""Not at all, as in gzip, by zstd."""
_GZIP = b"\x1f\x8b\x08" + bytes(6) + b"\xff", struct.Struct("<2I")
"""Start and end of a gzip file around deflated data: the end holds checksum and length."""
_LOCAL_HEADER = struct.Struct("<26x2H")


def _told(content: Content) -> bool:
    if content.zip is not None:
        return "header.json" in content.zip.namelist() or any(
            name.startswith("_journal/") for name in content.zip.namelist()
        )
    return {"eval", "plan", "status"} <= set(content.object)


@input_format(
    "inspect", "Inspect", results="a `.eval` archive or a JSON log (`status`, `eval`, `results`, `samples`)", told=_told
)
def inspect(content: Content) -> Iterator[Scores]:
    """Each scorer's values; those of the epochs of a sample are its repeats."""
    header, samples = _archive(content) if content.zip is not None else (content.object, content.object.get("samples"))
    status, about, results = fields(content, header, ("status", "eval", "results"), "the header")
    if status != "success":
        raise content.error(f"has the status {status!r}: the evaluation did not end, so its samples are not all there")
    reducers = (about.get("config") or {}).get("epochs_reducer") or ["mean"]
    if reducers != ["mean"]:
        text = f"epochs are averaged here; Inspect's own results take {' and '.join(map(str, reducers))}"
        content.notices.append(Notice("reducer", text))
    if header.get("invalidated"):
        content.notices.append(Notice("invalidated", "is marked as invalidated"))
    if not isinstance(samples, list):
        raise content.error("has no samples", "write the log with them (log_samples)")
    system, task = fields(content, about, ("model", "task"), "the header's 'eval'")
    content.conditions["the task"] = task
    done = (results or {}).get("completed_samples", len(samples))
    if len(samples) != done:
        raise content.error(
            f"has {plural(len(samples), 'sample')}, but its header says {done}", "was the file changed?"
        )
    content.once(
        ((None, tuple(map(str, fields(content, each, ("id", "epoch"), "a sample")))) for each in samples),
        "the sample and epoch",
    )
    found: list[tuple[str, str, str, float]] = []
    failed: list[str] = []
    without: dict[str, list[str]] = {}
    for number, sample in enumerate(samples, 1):
        item, _ = fields(content, sample, ("id", "epoch"), f"sample {number}")
        scores = sample.get("scores")
        content.about.append((str(item), sample))
        if not scores:
            failed.append(str(item))
        for scorer, score in (scores or {}).items():
            for metric, value in _values(scorer, score):
                number_found = _number(value)
                if number_found is None:
                    without.setdefault(metric, []).append(str(item))
                else:
                    found.append((system, metric, str(item), number_found))
    if failed:
        text = f"{len(failed)} of {plural(len(samples), 'sample')} without a score left out"
        content.notices.append(Notice("no-score", text, None, tuple(dict.fromkeys(failed))[:3], len(set(failed))))
    for metric, items in without.items():
        content.left_out(metric, items, "as they are not numbers")
    yield from of_records(found)


def _archive(content: Content) -> tuple[dict[str, Any], Any]:
    archive = content.zip
    names = set() if archive is None else set(archive.namelist())
    if archive is None or not {"header.json", "summaries.json"} <= names:
        raise content.error("is an Inspect log without a header and summaries: the evaluation did not end")
    header, summaries = (_member(content, archive, name) for name in ("header.json", "summaries.json"))
    written = sum(name.startswith("samples/") for name in names)
    if isinstance(summaries, list) and written != len(summaries):
        raise content.error(f"holds {written} samples, but summaries of {len(summaries)}", "was the file changed?")
    return header, summaries


def _member(content: Content, archive: zipfile.ZipFile, name: str) -> Any:
    """A JSON document of the archive, read as a file of its own: with zstd, and with the limit of its growth."""
    info = archive.getinfo(name)
    if info.compress_type not in _PACKED or info.flag_bits & 1:
        raise content.error(f"{name} is encrypted or packed in an unusual way", "pack it by zstd or deflate")
    try:
        start = info.header_offset + 30 + sum(_LOCAL_HEADER.unpack_from(content.data, info.header_offset))
        with temporary_file() as (file, path):
            packed = content.data[start : start + info.compress_size]
            if info.compress_type == zipfile.ZIP_DEFLATED:
                packed = _GZIP[0] + packed + _GZIP[1].pack(info.CRC, info.file_size & 0xFFFFFFFF)
            file.write(packed)
            file.flush()
            with refusals():
                data, _ = kernels.read_bytes(path, f"{content.name}: {name}")
        if zlib.crc32(data) != info.CRC:
            raise content.error(f"{name} is damaged", "was the file copied whole?")
        return json.loads(data)
    except (zipfile.BadZipFile, NotImplementedError, struct.error, json.JSONDecodeError, RecursionError) as error:
        raise content.error(f"{name} cannot be read: {error}") from None


def _values(scorer: str, score: Any) -> Iterator[tuple[str, Any]]:
    value = score.get("value") if isinstance(score, dict) else score
    if isinstance(value, dict):
        for key, each in value.items():
            yield f"{scorer}.{key}", each
    else:
        yield scorer, value


def _number(value: Any) -> float | None:
    return _LETTERS.get(value, number_of(value)) if isinstance(value, str) else number_of(value)
