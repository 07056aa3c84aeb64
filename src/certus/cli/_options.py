"""The options of the command line: those that commands share, and those that tasks declare."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from certus.cli._declare import Option, Parameters, UsageError, option
from certus.cli._progress import COLORLESS
from certus.core import registry
from certus.core.missing import MissingWords
from certus.io.sources import dialect
from certus.table.output import FORMATS, LAYOUTS
from certus.tasks import Argument, Task

_RUNS = "Retrieval runs"
_TABLE = "Columns of a table"
_OUTPUT = "Output"


def read_level(level: float) -> float:
    """The level; refuses what is none."""
    if not 0 < level < 1:
        raise UsageError(f"{level:g} is not between 0 and 1", "--level")
    return level


def _words_for_missing(text: str) -> list[str]:
    """The words of --missing-values; refuses what is none before a file is read."""
    words = text.split(",")
    MissingWords(words)
    return words


def _set_dialect(name: str) -> Callable[[str], str]:
    """Return the reader of an option that sets a field of the dialect while the command runs."""

    def read(text: str) -> str:
        dialect().set(name, text)
        return text

    return read


SEPARATOR, DECIMAL, SHEET = (
    option(f"--{name}", arguments=[name], read=_set_dialect(name), metavar=metavar, section=_TABLE, help=about)
    for name, metavar, about in (
        (
            "separator",
            "CHAR",
            "Character between the cells of a text. Default: comma, tab, ; or |, as in the header line.",
        ),
        ("decimal", "CHAR", "Decimal mark of the numbers in a text: . or , (default: .)."),
        ("sheet", "NAME", "Sheet to read, if an Excel or ODS workbook has several."),
    )
)
Queries = Literal["intersection", "judged"]
"""The queries that are averaged over."""
TASK_NAME = option(
    "--task",
    metavar="TASK",
    complete=lambda incomplete: [name for name in registry.names() if name.startswith(incomplete)],
    help=f"{', '.join(registry.names())}; or one that a plugin declares.",
)
SUBGROUP_MEAN = option(
    topics=("all",),
    help="Also the mean over the subgroups of --by, which are a random sample (such as users) or fixed (such as "
    "countries). All subgroups have equal weight; weighted: in proportion to their samples.",
)
LEVEL = option(default=0.95, read=read_level, help="Level of the intervals.")
INTERVAL = option(
    "--interval", "--method", metavar="METHOD", help="Interval method, for metrics that support it: {intervals}"
)
SEED = option(
    topics=("all",), default=0, min=0, max=2**64 - 1, help="Seed of random draws. Methods that draw nothing ignore it."
)
SORT = option(metavar="METRIC|name", section=_OUTPUT, help="Order of the systems: the best of a metric first.")
FORM = option(
    "--format",
    choices=tuple(FORMATS),
    section=_OUTPUT,
    help="Format of the table; --json is short for json. Default: by the suffix of the output file, otherwise text.",
)
LAYOUT = option(
    topics=("all",),
    choices=LAYOUTS,
    section=_OUTPUT,
    help="Layout of text tables: rows has one line for each value; matrix has a row and a column for each run, metric "
    "or system. Default: matrix for several runs and metrics, and for more than seven systems.",
)
OUTPUT = option("-o", "--output", section=_OUTPUT, help="Write to this file.")
PLUGIN = option(
    topics=("all",), metavar="MODULE", help="Python module or .py file that declares more metrics or tasks."
)
MISSING_VALUES = option(
    "--missing-values",
    topics=("all",),
    read=_words_for_missing,
    metavar="WORD,...",
    section=_TABLE,
    help="Words that mark missing labels, groups, subgroups or ids, such as NA,null; they are refused like empty "
    "cells. Default: none, with a warning about the usual ones.",
)


def _leave_out_colors(is_colorless: bool) -> bool:
    COLORLESS.set(is_colorless)
    return is_colorless


NO_COLOR = option(
    "--no-color",
    topics=("all",),
    read=_leave_out_colors,
    section=_OUTPUT,
    help="No colors on a terminal.",
)
FORCE = option("--force", section=_OUTPUT, help="Replace output files.")


def metric_option(about: str, **facts: Any) -> Any:
    """The option of metrics, which may be repeated."""
    return option("-m", "--metric", complete=metric_names, read=_split_metrics, help=about, **facts)


def _split_metrics(texts: list[str]) -> list[str]:
    """Each metric of ``nDCG@10,AP``; commas within parentheses, or before a number, are the metric's own."""
    return [name for text in texts for name in re.split(r",(?![^(]*\))(?!\s*[\d.])\s*", text)]


