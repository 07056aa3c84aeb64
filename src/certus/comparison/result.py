"""What a comparison of systems found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.comparison.row import Difference, Verdict
from certus.errors import MetricNameError
from certus.notice import Notice
from certus.table import Table

__all__ = ["Comparison", "Difference", "Verdict"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """Differences between systems, with how they came about.

    Attributes
    ----------
    rows
        One `Difference` for each metric and pair of systems.
    values
        The value of each metric of each system, with its interval.
    systems, metrics
        Their names, in the order given.
    baseline
        The system that all others are compared with; None for all pairs.
    correction
        How p-values are adjusted within each metric.
    simultaneous
        Whether the intervals belong to the adjusted p-values and hold together, not each alone.
    margin
        Differences up to this size do not matter; None if no margin was given.
    level
        Of the intervals; adjusted p-values of at most 1 less this are significant.
    test
        The test that was asked for; None for the default. Each row says which one was made.
    alternative
        ``"two-sided"``; ``"greater"``: the system's value is above the baseline's; ``"less"``: below.
    letters
        With all pairs, letters for each metric and system; systems that share one are not significantly different.
    per_unit
        The values of each unit by metric and system, where the metric has one per unit. Of grouped queries and rows of
        values they are those of the single ones; grouped predictions have none.
    units
        Names of the units in the order of `per_unit` (query ids); empty if they have none.
    conventions
        All that the numbers depend on besides the input, by name.
    inputs
        A hash of each input by name.
    notices
        What was suspicious in the input.
    """

    rows: tuple[Difference, ...]
    values: Table
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    baseline: str | None
    correction: str
    margin: float | None
    level: float
    test: str | None
    alternative: str
    simultaneous: bool = False
    letters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    per_unit: Mapping[str, Mapping[str, NDArray[np.float64]]] = field(default_factory=dict)
    units: tuple[str, ...] = ()
    conventions: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def plot(self, kind: str = "differences", ax: Any = None, *, metric: str | None = None, **options: Any) -> Any:
        """Draw the comparison; needs ``pip install 'certus[plot]'``.

        Parameters
        ----------
        kind
            - ``"differences"``: each difference with its interval and verdict, the margin shaded;
            - ``"units"``: the differences on single units, largest first;
            - ``"critical-difference"``: the systems on an axis by their values, joined where their differences are not
              significant; needs all pairs.
        ax
            The matplotlib axes to draw on; by default those of a new figure, one for each metric.
        metric
            The metric to draw; all of them where none is named.
        options
            As `certus.plot.unit_differences` takes them.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on; the first of them where there are several.

        Raises
        ------
        MetricNameError
            There is no such kind, or no such metric in the comparison.
        DataError
            The comparison does not hold what the picture shows.
        ImportError
            matplotlib is not installed.
        """
        from certus import plot

        kinds = {
            "differences": plot.differences,
            "units": plot.unit_differences,
            "critical-difference": plot.critical_difference,
        }
        if kind not in kinds:
            raise MetricNameError(f"kind is {kind!r}; it must be one of {', '.join(map(repr, kinds))}")
        return kinds[kind](self, ax, metric=metric, **options)

    def row(self, metric: str, system: str, baseline: str | None = None) -> Difference:
        """The difference of a metric between two systems; `baseline` may be left out where there is one.

        Raises
        ------
        KeyError
            There is no such row.
        """
        against = self.baseline if baseline is None else baseline
        for row in self.rows:
            if (row.metric, row.system, row.baseline) == (metric, system, against):
                return row
        there = ", ".join(f"{row.system} against {row.baseline}" for row in self.rows if row.metric == metric)
        raise KeyError(f"no {metric} of {system} against {against}; there is {there or ', '.join(self.metrics)}")

    def sentences(self) -> list[str]:
        """In plain words: which differences hold up, which do not, and how large they are."""
        from certus.comparison._sentences import sentences

        return sentences(self)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries of plain values; None where a value is undefined, with ``why``."""
        return [row.to_dict() for row in self.rows]

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows as a DataFrame; see `certus.Table.to_frame`."""
        from certus.comparison._written import frame

        return frame(self, backend)

    def to_json(self) -> str:
        """One JSON document with everything: signature, warnings, sentences, rows, values, letters, values per unit."""
        from certus.comparison._written import document

        return document(self)

    def to_jsonl(self) -> str:
        """JSON Lines: all but the rows, then one row a line."""
        from certus.comparison._written import lines

        return lines(self)

    def to_csv(self) -> str:
        """Comma-separated rows with a header line; see `certus.Table.to_csv`."""
        from certus.comparison._written import delimited

        return delimited(self, ",")

    def to_tsv(self) -> str:
        """Tab-separated rows with a header line."""
        from certus.comparison._written import delimited

        return delimited(self, "\t")

    def to_markdown(self) -> str:
        """Markdown tables and sentences."""
        from certus.comparison._layout import blocks
        from certus.comparison._sentences import notes
        from certus.table.as_markdown import of_blocks

        return of_blocks(blocks(self), [*self.sentences(), *notes(self)])

    def to_latex(self) -> str:
        """A LaTeX table for the booktabs package: systems down, metrics across, the best in bold.

        Marks or letters say which differences are significant; the caption explains them.
        """
        from certus.comparison._as_latex import latex

        return latex(self)

    def to_text(self, width: int = 100, colour: bool = False, warnings: bool = True) -> str:
        """Aligned columns, the differences in plain words, and notes; about `width` columns wide."""
        from certus.comparison._as_text import text

        return text(self, width, colour, warnings)

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from certus.comparison._layout import blocks
        from certus.comparison._sentences import notes
        from certus.table.as_html import of_blocks

        return of_blocks(blocks(self), [*self.sentences(), *notes(self)])
