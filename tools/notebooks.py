"""Tutorials as notebooks: the same text, code and outputs, written from the page when the site is built."""

import base64
import doctest
import json
import re
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+\.png)\)")
FILE_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?://)[^)]+\)")


def notebook(page: Path) -> str:
    """The JSON of a notebook with the text and the Python examples of a page.

    A cell ends where an example prints something. Pictures are attached; links to other pages become plain text, since
    a notebook is read away from them.
    """
    cells: list[dict[str, Any]] = []
    for index, part in enumerate(BLOCK.split(page.read_text(encoding="utf-8"))):
        cells += _code_cells(part) if index % 2 else _text_cells(part, page.parent)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1) + "\n"


def _text_cells(text: str, folder: Path) -> list[dict[str, Any]]:
    if not text.strip():
        return []
    attached = {}
    for _, path in PICTURE.findall(text):
        attached[Path(path).name] = {"image/png": base64.b64encode((folder / path).read_bytes()).decode()}
    text = PICTURE.sub(lambda link: f"![{link[1]}](attachment:{Path(link[2]).name})", FILE_LINK.sub(r"\1", text))
    cell: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": text.strip()}
    return [cell | {"attachments": attached} if attached else cell]


def _code_cells(block: str) -> list[dict[str, Any]]:
    cells, source = [], ""
    for example in doctest.DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            cells.append(_code_cell(source, example.want.replace("<BLANKLINE>", "")))
            source = ""
    return [*cells, _code_cell(source, "")] if source else cells


def _code_cell(source: str, output: str) -> dict[str, Any]:
    outputs = [{"name": "stdout", "output_type": "stream", "text": output}] if output else []
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": source.strip()}
