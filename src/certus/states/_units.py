"""Metrics of weighted or grouped samples in a file: means over units, areas, and pairs of labels."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, memory_error
from certus.data import Labels, Scores
from certus.data.cells import CellFunction
from certus.data.columns import check_weights
from certus.evaluation.call import check_weights_allowed
from certus.evaluation.cases import keywords_of
from certus.metrics import Metric, parse
from certus.metrics.state_kinds import Order, SampleSums
from certus.states._batch import GROUPS, WEIGHT, Field, SampleBatch, columns_of_rows, rows_in_label_order
from certus.states._files import StoredColumns
from certus.states._order import SamplesByScore
from certus.states._rows import Column, Spilled, in_pieces
from certus.states._runs import root_of_mean
from certus.states._sums import (
    ENOUGH_OF_A_CLASS,
    SCORE,
    TRUTH,
    PowerSums,
    caution_of,
    is_pointwise,
    keep_tiny_squares,
    names_of,
    root_of,
    values_of,
)
from certus.statistic import Contributions, Ratio, Statistic
from certus.statistic.common import Bounds, missing_reason, plural, sum_by_code
from certus.statistic.mean import RatioInParts
from certus.statistic.moments import power_of_two
from certus.statistic.table_function import Codes, InParts, Parts
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.states._state import State

PREDICTED = Field("y_pred", 0, True)
MODERATE_WEIGHT = 2.0**100
"""Greatest weights beyond this, or below its inverse, are scaled in memory."""
LARGEST_VALUE = 2.0**200
"""Greatest values beyond this are scaled in memory."""
MAX_PAIRS = 10_000
"""Pairs of labels of which sums of weights are kept."""
GROUP_PAIR_BYTES = 64
"""Bytes that a pair of labels of a group takes, with what is computed of it."""
MIN_GROUP_BYTES = 1 << 20
"""Bytes that they may take at least, however little the memory."""


class UnitStatistics(NamedTuple):
    """Statistics of weighted or grouped rows, the number of samples in words, and label pairs if needed."""

    statistics: dict[Metric, Statistic]
    size: str
    pairs: "LabelPairs | None"


def is_weighable(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if the metric of weighted or grouped samples can be computed from sums over units."""
    has_several_columns = any(field.column for field in fields if field.name in names_of(task, metric))
    if needs_labels(task, metric) or is_area(task, metric):
        return not has_several_columns
    is_mean = isinstance(metric.state, SampleSums) and is_pointwise(task, metric, fields)
    return is_mean and not (has_several_columns and task.name == "regression")


def needs_labels(task: Task, metric: Metric) -> bool:
    """True if the metric is computed from true and predicted labels."""
    return task.name == "classification" and Labels in metric.input_types


def is_area(task: Task, metric: Metric) -> bool:
    """True if the metric is the whole area under the ROC curve."""
    has_least = isinstance(kind := metric.state, Order) and kind.minimum is not None
    return task.name == "classification" and has_least and metric.conventions["undefined"] == "nan"


