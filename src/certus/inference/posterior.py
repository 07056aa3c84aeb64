"""Posteriors of precision, recall, F and other shares, with scipy's method names (Goutte & Gaussier 2005)."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.core.readable import Drawable
from certus.inference.interval import checked_level
from certus.inference.special import preload
from certus.statistic.common import require_integer

NODES = 80
POINTS = 600
"""Points at which the density is drawn."""


def halves() -> tuple[Floats, Floats]:
    """Nodes and weights on 0 to 1/2, dense near 0, where quantile functions bend most."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    t = (nodes + 1) / 2
    return t**4 / 2, weights * t**3


class PosteriorDistribution(Drawable, ABC):
    """The posterior of a share: a continuous distribution on 0 to 1."""

    name = "share"

    @abstractmethod
    def pdf(self, x: ArrayLike) -> Floats:
        """Probability density at x."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x)."""

    @abstractmethod
    def _quantile(self, q: float, *, upper: bool) -> float:
        """The x with P(X <= x) = q, or with P(X > x) = q for the upper side, for 0 < q < 1."""

    @abstractmethod
    def rvs(self, size: int = 1, seed: int = 0) -> Floats:
        """Draw independent random values; the same seed returns the same values."""

    def sf(self, x: ArrayLike) -> Floats:
        """P(X > x)."""
        return np.asarray(1 - self.cdf(x))

    def ppf(self, q: float) -> float:
        """The quantile: the x with P(X <= x) = q.

        Raises
        ------
        DataError
            If q lies outside [0, 1].
        """
        if not 0 <= q <= 1:
            raise DataError(f"is {q}", "a probability lies in [0, 1]", argument="q")
        if q in (0, 1):
            return float(q)
        return self._quantile(q, upper=False) if q <= 0.5 else self._quantile(1 - q, upper=True)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Equal-tailed interval that contains the probability `level`.

        Raises
        ------
        CertusError
            If the level lies outside (0, 1).
        """
        tail = (1 - checked_level(level)) / 2
        return self._quantile(tail, upper=False), self._quantile(tail, upper=True)

    def mean(self) -> float:
        """Expected value."""
        return self._moment(1)

    def std(self) -> float:
        """Standard deviation."""
        return math.sqrt(max(self._moment(2) - self.mean() ** 2, 0.0))

    def _moment(self, power: int) -> float:
        """E(X^power), by integration over quantiles."""
        tails, weights = halves()
        values = [self._quantile(u, upper=False) ** power + self._quantile(u, upper=True) ** power for u in tails]
        return float(weights @ np.array(values))

    def plot(self, ax: Any = None, *, level: float = 0.95, name: str | None = None) -> Any:
        """Draw the density, with the interval shaded; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure. Several laws may share one.
        level
            Of the interval that is shaded.
        name
            What the legend calls the law.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.law import law as draw_law

        low, high = self.interval(level)
        first, last = (self._quantile(2e-4, upper=upper) for upper in (False, True))  # the farthest a reader can see
        x = np.unique(np.concatenate([np.linspace(first, last, POINTS), [low, high]]))
        text = f"{name or self.name}: {self.mean():.3f} [{low:.3f}, {high:.3f}]"
        return draw_law(
            x,
            self.pdf(x),
            ax,
            name=f"{text}, {100 * level:g}% of the posterior",
            shaded=(low, high),
            xlabel="Value",
            ylabel="Posterior density",
        )


