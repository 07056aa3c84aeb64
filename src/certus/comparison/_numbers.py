"""Numbers of a comparison, written for reading."""

import math

from certus.table.cells import Format, probability

__all__ = ["interval", "percent", "probability", "signed", "unsigned"]


def signed(x: float, form: Format) -> str:
    """A difference with its sign; what would round to 0 is written with its power of ten."""
    if not math.isfinite(x):
        return "-"
    if x == 0:
        return form.number(0.0)
    return f"{x:+.0e}" if abs(x) < 5e-5 else f"{'+' if x > 0 else '-'}{form.number(abs(x))}"


def unsigned(x: float, form: Format) -> str:
    """The size of a difference."""
    return signed(abs(x), form).removeprefix("+")


def interval(low: float, high: float, form: Format) -> str:
    """``[-0.0201, +0.0067]``; a dash where there is none."""
    return "-" if math.isnan(low) or math.isnan(high) else f"[{_limit(low, form)}, {_limit(high, form)}]"


def _limit(x: float, form: Format) -> str:
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return signed(x, form)


def percent(x: float) -> str:
    """``95%``."""
    return f"{x * 100:.10g}%"
