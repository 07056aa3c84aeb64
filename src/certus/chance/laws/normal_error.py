"""Errors of normal approximations of average precision under a random ranking."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy import special

from certus.chance.laws.average_precision import average_precision
from certus.core.errors import DataError
from certus.core.printable import aligned

SHARES = (0.025, 0.5, 0.975)


@dataclass(frozen=True)
class NormalError:
    """A normal law beside the exact one.

    Attributes
    ----------
    mean, var
        Of the normal law.
    quantiles
        Its quantiles at 2.5%, 50% and 97.5%.
    size
        For each level the exact P(AP >= x) where the normal law puts the level: how often a test by it rejects chance.
    stated
        For each level the probability that the normal law states where the exact P(AP >= x) is the level.
    """

    mean: float
    var: float
    quantiles: tuple[float, ...]
    size: tuple[float, ...]
    stated: tuple[float, ...]


@dataclass(frozen=True)
class NormalErrors:
    """The exact law of average precision, and normal laws beside it; see `normal_error`.

    Attributes
    ----------
    items, relevant, levels
        As they were asked for.
    mean, var, quantiles
        Of the exact law.
    laws
        ``"normal"``: with the exact mean and variance. ``"zhang-su"``: of the paper's table. ``"zhang-su-printed"``: by
        its formulas as printed.
    """

    items: int
    relevant: int
    levels: tuple[float, ...]
    mean: float
    var: float
    quantiles: tuple[float, ...]
    laws: dict[str, NormalError]

    def __str__(self) -> str:
        laws: dict[str, NormalErrors | NormalError] = {"exact": self, **self.laws}
        moments = [["", "mean", "variance", *(f"{100 * share:g}%" for share in SHARES)]]
        for name, law in laws.items():
            quantiles = (f"{quantile:.6f}" for quantile in law.quantiles)
            moments.append([name, f"{law.mean:.6f}", f"{law.var:.4g}", *quantiles])
        sizes = [["level", *(f"{level:g}" for level in self.levels), ""]]
        for name, law in self.laws.items():
            sizes.append([name, *(f"{size:.2g}" for size in law.size), "true size"])
            sizes.append(["", *(f"{size:.2g}" for size in law.stated), "stated"])
        left = [[True, *[False] * (len(rows[0]) - 1)] for rows in (moments, sizes)]
        left[1][-1] = True
        return "\n".join([*aligned(moments, left[0]), "", *aligned(sizes, left[1])])


def normal_error(items: int, relevant: int, levels: Sequence[float] = (0.1, 0.05, 0.01, 0.001, 0.0001)) -> NormalErrors:
    """The error of normal approximations of average precision under a random ranking.

    Each normal law is taken for a one-sided test of chance: its true size is the exact P(AP >= x) where the law puts
    the level, and stated is what it puts where the exact P(AP >= x) is the level.

    Parameters
    ----------
    items, relevant
        Number of items, and of relevant ones, 2 <= relevant < items.
    levels
        Levels of the test, each between 0 and 1.

    Returns
    -------
    NormalErrors
        The exact law's figures and those of three normal laws; ``print`` shows both tables.

    Raises
    ------
    DataError
        A number is out of range, or the exact law is out of reach.

    References
    ----------
    Zhang & Su (2012), FSKD, pp. 1348-1352, (12), (13) and Table III.

    Examples
    --------
    >>> found = normal_error(100, 10)
    >>> paper = found.laws["zhang-su"]
    >>> round(found.mean, 4), round(paper.mean, 4), round(found.var / paper.var, 2)
    (0.1381, 0.1158, 1.77)
    >>> [f"{size:.2g}" for size in paper.size]
    ['0.22', '0.17', '0.1', '0.055', '0.033']
    """
    wanted = tuple(float(level) for level in levels)
    if not wanted or not all(0 < level < 1 for level in wanted):
        raise DataError(f"is {levels!r}", "give levels strictly between 0 and 1", argument="levels")
    exact = average_precision(items, relevant)
    critical_values = [exact.isf(level) for level in wanted]
    laws = {}
    moments = {"normal": (exact.mean(), exact.var())}
    for engine in ("zhang-su", "zhang-su-printed"):
        law = average_precision(items, relevant, engine=engine)
        moments[engine] = law.mean(), law.var()
    for name, (mean, var) in moments.items():
        sd = var**0.5
        laws[name] = NormalError(
            mean,
            var,
            tuple(mean + sd * float(special.ndtri(share)) for share in SHARES),
            tuple(float(exact.tail(mean - sd * float(special.ndtri(level)))) for level in wanted),
            tuple(float(special.ndtr((mean - value) / sd)) for value in critical_values),
        )
    quantiles = tuple(exact.ppf(share) for share in SHARES)
    return NormalErrors(items, relevant, wanted, exact.mean(), exact.var(), quantiles, laws)
