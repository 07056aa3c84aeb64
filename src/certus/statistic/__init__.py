"""The forms a metric can return: what was computed, over which independent units.

Interval methods look at these forms only, never at a metric's name. A form that has no value (no units, a unit without
a value, a zero denominator) has the value NaN and says so in `reason`; it never falls back to 0 silently.
"""

from certus.statistic.calibration_error import CalibrationError
from certus.statistic.folds import Folds, Independent
from certus.statistic.influence import Influence, UStatistic
from certus.statistic.mean import Mean, Proportion, Ratio
from certus.statistic.plugin import Plugin, Quantile
from certus.statistic.sampled import Sampled, Strata
from certus.statistic.table_function import Contributions, TableFunction

__all__ = [
    "CalibrationError",
    "Contributions",
    "Influence",
    "Mean",
    "Plugin",
    "Proportion",
    "Quantile",
    "Ratio",
    "Statistic",
    "TableFunction",
    "UStatistic",
]


def __dir__() -> list[str]:
    return __all__


Statistic = (
    Mean
    | Ratio
    | Proportion
    | Plugin
    | TableFunction
    | Influence
    | CalibrationError
    | Folds
    | Sampled
    | Strata
    | Quantile
    | Independent
)
"""Any of the forms; a metric returns one of them."""
