"""Metrics with random parameters and the data that they take, by the catalogue of an installation."""

from typing import Any

from snapshot_data import NEEDED, TRIED

from net.calls import Node, array
from net.draw import Columns, Draw

__all__ = ["Catalogue", "data_of", "keywords_of", "text_of", "texts"]

Catalogue = dict[str, dict[str, dict[str, Any]]]
"""By task the metrics; under "keywords" those of functions, under "options" those of commands: see worker.catalogue."""
LABELS = ("y", "p"), ("c", "d")
SCORED = {
    *("average_precision", "break_even_point", "gain_capture", "gini", "h_measure", "ks", "lift", "hinge_loss"),
    *("precision_at_recall", "recall_at_precision", "roc_auc"),
}
LIKELY = {"brier", "d2_brier", "d2_log_loss", "log_loss", "expected_calibration_error", "maximum_calibration_error"}
LABEL_SCORES = {
    *("coverage_error", "dcg", "ndcg", "label_ranking_average_precision", "label_ranking_loss", "one_error"),
}
POINTS = {"silhouette", "calinski_harabasz", "davies_bouldin", "dunn"}
COUNTED = {"collection_coverage": "y", "freshness": "pos", "mean_staleness": "pos", "update_rate": "z"}


def keywords_of(draw: Draw, facts: dict[str, Any], probability: float = 0.25) -> dict[str, Any]:
    """Values of a metric's parameters: those without a default, and others with the probability."""
    found: dict[str, Any] = {name: NEEDED[name] for name in facts["needed"]}
    for name, choices in facts["parameters"].items():
        values = [*choices, *TRIED.get(name, ())]
        if values and draw.chance(probability):
            value: Any = draw.choice(values)
            if isinstance(value, dict):
                value = {"dict": [[key, item] for key, item in value.items()]}
            found[name] = {"tuple": list(value)} if isinstance(value, tuple) else value
    return found


def text_of(draw: Draw, facts: dict[str, Any], task: str, *, several: bool = False) -> str:
    """A metric as a text names it; of several classes with an average over them."""
    keywords = keywords_of(draw, facts, 0.12)
    if several and "average" in facts["parameters"]:
        keywords["average"] = draw.choice(("macro", "micro", "weighted", None))
    text = facts["text"]
    plain = {name: value for name, value in keywords.items() if not isinstance(value, dict)}
    cutoff = plain.pop("cutoff", None)
    if task == "ranking" and "cutoff" in facts["parameters"] and cutoff is None and draw.chance(0.4):
        cutoff = draw.choice((1, 3, 10))
    text += f"({', '.join(f'{name}={value!r}' for name, value in plain.items())})" if plain else ""
    return f"{text}@{cutoff}" if isinstance(cutoff, int) else str(text)


def texts(draw: Draw, catalogue: Catalogue, task: str, fit: str, most: int = 3) -> Node:
    """Names of metrics that take the kind of data: one, or a list."""
    names = [name for name in catalogue[task] if fit in kinds_of(task, name)]
    facts = [catalogue[task][draw.choice(names)] for _ in range(draw.randint(1, most))]
    chosen = [text_of(draw, each, task, several=fit == "classes") for each in facts]
    return chosen[0] if len(chosen) == 1 and draw.chance(0.5) else list(dict.fromkeys(chosen))


def kinds_of(task: str, name: str) -> set[str]:
    """The kinds of data that a metric takes."""
    if task == "classification":
        if name in SCORED:
            return {"scores", "both"}
        if name in LIKELY:
            return {"scores", "shares", "both"}
        return {"shares"} if name == "top_k_accuracy" else {"labels", "classes", "both"}
    if task == "multilabel":
        return {"scores"} if name in LABEL_SCORES else {"labels"}
    if task == "clustering":
        return {"points"} if name in POINTS else {"labels"}
    if task == "efficiency":
        return {COUNTED.get(name, "sizes" if "space" in name else "plain")}
    return {"plain"}


def data_of(draw: Draw, task: str, name: str, columns: Columns, *, binary: bool = True) -> list[Node]:
    """The data that a metric of a task takes, as arrays; mostly of two classes where it is binary."""
    form = draw.form
    rows = {
        "m": [list(row) for row in zip(*(columns[f"m{i}"] for i in (1, 2, 3)), strict=True)],
        "mp": [list(row) for row in zip(*(columns[f"m{i}p"] for i in (1, 2, 3)), strict=True)],
        "ms": [list(row) for row in zip(*(columns[f"m{i}s"] for i in (1, 2, 3)), strict=True)],
        "abc": [list(row) for row in zip(*(columns[f"s{name}"] for name in "abc"), strict=True)],
        "uv": [list(row) for row in zip(columns["u"], columns["v"], strict=True)],
        "tx": [list(row) for row in zip(columns["t"], columns["x"], strict=True)],
    }
    if task == "classification":
        if draw.chance(0.04):
            return [form(rows["m"]), form(rows["ms" if name in SCORED else "mp"])]
        if name == "top_k_accuracy" or (name in (*LIKELY, "roc_auc", "average_precision") and draw.chance(0.25)):
            return [form(columns["c"]), draw.named(rows["abc"], "abc")]
        if name in SCORED | LIKELY:
            return [form(columns["y"]), form(columns["u" if draw.chance(0.1) else "s"])]
        truth, predicted = draw.choice(LABELS[: 1 if binary and draw.chance(0.9) else 2])
        return [form(columns[truth]), form(columns[predicted])]
    if task == "multilabel":
        ones = rows["ms" if name in LABEL_SCORES else "mp"]
        return [draw.named(values, ("m1", "m2", "m3")) for values in (rows["m"], ones)]
    if task == "regression":
        if draw.chance(0.15):
            return [form(rows["uv"]), form(rows["tx"])]
        truth, predicted = draw.choice((("u", "v"), ("pos", "s"), ("z", "pos"), ("u", "u")))
        return [form(columns[truth]), form(columns[predicted])]
    if task == "clustering" and name in POINTS and draw.chance(0.15):  # distances
        apart = [[abs(x - y) for y in columns["u"]] for x in columns["u"]]
        if draw.chance(0.2):
            draw.choice(apart)[0] = draw.choice((-1.0, 2.0))
        return [array(apart if draw.chance(0.9) else apart[:-1]), form(columns["c"])]
    if task == "clustering":
        return [form(rows["uv"]), form(columns["c"])] if name in POINTS else [form(columns["c"]), form(columns["p"])]
    if task == "efficiency":
        return [form(columns[COUNTED.get(name, "pos")])]
    return [form(columns[draw.choice(("pos", "u", "m1"))])]
