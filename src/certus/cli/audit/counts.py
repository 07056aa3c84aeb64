"""``certus audit`` itself: recall, precision and F1 from counts."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from certus.cli._declare import Parameters, UsageError, command, option, refuse
from certus.cli._options import FORCE, FORM, LEVEL, OUTPUT
from certus.cli._output import check_force, check_picture, check_target, save_drawing, table_format
from certus.cli._progress import QUIET_OPTION
from certus.cli.audit import METHOD, PRIOR, check_prior, chosen_by, given_by_user, row, rows_of_shares, show

if TYPE_CHECKING:
    from certus.table import Row


_KNOWN = {
    "positives": "Known positives.",
    "checked": "Known positives that were drawn at random and checked.",
    "hits": "Checked positives that are predicted.",
    "predicted": "Items that are predicted.",
}
_POPULATION = {"population": "Number of all items, if known; it rules out impossible counts."}
_TWO_SAMPLES = {
    "retrieved": "Two samples: items that were retrieved.",
    "retrieved_checked": "Of these, drawn at random and checked.",
    "retrieved_hits": "Of these, found relevant.",
    "discarded": "Two samples: items that were not retrieved.",
    "discarded_checked": "Of these, drawn at random and checked.",
    "discarded_hits": "Of these, found relevant.",
}
_ONE_SAMPLE = {
    "predicted_checked": "One sample of the whole --population: its items that are --predicted.",
    "predicted_hits": "Of these, found relevant.",
    "other_checked": "Its other items.",
    "other_hits": "Of these, found relevant.",
}


def _with_numbers(parameters: Parameters) -> Parameters:
    """Add the counts of all designs to the parameters of the command."""
    texts = {**_KNOWN, **_POPULATION, **_TWO_SAMPLES, **_ONE_SAMPLE}
    kind = inspect.Parameter.KEYWORD_ONLY
    numbers = [inspect.Parameter(name, kind, default=option(help=text), annotation=int) for name, text in texts.items()]
    return [*numbers, *parameters]


@command("audit", "--positives 100 --checked 50 --hits 40 --predicted 90", extend=_with_numbers)
def counts(
    level: float = LEVEL,
    interval: str | None = METHOD,
    prior: Any = PRIOR,
    posterior: bool = option(
        "--posterior", help="For few known positives: also the probability of each number of hits."
    ),
    form: str | None = FORM,
    output: Path | None = OUTPUT,
    plot: Path | None = option(
        metavar="FILE",
        help="For known positives: also draw the distribution of the hits, its approximations and the interval "
        "(.png, .svg, .pdf); needs certus[plot].",
    ),
    force: bool = FORCE,
    _quiet: bool = QUIET_OPTION,
    **numbers: int | None,
) -> None:
    """Recall, precision and F1 when only a sample was checked by hand.

    Of known positives: --positives, --checked, --hits and --predicted. Where nobody knows how many positives there are:
    --checked and --hits alone. Of what was retrieved and what was not: the six options from --retrieved on. Of one
    sample of everything: --population, --predicted and the four options from --predicted-checked on. The subcommands
    draw a sample, read its labels, and plan it.
    """
    known_positives, two, one_sample = (
        {name: numbers[name] for name in names} for names in (_KNOWN, _TWO_SAMPLES, _ONE_SAMPLE)
    )
    set_names = [name for name, value in numbers.items() if value is not None]
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        set_names = [name for name in context.params if given_by_user(context, name)]
        if set_names:
            name = _option({"form": "format"}.get(set_names[0], set_names[0]))
            raise UsageError(
                f"{name} is an option of certus audit itself; leave it out before {context.invoked_subcommand}"
            )
        return
    check_force(force, output, plot)
    check_target(output, force)
    style = table_format(output, form)
    check_picture(plot, force)
    chosen = chosen_by(level, interval, prior)
    is_known_design = not set(set_names) & {*two, *one_sample} and set(set_names) != {"checked", "hits"}
    if not is_known_design:
        refuse("is of the hits among known positives; leave it out", {"--posterior": posterior, "--plot": plot})
    if set(set_names) & set(two):
        check_prior(prior, interval, strata=True)
        _need(two, numbers, "two samples")
        rows, title = _of_strata("two_samples", {**two, **chosen}), "two samples"
    elif set(set_names) & set(one_sample):
        check_prior(prior, interval, strata=True)
        wanted = {"population": numbers["population"], "predicted": numbers["predicted"], **one_sample}
        _need(wanted, numbers, "one sample of the whole population")
        rows, title = _of_strata("post_stratified", {**wanted, **chosen}), "post-stratified sample"
    elif set(set_names) == {"checked", "hits"}:
        rows, title = _of_unknown(known_positives, chosen), "unknown number of positives"
    else:
        check_prior(prior, interval, strata=False)
        _need(known_positives, {}, "known positives", population=numbers["population"])
        rows, title = (
            _rows_of_known({**known_positives, "population": numbers["population"], **chosen}, posterior, plot, force),
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

    return rows_of_shares("audit", getattr(audit, function)(**arguments))


def _need(
    wanted: Mapping[str, int | None], numbers: Mapping[str, int | None], design: str, **optional: int | None
) -> None:
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
