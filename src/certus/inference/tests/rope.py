"""Posterior probabilities that a system is better, worse, or practically equivalent."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, MetricNameError
from certus.core.readable import Readable
from certus.core.registry import Registry
from certus.inference.estimate import Estimate
from certus.inference.interval import DEFAULT_REPLICATES, Request
from certus.inference.intervals import contingency, student
from certus.inference.intervals.cell_functions import blocks, clustered, values
from certus.inference.special import preload
from certus.inference.tests.joint_table import share_signs
from certus.inference.tests.result import Paired, estimate_of
from certus.statistic import Mean, Statistic, TableFunction
from certus.statistic.common import Bounds, require_integer

POSTERIORS = Registry(
    "posterior",
    dict.fromkeys(("student", "bayesian-bootstrap", "dirichlet")),
    {"t": "student", "bootstrap": "bayesian-bootstrap"},
)


@dataclass(frozen=True, slots=True)
class Rope(Readable):
    """Posterior probabilities of a difference a - b against a region of practical equivalence; they sum to 1.

    Attributes
    ----------
    above
        That the difference lies above the region: a is better, where higher values are.
    equivalent
        That it lies in the region.
    below
        That it lies below the region: b is better.
    region
        From where to where.
    method, method_note
        The model, and how the probabilities were computed.
    error
        The largest standard error that random draws leave in one of them; 0 where there are no draws.
    reason
        Why there are no probabilities, or what to know about them.
    """

    above: float
    equivalent: float
    below: float
    region: tuple[float, float]
    method: str
    method_note: str
    error: float = 0.0
    reason: str = ""

    def __str__(self) -> str:
        low, high = self.region
        if math.isnan(self.above):
            return f"no posterior: {self.reason}"
        return (
            f"P(above {high:g}) = {with_error(self.above, self.error)}, "
            f"P(equivalent) = {with_error(self.equivalent, self.error)}, "
            f"P(below {low:g}) = {with_error(self.below, self.error)}  ({self.method}, {self.method_note})"
        )


def rope(
    difference: Paired | Estimate,
    region: float | tuple[float, float],
    *,
    posterior: str | None = None,
    prior: float | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Rope:
    """Posterior probability that a is better than b by more than a margin, that b is, and that neither is.

    Unlike a p-value these answer the question how sure one may be, given a prior that knows nothing. Of a metric of
    which lower values are better, `above` is the probability that a is worse.

    Parameters
    ----------
    difference
        The difference, from `paired`, `difference` or `paired_scores`.
    region
        The region of practical equivalence: the largest difference that does not matter, or a pair, from 0 or below to
        0 or above. With 0 the two outer probabilities are those of a higher and of a lower value.
    posterior
        - ``"student"``: the difference has Student's distribution around the value, with the standard error and the
          degrees of freedom of its form. For paired means this is the posterior of normal differences under Jeffreys's
          prior, and the default; so it is for every other form but cells, to first order.
        - ``"bayesian-bootstrap"``, for paired means: Dirichlet(1, ..., 1) weights of the units (Rubin 1981), drawn.
        - ``"dirichlet"``, the default for functions of cells: the posterior of the joint table, see the interval
          method of that name. Of shares of the same samples (accuracy, recall, specificity) the probabilities are a
          beta integral, with region 0 that of `dirichlet_superiority`; of other functions they are drawn, with an
          `error`.
    prior
        For ``"dirichlet"``: the parameter of the prior in each cell of the joint table, above 0. None: that of the
        interval method, 1/2 in tables of up to 4 cells and less in larger ones.
    replicates, seed
        How many draws, and what they start from.

    Returns
    -------
    Rope

    Raises
    ------
    DataError
        The region is not one.
    MetricNameError
        The form has no such posterior.

    References
    ----------
    Benavoli, Corani, Demsar & Zaffalon (2017), Time for a Change, J. Mach. Learn. Res. 18(77):1-36; Rubin (1981),
    Ann. Stat. 9(1):130-134, doi:10.1214/aos/1176345338.

    Examples
    --------
    >>> from certus.inference import paired
    >>> found = paired([0.41, 0.52, 0.33, 0.60, 0.48, 0.71], [0.35, 0.50, 0.35, 0.51, 0.40, 0.66])
    >>> print(rope(found, 0.01))
    P(above 0.01) = 0.9605, P(equivalent) = 0.0299, P(below -0.01) = 0.0096  (student, 5 degrees of freedom)
    """
    limits = _region(region)
    estimate = estimate_of(difference)
    statistic, request = estimate.statistic, Request(0.95, estimate.bounds, replicates, seed)
    offered = _offered(statistic)
    name = offered[0] if posterior is None else POSTERIORS.find(posterior) or posterior
    if name not in offered:
        raise MetricNameError(f"no posterior is named {posterior!r} for this form", f"there are {', '.join(offered)}")
    if prior is not None:
        if name != "dirichlet":
            raise MetricNameError(
                "is for the posterior 'dirichlet'", f"{name!r} has none, leave it out", argument="prior"
            )
        check_prior(prior)
        if isinstance(statistic, TableFunction) and statistic.places is not None:
            raise DataError(
                "is for tables that hold all their cells", "this one has too many, leave it out", argument="prior"
            )
    if estimate.reason:
        return Rope(math.nan, math.nan, math.nan, limits, name, "", reason=estimate.reason)
    if name == "student":
        return _student(statistic, limits, estimate.bounds)
    if isinstance(statistic, TableFunction):
        shares = _share_parameters(statistic, prior)
        if shares is None:
            return _from_draws(contingency.posterior(statistic, request, prior), limits, name)
        ahead, behind, neither = shares
        tails = _leads(ahead, behind, neither, limits[1]), _leads(behind, ahead, neither, -limits[0])
        return _from_tails(*tails, limits, name, "beta integral")
    if isinstance(statistic, Mean):
        return _from_draws(_bayesian_bootstrap(statistic, request), limits, name)
    raise CertusError(f"the posterior {name!r} is for means")


def _from_tails(
    upper_tail: float, lower_tail: float, region: tuple[float, float], method: str, method_note: str
) -> Rope:
    """Result from exact tail probabilities."""
    inside = max(0.0, 1.0 - (upper_tail + lower_tail)) if region[1] > region[0] else 0.0
    return Rope(upper_tail, inside, lower_tail, region, method, method_note)


def _student(statistic: Statistic, region: tuple[float, float], bounds: Bounds) -> Rope:
    """Posterior by Student's t distribution around the difference."""
    low, high = region
    value = statistic.value
    error, freedom = student.error_and_freedom(statistic, bounds)
    if math.isnan(error):
        reason = "a single unit, alone or in its stratum, has no variance"
        return Rope(math.nan, math.nan, math.nan, region, "student", "", reason=reason)
    if error <= 1e-12 * max(abs(value), 1.0):
        reason = "all units agree, so the posterior has no variance"
        upper, lower = float(value > high), float(value < low)
        return Rope(upper, 1.0 - upper - lower, lower, region, "student", "all units agree", reason=reason)
    upper = student.t_at_least((high - value) / error, freedom)
    lower = student.t_at_least((value - low) / error, freedom)
    return _from_tails(upper, lower, region, "student", student.distribution_text(freedom))


