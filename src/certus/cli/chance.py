"""``certus chance``."""

import json
import re
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from certus.cli._chance import Answer, Law
from certus.cli._declare import Argument, Option, UsageError, command
from certus.cli._observed import Observed
from certus.cli._options import Written
from certus.cli._output import check_force, write
from certus.cli._pictures import check_picture, save_drawing
from certus.cli._progress import Quiet, working
from certus.errors import options_for

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["chance"]


_BINARY = {"items": "items", "relevant": "relevant"}
_LAWS = {
    "ap": Law(
        "AP",
        "average_precision",
        _BINARY,
        {"cutoff": "cutoff", "denominator": "denominator", "ties": "ties", "engine": "engine"},
    ),
    "auc": Law("AUC", "auc", {"positives": "pos", "negatives": "neg"}, {"ties": "ties"}),
    "hits": Law("hits", "hits", {**_BINARY, "cutoff": "cutoff"}),
    "precision": Law("P", "precision", {**_BINARY, "cutoff": "cutoff"}),
    "recall": Law("R", "recall", {**_BINARY, "cutoff": "cutoff"}),
    "success": Law("Success", "success", {**_BINARY, "cutoff": "cutoff"}),
    "rprec": Law("Rprec", "r_precision", _BINARY),
    "rr": Law("RR", "reciprocal_rank", _BINARY, {"cutoff": "cutoff"}),
    "dcg": Law("DCG", "dcg", {"grades": "grades"}, {"cutoff": "cutoff", "gain": "gain"}),
    "ndcg": Law("nDCG", "ndcg", {"grades": "grades"}, {"cutoff": "cutoff", "gain": "gain"}),
    "rbp": Law("RBP", "rbp", {**_BINARY, "p": "p"}),
    "bpref": Law("bpref", "bpref", {"relevant": "relevant", "nonrelevant": "nonrelevant"}),
    "list-score": Law("s", "list_score", _BINARY, {"scale": "m"}),
    "hit-rank": Law("rank", "hit_rank", {**_BINARY, "hit": "hit"}, better="lower"),
}


class Name(StrEnum):
    """The names of the laws."""

    vars().update({name.replace("-", "_"): name for name in _LAWS})


class Alternative(StrEnum):
    """The side of the distribution that counts."""

    greater = "greater"
    less = "less"
    two_sided = "two-sided"


class Denominator(StrEnum):
    """The denominator of average precision."""

    relevant = "relevant"
    min = "min"
    hits = "hits"


class Gain(StrEnum):
    """The gain of a grade."""

    linear = "linear"
    exp = "exp"