def unit_statistics(state: "State", rows: Spilled) -> UnitStatistics:
    """Compute all metrics of a state from weighted or grouped rows in a file, in one reading."""
    task, fields, metrics = state.task, state.row_fields, state.metrics or []
    is_grouped = GROUPS in fields
    total_weight, has_weights = _total_weight(rows, fields.index(WEIGHT) if WEIGHT in fields else None)
    for metric in metrics:
        check_weights_allowed(metric, {"sample_weight": True} if WEIGHT in fields else {})
    areas = [metric for metric in metrics if is_area(task, metric)]
    means: list[_UnitSums | _SampleSums] = [
        (_UnitSums if has_weights or is_grouped else _SampleSums)(task, metric, state.conventions)
        for metric in metrics
        if not needs_labels(task, metric) and metric not in areas
    ]
    pairs = scores = None
    positive_codes = _positive_codes(state, rows) if areas else np.zeros(0, dtype=np.int64)
    if areas:
        scores = SamplesByScore(weighted=has_weights, grouped=is_grouped, memory=rows.memory)
    if len(means) + len(areas) < len(metrics):
        pairs = LabelPairs(weighted=has_weights, grouped=is_grouped, memory=rows.memory)
    class_counts: dict[int, int] = {}
    groups, groups_in_use, last_group, last_used_group = 0, 0, None, None
    for samples in _samples(rows, sort=is_grouped):
        columns = dict(zip(fields, samples, strict=True))
        group_codes, weights = columns.pop(GROUPS, None), columns.pop(WEIGHT, None)
        if group_codes is not None:
            groups += int(np.count_nonzero(group_codes[1:] != group_codes[:-1])) + int(group_codes[0] != last_group)
            last_group = int(group_codes[-1])
        if weights is not None and not weights.all():
            mask = weights > 0
            columns = {field: column[mask] for field, column in columns.items()}
            weights, group_codes = weights[mask], None if group_codes is None else group_codes[mask]
            if not len(weights):
                continue
        if task.name == "classification" and TRUTH in columns:
            for label, count in zip(*np.unique(columns[TRUTH], return_counts=True), strict=True):
                class_counts[int(label)] = class_counts.get(int(label), 0) + int(count)
        weights = weights.astype(np.float64) if has_weights and weights is not None else None
        runs = None if group_codes is None else _GroupRuns.from_groups(group_codes, last_used_group)
        last_used_group = None if group_codes is None else int(group_codes[-1])
        if means:
            data = columns_of_rows(state._labels, list(columns), rows_in_label_order(state._labels, columns), None)
            for mean in means:
                mean.add(data, weights, runs)
        if pairs is not None:
            pairs.add(columns[PREDICTED], columns[TRUTH], weights, group_codes)
        if scores is not None:
            numbers = None
            if runs is not None:
                groups_in_use -= runs.continues
                numbers = runs.codes + groups_in_use
                groups_in_use = int(numbers[-1]) + 1
            scores.add(np.isin(columns[TRUTH], positive_codes), columns[SCORE], weights, numbers)
    statistics: dict[Metric, Statistic] = {}
    for mean in means:
        caution = _caution(state, mean.metric, class_counts)
        statistics[mean.metric] = mean.statistic("group" if is_grouped else mean.metric.unit, is_grouped, caution)
    if scores is not None:
        statistics |= {metric: scores.statistic(metric, rows.memory) for metric in areas}
    size = [plural(state.n, task.unit)]
    size += [f"of total weight {total_weight:.10g}"] if WEIGHT in fields else []
    size += [f"in {plural(groups, 'group')}"] if is_grouped else []
    return UnitStatistics(statistics, " ".join(size), pairs)


def _caution(state: "State", metric: Metric, class_counts: Mapping[int, int]) -> str:
    """Warning of a metric about small classes."""
    if state.task.name != "classification":
        return ""
    labels = state._labels[TRUTH]
    codes = labels.ordered(np.array(list(class_counts), dtype=np.int64))
    truth = labels.decode(np.sort(np.repeat(codes, np.minimum(list(class_counts.values()), ENOUGH_OF_A_CLASS))))
    width = sum(field.name == "y_score" for field in state.row_fields)
    return caution_of(state.task, metric, truth, width, state.conventions)


def _positive_codes(state: "State", rows: Spilled) -> NDArray[np.int64]:
    """Codes of the positive labels."""
    index, labels = state.row_fields.index(TRUTH), state._labels[TRUTH]
    codes = np.unique(np.concatenate([np.unique(columns[index]) for columns, _ in rows.parts_of(())]))
    names = labels.decode(labels.ordered(codes))
    return codes[Scores.from_arrays(names, np.zeros(len(names)), **state.conventions).truth]


def _total_weight(rows: Spilled, index: int | None) -> tuple[float, bool]:
    """Sum of the checked weights, and True if some of them are neither 0 nor 1."""
    if index is None:
        return 0.0, False
    least, greatest, sums, has_weights = math.inf, 0.0, kernels.ExactSums(1), False
    for columns, counts in rows.parts_of(()):
        weights = columns[index].astype(np.float64)
        least, greatest = min(least, float(weights.min())), max(greatest, float(weights.max()))
        has_weights |= not ((weights == 1) | (weights == 0)).all()
        sums.add_products(0, weights, np.ones(len(weights)) if counts is None else counts.astype(np.float64))
    check_weights(np.array([greatest, least]))
    if not 1 / MODERATE_WEIGHT <= power_of_two(np.array([greatest])) <= MODERATE_WEIGHT:
        raise memory_error("weights as large or small as these need every row")
    return sums.rounded()[0], bool(has_weights)


class _GroupRuns(NamedTuple):
    """Runs of adjacent samples of a group, numbered from 0; `continues`: the first run began in the block before."""

    codes: NDArray[np.int64]
    continues: bool

    @classmethod
    def from_groups(cls, groups: Column, before: int | None) -> "_GroupRuns":
        """Runs in a block of samples; `before` is the last group of the block before."""
        codes = np.zeros(len(groups), dtype=np.int64)
        np.cumsum(groups[1:] != groups[:-1], out=codes[1:])
        return cls(codes, before is not None and int(groups[0]) == before)


