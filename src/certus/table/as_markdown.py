"""Blocks as Markdown."""

import re
from collections.abc import Iterable, Sequence

from certus.printable import printable
from certus.table.block import Block

__all__ = ["markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&])")


def markdown(blocks: Iterable[Block], notes: Sequence[str]) -> str:
    """A pipe table for each block, the notes as a list below."""
    parts = []
    title = ""
    for block in blocks:
        if block.title and block.title != title:
            title = block.title
            parts.append(f"**{_escaped(title)}**")
        rule = ["---" if left else "---:" for left in block.left]
        lines = [_line([_escaped(name) for name in block.names]), _line(rule)]
        lines += [_line([_escaped(cell) for cell in line]) for line in block.lines]
        parts.append("\n".join(lines))
    if notes:
        parts.append("\n".join(f"- {_escaped(note)}" for note in notes))
    return "\n\n".join(parts) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text))
