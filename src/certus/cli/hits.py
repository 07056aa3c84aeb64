"""``certus hits``."""

import json
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from certus.cli._declare import UsageError, argument, command, option, refuse
from certus.cli._output import Listed, check_force, check_picture, listing_text, save_drawing, warn, write
from certus.cli._progress import QUIET_OPTION, working
from certus.cli._startup import fold_for_stream
from certus.core.errors import DataError, options_for
from certus.core.note import Note
from certus.core.printable import aligned
from certus.core.spelling import plural

if TYPE_CHECKING:
    from certus.chance import HitList
    from certus.chance.hit_list.measures import Contingency
    from certus.chance.hit_list.reading import Form
    from certus.core.listing import Listing


_MOST_ROWS = 40
"""Ranks that the card has rows for; of a longer list the first ones with hits."""
_DENOMINATORS: tuple[Literal["relevant", "min", "hits"], ...] = ("relevant", "min", "hits")


Picture = Literal["ranks", "area", "cutoffs"]
"""Pictures of a hit list."""


@command("hits", "xx--x --population 100", dashes=True)
def hits(
    where: str | None = argument(
        default=None,
        metavar="LIST",
        help="x for a hit, - for none, as in xx--x; or a mask, as in 1,1,0,0,1; or ranks, as in 1,2,5; see --of.",
    ),
    relevant_items: str | None = option(
        "--of", metavar="NAMES", help="LIST is a ranking of names, such as x,a,y; these names are relevant."
    ),
    scores: str | None = option(
        metavar="SCORES",
        arguments=["y_score"],
        help="LIST is a mask of items, ranked by these scores, such as .2,.9,.5.",
    ),
    mask: bool = option("--mask", help="LIST is a mask: 1 for a hit, 0 for none. Default for 0110, 110100 and 1,1,0."),
    ranks: bool = option(
        "--ranks", help="LIST is the ranks of the hits. Default for all other digits, as 10 and 1,2,5."
    ),
    population: int | None = option(metavar="N", help="Also the contingency table, with the ranks predicted positive."),
    cutoff: int | None = option(metavar="K", help="Number of ranks predicted positive. Default: the whole list."),
    relevant: int | None = option(metavar="R", help="Number of relevant items, listed or not. Default: the hits."),
    every: str | None = option(
        "--all", metavar="P", help="Show all lists of P ranks, such as 8, or of several lengths, such as 2-10."
    ),
    of_hits: int | None = option(
        "--hits", min=1, metavar="K", help="Number of hits of the lists of --all. Default: any."
    ),
    count: bool = option("--count", help="Print only how many lists --all has."),
    sort: bool = option("--best-first", help="Sort the lists of --all by score s, highest first."),
    bullets: bool = option("--bullets", help="Write the lists of --all in bullets."),
    m: float | None = option("--m", help="Parameter m of the score s, above 2. Default: 10."),
    form: Listed | None = option("--format", help="Format of the card, or of the table of --all. Default: text."),
    plot: Path | None = option(metavar="FILE", help="Draw the ranks of the hits, or scores of --all, to this file."),
    picture: Picture | None = option(
        help="Picture to draw with --plot: ranks, the area under precision by recall, or AP@K by denominator."
    ),
    force: bool = option("--force", help="Replace the file of the picture."),
    _quiet: bool = QUIET_OPTION,
) -> None:
    """Show what a hit list scores: which ranks of a ranking hold the hits."""
    check_force(force, plot)
    if picture is not None and plot is None:
        raise UsageError("is for a picture; give --plot, too", "--picture")
    of_one: dict[str, object] = {"LIST": where, "--of": relevant_items, "--population": population, "--cutoff": cutoff}
    of_one |= {"--relevant": relevant, "--picture": picture, "--scores": scores}
    of_one |= {"--mask": mask, "--ranks": ranks}
    of_all = {"--hits": of_hits, "--count": count, "--best-first": sort, "--bullets": bullets}
    if every is None:
        refuse("is for the lists of --all", of_all)
    else:
        refuse("is for one list, not for --all", of_one)
    check_picture(plot, force)
    if every is None and where is None:
        raise UsageError("is missing; give a list, as xx--x, or --all", "LIST")
    form_of_list = _form(mask=mask, ranks=ranks, names=relevant_items, scores=scores)
    options = {name: f"--{name}" for name in ("population", "cutoff", "relevant", "m")} | {"form": "--mask"}
    with options_for(options | {"y_true": "LIST"}):
        if every is not None:
            _show_all(lengths_of(every), of_hits, count, sort, bullets, m, form, plot, force)
        else:
            try:
                list_read = _read(str(where), relevant_items, scores, form_of_list, relevant)
            except DataError as error:
                if error.argument != "form" or relevant_items is not None:
                    raise
                option = "--scores" if scores is not None else "--mask" if mask else "--ranks"
                raise UsageError(str(error).partition(" ")[2], option) from None
            _show_one(list_read, population, cutoff, m, form, plot, picture, force)


