"""Metrics of samples with weights or groups that lie in a file: means over units, and pairs of labels."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, keyword
from certus.data import Labels, Scores
from certus.data.cells import CellFunction
from certus.data.columns import check_weights
from certus.evaluation.call import check_weights_allowed
from certus.evaluation.cases import keywords_of
from certus.metrics import Metric, parse
from certus.metrics.state_kinds import Order, SampleSums
from certus.states._batch import GROUPS, WEIGHT, Batch, Field, columns_of_rows
from certus.states._files import Pairs
from certus.states._order import ByScore
from certus.states._rows import Column, Spilled, in_pieces
from certus.states._runs import RootOfMean
from certus.states._sums import (
    ENOUGH_OF_A_CLASS,
    SCORE,
    TRUTH,
    PowerSums,
    caution_of,
    is_pointwise,
    names_of,
    not_vanished,
    root_of,
    values_of,
)
from certus.statistic import Contributions, Ratio, Statistic
from certus.statistic.common import Bounds, missing_reason, plural, sum_by_code
from certus.statistic.contributions import Codes, InParts, Parts, Tables
from certus.statistic.mean import RatioInParts
from certus.statistic.moments import power_of_two
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.states._state import State

PREDICTED = Field("y_pred", 0, True)
MODERATE = 2.0**100
"""Greatest weights beyond this, or below its inverse, are scaled in memory."""
LARGEST = 2.0**200
"""Greatest values beyond this are scaled in memory."""


class Weighed(NamedTuple):
    """Statistics of rows with weights or groups.

    Attributes
    ----------
    statistics
        Those of the metrics.
    size
        The number of samples in words, with their weight and their groups.
    labels
        The pairs of labels, for metrics of these.
    """

    statistics: dict[Metric, Statistic]
    size: str
    labels: "PairsOfLabels | None"


def is_weighable(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if a metric of samples with weights or groups comes from sums over their units."""
    several = any(field.place for field in fields if field.name in names_of(task, metric))
    if of_labels(task, metric) or is_area(task, metric):
        return not several
    per_sample = isinstance(metric.state, SampleSums) and is_pointwise(task, metric, fields)
    return per_sample and not (several and task.name == "regression")


def of_labels(task: Task, metric: Metric) -> bool:
    """True if a metric is computed from pairs of labels."""
    return task.name == "classification" and Labels in metric.input_types


def is_area(task: Task, metric: Metric) -> bool:
    """True if a metric is a whole area under the ROC curve."""
    area = isinstance(kind := metric.state, Order) and kind.minimum is not None
    return task.name == "classification" and area and metric.conventions["undefined"] == "nan"


