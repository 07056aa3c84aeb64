"""Write docs/reference-items.md: what five documents on evaluation define, compute, tabulate or draw, done by certus.

python tools/reference_items.py            write the page
python tools/reference_items.py --check    say whether the page is fresh, and exit 1 if not

The items are in tools/reference: a title, the page that works the document through, code that all rows share, and a row
for each item: ``item :: code or command :: number or text that the document gives``. Every row is run by a test.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from certus import CertusError
from certus.cli.app import run

__all__ = ["Document", "Item", "documents", "page"]

mpl.use("Agg")

FOLDER = Path(__file__).with_name("reference")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference-items.md"
ORDER = ("zhang-su", "checked-sample", "overview", "lists-and-rankings", "average-precision")
FILES = {
    "scores.csv": "y,s\n" + "".join(f"{y},{8 - position}\n" for position, y in enumerate((1, 1, 0, 1, 0, 0, 0, 0))),
    "qrels.txt": "q 0 a 1\nq 0 b 1\nq 0 d 1\n",
    "run.txt": "".join(f"q Q0 {each} {rank} {9 - rank} r\n" for rank, each in enumerate("abcdefgh", 1)),
    "clients.csv": "p,y\n0.9,1\n0.88,1\n0.86,0\n0.84,1\n0.82,1\n0.7,1\n0.65,0\n0.5,1\n0.4,0\n0.1,0\n",
    "records.csv": "bytes,held,days,n\n200,1,0,3\n400,1,2,0\n600,0,0,1\n",
    "one.run": "q Q0 d1 1 3 one\nq Q0 d2 2 2 one\n",
    "two.run": "q Q0 d4 1 3 two\nq Q0 d1 2 2 two\n",
    "three.qrels": "q 0 d3 1\nq 0 d56 1\nq 0 d129 1\n",
    "answer.run": "".join(
        f"q Q0 d{each} {rank} {20 - rank} r\n"
        for rank, each in enumerate((123, 84, 56, 6, 8, 9, 511, 129, 187, 25, 38, 48, 250, 113, 3), 1)
    ),
    "grades.qrels": "".join(f"abc 0 u{position} {grade}\n" for position, grade in enumerate((5, 2, 4, 4, 4, 4), 1)),
    "pages.run": "".join(f"abc Q0 u{rank} {rank} {9 - rank} r\n" for rank in range(1, 6)),
    "judged.qrels": "".join(f"q 0 D{each} {int(each in (2, 5, 7))}\n" for each in (1, 2, 5, 6, 7, 8, 9, 10)),
    "ten.run": "".join(f"q Q0 D{rank} {rank} {20 - rank} r\n" for rank in range(1, 11)),
    "ap.csv": "topic,A,B\nTopic1,0.02,0.08\nTopic2,0.03,0.04\nTopic3,0.29,0.20\n",
}
"""The small files of the commands, by their names."""


@dataclass(frozen=True)
class Item:
    """A thing that a document has, and what certus does for it.

    Attributes
    ----------
    name
        In the document's words.
    code
        An expression, or a command that begins with ``certus``.
    given
        The document's number or text, or the right one where it misprints it; empty where it has none.
    printed
        What stands in the document instead.
    """

    name: str
    code: str
    given: str
    printed: str

    @property
    def is_command(self) -> bool:
        """True if the code is a command line."""
        return self.code.startswith("certus ")


@dataclass(frozen=True)
class Document:
    """A document, its page in docs/, the code that its items share, and the items."""

    title: str
    page: str
    setup: str
    items: tuple[Item, ...]

    def results(self) -> "Iterator[tuple[Item, Any]]":
        """Each item with what its code gives."""
        names: dict[str, Any] = {}
        exec(self.setup, names)
        for item in self.items:
            yield item, printed_by(item.code) if item.is_command else value_of(item.code, names)
            plt.close("all")


def documents() -> list[Document]:
    """The documents, in their order."""
    return [document((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) for name in ORDER]


def document(text: str) -> Document:
    """A document from its file."""
    head, _, rows = text.partition("\n---\n")
    title, page, *setup = head.splitlines()
    items = []
    for row in rows.splitlines():
        name, code, given = row.split(" :: ")
        match = re.fullmatch(r"(.*?)(?: \(prints (.*)\))?", given)
        if match is not None:
            items.append(Item(name, code, match[1].strip(), match[2] or ""))
    return Document(title.removeprefix("title: "), page.removeprefix("page: "), "\n".join(setup), tuple(items))


def value_of(code: str, names: dict[str, Any]) -> Any:
    """The value of an expression, or the error of certus that it raises."""
    try:
        return eval(code, names)
    except CertusError as error:
        return error


def printed_by(command: str) -> str:
    """Output of a command, in a new folder with the small files, and the names of the files that it wrote."""
    out, here = io.StringIO(), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                status = run(words(command))
            new = (path for path in Path(folder).rglob("*") if path.is_file() and path.name not in FILES)
            out.writelines(f"wrote {path.name}\n" for path in sorted(new))
        finally:
            os.chdir(here)
    return out.getvalue() if status == 0 else f"status {status}: {out.getvalue()}"


def words(command: str) -> list[str]:
    """The arguments of a command; quotes within a metric's parentheses stay."""
    return shlex.split(re.sub(r"(\S+\(\S*'\S*\))", r'"\1"', command))[1:]


