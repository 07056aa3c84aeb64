"""A budget on the command line: ``--budget Q`` calls the first Q items positive and evaluates that classification."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from certus.cli._declare import UsageError
from certus.cli._predictions import read, together
from certus.errors import DataError, NotGivenError
from certus.tasks.classification import TASK

if TYPE_CHECKING:
    from certus.budget import Called
    from certus.table import Table


_COLUMNS = ("truth", "score", "positive")


def check_budget(files: Sequence[str], task: str | None, told: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse what has no meaning for the first items of one run, or of one table with scores."""
    if task not in (None, TASK.name):
        raise UsageError(f"it makes a classification, not a result of {task}", param_hint="--budget")
    if len(files) > 2:
        raise UsageError(f"{len(files) - 1} runs were given; give one", param_hint="--budget")
    table = len(files) < 2
    for option, value in {**told, **given}.items():
        if value is not None and not (table and option in _COLUMNS):
            raise UsageError("it has no meaning with --budget", param_hint=f"--{option}")
    if table and not (given.get("truth") and given.get("score")):
        raise UsageError("give qrels and a run; or a table, --truth and --score", param_hint="--budget")
    if table and len(given["score"]) > 1:
        raise UsageError("give one column with --budget", param_hint="--score")


def at_budget(
    budget: int, files: Sequence[str], metrics: list[str] | None, choices: dict[str, Any], given: Mapping[str, Any]
) -> "Table":
    """The report of the classification that calls the first items positive."""
    from certus.evaluation import evaluate as compute
    from certus.table import Table

    found, name, inputs = _of_table(budget, files[0], given) if len(files) == 1 else _of_run(budget, *files)
    told: dict[str, Any] = {} if found.groups is None else {"groups": found.groups}
    try:
        table = compute(found.true, None, metrics, task=TASK.name, name=name, y_pred=found.predicted, **choices, **told)
    except NotGivenError as error:
        message = f"{error.place} is computed from scores, but a budget leaves predicted labels only"
        raise UsageError(message, param_hint="-m") from None
    signature = {**table.signature, "columns": {"budget": budget, **given}, "by": None, "inputs": inputs}
    return Table(table.summary, table.warnings, signature, table.single)


def _of_table(budget: int, file: str, given: Mapping[str, Any]) -> "tuple[Called, str, dict[str, str]]":
    from certus.budget import called_positive

    source = read(file, TASK, given)
    truth, score = (together(source.columns[name]) for name in ("y_true", "y_score"))
    try:
        found = called_positive(truth, score, budget, None, source.told.get("pos_label"))
    except DataError as error:
        raise source.located(error) from None
    return found, source.name, {source.file: f"xxh3-128:{source.fingerprint}"}


def _of_run(budget: int, qrels: str, run: str) -> "tuple[Called, str, dict[str, str]]":
    from certus.budget import called_positive
    from certus.io import read_qrels, read_run

    judged, ranked = read_qrels(qrels), read_run(run)
    inputs = {each.name: f"xxh3-128:{each.fingerprint}" for each in (judged, ranked)}
    return called_positive(judged, ranked, budget, None, None), PurePath(run).name, inputs
