"""Look for examples that fail, with new random ones each time, until the time is up: `make search`.

`make test` tries the same examples each time. This takes the files with tests by hypothesis in random order, a few at a
time, and runs those tests on examples from a seed that is printed; when all files are done it begins again. Tests
marked as thorough, which take too long for `make test`, run with them. The first failure is printed with its example,
which then becomes an @example of the test. With `--seed` the order of the files and all examples follow from that text:
CI gives the commit, so every commit is tried on examples of its own, and a second run of CI on the same commit tries
the same.

    python tools/search.py --seconds 180 --seed $(git rev-parse HEAD)
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AT_ONCE = 3
"""Files that one run of pytest takes."""
NOTHING_COLLECTED = 5
SEARCHED = re.compile("from (hypothesis|crossed) import|pytest.mark.thorough")


def test_files() -> list[str]:
    """The files with tests by hypothesis, or tests too long for `make test`."""
    found = (
        path for path in (ROOT / "tests").rglob("test_*.py") if not {"sklearn_suite", "peer_suites"} & {*path.parts}
    )
    return sorted(str(path.relative_to(ROOT)) for path in found if SEARCHED.search(path.read_text()))


def search(files: list[str], seconds: float, jobs: str, seeds: random.Random) -> int:
    """The exit status: 0 if nothing fails in that time."""
    end, passes = time.monotonic() + seconds, 0
    environment = {**os.environ, "CERTUS_EXAMPLES": "search"}
    while time.monotonic() < end:
        seeds.shuffle(files)
        for start in range(0, len(files), AT_ONCE):
            left = end - time.monotonic()
            if left <= 0:
                break
            chosen, seed = files[start : start + AT_ONCE], seeds.randrange(2**32)
            command = [sys.executable, "-m", "pytest", "-q", "-m", "hypothesis or thorough", "-n", jobs, "--maxfail=1"]
            try:
                run = subprocess.run(
                    [*command, f"--hypothesis-seed={seed}", *chosen],
                    cwd=ROOT, env=environment, timeout=left, capture_output=True, text=True, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                break  # the time is up, and nothing had failed: the first failure ends a run
            if run.returncode not in (0, NOTHING_COLLECTED):
                print(run.stdout, run.stderr, sep="\n")
                print(
                    f"found with: CERTUS_EXAMPLES=search pytest -m 'hypothesis or thorough' --hypothesis-seed={seed}",
                    *chosen,
                )
                return 1
            passes += len(chosen)
    print(f"nothing found in {passes / len(files):.1f} passes over {len(files)} files of tests")
    return 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Look for examples that fail, with new random ones each time.")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to look (default: 600)")
    parser.add_argument("--jobs", default="auto", help="processes at once, as for pytest -n (default: auto)")
    parser.add_argument("--seed", default="", help="text that all examples follow from (default: new ones)")
    parser.add_argument("files", nargs="*", help="files of tests (default: all with such tests)")
    asked = parser.parse_args()
    seeds = random.Random(asked.seed) if asked.seed else random.SystemRandom()
    return search(asked.files or test_files(), asked.seconds, asked.jobs, seeds)


if __name__ == "__main__":
    sys.exit(main())
