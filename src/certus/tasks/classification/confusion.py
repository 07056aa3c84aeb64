"""The confusion matrix: how many samples of each class are predicted to be of which."""

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError, mention
from certus.core.frames import Kind
from certus.core.listing import Listing, Tabular
from certus.core.printable import aligned
from certus.data import Labels
from certus.inference import Estimate
from certus.statistic import Proportion, Statistic, TableFunction

Normalize = Literal["true", "pred", "all"] | None

_WORDS = {"true": "true class", "pred": "predicted class", "all": "whole"}


def confusion_matrix(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    normalize: Normalize = None,
    sample_weight: Any = None,
    groups: Any = None,
) -> "ConfusionMatrix":
    r"""Count samples by true class (rows) and predicted class (columns).

    Parameters
    ----------
    y_true, y_pred
        True and predicted label of each sample; or, alone, `certus.data.Labels`, which can be made from counts.
    labels
        The classes, in this order; samples that have another label are left out. None takes all, sorted.
    normalize
        Counts as shares of their row (``"true"``), their column (``"pred"``) or all samples (``"all"``).
    sample_weight
        A weight of at least 0 for each sample; the matrix holds their sums.
    groups
        The cluster each sample belongs to; it widens intervals.

    Returns
    -------
    ConfusionMatrix
        Behaves as an array; knows the interval of each cell.

    Raises
    ------
    DataError
        The columns are not labels, or do not pair up.

    Examples
    --------
    >>> matrix = confusion_matrix(["cat", "dog", "dog", "dog"], ["cat", "dog", "cat", "dog"])
    >>> print(matrix)
    true \ predicted  cat  dog
    cat                 1    0
    dog                 1    2
    >>> confusion_matrix([0, 1, 1, 1], [0, 1, 0, 1], normalize="true").values.round(2)
    array([[1.  , 0.  ],
           [0.33, 0.67]])
    >>> tn, fp, fn, tp = confusion_matrix([0, 1, 1, 1], [0, 1, 0, 1]).ravel().tolist()
    """
    if isinstance(y_true, Labels):
        if y_pred is not None or labels is not None or sample_weight is not None or groups is not None:
            raise DataError("are Labels already", "say all else where they are made", argument="y_true")
        data = y_true
    elif y_pred is None:
        raise DataError(
            "was not given", f"confusion_matrix takes {mention('y_true')} and {mention('y_pred')}", argument="y_pred"
        )
    else:
        data = Labels.from_arrays(y_true, y_pred, labels=labels, sample_weight=sample_weight, groups=groups)
    if normalize not in (None, "true", "pred", "all"):
        raise DataError(f"is {normalize!r}", "it must be 'true', 'pred', 'all' or None", argument="normalize")
    return ConfusionMatrix(data.only_selected(), normalize)


