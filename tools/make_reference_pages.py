"""Write docs/overview-of-measures.md and docs/checked-sample.md with their pictures: two texts computed again.

python tools/make_reference_pages.py            write the pages and the pictures
python tools/make_reference_pages.py --check    say whether the pages are fresh, and exit 1 if not

Their words are in tools/reference; what stands there in <<>> is computed here.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
from generated import IMAGES, save, write_or_check
from make_hit_lists import command, table

from certus import audit, classification, clustering, comparison, ranking

__all__ = ["pages"]

mpl.use("Agg")

WORDS = Path(__file__).with_name("reference")
TRUTH = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]
SCORE = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
RELEVANT = {"q": {f"d{each}" for each in (3, 5, 9, 25, 39, 44, 56, 71, 89, 123)}}
THREE = {"q": {"d3", "d56", "d129"}}
ANSWER = {"q": [f"d{each}" for each in (123, 84, 56, 6, 8, 9, 511, 129, 187, 25, 38, 48, 250, 113, 3)]}


def rows(head: str, found: Iterable[Iterable[Any]]) -> str:
    """A table whose head is one text."""
    return table(head.split(", "), found, numbers=False)


def answer() -> str:
    """The ranking in three columns, with recall and precision at each relevant document."""
    cells = []
    for rank, document in enumerate(ANSWER["q"], 1):
        text = f"{rank}. {document}"
        if document in RELEVANT["q"]:
            r, p = (metric(RELEVANT, ANSWER, cutoff=rank).value for metric in (ranking.recall, ranking.precision))
            text += f" R={r:.2g}, P={p:.2g}"
        cells.append(text)
    return rows("ranks 1 to 5, 6 to 10, 11 to 15", zip(cells[:5], cells[5:10], cells[10:], strict=True))


def interpolated() -> str:
    """Precision at the levels of recall 0, 10, ..., 100 %."""
    values = ranking.precision_recall_curve(THREE, ANSWER).values("IPrec")
    return table(["recall", *(f"{10 * i} %" for i in range(11))], [["precision", *(f"{x:.2f}" for x in values)]])


def gains() -> str:
    """The five tables of nDCG in one."""
    names = [f"{each}(gain='exp')" for each in ("CG", "DCG", "IdealDCG", "nDCG")]
    grades = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
    curve = ranking.metric_curve(grades, {"abc": ["u1", "u2", "u3", "u4", "u5"]}, names, at=range(1, 6))
    urls = "abc.go.com", "www.abcteach.com", "abcnews.go.com/sections/scitech", "www.abc.net.au", "abcnews.go.com"
    columns = [curve.values(name) for name in names]
    lines = [
        [f"#{rank}", url, 2**grade - 1, f"{cg:.0f}", f"{dcg:.1f}", f"{ideal:.2f}", f"{ndcg:.2f}"]
        for rank, (url, grade, cg, dcg, ideal, ndcg) in enumerate(zip(urls, (5, 2, 4, 4, 4), *columns, strict=True), 1)
    ]
    return rows("rank, URL, gain, cumulative gain, DCG, max DCG, nDCG", lines)


def averages() -> str:
    """Macro and micro averages of two queries."""
    wanted = {"q1": {f"a{i}" for i in range(100)}, "q2": {f"b{i}" for i in range(50)}}
    given = {
        "q1": [f"a{i}" for i in range(40)] + [f"x{i}" for i in range(40)],
        "q2": [f"b{i}" for i in range(24)] + [f"y{i}" for i in range(6)],
    }
    lines = [
        [each, *(f"{metric({each: wanted[each]}, {each: given[each]}).value:.2g}" for metric in BOTH)]
        for each in ("q1", "q2")
    ]
    lines.append(["macro", *(f"{metric(wanted, given).value:.2f}" for metric in BOTH)])
    lines.append(["micro", *(f"{metric(wanted, given).value:.2f}" for metric in MICRO)])
    return rows("average, precision, recall", lines)


BOTH = ranking.precision, ranking.recall
MICRO = ranking.micro_precision, ranking.micro_recall


def mean_ap() -> str:
    """AP of the two topics, and MAP."""
    topics = {"1": {f"d{rank}" for rank in (1, 2, 4, 7)}, "2": {"d1", "d3", "d5", "e1", "e2"}}
    found = {"1": [f"d{rank}" for rank in range(1, 8)], "2": [f"d{rank}" for rank in range(1, 6)]}
    sums = {"1": "(1/1 + 2/2 + 3/4 + 4/7) / 4", "2": "(1/1 + 2/3 + 3/5 + 0 + 0) / 5"}
    lines = [
        [each, sums[each], f"{ranking.average_precision({each: topics[each]}, {each: found[each]}).value:.2f}"]
        for each in topics
    ]
    lines.append(["MAP", "", f"{ranking.average_precision(topics, found).value:.2f}"])
    return rows("topic, sum, AP", lines)


def mrr() -> str:
    """Reciprocal ranks of three questions, and their mean."""
    right = {"cat": "cats", "torus": "tori", "virus": "viruses"}
    results = {"cat": "catten, cati, cats", "torus": "torii, tori, toruses", "virus": "viruses, virii, viri"}
    answers = {each: results[each].split(", ") for each in right}
    lines = [
        [each, results[each], right[each], round(1 / rr), f"1/{round(1 / rr)}"]
        for each in right
        for rr in [ranking.reciprocal_rank({each: {right[each]}}, {each: answers[each]}).value]
    ]
    mean = ranking.reciprocal_rank({each: {right[each]} for each in right}, answers).value
    lines.append(["MRR", "", "", "", f"{mean:.2f}"])
    return table(["query", "results", "correct response", "rank", "reciprocal rank"], lines, numbers=False)


def gmap() -> str:
    """AP of two systems by topic, changes in percent, MAP and GMAP."""
    ap = {
        "A": {"Topic1": 0.02, "Topic2": 0.03, "Topic3": 0.29},
        "B": {"Topic1": 0.08, "Topic2": 0.04, "Topic3": 0.20},
    }
    found = comparison.topic_table(ap)
    lines = []
    for system, values in ap.items():
        changes = found.percent(system) if system == "B" else {}
        for topic, value in values.items():
            change = changes.get(topic)
            lines.append([system, topic, f"{value:.2f}", "-" if change is None else f"{change:+.3g} %", "", ""])
        lines[-3][4:] = [f"{found.mean(system):.3f}", f"{found.geometric_mean(system):.3f}"]
    return rows("system, topic, AP, change, MAP, GMAP", lines)


def intervals(interval: str, positives: int, checked: int, hits: int, predicted: int, decimals: int = 2) -> str:
    """The table that the note's programs print: lower limit, mean, upper limit."""
    found = audit.recall_precision(
        positives=positives, checked=checked, hits=hits, predicted=predicted, interval=interval
    )
    shares = [("recall", found.recall), ("precision", found.precision)]
    lines = [[name, *(f"{100 * x:.{decimals}f} %" for x in (e.low, e.value, e.high))] for name, e in shares]
    lines.append(["A ∩ B", *(f"{x:.0f}" for x in (found.hits.low, found.hits.value, found.hits.high))])
    return rows("measure, left limit, estimate, right limit", lines)


