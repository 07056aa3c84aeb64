"""``certus hits``."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from certus.cli._command import Command
from certus.cli._options import Written
from certus.cli._output import check_force, write
from certus.errors import CertusError, DataError

if TYPE_CHECKING:
    from certus.chance import HitList
    from certus.chance.hit_lists.contingency import Contingency

__all__ = ["HitsCommand", "hits"]

_LIST = re.compile("-[x-]*x[x-]*|---+")
_RANKS = re.compile("[0-9,. +-]*[0-9][0-9,. +-]*")
_MOST_ROWS = 40
"""Ranks that the card has rows for; of a longer list the first ones with hits."""
_DENOMINATORS: tuple[Literal["relevant", "min", "hits"], ...] = ("relevant", "min", "hits")


class HitsCommand(Command):
    """A command whose argument may begin with a dash, as -xx-x does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put hit lists behind a double dash, after which nothing is an option."""
        if "--" not in args:
            lists = [each for each in args if _LIST.fullmatch(each)]
            if lists:
                args = [*(each for each in args if each not in lists), "--", *lists]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


def hits(
    where: Annotated[
        str, typer.Argument(metavar="LIST", help="x for a hit, - for none, as in xx--x; or ranks, as in 1,2,5.")
    ],
    population: Annotated[
        int | None, typer.Option(metavar="N", help="Also the contingency table: the ranks are predicted positive.")
    ] = None,
    cutoff: Annotated[
        int | None, typer.Option(metavar="K", help="Ranks that the table predicts positive. Default: all of the list.")
    ] = None,
    relevant: Annotated[
        int | None, typer.Option(metavar="R", help="Relevant items, with those not in the list. Default: its hits.")
    ] = None,
    m: Annotated[float, typer.Option("--m", help="The m of the score s, above 2.")] = 10,
    form: Annotated[Written, typer.Option("--format", help="How the card is written.")] = Written.text,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ranks of the hits to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of the picture.")] = False,
) -> None:
    """Show what a hit list scores: which ranks of a ranking hold the hits."""
    from certus.chance import HitList

    check_force(force, plot)
    if cutoff is not None and population is None:
        raise typer.BadParameter("is for the contingency table; give --population, too", param_hint="--cutoff")
    if plot is not None:
        _check_picture(plot, force)
    hit_list = HitList(_ranks(where) if _RANKS.fullmatch(where) else where, relevant=relevant)
    table = None if population is None else hit_list.contingency(population, cutoff)
    card = _card(hit_list, table, m)
    if plot is not None:
        _draw(hit_list, plot)
    lines = [json.dumps(card, allow_nan=False)] if form is Written.json else _text(hit_list, card, table)
    write("".join(f"{line}\n" for line in lines))


def _ranks(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    wrong = next((part for part in parts if not re.fullmatch("[+-]?[0-9]{1,30}", part)), None)
    if wrong is not None:
        raise DataError(f"found {wrong!r} among the ranks; a rank is a whole number, as in 1,2,5")
    return [int(part) for part in parts]


def _card(hit_list: "HitList", table: "Contingency | None", m: float) -> dict[str, Any]:
    """All that the card says, as plain values."""
    card: dict[str, Any] = {
        "hit_list": None if _is_long(hit_list) else str(hit_list),
        "length": hit_list.length,
        "hits": hit_list.hits,
        "retrieved": hit_list.retrieved,
        "relevant": hit_list.relevant,
        "ranks": list(hit_list.ranks),
        "average_precision": hit_list.average_precision(),
        "score": hit_list.score(m),
        "m": m,
        "percentile": {each: _place(hit_list, each) for each in ("average_precision", "score")},
    }
    if table is not None:
        counts = ("tp", "fp", "fn", "tn", "rp", "rn", "pp", "pn", "population")
        card["contingency"] = {name: getattr(table, name) for name in counts} | _measures(table)
    return card | {"rows": _rows(hit_list)}


def _measures(table: "Contingency") -> dict[str, float | None]:
    """The measures of the table; None where one is 0/0."""
    values = {name: getattr(table, name) for name in ("recall", "precision", "informedness", "markedness")}
    return {name: None if isnan(value) else value for name, value in values.items()}


def _place(hit_list: "HitList", score: str) -> dict[str, Any]:
    """The place of the list by a score, with the counts where there are any."""
    try:
        standing = hit_list.standing(score)
    except DataError:
        try:
            found = hit_list.percentile(score)
        except DataError as error:
            return {"value": None, "why": str(error)}
        return {"value": float(found), "method": found.method, "error": found.error}
    return {"value": 100 * standing.share, "method": "enumeration", "error": 0.0} | standing._asdict()


def _rows(hit_list: "HitList") -> list[dict[str, Any]]:
    """One row a rank; of a long list only the first ranks with hits."""
    rows = []
    for k in hit_list.ranks[:_MOST_ROWS] if _is_long(hit_list) else range(1, hit_list.retrieved + 1):
        found = bisect_right(hit_list.ranks, k)
        row: dict[str, Any] = {"rank": k, "hit": k in hit_list.ranks, "hit_function": found}
        row |= {"precision": found / k, "recall": found / hit_list.relevant}
        cut = {name: hit_list.average_precision_at(k, name) for name in _DENOMINATORS}
        rows.append(row | {"average_precision_at": cut})
    return rows


def _is_long(hit_list: "HitList") -> bool:
    return hit_list.retrieved > _MOST_ROWS


def _text(hit_list: "HitList", card: dict[str, Any], table: "Contingency | None") -> Iterator[str]:
    if not _is_long(hit_list):
        yield f"{hit_list}  {hit_list:u}"
    last = f", the last at rank {hit_list.length:,}" if hit_list.retrieved > hit_list.length else ""
    of = f", of {hit_list.relevant:,} relevant" if hit_list.relevant > hit_list.hits else ""
    yield f"{hit_list.hits:,} {'hit' if hit_list.hits == 1 else 'hits'} in {hit_list.retrieved:,} ranks{last}{of}"
    yield ""
    yield f"average precision  {card['average_precision']:.4f}  {_placed(card, 'average_precision')}"
    yield f"{'score s, m = ' + format(card['m'], 'g'):<17}  {card['score']:.4f}  {_placed(card, 'score')}"
    yield ""
    width = max(4, len(f"{card['rows'][-1]['rank']:,}"))
    yield f"{'':{width}}{'':40}AP@k, divided by"
    every = "all hits" if hit_list.relevant == hit_list.hits else "relevant"
    least = "min(k, hits)" if hit_list.relevant == hit_list.hits else "min(k, rel)"
    yield f"{'rank':>{width}}  hit  hit function  precision  recall  {every}  {least:>12}  hits so far"
    for row in card["rows"]:
        cut = row["average_precision_at"]
        yield (
            f"{row['rank']:>{width},}  {'x' if row['hit'] else '-':>3}  {row['hit_function']:>12,}"
            f"  {row['precision']:>9.4f}  {row['recall']:>6.4f}"
            f"  {cut['relevant']:>8.4f}  {cut['min']:>12.4f}  {cut['hits']:>11.4f}"
        )
    if _is_long(hit_list):
        yield f"only the {'first ' * (hit_list.hits > _MOST_ROWS)}ranks with hits are shown"
    if table is not None:
        yield ""
        yield str(table)
        yield ""
        for name, value in _measures(table).items():
            yield f"{name:<12}  {'undefined, 0/0' if value is None else f'{value:.4f}'}"


def _placed(card: dict[str, Any], score: str) -> str:
    place = card["percentile"][score]
    if place["value"] is None:
        return f"no percentile: {place['why']}"
    if "below" not in place:
        return f"percentile {place['value']:.2f} ({place['method']}, error about {place['error']:.1g})"
    kind = place["below"] + place["equal"] + place["above"]
    form = "," if kind < 10**15 else ".3g"
    counts = ", ".join(f"{place[each]:{form}} {each}" for each in ("below", "equal", "above"))
    return f"percentile {place['value']:.2f}: of {kind:{form}} such lists {counts}"


def _check_picture(file: Path, force: bool) -> None:
    """Refuse a file that cannot or must not be written, before any work is done for it."""
    if file.is_dir():
        raise typer.BadParameter(f"{file} is a directory; give the name of a file", param_hint="--plot")
    if not file.absolute().parent.is_dir():
        raise typer.BadParameter(f"{file.parent} is not a directory", param_hint="--plot")
    if file.exists() and not force:
        raise typer.BadParameter(f"{file} exists; add --force to replace it", param_hint="--plot")


def _draw(hit_list: "HitList", file: Path) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CertusError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    figure = Figure(figsize=(5.6, 4.6), layout="constrained")
    hit_list.plot(figure.subplots(), score="score")
    known = figure.canvas.get_supported_filetypes()
    if file.suffix[1:].lower() not in known:
        raise typer.BadParameter(f"{file} must end with one of .{', .'.join(sorted(known))}", param_hint="--plot")
    figure.savefig(file, dpi=150)