def agrees(item: Item, found: Any) -> bool:
    """True if certus and the document agree, to the digits that the document prints."""
    if isinstance(found, str) and item.is_command:
        return not found.startswith("status ") and all(part in found for part in item.given.split("; "))
    if item.given == "picture":
        return hasattr(found, "figure")
    if isinstance(found, Exception):
        return item.given == type(found).__name__
    numbers = [number for each in item.given.split() if (number := as_number(each)) is not None]
    if len(numbers) < len(item.given.split()):
        return item.given in str(found)
    values = flat(found)
    return len(values) == len(numbers) and all(
        abs(Fraction(value) - number) <= half + Fraction(1, 10**9)
        for value, (number, half) in zip(values, numbers, strict=True)
    )


def as_number(text: str) -> tuple[Fraction, Fraction] | None:
    """A number as it is printed, and half a unit of its last digit; of whole numbers and fractions nothing."""
    if not re.fullmatch(r"-?(\d+(/\d+)?|\d*\.\d+)", text):
        return None
    decimals = len(text.partition(".")[2])
    return Fraction(text), Fraction(1, 2 * 10**decimals) if decimals else Fraction(0)


def flat(found: Any) -> list[float]:
    """All numbers of a value, in their order."""
    if hasattr(found, "value") and not callable(found.value):
        return [float(found.value)]
    if isinstance(found, str) or not hasattr(found, "__iter__"):
        try:
            return [float(found)]
        except (TypeError, ValueError):
            return []
    return [each for part in found for each in flat(part)]


def shown(item: Item, found: Any) -> str:
    """Text in the table for the result of an item."""
    if item.given == "picture":
        return "a picture"
    if item.is_command or isinstance(found, Exception) or not flat(found) or "=" in item.given:
        return f"`{item.given}`" if item.given else ""
    if isinstance(found, bool | np.bool_):
        return str(bool(found))
    return ", ".join(f"{value:.6g}" for value in flat(found))


def cell(text: str) -> str:
    """A text in a cell of a table."""
    return text.replace("|", "\\|")


def page() -> str:
    """The whole page."""
    known = documents()
    lines = [
        "# What the reference documents have",
        "",
        "Made by `python tools/reference_items.py`; do not edit. Every row is run by a test.",
        "",
        f"Five documents on evaluation define, compute, tabulate or draw {sum(len(each.items) for each in known)} "
        "things. Each stands here in the order of its document, with what of certus does it and the result. Where a "
        "document gives a number, the result is that number to its digits, or the document misprints it and the "
        "last column says so. The names that the code uses are made at the head of each part; the commands read small "
        "files with the same data.",
        "",
    ]
    for each in known:
        lines += [f"## {each.title}", "", f"Worked through in [its page]({each.page}).", ""]
        lines += ["```python", each.setup, "```", "", "| item | with certus | gives | printed |", "|---|---|---|---|"]
        lines += [
            f"| {cell(item.name)} | `{cell(item.code)}` | {cell(shown(item, found))} | {cell(item.printed)} |"
            for item, found in each.results()
        ]
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    """Write the page, or compare it."""
    text = page()
    if "--check" in sys.argv[1:]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print(f"{PAGE.name} is not fresh; run `make docs`")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
