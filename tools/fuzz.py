"""Run readers and kernels on inputs made to break them; `make fuzz`.

The targets in Rust (`fuzz.rs` in the folders of certus-core) draw inputs and compare the answers with slow twins and
invariants, for so many seconds each; a failure names the seed that repeats it. Their first answers are compared over
numbers of threads. Then come all kernels on hostile arrays, the readers in Python on mutated files, and states whose
bytes are forged, with checksums that fit. What fails is written to the folder given, to become a test.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing import READERS, call_reader, mutated_file
from hostile_arrays import faults, hostile_calls
from hostile_states import forged_state, misuse

ROOT = Path(__file__).parents[1]
SLOW = 5.0
"""Seconds of processor time beyond which a small file is a finding."""


def main() -> int:
    """Exit status 1 where anything is found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="for each target in Rust, the readers, and states")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    asked = parser.parse_args()
    draw, done, taken, found = random.Random(asked.seed), Counter[str](), Counter[str](), Counter[str]()
    rust_targets(asked.seconds, asked.seed, done, found)
    kernel_calls(done, found)

    def attempt(name: str, use: Callable[[], bool], data: bytes) -> None:
        start = time.process_time()
        try:
            taken[name] += use()
            fault = "" if time.process_time() - start < SLOW else "slow"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            where = traceback.extract_tb(error.__traceback__)[-1]
            fault = f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {error}"
        done[name] += 1
        if fault and not found[f"{name} {fault[:60]}"]:
            asked.findings.mkdir(exist_ok=True)
            (asked.findings / f"{name}-{sum(done.values())}").write_bytes(data)
            print(f"{name}: {fault} on {data[:200]!r}")
        found[f"{name} {fault[:60]}"] += bool(fault)

    end = time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutated"
        while time.monotonic() < end:
            data = mutated_file(draw)
            path.write_bytes(data)
            for name in READERS:
                attempt(name, partial(call_reader, name, path), data)
    end = time.monotonic() + asked.seconds
    while time.monotonic() < end:
        data = forged_state(draw)
        attempt("State.from_bytes", partial(misuse, data), data)
    for name, count in done.items():
        print(f"{name}: {count:,} executions" + (f", {taken[name]:,} of them read" if name in taken else ""))
    return 1 if +found else 0


def rust_targets(seconds: float, seed: int, done: Counter[str], found: Counter[str]) -> None:
    """The targets of certus-core, and the bits of their first answers with one thread and with three."""
    command = [*("cargo", "test", "--release", "-p", "certus-core", "--lib", "fuzz::"), "--", "--nocapture"]

    def run(**more: str) -> dict[str, tuple[str, str]]:
        ran = subprocess.run(
            [*command, "--test-threads", "1"],
            cwd=ROOT,
            env=os.environ | {"FUZZ_SEED": str(seed), **more},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            found["certus-core"] += 1
            print(ran.stdout, ran.stderr)
        executions = re.findall(r"fuzz (\w+): (\d+) executions, digest (\w+)", ran.stdout)
        return {name: (count, digest) for name, count, digest in executions}

    one, three = (run(CERTUS_THREADS=threads) for threads in "13")
    for name in one.keys() & three.keys():
        if one[name] != three[name]:
            found[name] += 1
            print(f"{name}: one thread and three give different bits")
    for name, (count, _) in run(FUZZ_SECONDS=str(round(seconds)), CERTUS_THREADS="1").items():
        done[name] += int(count)


def kernel_calls(done: Counter[str], found: Counter[str]) -> None:
    """Each kernel with each array changed in each way."""
    for name, fault in faults(hostile_calls()):
        done["kernels"] += 1
        if fault:
            found[name] += 1
            print(f"{name}: {fault}")


if __name__ == "__main__":
    sys.exit(main())