def metric_names(incomplete: str) -> list[str]:
    """The metrics whose names start so, for a shell to complete."""
    from certus.metrics import declared

    names = [metric.name for task in registry.tasks() for metric in declared(task.name)]
    return sorted({name for name in names if name.startswith(incomplete)})


def options_of(tasks: Iterable[Task]) -> dict[str, list[tuple[Task, Argument]]]:
    """Each option by which the tasks are given data or conventions, with all arguments that it gives."""
    uses: dict[str, list[tuple[Task, Argument]]] = {}
    for task in tasks:
        for argument in (*task.data, *task.conventions, *task.options):
            if argument.option:
                uses.setdefault(argument.option, []).append((task, argument))
    return uses


def words_of(task: Task, options: Mapping[str, Any] = MappingProxyType({})) -> Mapping[str, str]:
    """The option that gives each argument of Python's functions; what is asked for says which of two gave it."""
    words = {
        name: f"--{argument.option}"
        for argument in (*task.data, *task.conventions, *task.options)
        if argument.option
        for name in argument.names
    }
    scores = next((f"--{argument.option}" for argument in task.data if argument.by_class), None)
    score_texts = options.get(scores[2:]) if scores and not options.get("positive") else None
    if score_texts and len(score_texts) == 1 and "=" in score_texts[0]:
        words["pos_label"] = f"the class of {scores}"
    return words if scores is None else {"score_labels": scores, **words}


def column_options(parameters: Parameters, *, paired: bool = False) -> Parameters:
    """Add the options of all tasks, or of those that compare systems, to a command's parameters."""
    tasks = tuple(task for task in registry.tasks() if task.paired or not paired)
    return [*parameters, *(_parameter(name, uses, paired) for name, uses in options_of(tasks).items())]


def _parameter(name: str, uses: list[tuple[Task, Argument]], repeated: bool) -> inspect.Parameter:
    """One option: a list where a task takes several columns, or a comparison the columns of several systems."""
    several = any(argument.several or (repeated and argument.predicted) for _, argument in uses)
    is_flag = uses[0][1].holds == "flag"
    choices = () if is_flag else uses[0][1].choices
    columns = any(argument.column for _, argument in uses)
    info = Option(
        f"--{name}",
        default=None,
        choices=choices,
        arguments=[argument_name for _, argument in uses for argument_name in argument.names],
        topics={task.name: _help([(task, argument)], repeated) for task, argument in uses},
        is_data=True,
        read=(lambda is_set: is_set or None) if is_flag else None,
        metavar=None
        if choices
        else "COL"
        if columns
        else "LABEL,..."
        if uses[0][1].holds == "list"
        else name.partition("-")[0].upper(),
        help=_help(uses, repeated),
        section=_RUNS if all(task.name == "ranking" for task, _ in uses) else _TABLE,
    )
    return inspect.Parameter(
        name.replace("-", "_"),
        inspect.Parameter.KEYWORD_ONLY,
        default=info,
        annotation=bool if is_flag else list[str] if several else str,
    )


def _help(uses: list[tuple[Task, Argument]], compared: bool) -> str:
    """The help of an option: its meaning for each task, once for tasks with the same words."""
    tasks_of_text: dict[str, list[str]] = {}
    for task, argument in uses:
        tasks_of_text.setdefault(argument.about, []).append(task.name)
    parts = list(_help_parts(tasks_of_text))
    start = "Column of " if uses[0][1].column else ""
    text = f"{start}{'; '.join(parts)}"
    if compared and any(argument.of_system for _, argument in uses):
        text += ". Each system's once; where it has several, as NAME=COL,COL"
    default = uses[0][1].default
    return f"{text[:1].upper()}{text[1:]}.{f' Default: {default}.' if default not in (None, False) else ''}"


def _help_parts(tasks_of_text: Mapping[str, list[str]]) -> Iterator[str]:
    for about, names in tasks_of_text.items():
        yield about if len(tasks_of_text) == 1 else f"{', '.join(names)}: {about}"
