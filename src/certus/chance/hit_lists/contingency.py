"""The table of a list that is taken for a classification: listed is predicted positive."""

import math
from dataclasses import dataclass

from certus.alignment import aligned
from certus.readable import Readable


@dataclass(frozen=True, slots=True)
class Contingency(Readable):
    """Counts of a population by what is true and what was predicted, with their margins.

    Parameters
    ----------
    tp, fp, fn, tn
        True positives, false positives, false negatives, true negatives.

    Examples
    --------
    >>> print(Contingency(tp=5, fp=4, fn=0, tn=91))
           +R  -R  total
    +P      5   4      9
    -P      0  91     91
    total   5  95    100
    >>> table = Contingency(tp=5, fp=4, fn=0, tn=91)
    >>> table.recall, round(table.precision, 4), round(table.informedness, 4), round(table.markedness, 4)
    (1.0, 0.5556, 0.9579, 0.5556)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def rp(self) -> int:
        """Real positives."""
        return self.tp + self.fn

    @property
    def rn(self) -> int:
        """Real negatives."""
        return self.fp + self.tn

    @property
    def pp(self) -> int:
        """Predicted positive."""
        return self.tp + self.fp

    @property
    def pn(self) -> int:
        """Predicted negative."""
        return self.fn + self.tn

    @property
    def recall(self) -> float:
        """Share of the real positives that are predicted positive."""
        return _share(self.tp, self.rp)

    @property
    def precision(self) -> float:
        """Share of the predicted positives that are real."""
        return _share(self.tp, self.pp)

    @property
    def informedness(self) -> float:
        """Recall of positives plus recall of negatives, minus 1; NaN where either class is empty."""
        return self.recall + _share(self.tn, self.rn) - 1

    @property
    def markedness(self) -> float:
        """Precision of positives plus precision of negatives, minus 1; NaN where either was never predicted."""
        return self.precision + _share(self.tn, self.pn) - 1

    @property
    def population(self) -> int:
        """All items."""
        return self.pp + self.pn

    def __str__(self) -> str:
        rows = [
            ("", "+R", "-R", "total"),
            ("+P", self.tp, self.fp, self.pp),
            ("-P", self.fn, self.tn, self.pn),
            ("total", self.rp, self.rn, self.population),
        ]
        return "\n".join(aligned([list(map(str, row)) for row in rows], [True, False, False, False]))


def _share(count: int, total: int) -> float:
    return count / total if total else math.nan
