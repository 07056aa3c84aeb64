"""Try a wheel on every Python found here, and on the oldest dependencies; `make test-versions`.

Those that pyproject.toml names are looked for on the path and among the versions of pyenv; the ones that are not found
are named. Two run at a time, each as in `check_wheel.py --tests`.

    python tools/versions.py dist/*.whl
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLASSIFIER = re.compile(r"Programming Language :: Python :: (3\.\d+)")


def python(version: str) -> str | None:
    """An interpreter of that version that starts."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)):
        if (
            found
            and subprocess.run([found, "-c", "import ensurepip"], capture_output=True, check=False).returncode == 0
        ):
            return str(found)
    return None


def tried(job: tuple[str, str, str, Path]) -> bool:
    """Try one, print what went wrong, and return True if nothing did."""
    version, needs, interpreter, wheel = job
    command = [interpreter, str(ROOT / "tools" / "check_wheel.py"), "--needs", needs, "--tests", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stdout.rstrip().rpartition("\n")[2]
    print(f"Python {version}, {needs} dependencies: {last if done.returncode == 0 else 'failed'}", flush=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", flush=True)
    return done.returncode == 0


def main() -> int:
    """Exit status 1 where one fails or none is found."""
    wheel = max(map(Path, sys.argv[1:]), key=lambda path: path.stat().st_mtime)
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    versions = [found[1] for each in classifiers if (found := CLASSIFIER.fullmatch(each))]
    jobs = []
    for version in versions:
        interpreter = python(version)
        if interpreter is None:
            print(f"Python {version}: not found on this machine, not tried", flush=True)
            continue
        needs = "oldest" if version == versions[0] else "newest"  # `make test` has the newest on the first
        jobs.append((version, needs, interpreter, wheel))
    with ThreadPoolExecutor(2) as pool:
        return int(not (jobs and all(list(pool.map(tried, jobs)))))


if __name__ == "__main__":
    sys.exit(main())
