"""Pictures of docs/audit-methods.md: coverage against the true count, size against the share checked, R1's laws."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

from certus.audit import recall_precision
from certus.inference.finite.laws import Posterior
from study import LEVEL
from study_audit_r1 import EXAMPLE, SECOND, as_printed
from study_audit_tables import METHODS, Method, measured

mpl.use("Agg")

from matplotlib import pyplot as plt

__all__ = ["draw"]

BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, BLACK, GREY, LIGHT = "#56B4E9", "#E69F00", "#000000", "#6e6e6e", "#c4c4c4"


def draw(folder: Path) -> list[str]:
    """Write every picture to the folder; their names."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, Callable[[], Any]] = {
        "audit-coverage": coverage_by_count,
        "audit-size": size_by_share,
        "audit-posterior": law_of_the_example,
        "audit-approximations": approximations,
        "audit-cut": impossible_counts,
    }
    for name, picture in pictures.items():
        file = folder / f"{name}.png"
        figure = picture()
        # Without the version of matplotlib, so that a picture changes only with what it shows.
        figure.savefig(file, dpi=80, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)
        with Image.open(file) as image:
            image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)
    return list(pictures)


def coverage_by_count(population: int = 500, n: int = 100) -> Any:
    """One small plot a method: the chance that the interval holds the true count, for each true count."""
    figure, axes = plt.subplots(4, 3, figsize=(10, 10), sharex=True, sharey=True, layout="constrained")
    for ax, method in zip(axes.flat, METHODS, strict=True):
        found = measured(method, population, n)
        ax.axhline(LEVEL, color=GREY, linewidth=0.8, linestyle=":")
        ax.plot(found.coverage, color=BLUE if found.coverage.min() >= LEVEL - 1e-12 else ORANGE, linewidth=0.9)
        ax.set_ylim(0.895, 1.003)
        ax.set_title(f"{method.label}\nleast {found.coverage.min():.3f}, mean {found.coverage.mean():.3f}", fontsize=10)
    figure.supxlabel(f"true hits among {population} positives")
    figure.supylabel(f"chance that the 95% interval from {n} checked positives holds them")
    return figure


def size_by_share(population: int = 500) -> Any:
    """Least coverage, and mean size as a ratio to AMO's, against the number checked."""
    shown = {
        Method("blaker"): BLUE,
        Method("hypergeometric"): SKY,
        Method("clopper-pearson"): BLACK,
        Method("mid-p"): GREEN,
        Method("posterior"): ORANGE,
        Method("hpd"): AMBER,
        Method("wilson-fpc"): PINK,
        Method("wilson"): GREY,
    }
    checked = [5, *range(10, 100, 10), *range(100, population, 25), 490]
    least = {method: [measured(method, population, n).coverage.min() for n in checked] for method in shown}
    shortest = np.array([measured(Method("amo"), population, n).size for n in checked])
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    for method, color in shown.items():
        left.plot(checked, least[method], color=color, linewidth=1.4)
        size = np.array([measured(method, population, n).size for n in checked])
        right.plot(checked, size / shortest, color=color, linewidth=1.4, label=method.label)
    left.axhline(LEVEL, color=GREY, linewidth=0.8, linestyle=":")
    left.set_ylim(0.72, 1.005)
    left.set_ylabel("least coverage over all true counts")
    right.set_ylim(0.85, 1.6)
    right.axhline(1.0, color=GREY, linewidth=0.8, linestyle=":")
    right.set_ylabel("mean size, ratio to that of AMO")
    right.legend(frameon=False, fontsize=9, loc="upper left")
    for ax in (left, right):
        ax.set_xlabel(f"checked of {population} positives")
    return figure


def law_of_the_example() -> Any:
    """The posterior of R1's example with its interval shaded, and the limits that R1's program returns."""
    population, n, k = EXAMPLE["positives"], EXAMPLE["checked"], EXAMPLE["hits"]
    law = Posterior(k, n, population)
    audit = recall_precision(**EXAMPLE)
    printed = as_printed(law, population, n, k)
    figure, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
    low, high = audit.hits.interval(method="posterior")[:2]
    top = _bars(ax, law, 745, 850, low, high)
    for limit, name in ((printed.left, "program: "), (printed.right, "program: ")):
        if limit is not None:
            ax.axvline(limit, color=ORANGE, linewidth=1.2, linestyle="--")
            ax.text(limit + 0.8, 0.97 * top, f"{name}{limit}", color=ORANGE, fontsize=9, va="top")
    ax.set_ylim(0, 1.05 * top)
    ax.set_xlabel("hits among 1,000 positives, 400 of 500 checked ones being hits")
    ax.set_ylabel("posterior probability")
    ax.set_title(
        f"95% interval {low} to {high}: {100 * law.interval_probability(int(low), int(high)):.2f}%", fontsize=11
    )
    return figure