def _samples(rows: Spilled, *, sort: bool) -> Iterator[list[Column]]:
    """Columns of all samples in pieces of the same types, sorted by the first column or in any order."""
    dtypes = [
        np.result_type(*column) for column in zip(*(b.dtypes for run in rows.cells[()] for b in run), strict=True)
    ]
    parts = ((columns, counts) for _, columns, counts in rows.merged({(): 0})) if sort else rows.parts_of(())
    for columns, counts in parts:
        wide = [
            column.astype(dtype, copy=False) if dtype.kind == "f" else column
            for column, dtype in zip(columns, dtypes, strict=True)
        ]
        yield from in_pieces(wide, counts)


class _UnitSums:
    """Sums of a metric's values over samples or groups; each complete unit is written to a file."""

    def __init__(self, task: Task, metric: Metric, conventions: Mapping[str, Any]) -> None:
        self.metric, self.task = metric, task
        self.is_root = bool(root_of(metric))
        self.mean_metric = parse(root_of(metric), task=task.name) if self.is_root else metric
        self.names = names_of(task, metric)
        accepted = keywords_of(self.mean_metric)
        self.conventions = {name: value for name, value in conventions.items() if name in accepted}
        self.units = StoredColumns()
        self.n = self.missing = 0
        self.bounds: Bounds | None = None
        self.lowest, self.highest = math.inf, -math.inf
        self._totals = kernels.ExactSums(4)
        """Sums over units, numerators and denominators; those of single samples, with weights, rounded once."""
        self._open_group: kernels.ExactSums | None = None

    def add(self, data: Mapping[str, Any], weights: Floats | None, runs: _GroupRuns | None) -> None:
        """Add a block of samples; its last group may continue in the next block."""
        values, sizes = self._values(data)
        if not np.isnan(values).all():
            self.lowest = min(self.lowest, np.nanmin(values))
            self.highest = max(self.highest, np.nanmax(values))
        if self.is_root:
            sample_weights = np.ones(len(values)) if weights is None else weights
            self._totals.add_products(2, sample_weights, values)
            self._totals.add(3, sample_weights)
        pair = (values, sizes) if weights is None else (weights * values, weights * sizes)
        if runs is None:
            self._write(*pair)
            return
        if not runs.continues:
            self._close_group()
        start, end = np.searchsorted(runs.codes, [1, runs.codes[-1]]).tolist()
        self._add_to_group(*(column[:start] for column in pair))
        if end:
            self._close_group()
            self._write(*(sum_by_code(runs.codes[start:end] - 1, column[start:end], 0) for column in pair))
            self._add_to_group(*(column[end:] for column in pair))

    def _values(self, data: Mapping[str, Any]) -> tuple[Floats, Floats]:
        """Value of each sample, and the number of samples that it stands for."""
        columns = tuple(data[name] for name in self.names)
        conventions = {**self.conventions, "groups": np.arange(len(columns[0]))}
        ratio = self.mean_metric.compute(self.task.prepare()(self.mean_metric, columns, conventions))
        if not isinstance(ratio, Ratio):
            raise DataError(
                f"{self.metric} gives {type(ratio).__name__} of these columns", "make the state with rows=True"
            )
        self.bounds = ratio.bounds
        squares = keep_tiny_squares(ratio.numerators, columns) if self.is_root else ratio.numerators
        return squares, ratio.denominators

    def _add_to_group(self, numerators: Floats, denominators: Floats) -> None:
        """Add samples to the group that is not complete."""
        self._open_group = self._open_group or kernels.ExactSums(2)
        self._open_group.add(0, numerators)
        self._open_group.add(1, denominators)

    def _close_group(self) -> None:
        """Write the sums of the unfinished group, if any, as one unit."""
        if self._open_group is not None:
            numerator, denominator = self._open_group.rounded()
            self._write(np.array([numerator]), np.array([denominator]))
            self._open_group = None

    def _write(self, numerators: Floats, denominators: Floats) -> None:
        """Write units to the file and add them to the totals; units with NaN count as missing."""
        if not len(numerators):
            return
        self.n += len(numerators)
        self.missing += int(np.isnan(numerators + denominators).sum())
        self.units.add(numerators, denominators)
        self._totals.add(0, numerators)
        self._totals.add(1, denominators)

    def statistic(self, unit: str, grouped: bool, caution: str) -> Statistic:
        """Weighted mean over the units, or its root."""
        self._close_group()
        numerator, denominator, products, mass = self._totals.rounded()
        size = max(abs(self.lowest), abs(self.highest))
        if math.isfinite(size) and (size > LARGEST_VALUE or (self.is_root and 0 < size < 1 / LARGEST_VALUE)):
            raise memory_error(f"{self.metric}: numbers as large or small as these need every row")
        reason = ""
        if self.missing:
            reason = missing_reason(self.missing, self.n, unit)
        elif not denominator:
            reason = f"the denominators of {plural(self.n, unit)} sum to zero"
        value = math.nan if reason else numerator / denominator
        is_quotient = isinstance(kind := self.metric.state, SampleSums) and kind.is_quotient
        if not is_quotient and math.isfinite(value):
            value = min(max(value, self.lowest), self.highest)
        facts: dict[str, Any] = {"bounds": self.bounds, "caution": caution, "missing": reason}
        mean = RatioInParts(value, self.n, self.units, unit, weighted=not grouped, **facts)
        if not self.is_root:
            return mean
        root = min(max(math.sqrt(products / mass), math.sqrt(self.lowest)), math.sqrt(self.highest))
        return root_of_mean(self.metric, root, mean, is_zero=not self.highest)


