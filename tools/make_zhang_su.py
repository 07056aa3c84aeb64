"""Write docs/chance-zhang-su.md and its picture: Zhang & Su (2012) recomputed, next to the exact law.

python tools/make_zhang_su.py            write the page and the picture (half a minute)
python tools/make_zhang_su.py --check    say whether the page is fresh, and exit 1 if not
"""

import math
import sys
from math import comb
from typing import Any

import matplotlib as mpl
import numpy as np
from generated import IMAGES, save, write_or_check
from numpy.typing import NDArray
from zhang_su_corrections import DRAWS, SETTINGS, corrections, laws

from certus.chance import average_precision, normal_error

mpl.use("Agg")

PUBLISHED = {
    "first": (("simulated", ".1037 .0001286 .0876 .1044 .1321"), ("theoretical", ".1037 .0001392 .0806 .1037 .1268")),
    "second": (("simulated", ".2527 .000096 .2347 .2521 .2731"), ("theoretical", ".2522 .000142 .2288 .2522 .2755")),
}
"""Table III of the paper, as printed."""
SHARES = [0.025, 0.5, 0.975]


def simulated(n: int, m: int) -> NDArray[np.float64]:
    """The average precision of 10,000 random rankings."""
    generator = np.random.Generator(np.random.PCG64(2012))
    ranks = np.sort([generator.permutation(n)[:m] + 1 for _ in range(DRAWS)], axis=1)
    return np.asarray((np.arange(1, m + 1) / ranks).mean(axis=1))


def table_ii() -> str:
    """The paper's worked example, computed."""
    hits = [1, 1, 0, 1, 0, 0, 0, 0]
    found = np.cumsum(hits).tolist()
    rows = {
        "rank": list(range(1, 9)),
        "hit list": hits,
        "hit function": found,
        "recall": [f"{h}/3" for h in found],
        "precision": [f"{h}/{t}" for t, h in enumerate(found, 1)],
    }
    return "\n".join(
        f"| {name} | {' | '.join(map(str, row))} |" + ("\n|---|" + "---|" * 8 if name == "rank" else "")
        for name, row in rows.items()
    )


def table_iii(name: str) -> str:
    """Table III of one setting, with what it should have been."""
    n, m = SETTINGS[name]
    lines = ["| | mean | variance | 2.5 % | 50 % | 97.5 % |", "|---|---|---|---|---|---|"]
    for row, printed in PUBLISHED[name]:
        lines.append(f"| published, {row} | {' | '.join(printed.split())} |")
    draws = simulated(n, m)
    figures = [draws.mean(), draws.var(ddof=1), *np.quantile(draws, SHARES)]
    lines.append(f"| our simulation, {DRAWS:,} rankings | {cells(figures)} |")
    for row, law in laws(name).items():
        bold = "**" if row == "exact" else ""
        title = "exact" if row == "exact" else f"the paper's formulas {row}"
        lines.append(f"| {bold}{title}{bold} | {cells([law.mean(), law.var(), *law.ppf(SHARES).tolist()])} |")
    return "\n".join(lines)


def cells(figures: list[Any]) -> str:
    """Mean, variance and quantiles as cells of a table."""
    return " | ".join([f"{figures[0]:.6f}", f"{figures[1]:.4g}", *(f"{x:.6f}" for x in figures[2:])])


def sizes(name: str) -> str:
    """True level of a one-sided test at a nominal level, and the paper's law where the truth is that level."""
    found = normal_error(*SETTINGS[name], levels=(0.1, 0.05, 0.01, 0.001, 1e-4))
    known = [found.laws[each] for each in ("zhang-su", "zhang-su-printed", "normal")]
    lines = [
        "| level | true size, as tabled | as printed | normal, exact moments | said, as tabled | as printed "
        "| normal, exact moments |",
        "|---|---|---|---|---|---|---|",
    ]
    for position, level in enumerate(found.levels):
        row = [*(law.size[position] for law in known), *(law.stated[position] for law in known)]
        lines.append(f"| {level:g} | {' | '.join(f'{p:.2g}' for p in row)} |")
    return "\n".join(lines)


