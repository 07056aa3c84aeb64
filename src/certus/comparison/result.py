"""The result of a comparison of systems."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.comparison.row import OF_MARGIN, Difference, Verdict
from certus.core.errors import DataError, MetricNameError
from certus.core.note import Note, from_dicts, to_dicts
from certus.core.spelling import suggestion
from certus.table import Row, Table
from certus.table.output import Layout, Output, number_kinds
from certus.table.row import check_metric

if TYPE_CHECKING:
    from certus.core.frames import Kind
    from certus.table.block import Block
    from certus.table.methods import Citations
    from certus.table.page import Report

__all__ = ["Comparison", "Difference", "Verdict"]

STORED = ("baseline", "correction", "simultaneous", "margin", "level", "test", "alternative")
"""Conventions that are attributes of a comparison, too."""
MOST_PAIRS = 21
"""Pairs of a metric that are listed for reading, those of seven systems; more stand in a matrix."""

_POSTERIOR: tuple[str, ...] = ("p_better", "p_equivalent", "p_worse", "posterior", "posterior_error")
_CHANCE = tuple(f"{of}chance_{number}" for of in ("", "baseline_") for number in ("p", "corrected", "percentile"))
_ONLY_WITH_MARGIN: tuple[str, ...] = ("margin", *OF_MARGIN)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison(Output):
    """Differences between systems with p-values, intervals and verdicts, and how they were computed.

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
    notices: tuple[Note, ...] = ()
    _kinds: ClassVar[Mapping[str, "Kind"]] = number_kinds(Difference)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __getitem__(self, metric: str) -> Self:
        """The comparison by one of the metrics; raises MetricNameError where there is no such metric."""
        check_metric(metric, self.metrics)
        return replace(
            self,
            rows=tuple(row for row in self.rows if row.metric == metric),
            values=self.values[metric],
            metrics=(metric,),
            letters={name: letters for name, letters in self.letters.items() if name == metric},
            per_unit={name: values for name, values in self.per_unit.items() if name == metric},
        )

    def plot(self, kind: str | None = None, ax: Any = None, *, metric: str | None = None, **options: Any) -> Any:
        """Draw the comparison; needs ``pip install 'certus[plot]'``.

        Parameters
        ----------
        kind
            - ``"differences"``: each difference with its interval and verdict, the margin shaded;
            - ``"matrix"``: the differences of all pairs as colors, the systems by their values; needs all pairs;
            - ``"units"``: the differences on single units, largest first;
            - ``"critical-difference"``: the systems on an axis by their values, joined where their differences are not
              significant; needs all pairs;
            - ``"ranks"``: the ranks of each system that no significant difference rules out; needs all pairs;
            - of runs and of classifiers also the pictures of `certus.Table.plot`, all systems together.

            None: the differences, or the matrix of more than 21 of a metric.
        ax
            The matplotlib axes to draw on; by default those of a new figure, one for each metric.
        metric
            The metric to draw; all of them where none is named.
        options
            Of ``"units"`` `pairs`, the pairs to draw as ``[(system, baseline), ...]``, by default all that were
            compared; of ``"matrix"`` `colormap`, a matplotlib color map.

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
        from certus.plot import comparisons

        kinds = {
            "differences": comparisons.differences,
            "matrix": comparisons.difference_matrix,
            "units": comparisons.unit_differences,
            "critical-difference": comparisons.critical_difference,
            "ranks": comparisons.ranks,
        }
        if kind is None:
            kind = "matrix" if self.many else "differences"
        pictures = {} if kind in kinds or self.values.drawn is None else dict(self.values.drawn.pictures())
        if kind == "values" or kind in pictures:
            for name in options:
                raise TypeError(f"plot() got an unexpected keyword argument {name!r}")
            return self.values.plot(kind, ax, metric=metric)
        if kind not in kinds:
            valid_names = (*kinds, "values", *pictures)
            raise MetricNameError(
                f"is {kind!r}", f"it must be one of {', '.join(map(repr, valid_names))}", argument="kind"
            )
        return kinds[kind](self, ax, metric=metric, **options)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems compared in each metric."""
        n = len(self.systems)
        return n * (n - 1) // 2 if self.baseline is None else n - 1

    @property
    def many(self) -> bool:
        """True if all pairs were compared and are too many for a list."""
        return self.baseline is None and self.n_pairs > MOST_PAIRS

    def sorted(self, by: str) -> Self:
        """Copy with its systems in another order: the best by a metric first, or by ``"name"``.

        What is compared with what stays as it is. Systems without a value come last; what is equal stays in order.

        Raises
        ------
        MetricNameError
            There is no such metric.

        Examples
        --------
        >>> from certus.comparison import compare_values
        >>> scores = {"old": [1, 2, 3, 4], "new": [3, 2, 5, 6], "mid": [2, 1, 4, 6]}
        >>> comparison = compare_values(scores, "score", baseline="old")
        >>> [row.system for row in comparison.sorted("name")], [row.system for row in comparison.sorted("score")]
        (['mid', 'new'], ['new', 'mid'])
        """
        from certus.comparison.layout import best_first, better_of

        if by == "name":
            systems = sorted(self.systems)
        elif by in self.metrics:
            values = [row for row in self.values.rows if row.metric == by]
            systems = [row.run for row in best_first(values, better_of(self, by) or "higher")]
        else:
            valid_names = [*self.metrics, "name"]
            near = suggestion(by, valid_names) or f"there are {', '.join(valid_names)}"
            raise MetricNameError(f"the comparison has no metric {by!r} to sort by", near)
        rank = {system: index for index, system in enumerate(systems)}
        metric = {name: index for index, name in enumerate(self.metrics)}
        table = self.values
        return replace(
            self,
            rows=tuple(sorted(self.rows, key=lambda row: (metric[row.metric], rank[row.system], rank[row.baseline]))),
            values=Table(
                sorted(table.rows, key=lambda row: rank[row.run]), table.warnings, table.signature, drawn=table.drawn
            ),
            systems=tuple(systems),
            conventions={**self.conventions, "sorted": by},
        )

    def row(self, metric: str, system: str, baseline: str | None = None) -> Difference:
        """Return the difference between two systems in a metric; `baseline` may be left out if there is only one.

        Raises
        ------
        KeyError
            There is no such row.
        """
        against = self.baseline if baseline is None else baseline
        for row in self.rows:
            if (row.metric, row.system, row.baseline) == (metric, system, against):
                return row
        pairs = ", ".join(f"{row.system} against {row.baseline}" for row in self.rows if row.metric == metric)
        raise KeyError(f"no {metric} of {system} against {against}; there is {pairs or ', '.join(self.metrics)}")

    def ranks(self, metric: str) -> dict[str, tuple[int, int]]:
        """Best and worst rank of each system that the significant differences allow.

        A system's best rank is one below all that are significantly better, its worst one above all that are
        significantly worse. Where the correction holds the chance of any false rejection below 1 - `level`, as Holm's
        does, the true ranks of all systems together lie within these sets with a probability of about `level`
        (Mogstad, Romano, Shaikh & Wilhelm 2024, Review of Economic Studies 91(1):476-518).

        Raises
        ------
        DataError
            Not all pairs were compared, or the metric has no better direction.
        MetricNameError
            The comparison has no such metric.

        Examples
        --------
        >>> from certus.comparison import compare_values
        >>> scores = {"a": [5, 6, 7, 8], "b": [5, 7, 6, 8], "c": [1, 2, 3, 3]}
        >>> compare_values(scores, "score", better="higher", test="t").ranks("score")
        {'a': (1, 2), 'b': (1, 2), 'c': (3, 3)}
        """
        if metric not in self.metrics:
            raise MetricNameError(f"the comparison has no metric {metric!r}", f"it has {', '.join(self.metrics)}")
        rows = [row for row in self.rows if row.metric == metric]
        if self.baseline is not None and len(self.systems) > 2:
            raise DataError("ranks need the tests of all pairs", "compare without a baseline")
        if any(row.better is None for row in rows):
            raise DataError(f"{metric} has no better direction, so its values have no ranks")
        n_better, n_worse = dict.fromkeys(self.systems, 0), dict.fromkeys(self.systems, 0)
        for row in rows:
            if row.significant:
                upper = (row.difference > 0) == (row.better == "higher")
                best, worst = (row.system, row.baseline) if upper else (row.baseline, row.system)
                n_better[worst] += 1
                n_worse[best] += 1
        return {system: (1 + n_better[system], len(self.systems) - n_worse[system]) for system in self.systems}

    def sentences(self) -> list[str]:
        """Return the findings in plain words: which differences are significant, which are not, and their sizes."""
        from certus.comparison.notes import sentences

        return sentences(self)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries of plain values; undefined ones are None, with ``reason``."""
        return [row.to_dict() for row in self.rows]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of a row's fields; those on a margin or posterior only if the comparison has one."""
        omitted = () if self.margin is not None else _ONLY_WITH_MARGIN
        if not self.conventions.get("bayesian"):
            omitted += _POSTERIOR
        if not self.conventions.get("chance"):
            omitted += _CHANCE
        return tuple(name for name in Difference.__slots__ if name not in omitted)

    def _head(self) -> dict[str, Any]:
        """JSON content apart from the rows: settings, notes, systems, values, letters and unit values."""
        return {
            "signature": {**self.conventions, "inputs": dict(self.inputs)},
            **to_dicts(self.notices),
            "systems": list(self.systems),
            "metrics": list(self.metrics),
            "baseline": self.baseline,
            "sentences": self.sentences(),
            "values": self.values.to_dicts(),
            "letters": {metric: dict(letters) for metric, letters in self.letters.items()},
            "units": list(self.units),
            "per_unit": {
                metric: {
                    system: [value if isfinite(value) else None for value in values.tolist()]
                    for system, values in systems.items()
                }
                for metric, systems in self.per_unit.items()
            },
        }

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        """Create from the content of a JSON file."""
        conventions = {name: value for name, value in content["signature"].items() if name != "inputs"}
        inputs = content["signature"]["inputs"]
        return cls(
            rows=tuple(map(Difference.from_dict, content["rows"])),
            values=Table(map(Row.from_dict, content["values"]), (), {**conventions, "inputs": inputs}),
            systems=tuple(content["systems"]),
            metrics=tuple(content["metrics"]),
            **{name: conventions[name] for name in STORED},
            letters=content["letters"],
            per_unit={
                metric: {name: np.array(values, dtype=np.float64) for name, values in systems.items()}
                for metric, systems in content["per_unit"].items()
            },
            units=tuple(content["units"]),
            conventions=conventions,
            inputs=inputs,
            notices=from_dicts(content),
        )

    def _laid_out(
        self, width: int | None = None, layout: Layout | None = None, paper: bool = False
    ) -> tuple[list["Block"], list[Note]]:
        """Blocks of values and differences, for text or for a paper, and the notes below them."""
        from certus.comparison.layout import laid_out

        return laid_out(self, width, layout, paper)

    def _method_sentences(self, citations: "Citations") -> Iterator[str]:
        """Sentences for a methods section: systems, units, metrics, tests, correction and intervals."""
        from certus.comparison.notes import method_sentences

        return method_sentences(self, citations)

    def _report(self) -> "Report":
        """Content of the HTML page: differences with verdicts, values, unit values and notes."""
        from certus.comparison.layout import report

        return report(self)
