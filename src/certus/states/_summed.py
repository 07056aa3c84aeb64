"""Samples of which some metrics have their means only."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data.codes import coded
from certus.errors import DataError, keyword
from certus.evaluation.items import Average, Item
from certus.evaluation.systems import Case
from certus.inference import Estimate
from certus.metrics import Metric
from certus.note import Note
from certus.statistic import Statistic
from certus.tasks import Task

ENOUGH_OF_A_CLASS = 100
"""Samples of a class that a warning about few of them can be about."""


class Summed:
    """Samples whose means are known.

    Parameters
    ----------
    task, means
        What they are of, and the means.
    size
        The number of samples in words.
    rows
        The samples for all other metrics, None where there are no others.
    """

    def __init__(self, task: Task, size: str, means: Mapping[Metric, Statistic], rows: Case | None) -> None:
        self.task, self.size, self.means, self.rows = task, size, means, rows

    @property
    def size_in_words(self) -> str:
        """The number of samples in words."""
        return self.size

    @property
    def units(self) -> None:
        """None: samples are told apart by their place only."""
        return

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """Nothing."""
        return {}

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        """None: some metrics are named."""
        return None

    def single(self, system: str, estimates: Iterable[Estimate]) -> Iterator[Any] | None:
        """None: samples have no names."""
        del system, estimates
        return None

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """Sums are kept of named metrics only."""
        raise DataError(f"no metrics are named, with {keyword('average', average)}", "name them")

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The estimate of a metric, or that of each class beside its label."""
        mean = self.means.get(metric)
        if mean is not None:
            bounds = getattr(mean, "bounds", None) or metric.bounds
            return iter([(None, Estimate(mean, str(metric), bounds, dict(metric.conventions)))])
        if self.rows is None:
            raise DataError(f"the state has no rows of {metric}", "make it with rows=True")
        return self.rows.estimates(metric)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse a keyword that no metric uses."""
        if self.rows is not None:
            self.rows.check_used([metric for metric in metrics if metric not in self.means] or metrics)

    def notices(self) -> Iterator[Note]:
        """The notices about the data."""
        return iter(()) if self.rows is None else self.rows.notices()

    def curves(self, level: float) -> Iterator[tuple[str, dict[str, Any]]]:
        """The curves of the samples, where there are rows."""
        return iter(()) if self.rows is None else self.rows.curves(level)

    def documents(self, number: int) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """None: samples are not documents."""
        return ("", {}) if self.rows is None else self.rows.documents(number)

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """The tables of the samples, where there are rows."""
        return iter(()) if self.rows is None else self.rows.tables()


def some_of_each(labels: NDArray[Any]) -> NDArray[Any]:
    """Samples of each label, all where they are few; the same labels lie together."""
    starts = np.flatnonzero(np.append(True, labels[1:] != labels[:-1])[: len(labels)])
    sizes = np.diff(starts, append=len(labels))
    found = coded(labels[starts], "y_true")
    many = np.bincount(found.codes, sizes, len(found.labels)).astype(np.int64)
    first = np.unique(found.codes, return_index=True)[1]
    return np.repeat(labels[starts[first]], np.minimum(many, ENOUGH_OF_A_CLASS))
