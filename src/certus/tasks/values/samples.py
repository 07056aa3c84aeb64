"""Scores of items, of which each has a name where ids are given."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from certus.core.errors import MetricNameError, mention
from certus.data.columns import as_array
from certus.data.values import Values
from certus.evaluation.cases import Samples
from certus.inference import Estimate
from certus.statistic.common import plural
from certus.table import PerQuery


class Scored(Samples):
    """Some items with a score, or several, of each."""

    @property
    def values(self) -> Values:
        """The validated scores."""
        return Values.from_arrays(self.data_columns["values"], **self.conventions)

    @property
    def size_in_words(self) -> str:
        """The number of items in words, and how often each was tried."""
        values = self.values
        if values.repeats == 1:
            return super().size_in_words
        words = super().size_in_words.replace(
            plural(len(self), "item"), f"{len(self)} values of {plural(len(values), 'item')}"
        )
        return f"{words}; those of an item are averaged first"

    def single(self, system: str, estimates: Iterable[Estimate], /) -> Iterator[PerQuery]:
        """The value of each item."""
        values = self.values
        if values.names is None:
            raise MetricNameError(f"needs {mention('ids')}: the name of each item", argument="per_query")
        metrics = dict.fromkeys(estimate.metric for estimate in estimates)
        return iter([PerQuery(system, metric, values.names, values.values.tolist(), "item") for metric in metrics])

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """The group and the weight of each item, where they were given, as they are stored with its value."""
        columns = {name: values for name, values in self.columns_told.items() if name != "ids"}
        names = list(map(str, as_array(self.conventions["ids"], "ids").tolist()))
        of_items = {
            name: dict(zip(names, as_array(item_values, name).tolist(), strict=True))
            for name, item_values in columns.items()
        }
        return {name: [item_values[item] for item in self.values.names or ()] for name, item_values in of_items.items()}
