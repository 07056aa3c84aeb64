"""``certus audit plan``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from certus.cli._declare import UsageError, command, option
from certus.cli._options import FORCE, FORM, LEVEL, OUTPUT
from certus.cli._progress import QUIET_OPTION, working
from certus.cli.audit import METHOD, PRIOR, check_output, check_prior, chosen_by, show

if TYPE_CHECKING:
    from certus.table import Row


@command("audit plan", "--positives 1000 --recall 0.8 --half-width 0.03")
def plan(
    positives: int | None = option(help="Known positives."),
    recall: float | None = option(help="Expected recall; 0.5 is the worst case."),
    half_width: float | None = option(help="Half-width of the interval."),
    chance: float | None = option(help="Known positives: probability that the interval is that narrow. Default: 0.8."),
    checked: int | None = option(help="Instead of --half-width for two samples: items to check in all."),
    retrieved: int | None = option(help="Two samples: items that were retrieved."),
    discarded: int | None = option(help="Two samples: items that were not retrieved."),
    precision: float | None = option(help="Expected share of relevant items among the retrieved."),
    elusion: float | None = option(help="Expected share of relevant items among the others."),
    level: float = LEVEL,
    interval: str | None = METHOD,
    prior: Any = PRIOR,
    form: str | None = FORM,
    output: Path | None = OUTPUT,
    force: bool = FORCE,
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Plan the check of a sample for an interval of recall that is narrow enough.

    Of known positives: --positives, --recall and --half-width; with --checked, the chance that so many are enough. Of
    two samples: --retrieved, --discarded, --precision, --elusion, and --checked or --half-width.
    """
    style = check_output(form, output, force)
    known_design = {"positives": positives, "recall": recall}
    two = {"retrieved": retrieved, "discarded": discarded, "precision": precision, "elusion": elusion}
    chosen = chosen_by(level, interval, prior)
    split = _is_split(known_design, two)
    if split and (checked is None) == (half_width is None):
        raise UsageError("give one of both", "--checked, --half-width")
    if chance is not None and (split or checked is not None):
        raise UsageError(
            "is for the number to check among known positives, which is given or not asked for", "--chance"
        )
    check_prior(prior, interval, strata=split)
    with working("planning"):
        if split:
            rows, text = _split({**two, "checked": checked, "half_width": half_width, **chosen})
        elif half_width is None:
            raise UsageError("say how narrow the interval is to be", "--half-width")
        else:
            rows, text = _known_design_rows(
                {**known_design, "half_width": half_width, **chosen}, checked, 0.8 if chance is None else chance
            )
    set_names = {**known_design, **two, "half_width": half_width, "checked": checked}
    counts = {name: value for name, value in set_names.items() if value is not None}
    signature = {"counts": counts, "level": level, "method": interval, "said": text.splitlines()}
    show(rows, signature, style, output, force)


def _known_design_rows(arguments: dict[str, Any], checked: int | None, chance: float) -> "tuple[list[Row], str]":
    from certus.audit.plan import chance_narrow_enough, sample_size
    from certus.table import Row

    if checked is None:
        size = sample_size(**arguments, chance=chance)
        outlook, text = size.outlook, str(size)
    else:
        outlook = chance_narrow_enough(**arguments, checked=checked)
        text = str(outlook)
    n = outlook.positives
    values = {"Check": outlook.checked, "Chance": outlook.chance, "HalfWidth": outlook.expected}
    return [Row("plan", name, float(value), n=n, unit="positive") for name, value in values.items()], text


def _split(arguments: dict[str, Any]) -> "tuple[list[Row], str]":
    from certus.audit.plan import split
    from certus.table import Row

    numbers_by_name = split(arguments.pop("retrieved"), arguments.pop("discarded"), **arguments)
    values = {
        "CheckRetrieved": (numbers_by_name.retrieved_checked, numbers_by_name.retrieved),
        "CheckDiscarded": (numbers_by_name.discarded_checked, numbers_by_name.discarded),
        "HalfWidth": (numbers_by_name.expected, numbers_by_name.retrieved + numbers_by_name.discarded),
    }
    return [Row("plan", name, float(value), n=n, unit="item") for name, (value, n) in values.items()], str(
        numbers_by_name
    )


def _is_split(one: dict[str, Any], two: dict[str, Any]) -> bool:
    """True if two samples are planned; a mixture of both plans, or half of one, is refused."""
    kinds = [[name for name, value in kind.items() if value is not None] for kind in (one, two)]
    if all(kinds):
        raise UsageError(f"--{kinds[0][0]} and --{kinds[1][0]} belong to different plans; leave one out")
    wanted = two if kinds[1] else one
    missing = [f"--{name}" for name, value in wanted.items() if value is None]
    if missing:
        raise UsageError(f"{', '.join(missing)} must be given" + (" too" if any(kinds) else ""))
    return bool(kinds[1])