def weighed(state: "State", rows: Spilled) -> Weighed:
    """The statistics of the metrics of a state, all rows of which are in a file."""
    task, fields, metrics = state.task, state.held, state.metrics or []
    grouped = GROUPS in fields
    mass = _Mass(rows, fields.index(WEIGHT) if WEIGHT in fields else None)
    weights = WEIGHT in fields and not mass.alike
    areas = [metric for metric in metrics if is_area(task, metric)]
    units: list[_Units | _Plain] = [
        (_Units if weights or grouped else _Plain)(task, metric, state.conventions)
        for metric in metrics
        if not of_labels(task, metric) and metric not in areas
    ]
    pairs = scores = None
    if areas:
        scores = ByScore(weighted=weights, grouped=grouped, memory=rows.memory)
    if len(units) + len(areas) < len(metrics):
        pairs = PairsOfLabels(weighted=weights, grouped=grouped, memory=rows.memory)
    for metric in metrics:
        check_weights_allowed(metric, {"sample_weight": True} if WEIGHT in fields else {})
    classes: dict[int, int] = {}
    groups, kept_groups, last, left = 0, 0, None, None
    positive = _positive(state, rows) if scores is not None else None
    for columns in _samples(rows, grouped):
        found = dict(zip(fields, columns, strict=True))
        codes = found.pop(GROUPS, None)
        if codes is not None:
            groups += int(np.count_nonzero(codes[1:] != codes[:-1])) + int(last is None or codes[0] != last)
            last = int(codes[-1])
        each = found.pop(WEIGHT, None)
        if each is not None and not each.all():
            kept = each > 0
            found = {field: column[kept] for field, column in found.items()}
            each, codes = each[kept], None if codes is None else codes[kept]
            if not len(each):
                continue
        if task.name == "classification" and TRUTH in found:
            for label, count in zip(*np.unique(found[TRUTH], return_counts=True), strict=True):
                classes[int(label)] = classes.get(int(label), 0) + int(count)
        listed = {field: found[field] for field in fields if field in found}
        ordered = [
            column if not field.labels else state._labels[field].ordered(column) for field, column in listed.items()
        ]
        given = columns_of_rows(state._labels, list(listed), ordered, None)
        run = None if codes is None else _Runs.of(codes, left)
        left = None if codes is None else int(codes[-1])
        mine = each.astype(np.float64) if weights and each is not None else None
        for one in units:
            one.add(given, mine, run)
        if pairs is not None:
            pairs.add(found[PREDICTED], found[TRUTH], mine, codes)
        if scores is not None and positive is not None:
            numbers = None
            if run is not None:
                kept_groups -= run.goes_on
                numbers = run.codes + kept_groups
                kept_groups = int(numbers[-1]) + 1
            scores.add(np.isin(found[TRUTH], positive), found[SCORE], mine, numbers)
    truth = None
    if task.name == "classification":
        labels = state._labels[TRUTH]
        counted = labels.ordered(np.array(list(classes), dtype=np.int64))
        some = np.repeat(counted, np.minimum(list(classes.values()), ENOUGH_OF_A_CLASS))
        truth = labels.of(np.sort(some))
    width = sum(field.name == "y_score" for field in fields)
    statistics = {}
    for one in units:
        caution = "" if truth is None else caution_of(task, one.metric, truth, width, state.conventions)
        statistics[one.metric] = one.statistic("group" if grouped else one.metric.unit, grouped, caution)
    if scores is not None:
        statistics |= {metric: scores.statistic(metric, rows.memory) for metric in areas}
    size = [plural(state.n, task.unit)]
    size += [f"of total weight {mass.total:.10g}"] if WEIGHT in fields else []
    size += [f"in {plural(groups, 'group')}"] if grouped else []
    return Weighed(statistics, " ".join(size), pairs)


def _positive(state: "State", rows: Spilled) -> NDArray[np.int64]:
    """The numbers of the labels that are positive."""
    place, labels = state.held.index(TRUTH), state._labels[TRUTH]
    found = np.unique(np.concatenate([np.unique(columns[place]) for columns, _ in rows.parts_of(())]))
    names = labels.of(labels.ordered(found))
    return found[Scores.from_arrays(names, np.zeros(len(names)), **state.conventions).truth]


class _Mass:
    """The weights of all samples, which are checked.

    Attributes
    ----------
    total
        Their sum.
    alike
        Those above 0 are all 1, which is the same as none.
    """

    def __init__(self, rows: Spilled, place: int | None) -> None:
        self.total, self.alike = 0.0, True
        if place is None:
            return
        least, greatest, sums = math.inf, 0.0, kernels.ExactSums(1)
        for columns, counts in rows.parts_of(()):
            weights = columns[place].astype(np.float64)
            least, greatest = min(least, float(weights.min())), max(greatest, float(weights.max()))
            self.alike &= bool(((weights == 1) | (weights == 0)).all())
            sums.add_products(0, weights, np.ones(len(weights)) if counts is None else counts.astype(np.float64))
        check_weights(np.array([greatest, least]))
        if not 1 / MODERATE <= power_of_two(np.array([greatest])) <= MODERATE:
            raise _beyond_sums("weights as large or small as these")
        (self.total,) = sums.rounded()


class _Runs(NamedTuple):
    """The groups of some samples, which stand together.

    Attributes
    ----------
    codes
        Numbers of the groups from 0, in the order of the samples.
    goes_on
        The first one has samples before these.
    """

    codes: NDArray[np.int64]
    goes_on: bool

    @classmethod
    def of(cls, groups: Column, before: int | None) -> "_Runs":
        """The groups of samples that come after those of another one."""
        codes = np.zeros(len(groups), dtype=np.int64)
        np.cumsum(groups[1:] != groups[:-1], out=codes[1:])
        return cls(codes, before is not None and int(groups[0]) == before)