def picture() -> None:
    """Figure 1 of the paper, for both settings: the exact law, its simulation and the paper's normal laws."""
    import matplotlib.pyplot as plt

    figure, both = plt.subplots(1, 2, figsize=(11, 4.2))
    for axes, (name, (n, m)) in zip(both, SETTINGS.items(), strict=True):
        known = laws(name)
        draws = simulated(n, m)
        edges = np.linspace(draws.min(), draws.max(), 41)
        width = edges[1] - edges[0]
        axes.hist(draws, edges, density=True, color="0.85", label=f"{DRAWS:,} random rankings")
        density = np.diff(known["exact"].cdf(edges)) / width
        axes.plot((edges[:-1] + edges[1:]) / 2, density, color="black", label="exact")
        x = np.linspace(edges[0], edges[-1], 300)
        for row, style in (("as tabled", "-"), ("as printed", "--")):
            law = known[row]
            normal = np.exp(-(((x - law.mean()) / law.std()) ** 2) / 2) / (law.std() * math.sqrt(2 * math.pi))
            axes.plot(x, normal, style, color="tab:red", label=f"Zhang & Su, {row}")
        axes.set(title=f"{m} relevant among {n:,}", xlabel="average precision", ylabel="density")
        axes.spines[["top", "right"]].set_visible(False)
    both[0].legend(frameon=False, fontsize=9)
    figure.tight_layout()
    save(figure, IMAGES / "chance-zhang-su.png")


def page() -> str:
    """The whole page."""
    tail = average_precision(8, 3).tail(11 / 12)
    ways = round(float(tail) * comb(8, 3))
    sections = []
    for name, (n, m) in SETTINGS.items():
        sections += [f"### {m} relevant among {n:,}", table_iii(name), sizes(name)]
    told = "\n\n".join(sections)
    return f"""\
# Zhang & Su (2012), recomputed

Made by `python tools/make_zhang_su.py`; do not edit.

P. Zhang and W. Su, *Statistical inference on recall, precision and average precision under random selection*, FSKD
2012, ask what average precision (AP) a random ranking has, and answer with a normal law. `certus.chance` has the exact
law. This page puts both next to each other, and says what the paper's formulas get wrong, and by how much. The paper's
laws can be had by name, to compare:

```python
>>> from certus.chance import average_precision
>>> p = average_precision(1000, 100).tail(0.132)
>>> round(p, 4), p.method, p.error < 1e-10
(0.0253, 'fourier', True)
>>> q = average_precision(1000, 100, engine="zhang-su").tail(0.132)
>>> round(q, 4), q.exact
(0.0083, False)

```

## Table II

Three hits among eight items, found at ranks 1, 2 and 4:

{table_ii()}

AP = (1/1 + 2/2 + 3/4) / 3 = 11/12. By chance P(AP >= 11/12) = {ways}/{comb(8, 3)}.

## Table III and the size of its tests

"As tabled" are the paper's formulas as its table must have been computed, "as printed" as they stand (see below). The
second table of each setting takes each law for a one-sided test of chance at a nominal level: its *true size* is the
exact P(AP >= x) where the law puts the level, and *said* is what the law puts where the exact P(AP >= x) is the level.

{told}

## Figure 1

![Exact density, simulation and the paper's normal laws](images/chance-zhang-su.png)

The paper's Figure 1 is the second setting with the red line.

## What is wrong

{corrections()}

What is right: the mean and the variance of recall and precision at a rank, (3) and (4), and Table II.
"""


def main() -> int:
    """Write the page and the picture, or compare the page."""
    return write_or_check({"chance-zhang-su.md": page()}, picture)


if __name__ == "__main__":
    sys.exit(main())