@command("chance", "ap --items 100 --relevant 5")
def chance(
    law: Annotated[Name, Argument(metavar="NAME", help=f"What is measured: {', '.join(_LAWS)}.")],
    items: Annotated[int | None, Option(min=1, help="Documents in random order.")] = None,
    relevant: Annotated[int | None, Option(min=0, help="Relevant ones among them.")] = None,
    nonrelevant: Annotated[int | None, Option(min=0, help="Judged non-relevant ones (bpref).")] = None,
    positives: Annotated[int | None, Option(min=0, help="Positive samples (auc).")] = None,
    negatives: Annotated[int | None, Option(min=0, help="Negative samples (auc).")] = None,
    ties: Annotated[
        str | None,
        Option(metavar="SIZE,...", help="Sizes of the groups of equal scores, lowest first (ap, auc)."),
    ] = None,
    grades: Annotated[
        str | None, Option(metavar="GRADE:COUNT,...", help="Documents of each grade: 3:5,2:10,0:985 (dcg, ndcg).")
    ] = None,
    cutoff: Annotated[int | None, Option(min=1, help="Look at the first documents only.")] = None,
    denominator: Annotated[Denominator | None, Option(help="Divisor of average precision (ap).")] = None,
    gain: Annotated[Gain | None, Option(help="Gain of a grade (dcg, ndcg).")] = None,
    p: Annotated[float | None, Option("--persistence", "--p", help="Persistence (rbp).")] = None,
    hit: Annotated[int | None, Option(min=1, help="Hit whose rank is meant, from the top (hit-rank).")] = None,
    scale: Annotated[int | None, Option(min=3, help="The scale m of the score of a list (list-score).")] = None,
    observed: Annotated[
        str | None,
        Option(
            metavar="VALUE",
            help="A value to compare with chance. A decimal (0.9167) stands for every value that rounds to it; a "
            "fraction (11/12) or a whole number for itself.",
        ),
    ] = None,
    alternative: Annotated[
        Alternative | None, Option(help="Values that count as no worse. Default: greater; for hit-rank less.")
    ] = None,
    engine: Annotated[
        str | None, Option("--engine", "--method", help="Method by which probabilities are computed (ap).")
    ] = None,
    quantiles: Annotated[
        bool, Option(help="Also quantiles; of long rankings they take longer than all the rest.")
    ] = True,
    form: Annotated[Written, Option("--format", help="Format of the answer.")] = Written.text,
    plot: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Also draw the law, the normal approximation, and the --observed value with its tail (.png, .svg, "
            ".pdf); needs certus\\[plot].",
        ),
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace the file of the picture.")] = False,
    _quiet: Quiet = False,
) -> None:
    """State the distribution of a metric under a random ranking: what chance would score."""
    check_force(force, plot)
    check_picture(plot, force)
    given = {
        "items": items,
        "relevant": relevant,
        "nonrelevant": nonrelevant,
        "positives": positives,
        "negatives": negatives,
        "ties": None if ties is None else _sizes(ties),
        "grades": None if grades is None else _grades(grades),
        "cutoff": cutoff,
        "denominator": None if denominator is None else denominator.value,
        "gain": None if gain is None else gain.value,
        "p": p,
        "hit": hit,
        "scale": scale,
        "engine": engine,
    }
    given = {name: value for name, value in given.items() if value is not None}
    chosen = _LAWS[law.value]
    _check(law.value, chosen, given)
    if alternative is not None and observed is None:
        raise UsageError("is for the probability of a value; give one with --observed", param_hint="--alternative")
    held = None if observed is None else Observed.read(observed)
    shown = {"grades": grades, "ties": ties}
    given_words = {name: shown.get(name) or value for name, value in given.items()}
    side = alternative or (Alternative.less if chosen.better == "lower" else Alternative.greater)
    words = {argument: _option(option) for option, argument in {**chosen.needs, **chosen.takes}.items()}
    with working("computing"), options_for(words):
        made = _made(chosen, given)
        if held is not None:
            held.check_within(min(0.0, made.support()[0]), made.support()[1])
        answer = Answer.of(chosen, given_words, made, held, side.value, quantiles)
        if plot is not None:
            save_drawing(answer.draw, plot)
    text = json.dumps(answer.held(law.value)) if form is Written.json else "\n".join(answer.lines())
    write(text + "\n")


def _check(name: str, law: Law, given: dict[str, Any]) -> None:
    missing = [option for option in law.needs if option not in given]
    if missing:
        raise UsageError(f"{name} needs {' and '.join(map(_option, law.needs))}", param_hint=_option(missing[0]))
    other = [option for option in given if option not in {**law.needs, **law.takes}]
    if other:
        takes = ", ".join(map(_option, {**law.needs, **law.takes}))
        raise UsageError(f"{name} does not take it; it takes {takes}", param_hint=_option(other[0]))


def _option(name: str) -> str:
    return f"--{name}"


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"{text!r} is not a list of sizes, such as 3,1,2", param_hint="--ties") from None


def _grades(text: str) -> dict[int, int]:
    found = [re.fullmatch(r"\s*(\d{1,9}):(\d{1,9})\s*", part) for part in text.split(",")]
    pairs = [(int(each[1]), int(each[2])) for each in found if each is not None]
    if len(pairs) < len(found):
        raise UsageError(
            f"{text!r} is not grades and how many documents have each, as in 3:5,2:10,0:985", param_hint="--grades"
        )
    counts: Counter[int] = Counter()
    for grade, count in pairs:
        counts[grade] += count
    return dict(counts)


def _made(law: Law, given: dict[str, Any]) -> "Distribution":
    import certus.chance

    arguments = {**law.needs, **law.takes}
    made: Distribution = getattr(certus.chance, law.function)(**{arguments[name]: given[name] for name in given})
    return made
