"""Run the coverage studies again and write their pages: `make studies`.

Each page of docs/ that begins with "Made by `python bench/coverage/...`" names its own command; a page is replaced when
its command has succeeded. All together take hours of processor time; names choose.

    python tools/studies.py coverage-means coverage-clustering
"""

import argparse
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = re.compile(r"Made by `python (bench/coverage/[^`>]*?)(?: > [^`]*)?`")


def commands() -> dict[str, list[str]]:
    """The command of each page, by the page's name."""
    found = {path: COMMAND.search(path.read_text(encoding="utf-8")) for path in (ROOT / "docs").glob("*.md")}
    return {path.stem: shlex.split(match[1]) for path, match in sorted(found.items()) if match}


def main() -> int:
    """Run the command line."""
    known = commands()
    parser = argparse.ArgumentParser(description="Run the coverage studies again and write their pages.")
    parser.add_argument("pages", nargs="*", help=f"all, or some of: {', '.join(known)}")
    asked = parser.parse_args().pages or list(known)
    if unknown := [name for name in asked if name not in known]:
        parser.error(f"no page {unknown[0]!r} names its command; choose from {', '.join(known)}")
    for name in asked:
        start = time.monotonic()
        print(f"docs/{name}.md: python {shlex.join(known[name])}", flush=True)
        run = subprocess.run([sys.executable, *known[name]], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        if run.returncode:
            return run.returncode
        (ROOT / "docs" / f"{name}.md").write_text(run.stdout, encoding="utf-8")
        print(f"docs/{name}.md: written after {time.monotonic() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
