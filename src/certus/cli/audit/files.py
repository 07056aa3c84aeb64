"""``certus audit sample``, ``certus audit estimate`` and ``certus audit sequence``: files that people label."""

from dataclasses import replace
from math import floor, isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from certus.cli._declare import UsageError, argument, command, option
from certus.cli._options import FORCE, FORM, LEVEL, OUTPUT
from certus.cli._output import check_force, check_target, format_of, is_stdout, write
from certus.cli._progress import QUIET_OPTION, working
from certus.cli.audit import (
    LABEL_COLUMN,
    METHOD,
    NO,
    PRIOR,
    YES,
    check_output,
    check_prior,
    chosen_by,
    number_of,
    row,
    rows_of_shares,
    show,
)
from certus.core.errors import DataError
from certus.core.note import Note
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.audit.read_back import CheckedFile
    from certus.table import Row


_FORMATS = {"csv": (".csv", ".txt", ""), "tsv": (".tsv", ".tab")}


@command("audit sample", "run.csv --size 300 --seed 7 -o to_check.csv")
def sample(
    file: str = argument(metavar="FILE", help="Items, one per row: CSV, TSV, JSON Lines, Parquet, Arrow; - for stdin."),
    size: list[str] = option(
        required=True, metavar="N|STRATUM=N", help="Number of rows to draw, in all or from each stratum."
    ),
    seed: int = option(
        required=True, min=0, max=2**64 - 1, help="Seed of the random sample; the same seed draws the same rows."
    ),
    by: str | None = option(metavar="COL", help="Column whose values are strata."),
    predicted: str | None = option(metavar="COL", help="Column of predictions: strata 'retrieved' and 'discarded'."),
    positive: str | None = option(metavar="LABEL", help="The positive prediction. Default: 1, true or yes."),
    columns: list[str] | None = option(
        "--column", metavar="COL", help="Column to write; may be repeated. Default: all."
    ),
    label: str = option(default="label", metavar="NAME", help="Name of the empty column for labels."),
    excel: bool = option("--excel", help="Write a byte order mark and CRLF, so that Excel reads UTF-8."),
    output: Path | None = option("-o", "--output", help="Write to this file; tab-separated if it ends in .tsv."),
    force: bool = FORCE,
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Draw items at random for somebody to label, and write them to a file.

    Label the rows from the top and say yes or no. If there is no time for all, the first ones are a random sample too.
    """
    check_force(force, output)
    check_target(output, force, file)
    separated = format_of(output, None, _FORMATS, option="")
    if positive is not None and predicted is None:
        raise UsageError("name the column of predictions with --predicted", "--positive")
    wanted = _sizes(size)
    if isinstance(wanted, dict) and by is None and predicted is None:
        raise UsageError("strata are named, but neither --by nor --predicted makes any", "--size")
    from certus.audit import draw
    from certus.io import read_predictions

    with working("drawing"):
        drawn_sample = draw(
            read_predictions(file),
            size=wanted,
            seed=seed,
            by=by,
            predicted=predicted,
            positive=positive,
            columns=columns or None,
            label=label,
        )
    text = drawn_sample.to_csv(separator="\t" if separated == "tsv" else ",", line_end="\r\n" if excel else "\n")
    write(f"\ufeff{text}" if excel else text, output, force)
    if not is_stdout(output):
        write(f"{drawn_sample}; fill in column {label!r} of {output}, then: certus audit estimate {output}\n")


def _sizes(texts: list[str]) -> int | dict[str, int]:
    if len(texts) == 1 and "=" not in texts[0]:
        return number_of(texts[0], "--size")
    sizes: dict[str, int] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        if not equals:
            raise UsageError(f"{text!r} names no stratum, as in A=100; give one number or all strata", "--size")
        if name in sizes:
            raise UsageError(f"the stratum {name!r} is given twice", "--size")
        sizes[name] = number_of(number, "--size")
    return sizes


@command("audit estimate", "to_check.csv")
def estimate(
    file: str = argument(metavar="FILE", help="A file of certus audit sample, labelled; - for stdin."),
    label: str | None = LABEL_COLUMN,
    yes: list[str] | None = YES,
    no: list[str] | None = NO,
    level: float = LEVEL,
    interval: str | None = METHOD,
    prior: Any = PRIOR,
    form: str | None = FORM,
    output: Path | None = OUTPUT,
    force: bool = FORCE,
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Read the labels back, and estimate what they say of the whole.

    Recall, precision, F1 and elusion where predictions were known, otherwise the rate and the number of positive items.
    """
    style = check_output(form, output, force, file)
    chosen = chosen_by(level, interval, prior)
    checked = labels_of(file, label, yes, no)
    check_prior(prior, interval, strata=len(checked.strata) > 1 or any(s.predicted is not None for s in checked.strata))
    rows = _rows(checked, chosen)
    signature = {
        "level": level,
        "method": interval,
        "strata": [vars(stratum) for stratum in checked.strata],
        "said": [str(checked)],
    }
    show(rows, signature, style, output, force, notices(checked))


def labels_of(file: str, label: str | None, yes: list[str] | None, no: list[str] | None) -> "CheckedFile":
    """The file with its labels, some of which must be there."""
    from certus.audit import read_back

    words: dict[str, list[str]] = {}
    if yes:
        words["yes"] = yes
    if no:
        words["no"] = no
    checked = read_back(file, label=label, **words)
    if not checked.labels:
        raise DataError("no row has a label yet", "say yes or no in at least one", location=checked.name)
    return checked


def notices(checked: "CheckedFile") -> list[Note]:
    """Facts needed of a file that is labelled in part."""
    if checked.complete:
        return []
    rows = len(checked.unlabelled)
    lines = tuple(f"line {line}" for line in checked.unlabelled[:3])
    text = (
        f"{plural(rows, 'row')} {'has' if rows == 1 else 'have'} no label; the others are a random sample as long as "
        "it was not their labels that made you stop (else: certus audit sequence)"
    )
    return [Note(text, checked.name, "unlabelled", lines, rows)]


def _rows(checked: "CheckedFile", chosen: dict[str, Any]) -> "list[Row]":
    from certus.audit import Stratum, recall_precision, strata

    predicted_strata = [checked_stratum for checked_stratum in checked.strata if checked_stratum.predicted is not None]
    if not predicted_strata and len(checked.strata) == 1:
        (stratum,) = checked.strata
        # the share and the count of hits among N items, of which any number may be positive
        audit = recall_precision(
            positives=stratum.size, checked=stratum.checked, hits=stratum.hits, predicted=stratum.size, **chosen
        )
        estimates = {"Rate": audit.recall, "Count": audit.hits}
        return [replace(row(checked.name, name, estimate), unit="checked item") for name, estimate in estimates.items()]
    parts = [Stratum(s.size, s.checked, s.hits, bool(s.predicted), s.name) for s in checked.strata]
    audit_result = strata(parts, **chosen)
    if predicted_strata:
        return rows_of_shares(checked.name, audit_result)
    # nothing is predicted, so that what eludes the prediction is all
    rate, size = row(checked.name, "Rate", audit_result.elusion), sum(part.size for part in parts)
    return [rate, _count(rate, size)]


def _count(rate: "Row", size: int) -> "Row":
    """The number of positive items: the share of them times the population, as a whole number."""
    value, low, high = (
        number if number is None or isnan(number) else float(floor(number * size + 0.5))
        for number in (rate.value, rate.low, rate.high)
    )
    return replace(rate, metric="Count", value=nan if value is None else value, low=low, high=high)


@command("audit sequence", "to_check.csv")
def sequence(
    file: str = argument(metavar="FILE", help="A file of certus audit sample, labelled; - for stdin."),
    width: float | None = option(help="Report from which label on the interval of the rate is no wider than this."),
    label: str | None = LABEL_COLUMN,
    yes: list[str] | None = YES,
    no: list[str] | None = NO,
    level: float = LEVEL,
    interval: str = option(
        "--interval",
        "--method",
        default="ppr",
        metavar="ppr|wsr",
        help="Prior-posterior ratio, or empirical Bernstein.",
    ),
    prior: Any = PRIOR,
    form: str | None = FORM,
    output: Path | None = OUTPUT,
    force: bool = FORCE,
) -> None:
    """Look at a file while it is being labelled: intervals that hold however often you look.

    Stop whenever the interval is narrow enough. For a sample without strata, labelled from the top.
    """
    style = check_output(form, output, force, file)
    if width is not None and not 0 < width <= 1:
        raise UsageError(f"{width:g} is not above 0 and at most 1", "--width")
    if prior is not None and interval == "wsr":
        raise UsageError("wsr has no prior; leave it out, or choose --interval ppr", "--prior")
    checked = labels_of(file, label, yes, no)
    if len(checked.strata) > 1:
        raise DataError(
            f"has {len(checked.strata)} strata", "a sequence takes a sample without strata", location=checked.name
        )
    from certus.audit import sequence as compute
    from certus.table import Row

    size = checked.strata[0].size
    known = cast("Literal['ppr', 'wsr']", interval)
    found = compute(checked.labels, population=size, level=level, interval=known, prior=prior or "uniform")
    n, hits = len(found), int(found.hits[-1])
    now = found.interval()
    reason = f"labels contradict each other from number {found.contradictions[0]} on" if found.contradictions else ""
    low, high = found.counts()
    count = float(round(size * hits / n))
    rows = [
        Row(checked.name, "Rate", hits / n, now.low, now.high, level, interval, n, "label", reason=reason),
        Row(checked.name, "Count", count, float(low), float(high), level, interval, n, "label", reason=reason),
    ]
    said = [str(checked), "the intervals hold at every number of labels at once"]
    if width is not None:
        at = found.stop(width)
        said.append(f"no wider than {width:g} " + (f"since label {at}" if at else "yet: label more, or stop here"))
    show(rows, {"level": level, "method": interval, "population": size, "said": said}, style, output, force)
