"""Recall and precision when the number of positives is known and a sample of them was checked; their coverage."""

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from certus.audit._check import Prior, count, prior_parameters
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, mention, require_at_most
from certus.core.printable import aligned
from certus.inference import Estimate
from certus.inference.declare import FORMS
from certus.inference.estimate import EstimateRows
from certus.inference.finite import hypergeometric
from certus.inference.finite.laws import Posterior, posterior
from certus.inference.interval import checked_level
from certus.inference.posterior import BetaPosterior
from certus.statistic import Proportion
from certus.statistic.sampled import Sampled

BARS = 60
MOST_ROWS = 200
PLOTTED_PROBABILITY = 0.9999
LARGEST = 10**7


@dataclass(frozen=True)
class KnownPositives(EstimateRows):
    """Recall and precision from a checked sample of the positives, see `recall_precision`.

    Attributes
    ----------
    recall, precision, f1
        Shares of the positives that are predicted and of the predicted that are positive; their harmonic mean. Where an
        estimate is not a whole count of hits, an interval of a low level may leave it out, see `recall_precision`.
    hits
        The number of positives that are predicted; its intervals are in whole items.
    positives, checked, found, predicted, population
        The numbers that were given; `found` is the hits among the checked.
    """

    recall: Estimate
    precision: Estimate
    f1: Estimate
    hits: Estimate
    positives: int
    checked: int
    found: int
    predicted: int
    population: int | None = None

    def posterior(self) -> list[tuple[int, float, float]]:
        """The posterior as a table: each possible count of hits, its probability, and that of as many or fewer.

        Raises
        ------
        DataError
            There are more than 200 possible counts.

        Examples
        --------
        >>> audit = recall_precision(positives=6, checked=4, hits=3, predicted=10)
        >>> for hits, p, up_to in audit.posterior():
        ...     print(hits, round(p, 4), round(up_to, 4))
        3 0.1429 0.1429
        4 0.381 0.5238
        5 0.4762 1.0
        """
        law = self._law
        count = law.high - law.low + 1
        if count > MOST_ROWS:
            raise DataError(
                f"the posterior has {count:,} counts of hits", f"a table has at most {MOST_ROWS}, draw it instead"
            )
        chances = law.run(law.low, law.high).tolist()
        return [(law.low + index, chance, law.lower_tail(law.low + index)) for index, chance in enumerate(chances)]

    @property
    def _law(self) -> Posterior:
        """The posterior law of the hits among all positives, cut to the possible counts."""
        sampled = self._sampled
        return Posterior(sampled.hits, sampled.checked, sampled.population, sampled.prior, sampled.possible)

    @property
    def _sampled(self) -> Sampled:
        return cast("Sampled", self.hits.statistic)

    def plot(
        self,
        ax: Any = None,
        *,
        level: float | None = None,
        interval: str | None = None,
        approximations: bool = True,
    ) -> Any:
        """Draw the posterior law of the hits, the interval shaded and the estimate marked; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        level, interval
            Level and method of the interval that is shaded; by default those of the audit.
        approximations
            Whether to draw the normal and the beta law beside it, which take the positives for endless.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.law import law as draw_law

        law, sampled, shaded = self._law, self._sampled, self.hits.interval(level, interval)
        around = posterior(law, PLOTTED_PROBABILITY)
        low, high = (max(min(around[0], int(shaded.low)), law.low), min(max(around[1], int(shaded.high)), law.high))
        if high - low > LARGEST:
            raise DataError(f"the posterior has {high - low:,} likely counts of hits", f"at most {LARGEST:,} are drawn")
        counts = np.arange(low, high + 1, dtype=np.float64)
        chances = law.run(low, high)
        x, y, bars = counts, chances, len(counts) <= BARS
        if not bars:
            edges = np.append(counts - 0.5, counts[-1] + 0.5)
            x, y = np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(chances, 2), [0.0]])
        n, k, total = sampled.checked, sampled.hits, sampled.population
        limits_text = f"{shaded.low:,.0f} to {shaded.high:,.0f}"
        return draw_law(
            x,
            y,
            ax,
            bars=bars,
            name=f"posterior of the hits; shaded: {100 * shaded.level:g}% interval {limits_text} ({shaded.method})",
            shaded=(shaded.low - 0.5, shaded.high + 0.5),
            curves=_approximations(sampled, low, high) if approximations else [],
            marks=[(self.hits.value, f"estimate {self.hits.value:,.10g}")],
            xlabel=f"Hits among all {total:,} positives",
            ylabel="Probability",
            title=f"{n:,} checked, {k:,} of them hits",
        )

    def _estimates(self) -> dict[str, Estimate]:
        return {"Recall": self.recall, "Precision": self.precision, "F1": self.f1, "Hits": self.hits}

    def __str__(self) -> str:
        lines = [[name, str(estimate)] for name, estimate in self._estimates().items()]
        return "\n".join(aligned(lines, [True, True]))


def _approximations(sampled: Sampled, low: int, high: int) -> list[tuple[Floats, Floats, str]]:
    """The normal and the beta law that take the positives for endless, as curves."""
    n, k, total = sampled.checked, sampled.hits, sampled.population
    curves = []
    across = np.linspace(max(low, 0) - 0.5, high + 0.5, 600)
    share = k / n
    sd = total * math.sqrt(share * (1 - share) / n)
    if sd:
        normal = np.exp(-(((across - total * share) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
        curves.append((across, normal, "normal approximation"))
    beta = BetaPosterior(k + sampled.prior[0], n - k + sampled.prior[1]).pdf(np.clip(across / total, 0, 1)) / total
    curves.append((across, np.where(np.isfinite(beta), beta, np.nan), "beta approximation"))
    return curves


def recall_precision(
    *,
    positives: int,
    checked: int,
    hits: int,
    predicted: int,
    population: int | None = None,
    level: float = 0.95,
    interval: str = "blaker",
    prior: Prior = "uniform",
) -> KnownPositives:
    """Recall, precision, F1 and hits, from a random sample when the number of positives is known.

    There are N positives and M predicted items. Which of the positives are predicted is known for n of them, drawn at
    random without replacement: k are. The X hits among all positives give recall X / N, precision X / M and
    F1 2 X / (N + M), so one interval for X gives all.

    Parameters
    ----------
    positives
        N, how many positives there are.
    checked
        n, how many of them were drawn at random and checked, from 1 to N.
    hits
        k, how many of the checked are predicted.
    predicted
        M, how many items are predicted. There cannot be more hits.
    population
        How many items there are in all. Missed positives are outside of the predicted, so at least
        ``N + M - population`` positives are hits. None where unknown.
    level
        Wanted coverage of the intervals, strictly between 0 and 1.
    interval
        The interval method of the estimates, unless another is asked for.

        - Exact, covering at least the level whatever X is: ``"blaker"``, ``"hypergeometric"`` (equal-tailed test
          inversion; ``"hypergeometric-lower"`` and ``"hypergeometric-upper"`` are one-sided), ``"amo"`` (least average
          size), ``"wang"`` (admissible), ``"clopper-pearson"`` (wide: takes the population for endless).
        - About the level on average: ``"mid-p"``, ``"posterior"`` (beta-binomial, equal-tailed), ``"hpd"`` (beta-
          binomial, likeliest counts), ``"wilson-fpc"``.
        - Taking the population for endless: ``"wilson"``, ``"beta"``.
    prior
        For the two posterior methods: ``"uniform"`` (every X equally likely), ``"jeffreys"``, or the two parameters of
        a beta law.

    Returns
    -------
    KnownPositives
        With ``recall``, ``precision``, ``f1`` and ``hits``. Where impossible counts were cut off an interval, its
        `reason` says so.

    Raises
    ------
    DataError
        A number is negative or not whole, or the numbers contradict each other.
    MetricNameError
        The method or the prior does not exist.
    CertusError
        The level is not valid; for ``"amo"`` and ``"wang"`` there are more than 200,000 positives.

    Notes
    -----
    The estimate of X is ``N k / n``, which is unbiased, moved to the nearest possible count. The most likely count,
    ``floor((N + 1) k / n)``, differs from it by less than 1.

    Intervals of the exact and the posterior methods have whole counts as limits. At low levels they can be so short
    that ``N k / n``, where it is not whole, lies outside: with 10 hits in 29 of 30 positives ``"mid-p"`` at the level
    0.3 gives 10 to 10, and the estimate is 10.34. Intervals of ``"wang"`` of different levels need not be nested: each
    level is worked out by itself.

    Examples
    --------
    >>> audit = recall_precision(positives=1000, checked=500, hits=400, predicted=10000)
    >>> print(audit)
    Recall     0.8000 [0.7740, 0.8240]  95% Blaker, 500 checked positives
    Precision  0.0800 [0.0774, 0.0824]  95% Blaker, 500 checked positives
    F1         0.1455 [0.1407, 0.1498]  95% Blaker, 500 checked positives
    Hits       800 [774, 824]  95% Blaker, 500 checked positives
    >>> print(audit.recall.interval(0.9, "posterior"))
    [0.7780, 0.8200]
    >>> audit = recall_precision(positives=500, checked=100, hits=80, predicted=405)
    >>> print(audit.hits)
    400 [361, 405]  95% Blaker, 100 checked positives (impossible counts above 405 are cut off)
    """
    positives = count(positives, "positives", "recall is a share of the positives", minimum=1)
    checked, hits = _sample(checked, hits)
    predicted = count(predicted, "predicted", "the items that are predicted")
    require_at_most("checked", checked, "positives", positives, "no positive is checked twice")
    require_at_most("hits", hits, "predicted", predicted, "every hit is predicted")
    fewest_hits = 0
    if population is not None:
        population = count(population, "population", "all items")
        _check_population(positives, checked, hits, predicted, population)
        fewest_hits = max(positives + predicted - population, 0)
    level = checked_level(level)
    interval = FORMS[Sampled].method(interval)
    parameters = prior_parameters(prior)

    def estimate(name: str, per: float | None) -> Estimate:
        most_hits = min(predicted, positives)
        statistic = Sampled(positives, checked, hits, per, fewest_hits, most_hits, parameters, unit="checked positive")
        bounds = (0.0, float(positives) if per is None else 1.0)
        conventions = {"prior": parameters} if interval in ("posterior", "hpd") else {}
        return Estimate(statistic, name, bounds, conventions, level=level, method=interval)

    divisors = {"Recall": positives, "Precision": predicted, "F1": (positives + predicted) / 2, "Hits": None}
    recall, precision, f1, relevant = (estimate(name, divisor) for name, divisor in divisors.items())
    return KnownPositives(recall, precision, f1, relevant, positives, checked, hits, predicted, population)


def _sample(checked: int, hits: int) -> tuple[int, int]:
    """The numbers of checked positives and of hits among them."""
    checked = count(checked, "checked", "a sample of none says nothing", minimum=1)
    hits = count(hits, "hits", "the checked positives that are predicted")
    require_at_most("hits", hits, "checked", checked, "hits are counted among the checked")
    return checked, hits


def _check_population(positives: int, checked: int, hits: int, predicted: int, population: int) -> None:
    for name, part in (("positives", positives), ("predicted", predicted)):
        if part > population:
            raise DataError(
                f"is {population} but {mention(name)} is {part}",
                "they are part of the population",
                argument="population",
            )
    if predicted + checked - hits > population:
        raise DataError(
            f"is {population} but {predicted} items are predicted and {checked - hits} checked positives are not",
            "they do not fit in it",
            argument="population",
        )


def hits_posterior(N: int, n: int, k: int, prior: Prior = "uniform") -> Any:
    """Posterior law of the hits among N positives, when k of n checked ones are hits.

    For the uniform prior ``P(X = x) = C(x, k) C(N - x, n - k) / C(N + 1, n + 1)``. The hits among the N - n unchecked
    positives are beta-binomial with the parameters ``k + a`` and ``n - k + b``, where (a, b) is the beta prior of the
    share; X is k more.

    Parameters
    ----------
    N
        Number of positives.
    n
        Number of them that were checked, ``0 <= n <= N``; for 0 the law is the prior's.
    k
        Number of hits among the checked, ``0 <= k <= n``.
    prior
        ``"uniform"``, ``"jeffreys"``, or the two parameters of a beta law.

    Returns
    -------
    scipy.stats.rv_frozen
        scipy's `betabinom` with these parameters, shifted by k: with ``pmf``, ``cdf``, ``ppf``, ``mean``, ``std``, ...

    Raises
    ------
    DataError
        A number is negative or not whole, or k exceeds n, or n exceeds N.

    Examples
    --------
    >>> law = hits_posterior(1000, 500, 400)
    >>> float(law.mean().round(4)), float(law.std().round(3))
    (799.4024, 12.652)
    """
    from scipy.stats import betabinom

    N = count(N, "N", "the positives")
    n = count(n, "n", "the checked positives")
    k = count(k, "k", "the hits among the checked")
    require_at_most("n", n, "N", N, "no positive is checked twice")
    require_at_most("k", k, "n", n, "hits are counted among the checked")
    a, b = prior_parameters(prior)
    return betabinom(N - n, k + a, n - k + b, loc=k)


def unknown_positives(*, checked: int, hits: int, level: float = 0.95, interval: str = "blaker") -> Estimate:
    """Recall from a random sample of the positives, whose total number is not known.

    The interval is the binomial one, as if the positives had no end. For a finite number of them, whatever it is, the
    sample says more, so that an exact binomial method covers more than its level: with 100 checked of 1,000,
    Clopper and Pearson's covers at least 0.961 of the time at the level 0.95. Precision cannot be had from this sample.

    Parameters
    ----------
    checked
        How many positives were drawn at random and checked, at least 1.
    hits
        How many of them are predicted.
    level
        Wanted coverage, strictly between 0 and 1.
    interval
        ``"blaker"`` or ``"clopper-pearson"``, which never cover less than the level, or any method for a proportion:
        ``"wilson"``, ``"jeffreys"``, ``"mid-p"``, ``"agresti-coull"``, ``"wald"``.

    Raises
    ------
    DataError
        A number is negative or not whole, or there are more hits than checked.
    MetricNameError
        There is no such method.
    CertusError
        The level is not valid.

    Examples
    --------
    >>> print(unknown_positives(checked=500, hits=400))
    0.8000 [0.7625, 0.8336]  95% Blaker, 500 checked positives
    """
    checked, hits = _sample(checked, hits)
    statistic = Proportion(hits, checked, unit="checked positive")
    name = FORMS[Proportion].method(interval)
    return Estimate(statistic, "Recall", (0.0, 1.0), level=checked_level(level), method=name)


def coverage(interval: str, N: int, n: int, level: float = 0.95, *, prior: Prior = "uniform") -> NDArray[np.float64]:
    """The exact coverage of a method's interval, for each true number of hits from 0 to N.

    Parameters
    ----------
    interval
        An interval method of `recall_precision`.
    N
        Number of positives.
    n
        Number of them that are checked, ``0 <= n <= N``.
    level
        The level the intervals are made for.
    prior
        For ``"posterior"`` and ``"hpd"``, see `recall_precision`.

    Returns
    -------
    numpy.ndarray
        N + 1 probabilities: entry X is the chance that a sample of n out of N positives of which X are hits leads to
        an interval that holds X.

    Raises
    ------
    DataError
        A number is negative or not whole, or n exceeds N.
    MetricNameError
        The method or the prior does not exist.
    CertusError
        The level is not valid, or N is too large for the method.

    Notes
    -----
    The interval is that of `recall_precision`, for a share: limits outside of the counts that the sample leaves
    possible are moved to the nearest one. Real limits with no whole count between them hold none. One-sided limits go
    to the last possible count.

    The limits of all n + 1 outcomes are made once; the time is that for their total length, N times some standard
    deviations of k.

    Examples
    --------
    >>> chance = coverage("blaker", 50, 20)
    >>> len(chance), round(float(chance.min()), 4), round(float(chance.mean()), 4)
    (51, 0.9502, 0.9704)
    >>> round(float(coverage("wilson-fpc", 500, 100).min()), 4)
    0.8
    """
    return hypergeometric.coverage_of(*intervals(interval, N, n, level, prior=prior), int(N))


def intervals(method: str, N: int, n: int, level: float = 0.95, *, prior: Prior = "uniform") -> tuple[Ints, Ints]:
    """First and last whole count in a method's interval for each number of hits; the first is greater for none."""
    N, n = count(N, "N", "the positives"), count(n, "n", "the checked positives")
    require_at_most("n", n, "N", N, "no positive is checked twice")
    level, parameters = checked_level(level), prior_parameters(prior)
    name = FORMS[Sampled].method(method)
    if n == 0:
        return np.array([0]), np.array([N])
    samples = (Sampled(N, n, hits, N, prior=parameters) for hits in range(n + 1))
    limits = N * np.array([Estimate(sample, bounds=(0.0, 1.0)).interval(level, name) for sample in samples])
    # The whole counts between the limits; a rounding error leaves none out.
    low = np.ceil(limits[:, 0] * (1 - ROUNDING)).astype(np.int64)
    high = np.floor(limits[:, 1] * (1 + ROUNDING)).astype(np.int64)
    return low, high


ROUNDING = 1e-12
