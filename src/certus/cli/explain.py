"""``certus explain``."""

from pathlib import Path

from certus.cli._declare import argument, command
from certus.cli._options import FORCE, OUTPUT
from certus.cli._output import check_force, check_target, format_of, write
from certus.core.errors import DataError
from certus.table.output import FORMATS


@command("explain", "result.json")
def explain(
    file: str = argument(metavar="RESULT", help="JSON of `certus evaluate` or `certus compare`, written by -o x.json."),
    output: Path | None = OUTPUT,
    force: bool = FORCE,
) -> None:
    """Write the methods paragraph of a result for a paper, with BibTeX of what it cites."""
    check_force(force, output)
    check_target(output, force, file)
    format_of(output, None, {"text": FORMATS["text"]}, option="")
    from certus.comparison import Comparison
    from certus.io.sources import readable
    from certus.table import Table

    with readable(file) as (path, _):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    try:
        result = (Comparison if '"systems"' in text else Table).from_json(text)
    except DataError:
        problem = "is not a result of certus evaluate or certus compare"
        raise DataError(f"{file} {problem}", "give the JSON that one of them wrote with -o x.json") from None
    write(result.methods_text(), output, force)
