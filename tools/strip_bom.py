"""Take the folder in which a wheel was built out of its software bill of materials.

Cargo names a package of the workspace by the folder it lies in; here that becomes ``/certus``. The hash in RECORD is
that of the new text. Run before a wheel is checked and published:

    python tools/strip_bom.py dist/*.whl
"""

import base64
import hashlib
import re
import sys
from pathlib import Path
from zipfile import ZipFile

FOLDER = re.compile(rb"path\+file://[^\"#]*?(/crates/[\w-]+)(?=[#\"])")


def strip(wheel: Path) -> bool:
    """Write a wheel that names a folder anew, without it; True if it named one."""
    with ZipFile(wheel) as old:
        files = {info: old.read(info) for info in old.infolist()}
    named = False
    entries: dict[str, str] = {}
    for info, data in files.items():
        if info.filename.endswith(".cyclonedx.json"):
            files[info] = FOLDER.sub(rb"path+file:///certus\1", data)
            named |= files[info] != data
            entries[info.filename] = _entry(info.filename, files[info])
    for info, data in files.items():
        if info.filename.endswith(".dist-info/RECORD"):
            lines = data.decode().splitlines()
            files[info] = "".join(f"{entries.get(line.rsplit(',', 2)[0], line)}\n" for line in lines).encode()
    if named:
        stripped = wheel.with_suffix(".stripped")
        with ZipFile(stripped, "w") as new:
            for info, data in files.items():
                new.writestr(info, data)
        stripped.replace(wheel)
    return named


def _entry(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(f"{argument}: {'stripped' if strip(Path(argument)) else 'names no folder'}")
