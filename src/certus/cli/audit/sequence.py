"""``certus audit sequence``."""

from typing import Annotated, Literal, cast

from certus.cli._declare import Argument, Option, UsageError, command
from certus.cli._options import Force, Form, Level, Output, check_level
from certus.cli.audit._common import LabelColumn, No, Prior, Yes, check_output, prior_of, show
from certus.cli.audit.files import labels_of
from certus.core.errors import DataError


@command("audit sequence", "to_check.csv")
def sequence(
    file: Annotated[str, Argument(metavar="FILE", help="A file of certus audit sample, labelled; - for stdin.")],
    width: Annotated[
        float | None, Option(help="Say whether the interval of the rate is no wider than this, and since when.")
    ] = None,
    label: LabelColumn = None,
    yes: Yes = None,
    no: No = None,
    level: Level = 0.95,
    interval: Annotated[
        str,
        Option("--interval", "--method", metavar="ppr|wsr", help="Prior-posterior ratio, or empirical Bernstein."),
    ] = "ppr",
    prior: Prior = None,
    form: Form = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Look at a file while it is being labelled: intervals that hold however often you look.

    Stop whenever the interval is narrow enough. For a sample without strata, labelled from the top.
    """
    style = check_output(form, output, force, file)
    check_level(level)
    if width is not None and not 0 < width <= 1:
        raise UsageError(f"{width:g} is not above 0 and at most 1", param_hint="--width")
    if prior is not None and interval == "wsr":
        raise UsageError("wsr has no prior; leave it out, or choose --interval ppr", param_hint="--prior")
    checked = labels_of(file, label, yes, no)
    if len(checked.strata) > 1:
        raise DataError(
            f"has {len(checked.strata)} strata", "a sequence takes a sample without strata", place=checked.name
        )
    from certus.audit import sequence as compute
    from certus.table import Row

    size = checked.strata[0].size
    known = cast("Literal['ppr', 'wsr']", interval)
    found = compute(checked.labels, population=size, level=level, interval=known, prior=prior_of(prior) or "uniform")
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
