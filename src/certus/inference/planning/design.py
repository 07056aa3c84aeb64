"""The power of a paired test: by the noncentral t distribution, or simulated from a pilot."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, MetricNameError, keyword
from certus.core.readable import Readable
from certus.inference.clusters import Clusters, cluster_mean, clusters_of
from certus.inference.interval import check_alternative, checked_level
from certus.inference.many.joint import TOLERANCE, check_draws
from certus.inference.search import first_true
from certus.inference.special import preload, t_quantile
from certus.inference.tests.guaranteed import betting_power
from certus.inference.tests.result import Alternative, of_difference
from certus.statistic.common import Bounds, finite_column, plural

Test = Literal["permutation", "t", "simulated-t", "simulated-permutation", "betting"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

SIMULATIONS = 4000
FLIPS = 999
"""Sign flips of a simulated permutation test."""
_MOST_DRAWS = 5e7
"""Differences drawn for one simulated number of units (about a second)."""
NORMAL_SAMPLES = 10_000
"""Normal samples of which the sign-flip test's power is the share; its standard error is at most 0.005."""
_BLOCK = 2**20
_FEW_UNITS = 12
"""From so many units on the permutation test has very nearly the power of t."""
_SKEWED = 1.0
"""Skewness of a pilot that is remarked on."""