def _share_parameters(statistic: TableFunction, prior: float | None) -> tuple[float, float, float] | None:
    """Dirichlet parameters for a ahead, b ahead and neither; None unless shares are compared."""
    parameters, weights = contingency.posterior_parameters(statistic, prior)
    if np.ptp(weights) > 0:
        return None
    signs = share_signs(partial(values, statistic), len(parameters))
    if signs is None or not parameters[~np.isnan(signs)].any():
        return None
    ahead, behind, neither = (math.fsum(parameters[signs == sign]) for sign in (1.0, -1.0, 0.0))
    return ahead, behind, neither


def _from_draws(draws: Floats, region: tuple[float, float], method: str) -> Rope:
    """Result from posterior draws."""
    low, high = region
    defined = draws[~np.isnan(draws)]
    if 2 * len(defined) <= len(draws):
        reason = "the metric is undefined for half or more of the posterior draws"
        return Rope(math.nan, math.nan, math.nan, region, method, "", reason=reason)
    upper_count, lower_count = int((defined > high).sum()), int((defined < low).sum())
    counts, size = (upper_count, len(defined) - upper_count - lower_count, lower_count), len(defined)
    shares = [count / size for count in counts]
    # By the rule of succession: what was never drawn has an error, too.
    error = max(math.sqrt((count + 1) * (size - count + 1) / size) / (size + 2) for count in counts)
    reason = f"{len(draws) - len(defined)} draws have no value" if len(defined) < len(draws) else ""
    return Rope(shares[0], shares[1], shares[2], region, method, f"{len(defined)} draws", error, reason)


