"""Look for examples that fail, with new random ones each time, until the time is up: `make search`.

`make test` tries the same examples each time. This takes the files with tests by hypothesis in random order, a few at a
time, and runs those tests on examples from a seed that is printed; when all files are done it begins again. The first
failure is printed with its example, which then becomes an @example of the test.

    python tools/search.py --seconds 180
"""

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AT_ONCE = 8
"""Files that one run of pytest takes."""
NOTHING_COLLECTED = 5


def test_files() -> list[str]:
    """The files with tests by hypothesis."""
    found = (path for path in (ROOT / "tests").rglob("test_*.py") if "sklearn_suite" not in path.parts)
    return sorted(str(path.relative_to(ROOT)) for path in found if "from hypothesis import" in path.read_text())


def search(files: list[str], seconds: float, jobs: str) -> int:
    """The exit status: 0 if nothing fails in that time."""
    end, passes, seeds = time.monotonic() + seconds, 0, random.SystemRandom()
    environment = {**os.environ, "CERTUS_EXAMPLES": "search"}
    while time.monotonic() < end:
        seeds.shuffle(files)
        for start in range(0, len(files), AT_ONCE):
            left = end - time.monotonic()
            if left <= 0:
                break
            chosen, seed = files[start : start + AT_ONCE], seeds.randrange(2**32)
            command = [sys.executable, "-m", "pytest", "-q", "-m", "hypothesis", "-n", jobs, "-p", "no:cacheprovider"]
            try:
                run = subprocess.run(
                    [*command, f"--hypothesis-seed={seed}", *chosen],
                    cwd=ROOT, env=environment, timeout=left, capture_output=True, text=True, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                break  # the time is up; what had not failed by then counts as not found
            if run.returncode not in (0, NOTHING_COLLECTED):
                print(run.stdout, run.stderr, sep="\n")
                print(f"found with: CERTUS_EXAMPLES=search pytest -m hypothesis --hypothesis-seed={seed}", *chosen)
                return 1
            passes += len(chosen)
    print(f"nothing found in {passes / len(files):.1f} passes over {len(files)} files of tests")
    return 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Look for examples that fail, with new random ones each time.")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to look (default: 600)")
    parser.add_argument("--jobs", default="auto", help="processes at once, as for pytest -n (default: auto)")
    parser.add_argument("files", nargs="*", help="files of tests (default: all with tests by hypothesis)")
    asked = parser.parse_args()
    return search(asked.files or test_files(), asked.seconds, asked.jobs)


if __name__ == "__main__":
    sys.exit(main())