def _samples(rows: Spilled, sort: bool) -> Iterator[list[Column]]:
    """The columns of all samples, part by part; by the first column, if they are sorted."""
    kinds = [np.result_type(*each) for each in zip(*(b.kinds for run in rows.cells[()] for b in run), strict=True)]
    parts = ((own, counts) for _, own, counts in rows.merged({(): 0})) if sort else rows.parts_of(())
    for columns, counts in parts:
        wide = [
            each.astype(kind, copy=False) if kind.kind == "f" else each
            for each, kind in zip(columns, kinds, strict=True)
        ]
        yield from in_pieces(wide, counts)


class _Units:
    """Sums of the values of a metric over samples or groups, each written to a file when it is known."""

    def __init__(self, task: Task, metric: Metric, conventions: Mapping[str, Any]) -> None:
        self.metric, self.task = metric, task
        self.root = bool(root_of(metric))
        self.of_values = parse(root_of(metric), task=task.name) if self.root else metric
        self.names = names_of(task, metric)
        known = keywords_of(self.of_values)
        self.told = {name: value for name, value in conventions.items() if name in known}
        self.pairs = Pairs()
        self.n = self.missing = 0
        self.bounds: Bounds | None = None
        self.least, self.greatest = math.inf, -math.inf
        self._totals = kernels.ExactSums(4)
        """Sums over units, numerators and denominators; those of single samples, with weights, rounded once."""
        self._open: kernels.ExactSums | None = None

    def add(self, given: Mapping[str, Any], weights: Floats | None, runs: _Runs | None) -> None:
        """Add samples, after which others of the last group may come."""
        values, sizes = self._values(given)
        if not np.isnan(values).all():
            self.least, self.greatest = min(self.least, np.nanmin(values)), max(self.greatest, np.nanmax(values))
        if self.root:
            each = np.ones(len(values)) if weights is None else weights
            self._totals.add_products(2, each, values)
            self._totals.add(3, each)
        above, below = (values, sizes) if weights is None else (weights * values, weights * sizes)
        if runs is None:
            self._write(above, below)
            return
        if not runs.goes_on:
            self._close()
        first, last = np.searchsorted(runs.codes, [1, runs.codes[-1]]).tolist()
        self._hold(above[:first], below[:first])
        if last:
            self._close()
            self._write(*(sum_by_code(runs.codes[first:last] - 1, each[first:last], 0) for each in (above, below)))
            self._hold(above[last:], below[last:])

    def _values(self, given: Mapping[str, Any]) -> tuple[Floats, Floats]:
        """The value of each sample, and the number of samples that it counts as."""
        columns = tuple(given[name] for name in self.names)
        apart = {**self.told, "groups": np.arange(len(columns[0]))}
        found = self.of_values.compute(self.task.prepare()(self.of_values, columns, apart))
        if not isinstance(found, Ratio):
            raise DataError(
                f"{self.metric} gives {type(found).__name__} of these columns", "make the state with rows=True"
            )
        self.bounds = found.bounds
        squares = not_vanished(found.numerators, columns) if self.root else found.numerators
        return squares, found.denominators

    def _hold(self, above: Floats, below: Floats) -> None:
        """Add samples of one group."""
        self._open = self._open or kernels.ExactSums(2)
        self._open.add(0, above)
        self._open.add(1, below)

    def _close(self) -> None:
        """Write the sums of the group that was held."""
        if self._open is not None:
            above, below = self._open.rounded()
            self._write(np.array([above]), np.array([below]))
            self._open = None

    def _write(self, above: Floats, below: Floats) -> None:
        if not len(above):
            return
        self.n += len(above)
        self.missing += int(np.isnan(above + below).sum())
        self.pairs.add(above, below)
        self._totals.add(0, above)
        self._totals.add(1, below)

    def statistic(self, unit: str, grouped: bool, caution: str) -> Statistic:
        """The weighted mean, or its root."""
        self._close()
        above, below, products, mass = self._totals.rounded()
        size = max(abs(self.least), abs(self.greatest))
        if math.isfinite(size) and (size > LARGEST or (self.root and 0 < size < 1 / LARGEST)):
            raise _beyond_sums(f"{self.metric}: numbers as large or small as these")
        reason = ""
        if self.missing:
            reason = missing_reason(self.missing, self.n, unit)
        elif not below:
            reason = f"the denominators of {plural(self.n, unit)} sum to zero"
        value = math.nan if reason else above / below
        kind = self.metric.state
        if not (isinstance(kind, SampleSums) and kind.is_quotient) and not reason:
            value = self._settled(value)
        found = RatioInParts(
            *(value, self.n, self.pairs, unit),
            bounds=self.bounds,
            weighted=not grouped,
            caution=caution,
            missing=reason,
        )
        if not self.root:
            return found
        least, greatest = math.sqrt(self.least), math.sqrt(self.greatest)
        root = min(max(math.sqrt(products / mass), least), greatest)
        return RootOfMean(self.metric, root, found, zero=not self.greatest).statistic()

    def _settled(self, value: float) -> float:
        """The mean, kept among the values."""
        return min(max(value, self.least), self.greatest) if math.isfinite(value) else value


