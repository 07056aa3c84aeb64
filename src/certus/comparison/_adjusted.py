"""p-values of one metric, adjusted for how many pairs of systems there are."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from certus.comparison._family import Family
from certus.comparison._options import JOINT, Options
from certus.errors import MetricNameError
from certus.inference import Paired, adjust

__all__ = ["adjusted", "defined"]

Floats = NDArray[np.float64]


def adjusted(family: Family, pairs: Sequence[tuple[str, str]], found: Sequence[Paired], options: Options) -> Floats:
    """The adjusted p-value of each pair; NaN where it has none."""
    p = np.array([each.p for each in found])
    if options.correction not in JOINT:
        return defined(p, options.correction)
    raise MetricNameError("not yet")


def defined(p: Floats, method: str) -> Floats:
    """The p-values adjusted; those that are NaN are no tests, and do not count."""
    there = ~np.isnan(p)
    result = np.full(len(p), np.nan)
    result[there] = adjust(p[there], method)
    return result
