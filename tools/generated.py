"""Generated pages and their pictures: written, or compared with what is there."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

__all__ = ["DOCS", "IMAGES", "save", "write_or_check"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
IMAGES = DOCS / "images"


def save(figure: Any, file: Path, **options: Any) -> None:
    """Save a picture in few colors, without the version of matplotlib, so that it changes only with what it shows."""
    figure.savefig(file, dpi=80, metadata={"Software": None}, **options)
    with Image.open(file) as image:
        image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)


def write_or_check(pages: Mapping[str, str], draw: Callable[[], None]) -> int:
    """Write pages of docs/ by their names, and their pictures; with ``--check`` compare the pages. The exit status."""
    if "--check" in sys.argv[1:]:
        stale = [name for name, text in pages.items() if (DOCS / name).read_text(encoding="utf-8") != text]
        for name in stale:
            print(f"docs/{name} is not fresh; run `make docs`")
        return 1 if stale else 0
    for name, text in pages.items():
        (DOCS / name).write_text(text, encoding="utf-8")
    draw()
    print(f"wrote {', '.join(pages)} and their pictures")
    return 0
