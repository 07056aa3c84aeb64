"""Labels of two plain sets: the relevant items and the retrieved ones, as information retrieval has them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from certus.data import Labels
from certus.errors import DataError
from certus.statistic import Proportion

if TYPE_CHECKING:
    from certus.metrics import Metric

__all__ = ["are_sets", "of_sets"]

MEASURES = "precision, recall, F1, Jaccard and the false negative rate"


def are_sets(data: tuple[Any, ...]) -> bool:
    """Whether all data are sets."""
    return bool(data) and all(isinstance(each, AbstractSet) for each in data)


def of_sets(metric: "Metric", data: tuple[AbstractSet[Any], ...], given: Mapping[str, Any]) -> Labels:
    """The table of the true set and the predicted one, for metrics to which items in neither set are nothing.

    Raises
    ------
    DataError
        The value or the interval of the metric depends on how many items are in neither set; or the items of the sets
        are of different kinds.
    """
    if Labels not in metric.takes:
        raise DataError(f"{metric.name} has no meaning for two sets; they have {MEASURES}")
    for name in given:
        raise DataError(f"{name} has no meaning for two sets; leave it out")
    true, predicted = data
    kinds = [{isinstance(item, str) for item in items} for items in data]
    if all(kinds) and not kinds[0] & kinds[1]:
        raise DataError("one set holds text and the other does not, so no item is in both; give items of one kind")
    both = len(true & predicted)
    tables = [
        Labels.from_counts([[neither, len(predicted) - both], [len(true) - both, both]], (False, True))
        for neither in (0, 1)
    ]
    found = [metric.compute(table) for table in tables]
    trials = [(each.successes, each.trials) if isinstance(each, Proportion) else None for each in found]
    if trials[0] is None or trials[0] != trials[1]:
        raise DataError(
            f"{metric} depends on how many items are in neither set, its interval at least; two sets have {MEASURES}; "
            "for others give all counts (Labels.from_counts)"
        )
    return tables[0]
