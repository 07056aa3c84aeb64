"""Time, processor time and peak memory of a whole process, as the kernel counts them."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FailedError", "Usage", "measure"]

# ru_maxrss is in bytes on macOS, in KiB elsewhere.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class FailedError(Exception):
    """The process ended with an error; the text is its last line on stderr."""


@dataclass(frozen=True)
class Usage:
    """Resources that one process used."""

    wall: float
    cpu: float
    peak: float
    """Peak resident set, in MB."""


def measure(command: list[str], output: Path) -> Usage:
    """Run a command with its output in a file, and say what it used.

    The kernel starts a child's peak memory at its parent's, so the caller must stay small: no numpy in this process.
    """
    errors = output.with_suffix(".stderr")
    with output.open("wb") as out, errors.open("wb") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        lines = errors.read_text(errors="replace").strip().splitlines()
        raise FailedError(lines[-1] if lines else f"exit status {process.returncode}")
    return Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * RSS_UNIT / 1e6)
