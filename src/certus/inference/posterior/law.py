"""Questions that every posterior law answers, in scipy's vocabulary."""

import math
from abc import ABC, abstractmethod
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
    """Nodes and weights of the interval from 0 to 1/2, close together near 0, where quantiles of laws bend most."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    t = (nodes + 1) / 2
    return t**4 / 2, weights * t**3


class PosteriorLaw(Drawable, ABC):
    """The posterior law of a share: a continuous law on 0 to 1."""

    name = "share"

    @abstractmethod
    def pdf(self, x: ArrayLike) -> Floats:
        """The density."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x)."""

    @abstractmethod
    def _quantile(self, q: float, *, upper: bool) -> float:
        """The x with P(X <= x) = q, or with P(X > x) = q for the upper side, for 0 < q < 1."""

    @abstractmethod
    def rvs(self, size: int = 1, seed: int = 0) -> Floats:
        """Independent random values; one seed gives the same values every time."""

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
        """The quantiles between which the middle `level` of the probability lies.

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
        """E(X^power), by the quantiles."""
        below, weights = halves()
        values = [self._quantile(u, upper=False) ** power + self._quantile(u, upper=True) ** power for u in below]
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
        said = f"{name or self.name}: {self.mean():.3f} [{low:.3f}, {high:.3f}]"
        return draw_law(
            x,
            self.pdf(x),
            ax,
            name=f"{said}, {100 * level:g}% of the posterior",
            shaded=(low, high),
            xlabel="Value",
            ylabel="Posterior density",
        )


class BetaPosterior(PosteriorLaw):
    """A beta law: the posterior of precision, of recall, or of any other share.

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
        """The density."""
        special, at = preload(), np.asarray(x, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = special.xlogy(self.a - 1, at) + special.xlog1py(self.b - 1, -at) - special.betaln(self.a, self.b)
        return np.where((at >= 0) & (at <= 1), np.exp(logs), 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        """P(X <= x)."""
        return np.asarray(preload().betainc(self.a, self.b, np.clip(x, 0, 1)))

    def sf(self, x: ArrayLike) -> Floats:
        """P(X > x)."""
        return np.asarray(preload().betainc(self.b, self.a, 1 - np.clip(x, 0, 1)))

    def _quantile(self, q: float, *, upper: bool) -> float:
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
        """Independent random values; one seed gives the same values every time."""
        return np.random.default_rng(seed).beta(self.a, self.b, require_integer(size, "size"))


def superiority(a: PosteriorLaw, b: PosteriorLaw) -> float:
    """P(A > B) of two independent posteriors: that of systems on test sets of their own.

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
        if not isinstance(law, PosteriorLaw):
            raise DataError(
                f"is {law!r}", "it must be a posterior law, such as posteriors(90, 10, 20).precision", argument=name
            )
    below, weights = halves()
    low = b.cdf(np.array([a._quantile(u, upper=False) for u in below]))
    high = b.cdf(np.array([a._quantile(u, upper=True) for u in below]))
    return min(max(float(weights @ (low + high)), 0.0), 1.0)
