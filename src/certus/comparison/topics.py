"""Values of single topics side by side, with changes in percent and both kinds of mean."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from certus.core.errors import DataError
from certus.core.frames import Kind
from certus.core.listing import Listing, Tabular


@dataclass(frozen=True, eq=False, repr=False)
class TopicTable(Tabular):
    """Average precisions of single topics by several systems; the first system is the baseline.

    Attributes
    ----------
    values
        Of each system the value of each topic.
    floor
        Least value that enters a geometric mean.
    """

    values: Mapping[str, Mapping[str, float]]
    floor: float

    @property
    def baseline(self) -> str:
        """Name of the first system, with which the others are compared."""
        return next(iter(self.values))

    def percent(self, system: str) -> dict[str, float | None]:
        """Change of each topic from the baseline in percent; None if the baseline's value is 0.

        Raises
        ------
        DataError
            There is no such system.
        """
        of_base = self.values[self.baseline]
        return {
            topic: 100 * (value - of_base[topic]) / of_base[topic] if of_base[topic] else None
            for topic, value in self._values_of(system).items()
        }

    def mean(self, system: str) -> float:
        """MAP: the arithmetic mean over topics."""
        return math.fsum(self._values_of(system).values()) / len(self._values_of(system))

    def geometric_mean(self, system: str) -> float:
        """GMAP: the geometric mean over topics, of values raised to at least the floor."""
        logs = [math.log(max(value, self.floor)) for value in self._values_of(system).values()]
        return math.exp(math.fsum(logs) / len(logs))

    def _listing(self) -> Listing:
        """Table with a row for each system and topic, and for each system's arithmetic and geometric mean."""
        return self.table()

    def table(self) -> Listing:
        """Table with a row for each system and topic, and for each system's two means."""
        rows: list[tuple[object, ...]] = []
        for system, values in self.values.items():
            changes = self.percent(system)
            base = system == self.baseline
            rows += [(system, topic, value, None if base else changes[topic]) for topic, value in values.items()]
            for name, function in (("MAP", self.mean), ("GMAP", self.geometric_mean)):
                value, before = function(system), function(self.baseline)
                rows.append((system, name, value, None if base or not before else 100 * (value - before) / before))
        kinds: dict[str, Kind] = {"system": "text", "topic": "text", "AP": "number", "percent": "number"}
        return Listing(dict(zip(kinds, map(list, zip(*rows, strict=True)), strict=True)), kinds)

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"<TopicTable of {len(self.values)} systems, {len(self.values[self.baseline])} topics>"

    def _values_of(self, system: str) -> Mapping[str, float]:
        """Value of each topic for a system; an unknown system is an error."""
        if system not in self.values:
            raise DataError(f"no system is {system!r}", f"the table has {', '.join(self.values)}")
        return self.values[system]


def topic_table(values: Mapping[str, Mapping[str, float]], *, floor: float = 1e-5) -> TopicTable:
    """Compare average precisions of topics by several systems: MAP, GMAP and changes in percent.

    Parameters
    ----------
    values
        Of each system by its name the value of each topic, from 0 to 1; the first system is the baseline.
    floor
        Least value that enters the geometric mean; trec_eval has 0.00001.

    Raises
    ------
    DataError
        There is no system or no topic, systems have different topics, or a value is none of a share.

    References
    ----------
    GMAP: Robertson (2006), On GMAP: and other transformations, CIKM, doi:10.1145/1183614.1183630.

    Examples
    --------
    System B improves two topics of three, and the mean falls.

    >>> found = topic_table({
    ...     "A": {"1": 0.02, "2": 0.03, "3": 0.29},
    ...     "B": {"1": 0.08, "2": 0.04, "3": 0.20},
    ... })
    >>> print(found)
    system  topic      AP   percent
    A       1      0.0200         -
    A       2      0.0300         -
    A       3      0.2900         -
    A       MAP    0.1133         -
    A       GMAP   0.0558         -
    B       1      0.0800  300.0000
    B       2      0.0400   33.3333
    B       3      0.2000  -31.0345
    B       MAP    0.1067   -5.8824
    B       GMAP   0.0862   54.3631
    """
    by_system: dict[str, dict[str, Any]] = {
        str(system): {str(topic): value for topic, value in by_topic.items()} for system, by_topic in values.items()
    }
    if not by_system or not next(iter(by_system.values())):
        raise DataError("has no topics", "give them as {system: {topic: value}}", argument="values")
    if not _is_number(floor) or not 0 < floor < 1:
        raise DataError(f"is {floor!r}", "it must be above 0 and below 1", argument="floor")
    topics = list(next(iter(by_system.values())))
    for system, by_topic in by_system.items():
        if unmatched := sorted(set(by_topic) ^ set(topics)):
            raise DataError(
                f"{system} and {next(iter(by_system))} differ in topic {unmatched[0]!r}", "give both the same topics"
            )
        for topic, value in by_topic.items():
            if not _is_number(value) or not 0 <= value <= 1:
                raise DataError(f"topic {topic!r} of {system} has {value!r}", "an average precision is from 0 to 1")
    return TopicTable(
        {system: {topic: float(by_topic[topic]) for topic in topics} for system, by_topic in by_system.items()},
        float(floor),
    )


def _is_number(value: object) -> bool:
    """True for a number of Python or numpy."""
    return isinstance(value, Real) and not isinstance(value, bool)
