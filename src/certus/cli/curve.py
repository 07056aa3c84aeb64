"""``certus curve``."""

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certus.cli import _output
from certus.cli._declare import UsageError, argument, command, option, refuse
from certus.cli._options import Queries, metric_option, read_level
from certus.cli._progress import QUIET_OPTION, working
from certus.cli.pool import runs_by_name
from certus.core.errors import CertusError
from certus.core.progress import steps

if TYPE_CHECKING:
    from certus.core.listing import Listing
    from certus.evaluation.metric_curves import MetricCurve


_MOST_POSITIONS = 1000
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@command("curve", "qrels.txt bm25.run -m nDCG --at 1-20")
def curve(
    qrels: str = argument(metavar="QRELS", help="Relevance judgments."),
    runs: list[str] = argument(metavar="RUN...", help="Runs: files, directories or patterns."),
    metrics: list[str] | None = metric_option(
        "CG, DCG, IdealDCG, nDCG, P, IPrec, ...; may be repeated. Default: IPrec."
    ),
    at: str | None = option(
        metavar="PLACES", help="Ranks, such as 1-10 or 1,5,10, or levels of recall. Default: 1-10, or 0 to 1."
    ),
    query: str | None = option(metavar="ID", help="Only this query, without intervals."),
    queries: Queries | None = option(help="Average over queries in both files, or over all judged. Default: in both."),
    level: float | None = option(read=read_level, help="Level of the intervals. Default: 0.95."),
    form: _output.Listed | None = option(
        "--format", help="Format of the table. Default: by the suffix of the output file."
    ),
    output: Path | None = option("-o", "--output", help="Write the table to this file."),
    plot: Path | None = option(metavar="FILE", help="Draw the curves to this file."),
    force: bool = option("--force", help="Replace output files."),
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Metrics by rank, or precision by recall, as means over queries with their intervals."""
    _output.check_force(force, output, plot)
    _output.check_target(output, force, qrels, *runs)
    chosen = _output.listed_format(output, form)
    _output.check_picture(plot, force, [qrels, *runs])
    if query is not None:
        refuse("is for means over queries, not for one query", {"--level": level, "--queries": queries})
    positions = None if at is None else _positions(at)
    from certus import ranking
    from certus.io import read_qrels

    with working("reading"):
        runs_read, judged = runs_by_name(runs), read_qrels(qrels)
    conventions: Any = {"queries": queries or "intersection", "query": query}
    curves: dict[str, MetricCurve] = {}
    with working("evaluating"):
        for name, run in steps(runs_read.items(), "run"):
            try:
                curves[name] = ranking.metric_curve(judged, run, metrics or ["IPrec"], positions, **conventions)
            except CertusError as error:
                if type(error) is not CertusError:
                    raise
                raise UsageError(str(error), "-m") from None
    shown_level = None if query is not None else level or 0.95
    if plot is not None:
        _output.save_drawing(lambda: _draw(curves, shown_level), plot, force)
    _output.write(_output.listing_text(_joint_table(curves, shown_level), chosen), output, force)


def _draw(curves: "dict[str, MetricCurve]", level: float | None) -> Any:
    """The axes with the curve of each run."""
    ax = None
    for name, run_curve in curves.items():
        ax = run_curve.plot(ax, level=level, label=name if len(curves) > 1 else None)
    return ax


def _joint_table(curves: "dict[str, MetricCurve]", level: float | None) -> "Listing":
    """One table of all runs."""
    from certus.core.listing import Listing

    tables = {name: run_curve.table(level) for name, run_curve in curves.items()}
    if len(tables) == 1:
        return next(iter(tables.values()))
    first = next(iter(tables.values()))
    columns = {"run": [name for name, table in tables.items() for _ in range(len(table))]}
    columns |= {name: [cell for table in tables.values() for cell in table.columns[name]] for name in first.columns}
    return Listing(columns, {"run": "text", **first.kinds})


def _positions(text: str) -> list[float]:
    """Ranks and levels as 1-10, 1,5,10 or 0,0.5,1."""
    positions: list[float] = []
    for part in text.split(","):
        span = _RANGE.fullmatch(part.strip())
        try:
            positions += (
                range(int(span[1]), int(span[2]) + 1)[: _MOST_POSITIONS + 1] if span else [_number(part.strip())]
            )
        except ValueError:
            raise UsageError(f"{part!r} is neither a rank nor a level of recall", "--at") from None
        if len(positions) > _MOST_POSITIONS:
            raise UsageError(f"there are more than {_MOST_POSITIONS} places", "--at")
    if not positions or any(later <= earlier for earlier, later in pairwise(positions)):
        raise UsageError(f"{text!r} does not rise from place to place", "--at")
    return positions


def _number(text: str) -> float:
    return int(text) if text.isascii() and text.isdigit() else float(text)
