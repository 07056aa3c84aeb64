"""``certus compare``."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from certus.cli import _options, _output
from certus.cli._comparison import CommandLine, Input, ids_of
from certus.cli._declare import COMMANDS, ExitError, UsageError, argument, command, load_plugins, option, refuse
from certus.cli._options import column_options
from certus.cli._progress import QUIET_OPTION, working
from certus.cli._startup import fold_for_stream
from certus.core.errors import options_for
from certus.core.note import with_options, with_sentence
from certus.io.sources import dialect

if TYPE_CHECKING:
    from certus.comparison import Comparison


_TABLE = "Columns of a table"
_OUTPUT = "Output"


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not -float("inf") < low < high < float("inf"):
        raise UsageError(f"{text!r} is not two increasing numbers, such as 0,1", "--range")
    return low, high


@command("compare", "qrels.txt bm25.run dense.run -m AP", extend=partial(column_options, paired=True))
def compare(
    files: list[str] = argument(
        metavar="QRELS RUN... | FILE...",
        help="Relevance judgments and two or more runs, as `certus evaluate` reads them; one table with a row for "
        "each sample or unit; tables with --id, or results of evaluation tools, one for each system.",
    ),
    metrics: list[str] | None = _options.metric_option(
        "Metric, as `certus metrics` lists them; may be repeated. Default: one or two of the task.", metavar="METRIC"
    ),
    baseline: str | None = option(
        metavar="NAME",
        help="Run or column to compare all others with. Default: the first of two; for more, all pairs.",
    ),
    test: str | None = option(
        metavar="TEST", help="{tests}, if the metric supports it. Default: depends on the metric."
    ),
    correction: str | None = option(
        metavar="NAME", help="Correction for the number of pairs: {corrections}. Default: holm."
    ),
    simultaneous: bool = option(
        "--simultaneous", help="Simultaneous intervals, which match the adjusted p-values ({simultaneous})."
    ),
    margin: float | None = option(
        metavar="SIZE", help="Differences up to this size do not matter, in the metric's own units."
    ),
    value_range: Any = option(
        "--range",
        read=_range,
        metavar="LOW,HIGH",
        help="Smallest and largest possible value of an item, for --value or metrics without bounds such as MAE. "
        "Values outside it are refused; intervals stay within it, and --margin relies on it. Default: 0,1 if all "
        "values lie in it, otherwise estimated from at least 20 units.",
    ),
    assume: str | None = option(
        metavar="symmetric",
        help="With --margin: narrower limits, valid only if the differences of units are symmetric.",
    ),
    level: float = _options.LEVEL,
    alternative: str = option(
        default="two-sided",
        metavar="SIDE",
        help="two-sided; greater: above the baseline; less: below (with a baseline).",
    ),
    interval: str | None = option(
        metavar="METHOD", help="Interval of the differences. Default: the one of the test. {intervals}"
    ),
    chance: bool = option("--chance", help="Also compare each system's value with chance, as `certus evaluate` does."),
    bayesian: bool = option(
        "--bayesian", help="Also the posterior probability that the system is better (by more than --margin)."
    ),
    prior: float | None = option(
        metavar="X", help="With --bayesian and labels: Dirichlet prior of each cell; 0.5 is Jeffreys's, 1 uniform."
    ),
    seed: int = _options.SEED,
    fail_if_worse: bool = option(
        "--fail-if-worse",
        help="Exit with 1 unless every system is significantly less than --margin worse than the baseline; without "
        "a margin, exit with 1 if any system is significantly worse.",
    ),
    identical_passes: bool = option(
        "--identical-passes",
        help="With --fail-if-worse and --margin: a system equal on every unit passes, even with few units.",
    ),
    task: str | None = _options.TASK_NAME,
    value: list[str] | None = option(
        section=_TABLE, metavar="COL", help="Column with the values of a system; may be repeated."
    ),
    item: str | None = option(
        "--id",
        arguments=["by"],
        section=_TABLE,
        metavar="COL",
        help="Column of ids that rows of several files are paired by.",
    ),
    ids: str | None = option(
        metavar="intersection|union",
        section=_TABLE,
        help="Items to compare if some files lack items. Default: every file must have all items.",
    ),
    missing: float | None = option(
        metavar="VALUE", section=_TABLE, help="With --ids union: the value of an item that a file lacks."
    ),
    memory: str | None = option(
        metavar="SIZE",
        section=_TABLE,
        help="Read in batches, as for several files, and stop if rows take more memory than this, such as 2GB.",
    ),
    lower_is_better: bool = option(
        "--lower-is-better", section=_TABLE, help="Lower values are better, such as seconds."
    ),
    sort: str | None = _options.SORT,
    form: str | None = _options.FORM,
    layout: str | None = _options.LAYOUT,
    output: Path | None = _options.OUTPUT,
    plot: Path | None = option(
        section=_OUTPUT, metavar="FILE", help="Also draw a picture (.png, .svg, .pdf); needs certus[plot]."
    ),
    picture: Literal["differences", "matrix", "units", "critical-difference", "ranks"] | None = option(
        section=_OUTPUT,
        help="Picture to draw with --plot. Default: differences; for more than seven systems the matrix.",
    ),
    missing_values: Any = _options.MISSING_VALUES,
    _separator: str | None = _options.SEPARATOR,
    _decimal: str | None = _options.DECIMAL,
    _sheet: str | None = _options.SHEET,
    plugin: list[str] | None = _options.PLUGIN,
    force: bool = _options.FORCE,
    _quiet: bool = QUIET_OPTION,
    _no_color: bool = _options.NO_COLOR,
    **column_options: Any,
) -> None:
    """Compare systems: by how much they differ, and how sure that is.

    Exit status: 0 done, and the gate holds; 1 the gate of --fail-if-worse fails; 2 wrong usage; 3 bad data; 70 an
    internal error; 74 a file that cannot be written.
    """
    columns = {option.replace("_", "-"): words for option, words in column_options.items() if words is not None}
    # of runs the baseline may be one more file that is read
    read = [*files, *([] if baseline is None or columns or value else [baseline])]
    _output.check_force(force, output, plot)
    _output.check_target(output, force, *read)
    _output.check_picture(plot, force, read)
    if picture is not None and plot is None:
        raise UsageError("says what --plot draws, which is not given", "--picture")
    chosen = _output.table_format(output, form)
    _output.check_layout(layout, chosen)
    load_plugins(plugin)
    line = CommandLine(
        tuple(files),
        None if metrics is None else tuple(metrics),
        task,
        baseline,
        columns,
        tuple(value or ()),
        item,
        ids_of(ids, missing),
        lower_is_better,
        fail_if_worse,
    )
    compared_input = Input.from_command_line(line, memory)
    if fail_if_worse and baseline is None and not compared_input.is_ranking and len(compared_input.systems) > 2:
        raise UsageError("say which system the others must not be worse than", "--baseline")
    if identical_passes and not (fail_if_worse and margin):
        raise UsageError("is for --fail-if-worse with a --margin", "--identical-passes")
    has_bare_values = compared_input.task is None
    if value_range is not None and compared_input.is_batched:
        raise UsageError("is not for rows that are read in batches", "--range")
    if has_bare_values:
        refuse("does not apply to bare values of items", {"--chance": chance, "--prior": prior})
    options = {
        "test": test,
        "correction": correction,
        "simultaneous": simultaneous,
        "margin": margin or None,
        "assume": assume,
        "level": level,
        "alternative": alternative,
        "interval": interval,
        "bayesian": bayesian,
        "seed": seed,
        "missing_values": missing_values,
        **({} if has_bare_values else {"chance": chance, "prior": prior}),
        **({} if value_range is None else {"value_range": value_range}),
    }
    from certus.comparison.options import Options

    Options.from_arguments(options)  # refuses what is wrong before a file is read
    words = {} if compared_input.task is None else _options.words_of(compared_input.task)
    with working("comparing") as progress, options_for(words):
        comparison = compared_input.compare(options, progress)
    comparison = with_options(comparison, {**COMMANDS["compare"].options, **words})
    comparison = dialect().finish(with_sentence(comparison, compared_input.note))
    _check_matrix(comparison, baseline, {"--layout": layout, "--picture": picture})
    if sort is not None:
        comparison = _sorted(comparison, sort)
    answer = None
    if fail_if_worse:
        from certus.comparison.gate import gate

        answer = gate(comparison, identical_passes=identical_passes, unpaired_passes="queries" in columns)
    _output.warn(comparison.notices)
    if plot is not None:
        _output.save_drawing(lambda: comparison.plot(picture), plot, force)
    with working("comparing"):
        text = _output.rendered(comparison, chosen, _output.is_stdout(output), layout)
    _output.write(text, output, force, escaped=chosen == "text")
    if answer is not None:
        sys.stderr.write(fold_for_stream(f"certus: {answer.reason}", sys.stderr))
        if not answer.holds:
            raise ExitError(1)


def _sorted(comparison: "Comparison", by: str) -> "Comparison":
    if len(comparison.systems) == 2:
        raise UsageError("two systems have one difference, so nothing to sort", "--sort")
    return _output.in_order(comparison, by, comparison.metrics, comparison.conventions.get("task"))


def _check_matrix(comparison: "Comparison", baseline: str | None, words: dict[str, str | None]) -> None:
    """Refuse a matrix of fewer than three systems; how many a directory or a file holds is known once it is read."""
    if baseline is not None or len(comparison.systems) < 3:
        matrices = {name: word == "matrix" for name, word in words.items()}
        refuse("'matrix' is for all pairs of three or more systems", matrices)
