"""Shared parts of `mutants.py` and `rust_mutants.py`: options, a run of the tests in limited time, and the report."""

import argparse
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["parser", "report", "status"]

ROOT = Path(__file__).resolve().parents[1]


def parser(description: str | None, *, count: int, seconds: float) -> argparse.ArgumentParser:
    """A parser of the options that both have."""
    made = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    made.add_argument("--count", type=int, default=count)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--seconds", type=float, default=seconds, help="for each change")
    return made


def status(command: Sequence[str | Path], environment: Mapping[str, str], seconds: float) -> int | None:
    """The exit status of tests, or None if the time is up first; what they started is ended with them."""
    null = subprocess.DEVNULL
    tests = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | environment, stdout=null, stderr=null, start_new_session=True
    )
    try:
        return tests.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(tests.pid, signal.SIGKILL)
        tests.wait()


def report(fates: Iterable[tuple[str, str]], every: int) -> int:
    """Print each change that is not killed, then the counts; the exit status is 1 if a change survives."""
    found = Counter[str]()
    for fate, change in fates:
        found[fate] += 1
        if fate != "killed":
            print(f"{fate:8} {change}", flush=True)
    print(f"{found.total()} of {every} changes: " + ", ".join(f"{n} {fate}" for fate, n in found.items()))
    return int(found["survives"] > 0)
