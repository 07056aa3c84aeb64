"""Comparisons as text for a terminal or a pipe."""

from textwrap import wrap
from typing import TYPE_CHECKING

from certus.comparison._layout import blocks
from certus.comparison._sentences import notes
from certus.printable import printable
from certus.table.as_text import aligned, styled

if TYPE_CHECKING:
    from certus.comparison.result import Comparison

__all__ = ["text"]


def text(comparison: "Comparison", width: int = 100, colour: bool = False, warnings: bool = True) -> str:
    """The comparison as aligned columns, with sentences and notes below; see `Comparison.to_text`."""
    lines = aligned(blocks(comparison, width), colour)
    for sentence in map(printable, comparison.sentences()):
        lines += wrap(sentence, max(width, 40), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    lines.append("")
    for note in map(printable, notes(comparison, warnings)):
        folded = wrap(note, max(width, 40), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        lines += [styled(line, "dim", colour) for line in folded]
    return "\n".join(lines).rstrip("\n")
