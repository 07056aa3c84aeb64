"""Sums over rows that Spark makes itself, whatever the order of the rows and their partitions."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

DIGITS = 53
"""Bits of a float."""


class Total(NamedTuple):
    """A sum, and how far it may be from that of the numbers without rounding."""

    value: Fraction
    off: Fraction


def size_of(greatest: float) -> int:
    """The exponent of a power of two that no number up to the greatest exceeds."""
    return math.frexp(greatest)[1] if greatest else -1000


class Column(NamedTuple):
    """A column to sum.

    Attributes
    ----------
    size
        The exponent of a power of two that no number in it exceeds.
    levels
        Digits of each number.
    """

    size: int
    levels: int


def literal(number: float) -> str:
    """A float in SQL, which reads the same one."""
    return f"({number!r}D)"


def row_of_sums(
    frame: Any, steps: Sequence[str], columns: Mapping[str, Column], bits: int, others: Mapping[str, tuple[str, str]]
) -> Any:
    """A row of sums of columns, and of other aggregates, made by Spark without Python.

    Each number is cut into digits, of which the sums are exact, as those of whole numbers are: adding a large power of
    two and taking it off again leaves a multiple of its last place. All is asked in one text: Spark takes longer to
    plan a step for each call than to sum millions of rows.

    Source: Demmel & Nguyen (2015), IEEE Trans. Comput. 64(7):2060-2070, doi:10.1109/TC.2014.2345391.

    Parameters
    ----------
    frame
        Rows of floats, none of them null.
    steps
        What is selected from it, from that, and so on, in SQL.
    columns
        Those that are summed, of the last step.
    bits
        The exponent of a power of two that the number of rows does not exceed.
    others
        Other aggregates by their names: the function and the column, which is not summed.
    """
    done = sorted({column for _, column in others.values()} - {"*"})
    wanted = list(steps)
    sums: list[str] = []
    for level in range(max(column.levels for column in columns.values())):
        left = {name: column for name, column in columns.items() if level < column.levels}
        cuts = {name: literal(math.ldexp(1.5, _place(column.size, bits, level))) for name, column in left.items()}
        cut = [f"({name} + {at}) - {at} AS {name}_{level}" for name, at in cuts.items()]
        wanted.append(", ".join([*done, *left, *cut]))
        digits = [f"{name}_{level}" for name in left]
        done += digits
        sums += digits
        wanted.append(", ".join([*done, *(f"{name} - {name}_{level} AS {name}" for name in left)]))
    wanted.append(
        ", ".join(
            [f"sum({name}) AS {name}" for name in sums]
            + [f"{function}({column}) AS {name}" for name, (function, column) in others.items()]
        )
    )
    text = "{frame}"
    for step in wanted:
        text = f"(SELECT {step} FROM {text})"
    (row,) = frame.sparkSession.sql(f"SELECT * FROM {text}", frame=frame).collect()
    return row


def totals(row: Any, columns: Mapping[str, Column], bits: int) -> dict[str, Total]:
    """The sums in a row that `row_of_sums` gave, where sizes and bits were right."""
    found = {}
    for name, (size, levels) in columns.items():
        value = sum((Fraction(row[f"{name}_{level}"]) for level in range(levels)), Fraction())
        # What is left of each number is at most half of the last place of its last digit.
        off = Fraction(2) ** (bits + _place(size, bits, levels - 1) - DIGITS)
        found[name] = Total(value, off)
    return found


def _place(size: int, bits: int, level: int) -> int:
    """The exponent of the power of two that cuts a digit.

    It is added 1.5 times, so that the sum lies between it and its double for either sign.
    """
    return size + bits - 1 - level * (DIGITS - bits + 1)
