"""Files of tests of readers, and what is read from them in short."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from certus.io import as_qrels
from certus.io.predictions import as_predictions
from certus.io.rank import rank

Put = Callable[..., Path]


def putter(folder: Path, usual: str) -> Put:
    """Writes bytes or text to a file of that name, by default the usual one."""

    def write(text: bytes | str, name: str = usual) -> Path:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def ranks(run: object, qrels: object = None) -> list[tuple[int, int]]:
    """The ranks and grades of the judged documents of a run."""
    columns = rank(as_qrels(qrels or {"1": {"a": 1, "b": 0}, "2": {"c": 2}}), run).ranking.columns
    return list(zip(columns.ranks.tolist(), columns.grades.tolist(), strict=True))


def labels(path: Any, *names: str) -> list[list[object]]:
    """Columns of labels of a table."""
    return [column.tolist() for column in as_predictions(path).read(labels=names).labels.values()]
