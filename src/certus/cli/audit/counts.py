"""``certus audit`` itself: recall, precision and F1 from counts."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from certus.cli._declare import Option, UsageError, command
from certus.cli._options import Force, Form, Level, Output, check_level
from certus.cli._output import check_force, check_picture, check_target, save_drawing, table_format
from certus.cli._progress import Quiet
from certus.cli.audit import Method, Prior, check_prior, chosen_by, given_by_user, row, show

if TYPE_CHECKING:
    from certus.table import Row


Number = int | None


@command("audit", "--positives 100 --checked 50 --hits 40 --predicted 90")
def counts(
    positives: Annotated[Number, Option(help="Known positives.")] = None,
    checked: Annotated[Number, Option(help="Positives that were drawn at random and checked.")] = None,
    hits: Annotated[Number, Option(help="Checked positives that are predicted.")] = None,
    predicted: Annotated[Number, Option(help="Items that are predicted.")] = None,
    population: Annotated[Number, Option(help="All items, if known: it rules counts out.")] = None,
    retrieved: Annotated[Number, Option(help="Two samples: items that were retrieved.")] = None,
    retrieved_checked: Annotated[Number, Option(help="Of these, drawn at random and checked.")] = None,
    retrieved_hits: Annotated[Number, Option(help="Of these, found relevant.")] = None,
    discarded: Annotated[Number, Option(help="Items that were not retrieved.")] = None,
    discarded_checked: Annotated[Number, Option(help="Of these, drawn at random and checked.")] = None,
    discarded_hits: Annotated[Number, Option(help="Of these, found relevant.")] = None,
    predicted_checked: Annotated[
        Number, Option(help="One sample of the whole --population: its items that are --predicted.")
    ] = None,
    predicted_hits: Annotated[Number, Option(help="Of these, found relevant.")] = None,
    other_checked: Annotated[Number, Option(help="Its other items.")] = None,
    other_hits: Annotated[Number, Option(help="Of these, found relevant.")] = None,
    level: Level = 0.95,
    interval: Method = None,
    prior: Prior = None,
    posterior: Annotated[
        bool, Option("--posterior", help="Of few known positives: also the probability of each count of hits.")
    ] = False,
    form: Form = None,
    output: Output = None,
    plot: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Of known positives: also draw the law of the hits, the interval shaded, with its approximations "
            "(.png, .svg, .pdf); needs certus[plot].",
        ),
    ] = None,
    force: Force = False,
    _quiet: Quiet = False,
) -> None:
    """Recall, precision and F1 when only a sample was checked by hand.

    Of known positives: --positives, --checked, --hits and --predicted. Where nobody knows how many positives there are:
    --checked and --hits alone. Of what was retrieved and what was not: the six options from --retrieved on. Of one
    sample of everything: --population, --predicted and the four options from --predicted-checked on. The subcommands
    draw a sample, read its labels, and plan it.
    """
    known_positives = {"positives": positives, "checked": checked, "hits": hits, "predicted": predicted}
    two = {
        "retrieved": retrieved,
        "retrieved_checked": retrieved_checked,
        "retrieved_hits": retrieved_hits,
        "discarded": discarded,
        "discarded_checked": discarded_checked,
        "discarded_hits": discarded_hits,
    }
    one_sample = {
        "predicted_checked": predicted_checked,
        "predicted_hits": predicted_hits,
        "other_checked": other_checked,
        "other_hits": other_hits,
    }
    numbers = {**known_positives, "population": population, **two, **one_sample}
    set_names = [name for name, value in numbers.items() if value is not None]
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        set_names = [name for name in context.params if given_by_user(context, name)]
        if set_names:
            option = _option({"form": "format"}.get(set_names[0], set_names[0]))
            raise UsageError(
                f"{option} is an option of certus audit itself; leave it out before {context.invoked_subcommand}"
            )
        return
    check_force(force, output, plot)
    check_target(output, force)
    style = table_format(output, form)
    check_picture(plot, force)
    check_level(level)
    chosen = chosen_by(level, interval, prior)
    is_known_design = not set(set_names) & {*two, *one_sample} and set(set_names) != {"checked", "hits"}
    for option, is_set in (("--posterior", posterior), ("--plot", plot is not None)):
        if is_set and not is_known_design:
            raise UsageError("is of the hits among known positives; leave it out", option)
    if set(set_names) & set(two):
        check_prior(prior, interval, strata=True)
        _need(two, numbers, "two samples")
        rows, title = _of_strata("two_samples", {**two, **chosen}), "two samples"
    elif set(set_names) & set(one_sample):
        check_prior(prior, interval, strata=True)
        wanted = {"population": population, "predicted": predicted, **one_sample}
        _need(wanted, numbers, "one sample of the whole population")
        rows, title = _of_strata("post_stratified", {**wanted, **chosen}), "post-stratified sample"
    elif set(set_names) == {"checked", "hits"}:
        rows, title = _of_unknown(known_positives, chosen), "unknown number of positives"
    else:
        check_prior(prior, interval, strata=False)
        _need(known_positives, {}, "known positives", population=population)
        rows, title = (
            _rows_of_known({**known_positives, "population": population, **chosen}, posterior, plot, force),
            "known positives",
        )
    given_counts = {name: numbers[name] for name in set_names}
    show(rows, {"design": title, "counts": given_counts, "level": level, "method": interval}, style, output, force)


def _rows_of_known(arguments: dict[str, Any], posterior: bool, plot: Path | None, force: bool) -> "list[Row]":
    from certus.audit import recall_precision
    from certus.table import Row

    audit = recall_precision(**arguments)
    estimates = {"Recall": audit.recall, "Precision": audit.precision, "F1": audit.f1, "Hits": audit.hits}
    rows = [row("audit", name, estimate) for name, estimate in estimates.items()]
    if posterior:
        n, unit = audit.hits.n, audit.hits.unit
        rows += [Row("audit", f"P(Hits = {hits})", p, n=n, unit=unit) for hits, p, _ in audit.posterior()]
    if plot is not None:
        save_drawing(audit.plot, plot, force)
    return rows


def _of_unknown(given_counts: dict[str, Any], chosen: dict[str, Any]) -> "list[Row]":
    from certus.audit import unknown_positives

    if "prior" in chosen:
        raise UsageError("the intervals for an unknown number of positives have no prior", "--prior")
    estimate = unknown_positives(checked=given_counts["checked"], hits=given_counts["hits"], **chosen)
    return [row("audit", "Recall", estimate)]


def _of_strata(function: str, arguments: dict[str, Any]) -> "list[Row]":
    from certus import audit

    audit_result = getattr(audit, function)(**arguments)
    estimates = {
        "Recall": audit_result.recall,
        "Precision": audit_result.precision,
        "F1": audit_result.f1,
        "Elusion": audit_result.elusion,
    }
    return [row("audit", name, estimate) for name, estimate in estimates.items()]


def _need(wanted: Mapping[str, Number], numbers: Mapping[str, Number], design: str, **optional: Number) -> None:
    """Refuse what the options of a design leave out, and what does not belong to it."""
    missing = [_option(name) for name, value in wanted.items() if value is None]
    if len(missing) == len(wanted):
        raise UsageError(
            "give counts (--positives, --checked, --hits and --predicted, or those from --retrieved on) or a subcommand"
        )
    if missing:
        set_options = [_option(name) for name, value in {**numbers, **wanted, **optional}.items() if value is not None]
        raise UsageError(f"{', '.join(missing)} must be given too, with {', '.join(set_options)}")
    surplus = [_option(name) for name, value in numbers.items() if value is not None and name not in wanted]
    if surplus:
        raise UsageError(f"{surplus[0]} does not go with {design}; leave it out")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
