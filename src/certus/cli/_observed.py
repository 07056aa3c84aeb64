"""Values as they are written on the command line: a decimal was rounded, a fraction or whole number was not."""

import math
import re
from fractions import Fraction
from typing import NamedTuple

from certus.cli._declare import UsageError

_WRITTEN = re.compile(r"(?P<whole>[+-]?[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]{1,3}))?")
_FRACTION = re.compile(r"[+-]?[0-9]{1,300}/[0-9]{1,300}")
KEPT = 15
"""Significant digits of any decimal that a float gives back as they were written."""


class Observed(NamedTuple):
    """A value, and the decimals that it was rounded to; None where it was not.

    Of more digits than a float keeps, those that it keeps count.
    """

    value: float
    digits: int | None

    @classmethod
    def read(cls, text: str) -> "Observed":
        """The value of ``0.9167`` (rounded to four decimals), of ``11/12`` or of ``1`` (exact)."""
        text = text.strip()
        if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise _refused(f"{text} is not a finite value")
        try:
            if _FRACTION.fullmatch(text):
                return cls(float(Fraction(text)), None)
            found = _WRITTEN.fullmatch(text)
            if found is None or len(text) > 300 or not re.search("[0-9]", text.split("e")[0].split("E")[0]):
                raise _refused(f"{text!r} is not a number; give a decimal as in 0.9167, or a fraction as in 11/12")
            digits = len(found["decimals"] or "") - int(found["power"] or 0)
            rounded = found["decimals"] is not None or found["power"] is not None
            value = float(Fraction(text))
            if value:
                digits = min(digits, KEPT - 1 - math.floor(math.log10(abs(value))))
            return cls(value, digits if rounded and digits > 0 else None)
        except ZeroDivisionError:
            raise _refused(f"{text} divides by zero; give a fraction as in 11/12") from None
        except OverflowError:
            raise _refused(f"{text} is not a finite value") from None

    def check_within(self, least: float, greatest: float) -> None:
        """Refuse a value that rounding does not bring to one that there can be."""
        slack = 1e-9 * max(1.0, abs(greatest)) + (0.0 if self.digits is None else 0.5 * 10.0**-self.digits)
        if not least - slack <= self.value <= greatest + slack:
            raise _refused(f"{self.value:g} is not a possible value, which are from {least:.4g} to {greatest:.4g}")


def _refused(message: str) -> UsageError:
    return UsageError(message, param_hint="--observed")
