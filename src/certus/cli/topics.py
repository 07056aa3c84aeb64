"""``certus topics``."""

from pathlib import Path

from certus.cli._declare import UsageError, argument, command, option
from certus.cli._output import Listed, check_force, check_target, listed_format, listing_text, write
from certus.core.errors import DataError


@command("topics", "ap.csv --topic topic --value A --value B")
def topics(
    file: str = argument(metavar="FILE", help="A table with a row for each topic."),
    topic: str = option(required=True, metavar="COL", help="Column of the topics."),
    values: list[str] = option(
        "--value",
        required=True,
        metavar="COL",
        help="Column of a system's values, from 0 to 1; the first is the baseline.",
    ),
    floor: float = option(default=1e-5, help="Least value that enters the geometric mean."),
    form: Listed | None = option("--format", help="Format of the table. Default: by the suffix of the output file."),
    output: Path | None = option("-o", "--output", help="Write the table to this file."),
    force: bool = option("--force", help="Replace the output file."),
) -> None:
    """Average precisions of single topics side by side: changes in percent, MAP and GMAP."""
    check_force(force, output)
    check_target(output, force, file)
    chosen = listed_format(output, form)
    if len(set(values)) < len(values):
        raise UsageError("names a column twice", "--value")
    if not 0 < floor < 1:
        raise UsageError(f"{floor:g} is not above 0 and below 1", "--floor")
    from certus.comparison import topic_table
    from certus.io import read_predictions

    source = read_predictions(file)
    read = source.read(numbers=values, keys=[topic])
    names = [str(value) for value in read.keys[topic].tolist()]
    twice = next((name for row_place, name in enumerate(names) if name in names[:row_place]), None)
    if twice is not None:
        raise DataError(f"topic {twice!r} has two rows", "give each topic one", location=source.name)
    systems = {name: dict(zip(names, read.numbers[name].tolist(), strict=True)) for name in values}
    write(listing_text(topic_table(systems, floor=floor).table(), chosen), output, force)
