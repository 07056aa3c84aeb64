"""Posterior probabilities that one system is better than another."""

import math
from collections.abc import Sequence

from certus.errors import DataError
from certus.inference.special import preload
from certus.statistic.common import whole

__all__ = ["dirichlet_superiority", "f1_superiority"]


def dirichlet_superiority(n1: int, n2: int, n3: int = 0, prior: float = 1.0) -> float:
    """Posterior probability that system 1 wins more often than system 2, from how often each won.

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
    counts = [whole(count, name) for name, count in (("n1", n1), ("n2", n2), ("n3", n3))]
    check_prior(prior)
    return float(preload().betainc(counts[1] + prior, counts[0] + prior, 0.5))


def f1_superiority(a: Sequence[int], b: Sequence[int], prior: float = 0.5) -> float:
    """Posterior probability that F1 of system A exceeds that of system B, each on a test set of its own.

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
    for name, given in (("a", a), ("b", b)):
        if len(given) != 3:
            raise DataError(f"{name} has {len(given)} counts; give tp, fp and fn")
        tp, fp, fn = (whole(count, f"{part} of {name}") for part, count in zip(("tp", "fp", "fn"), given, strict=True))
        shapes.append((tp + prior, fp + fn + 2 * prior))
    return _larger(*shapes)


def check_prior(prior: float) -> None:
    if not 0 < prior < math.inf:
        raise DataError(f"prior is {prior}; it must be a finite number above 0")


def _larger(a: tuple[float, float], b: tuple[float, float]) -> float:
    """P(X > Y) of independent beta variables."""
    if a == b:
        return 0.5
    from scipy.integrate import quad

    special = preload()

    def lower(t: float) -> float:
        # X at its quantile u = t^4 / 2: no density, which may be infinite at the ends, is needed, and the slope at the
        # end vanishes.
        return float(special.betainc(*b, special.betaincinv(*a, t**4 / 2))) * 2 * t**3

    def upper(t: float) -> float:
        return float(special.betainc(*b, special.betainccinv(*a, t**4 / 2))) * 2 * t**3

    exactness = {"epsabs": 1e-12, "epsrel": 1e-11, "limit": 400, "full_output": 1}
    found = sum(float(quad(half, 0.0, 1.0, **exactness)[0]) for half in (lower, upper))
    return min(max(found, 0.0), 1.0)
