"""R2 of two columns whose sums Spark makes itself: nothing is collected, and no Python starts on the workers."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from certus.errors import DataError
from certus.metrics import Metric
from certus.spark._digits import Column, Total, literal, row_of_sums, size_of, totals
from certus.states import Fit, Near, Sums, central
from certus.statistic import Influence

SAMPLE = 256
"""Rows that tell how large the numbers are likely to be."""
MARGIN, BITS = 6, 27
"""The numbers may be so many powers of two larger than that, and the rows 2**27, before they are summed again."""
LEVELS = 4
"""Digits of each number: 26 bits and more in each."""
ENOUGH = 1_000
"""Fewer rows than this are collected."""
LARGEST = 200
"""The exponent of numbers whose squares lose no digit, as `certus.states` has it."""
FINE = 16
"""Bits of the mean beyond those of a float, in units of how far the targets spread."""
ALMOST_ALL = 0.9
"""Part of the spread that one sample may have."""
LOST = (-48, -28)
"""Exponents of the part of the greatest number that its sum may lose: of squares, and of what only bends limits."""
SPLIT = 2.0**27 + 1


class _Known(NamedTuple):
    """The sums of all samples, each rounded once, whatever the order and the partitions.

    Attributes
    ----------
    n, lost, total
        The samples, their squared errors, and the squared distances of the targets from their mean.
    mean
        That of the targets, as a float and the rest.
    greatest
        The greatest distance of a target from the mean, and the greatest squared error.
    """

    n: int
    lost: float
    total: float
    mean: tuple[float, float]
    greatest: tuple[float, float]


def r2(metric: Metric, pairs: Any) -> Influence | None:
    """R2 of two columns of numbers; None where a number is not finite, or where the rows have to be looked at.

    Parameters
    ----------
    metric
        R2, not adjusted.
    pairs
        A DataFrame of the columns ``y`` and ``p``, floats of which none is null.
    """
    known = _known(pairs)
    if known is None:
        return None
    sums = Sums(float(known.n), 0.0, 0.0, 0.0, known.total, 0.0, 0.0, 0.0, known.lost)
    fit = Fit(metric, Near(known.mean[0], 0.0, 0.0, (False, False)), sums, 0.0)
    row = _of_second_pass(pairs, known)
    if row is None:
        return None
    powers = (Fraction(row[f"t{power}"]) for power in (1, 2, 3, 4))
    fit.terms = (*central(known.n, *powers), float(row["least"]), float(row["greatest"]))
    mean = Fraction(fit.terms[0])
    by_column = {
        "a": row["ta"],
        "aa": row["taa"] - mean * Fraction(known.total),
        "squares": row["te"] - mean * Fraction(known.lost),
    }
    fit.products = [float(by_column.get(name, 0.0)) for name in Sums._fields]
    return fit.statistic() if fit.moments is not None else None


def _known(pairs: Any) -> _Known | None:
    """The sums; None where there are none, or no more digits help."""
    # The square of a number as a float and what rounding took off, by Dekker (1971), doi:10.1007/BF01397083.
    steps = [
        f"y, y * {literal(SPLIT)} AS split, y - p AS e",
        "y, e, split - (split - y) AS high",
        "y, e, high, y - high AS low, y * y AS yy",
        "y, e * e AS ee, yy, ((high * high - yy) + 2D * high * low) + low * low AS rest, y AS target, e * e AS error",
    ]
    others = {"n": ("count", "*"), "error": ("max", "error"), "low": ("min", "target"), "high": ("max", "target")}
    first = [(y, y - p) for y, p in pairs.limit(SAMPLE).collect()]
    sizes = [[size_of(abs(value)) for value in values if math.isfinite(value)] for values in zip(*first, strict=True)]
    size, wide = (max(each, default=0) + MARGIN for each in sizes or [[], []])
    bits, levels = BITS, LEVELS
    while levels <= 2 * LEVELS and max(size, wide) <= LARGEST + MARGIN:
        columns = {name: Column(its, levels) for name, its in (("y", size), ("yy", 2 * size), ("ee", 2 * wide))}
        columns["rest"] = Column(2 * size - 53, levels - 2)
        row = row_of_sums(pairs, steps, columns, bits, others)
        if row["n"] < ENOUGH or not all(math.isfinite(row[name]) for name in ("low", "high", "error")):
            return None
        far = max(abs(row["low"]), abs(row["high"]))
        if row["low"] == row["high"] or not row["error"] or not _is_moderate(far, math.sqrt(row["error"])):
            return None
        right = size_of(far), -(-size_of(row["error"]) // 2), row["n"].bit_length()
        fits = right[0] <= size and right[1] <= wide and right[2] <= bits
        if fits and (found := _rounded(row, totals(row, columns, bits))) is not None:
            return found
        levels += fits
        size, wide, bits = right
    return None


def _is_moderate(*sizes: float) -> bool:
    return all(abs(size_of(size)) < LARGEST for size in sizes)


def _rounded(row: Any, sums: dict[str, Total]) -> _Known | None:
    """The sums, each rounded once; None where what they may be off leaves two floats."""
    n, lost = row["n"], sums["ee"]
    y, off = sums["y"]
    squares = sums["yy"].value + sums["rest"].value - y**2 / n
    total = Total(squares, sums["yy"].off + sums["rest"].off + (2 * abs(y) + off) * off / n)
    found = [_same(each, float) for each in (lost, total)]
    if None in found or not found[1]:
        return None
    spread = Fraction(2) ** (size_of(math.sqrt(found[1] / n)) - 53 - FINE)
    mean = _same(Total(y / n, off / n), lambda each: round(each / spread))
    if mean is None:
        return None
    near = float(mean * spread)
    far = max(row["high"] - near, near - row["low"]) * (1 + 1e-9)
    return _Known(n, found[0], found[1], (near, float(mean * spread - Fraction(near))), (far, row["error"]))


def _same(total: Total, rounded: Callable[[Fraction], Any]) -> Any:
    """A sum rounded, where what it may be off changes nothing; None otherwise."""
    one, other = rounded(total.value - total.off), rounded(total.value + total.off)
    return one if one == other else None


def _of_second_pass(pairs: Any, known: _Known) -> dict[str, Any] | None:
    """Sums of powers of what is added without each sample, and of its products with the columns.

    None where one sample has nearly all of the spread, or numbers are too large.
    """
    n, lost, total, mean, (far, worst) = known
    times = n / (n - 1)
    most = times * far**2
    if most > ALMOST_ALL * total:
        return None
    largest = max(worst * total, lost * most) / (total * (total - most)) * (1 + 1e-9)
    one = literal(total)
    steps = [
        f"(y - {literal(mean[0])}) - {literal(mean[1])} AS a, y - p AS e",
        "a, a * a AS aa, e * e AS ee",
        f"a, aa, ee, {literal(times)} * aa AS less",
        f"a, aa, ee, (ee * {one} - {literal(lost)} * less) / ({one} * ({one} - less)) AS t1",
        "a, aa, ee, t1, t1 * t1 AS t2",
        "t1 AS added, ee AS error, t1, t2, t1 * t2 AS t3, t2 * t2 AS t4, t1 * a AS ta, t1 * aa AS taa, t1 * ee AS te",
    ]
    size, wide, square = size_of(largest), size_of(far), size_of(worst)
    if abs(size) > LARGEST:
        return None
    bits = n.bit_length()
    fine, coarse = (next(each for each in count(2) if (each + 1) * bits - 53 * each <= loss) for loss in LOST)
    columns = {f"t{power}": Column(power * size, fine if power < 3 else coarse) for power in (1, 2, 3, 4)}
    wider = {"ta": wide, "taa": 2 * wide, "te": square}
    columns |= {name: Column(size + more, coarse) for name, more in wider.items()}
    others = {
        "least": ("min", "added"),
        "greatest": ("max", "added"),
        "n": ("count", "*"),
        "error": ("max", "error"),
    }
    row = row_of_sums(pairs, steps, columns, bits, others)
    if (row["n"], row["error"]) != (n, worst):
        raise DataError("the rows are others than in the first pass", "cache() the DataFrame")
    found = {name: each.value for name, each in totals(row, columns, bits).items()}
    return {**found, "least": row["least"], "greatest": row["greatest"]}