@dataclass(frozen=True, eq=False)
class Design:
    """A paired test to be planned, with the differences of a pilot study.

    Of clusters, or units of unequal weight, `pilot` has for each one what it adds to the mean times their number; they
    are then what is planned.
    """

    pilot: Floats
    spread: float
    level: float
    alternative: Alternative
    test: Test
    replicates: int
    seed: int
    unit: str = "unit"
    effect: float = 1.0
    freedom: float = 0.0
    range: float = math.inf

    def degrees(self, n: int) -> float:
        """Degrees of freedom for n units; for clusters in proportion to those of the pilot."""
        return max(self.freedom * n / len(self.pilot), 1.0) if self.freedom else n - 1.0

    @property
    def is_simulated(self) -> bool:
        """True if units are drawn from the pilot."""
        return self.test.startswith("simulated")

    @property
    def least_units(self) -> int:
        """Least number of units with which the test can reject at all."""
        two_sided = self.alternative == "two-sided"
        if self.test in ("t", "simulated-t", "betting"):
            return 2
        return least_units_of_default_test(self.level, two_sided)

    @property
    def note(self) -> str:
        """Remark if the differences are skewed, although the power assumes normal ones."""
        centred = self.pilot - self.pilot.mean()
        skewness = abs(float(np.mean(centred**3))) / float(np.mean(centred**2)) ** 1.5
        draws_pilot = self.is_simulated or self.test == "betting"
        if draws_pilot or skewness < max(_SKEWED, 2 * math.sqrt(6 / len(self.pilot))):
            return ""
        return (
            f"the differences of the pilot are skewed ({skewness:.2g}), and the power is that of normal ones: 0.8 may "
            "be 0.75; the test simulated-permutation draws from the pilot"
        )

    def computation(self, n: int) -> str:
        """Method that computes the power for n units, in words."""
        if self.test == "permutation" and n < _FEW_UNITS:
            return "sign-flip test of normal differences"
        if not self.is_simulated:
            return "bets on bounded values" if self.test == "betting" else "noncentral t"
        return f"{'paired t' if self.test == 'simulated-t' else 'permutation test'}, {self.replicates} simulations"

    def facts(self, n: int) -> dict[str, Any]:
        """Conditions of a result for n units, as fields of `Planned`."""
        return {
            "spread": self.spread,
            "level": self.level,
            "method_note": self.computation(n),
            "unit": self.unit,
            "design_effect": self.effect,
            "note": self.note,
        }

    def power(self, n: int, effect: float, spread: float | None = None) -> float:
        """Probability that the test of n units detects an effect, if differences have this standard deviation."""
        signed = -effect if self.alternative == "less" else effect
        two_sided = self.alternative == "two-sided"
        if n < self.least_units:
            return 0.0
        spread = spread or self.spread
        if self.test == "permutation" and n < _FEW_UNITS:
            return sign_flip_power(signed / spread, n, self.level, two_sided)
        if self.test in ("permutation", "t"):
            return t_power(signed / spread * math.sqrt(n), self.degrees(n), self.level, two_sided)
        if self.test == "betting":
            centred = (self.pilot - self.pilot.mean()) * (spread / self.spread)
            tail = (1 - self.level) / (2 if two_sided else 1)
            return betting_power(centred, n, abs(signed) if two_sided else signed, self.range, tail)
        # Differences that spread more, and an effect that is smaller by so much, are the same in other units.
        shift = signed * self.spread / spread
        return float(np.mean(self._simulated_findings(n, abs(shift) if two_sided else shift, two_sided)))

    def error(self, power: float, n: int) -> float:
        """Monte Carlo standard error of a power; 0 if it is not simulated."""
        is_sampled = self.test == "permutation" and n < _FEW_UNITS
        draws = self.replicates if self.is_simulated else NORMAL_SAMPLES if is_sampled else 0
        return math.sqrt(power * (1 - power) / draws) if draws else 0.0

    def _simulated_findings(self, n: int, shift: float, two_sided: bool) -> NDArray[np.bool_]:
        """Simulate samples of n pilot differences; returns True for each one in which the test rejects."""
        if n * self.replicates > _MOST_DRAWS:
            raise CertusError(
                f"is {n}",
                f"simulating {self.replicates} tests of so many units takes too long: {keyword('test', 't')} is "
                "accurate there",
                argument="n",
            )
        generator = np.random.Generator(np.random.PCG64(self.seed))
        signs = generator.choice([-1.0, 1.0], (n, FLIPS)) if self.test == "simulated-permutation" else None
        # So stretched, the pilot's differences have the standard deviation that they estimate.
        stretch = math.sqrt(len(self.pilot) / (len(self.pilot) - 1))
        centred = (self.pilot - self.pilot.mean()) * (-stretch if self.alternative == "less" else stretch)
        findings, rows = [], max(1, _BLOCK // n)
        for start in range(0, self.replicates, rows):
            sample = centred[generator.integers(0, len(centred), (min(rows, self.replicates - start), n))] + shift
            findings.append(
                _t_finds(sample, self.level, two_sided) if signs is None else self._flips_find(sample, signs, two_sided)
            )
        return np.concatenate(findings)

    def _flips_find(self, samples: Floats, signs: Floats, two_sided: bool) -> NDArray[np.bool_]:
        """Run the sign-flip test on each sample, with random flips that all share; returns True if it rejects."""
        # All simulated tests share their flips; each is a valid one.
        observed, flipped = samples.sum(axis=1), samples @ signs
        if two_sided:
            observed, flipped = np.abs(observed), np.abs(flipped)
        slack = TOLERANCE * np.abs(samples).sum(axis=1)
        reached = (flipped >= (observed - slack)[:, None]).sum(axis=1)
        return np.asarray((reached + 1) / (FLIPS + 1) <= (1 - self.level) * (1 + TOLERANCE))


def _t_finds(samples: Floats, level: float, two_sided: bool) -> NDArray[np.bool_]:
    """Run the t test on each sample; returns True if it rejects."""
    n = samples.shape[1]
    means, spreads = samples.mean(axis=1), samples.std(axis=1, ddof=1)
    # Differences that are all equal have no t, and the test finds nothing.
    usable = spreads > TOLERANCE * np.abs(samples).max(axis=1)
    statistic = np.where(usable, means / np.where(usable, spreads, 1.0) * math.sqrt(n), 0.0)
    return np.asarray((np.abs(statistic) if two_sided else statistic) >= critical_t(n - 1, level, two_sided))


def t_power(noncentrality: float, df: float, level: float, two_sided: bool) -> float:
    """Power of a t test with this noncentrality."""
    critical = critical_t(df, level, two_sided)
    upper_tail = 1 - _noncentral_t(critical, df, noncentrality)
    return min(upper_tail + _noncentral_t(-critical, df, noncentrality), 1.0) if two_sided else upper_tail


def least_units_of_default_test(level: float, two_sided: bool) -> int:
    """Least number of units with which the sign-flip test can reject: equal signs have p = 2^-n, or twice it."""
    return first_true(lambda n: _rejecting_flips(n, level, two_sided) > 0, 0, 1100)


def _rejecting_flips(n: int, level: float, two_sided: bool) -> int:
    """Number of the 2^n sign flips, the observed one included, that may reach the statistic if the test rejects."""
    return math.floor(math.ldexp((1 - level) * (1 + TOLERANCE), n - two_sided))


def sign_flip_power(effect: float, n: int, level: float, two_sided: bool) -> float:
    """Power of the sign-flip test for a few normal differences; the effect is in standard deviations."""
    # Of differences z + e the flips S that reach the observed sum are those with mean(z over S) <= -e. So there is an
    # effect from which on a sample is rejected, the same for all e, and the power is the share of samples below it.
    flips = _rejecting_flips(n, level, two_sided)
    if not flips:
        return 0.0
    least_effects = _least_effects(n, flips)
    shares = [
        float(np.searchsorted(least_effects, shift, side="left")) / len(least_effects) for shift in (effect, -effect)
    ]
    return sum(shares) if two_sided else shares[0]


@lru_cache(maxsize=16)
def _least_effects(n: int, flips: int) -> Floats:
    """Least effect that the sign-flip test detects in each of many normal samples, sorted."""
    subsets = (np.arange(1, 2**n)[:, None] >> np.arange(n)) & 1
    shares = (subsets / subsets.sum(axis=1, keepdims=True)).T
    generator = np.random.Generator(np.random.PCG64(0))
    rows = max(1, _BLOCK >> n)
    thresholds = []
    for start in range(0, NORMAL_SAMPLES, rows):
        means = generator.standard_normal((min(rows, NORMAL_SAMPLES - start), n)) @ shares
        thresholds.append(-np.partition(means, flips - 1, axis=1)[:, flips - 1])
    return np.sort(np.concatenate(thresholds))


def critical_t(df: float, level: float, two_sided: bool) -> float:
    """Least t that is significant at the level."""
    return -t_quantile((1 - level) / (2 if two_sided else 1), df)


def _noncentral_t(t: float, df: float, noncentrality: float) -> float:
    """Distribution function of the noncentral t distribution."""
    probability = float(preload().nctdtr(df, noncentrality, t))
    # scipy gives NaN far out only, where less than 1e-25 is left (compared with quadrature in the tests).
    return (1.0 if t > noncentrality else 0.0) if math.isnan(probability) else probability


class Settings(TypedDict, total=False):
    """Keywords that every planning function takes; `design` has their defaults."""

    groups: ArrayLike | None
    weights: ArrayLike | None
    test: Test
    alternative: Alternative
    level: float
    bounds: Bounds | None
    replicates: int
    seed: int


def design(
    differences: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    test: Test = "permutation",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    bounds: Bounds | None = None,
    replicates: int = SIMULATIONS,
    seed: int = 0,
) -> Design:
    """Check the settings of a plan and return it."""
    check_alternative(alternative)
    if test not in get_args(Test):
        raise MetricNameError(
            f"is {test!r}",
            "it must be 'permutation', 't', 'simulated-t', 'simulated-permutation' or 'betting'",
            argument="test",
        )
    if (test == "betting") != (bounds is not None):
        raise DataError(
            "are given" if bounds is not None else "are not given",
            f"{keyword('test', 'betting')} needs the least and the greatest value of a system; no other test uses them",
            argument="bounds",
        )
    pilot = finite_column(differences, "differences", "difference")
    if len(pilot) < 2:
        raise DataError(
            f"has {len(pilot)} values", "at least 2 units are needed to see how they vary", argument="differences"
        )
    if np.ptp(pilot) <= TOLERANCE * np.abs(pilot).max():
        raise DataError(f"all {len(pilot)} differences are equal, so their variance cannot be estimated")
    draws, seed = check_draws(replicates, seed)
    spread = float(pilot.std(ddof=1))
    distance = math.inf if bounds is None else of_difference(bounds)[1]
    if float(np.abs(pilot).max()) > distance:
        raise DataError(f"is {bounds}, but differences are larger", "give those of the values", argument="bounds")
    plan = Design(pilot, spread, checked_level(level), alternative, test, draws, seed, range=distance)
    clusters = clusters_of(len(pilot), groups, weights)
    return plan if clusters is None else _of_clusters(plan, clusters)


def planning(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a planning function: its signature shows the keywords of `design`, and unknown ones are refused."""
    own_signature, design_signature = inspect.signature(function), inspect.signature(design)
    own_parameters, settings = (list(signature.parameters.values()) for signature in (own_signature, design_signature))
    signature = own_signature.replace(parameters=[*own_parameters[:-1], *settings[1:]])

    @wraps(function)
    def wrapper(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        unknown = [name for name in kwargs if name not in signature.parameters]
        if unknown:
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {unknown[0]!r}")
        return function(*args, **kwargs)

    wrapper.__dict__["__signature__"] = signature
    return wrapper


def _of_clusters(plan: Design, clusters: Clusters) -> Design:
    """Plan in clusters instead of units, with the spread that matches the pilot's CR2 standard error."""
    sums, sizes = clusters.sums(plan.pilot), clusters.sizes
    sums, sizes = sums[sizes > 0], sizes[sizes > 0]
    mean, error, freedom = cluster_mean(sums, sizes)
    if not error > TOLERANCE * abs(mean):
        groups = plural(len(sizes), "group")
        raise DataError(f"{groups}: too few to estimate the variance of their differences", "give two or more")
    contributions = mean + (sums - mean * sizes) * (len(sizes) / sizes.sum())
    unit = "group" if clusters.grouped else "unit"
    variance_of_units = (plan.spread**2) / len(plan.pilot)
    return replace(
        plan,
        pilot=contributions,
        spread=error * math.sqrt(len(sizes)),
        unit=unit,
        effect=error**2 / variance_of_units,
        freedom=0.0 if np.ptp(sizes) <= TOLERANCE * sizes.max() else freedom,
    )


def spread_limits(design: Design) -> tuple[float, float]:
    """Limits for the standard deviation of the differences, assuming that they are normal (chi-squared)."""
    df, tail = design.degrees(len(design.pilot)), (1 - design.level) / 2
    # What lies above the quantile, not below it.
    lowest, greatest = (math.sqrt(df / float(preload().chdtri(df, upper_tail))) for upper_tail in (tail, 1 - tail))
    return design.spread * lowest, design.spread * greatest


@dataclass(frozen=True, kw_only=True)
class Planned(Readable):
    """Result of a plan with its conditions: spread, level, test, design effect; see `Power`."""

    spread: float
    level: float
    method_note: str
    unit: str = "unit"
    design_effect: float = 1.0
    note: str = ""

    def _conditions(self) -> str:
        """Conditions in words, for the end of the printed text."""
        effect = "" if self.design_effect == 1 else f", design effect {self.design_effect:.3g}"
        return f"({self.method_note}{effect})" + (f"\nnote: {self.note}" if self.note else "")


@dataclass(frozen=True)
class Power(Planned):
    """Probability that a test detects a true difference.

    Attributes
    ----------
    value
        The power, in [0, 1].
    low, high
        What it is at the limits of the differences' standard deviation, which the pilot leaves uncertain.
    n, effect
        Number of units and true mean difference.
    spread
        Standard deviation of the pilot's differences.
    level
        One less the significance level of the test; level of the limits.
    method_note
        How the power was computed.
    error
        Its standard error through a simulation; 0 for the formula.
    unit
        What n counts: ``"unit"``, or ``"group"`` for a pilot of groups.
    design_effect
        By how much the groups or weights of the pilot enlarge the squared standard error of its mean.
    note
        What the number leaves out, such as skewed differences; empty where there is nothing to say.
    """

    value: float
    low: float
    high: float
    n: int
    effect: float
    error: float

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return (
            f"power {self.value:.3f} [{self.low:.3f}, {self.high:.3f}] to find {self.effect:g} with "
            f"{plural(self.n, self.unit)} {self._conditions()}"
        )


@dataclass(frozen=True)
class UnitsNeeded(Planned):
    """Number of units that a test needs for a wanted power.

    Attributes
    ----------
    n
        The least number of units that has the power.
    low, high
        What it is at the limits of the differences' standard deviation.
    effect, power, spread, level, method_note, unit, design_effect, note
        As for `Power`; `power` is the one wanted.
    """

    n: int
    low: int
    high: int
    effect: float
    power: float

    def __int__(self) -> int:
        return self.n

    def __str__(self) -> str:
        return (
            f"{plural(self.n, self.unit)} [{self.low}, {self.high}] to find {self.effect:g} with power {self.power:g} "
            f"{self._conditions()}"
        )


@dataclass(frozen=True)
class MinimumDetectable(Planned):
    """Least true difference that a test detects with a wanted power.

    Attributes
    ----------
    effect
        The mean difference; below 0 where the alternative is ``"less"``.
    low, high
        What it is at the limits of the differences' standard deviation.
    n, power, spread, level, method_note, unit, design_effect, note
        As for `Power`; `power` is the one wanted.
    """

    effect: float
    low: float
    high: float
    n: int
    power: float

    def __float__(self) -> float:
        return self.effect

    def __str__(self) -> str:
        return (
            f"least difference {self.effect:.4g} [{self.low:.4g}, {self.high:.4g}] found by "
            f"{plural(self.n, self.unit)} with power {self.power:g} {self._conditions()}"
        )
