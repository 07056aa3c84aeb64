"""Recall, precision, F1 and elusion from strata, each with a sample of its own: any number, two, or made afterwards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from certus.audit._check import Prior, named_prior, stratum
from certus.core.errors import CertusError, DataError, require_at_most
from certus.core.printable import aligned
from certus.inference import Estimate
from certus.inference.declare import FORMS, LABELS
from certus.inference.estimate import EstimateRows
from certus.inference.finite.shares import SharePosterior
from certus.inference.interval import checked_level
from certus.inference.intervals.strata import posterior_of, unavailable
from certus.statistic.common import LARGEST, require_integer
from certus.statistic.sampled import NamedPrior, Share, Strata, Stratum

__all__ = ["StrataAudit", "Stratum", "post_stratified", "strata", "two_samples"]


_NAMES: dict[Share, str] = {"recall": "Recall", "precision": "Precision", "f1": "F1", "elusion": "Elusion"}


@dataclass(frozen=True, repr=False)
class StrataAudit(EstimateRows):
    """Recall, precision, F1 and elusion estimated from the samples.

    Attributes
    ----------
    strata
        The strata with their samples.
    level, method, prior
        What the intervals of the estimates have unless others are asked for.

    Notes
    -----
    With R relevant items among the P predicted ones and r among the U others, recall is ``R / (R + r)``, precision
    ``R / P``, F1 ``2 R / (P + R + r)`` and elusion ``r / U``. The values are those at the estimated counts: in each
    stratum the hits, and the unchecked items at the rate of the checked ones. A stratum of which nothing was checked
    counts with the rate one half, and a posterior interval then says that the prior alone speaks for it.

    Intervals are made when asked for. The text of the audit shows those of all four shares:

    >>> audit = strata([Stratum(1000, 100, 80), Stratum(9000, 300, 10, predicted=False)])
    >>> print(audit)
    Recall     0.7273 [0.6025, 0.8357]
    Precision  0.8000 [0.7180, 0.8660]
    F1         0.7619 [0.6746, 0.8298]
    Elusion    0.0333 [0.0176, 0.0579]
    95% beta-binomial posterior, 400 of 10000 items checked
    """

    strata: tuple[Stratum, ...]
    level: float = 0.95
    method: str = "posterior"
    prior: NamedPrior = "jeffreys"

    def __post_init__(self) -> None:
        if not sum(stratum.size for stratum in self.strata):
            raise DataError("the strata have no items", "give at least one stratum with a size of at least 1")
        checked_level(self.level)
        name = FORMS[Strata].method(self.method)
        object.__setattr__(self, "method", name)
        if name in unavailable(statistic := self._statistic("recall"), (0.0, 1.0)):
            raise CertusError(
                f"is {name!r} but there are {len(statistic.predicted)} predicted strata and {len(statistic.others)} "
                "others",
                "it takes one of each: take 'posterior' or 'bonferroni'",
                argument="interval",
            )

    @property
    def recall(self) -> Estimate:
        """Share of the relevant items that were predicted relevant."""
        return self.share("recall")

    @property
    def precision(self) -> Estimate:
        """Share of the predicted items that are relevant."""
        return self.share("precision")

    @property
    def f1(self) -> Estimate:
        """Harmonic mean of precision and recall."""
        return self.share("f1")

    @property
    def elusion(self) -> Estimate:
        """Share of the items not predicted that are relevant all the same."""
        return self.share("elusion")

    def share(self, of: Share) -> Estimate:
        """The estimate of one share, by its name.

        Raises
        ------
        DataError
            There is no such share.
        """
        statistic = self._statistic(of)
        conventions = {} if self.method == "bonferroni" else {"prior": self.prior}
        return Estimate(statistic, _NAMES[of], (0.0, 1.0), conventions, level=self.level, method=self.method)

    def posterior(self, of: Share) -> SharePosterior:
        """The posterior law of a share: a frozen distribution with `cdf`, `sf`, `ppf`, `isf`, `mean`, `interval`.

        It is that of independent strata under the prior Beta(1/2, 1/2), or the uniform one, of the rate of relevant
        items in each. The law of recall is that given that the population has a relevant item.

        Raises
        ------
        DataError
            There is no such share, or the audit leaves nothing of which it is one.

        Examples
        --------
        >>> audit = strata([Stratum(1000, 100, 80), Stratum(9000, 300, 10, predicted=False)])
        >>> recall = audit.posterior("recall")
        >>> f"{recall.cdf(0.75):.6f} {recall.ppf(0.05):.6f} {recall.mean():.6f}"
        '0.669178 0.621735 0.722406'
        """
        statistic = self._statistic(of)
        if statistic.reason.startswith(("no item", "every item")):
            raise DataError(f"{of} is undefined, for {statistic.reason}", "ask for the posterior of another share")
        return posterior_of(statistic)

    def _statistic(self, share: Share) -> Strata:
        return Strata(self.strata, share, self.prior)

    def _estimates(self) -> dict[str, Estimate]:
        return {name: self.share(share) for share, name in _NAMES.items()}

    def __str__(self) -> str:
        lines = [
            [name, f"nan  ({estimate.reason})" if estimate.reason else f"{estimate.value:.4f} {estimate.interval()}"]
            for name, estimate in self._estimates().items()
        ]
        checked, size = (sum(getattr(s, field) for s in self.strata) for field in ("checked", "size"))
        note = f"{100 * self.level:g}% {LABELS[self.method]}, {checked} of {size} items checked"
        return "\n".join([*aligned(lines, [True, True]), note])

    def __repr__(self) -> str:
        return f"<StrataAudit\n{self}>"


def strata(
    strata: Iterable[Stratum],
    *,
    level: float = 0.95,
    interval: str = "posterior",
    prior: Prior = "jeffreys",
) -> StrataAudit:
    """Recall, precision, F1 and elusion when each stratum had a random sample of its own.

    Parameters
    ----------
    strata
        The strata: each item of the population is in one of them. Samples are simple random samples without
        replacement, drawn independently, at any rate.
    level
        Wanted coverage of the intervals, strictly between 0 and 1.
    interval
        ``"posterior"``: equal-tailed limits of the beta-binomial posterior, convolved over strata by exact sums.
        ``"bonferroni"``: exact hypergeometric limits in each stratum, the error split evenly among the strata that
        were neither left alone nor checked whole; never below the level, for all four shares at once.
        ``"buehler"``, ``"berger-boos"``: exact limits for one predicted stratum and one other (see `two_samples`).
    prior
        Prior of the rate of relevant items in each stratum: ``"jeffreys"``, Beta(1/2, 1/2), or ``"uniform"``; or
        their parameters, ``(0.5, 0.5)`` and ``(1, 1)``.

    Raises
    ------
    DataError
        A count is impossible, or there are no items.
    CertusError
        There is no such method, or it takes one predicted stratum and one other.

    Examples
    --------
    Three bands of a classifier's score, the middle one sampled most:

    >>> bands = [Stratum(2000, 100, 95), Stratum(3000, 400, 180), Stratum(45000, 500, 3, predicted=False)]
    >>> print(strata(bands, level=0.9).recall)
    0.9233 [0.8375, 0.9706]  90% beta-binomial posterior, 1000 checked items
    """
    anything: Any = strata
    if isinstance(anything, str) or not isinstance(anything, Iterable):
        raise DataError(
            f"is {strata!r}", "it must be a list of Stratum(size, checked, hits, predicted=...)", argument="strata"
        )
    members: tuple[Any, ...] = tuple(anything)
    for index, member in enumerate(members):
        if not isinstance(member, Stratum):
            raise DataError(
                f"is {member!r}",
                "it must be a Stratum(size, checked, hits, predicted=...)",
                argument="strata",
                subject=f"strata[{index}]",
            )
    return StrataAudit(members, level, interval, named_prior(prior))


def post_stratified(
    *,
    population: int,
    predicted: int,
    predicted_checked: int,
    predicted_hits: int,
    other_checked: int,
    other_hits: int,
    level: float = 0.95,
    interval: str = "posterior",
    prior: Prior = "jeffreys",
) -> StrataAudit:
    """Recall, precision, F1 and elusion when one random sample of the whole population was checked.

    Given how many items of the sample happened to be predicted ones, these are a simple random sample of the predicted
    items, the rest is one of the others, and the two are independent. Since the sizes of both sides are known, that
    number says nothing about the relevant items; so what holds for two samples holds here, given that number and
    therefore on the whole.

    Parameters
    ----------
    population
        Number of items.
    predicted
        Number of items that were predicted relevant.
    predicted_checked, other_checked
        How many items of the sample were predicted relevant, and how many were not.
    predicted_hits, other_hits
        How many of either were found relevant.
    level, interval, prior
        As for `two_samples`.

    Raises
    ------
    DataError
        A count is impossible.
    MetricNameError
        There is no such method.

    Examples
    --------
    500 of 20,000 items were checked; 100 of them, as it came out, were predicted relevant:

    >>> audit = post_stratified(
    ...     population=20_000, predicted=4000,
    ...     predicted_checked=100, predicted_hits=83, other_checked=400, other_hits=9,
    ... )
    >>> print(audit.recall)
    0.9022 [0.8353, 0.9483]  95% beta-binomial posterior, 500 checked items
    """
    population = require_integer(population, "population", maximum=LARGEST)
    predicted = require_integer(predicted, "predicted", maximum=LARGEST)
    require_at_most("predicted", predicted, "population", population, "predicted items are part of it")
    predicted_items = stratum("predicted", predicted, predicted_checked, predicted_hits, predicted=True)
    size_name = "the number of other items, population - predicted,"
    remaining = population - predicted
    other_items = stratum("other", remaining, other_checked, other_hits, predicted=False, size_name=size_name)
    return strata((predicted_items, other_items), level=level, interval=interval, prior=prior)


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
    retrieved_items = stratum("retrieved", retrieved, retrieved_checked, retrieved_hits, predicted=True)
    discarded_items = stratum("discarded", discarded, discarded_checked, discarded_hits, predicted=False)
    return strata((retrieved_items, discarded_items), level=level, interval=interval, prior=prior)