class _SampleSums:
    """Sums of a metric's values over samples without weights."""

    def __init__(self, task: Task, metric: Metric, conventions: Mapping[str, Any]) -> None:
        self.task, self.metric, self.conventions = task, metric, conventions
        self.sums = PowerSums(metric.bounds)

    def add(self, data: Mapping[str, Any], weights: Floats | None, runs: _GroupRuns | None) -> None:
        """Add a block of samples."""
        del weights, runs
        batch = SampleBatch(dict(data), {}, {}, len(next(iter(data.values()))))
        self.sums.add(*values_of(self.task, self.metric, batch, None, self.conventions))

    def statistic(self, unit: str, grouped: bool, caution: str) -> Statistic:
        """Statistic of the metric from its sums: a mean, a proportion, or the root of a mean."""
        del unit, grouped
        return self.sums.statistic(self.metric, caution)


class LabelPairs:
    """Counts and weights of label pairs, from blocks of samples in which groups are adjacent.

    `memory` limits the bytes that are kept of groups; `n` is the number of samples.
    """

    def __init__(self, *, weighted: bool, grouped: bool, memory: int) -> None:
        self.weighted, self.grouped, self.memory = weighted, grouped, memory
        self.n = self._n_group_rows = 0
        self._cells: dict[tuple[int, int], int] = {}
        self._sums: list[kernels.ExactSums] = []
        """Of each pair its samples, their weights, and the squares of these."""
        self._group_rows: list[tuple[Codes, Codes, Floats]] = []
        """Group, pair and weight or number of samples that stand together."""
        self._samples = StoredColumns()
        """Of each sample its pair and its weight, where each is a unit."""

    def add(self, predicted: Column, true: Column, weights: Floats | None, groups: Column | None) -> None:
        """Add a block of samples by the codes of their labels."""
        self.n += len(true)
        cells = self._pair_numbers(predicted, true)
        sample_weights = np.ones(len(cells)) if weights is None else weights
        for cell in np.unique(cells).tolist():
            in_cell = sample_weights[cells == cell]
            for index, values in enumerate((np.ones(len(in_cell)), in_cell, in_cell * in_cell)):
                self._sums[cell].add(index, values)
        if groups is None:
            self._samples.add(cells.astype(np.float64), sample_weights)
            return
        starts = np.flatnonzero(np.append(True, (groups[1:] != groups[:-1]) | (cells[1:] != cells[:-1])))
        self._group_rows.append((groups[starts], cells[starts], np.add.reduceat(sample_weights, starts)))
        self._n_group_rows += len(starts)
        if GROUP_PAIR_BYTES * self._n_group_rows > max(self.memory, MIN_GROUP_BYTES):
            raise memory_error("the pairs of labels of all groups do not fit into memory")

    def _pair_numbers(self, predicted: Column, true: Column) -> NDArray[np.int64]:
        """Number of each sample's label pair; new pairs get the next numbers."""
        (first, first_codes), (second, second_codes) = (
            np.unique(column, return_inverse=True) for column in (predicted, true)
        )
        pairs, inverse = np.unique(first_codes * len(second) + second_codes, return_inverse=True)
        numbers = []
        for pair in pairs.tolist():
            key = int(first[pair // len(second)]), int(second[pair % len(second)])
            if key not in self._cells:
                self._cells[key] = len(self._sums)
                self._sums.append(kernels.ExactSums(3))
            numbers.append(self._cells[key])
        if len(self._sums) > MAX_PAIRS:
            raise memory_error(
                f"there are more than {MAX_PAIRS:,} pairs of labels, whose sums of weights do not fit into memory"
            )
        return np.array(numbers, dtype=np.int64)[inverse]

    @property
    def cells(self) -> NDArray[np.int64]:
        """Codes of the predicted and the true label of each pair."""
        return np.array(list(self._cells), dtype=np.int64).reshape(-1, 2)

    def labels(self, pairs: Labels, order: Callable[[Column], Column]) -> Labels:
        """Labels of all samples; `pairs` holds each label pair once, `order` ranks group codes."""
        counts, sums, squares = np.array([cell_sums.rounded() for cell_sums in self._sums]).T
        sum_table, square_table = (np.zeros(pairs.counts.shape) for _ in range(2))
        sum_table[pairs.true, pairs.predicted], square_table[pairs.true, pairs.predicted] = sums, squares
        groups: NDArray[np.int64] | None = None
        make_parts: Callable[[CellFunction], Parts] | None = None
        if self.grouped:
            row_groups, cells, amounts = (np.concatenate(column) for column in zip(*self._group_rows, strict=True))
            groups = np.unique(order(row_groups), return_inverse=True)[1].astype(np.int64)
            sample_weight = float(squares.sum() / sums.sum()) if self.weighted else None
            rows = _GroupContributions(cells, groups, amounts, self.n, sample_weight)
            make_parts = partial(_group_parts, pairs, rows)
        elif self.weighted:
            make_parts = partial(_sample_parts, pairs, self._samples, self.n)
        return replace(
            pairs,
            _counts=sum_table if self.weighted else sum_table.astype(np.int64),
            squares=square_table if self.weighted and not self.grouped else None,
            weights=np.ones(len(sums)) if self.weighted else None,
            groups=groups,
            n=round(float(counts.sum())),
            _columns=None,
            _parts=make_parts,
        )


def _group_parts(pairs: Labels, rows: "_GroupContributions", cell_of: CellFunction) -> "_GroupContributions":
    """Contributions of groups to the cells of a table, from rows that name label pairs."""
    cells = cell_of(pairs.true[rows.cells], pairs.predicted[rows.cells], len(pairs.classes))
    return replace(rows, cells=cells)


def _sample_parts(pairs: Labels, samples: StoredColumns, size: int, cell_of: CellFunction) -> "_SampleContributions":
    """Contributions of weighted samples to the cells of a table, from label pairs in a file."""
    return _SampleContributions(cell_of(pairs.true, pairs.predicted, len(pairs.classes)), samples, size)


@dataclass(frozen=True, eq=False)
class _GroupContributions(Contributions):
    """Contributions of groups to the cells of a table, one row for each group and label pair; see `Parts`."""

    samples: int = 0
    sample_weight: float | None = None
    """The sum of the squared weights of samples over that of the weights."""

    @property
    def size(self) -> int:
        """Number of samples."""
        return self.samples

    @property
    def weights(self) -> Floats | None:
        """Array with one weight: sum of squared sample weights divided by their sum; None without weights."""
        return None if self.sample_weight is None else np.array([self.sample_weight])

    def rows(self) -> NoReturn:
        """Refuse, as single samples are not in memory."""
        raise _needs_samples()


@dataclass(frozen=True)
class _SampleContributions:
    """Table cell and weight of each sample, in a file; methods that need all at once raise an error."""

    cells: Codes
    samples: StoredColumns
    size: int

    @property
    def weights(self) -> NoReturn:
        """Refuse, as they are not in memory."""
        raise _needs_samples()

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """Blocks of slopes and weights, see `Parts`."""
        del n
        pair_slopes = slopes[self.cells]
        return lambda: ((pair_slopes[cells.astype(np.int64)] * weights, weights) for cells, weights in self.samples())

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Raise an error: this interval needs all samples in memory."""
        raise _needs_samples()

    by_unit = masses = tables = by_group = over = rows = _refuse


def _needs_samples() -> DataError:
    """Error for an interval that needs all samples in memory at once."""
    return memory_error(
        "this interval needs every sample at once, and they do not fit into memory", alternative="take another one"
    )
