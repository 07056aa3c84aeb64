"""One estimate per class."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from certus.inference.estimate import Estimate
from certus.printable import printable
from certus.readable import Readable

__all__ = ["Estimates"]


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
