"""Recall, precision and F1 from one simple random sample of the whole population, split by the prediction."""

from certus.audit._check import Prior
from certus.audit._counts import stratum
from certus.audit.strata import StrataAudit, strata
from certus.errors import DataError, called
from certus.statistic.common import LARGEST, whole

__all__ = ["post_stratified"]


def post_stratified(
    *,
    population: int,
    predicted: int,
    predicted_checked: int,
    predicted_hits: int,
    other_checked: int,
    other_hits: int,
    level: float = 0.95,
    method: str = "posterior",
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
    level, method, prior
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
    population = whole(population, "population", most=LARGEST)
    predicted = whole(predicted, "predicted", most=LARGEST)
    if predicted > population:
        raise DataError(
            f"{called('predicted')} is {predicted} but {called('population')} is {population}; predicted items are "
            "part of it"
        )
    others = "the number of other items, population - predicted,"
    return strata(
        (
            stratum("predicted", predicted, predicted_checked, predicted_hits, predicted=True),
            stratum("other", population - predicted, other_checked, other_hits, predicted=False, size_name=others),
        ),
        level=level,
        method=method,
        prior=prior,
    )
