"""A confusion matrix on the command line: ``--counts 15,10;5,20``, as it is printed."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from certus.cli._declare import UsageError
from certus.cli._predictions import KnownLabels, split_labels
from certus.spelling import plural

if TYPE_CHECKING:
    from certus.table import Table


MOST = 10_000_000
"""Samples that are counted one by one."""
_CELL = re.compile("[0-9]{1,18}")
_ALLOWED = ("labels", "positive")


def check_of_counts(
    files: Sequence[str], task: str | None, by: str | None, plot: object, given: Mapping[str, Any]
) -> None:
    """Refuse what has no meaning for counts alone."""
    if files:
        raise UsageError(f"a file was given, too ({files[0]}); give one of them", param_hint="--counts")
    if task not in (None, "classification"):
        raise UsageError(f"it has no meaning for {task}", param_hint="--counts")
    told = {"by": by, "plot": plot, **given}
    for option, value in told.items():
        if value is not None and option not in _ALLOWED:
            raise UsageError("it needs single samples; counts have none", param_hint=f"--{option}")


def of_counts(text: str, metrics: list[str] | None, choices: dict[str, Any], given: Mapping[str, Any]) -> "Table":
    """The report of a confusion matrix: rows are true classes, columns predicted ones."""
    from certus.evaluation import evaluate as compute
    from certus.table import Table

    true, predicted, classes = _labels(text)
    known = KnownLabels(classes, "--counts")
    told: dict[str, Any] = {}
    if (positive := given.get("positive")) is not None:
        told["pos_label"] = known.one(positive, "--positive")
    if (labels := given.get("labels")) is not None:
        told["labels"] = list(map(known.label, split_labels(labels)))
    table = compute(true, None, metrics, task="classification", name="counts", y_pred=predicted, **choices, **told)
    asked = {name: given[name] for name in _ALLOWED if given.get(name) is not None}
    signature = {**table.signature, "columns": {"counts": text, **asked}, "by": None, "inputs": {}}
    return Table(table.summary, table.warnings, signature)


def _labels(text: str) -> tuple[Any, Any, list[Any]]:
    """True and predicted label of each sample, and the classes in their order."""
    import numpy as np

    rows = [row for row in re.split("[;\n]", text) if row.strip()]
    names, cells = zip(*map(_row, rows), strict=True) if rows else ((), ())
    if any(names) and not all(names):
        raise _wrong("name every row or none, as in cat=15,10;dog=5,20")
    classes: list[Any] = list(names) if all(names) and names else list(range(len(rows)))
    if len(set(classes)) < len(classes):
        raise _wrong("two rows have one name")
    if len(rows) < 2 or any(len(row) != len(rows) for row in cells):
        shape = " and ".join(str(len(row)) for row in cells) or "no"
        counted = "count" if shape == "1" else "counts"
        raise _wrong(
            f"{plural(len(rows), 'row')} of {shape} {counted}; give a row and a column for each class, as in 15,10;5,20"
        )
    counts = np.array(cells, dtype=np.int64).ravel()
    if not 0 < sum(counts.tolist()) <= MOST:
        raise _wrong(f"the counts sum to {sum(counts.tolist())}; give between 1 and {MOST:,} samples")
    place = np.repeat(np.arange(len(counts)), counts)
    names_of = np.array(classes)
    return names_of[place // len(rows)], names_of[place % len(rows)], classes


def _row(text: str) -> tuple[str, list[int]]:
    name, _, numbers = text.rpartition("=")
    cells = [cell.strip() for cell in numbers.split("," if "," in numbers else None)]
    for cell in cells:
        if not _CELL.fullmatch(cell):
            raise _wrong(f"found {cell!r}; a count is a whole number, as in 15,10;5,20")
    return name.strip(), list(map(int, cells))


def _wrong(what: str) -> UsageError:
    return UsageError(what, param_hint="--counts")
