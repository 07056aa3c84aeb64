"""One estimate per class, and the intervals of many estimates."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from certus.inference.declare import FORMS, method_of
from certus.inference.estimate import Estimate
from certus.inference.interval import Interval, Request
from certus.printable import printable
from certus.readable import Readable

__all__ = ["Estimates", "default_intervals"]

MANY = 16
"""Fewer estimates are faster one by one."""


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
        from certus import plot

        ax = plot.estimates(self, ax)
        ax.set_title(printable(self.metric).replace("$", r"\$"), fontsize=11)
        return ax

    def __str__(self) -> str:
        names = [printable(str(label)) for label in self]
        width = max(map(len, names), default=0)
        return "\n".join(f"{name:{width}}  {each}" for name, each in zip(names, self.values(), strict=True))

    def __repr__(self) -> str:
        return f"<Estimates{' ' + self.metric if self.metric else ''}: {len(self)} classes>\n{self}"


def default_intervals(estimates: Sequence[Estimate], level: float) -> list[Interval | None]:
    """The default interval of each estimate whose method computes many at once; None for every other.

    Examples
    --------
    >>> from certus.statistic import UStatistic
    >>> many = [Estimate(UStatistic(0.7 + k / 100, (50, 50), (0.05, 0.04)), bounds=(0.0, 1.0)) for k in range(16)]
    >>> print(default_intervals(many, 0.95)[3], many[3].interval())
    [0.6358, 0.8121] [0.6358, 0.8121]
    """
    found: list[Interval | None] = [None] * len(estimates)
    alike: dict[tuple[type, str, tuple[float, float]], list[int]] = {}
    for place, each in enumerate(estimates):
        kind, bounds = type(each.statistic), each.bounds
        plain = each.own is None and type(each) is Estimate and each.method is None and each.side == "two-sided"
        if plain and FORMS[kind].together:
            alike.setdefault((kind, method_of(each.statistic, bounds, None), bounds), []).append(place)
    for (kind, name, bounds), places in alike.items():
        together = FORMS[kind].together.get(name)
        if together is None or len(places) < MANY:
            continue
        limits = together([estimates[place].statistic for place in places], Request(level, bounds))
        for place, own in zip(places, limits, strict=True):
            found[place] = None if own is None else Interval(own.low, own.high, level, name, own.why)
    return found