def _bayesian_bootstrap(statistic: Mean, request: Request) -> Floats:
    """Posterior draws of a mean, by random exponential weights of its values."""
    values = statistic.values * (statistic.n if statistic.total else 1)
    rng = np.random.default_rng(request.seed)
    centre = float(values.mean())
    draws = np.empty(request.replicates)
    for block in blocks(request.replicates, statistic.n):
        weights = rng.standard_exponential((block.stop - block.start, statistic.n))
        # Around the mean, so that equal values have exactly their own mean.
        draws[block] = centre + weights @ (values - centre) / weights.sum(axis=1)
    return draws


def _offered(statistic: Statistic) -> tuple[str, ...]:
    """Names of the posteriors that apply to a statistic, the default first."""
    if isinstance(statistic, Mean) and statistic.scale == "linear":
        return "student", "bayesian-bootstrap"
    if isinstance(statistic, TableFunction) and not clustered(statistic):
        return "dirichlet", "student"
    return ("student",)


def _region(region: float | tuple[float, float]) -> tuple[float, float]:
    """Check the region of practical equivalence and return its limits."""
    low, high = region if isinstance(region, tuple | list) else (-region, region)
    if not -math.inf < low <= 0 <= high < math.inf:
        raise DataError(f"is {region}", "give a number of at least 0, or a pair around 0", argument="region")
    return float(low) + 0.0, float(high)


def dirichlet_superiority(n1: int, n2: int, n3: int = 0, prior: float = 1.0) -> float:
    """Posterior probability that system 1 wins more often than system 2, from the number of wins of each.

    With a Dirichlet prior with parameter `prior` for each of the three outcomes (1 wins, 2 wins, neither), the share
    of wins of system 1 among all wins is beta distributed, and so ``P(pi1 > pi2) = I_1/2(n2 + prior, n1 + prior)``: no
    simulation is needed, and `n3` has no influence.

    Parameters
    ----------
    n1, n2, n3
        Number of units on which system 1 won, system 2 won, and neither did.
    prior
        Parameter of the prior, above 0; 1 is uniform, 1/2 Jeffreys'.

    Raises
    ------
    DataError
        A count is not a whole number of at least 0, or the prior not a finite number above 0.

    References
    ----------
    Zhang & Su (2012) describe the model and simulate it.

    Examples
    --------
    >>> dirichlet_superiority(3, 1)
    0.8125
    """
    counts = [require_integer(count, name) for name, count in (("n1", n1), ("n2", n2), ("n3", n3))]
    check_prior(prior)
    ahead, behind, neither = (count + prior for count in counts)
    return _leads(ahead, behind, neither, 0.0)


