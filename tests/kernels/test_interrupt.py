"""Ctrl-C acts within half a second of processor time, whatever kernel is at work."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_calls import CALLS

HALF_A_SECOND = 0.5
"""Of processor time of all threads, which other work on the machine does not lengthen."""


@pytest.fixture(scope="module")
def caller() -> Iterator[subprocess.Popen[str]]:
    """A process that makes the calls; that it goes on after an interrupted one is a claim, too."""
    command = [sys.executable, str(Path(__file__).parents[1] / "long_calls.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def heard(process: subprocess.Popen[str]) -> str:
    """The next line, for which a minute is enough."""
    late = threading.Timer(60, process.kill)
    late.start()
    try:
        assert process.stdout is not None
        return process.stdout.readline()
    finally:
        late.cancel()


def delay(name: str, process: subprocess.Popen[str]) -> float:
    """Seconds of processor time from SIGINT, which a timer sends in the midst of the call, until the call has ended."""
    assert process.stdin is not None
    process.stdin.write(f"{name}\n")
    process.stdin.flush()
    return float(heard(process))


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_a_long_call_within_half_a_second(name: str, caller: subprocess.Popen[str]) -> None:
    assert delay(name, caller) < HALF_A_SECOND


def test_the_first_kernel_called_has_nothing_left_to_load() -> None:
    """The numpy crate takes its lookups for broken when they are interrupted: it panicked in the first kernel."""
    code = (
        "import numpy.lib, certus.core.kernels\n"
        "def interrupted(*_): raise KeyboardInterrupt\n"
        "numpy.lib.NumpyVersion.__init__ = interrupted\n"
        "import certus\n"
        "print(certus.regression.mae([1.0, 2.0], [1.0, 4.0]).value)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[-1:], done.stderr) == (0, ["1.0"], "")
