"""Logs of Inspect: .eval archives and JSON."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from certus.core import kernels
from certus.io.formats import input_format
from certus.io.logs.content import Content, fields, number_of
from certus.io.scores import Scores, of_records
from certus.io.sources import refusals, temporary_file
from certus.statistic.common import plural

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0}
"""Values of Inspect's words: correct, incorrect, partly correct, no answer."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93)
"""Not at all, as in gzip, by zstd."""
_GZIP = b"\x1f\x8b\x08" + bytes(6) + b"\xff", struct.Struct("<2I")
"""Start and end of a gzip file around deflated data: the end holds checksum and length."""
_LOCAL_HEADER = struct.Struct("<26x2H")


def _matches(content: Content) -> bool:
    """True if the content is an Inspect log: an .eval archive or its JSON form."""
    if content.zip is not None:
        return "header.json" in content.zip.namelist() or any(
            name.startswith("_journal/") for name in content.zip.namelist()
        )
    names = set(content.object)
    return {"eval", "status"} <= names and not names.isdisjoint(("plan", "results", "samples"))


@input_format(
    "inspect",
    "Inspect",
    results="a `.eval` archive or a JSON log (`status`, `eval`, `results`, `samples`)",
    matches=_matches,
)
def inspect(content: Content) -> Iterator[Scores]:
    """Read each scorer's values; epochs of a sample are its repeats."""
    header, samples = _archive(content) if content.zip is not None else (content.object, content.object.get("samples"))
    status, about = fields(content, header, ("status", "eval"), "the header")
    if status != "success":
        raise content.error(*_unsuccessful(header))
    reducers = (about.get("config") or {}).get("epochs_reducer") or ["mean"]
    if reducers != ["mean"]:
        text = f"epochs are averaged here; Inspect's own results take {' and '.join(map(str, reducers))}"
        content.notice("reducer", text)
    if header.get("invalidated"):
        content.notice("invalidated", "is marked as invalidated")
    system, task = fields(content, about, ("model", "task"), "the header's 'eval'")
    if not samples or not isinstance(samples, list):
        raise content.error("has no samples", "write the log with them (log_samples)")
    content.conditions["the task"] = task
    logged = _logged(header.get("results") or {})
    if logged not in (None, len(samples)):
        problem = f"has {plural(len(samples), 'sample')}, but its header says {logged}"
        raise content.error(problem, "was the file changed?")
    if not any(sample.get("scores") for sample in samples):
        raise content.error(*_unscored(samples))
    content.check_unique(
        ((None, tuple(map(str, fields(content, sample, ("id", "epoch"), "a sample")))) for sample in samples),
        "the sample and epoch",
    )
    records: list[tuple[str, str, str, float]] = []
    failed: list[str] = []
    scorers = list(dict.fromkeys(name for sample in samples for name in sample.get("scores") or ()))
    keys: dict[str, list[tuple[str, str, str]]] = {}
    nonnumeric: dict[str, list[str]] = {}
    unscored: dict[str, list[str]] = {}
    for number, sample in enumerate(samples, 1):
        item, _ = fields(content, sample, ("id", "epoch"), f"sample {number}")
        scores = sample.get("scores")
        content.about.append((str(item), sample))
        if not scores:
            failed.append(str(item))
        for scorer in scorers if scores else ():
            values = dict(_values(scorer, scores[scorer])) if scorer in scores else {}
            if not values:
                unscored.setdefault(scorer, []).append(str(item))
            for metric, value in values.items():
                keys.setdefault(scorer, []).append((system, metric, str(item)))
                parsed = _number(value)
                if parsed is None:
                    nonnumeric.setdefault(metric, []).append(str(item))
                else:
                    records.append((system, metric, str(item), parsed))
    if failed:
        text = f"{len(failed)} of {plural(len(samples), 'sample')} without a score left out"
        content.notice("no-score", text, failed)
    scored = [str(sample["id"]) for sample in samples if sample.get("error") and sample.get("scores")]
    if scored:
        text = f"{plural(len(scored), 'score')} of samples that failed counted, as Inspect does (score_on_error)"
        content.notice("failed", text, scored)
    for metric, items in unscored.items():
        content.left_out(metric, items, "as the scorer gave none")
    for metric, items in nonnumeric.items():
        content.left_out(metric, items, "as they are not numeric")
    for keys_of_scorer in keys.values():
        content.lacking(keys_of_scorer)
    yield from of_records(records)


def _unsuccessful(header: dict[str, Any]) -> tuple[str, str]:
    """Error for an evaluation that did not end successfully, and its remedy."""
    status, results = header["status"], header.get("results") or {}
    message = " ".join(str((header.get("error") or {}).get("message") or "").split())[:100]
    total, completed = (results.get(f"{stage}_samples") for stage in ("total", "completed"))
    if (
        status == "error" and not message and total and completed is not None
    ):  # with continue_on_fail all samples are there
        text = f"{total - completed} of its {plural(total, 'sample')} failed, more than its fail_on_error allows"
        return f"has the status 'error': {text}", "with fail_on_error=False they are left out"
    text = f"the evaluation did not end{message and f' ({message})'}, so its samples are not all there"
    return f"has the status {status!r}: {text}", "run it again"


def _logged(results: dict[str, Any]) -> Any:
    """Number of samples in the log, failed ones included; None if the header lacks it."""
    if (logged := results.get("logged_samples")) is not None or "total_samples" not in results:
        return logged
    stopped = (results.get("early_stopping") or {}).get("early_stops") or ()
    return results["total_samples"] - len(stopped)


def _unscored(samples: list[dict[str, Any]]) -> tuple[str, str]:
    """Error for a log without scores, and its remedy."""
    failed = sum(bool(sample.get("error")) for sample in samples)
    if failed == len(samples):
        return f"has no score: each of its {plural(failed, 'sample')} failed", "see the errors in the log"
    also = f", and {failed} of them failed" if failed else ""
    return (
        f"has no score of any of its {plural(len(samples), 'sample')}{also}",
        "score it (inspect score), or run it with a scorer",
    )


def _archive(content: Content) -> tuple[dict[str, Any], Any]:
    """Header of an .eval archive, and its samples or summaries."""
    archive = content.zip
    names = set() if archive is None else set(archive.namelist())
    if archive is None or not {"header.json", "summaries.json"} <= names:
        raise content.error("is an Inspect log without a header and summaries: the evaluation did not end")
    header, summaries = (_member(content, archive, name) for name in ("header.json", "summaries.json"))
    written = sum(name.startswith("samples/") for name in names)
    if isinstance(summaries, list) and written != len(summaries):
        problem = f"holds {plural(written, 'sample')}, but summaries of {len(summaries)}"
        raise content.error(problem, "was the file changed?")
    return header, summaries


def _member(content: Content, archive: zipfile.ZipFile, name: str) -> Any:
    """Parse a JSON member of the archive, by a reader that knows zstd and limits decompressed size."""
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
    """Names and values of a score; a dict has one for each key."""
    value = score.get("value") if isinstance(score, dict) else score
    if isinstance(value, dict):
        for key, each in value.items():
            yield f"{scorer}.{key}", each
    else:
        yield scorer, value


def _number(value: Any) -> float | None:
    """Convert a score to float; C, P, I and N by Inspect's values; None if it is not a number."""
    return _LETTERS.get(value, number_of(value)) if isinstance(value, str) else number_of(value)
