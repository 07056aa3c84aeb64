"""Write LICENSES-THIRD-PARTY.txt: the licence texts of what is linked into the compiled module, which wheels carry.

python tools/make_licences.py            write it
python tools/make_licences.py --check    say whether it is fresh, and exit 1 if not

The crates are those of every platform. Of a choice of licences MIT is taken where it is offered. Texts come from the
crates' own sources, as cargo downloaded them, and from the C libraries that two of them bundle.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "LICENSES-THIRD-PARTY.txt"
CHOSEN = ("LICENSE-MIT", "LICENSE-MIT.md", "LICENSE-MIT.txt", "LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING")
"""The file taken of each crate: the first of these that it has."""
BESIDE = ("LICENSE-UNICODE",)
"""Files that hold beside the one chosen."""
SHARED = {"pulp-wasm-simd-flag": "pulp"}
"""Crates without such a file, and the crate of the same repository whose file holds for them too."""
BUNDLED = {
    "liblzma-sys": ("XZ Utils", ("xz/COPYING", "xz/COPYING.0BSD")),
    "zstd-sys": ("Zstandard", ("zstd/LICENSE",)),
}
"""C libraries inside crates: name and files of the licence."""
HEAD = """\
The compiled module of certus contains the libraries below, each under its licence. certus itself is under MIT or
Apache-2.0 (LICENSE-MIT, LICENSE-APACHE). The Rust standard library, which it contains too, is under MIT or Apache-2.0,
copyright The Rust Project Contributors. Written by tools/make_licences.py.
"""


def linked() -> set[tuple[str, str]]:
    """Name and version of each crate that is linked in on any platform."""
    command = ["cargo", "tree", "--workspace", "--edges", "normal,no-proc-macro", "--target", "all", "--locked"]
    command += ["--prefix", "none", "--format", "{p}"]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = (line.split()[:2] for line in out.splitlines() if line.strip())
    return {(name, version.removeprefix("v")) for name, version in found if not name.startswith("certus")}


def packages() -> list[tuple[str, str, str, Path]]:
    """Name, version, licence and folder of each linked crate, by name."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    known = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)["packages"]
    wanted = linked()
    return sorted(
        (each["name"], each["version"], each["license"], Path(each["manifest_path"]).parent)
        for each in known
        if (each["name"], each["version"]) in wanted
    )


def text() -> str:
    """All licence texts, each once with the libraries that it holds for."""
    holders: dict[str, list[str]] = {}
    linked_in = packages()
    folders = {name: folder for name, _, _, folder in linked_in}
    for name, version, licence, own in linked_in:
        folder = folders[SHARED[name]] if name in SHARED else own
        chosen = next((folder / file for file in CHOSEN if (folder / file).is_file()), None)
        if chosen is None:
            raise SystemExit(f"{name} {version} has none of {', '.join(CHOSEN)}; add the name of its licence's file")
        whole = "\n\n".join(_read(file) for file in [chosen, *(folder / file for file in BESIDE)] if file.is_file())
        holders.setdefault(whole, []).append(f"{name} {version} ({licence})")
        if name in BUNDLED:
            library, files = BUNDLED[name]
            whole = "\n\n".join(_read(folder / file) for file in files)
            holders.setdefault(whole, []).append(f"{library}, in {name} {version}")
    rule = "=" * 80
    parts = [f"{rule}\n{chr(10).join(names)}\n{rule}\n\n{whole}\n" for whole, names in holders.items()]
    return "\n".join([HEAD, *parts])


def _read(file: Path) -> str:
    lines = file.read_text(encoding="utf-8").replace("\f", "").splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def main(arguments: list[str]) -> int:
    """Write the file, or compare it with what would be written."""
    if arguments == ["--check"]:
        fresh = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text()
        print(f"{TARGET.name} is {'fresh' if fresh else 'not fresh: run tools/make_licences.py'}")
        return 0 if fresh else 1
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
