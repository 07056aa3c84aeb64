"""Signals at every moment of a start: the process ends with the status of the signal."""

import signal
import subprocess
import sys

import pytest

STARTS = """
import os, sys
from certus.cli import main

number, swallowed = int(sys.argv[1]), sys.argv[2] == "swallowed"
sys.argv[1:] = ["metrics", "nDCG"]


class Sender:
    # A signal in a destructor: what its handler raises is swallowed, as it is in callbacks of the import system.
    def __del__(self):
        os.kill(os.getpid(), number)


class Finder:
    count = 0

    def find_spec(self, name, path, target=None):
        Finder.count += 1
        if Finder.count == moment:
            Sender() if swallowed else os.kill(os.getpid(), number)


def start():
    sys.meta_path.insert(0, Finder())
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    return main()


for moment in (10**9, 1, 40, 120, 250):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = start()
        os.write(writing, str(Finder.count).encode())
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(writing)
    print(moment, os.read(reading, 9).decode(), status)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent there")
@pytest.mark.parametrize("how", ["raised", "swallowed"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_during_imports_is_never_lost(number: int, how: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTS, str(int(number)), how], capture_output=True, text=True, check=True
    )
    starts = [line.split() for line in done.stdout.splitlines()]
    (_, imports, undisturbed), *sent = starts
    assert undisturbed == "0"
    assert max(int(moment) for moment, _, _ in sent) <= int(imports)
    assert {status for _, _, status in sent} == {str(128 + number)}
    assert done.stderr == ""