class _Plain:
    """The same of samples that all count alike."""

    def __init__(self, task: Task, metric: Metric, conventions: Mapping[str, Any]) -> None:
        self.task, self.metric, self.conventions = task, metric, conventions
        self.sums = PowerSums(metric.bounds)

    def add(self, given: Mapping[str, Any], weights: Floats | None, runs: _Runs | None) -> None:
        """Add samples."""
        del weights, runs
        batch = Batch(dict(given), {}, {}, len(next(iter(given.values()))))
        self.sums.add(*values_of(self.task, self.metric, batch, None, self.conventions))

    def statistic(self, unit: str, grouped: bool, caution: str) -> Statistic:
        """The mean, the share or the root."""
        del unit, grouped
        return self.sums.statistic(self.metric, caution)


def _beyond_sums(what: str) -> DataError:
    return DataError(f"{what} need every row", f"give more with {keyword('memory')}", argument="memory", subject="")


Coded = tuple[Codes, Codes, int]
"""Numbers of the true and the predicted label of each pair, and the number of classes."""
MOST = 10_000
"""Pairs of labels of which sums of weights are kept."""
EACH = 64
"""Bytes that a pair of labels of a group takes, with what is computed of it."""
LEAST = 1 << 20
"""Bytes that they may take at least, however little the memory."""


