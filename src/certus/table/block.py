"""A heading with lines of cells, which every readable format writes."""

from dataclasses import dataclass

__all__ = ["Block"]


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, column names and lines of cells, all as plain unescaped text."""

    title: str
    names: list[str]
    lines: list[list[str]]
    left: list[bool]
    """Which columns are text or several numbers, aligned on the left; the others are numbers."""
    grouped: bool = False
    """Whether consecutive lines with the same first cell belong together."""
