"""Output of a program on a terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Sequence

from certus.table.output import FORMATS


def on_terminal(command: Sequence[str]) -> tuple[int, str]:
    """Exit status and output of the command, whose stdout and stderr are a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(command, stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm"})
    os.close(follower)
    seen = b""
    while True:
        try:
            read = os.read(leader, 65536)
        except OSError:
            break
        if not read:
            break
        seen += read
    os.close(leader)
    return process.wait(), seen.decode()


def every_format_on_terminal(*line: str) -> str:
    """Output of the command line on a terminal, in one format after the other."""
    call = f"sum(run([*{line}, '--format', each]) for each in {[name for name in FORMATS if name != 'excel']})"
    status, seen = on_terminal([sys.executable, "-c", f"from certus.cli.app import run\nraise SystemExit({call})"])
    assert status == 0, seen
    return seen
