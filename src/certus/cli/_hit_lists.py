"""All hit lists of a length, their number, and pictures of hit lists, for ``certus hits``."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from certus.cli._declare import UsageError

if TYPE_CHECKING:
    from certus.chance import HitList
    from certus.listing import Listing


_MOST_ROWS = 2**20
_LENGTHS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


class Pictured(StrEnum):
    """Pictures of a hit list."""

    ranks = "ranks"
    area = "area"
    cutoffs = "cutoffs"


def lengths_of(text: str) -> range:
    """The lengths of ``8`` or ``2-10``."""
    found = _LENGTHS.fullmatch(text.strip())
    first = int(found[1]) if found else 0
    last = int(found[2] or first) if found else 0
    if not 1 <= first <= last:
        raise UsageError(f"{text!r} is neither a length, such as 8, nor a range, such as 2-10", param_hint="--all")
    return range(first, last + 1)


def numbers(lengths: range, hits: int | None) -> "Listing":
    """The number of lists of each length, and of each number of hits."""
    from certus.chance import HitList
    from certus.listing import Listing

    pairs = [(p, k) for p in lengths for k in ([hits] if hits else range(1, p + 1)) if k <= p]
    columns = {
        "length": [p for p, _ in pairs],
        "hits": [k for _, k in pairs],
        "lists": [HitList.count(p, k) for p, k in pairs],
    }
    return Listing(columns, dict.fromkeys(columns, "whole"))


def all_lists(lengths: range, hits: int | None, m: float, bullets: bool, best_first: bool) -> "Listing":
    """All lists of the lengths, with their scores."""
    from certus.chance import HitList
    from certus.frames import Kind
    from certus.listing import Listing

    count = sum(HitList.count(p, hits) for p in lengths)
    if count > _MOST_ROWS:
        shown = f"{count:,}" if count < 10**15 else f"about 10^{len(str(count)) - 1}"
        raise UsageError(f"there are {shown} such lists; --count gives their number", param_hint="--all")
    lists = [each for p in lengths for each in HitList.all(p, hits)]
    rows = [
        (format(each, "u") if bullets else str(each), each.hits, each.length, each.score(m), each.average_precision())
        for each in lists
    ]
    if best_first:
        rows.sort(key=lambda row: -row[3])
    names = ("hit_list", "hits", "length", "score", "average_precision")
    kinds: tuple[Kind, ...] = ("text", "whole", "whole", "number", "number")
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return Listing(columns, dict(zip(names, kinds, strict=True)), decimals=7)


def picture_of(hit_list: "HitList", kind: Pictured | None) -> Callable[[], Any]:
    """The function that draws the picture and returns its axes."""
    if kind is Pictured.area:
        return hit_list.plot_area
    if kind is Pictured.cutoffs:
        return hit_list.plot_average_precision_at
    return lambda: hit_list.plot(score="score")
