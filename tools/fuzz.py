"""Run the readers on mutated files, and the kernels on hostile arrays, for some seconds; `make fuzz`.

What is found is written to the folder given, to become a test: the file, and beside it the error.
"""

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing import READERS, call_reader, mutated_file
from hostile_arrays import faults, hostile_calls

SLOW = 5.0
"""Seconds of processor time beyond which a small file is a finding."""


def main() -> int:
    """Exit status 1 where anything is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    asked = parser.parse_args()
    draw, done, taken, found = random.Random(asked.seed), Counter[str](), Counter[str](), Counter[str]()
    kernel_calls(done, found)
    end = time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutated"
        while time.monotonic() < end:
            data = mutated_file(draw)
            path.write_bytes(data)
            for name in READERS:
                start = time.process_time()
                try:
                    taken[name] += call_reader(name, path)
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
    for name, count in done.items():
        print(f"{name}: {count:,} executions" + (f", {taken[name]:,} of them read" if name in READERS else ""))
    return 1 if +found else 0


def kernel_calls(done: Counter[str], found: Counter[str]) -> None:
    """Each kernel with each array changed in each way."""
    for name, fault in faults(hostile_calls()):
        done["kernels"] += 1
        if fault:
            found[name] += 1
            print(f"{name}: {fault}")


if __name__ == "__main__":
    sys.exit(main())
