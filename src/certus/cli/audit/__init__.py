"""Parts that the commands of ``certus audit`` share: options, rows of estimates, errors that name options."""

from collections.abc import Iterable, Mapping
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from certus.cli._declare import UsageError, option
from certus.cli._output import check_force, check_target, is_stdout, rendered, table_format, version, warn, write
from certus.core.note import Note

if TYPE_CHECKING:
    from certus.inference import Estimate
    from certus.table import Row


def prior_of(text: str) -> str | tuple[float, float]:
    """A prior's name, or its two parameters."""
    if "," not in text:
        return text
    try:
        alpha, other = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"{text!r} is not uniform, jeffreys or two numbers", "--prior") from None
    return alpha, other


METHOD = option("--interval", "--method", help="Interval method: blaker, posterior, ...; see docs/audit-methods.md.")
PRIOR = option(read=prior_of, metavar="uniform|jeffreys|A,B", help="Prior of the methods that have one.")
LABEL_COLUMN = option("--label", metavar="COL", help="Column of labels, if columns were moved.")
YES = option(metavar="TEXT", help="A label that means yes; may be repeated.")
NO = option(metavar="TEXT", help="A label that means no; may be repeated.")
COUNTS = ("Hits", "Count")


def chosen_by(level: float, interval: str | None, prior: object) -> dict[str, Any]:
    """The choices of an interval, those that were made."""
    choices = {"level": level, "interval": interval, "prior": prior}
    return {name: value for name, value in choices.items() if value is not None}


def check_prior(prior: object, interval: str | None, *, strata: bool) -> None:
    """Refuse a prior that the interval method, by default that of the design, has no use for."""
    if prior is None:
        return
    from certus.inference.declare import FORMS
    from certus.statistic.sampled import Sampled, Strata

    chosen = FORMS[Strata if strata else Sampled].method(interval)
    having = ("posterior", "buehler", "berger-boos") if strata else ("posterior", "hpd")
    if chosen not in having:
        raise UsageError(
            f"method {chosen} has no prior; choose one that has: --interval {' or '.join(having)}", "--prior"
        )


def given_by_user(context: click.Context, name: str) -> bool:
    """True if an option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def number_of(text: str, option: str) -> int:
    """A whole number, which may have underscores between its digits."""
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a whole number", option) from None


def row(run: str, metric: str, estimate: "Estimate", **more: Any) -> "Row":
    """The estimate as a row of a table."""
    from certus.table import Row

    # a count of items is stated as one, though its unbiased estimate N k / n need not be whole
    value = float(floor(estimate.value + 0.5)) if metric in COUNTS and not estimate.reason else estimate.value
    return Row.from_estimate(run, metric, estimate, estimate.interval(), value=value, **more)


def rows_of_shares(run: str, result: Any) -> "list[Row]":
    """The estimates of a sample with strata."""
    shares = {"Recall": result.recall, "Precision": result.precision, "F1": result.f1, "Elusion": result.elusion}
    return [row(run, name, estimate) for name, estimate in shares.items()]


def check_output(form: str | None, output: Path | None, force: bool, *sources: str) -> str:
    """The format of the table; refuses a file that cannot or must not be written."""
    check_force(force, output)
    check_target(output, force, *sources)
    return table_format(output, form)


def show(
    rows: "Iterable[Row]",
    signature: Mapping[str, Any],
    form: str,
    output: Path | None,
    force: bool,
    notices: Iterable[Note] = (),
) -> None:
    """Write the rows as a table, warnings to stderr."""
    from certus.table import Table

    table = Table(rows, notices, {"certus": version(), **signature})
    warn(table.warnings)
    write(rendered(table, form, is_stdout(output)), output, force, escaped=form == "text")