def _show_all(
    lengths: range,
    of_hits: int | None,
    count: bool,
    sort: bool,
    bullets: bool,
    m: float | None,
    form: Listed | None,
    plot: Path | None,
    force: bool,
) -> None:
    """The table of all lists, or only their number."""
    from certus.chance import HitList

    if of_hits is not None and of_hits > lengths[-1]:
        raise UsageError(f"no list of {plural(lengths[-1], 'rank')} has {plural(of_hits, 'hit')}", "--hits")
    if count:
        useless_options = {"--m": m, "--plot": plot, "--best-first": sort, "--bullets": bullets}
        refuse("shows nothing of a number; leave it or --count out", useless_options)
        table = numbers(lengths, of_hits)
        total = f"{sum(table.columns['lists']):,} lists in all\n" if len(table) > 1 else ""
        write(listing_text(table, form) + (total if form in (None, "text") else ""))
        return
    if plot is not None and of_hits is None:
        raise UsageError("draws lists with one number of hits; give --hits, too", "--plot")
    m_of_score = 10.0 if m is None else m
    with working("listing"):
        text = listing_text(all_lists(lengths, of_hits, m_of_score, bullets, sort), form)
    if plot is not None:
        lengths_drawn = [p for p in lengths if p >= (of_hits or 1)]
        save_drawing(lambda: HitList.plot_scores(of_hits or 1, lengths_drawn, m_of_score), plot, force)
    write(text)


def _form(*, mask: bool, ranks: bool, names: str | None, scores: str | None) -> "Form | None":
    """Return the form of the list that the options ask for; refuse options that contradict each other."""
    choices = {"--mask": mask, "--ranks": ranks, "--of": names is not None, "--scores": scores is not None}
    set_options = [name for name, is_given in choices.items() if is_given]
    if len(set_options) > 1:
        raise UsageError(f"says what LIST is, as {set_options[1]} does; give one of them", set_options[0])
    return "mask" if mask else "ranks" if ranks else None


class _Read(NamedTuple):
    """A hit list and what it was read from: names, scores, a mask, ranks or text of x and -."""

    hit_list: "HitList"
    read_as: str
    items: list[str] | None = None
    is_ambiguous: bool = False

    @property
    def note(self) -> str:
        """Reading of an ambiguous list, and the option for the other one."""
        if self.read_as == "mask":
            return f"read as a mask of {self.hit_list.retrieved:,} ranks; --ranks reads the ranks of the hits"
        return f"read as rank {self.hit_list.length:,} alone; --mask reads 1 for a hit and 0 for none at each rank"


def _read(where: str, names: str | None, scores: str | None, form: "Form | None", relevant: int | None) -> _Read:
    from certus.chance import HitList
    from certus.chance.hit_list.reading import form_of_text

    if names is not None:
        items = [part.strip() for part in where.split(",")]
        try:
            hit_list = HitList.from_names(items, [part.strip() for part in names.split(",")])
        except DataError as error:
            raise UsageError(str(error), "--of") from None
        return _Read(hit_list if relevant is None else HitList(hit_list, relevant=relevant), "names", items)
    guessed_form = form_of_text(where)
    if scores is not None:
        labels = HitList(where, form="mask" if guessed_form else None).hit_list()
        return _Read(HitList.from_scores(labels, _numbers(scores), relevant=relevant), "scores")
    if form is not None and guessed_form is None:
        raise UsageError("is for a LIST of digits; leave it out", f"--{form}")
    hit_list = HitList(where, relevant=relevant, form=form)
    bits = len(where) > 1 and set(where) <= {"0", "1", ",", " "}
    return _Read(hit_list, form or guessed_form or "text", None, form is None and guessed_form is not None and bits)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise UsageError(f"{error}; give numbers, as .2,.9,.5", "--scores") from None


