"""Output of a program on a terminal."""

import os
import pty
import subprocess
from collections.abc import Sequence


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
