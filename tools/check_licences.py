"""Check that every crate linked in, and every package certus needs to run, has a permissive licence.

Run by ``make check``; reads what cargo and the installed packages say of themselves.
"""

import re
import subprocess
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
}
# What packages without an SPDX expression write in their classifiers.
CLASSIFIERS = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
EXCEPTION = re.compile(r" WITH [\w.-]+")


def permissive(expression: str) -> bool:
    """True if an SPDX expression can be satisfied by permissive licences alone.

    >>> permissive("MIT OR GPL-3.0-only"), permissive("MIT AND GPL-3.0-only"), permissive("Apache-2.0/MIT")
    (True, False, True)
    >>> permissive("(MIT OR Apache-2.0) AND Unicode-3.0")
    True
    """
    expression = EXCEPTION.sub("", expression).replace("/", " OR ")
    while inner := re.search(r"\(([^()]*)\)", expression):
        expression = expression.replace(inner[0], "MIT" if permissive(inner[1]) else "no")
    return any(
        all(licence.strip() in PERMISSIVE for licence in option.split(" AND ")) for option in expression.split(" OR ")
    )


def crates() -> dict[str, str]:
    """Licence of each crate that is linked into the module."""
    command = [
        "cargo",
        "tree",
        "--workspace",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
        "--locked",
    ]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    lines = {line.removesuffix(" (*)") for line in out.splitlines() if "|" in line}
    return {name.split(" (")[0]: licence for name, licence in (line.split("|", 1) for line in lines)}


def licence_of(package: Distribution) -> str:
    """The SPDX expression of an installed package; from its classifiers where it has none."""
    meta = package.metadata
    if expressions := meta.get_all("License-Expression"):
        return str(expressions[0])
    named = [CLASSIFIERS[name] for name in meta.get_all("Classifier") or [] if name in CLASSIFIERS]
    return " AND ".join(named) or (meta.get_all("License") or ["unknown"])[0].split("\n")[0]


def packages() -> dict[str, str]:
    """Licence of each Python package that `certus` needs to run, however far down; extras and other platforms not."""
    found: dict[str, str] = {}
    todo = ["certus"]
    while todo:
        try:
            package = distribution(todo.pop())
        except PackageNotFoundError:
            continue  # needed on another platform only
        name = package.metadata["Name"]
        if name in found:
            continue
        found[name] = licence_of(package)
        needs = [r for r in package.requires or [] if "extra ==" not in r]
        todo += [re.split(r"[\s;<>=!~\[(]", r, maxsplit=1)[0] for r in needs]
    return found


def main() -> int:
    """Print each licence that is not permissive; 1 when there is one."""
    everything = crates() | packages()
    bad = [f"{name}: {licence}" for name, licence in sorted(everything.items()) if not permissive(licence)]
    print("\n".join(bad) or f"{len(everything)} crates and packages, all under permissive licences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