def _show_one(
    read: _Read,
    population: int | None,
    cutoff: int | None,
    m: float | None,
    form: Listed | None,
    plot: Path | None,
    picture: Picture | None,
    force: bool,
) -> None:
    """The card of one list."""
    if cutoff is not None and population is None:
        raise UsageError("is for the contingency table; give --population, too", "--cutoff")
    if form == "csv":
        refuse("has no place in the table of ranks that csv is", {"--population": population, "--m": m})
    hit_list, items = read.hit_list, read.items
    table = None if population is None else hit_list.contingency(population, cutoff)
    card = _card(hit_list, table, 10.0 if m is None else m) | {"read_as": read.read_as}
    for row in card["rows"] if items is not None else ():
        row["item"] = (items or [])[row["rank"] - 1]
    if plot is not None:
        save_drawing(picture_of(hit_list, picture), plot, force)
    if form == "csv":
        if read.is_ambiguous:
            warn([Note(read.note, kind="read-as")])
        write(hit_list.by_rank(items).to_csv())
        return
    note = [read.note] if read.is_ambiguous else []
    lines = [json.dumps(card, allow_nan=False)] if form == "json" else _text(hit_list, card, table, note)
    write("".join(f"{line}\n" for line in lines), escaped=form != "json")


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
        "percentile": {score_name: _standing(hit_list, score_name) for score_name in ("average_precision", "score")},
    }
    if table is not None:
        counts = ("tp", "fp", "fn", "tn", "rp", "rn", "pp", "pn", "population")
        card["contingency"] = {name: getattr(table, name) for name in counts} | _measures(table)
    return card | {"rows": _rows(hit_list)}


def _measures(table: "Contingency") -> dict[str, float | None]:
    """The measures of the table; None where one is 0/0."""
    values = {name: getattr(table, name) for name in ("recall", "precision", "informedness", "markedness")}
    return {name: None if isnan(value) else value for name, value in values.items()}


def _standing(hit_list: "HitList", score: str) -> dict[str, Any]:
    """The place of the list by a score, with the counts where there are any."""
    try:
        standing = hit_list.standing(score)
    except DataError:
        try:
            percentile = hit_list.percentile(score)
        except DataError as error:
            return {"value": None, "reason": str(error)}
        return {"value": float(percentile), "method": percentile.method, "error": percentile.error}
    return {"value": 100 * standing.share, "method": "enumeration", "error": 0.0} | standing._asdict()


def _rows(hit_list: "HitList") -> list[dict[str, Any]]:
    """One row a rank; of a long list only the first ranks with hits."""
    rows = []
    for k in hit_list.ranks[:_MOST_ROWS] if _is_long(hit_list) else range(1, hit_list.retrieved + 1):
        hits_so_far = bisect_right(hit_list.ranks, k)
        row: dict[str, Any] = {"rank": k, "hit": k in hit_list.ranks, "hit_function": hits_so_far}
        row |= {"precision": hits_so_far / k, "recall": hits_so_far / hit_list.relevant}
        cut = {name: hit_list.average_precision_at(k, name) for name in _DENOMINATORS}
        rows.append(row | {"average_precision_at": cut})
    return rows


def _is_long(hit_list: "HitList") -> bool:
    return hit_list.retrieved > _MOST_ROWS