def f1_superiority(a: Sequence[int], b: Sequence[int], prior: float = 0.5) -> float:
    """Posterior probability that system A's F1 exceeds B's, on independent test sets.

    F1 is ``2 q / (1 + q)`` of the share ``q = tp / (tp + fp + fn)``, whose posterior is beta with parameters
    ``tp + prior`` and ``fp + fn + 2 prior``; so the question is which of two independent beta variables is larger.
    Two systems on the same samples are not independent: compare them with `paired`.

    Parameters
    ----------
    a, b
        ``(tp, fp, fn)`` of each system.
    prior
        Parameter of the gamma prior of each count, above 0; 1/2 is Goutte & Gaussier's (Jeffreys').

    Returns
    -------
    float
        In [0, 1]; by quadrature, to about 1e-10.

    Raises
    ------
    DataError
        A count is not a whole number of at least 0, or the prior not a finite number above 0.

    References
    ----------
    Goutte & Gaussier (2005), ECIR, LNCS 3408:345-359, doi:10.1007/978-3-540-31865-1_25.

    Examples
    --------
    >>> round(f1_superiority((90, 10, 10), (80, 20, 20)), 4)
    0.9955
    >>> f1_superiority((5, 1, 2), (5, 1, 2))
    0.5
    """
    check_prior(prior)
    shapes = []
    for name, counts in (("a", a), ("b", b)):
        if len(counts) != 3:
            raise DataError(f"has {len(counts)} counts", "give tp, fp and fn", argument=name)
        tp, fp, fn = (
            require_integer(count, f"{part} of {name}") for part, count in zip(("tp", "fp", "fn"), counts, strict=True)
        )
        shapes.append((tp + prior, fp + fn + 2 * prior))
    return _larger(*shapes)


def check_prior(prior: float) -> None:
    """Refuse a prior that is not a finite number above 0."""
    if not 0 < prior < math.inf:
        raise DataError(f"is {prior}", "it must be a finite number above 0", argument="prior")


def _larger(a: tuple[float, float], b: tuple[float, float]) -> float:
    """P(X > Y) of independent beta variables."""
    if a == b:
        return 0.5
    return _mean_beyond(partial(preload().betainc, *b), a, 0.0)


def _leads(ahead: float, behind: float, neither: float, margin: float) -> float:
    """P(x - y > margin) for Dirichlet-distributed shares (x, y, rest); the margin is at least 0."""
    special = preload()
    if not ahead or margin >= 1:
        return 0.0
    if not behind:
        return float(special.betaincc(ahead, neither, margin)) if neither else 1.0
    if margin == 0 or not neither:
        return float(special.betainc(behind, ahead, (1 - margin) / 2))

    def leads(share_of_leads: float) -> float:
        # x / (x + y) is independent of x + y
        return float(special.betainc(behind, ahead, max(1 - margin / share_of_leads, 0.0) / 2))

    return _mean_beyond(leads, (ahead + behind, neither), margin)


def _mean_beyond(function: Callable[[float], float], law: tuple[float, float], threshold: float) -> float:
    """E(f(X); X > threshold) for a beta variable X and a function f with values from 0 to 1."""
    from scipy.integrate import quad

    special = preload()
    missed, mass = float(special.betainc(*law, threshold)), float(special.betaincc(*law, threshold))

    def lower(t: float) -> float:
        # X at its quantile u = t^4 / 2: no density, which may be infinite at the ends, is needed, and the slope at the
        # end vanishes.
        return float(function(special.betaincinv(*law, missed + mass * t**4 / 2))) * 2 * t**3

    def upper(t: float) -> float:
        return float(function(special.betainccinv(*law, mass * t**4 / 2))) * 2 * t**3

    exactness = {"epsabs": 1e-12, "epsrel": 1e-11, "limit": 400, "full_output": 1}
    mean = mass * sum(float(quad(half, 0.0, 1.0, **exactness)[0]) for half in (lower, upper))
    return min(max(mean, 0.0), 1.0)


def with_error(p: float, error: float) -> str:
    """Round p to the digits that its error allows, the error of the last digit in brackets: ``0.874(4)``."""
    if not error:
        return f"{p:.4f}"
    digits = min(4, math.floor(-math.log10(error)) + 1)
    if error * 10**digits > 9:
        digits -= 1
    return f"{p:.{digits}f}({math.ceil(error * 10**digits)})"
