"""Write docs/hit-lists.md, docs/average-precision.md and their pictures: two notes, computed again.

python tools/make_hit_lists.py            write the pages and the pictures
python tools/make_hit_lists.py --check    say whether the pages are fresh, and exit 1 if not
"""

import contextlib
import io
import sys
from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from typing import Literal

import numpy as np
from generated import IMAGES, save, write_or_check
from hit_lists_text import AREA, PAGE

from certus import HitList
from certus.cli.app import run

EXAMPLE = HitList("-x-xx")
"""The note's ranking x, a, y, b, c, z with the correct a, b, c, down to the last of them."""


def table(head: Iterable[object], rows: Iterable[Iterable[object]], numbers: bool = True) -> str:
    """A Markdown table."""
    names = [str(each) for each in head]
    lines = [names, ["--:" if numbers else "---"] * len(names), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def counts() -> str:
    """Number of lists with p ranks and k hits."""
    rows = [[p, *(f"{HitList.count(p, k):,}" if k <= p else "" for k in range(1, 11))] for p in range(1, 31)]
    return table(["p \\ k", *range(1, 11)], rows)


def length_8() -> str:
    """All lists of length 8, those of one score in one row."""
    lists = sorted(HitList.all(8), key=lambda r: -r.score())
    rows = [
        [f"{score:.7f}", each[0].hits, ", ".join(f"`{r}`" for r in each)]
        for score, each in ((score, list(group)) for score, group in groupby(lists, HitList.score))
    ]
    return table(["s", "k", "hit lists"], rows, numbers=False)


def two_hits() -> str:
    """All lists of two hits and 2 to 10 ranks by their score, for two values of m."""
    lists = [r for p in range(2, 11) for r in HitList.all(p, 2)]
    halves = []
    for m in (10, 5):
        scored = sorted(((r.score(m), r) for r in lists), key=lambda each: -each[0])
        halves.append([[f"`{r}`", r.length, f"{score:.7f}"] for score, r in scored])
    rows = [[position, *left, *right] for position, (left, right) in enumerate(zip(*halves, strict=True), start=1)]
    return table(["place", "m = 10", "p", "s", "m = 5", "p", "s"], rows, numbers=False)


def kind() -> str:
    """Places of the lists of five ranks and three hits."""
    rows = []
    for r in HitList.all(5, 3):
        row = [f"`{r}`", f"{r.average_precision():.4f}", f"{r.percentile():.2f}"]
        rows.append([*row, f"{r.score():.4f}", f"{r.percentile('score'):.2f}"])
    return table(["list", "average precision", "percentile", "s", "percentile"], rows, numbers=False)


def ranks() -> str:
    """The note's table, rank by rank."""
    rows = []
    for rank, item in enumerate("xaybcz", start=1):
        found = sum(each <= rank for each in EXAMPLE.ranks)
        rows.append([rank, item, f"{found}/{rank}", f"{found}/{EXAMPLE.hits}"])
    return table(["rank", "item", "precision", "recall"], rows, numbers=False)


def recalls() -> str:
    """The note's two functions of recall."""
    rows = []
    for i in (1, 2, 3):
        k = EXAMPLE.k_at_recall(Fraction(i, 3))
        rows.append([f"{i}/3", k, f"{sum(each <= k for each in EXAMPLE.ranks)}/{k}"])
    return table(["r", "k@recall(r)", "precision@recall(r)"], rows, numbers=False)


def denominators() -> str:
    """AP@K of two lists, divided in three ways."""
    names: tuple[Literal["relevant", "min", "hits"], ...] = ("relevant", "min", "hits")
    rows = [
        [f"`{r}`", k, *(f"{r.average_precision_at(k, name):.4f}" for name in names)]
        for r in (EXAMPLE, HitList("x---x"))
        for k in range(1, 6)
    ]
    return table(["list", "K", *(f'`"{name}"`' for name in names)], rows, numbers=False)


def command(*arguments: str) -> str:
    """Output of a command line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        if run(arguments):
            raise SystemExit(f"{arguments} failed")
    return f"```text\n$ certus {' '.join(arguments)}\n{out.getvalue()}```"


def pages() -> dict[str, str]:
    """The whole pages, by the names of their files."""
    lists = PAGE.format(
        card=command("hits", "xx--x", "--population", "100"),
        counts=counts(),
        length_8=length_8(),
        two_hits=two_hits(),
        kind=kind(),
    )
    area = AREA.format(ranks=ranks(), recalls=recalls(), denominators=denominators())
    return {"hit-lists.md": lists, "average-precision.md": area}


def correlation(r: HitList) -> float:
    """Of the hits' ranks with their places, as the author's example of a score has it."""
    return round(float(np.corrcoef(np.arange(r.hits), r.ranks)[0, 1]), 2)


def draw() -> None:
    """Write the pictures."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    example = HitList("x-x-x-xx")
    figure, axes = plt.subplots(1, 2, figsize=(10.4, 4.4), layout="constrained")
    example.plot(axes[0], regression=False)
    example.plot(axes[1], score=correlation)
    several, panels = plt.subplots(2, 3, figsize=(13, 8), layout="constrained")
    for row, m in zip(panels, (10, 5), strict=True):
        for ax, lengths in zip(row, (range(2, 6), range(6, 11), range(2, 11)), strict=True):
            HitList.plot_scores(2, lengths, m, ax=ax)
    areas, sides = plt.subplots(1, 2, figsize=(10.4, 4.4), layout="constrained")
    HitList("-x-xx-").plot_area(sides[0])
    HitList("-x-xx-", relevant=4).plot_area(sides[0], label="one more missed", fill=False)
    HitList("x---x").plot_average_precision_at(sides[1])
    for name, drawn in {"hit-list": figure, "hit-list-scores": several, "hit-list-area": areas}.items():
        save(drawn, IMAGES / f"{name}.png")


def main() -> int:
    """Write the pages and the pictures, or compare the pages."""
    return write_or_check(pages(), draw)


if __name__ == "__main__":
    sys.exit(main())
