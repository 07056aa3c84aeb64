"""The numbers that the picture of an audit shows: the posterior of the hits, and its approximations."""

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from certus.errors import DataError
from certus.inference.finite.betabinomial import Posterior, posterior
from certus.inference.posterior.law import BetaPosterior
from certus.statistic.sampled import Sampled

if TYPE_CHECKING:
    from certus.audit.known import KnownPositives


BARS = 60
MOST_ROWS = 200
PLOTTED_PROBABILITY = 0.9999
LARGEST = 10**7


def law_of(audit: "KnownPositives") -> Posterior:
    """The posterior law of the hits among all positives, cut to the possible counts."""
    sampled = cast("Sampled", audit.hits.statistic)
    return Posterior(sampled.hits, sampled.checked, sampled.population, sampled.prior, sampled.possible)


def posterior_rows(audit: "KnownPositives") -> list[tuple[int, float, float]]:
    """Each possible count of hits, its probability, and that of as many or fewer."""
    law = law_of(audit)
    count = law.high - law.low + 1
    if count > MOST_ROWS:
        raise DataError(
            f"the posterior has {count:,} counts of hits", f"a table has at most {MOST_ROWS}, draw it instead"
        )
    chances = law.run(law.low, law.high).tolist()
    return [(law.low + index, chance, law.at_most(law.low + index)) for index, chance in enumerate(chances)]


def draw_audit(audit: "KnownPositives", ax: Any, level: float | None, method: str | None, approximations: bool) -> Any:
    """Draw the law of the hits with the interval shaded, the estimate marked, and the approximations beside it."""
    from certus.plot.law import law as draw_law

    law, sampled = law_of(audit), cast("Sampled", audit.hits.statistic)
    interval = audit.hits.interval(level, method)
    around = posterior(law, PLOTTED_PROBABILITY)
    low, high = (max(min(around[0], int(interval.low)), law.low), min(max(around[1], int(interval.high)), law.high))
    if high - low > LARGEST:
        raise DataError(f"the posterior has {high - low:,} likely counts of hits", f"at most {LARGEST:,} are drawn")
    counts = np.arange(low, high + 1, dtype=np.float64)
    chances = law.run(low, high)
    x, y, bars = counts, chances, len(counts) <= BARS
    if not bars:
        edges = np.append(counts - 0.5, counts[-1] + 0.5)
        x, y = np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(chances, 2), [0.0]])
    n, k, total = sampled.checked, sampled.hits, sampled.population
    curves = []
    if approximations:
        across = np.linspace(max(low, 0) - 0.5, high + 0.5, 600)
        share = k / n
        sd = total * math.sqrt(share * (1 - share) / n)
        if sd:
            normal = np.exp(-(((across - total * share) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
            curves.append((across, normal, "normal approximation"))
        beta = BetaPosterior(k + sampled.prior[0], n - k + sampled.prior[1]).pdf(np.clip(across / total, 0, 1)) / total
        curves.append((across, np.where(np.isfinite(beta), beta, np.nan), "beta approximation"))
    limits_text = f"{interval.low:,.0f} to {interval.high:,.0f}"
    return draw_law(
        x,
        y,
        ax,
        bars=bars,
        name=f"posterior of the hits; shaded: {100 * interval.level:g}% interval {limits_text} ({interval.method})",
        shaded=(interval.low - 0.5, interval.high + 0.5),
        curves=curves,
        marks=[(audit.hits.value, f"estimate {audit.hits.value:,.10g}")],
        xlabel=f"Hits among all {total:,} positives",
        ylabel="Probability",
        title=f"{n:,} checked, {k:,} of them hits",
    )
