"""Check that no tracked file names a path of one machine or a host that users need not know.

Run by ``make check``. A URL may point only to the hosts below; a path of the machine it was written on breaks on
every other one.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALLOWED_HOSTS = {
    "arxiv.org",
    "core-math.gitlabpages.inria.fr",
    "creativecommons.org",
    "doi.org",
    "example.invalid",
    "example.org",
    "github.com",
    "opensource.org",
    "trec.nist.gov",
    "tukaani.org",
    "www.apache.org",
    "www.musl-libc.org",
}
URL = re.compile(r"https?://([A-Za-z0-9.-]+)(/[^\s\"')>]*)?")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:home|opt|root|tmp|Users|var|work)/[\w.-]+")
INDEX_OPTION = re.compile(r"--?(?:extra-)?index-url|--find-links|\[source\.|replace-with")


def tracked() -> list[Path]:
    """Files git knows, and new ones it does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def complaints(path: Path) -> list[str]:
    """Complaints about one file, as ``path:line: text`` lines."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        where = f"{path.relative_to(ROOT)}:{number}"
        found += [
            f"{where}: host {m[1]} is not in ALLOWED_HOSTS" for m in URL.finditer(line) if m[1] not in ALLOWED_HOSTS
        ]
        found += [f"{where}: names a path of one machine: {m[0]}" for m in MACHINE_PATH.finditer(line)]
        if path != Path(__file__).resolve():
            found += [f"{where}: sets a package index: {m[0]}" for m in INDEX_OPTION.finditer(line)]
    return found


def main() -> int:
    """Print every complaint; 1 when there is one."""
    found = [line for path in tracked() for line in complaints(path)]
    print("\n".join(found) or "no machine path and no stray host in any file")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