class BetaPosterior(PosteriorDistribution):
    """A beta distribution: the posterior of precision, recall or any other share.

    Parameters
    ----------
    a, b
        Hits and misses, each with its prior; above 0.
    name
        What it is the law of.

    Examples
    --------
    >>> law = BetaPosterior(90.5, 10.5)
    >>> round(law.mean(), 4), [round(limit, 4) for limit in law.interval(0.95)]
    (0.896, [0.8299, 0.9474])
    """

    def __init__(self, a: float, b: float, name: str = "share") -> None:
        if not (0 < a < math.inf and 0 < b < math.inf):
            raise DataError(f"is {a} and b is {b}", "they must be finite numbers above 0", argument="a")
        self.a, self.b, self.name = float(a), float(b), name

    def __repr__(self) -> str:
        return f"<{self.name}: Beta({self.a:g}, {self.b:g})>"

    def pdf(self, x: ArrayLike) -> Floats:
        """Probability density at x."""
        special, points = preload(), np.asarray(x, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = special.xlogy(self.a - 1, points) + special.xlog1py(self.b - 1, -points)
            logs -= special.betaln(self.a, self.b)
        return np.where((points >= 0) & (points <= 1), np.exp(logs), 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x)."""
        return np.asarray(preload().betainc(self.a, self.b, np.clip(x, 0, 1)))

    def sf(self, x: ArrayLike) -> Floats:
        """P(X > x)."""
        return np.asarray(preload().betainc(self.b, self.a, 1 - np.clip(x, 0, 1)))

    def _quantile(self, q: float, *, upper: bool) -> float:
        """Value that the share stays below (above if `upper`) with probability q."""
        special = preload()
        return float((special.betainccinv if upper else special.betaincinv)(self.a, self.b, q))

    def mean(self) -> float:
        """Expected value, a / (a + b)."""
        return self.a / (self.a + self.b)

    def std(self) -> float:
        """Standard deviation."""
        total = self.a + self.b
        return math.sqrt(self.a * self.b / (total + 1)) / total

    def rvs(self, size: int = 1, seed: int = 0) -> Floats:
        """Draw independent random values; the same seed returns the same values."""
        return np.random.default_rng(seed).beta(self.a, self.b, require_integer(size, "size"))


def superiority(a: PosteriorDistribution, b: PosteriorDistribution) -> float:
    """P(A > B) for two independent posteriors, for example of systems on different test sets.

    Two systems on the same samples are not independent: ``rope(difference(a, b), 0)`` has their probability.

    Parameters
    ----------
    a, b
        Posterior laws, such as ``posteriors(tp, fp, fn).precision``.

    Returns
    -------
    float
        In [0, 1]; by quadrature, to about 1e-9.

    Raises
    ------
    DataError
        One is not a posterior law.

    References
    ----------
    Goutte & Gaussier (2005), ECIR, LNCS 3408:345-359, doi:10.1007/978-3-540-31865-1_25, who simulate it.

    Examples
    --------
    >>> from certus.inference import posteriors
    >>> a, b = posteriors(90, 10, 10), posteriors(80, 20, 20)
    >>> round(superiority(a.precision, b.precision), 4), round(superiority(a.f(), b.f()), 4)
    (0.9768, 0.9955)
    """
    for name, law in (("a", a), ("b", b)):
        if not isinstance(law, PosteriorDistribution):
            raise DataError(
                f"is {law!r}", "it must be a posterior law, such as posteriors(90, 10, 20).precision", argument=name
            )
    tails, weights = halves()
    low = b.cdf(np.array([a._quantile(u, upper=False) for u in tails]))
    high = b.cdf(np.array([a._quantile(u, upper=True) for u in tails]))
    return min(max(float(weights @ (low + high)), 0.0), 1.0)


PRIORS = {"jeffreys": 0.5, "uniform": 1.0}


class FPosterior(PosteriorDistribution):
    """The posterior of F, given Dirichlet-distributed shares of true and false positives and false negatives.

    F is ``(1 + beta^2) tp / ((1 + beta^2) tp + beta^2 fn + fp)``. The share of tp among the three has a beta law, and
    independent of it the share of fn among the errors; given that share F is a function of the first, so the law is one
    integral. With beta 1 it is that of ``2 q / (1 + q)`` for a beta variable q.

    Parameters
    ----------
    tp, fp, fn
        Parameters of the Dirichlet law: counts with their priors.
    beta
        How much more recall counts than precision; above 0.
    """

    def __init__(self, tp: float, fp: float, fn: float, beta: float = 1.0) -> None:
        if not 0 < beta < math.inf:
            raise DataError(f"is {beta}", "it must be a finite number above 0", argument="beta")
        self.parameters, self.beta = (tp, fp, fn), float(beta)
        self.name = f"F{beta:g}"
        self._share = BetaPosterior(tp, fp + fn)

    def __repr__(self) -> str:
        return f"<{self.name}: of Dirichlet({', '.join(f'{parameter:g}' for parameter in self.parameters)})>"

    @cached_property
    def _mixed(self) -> tuple[Floats, Floats]:
        """Cost of an error relative to a true positive, for each point of the mixture, and the points' weights."""
        _, fp, fn = self.parameters
        square = self.beta**2
        if square == 1:
            return np.array([0.5]), np.ones(1)
        special, (tails, weights) = preload(), halves()
        shares = np.concatenate([special.betaincinv(fn, fp, tails), special.betainccinv(fn, fp, tails)])
        return (1 + (square - 1) * shares) / (1 + square), np.concatenate([weights, weights])

    def pdf(self, x: ArrayLike) -> Floats:
        """Probability density at x."""
        points = np.asarray(x, dtype=np.float64)[..., None]
        errors, weights = self._mixed
        # q / (1 - q) = w x / (1 - x), so q = w x / (1 - x + w x)
        denominator = 1 - points + errors * points
        return np.asarray((self._share.pdf(errors * points / denominator) * errors / denominator**2) @ weights)

    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x)."""
        return self._mixture(self._share.cdf, x)

    def sf(self, x: ArrayLike) -> Floats:
        """P(X > x)."""
        return self._mixture(self._share.sf, x)

    def _mixture(self, tail: Callable[[Floats], Floats], x: ArrayLike) -> Floats:
        """Weighted mean of a tail probability over the points of the mixture."""
        points = np.clip(np.asarray(x, dtype=np.float64), 0, 1)[..., None]
        errors, weights = self._mixed
        return np.asarray(tail(errors * points / (1 - points + errors * points)) @ weights)

    def _quantile(self, q: float, *, upper: bool) -> float:
        """Value that F stays below (above if `upper`) with probability q, by root finding."""
        errors, _ = self._mixed
        share = self._share._quantile(q, upper=upper)
        # Between those for the least and the greatest weight of an error.
        bracket = sorted(share / (share + float(w) * (1 - share)) for w in (errors.min(), errors.max()))
        if bracket[1] - bracket[0] < 1e-15:
            return bracket[0]
        from scipy.optimize import brentq

        side = self.sf if upper else self.cdf

        def off(x: float) -> float:
            return float(side(x)) - q

        low, high = bracket[0] * (1 - 1e-12), min(bracket[1] * (1 + 1e-12), 1.0)
        return float(brentq(off, low, high, xtol=1e-15)) if off(low) * off(high) < 0 else bracket[0]

    def rvs(self, size: int = 1, seed: int = 0) -> Floats:
        """Draw independent random values; the same seed returns the same values."""
        gammas = np.random.default_rng(seed).standard_gamma(self.parameters, (require_integer(size, "size"), 3))
        gain, square = (1 + self.beta**2) * gammas[:, 0], self.beta**2
        return np.asarray(gain / (gain + gammas[:, 1] + square * gammas[:, 2]))


class Posteriors:
    """Posteriors of precision, recall and F from true positives, false positives and negatives; see `posteriors`.

    Attributes
    ----------
    parameters
        Of the Dirichlet law of the three: counts with their priors.
    precision, recall
        Beta laws.
    """

    parameters: tuple[float, float, float]
    precision: BetaPosterior
    recall: BetaPosterior

    def __init__(self, tp: float, fp: float, fn: float) -> None:
        self.parameters = (tp, fp, fn)
        self.precision = BetaPosterior(tp, fp, "precision")
        self.recall = BetaPosterior(tp, fn, "recall")

    def f(self, beta: float = 1.0) -> FPosterior:
        """Posterior of F; with `beta` above 1 recall counts more than precision.

        Raises
        ------
        DataError
            `beta` is not a finite number above 0.
        """
        return FPosterior(*self.parameters, beta)

    def __repr__(self) -> str:
        return f"<Posteriors: Dirichlet({', '.join(f'{parameter:g}' for parameter in self.parameters)})>"


def posteriors(tp: int, fp: int, fn: int, *, prior: float | str | Sequence[float] = "jeffreys") -> Posteriors:
    """Posteriors of precision, recall and F from the counts of one system.

    The four cells of the confusion matrix are multinomial, with a Dirichlet prior. Given the retrieved items, true
    positives are binomial with the precision; given the positives, with the recall::

        precision ~ Beta(tp + prior, fp + prior)        recall ~ Beta(tp + prior, fn + prior)

    F of the three has a law that is one integral, computed and not simulated.

    Parameters
    ----------
    tp, fp, fn
        True positives, false positives, false negatives.
    prior
        ``"jeffreys"`` (1/2), ``"uniform"`` (1), a number above 0 for each of the three cells, or three numbers.

    Returns
    -------
    Posteriors
        With ``precision``, ``recall`` and ``f(beta)``: laws with ``mean``, ``interval``, ``ppf``, ``cdf``, ``pdf``,
        ``rvs`` and ``plot``.

    Raises
    ------
    DataError
        A count is not a whole number of at least 0, or the prior is none of the above.

    References
    ----------
    Goutte & Gaussier (2005), ECIR, LNCS 3408:345-359, doi:10.1007/978-3-540-31865-1_25.

    Examples
    --------
    >>> found = posteriors(90, 10, 20)
    >>> found.precision, found.recall
    (<precision: Beta(90.5, 10.5)>, <recall: Beta(90.5, 20.5)>)
    >>> [round(limit, 4) for limit in found.f().interval(0.95)]
    [0.7981, 0.8999]
    >>> round(found.f(2).mean(), 4), round(float(found.recall.sf(0.8)), 4)
    (0.8299, 0.6764)
    """
    counts = [require_integer(count, name) for name, count in (("tp", tp), ("fp", fp), ("fn", fn))]
    pseudocounts = _prior(prior)
    return Posteriors(*(count + extra for count, extra in zip(counts, pseudocounts, strict=True)))


def _prior(prior: object) -> tuple[float, float, float]:
    """Check the prior and return three parameters."""
    wrong = DataError(
        f"is {prior!r}",
        "give 'jeffreys', 'uniform', a finite number above 0, or three of them for tp, fp, fn",
        argument="prior",
    )
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise wrong
        return (PRIORS[prior],) * 3
    try:
        parameters = np.broadcast_to(np.asarray(prior, dtype=np.float64), 3)
    except (TypeError, ValueError):
        raise wrong from None
    if not (np.isfinite(parameters).all() and (parameters > 0).all()):
        raise wrong
    return float(parameters[0]), float(parameters[1]), float(parameters[2])
