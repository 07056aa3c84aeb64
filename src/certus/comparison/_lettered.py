"""Letters for the systems of a metric, when all pairs were compared."""

from collections.abc import Sequence

import numpy as np

from certus.comparison._family import Family
from certus.comparison._verdict import at_most
from certus.comparison.row import Difference
from certus.inference import letters

__all__ = ["lettered"]


def lettered(family: Family, rows: Sequence[Difference]) -> dict[str, str]:
    """The letters of each system, the best first; systems that share one are not separable."""
    systems = list(family.estimates)
    separable = np.zeros((len(systems), len(systems)), dtype=bool)
    for row in rows:
        one, other = systems.index(row.system), systems.index(row.baseline)
        separable[one, other] = separable[other, one] = at_most(row.p_adjusted, 1 - row.level)
    values = [family.estimates[system].value for system in systems]
    sign = 1 if family.better == "lower" else -1
    order = sorted(range(len(systems)), key=lambda place: (values[place] != values[place], sign * values[place], place))
    return dict(zip(systems, letters(separable, order), strict=True))
