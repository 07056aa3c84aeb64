"""The forms a metric can return: what was computed, over which independent units.

Interval methods look at these forms only, never at a metric's name. A form that has no value (no units, a unit without
a value, a zero denominator) has the value NaN and says so in `why`; it never falls back to 0 silently.
"""

from certus.statistic._common import LARGEST, Bounds, counted, mean_of, tally, whole
from certus.statistic._moments import Moments
from certus.statistic._pickled import Pickled
from certus.statistic._resample import Resample
from certus.statistic._spread import deviation, masses, power_of_two, root_of_squares, spread, variance
from certus.statistic.cells import Cells, Contributions, Places, Through
from certus.statistic.crossing import Crossing
from certus.statistic.folds import Folds
from certus.statistic.gaps import GapNorm, GapParts, Gaps
from certus.statistic.independent import Independent
from certus.statistic.influence import Influence, UStatistic
from certus.statistic.mean import Mean
from certus.statistic.plugin import Plugin
from certus.statistic.proportion import Proportion
from certus.statistic.quantile import Interpolation, Quantile
from certus.statistic.ratio import Ratio
from certus.statistic.sampled import Sampled
from certus.statistic.strata import Prior, Share, Strata, Stratum

__all__ = [
    "LARGEST",
    "Bounds",
    "Cells",
    "Contributions",
    "Crossing",
    "Folds",
    "GapNorm",
    "GapParts",
    "Gaps",
    "Independent",
    "Influence",
    "Interpolation",
    "Mean",
    "Moments",
    "Pickled",
    "Places",
    "Plugin",
    "Prior",
    "Proportion",
    "Quantile",
    "Ratio",
    "Resample",
    "Sampled",
    "Share",
    "Statistic",
    "Strata",
    "Stratum",
    "Through",
    "UStatistic",
    "counted",
    "deviation",
    "masses",
    "mean_of",
    "power_of_two",
    "root_of_squares",
    "spread",
    "tally",
    "variance",
    "whole",
]

Statistic = (
    Mean | Ratio | Proportion | Plugin | Cells | Influence | Gaps | Folds | Sampled | Strata | Quantile | Independent
)
