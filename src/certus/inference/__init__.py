"""How sure a number is: intervals chosen by the form of a statistic, never by the metric's name."""

from certus.inference.bare import f1_interval, from_folds, mean_interval, proportion_interval
from certus.inference.difference import difference
from certus.inference.equivalence import Equivalence, equivalence
from certus.inference.estimate import Estimate
from certus.inference.estimates import Estimates
from certus.inference.forms import LABELS
from certus.inference.interval import Interval
from certus.inference.letters import letters
from certus.inference.max_t import MaxT, max_t
from certus.inference.mcnemar import McNemar, mcnemar
from certus.inference.multiplicity import adjust
from certus.inference.paired import Paired, paired
from certus.inference.paired_scores import paired_scores
from certus.inference.planned import MinimumDetectable, Power, UnitsNeeded
from certus.inference.power import minimum_detectable, power, units_needed
from certus.inference.power_curve import PowerCurve, power_curve
from certus.inference.ratio import RatioTest, ratio
from certus.inference.rope import Rope, rope
from certus.inference.superiority import dirichlet_superiority, f1_superiority
from certus.inference.tukey_hsd import TukeyHSD, tukey_hsd

__all__ = [
    "LABELS",
    "Equivalence",
    "Estimate",
    "Estimates",
    "Interval",
    "MaxT",
    "McNemar",
    "MinimumDetectable",
    "Paired",
    "Power",
    "PowerCurve",
    "RatioTest",
    "Rope",
    "TukeyHSD",
    "UnitsNeeded",
    "adjust",
    "difference",
    "dirichlet_superiority",
    "equivalence",
    "f1_interval",
    "f1_superiority",
    "from_folds",
    "letters",
    "max_t",
    "mcnemar",
    "mean_interval",
    "minimum_detectable",
    "paired",
    "paired_scores",
    "power",
    "power_curve",
    "proportion_interval",
    "ratio",
    "rope",
    "tukey_hsd",
    "units_needed",
]
