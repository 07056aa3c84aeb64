"""Hostile files from good ones, for all readers; tools/fuzz.py."""

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from certus import CertusError, io
from certus.audit import read_back
from certus.core import kernels
from certus.io.prels import as_prels, as_sampled_qrels

__all__ = ["READERS", "SEEDS", "TOKENS", "call_reader", "mutated_file"]

SEEDS: dict[str, bytes] = {
    "run": b"q1 Q0 d1 1 3.5 tag\nq1 Q0 d2 2 3.5 tag\nq2 Q0 d1 1 1e-3 tag\n",
    "qrels": b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n",
    "prels": b"q1 d1 1 1 0.5\nq1 d2 0 1 0.25\nq2 d1 -1 0 1\n",
    "strata": b"q1 0 d1 0 1\nq1 0 d2 1 0\nq1 0 d3 1 -1\n",
    "csv": b'query_id,doc_id,score\nq1,d1,1.5\nq1,"d,2",2\nq2,d1,-1e5\n',
    "table": b"truth,score,label\r\n1,0.5,yes\r\n0,0.25,no\r\n1,0.75,\r\n",
    "json": b'{"q1": {"d1": 1, "d2": 0.5}, "q2": {"d1": -3e2}}\n',
    "jsonl": b'{"query_id": "q1", "doc_id": "d1", "score": 1.5}\n{"query_id": "q2", "doc_id": "d2", "score": 2}\n',
    "log": b'{"testCases": [{"name": "a", "success": true, "metricsData": [{"name": "m", "score": 0.5}]}]}',
}
"""A small good file of each shape."""

TOKENS = [
    *(
        b"",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\r",
        b"\n\n",
        b"\t",
        b" ",
        b'"',
        b'""',
        b"'",
        b",",
        b"{",
        b"}",
        b"[",
        b"]",
    ),
    *(b"NaN", b"inf", b"-inf", b"1e999", b"-0", b"0x1p3", b"9" * 400, b"1" + b"0" * 20, b"2147483648", b"-2147483649"),
    *(
        b"9223372036854775808",
        b"1e-400",
        b"1_000",
        b"\xd9\xa1",
        b"\xc2\xa0",
        b"\xe2\x80\xae",
        b"\xed\xa0\x80",
        b"\\ud800",
    ),
    *(
        b"#",
        b"Q0",
        b"null",
        b"true",
        b'{"a":1,"a":2}',
        b"[[[[",
        b"x" * 5000,
        b"q1 Q0 d1 1 3.5 tag\n",
        b"PAR1",
        b"PK\3\4",
    ),
]

_PACK: list[Callable[[bytes], bytes]] = [gzip.compress, bz2.compress, lzma.compress]


def mutated_file(draw: random.Random) -> bytes:
    """A good file, changed in one to six places; one in eight is packed, and some of these damaged."""
    text = draw.choice(list(SEEDS.values()))
    for _ in range(draw.randint(1, 6)):
        text = _change(text, draw)
    if draw.random() < 0.125:
        text = draw.choice(_PACK)(text)
        if draw.random() < 0.5:
            text = _change(text, draw)
    return text


def _change(text: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(text) + 1)
    to = min(len(text), at + draw.choice((0, 1, 2, 5, 20)))
    way = draw.randrange(6)
    if way == 0:
        return text[:at] + draw.choice(TOKENS) + text[to:]
    if way == 1:
        return text[:at] + bytes([draw.randrange(256)]) + text[at + 1 :]
    if way == 2:
        return text[:at]
    lines = text.splitlines(keepends=True) or [b""]
    line = draw.randrange(len(lines))
    if way == 3:
        lines.insert(draw.randrange(len(lines) + 1), lines[line])
    elif way == 4:
        del lines[line]
    else:
        cells = lines[line].replace(b",", b" ").split(b" ")
        cells[draw.randrange(len(cells))] = draw.choice(TOKENS)
        lines[line] = (b"," if b"," in lines[line] else b" ").join(cells)
    return b"".join(lines)


def _as_run(path: Path) -> Any:
    return kernels.rank_file(_QRELS, path, path.name, comments=True, lenient=True)


_QRELS: Any = kernels.Qrels.from_cells("qrels", ["q1", "q2"], ["d1", "d1"], [1, 2])

READERS: dict[str, Callable[[Path], Any]] = {
    "read_run": io.read_run,
    "read_qrels": io.read_qrels,
    "read_predictions": io.read_predictions,
    "as_prels": as_prels,
    "as_sampled_qrels": as_sampled_qrels,
    "read_back": read_back,
    "rank_file": _as_run,
}


def call_reader(name: str, path: Path) -> bool:
    """True if a reader took a file; an error that is none of certus's goes through."""
    try:
        found = READERS[name](path)
        if name == "read_predictions":
            found.read(numbers=found.columns[-1:], keys=found.columns[:1])
    except CertusError:
        return False
    except ValueError:
        if name != "rank_file":  # the kernel's own refusal
            raise
        return False
    return True
