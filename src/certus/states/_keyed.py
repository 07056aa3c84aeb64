"""Samples of subgroups, of which those of one at a time are in memory."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import CertusError, DataError, called, keyword
from certus.evaluation.samples import Samples
from certus.inference import Estimate
from certus.inference.many.subgroups import Kept, of_straddling
from certus.metrics import Metric
from certus.missing import notice_of_words
from certus.note import Note
from certus.states._batch import Field
from certus.states._memory import in_words
from certus.states._rows import Column, Counts, distinct, in_full
from certus.states._spilled import Cell, Spilled
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.states._state import State


GROUPS, WEIGHT = Field("groups", 0, True), Field("sample_weight", 0, False)


def columns_of_rows(
    state: "State", fields: Sequence[Field], columns: Sequence[Column], counts: Counts
) -> dict[str, NDArray[Any]]:
    """The columns of rows by argument, each row as often as it came."""
    found: dict[str, list[NDArray[Any]]] = {}
    for field, column in zip(fields, columns, strict=True):
        values = state._labels[field].of(column) if field.labels else column
        found.setdefault(field.name, []).append(in_full(values, counts))
    return {name: each[0] if len(each) == 1 else np.column_stack(each) for name, each in found.items()}


class Keyed(Samples):
    """The samples of a state with subgroups, all of them in a file, sorted by subgroup.

    Parameters
    ----------
    state, rows
        The state and its rows, whose cells are the subgroups.
    """

    def __init__(self, state: "State", rows: Spilled) -> None:
        self.task, self.data_columns, self.conventions = state.task, {}, dict(state.conventions)
        self.state, self.rows = state, rows
        self.fields = state.held[1:]
        self._refused: CertusError | None = None
        self._used = False

    def __len__(self) -> int:
        return self.state.n

    @cached_property
    def keys(self) -> list[tuple[Any, Cell]]:
        """The subgroups in their order, each with its cell."""
        labels = self.state._labels[self.state.held[0]]
        ordered = sorted((int(labels.ordered(np.array([key]))[0]), (key,)) for (key,) in self.rows.cells)
        names = labels.of(np.array([place for place, _ in ordered]))
        return list(zip(names.tolist(), (cell for _, cell in ordered), strict=True))

    @cached_property
    def _groups(self) -> tuple[int, int]:
        """The number of groups, and of those that have samples in several subgroups."""
        place = self.fields.index(GROUPS)
        parts = ([columns[place] for columns, _ in self.rows.parts_of(cell)] for _, cell in self.keys)
        found = [np.unique(np.concatenate([np.unique(column) for column in each])) for each in parts]
        groups = np.concatenate(found)
        groups.sort()
        again = groups[1:] == groups[:-1]
        return len(groups) - int(again.sum()), int((again & np.append(True, ~again)[:-1]).sum())

    @property
    def size_in_words(self) -> str:
        """The number of samples in words, with their weight and their groups."""
        parts = [plural(len(self), self.task.unit)]
        if WEIGHT in self.fields:
            place = self.fields.index(WEIGHT)
            each = (part for _, cell in self.keys for part in self.rows.parts_of(cell))
            sums = (rows[place].sum() if counts is None else rows[place] @ counts for rows, counts in each)
            parts.append(f"of total weight {math.fsum(sums):.10g}")
        if GROUPS in self.fields:
            parts.append(f"in {plural(self._groups[0], 'group')}")
        return " ".join(parts)

    def dependent(self, by: Any) -> str:
        """Why the subgroups are not independent; empty where they are."""
        del by
        return of_straddling(self._groups[1]) if GROUPS in self.fields else ""

    def estimates_of_parts(self, by: Any, metrics: Sequence[Metric]) -> None:
        """None: one subgroup is evaluated after the other."""
        del by, metrics

    def sizes(self, by: Any) -> dict[str, float]:
        """The number of samples of each subgroup, or the sum of their weights."""
        del by
        if WEIGHT not in self.fields:
            samples = self.rows.samples()
            return {str(label): float(samples[cell]) for label, cell in self.keys}
        place, found = self.fields.index(WEIGHT), {}
        for label, cell in self.keys:
            columns, counts = self.rows.of_cell(cell)
            found[str(label)] = kernels.exact_sum(in_full(columns[place], counts).astype(np.float64))
        return found

    def compact_estimate(self, estimate: Estimate, level: float, seed: int, dependent: str) -> Estimate:
        """The estimate with its limits, without its samples."""
        return Kept.of(estimate, len(self.keys), level=level, seed=seed, dependent=dependent)

    def parts(self, by: Any) -> Iterator[tuple[str, Samples]]:
        """The samples of each subgroup, in the order of the subgroups."""
        del by
        for label, cell in self.keys:
            part = self._part(label, cell)
            yield str(label), part
            try:
                part.check_used(self.state.metrics or [])
                self._used = True
            except CertusError as error:
                self._refused = error

    def _part(self, label: Any, cell: Cell) -> Samples:
        blocks = [block for run in self.rows.cells[cell] for block in run]
        if sum(block.size for block in blocks) > self.rows.memory // 2:
            raise DataError(
                f"the {plural(sum(block.samples for block in blocks), self.task.unit)} of subgroup {label!r} do not "
                f"fit into {in_words(self.rows.memory)} of memory, and are evaluated together",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )
        columns, counts = self.rows.of_cell(cell)
        labels = [self.state._labels.get(field) for field in self.fields]
        ordered = [
            column if each is None else each.ordered(column) for each, column in zip(labels, columns, strict=True)
        ]
        given = columns_of_rows(self.state, self.fields, *distinct(ordered, counts))
        data = {each.name: given[each.name] for each in self.task.data if each.name in given}
        told = {name: column for name, column in given.items() if name not in data} | self.conventions
        return self.task.samples()(self.task, data, told)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from any subgroup has had a use for."""
        del metrics
        if self._refused is not None and not self._used:
            raise self._refused

    def notices(self) -> Iterator[Note]:
        """Warnings about the labels, of which each pair that there is is looked at once, and about the subgroups."""
        samples = self.rows.samples()
        subgroups: dict[object, dict[str, int]] = {
            str(label): {called("by"): samples[cell]} for label, cell in self.keys
        }
        if (notice := notice_of_words(subgroups, "subgroups", "value")) is not None:
            yield notice
        places = [place for place, field in enumerate(self.fields) if field.name in ("y_true", "y_pred")]
        fields = [self.fields[place] for place in places]
        if self.task.name != "classification" or [field.name for field in fields] != ["y_pred", "y_true"]:
            return
        pairs: list[Column] = [np.zeros(0, dtype=np.int8)] * 2
        for _, cell in self.keys:
            for columns, _ in self.rows.parts_of(cell):
                own = [columns[place] for place in places]
                pairs = distinct([np.concatenate(each) for each in zip(pairs, own, strict=True)], None)[0]
        ordered = [self.state._labels[field].ordered(column) for field, column in zip(fields, pairs, strict=True)]
        some = columns_of_rows(self.state, fields, ordered, None)
        yield from self.task.samples()(self.task, some, self.conventions).notices()
