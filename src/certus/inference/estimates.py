"""One estimate per class, and one per subgroup."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core.alignment import aligned
from certus.core.arrays import Floats
from certus.core.printable import printable
from certus.core.readable import Readable
from certus.inference.declare import FORMS, class_of_form
from certus.inference.estimate import Chance, Estimate
from certus.inference.interval import ManyLimits, Request
from certus.statistic import Statistic, UStatistic
from certus.statistic.ustatistics import UStatistics

MeanOf = Literal["random", "random-weighted", "fixed", "fixed-weighted"]
"""Subgroups are a random sample of subgroups, or all there are; each counts the same, or as its samples do."""


class Estimates(Mapping[Hashable, Estimate], Readable):
    """The estimates of one metric for each class: a read-only mapping from label to `Estimate`.

    Examples
    --------
    >>> from certus.statistic import Proportion
    >>> each = Estimates({"cat": Estimate(Proportion(8, 10)), "dog": Estimate(Proportion(3, 6))}, metric="Recall")
    >>> each["cat"].value
    0.8
    >>> print(each)
    cat  0.8000 [0.4902, 0.9645]  95% modified Wilson, 10 samples
    dog  0.5000 [0.1876, 0.8124]  95% Wilson, 6 samples
    """

    __slots__ = ("_estimates", "metric")

    def __init__(self, estimates: Mapping[Hashable, Estimate], metric: str = "") -> None:
        self._estimates = dict(estimates)
        self.metric = metric

    def __getitem__(self, label: Hashable) -> Estimate:
        return self._estimates[label]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._estimates)

    def __len__(self) -> int:
        return len(self._estimates)

    def plot(self, ax: Any = None) -> Any:
        """Draw the estimate of each class with its interval on a line; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.estimates import estimates as draw_estimates

        ax = draw_estimates(self, ax)
        ax.set_title(printable(self.metric).replace("$", r"\$"), fontsize=11)
        return ax

    def __str__(self) -> str:
        return "\n".join(aligned([[str(label), str(estimate)] for label, estimate in self.items()], [True, True]))

    def __repr__(self) -> str:
        return f"<Estimates{' ' + self.metric if self.metric else ''}: {len(self)} classes>\n{self}"


class SubgroupEstimates(Mapping[str, Estimate]):
    """The estimates of one metric for each subgroup: a read-only mapping from its name.

    An estimate is made when it is looked at. Values and limits of all subgroups are there without.

    Parameters
    ----------
    names
        The name of each subgroup, each once.
    statistics
        That of each subgroup: a sequence, or columns.
    chance
        What `Estimate.versus_chance` asks of the subgroup at a place.
    metric, bounds, conventions
        As for `Estimate`.

    Examples
    --------
    >>> from certus.statistic import Proportion
    >>> each = SubgroupEstimates(["young", "old"], [Proportion(8, 10), Proportion(3, 6)], "Recall", (0.0, 1.0))
    >>> each.values_found, each["old"].n
    (array([0.8, 0.5]), 6)
    """

    def __init__(
        self,
        names: Sequence[str],
        statistics: UStatistics | Sequence[Statistic],
        metric: str,
        bounds: tuple[float, float],
        conventions: Mapping[str, object] | None = None,
        chance: Callable[[int], Chance] | None = None,
    ) -> None:
        self.names, self.statistics, self.metric, self.bounds = names, statistics, metric, bounds
        self.conventions, self._chance = dict(conventions or {}), chance
        self._places = {name: place for place, name in enumerate(names)}

    def __getitem__(self, name: str) -> Estimate:
        return self.at(self._places[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def at(self, place: int) -> Estimate:
        """The estimate of the subgroup at a place."""
        return Estimate(
            statistic=self.statistics[place],
            metric=self.metric,
            bounds=self.bounds,
            conventions=self.conventions,
            chance=None if self._chance is None else self._chance(place),
        )

    @property
    def values_found(self) -> Floats:
        """The value of each; NaN where it is undefined."""
        if isinstance(self.statistics, UStatistics):
            return self.statistics.values
        return np.array([each.value for each in self.statistics])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of units of each."""
        if isinstance(self.statistics, UStatistics):
            return self.statistics.n
        return np.array([each.n for each in self.statistics])

    def limits(self, level: float, *, exact: bool = False) -> ManyLimits:
        """The limits by the default methods, where these find the limits of many at once; those of shares `exact`."""
        forms = {UStatistic} if isinstance(self.statistics, UStatistics) else set(map(class_of_form, self.statistics))
        together = FORMS[forms.pop()].together if len(forms) == 1 else None
        if together is None or not len(self):
            return ManyLimits.unknown(len(self))
        return together(self.statistics, Request(level, self.bounds), exact)
