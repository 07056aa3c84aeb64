"""Values of a table compared with chance."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from certus.errors import CertusError, MetricNameError
from certus.inference import Estimate
from certus.inference.interval import joined
from certus.table import Row

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance


def add_chance(row: Row, estimate: Estimate, seed: int) -> tuple[Row, "VersusChance | None"]:
    """The row with its expected value, p-value, chance-corrected value and percentile, or why it has none."""
    try:
        versus = estimate.versus_chance(seed=seed)
        p = versus.p
        numbers = (versus.expected, float(p), p.error, versus.corrected, versus.percentile)
    except CertusError as error:
        if estimate.reason:
            return row, None
        return replace(row, reason=joined(row.reason, f"not compared with chance: {error}")), None
    expected, chance, off, corrected, percentile = numbers
    return replace(
        row,
        expected=expected,
        p=chance,
        p_error=None if math.isnan(off) else off,
        p_method=p.method,
        corrected=None if math.isnan(corrected) else corrected,
        percentile=percentile,
    ), versus


def notes(comparisons: "Sequence[VersusChance]", rows: Sequence[Row]) -> list[str]:
    """Sentences for below the table: what is random, and what the columns mean."""
    if not comparisons:
        reasons = "; ".join(
            dict.fromkeys(row.reason.removeprefix("not compared with chance: ") for row in rows if row.reason)
        )
        raise MetricNameError(
            f"is asked for, but no value can be compared with chance{f' ({reasons})' if reasons else ''}",
            "leave it out",
            argument="chance",
        )
    random = "; ".join(dict.fromkeys(versus.random for versus in comparisons))
    return [
        f"random: {random}",
        "chance: expected value if that is random; p: probability to do as well by luck; corrected: 0 at chance, 1 at "
        "best; percentile: share of random ones below, and half of the equal",
    ]
