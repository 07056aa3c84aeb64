"""The difference of two systems, by the form of their statistics."""

from certus.errors import CertusError
from certus.inference.interval import DEFAULT_REPLICATES
from certus.inference.paired import paired as of_means
from certus.inference.paired_result import Alternative, Paired, check_alternative, undefined
from certus.statistic import Bounds, Mean, Statistic

__all__ = ["difference"]


def difference(
    a: Statistic,
    b: Statistic,
    *,
    paired: bool = True,
    method: str | None = None,
    alternative: Alternative = "two-sided",
    interval: str | None = None,
    level: float = 0.95,
    bounds: Bounds = (float("-inf"), float("inf")),
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two systems by their statistics."""
    check_alternative(alternative)
    if isinstance(a, Mean) and isinstance(b, Mean) and paired:
        name = method or "permutation"
        for statistic in (a, b):
            if statistic.why:
                return undefined(statistic.why, statistic.n, statistic.unit, name, alternative)
        return of_means(
            a.values,
            b.values,
            name,
            alternative,
            interval=interval,
            level=level,
            bounds=bounds,
            unit=a.unit,
            replicates=replicates,
            seed=seed,
        )
    raise CertusError(f"no comparison is known for {type(a).__name__} and {type(b).__name__}")
