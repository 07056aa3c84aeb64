"""Recall, precision, F1 and elusion from a sample of the retrieved and a sample of the discarded items."""

from certus.audit._check import Prior, stratum
from certus.audit.strata import StrataAudit, strata
from certus.renamed import renamed

__all__ = ["two_samples"]


@renamed(method="interval")
def two_samples(
    *,
    retrieved: int,
    retrieved_checked: int,
    retrieved_hits: int,
    discarded: int,
    discarded_checked: int,
    discarded_hits: int,
    level: float = 0.95,
    interval: str = "posterior",
    prior: Prior = "jeffreys",
) -> StrataAudit:
    """Recall, precision, F1 and elusion when the retrieved and the discarded items each had a random sample checked.

    In document review the second sample is the elusion sample: of what the search left behind, how much is relevant?

    Parameters
    ----------
    retrieved, discarded
        Number of items that were retrieved (predicted relevant), and of all the others.
    retrieved_checked, discarded_checked
        Number of them that were checked: simple random samples without replacement.
    retrieved_hits, discarded_hits
        Number of checked items found relevant.
    level
        Wanted coverage of the intervals, strictly between 0 and 1.
    interval
        ``"posterior"``: equal-tailed limits of the posterior under independent beta-binomial counts. Near its level on
        average, below it for some populations. ``"bonferroni"``: the range of the share over the rectangle of the two
        exact hypergeometric intervals; never below the level, for all four shares at once, and wide.
        ``"buehler"``: exact limits, never below the level for any population, from the samples ordered by their
        posterior limits. ``"berger-boos"``: the same over the populations that the hits do not refute beyond doubt;
        exact too, and hardly wider than the posterior's.
    prior
        Prior of the rate of relevant items on either side, for the posterior and for the order that Buehler's limits
        start from: ``"jeffreys"``, Beta(1/2, 1/2), or ``"uniform"``; or their parameters, ``(0.5, 0.5)`` and
        ``(1, 1)``.

    Returns
    -------
    StrataAudit
        With `recall`, `precision`, `f1` and `elusion`, each an `Estimate`, and `posterior(share)`, a frozen
        distribution.

    Raises
    ------
    DataError
        A count is impossible: more checked than there are, more hits than checked, or no items at all.
    MetricNameError
        There is no such method.

    Examples
    --------
    >>> audit = two_samples(
    ...     retrieved=1000, retrieved_checked=100, retrieved_hits=80,
    ...     discarded=9000, discarded_checked=300, discarded_hits=10,
    ... )
    >>> print(audit.recall)
    0.7273 [0.6025, 0.8357]  95% beta-binomial posterior, 400 checked items
    >>> print(audit.elusion.interval(0.9, "bonferroni"))
    [0.0164, 0.0599]
    """
    return strata(
        (
            stratum("retrieved", retrieved, retrieved_checked, retrieved_hits, predicted=True),
            stratum("discarded", discarded, discarded_checked, discarded_hits, predicted=False),
        ),
        level=level,
        interval=interval,
        prior=prior,
    )
