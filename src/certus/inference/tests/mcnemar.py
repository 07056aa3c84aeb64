"""McNemar's test: two classifiers on the same samples, one right where the other is wrong."""

from dataclasses import dataclass
from typing import Literal

from certus.errors import MetricNameError
from certus.inference.special import binomial_at_most, preload
from certus.statistic import whole

__all__ = ["McNemar", "mcnemar"]


@dataclass(frozen=True, slots=True)
class McNemar:
    """What McNemar's test found.

    Attributes
    ----------
    p
        Two-sided p-value.
    statistic
        ``n01 - n10``: how many samples more the second system got right.
    method
        ``"exact"``, ``"mid-p"`` or ``"chi2"``.
    n
        Number of samples on which the systems differ; the others tell nothing.
    """

    p: float
    statistic: int
    method: str
    n: int

    def __str__(self) -> str:
        return f"p = {self.p:.4g} ({self.method} McNemar test, {self.n} samples on which the systems differ)"


def mcnemar(n01: int, n10: int, method: Literal["exact", "mid-p", "chi2"] = "exact") -> McNemar:
    """McNemar's test of two systems on the same samples, from the samples on which just one of them is right.

    If both are right equally often, n01 is binomial with n01 + n10 trials and probability 1/2.

    Parameters
    ----------
    n01
        Number of samples on which the first system is wrong and the second right.
    n10
        Number of samples on which the first is right and the second wrong.
    method
        ``"exact"``: the binomial probability of a difference at least as large, either way. ``"mid-p"``: that of the
        observed difference counts half; nearer to its level and hardly ever above it (Fagerland, Lydersen & Laake
        2013). ``"chi2"``: McNemar's approximation ``(n01 - n10)^2 / (n01 + n10)``, without continuity correction.

    Returns
    -------
    McNemar
        Its p is 1 where the systems never differ.

    Raises
    ------
    DataError
        A count is not a whole number of at least 0.
    MetricNameError
        There is no such method.

    Examples
    --------
    >>> print(mcnemar(9, 1))
    p = 0.02148 (exact McNemar test, 10 samples on which the systems differ)
    >>> mcnemar(9, 1, "mid-p").p
    0.01171875
    """
    second, first = whole(n01, "n01"), whole(n10, "n10")
    n, fewer = second + first, min(second, first)
    if method == "exact":
        p = min(1.0, 2 * binomial_at_most(fewer, n, 0.5))
    elif method == "mid-p":
        p = binomial_at_most(fewer, n, 0.5) + binomial_at_most(fewer - 1, n, 0.5)
        p = min(1.0, p)
    elif method == "chi2":
        p = float(preload().chdtrc(1, (second - first) ** 2 / n)) if n else 1.0
    else:
        raise MetricNameError(f"no McNemar test is named {method!r}; there are 'exact', 'mid-p' and 'chi2'")
    return McNemar(1.0 if second == first else p, second - first, method, n)