def overview() -> dict[str, str]:
    """Computations of the overview."""
    lines = zip(range(1, 11), SCORE, TRUTH, strict=True)
    best = ranking.ideal_dcg
    grades = {"q": {"a": 5, "b": 4, "c": 4, "d": 4, "e": 4, "f": 2}}
    ideal = [best(grades, {"q": list("abcdef")}, gain="exp", cutoff=k).value for k in (4, 5)]
    alone = list(range(8))
    return {
        "clients": rows("id, probability of 1, true class", lines),
        "kappa": rows("predicted, true 1, true 0", [[1, 20, 5], [0, 10, 15]]),
        "counts": command("evaluate", "--counts", "15,5;10,20", "-m", "Accuracy", "-m", "kappa").replace(
            "15,5;10,20", "'15,5;10,20'"
        ),
        "answer": answer(),
        "interpolated": interpolated(),
        "gains": gains(),
        "averages": averages(),
        "map": mean_ap(),
        "mrr": mrr(),
        "gmap": gmap(),
        "ari": f"{clustering.adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]).value:g}",
        "mi": f"{clustering.mutual_info(alone, alone).value:.4f}",
        "ideal4": f"{ideal[0]:.2f}",
        "ideal5": f"{ideal[1]:.2f}",
    }


def checked_sample() -> dict[str, str]:
    """Computations of the note on a checked sample."""
    small = audit.recall_precision(positives=50, checked=20, hits=16, predicted=200, interval="wilson")
    return {
        "exact": intervals("posterior", 1000, 500, 400, 10000),
        "wilson": intervals("wilson", 500, 100, 80, 2000),
        "beta": intervals("beta", 500, 100, 80, 2000),
        "posterior": intervals("posterior", 500, 100, 80, 2000),
        "warned": str(small.recall),
        "mean": f"{audit.hits_posterior(N=1000, n=500, k=400).mean():.2f}",
    }


def pages() -> dict[str, str]:
    """Each page by the name of its file."""
    made = {"overview-of-measures": ("overview", overview()), "checked-sample": ("checked-sample", checked_sample())}
    return {f"{page}.md": filled(WORDS / f"{words}.md", found) for page, (words, found) in made.items()}


def filled(file: Path, found: dict[str, str]) -> str:
    """The words with what was computed; each of it is used."""
    text = file.read_text(encoding="utf-8")
    names = set(re.findall("<<(.*?)>>", text))
    if names != set(found):
        raise SystemExit(f"{file.name}: {sorted(names ^ set(found))} stand on one side only")
    return re.sub("<<(.*?)>>", lambda match: found[match[1]], text)


def draw() -> None:
    """Write the pictures."""
    from matplotlib import pyplot as plt

    first, sides = plt.subplots(1, 2, figsize=(10.4, 4.8), layout="constrained")
    roc = classification.roc_curve(TRUTH, SCORE)
    roc.plot(sides[0], band=None)
    roc.plot_gini(sides[1])
    for threshold in (0.5, 0.8):
        point = roc.at(threshold)
        sides[0].plot([point.fpr], [point.tpr], "o", color="black")
        sides[0].annotate(f"threshold {threshold:g}", (point.fpr, point.tpr), (8, -14), textcoords="offset points")
    second, both = plt.subplots(1, 2, figsize=(10.4, 4.4), layout="constrained")
    ranking.precision_recall_curve(RELEVANT, ANSWER, interpolated=False).plot(both[0])
    ranking.precision_recall_curve(THREE, ANSWER).plot(both[1])
    both[0].set_title("ten relevant documents")
    both[1].set_title("three relevant documents, interpolated")
    for name, figure in {"overview-roc": first, "overview-precision-recall": second}.items():
        save(figure, IMAGES / f"{name}.png")


def main() -> int:
    """Write the pages and the pictures, or compare the pages."""
    return write_or_check(pages(), draw)


if __name__ == "__main__":
    sys.exit(main())