class Agreement(NamedTuple):
    """Agreement of true and predicted classes: observed, expected by chance, and Cohen's kappa."""

    observed: float
    expected: float
    kappa: float


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Tabular):
    """Counts of samples by true and predicted class. numpy takes it as the array of its `values`.

    Attributes
    ----------
    data
        The labels that were counted.
    normalize
        What the values are shares of: the row, ``"true"``; the column, ``"pred"``; everything, ``"all"``; None: they
        are counts.
    """

    data: Labels = field(repr=False)
    normalize: Normalize = None

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The class of each row and column."""
        return self.data.classes

    @property
    def counts(self) -> NDArray[Any]:
        """Rows are true classes, columns predicted ones; int64, or float64 sums of weights."""
        return self.data.counts

    @cached_property
    def values(self) -> NDArray[Any]:
        """The counts, or the shares that `normalize` asks for; NaN in a row or column without samples."""
        if self.normalize is None:
            return self.counts
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.counts / self._denominator(self.counts))

    def estimate(self, true: Hashable, predicted: Hashable) -> Estimate:
        """The share of one cell with its interval: in what `normalize` says, and in all samples for counts.

        Raises
        ------
        DataError
            There is no such class.

        Examples
        --------
        >>> print(confusion_matrix([0, 1, 1, 1], [0, 1, 0, 1], normalize="true").estimate(1, 0))
        0.3333 [0.0171, 0.8815]  95% modified Wilson, 3 samples
        """
        for label in (true, predicted):
            if label not in self.classes:
                raise DataError(f"no class is {label!r}", f"the classes are {', '.join(map(repr, self.classes))}")
        return self._estimate(self.classes.index(true), self.classes.index(predicted))

    def interval(self, level: float = 0.95, method: str | None = None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Lower and upper limits of every cell, each for itself.

        Limits of counts are those of the expected counts of as many samples.

        Parameters
        ----------
        level
            Wanted coverage of each cell, strictly between 0 and 1.
        method
            Interval method of a proportion; Wilson by default, modified for very few successes or failures. Weighted
            or grouped samples take the delta method.

        Examples
        --------
        >>> low, high = confusion_matrix([0, 1, 1, 1], [0, 1, 0, 1], normalize="true").interval()
        >>> low.round(2)
        array([[0.21, 0.  ],
               [0.02, 0.12]])
        """
        size = len(self.classes)
        limits = [
            self._estimate(row, column).interval(level, method)[:2] for row in range(size) for column in range(size)
        ]
        limits_by_cell = np.array(limits, dtype=np.float64).reshape(size, size, 2)
        if self.normalize is None:
            limits_by_cell *= self.counts.sum()
        return limits_by_cell[..., 0], limits_by_cell[..., 1]

    def table(self, level: float = 0.95, interval: str | None = None) -> Listing:
        """The cells as a table with a row for each, for `to_csv`, `to_json` and `to_pandas`.

        Parameters
        ----------
        level, interval
            Level and method of the intervals of the shares, as for `interval`.

        Returns
        -------
        Listing
            True and predicted class, count (or sum of weights), share with its limits: of the true class, or of what
            `normalize` says.

        Examples
        --------
        >>> print(confusion_matrix([0, 1, 1, 1], [0, 1, 0, 1]).table())
        true  predicted  count   share     low    high
        0     0              1  1.0000  0.2065  1.0000
        0     1              0  0.0000  0.0000  0.7935
        1     0              1  0.3333  0.0171  0.8815
        1     1              2  0.6667  0.1185  0.9829
        """
        shares = self if self.normalize else ConfusionMatrix(self.data, "true")
        names = list(map(str, self.classes))
        cells = {"share": shares.values, **dict(zip(("low", "high"), shares.interval(level, interval), strict=True))}
        columns: dict[str, list[Any]] = {
            "true": [name for name in names for _ in names],
            "predicted": names * len(names),
            "count": self.counts.ravel().tolist(),
        }
        for name, values in cells.items():
            columns[name] = [None if math.isnan(value) else value for value in values.ravel().tolist()]
        column_kinds: dict[str, Kind] = dict.fromkeys(columns, "number")
        column_kinds |= {
            "true": "text",
            "predicted": "text",
            "count": "whole" if self.counts.dtype.kind in "iu" else "number",
        }
        return Listing(columns, column_kinds)

    def agreement(self) -> "Agreement":
        """Observed agreement, that expected by chance from the margins, and Cohen's kappa of the two.

        ::

            kappa = (observed - expected) / (1 - expected)

        Kappa is NaN where both know one class only; its interval is that of `certus.classification.cohen_kappa`.

        Examples
        --------
        Of 50 samples 35 are predicted right; half of them would be by chance.

        >>> matrix = confusion_matrix([1] * 30 + [0] * 20, [1] * 20 + [0] * 10 + [1] * 5 + [0] * 15)
        >>> matrix.agreement()
        Agreement(observed=0.7, expected=0.5, kappa=0.4)
        """
        counts = self.counts.tolist()
        exact = [[Fraction(cell) for cell in row] for row in counts]
        total = sum(map(sum, exact))
        if not total:
            return Agreement(math.nan, math.nan, math.nan)
        margins = zip(map(sum, exact), map(sum, zip(*exact, strict=True)), strict=True)
        observed = Fraction(sum(row[i] for i, row in enumerate(exact))) / total
        expected = Fraction(sum(row * column for row, column in margins)) / total**2
        kappa = float((observed - expected) / (1 - expected)) if expected != 1 else math.nan
        return Agreement(float(observed), float(expected), kappa)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw each cell's count, its share and the share's interval; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        options
            `level`, the confidence level; `interval`, whether to print the intervals (by default up to six classes);
            `colormap`, a matplotlib color map, light for 0; `colorbar`, whether to draw the color scale.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.confusion_matrix import confusion_matrix as draw_confusion_matrix

        return draw_confusion_matrix(self, ax, **options)

    def ravel(self) -> NDArray[Any]:
        """The values in one row: of two classes tn, fp, fn, tp."""
        return self.values.ravel()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, index: Any) -> Any:
        return self.values[index]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.classes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Classes by classes."""
        return self.counts.shape

    def _listing(self) -> Listing:
        """Table with a row for each true class and a column for each predicted class."""
        names = list(map(str, self.classes))
        columns = dict(zip(names, self.values.T.tolist(), strict=True))
        return Listing.from_columns({"true \\ predicted": names, **columns})

    def _repr_html_(self) -> str:
        """HTML table for notebooks, true classes down and predicted classes across."""
        return self._listing()._repr_html_()

    def __str__(self) -> str:
        is_integer = self.values.dtype.kind in "iu"
        cells = [[str(value) if is_integer else f"{value:.4f}" for value in row] for row in self.values.tolist()]
        names = list(map(str, self.classes))
        lines = [["true \\ predicted", *names], *([name, *row] for name, row in zip(names, cells, strict=True))]
        return "\n".join(aligned(lines, [True] + [False] * len(names)))

    def __repr__(self) -> str:
        normalization = f", shares of the {_WORDS[self.normalize]}" if self.normalize else ""
        return f"<ConfusionMatrix of {self.data!r}{normalization}>\n{self}"

    def _denominator(self, counts: NDArray[Any]) -> Any:
        """The total that each cell is a share of."""
        if self.normalize == "true":
            return counts.sum(1, keepdims=True)
        return counts.sum(0, keepdims=True) if self.normalize == "pred" else counts.sum()

    def _estimate(self, row: int, column: int) -> Estimate:
        """Estimate of one cell as a share of its row, its column or all samples."""
        table = self.data.cell(row, column, self.normalize)
        inside, beside, _ = table.counts.tolist()
        statistic: Statistic
        if table.exact:
            statistic = Proportion(inside, inside + beside, "sample")
        else:
            statistic = TableFunction(
                table.counts,
                _share,
                gradient=_by_cell,
                squares=table.squares,
                contributions=table.contributions,
                unit=table.unit,
                n=table.n,
                undefined_reason="no sample has this class",
            )
        return Estimate(statistic, bounds=(0.0, 1.0))


def _share(tables: Floats) -> Floats:
    """Share of the first in the first two of ``[inside, beside, elsewhere]``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(tables[..., 0] / (tables[..., 0] + tables[..., 1]))


def _by_cell(table: Floats) -> Floats:
    """Gradient of ``inside / (inside + beside)`` with respect to the three counts."""
    inside, beside, _ = table.tolist()
    return np.array([beside, -inside, 0.0], dtype=np.float64) / float(inside + beside) ** 2