def approximations() -> Any:
    """R1's second example: the exact law, and the normal and the beta law that it takes for it."""
    population, n, k = SECOND["positives"], SECOND["checked"], SECOND["hits"]
    audit = recall_precision(**SECOND)
    figure, ax = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
    low, high = audit.hits.interval(method="posterior")[:2]
    law = Posterior(k, n, population)
    top = _bars(ax, law, 330, 460, low, high)
    x = np.linspace(330, 460, 400)
    share, z = x / population, (x / population - k / n) / np.sqrt(x / population * (1 - x / population) / n)
    normal = np.exp(-z * z / 2) / math.sqrt(2 * math.pi) / np.sqrt(share * (1 - share) / n) / population
    log_beta = math.lgamma(n + 2) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    beta = np.exp(log_beta + k * np.log(share) + (n - k) * np.log1p(-share)) / population
    ax.plot(x, normal, color=GREEN, linewidth=1.4, label="normal, as if the positives had no end")
    ax.plot(x, beta, color=ORANGE, linewidth=1.4, linestyle="--", label="beta, as if the positives had no end")
    ax.legend(frameon=False, fontsize=9, loc="upper left")
    bars = (("posterior", BLUE), ("blaker", BLACK), ("wilson-fpc", PINK), ("wilson", GREEN), ("beta", ORANGE))
    for line, (method, color) in enumerate(bars):
        y = -top * (0.08 + 0.08 * line)
        ends = [population * share for share in audit.recall.interval(method=method)[:2]]
        ax.plot(ends, [y, y], color=color, linewidth=2.5, solid_capstyle="butt")
        spec = ".1f" if method in ("wilson", "wilson-fpc", "beta") else ".0f"
        text = f"{Method(method).label}  {ends[0]:{spec}} to {ends[1]:{spec}}"
        ax.text(ends[1] + 2, y, text, fontsize=8, va="center")
    ax.set_ylim(-0.5 * top, 1.25 * top)
    ax.set_xlim(330, 500)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= 1.2 * top])
    ax.set_xlabel("hits among 500 positives, 80 of 100 checked ones being hits")
    ax.set_ylabel("posterior probability")
    return figure


def impossible_counts(predicted: int = 405) -> Any:
    """The posterior before and after counts beyond the predicted items are cut off."""
    population, n, k = SECOND["positives"], SECOND["checked"], SECOND["hits"]
    fewer = SECOND.copy()
    fewer["predicted"] = predicted
    audit = recall_precision(**fewer)
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.8), sharey=True, layout="constrained")
    whole = Posterior(k, n, population)
    cut = Posterior(k, n, population, possible=(k, predicted))
    free = recall_precision(**SECOND).hits.interval(method="posterior")
    shown = audit.hits.interval(method="posterior")
    for ax, law, (low, high), title in (
        (axes[0], whole, free[:2], f"all counts: {free.low} to {free.high}"),
        (axes[1], cut, shown[:2], f"without impossible ones: {shown.low} to {shown.high}"),
    ):
        _bars(ax, law, 330, 475, low, high)
        ax.axvline(predicted + 0.5, color=ORANGE, linewidth=1.2, linestyle="--")
        ax.set_title(title, fontsize=11)
        ax.set_xlabel("hits among 500 positives")
    beyond = whole.upper_tail(predicted + 1)
    text = f"{100 * beyond:.1f}% beyond\nthe {predicted} predicted"
    axes[0].text(predicted + 30, whole.probability(whole.mode), text, color=ORANGE, fontsize=9, va="top")
    axes[0].set_ylim(0, 1.05 * cut.probability(cut.mode))
    axes[0].set_ylabel("posterior probability")
    return figure


def _bars(ax: Any, law: Posterior, first: int, last: int, low: float, high: float) -> float:
    """Draw the law from `first` to `last`, shaded from `low` to `high`; its greatest probability."""
    for ends, color in _parts(first, last, int(low), int(high)):
        x = np.arange(ends[0], ends[1] + 1)
        ax.vlines(x, 0, [law.probability(int(each)) for each in x], color=color, linewidth=2.2)
    ax.set_ylim(bottom=0)
    return law.probability(law.mode)


def _parts(first: int, last: int, low: int, high: int) -> Iterator[tuple[tuple[int, int], str]]:
    yield (first, low - 1), LIGHT
    yield (low, high), SKY
    yield (high + 1, last), LIGHT