def _text(hit_list: "HitList", card: dict[str, Any], table: "Contingency | None", notes: list[str]) -> Iterator[str]:
    if not _is_long(hit_list):
        yield f"{hit_list}  {hit_list:u}"
    last = f", the last at rank {hit_list.length:,}" if hit_list.retrieved > hit_list.length else ""
    of = f", of {hit_list.relevant:,} relevant" if hit_list.relevant > hit_list.hits else ""
    hits, ranks = (word if n == 1 else f"{word}s" for word, n in (("hit", hit_list.hits), ("rank", hit_list.retrieved)))
    yield f"{hit_list.hits:,} {hits} in {hit_list.retrieved:,} {ranks}{last}{of}"
    yield from notes
    yield ""
    scores = {"average precision": "average_precision", f"score s, m = {card['m']:g}": "score"}
    for name, score in scores.items():
        line = f"{name:<17}  {card[score]:.4f}  {_standing_text(card, score)}"
        yield from fold_for_stream(line, sys.stdout, indent=27).splitlines()
    yield ""
    denominators = ["all hits", "min(k, hits)"] if hit_list.relevant == hit_list.hits else ["relevant", "min(k, rel)"]
    table_rows = [["rank", "hit", "hit function", "precision", "recall", *denominators, "hits so far", ""]]
    for row in card["rows"]:
        at_rank = row["average_precision_at"]
        shares = (row["precision"], row["recall"], at_rank["relevant"], at_rank["min"], at_rank["hits"])
        counts = [f"{row['rank']:,}", "x" if row["hit"] else "-", f"{row['hit_function']:,}"]
        table_rows.append([*counts, *(f"{share:.4f}" for share in shares), row.get("item", "")])
    lines = list(aligned(table_rows, [False] * 8 + [True]))
    yield f"{'AP@k, divided by':>{lines[0].index(denominators[0]) + 16}}"
    yield from lines
    if _is_long(hit_list):
        yield f"only the {'first ' * (hit_list.hits > _MOST_ROWS)}ranks with hits are shown"
    if table is not None:
        yield ""
        yield str(table)
        yield ""
        measures = _measures(table).items()
        shown = [[name, "undefined, 0/0" if value is None else f"{value:.4f}"] for name, value in measures]
        yield from aligned(shown, [True, True])


def _standing_text(card: dict[str, Any], score: str) -> str:
    standing = card["percentile"][score]
    if standing["value"] is None:
        return f"no percentile: {standing['reason']}"
    if "below" not in standing:
        return f"percentile {standing['value']:.2f} ({standing['method']}, error about {standing['error']:.1g})"
    kind = standing["below"] + standing["equal"] + standing["above"]
    form = "," if kind < 10**15 else ".3g"
    counts = ", ".join(f"{standing[side]:{form}} {side}" for side in ("below", "equal", "above"))
    return f"percentile {standing['value']:.2f}: of {kind:{form}} such lists {counts}"


MOST_LISTS = 2**20
_LENGTHS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def lengths_of(text: str) -> range:
    """The lengths of ``8`` or ``2-10``."""
    match = _LENGTHS.fullmatch(text.strip())
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 1 <= first <= last:
        raise UsageError(f"{text!r} is neither a length, such as 8, nor a range, such as 2-10", "--all")
    return range(first, last + 1)


def numbers(lengths: range, hits: int | None) -> "Listing":
    """Counts of lists by length and by number of hits."""
    from certus.chance import HitList
    from certus.core.listing import Listing

    pairs = [(p, k) for p in lengths for k in ([hits] if hits else range(1, p + 1)) if k <= p]
    return Listing.from_rows([{"length": p, "hits": k, "lists": HitList.count(p, k)} for p, k in pairs])


def all_lists(lengths: range, hits: int | None, m: float, bullets: bool, best_first: bool) -> "Listing":
    """All lists of the lengths, with their scores."""
    from certus.chance import HitList
    from certus.core.listing import Listing

    count = sum(HitList.count(p, hits) for p in lengths)
    if count > MOST_LISTS:
        count_text = f"{count:,}" if count < 10**15 else f"about 10^{len(str(count)) - 1}"
        raise UsageError(f"there are {count_text} such lists; --count gives their number", "--all")
    lists = [hit_list for p in lengths for hit_list in HitList.all(p, hits)]
    rows: list[dict[str, Any]] = [
        {
            "hit_list": format(hit_list, "u") if bullets else str(hit_list),
            "hits": hit_list.hits,
            "length": hit_list.length,
            "score": hit_list.score(m),
            "average_precision": hit_list.average_precision(),
        }
        for hit_list in lists
    ]
    if best_first:
        rows.sort(key=lambda row: -float(row["score"]))
    return replace(Listing.from_rows(rows), decimals=7)


def picture_of(hit_list: "HitList", kind: Picture | None) -> Callable[[], Any]:
    """The function that draws the picture and returns its axes."""
    if kind == "area":
        return hit_list.plot_area
    if kind == "cutoffs":
        return hit_list.plot_average_precision_at
    return lambda: hit_list.plot(score="score")