class PairsOfLabels:
    """The pairs of labels of samples that come in parts, those of a group together.

    Parameters
    ----------
    weighted, grouped
        Whether samples have weights that are not all 1, and groups.
    memory
        Bytes that what is kept of groups may take.

    Attributes
    ----------
    n
        Samples that count.
    """

    def __init__(self, *, weighted: bool, grouped: bool, memory: int) -> None:
        self.weighted, self.grouped, self.memory = weighted, grouped, memory
        self.n = self._held = 0
        self._cells: dict[tuple[int, int], int] = {}
        self._sums: list[kernels.ExactSums] = []
        """Of each pair its samples, their weights, and the squares of these."""
        self._rows: list[tuple[Codes, Codes, Floats]] = []
        """Group, pair and weight or number of samples that stand together."""
        self._samples = Pairs()
        """Of each sample its pair and its weight, where each is a unit."""

    def add(self, predicted: Column, true: Column, weights: Floats | None, groups: Column | None) -> None:
        """Add samples by the numbers of their labels."""
        self.n += len(true)
        cells = self._numbered(predicted, true)
        each = np.ones(len(cells)) if weights is None else weights
        for cell in np.unique(cells).tolist():
            own = each[cells == cell]
            for place, values in enumerate((np.ones(len(own)), own, own * own)):
                self._sums[cell].add(place, values)
        if groups is None:
            self._samples.add(cells.astype(np.float64), each)
            return
        starts = np.flatnonzero(np.append(True, (groups[1:] != groups[:-1]) | (cells[1:] != cells[:-1])))
        self._rows.append((groups[starts], cells[starts], np.add.reduceat(each, starts)))
        self._held += len(starts)
        if EACH * self._held > max(self.memory, LEAST):
            raise DataError(
                "the pairs of labels of all groups do not fit into memory",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )

    def _numbered(self, predicted: Column, true: Column) -> NDArray[np.int64]:
        """The number of the pair of each sample, new pairs having the next ones."""
        (first, one), (second, other) = (np.unique(column, return_inverse=True) for column in (predicted, true))
        found, inverse = np.unique(one * len(second) + other, return_inverse=True)
        numbers = []
        for pair in found.tolist():
            key = int(first[pair // len(second)]), int(second[pair % len(second)])
            if key not in self._cells:
                self._cells[key] = len(self._sums)
                self._sums.append(kernels.ExactSums(3))
            numbers.append(self._cells[key])
        if len(self._sums) > MOST:
            raise DataError(
                f"there are more than {MOST:,} pairs of labels, whose sums of weights do not fit into memory",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )
        return np.array(numbers, dtype=np.int64)[inverse]

    @property
    def cells(self) -> NDArray[np.int64]:
        """The numbers of predicted and true label of each pair."""
        return np.array(list(self._cells), dtype=np.int64).reshape(-1, 2)

    def labels(self, of_cells: Labels, order: Callable[[Column], Column]) -> Labels:
        """The labels of all samples, from those of each pair once; `order` sorts the numbers of groups."""
        counts, sums, squares = np.array([each.rounded() for each in self._sums]).T
        table, also = (np.zeros(of_cells.counts.shape) for _ in range(2))
        places = of_cells.true, of_cells.predicted
        table[places], also[places] = sums, squares
        groups: NDArray[np.int64] | None = None
        parts: Callable[[CellFunction], Parts] | None = None
        if self.grouped:
            found, cells, amounts = (np.concatenate(each) for each in zip(*self._rows, strict=True))
            groups = np.unique(order(found), return_inverse=True)[1].astype(np.int64)
            single = float(squares.sum() / sums.sum())
            pairs = places[0][cells], places[1][cells], len(of_cells.classes)
            parts = partial(_parts_of_groups, pairs, groups, amounts, self.n, self.weighted, single)
        elif self.weighted:
            parts = partial(_parts_of_samples, (*places, len(of_cells.classes)), self._samples, self.n)
        return replace(
            of_cells,
            _counts=table if self.weighted else table.astype(np.int64),
            squares=also if self.weighted and not self.grouped else None,
            weights=np.ones(len(sums)) if self.weighted else None,
            groups=groups,
            n=round(float(counts.sum())),
            _columns=None,
            _parts=parts,
        )


def _parts_of_groups(
    pairs: Coded,
    groups: NDArray[np.int64],
    amounts: Floats,
    size: int,
    weighted: bool,
    single: float,
    place: CellFunction,
) -> "_OfGroups":
    return _OfGroups(Contributions(place(*pairs), groups, amounts), size, weighted, single)


def _parts_of_samples(pairs: Coded, samples: Pairs, size: int, place: CellFunction) -> "_OfSamples":
    return _OfSamples(place(*pairs), samples, size)


class _OfGroups(NamedTuple):
    """Contributions of groups, of which samples of one pair of labels are held together; see `Parts`."""

    together: Contributions
    size: int
    weighted: bool
    single: float
    """The sum of the squared weights over that of the weights."""

    @property
    def weights(self) -> Floats | None:
        """Weights of one sample that have the same sum of squares over the sum."""
        return np.array([self.single]) if self.weighted else None

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """See `Parts`."""
        return self.together.by_unit(slopes, n)

    def masses(self, n: int) -> Floats:
        """See `Parts`."""
        return self.together.masses(n)

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """See `Parts`."""
        return self.together.in_parts(slopes, n)

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """See `Parts`."""
        return self.together.tables(amounts, cells)

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """See `Parts`."""
        return self.together.by_group(groups, cells)

    def over(self, clusters: Codes) -> "_OfGroups":
        """See `Parts`."""
        return self._replace(together=self.together.over(clusters))

    def rows(self) -> NoReturn:
        """Nothing: single samples are not in memory."""
        raise _refusal()


@dataclass(frozen=True)
class _OfSamples:
    """Contributions of samples with weights, which are read from a file; see `Parts`."""

    places: Codes
    samples: Pairs
    size: int

    @property
    def weights(self) -> NoReturn:
        """Nothing: they are not in memory."""
        raise _refusal()

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """See `Parts`."""
        del n
        of_pair = slopes[self.places]
        return lambda: ((of_pair[cells.astype(np.int64)] * weights, weights) for cells, weights in self.samples())

    def _of_each(self, *_: object, **__: object) -> NoReturn:
        """Nothing: it takes a number for each sample."""
        raise _refusal()

    by_unit = masses = tables = by_group = over = rows = _of_each


def _refusal() -> DataError:
    return DataError(
        "this interval needs every sample at once, and they do not fit into memory",
        f"take another one, or give more with {keyword('memory')}",
        argument="memory",
        subject="",
    )
