"""Random calls that compare systems: of samples, rankings, bare values, with gates."""

from typing import Any

from net.calls import Node, Program, array, call, method, pairs, written
from net.draw import LEVELS, SIDES, Draw
from net.evaluations import conventions, outputs, ranking_conventions
from net.metrics import Catalogue, text_of, texts

__all__ = ["compared", "compared_frame", "compared_rankings", "compared_values", "gated"]

TESTS = (
    "permutation",
    "t",
    "bootstrap-t",
    "wilcoxon",
    "sign",
    "mcnemar",
    "mid-p",
    "mcnemar-score",
    "bootstrap",
    "score",
)
CORRECTIONS = ("holm", "hochberg", "bonferroni", "bh", "by", "none", "max-t", "tukey-hsd")


def options(draw: Draw, systems: list[str]) -> dict[str, Any]:
    """Options that every comparison takes."""
    found = draw.maybe(
        0.15,
        test=("permutation", "t", "t", draw.choice(TESTS)),
        correction=CORRECTIONS,
        level=LEVELS,
        margin=(*(0.02, 0.1, 0.3, 0.1, 0.3, 0.05, 0.2, 0.5), draw.choice((0.0, float("inf"), -0.1, 1.0))),
        seed=(1, 5),
        bayesian=True,
    ) | draw.maybe(0.09, interval=("percentile", "percentile", "bca", "t", "delta", "hall"), simultaneous=True)
    if found.get("correction") in ("max-t", "tukey-hsd"):
        found.pop("test", None)
    found["replicates"] = 200
    if draw.chance(0.35):
        found["baseline"] = draw.choice(systems)
        found |= {} if "margin" in found else draw.maybe(0.3, alternative=SIDES)
    if "simultaneous" in found and draw.chance(0.7):
        found["correction"] = draw.choice(("bonferroni", "max-t"))
    if "bayesian" in found:
        found |= draw.maybe(0.35, prior=(0.5, 1.0, 3.0)) | draw.maybe(0.4, margin=(0.05, 0.2))
    return found


def compared(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.compare` of arrays: labels, scores, or both in one call."""
    task = draw.choice(
        (
            "classification",
            "classification",
            "classification",
            "multilabel",
            "regression",
            "regression",
            draw.choice(("multilabel", "clustering")),
        )
    )
    columns = draw.samples(draw.size())
    names = draw.names("abc"[: draw.choice((2, 2, 3))])
    program = Program(f"compare {task}")
    truth, fit = "y", "plain"
    each: list[Node]
    if task == "classification":
        fit = draw.choice(("labels", "scores", "both", "both", "classes"))
        labels, scores = ("p", "k", "y"), ("s", "r", "q")
        if fit == "both":
            each = [
                pairs({"y_pred": draw.form(columns[p]), "y_score": draw.form(columns[s])})
                for p, s in zip(labels, scores, strict=True)
            ]
        else:
            truth = "c" if fit == "classes" else "y"
            each = [draw.form(columns[n]) for n in (scores if fit == "scores" else "dec" if truth == "c" else labels)]
        metrics = texts(draw, catalogue, task, fit)
        if fit == "both" and draw.chance(0.7):
            metrics = ["F1", *(metrics if isinstance(metrics, list) else [metrics]), draw.choice(("AUC", "Brier"))]
    elif task == "multilabel":
        rows = {
            end: [list(row) for row in zip(*(columns[f"m{i}{end}"] for i in (1, 2, 3)), strict=True)]
            for end in ("", "p", "s")
        }
        fit = draw.choice(("labels", "scores"))
        ones = rows["p" if fit == "labels" else "s"]
        each = [array(ones), array(ones[1:] + ones[:1]), array(ones[::-1])]
        metrics = texts(draw, catalogue, task, fit)
        keywords = options(draw, names) | {"task": task}
        predictions = pairs(dict(zip(names, each, strict=False)))
        outputs(draw, program, program.step(call("compare", array(rows[""]), predictions, metrics, **keywords)))
        return program
    elif task == "regression":
        truth, each = "u", [draw.form(columns[name]) for name in "vtx"]
        metrics = draw.choice(("MAE", "RMSE", ["MSE", "R2"], texts(draw, catalogue, task, fit)))
        if draw.chance(0.15):  # several outputs
            columns["u"] = [list(row) for row in zip(columns["u"], columns["pos"], strict=True)]
            outputs_of = [zip(columns[name], columns["s"], strict=True) for name in "vtx"]
            each = [draw.form([list(row) for row in rows]) for rows in outputs_of]
    else:
        truth, each = "c", [draw.form(columns[name]) for name in "dep"]
        metrics = texts(draw, catalogue, task, "labels")
    keywords = options(draw, names) | {"task": task} | conventions(draw, task, columns, 0.1)
    if fit == "both" and draw.chance(0.25):
        keywords |= {"bayesian": True} | draw.maybe(0.7, prior=(0.5, 1.0, 3.0))
        metrics = ["F1", draw.choice(("AUC", "Brier"))]
    if draw.chance(0.15):
        keywords.pop("task")
    if draw.chance(0.2):
        keywords["chance"] = True
    arguments = () if task in ("classification", "regression") and draw.chance(0.15) else (metrics,)
    predictions = pairs(dict(zip(names, each, strict=False)))
    outputs(
        draw, program, program.step(call("compare", draw.form(columns[truth]), predictions, *arguments, **keywords))
    )
    return program


def compared_frame(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.compare` of columns of a table, or of tables in batches."""
    columns = draw.samples(draw.size())
    data = draw.batches(columns) if draw.chance(0.4) else draw.frame(columns)
    task, truth, names, fit = draw.choice(
        (
            ("classification", "y", ["p", "k"], "labels"),
            ("classification", "y", ["s", "r", "q"], "scores"),
            ("classification", "c", ["d", "e"], "classes"),
            ("regression", "u", ["v", "t", "x"], "plain"),
        )
    )
    keywords = options(draw, names) | {"task": task, "truth": truth} | draw.maybe(0.15, groups="g")
    if truth == "y" and "yes" in columns["y"]:
        keywords["pos_label"] = "yes"
    program = Program(f"compare frame {task}")
    metrics = texts(draw, catalogue, task, fit, 2)
    if fit == "plain" and draw.chance(0.7):
        metrics = draw.choice(("MAE", "RMSE", ["MSE", "R2"]))
    outputs(draw, program, program.step(call("compare", data, names, metrics, **keywords)))
    return program


def compared_rankings(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.compare` of runs."""
    n = 8 if draw.chance(0.06) else draw.choice((2, 2, 3, 3, 5))
    qrels, runs = draw.rankings(n)
    systems = draw.names([f"s{i}" for i in range(n)])
    shaped = [pairs({q: pairs(docs) for q, docs in run.items()}) for run in runs]
    held = dict(zip(systems, shaped, strict=True))
    names = sorted(catalogue["ranking"])
    metrics = [text_of(draw, catalogue["ranking"][draw.choice(names)], "ranking") for _ in range(draw.randint(1, 2))]
    keywords = options(draw, list(held)) | ranking_conventions(draw)
    if draw.chance(0.1):
        keywords["chance"] = True
    if draw.chance(0.12):
        groups = {query: f"g{draw.randrange(3)}" for query in list(qrels)[: draw.choice((None, None, -1))]}
        text = "".join(f"{query} {group}\n" for query, group in groups.items())
        keywords["groups"] = pairs(groups) if draw.chance(0.5) else written("groups.txt", text)
    if n > 3:
        keywords.pop("margin", None)
    program = Program("compare rankings")
    truth = pairs({q: pairs(docs) for q, docs in qrels.items()})
    table = program.step(call("compare", truth, pairs(held), metrics, **keywords))
    outputs(draw, program, table, metrics)
    return program


def compared_values(draw: Draw, _: Catalogue) -> Program:
    """`compare_values`: a value of each unit, some missing, in groups or with weights."""
    n = draw.size()
    names = draw.names([f"s{i}" for i in range(9 if draw.chance(0.06) else draw.choice((2, 2, 3, 4)))])
    digits = draw.choice((1, 2, None))
    program = Program("compare values")
    values: dict[str, Node] = {}
    for index, name in enumerate(names):
        column = draw.numbers(n, digits)
        column = [value + 0.2 * index for value in column] if draw.chance(0.5) else column
        if draw.chance(0.25):
            units = {f"u{i}": value for i, value in enumerate(column)}
            if draw.chance(0.2):
                units.popitem()
            values[name] = pairs(units)
        else:
            values[name] = draw.form(column)
    if any("dict" in item for item in values.values() if isinstance(item, dict)):
        values = {name: pairs({f"u{i}": v for i, v in enumerate(draw.numbers(n, digits))}) for name in names}
        if draw.chance(0.4):
            values[names[-1]]["dict"].pop()
    keywords = options(draw, names)
    keywords.pop("prior", None)
    if len(names) > 4:
        keywords.pop("margin", None)
    keywords |= draw.maybe(0.2, better=("higher", "lower"), value_range={"tuple": [-6.0, 6.0]})
    by_name = any(isinstance(item, dict) and "dict" in item for item in values.values())
    labels: list[tuple[str, list[Any]]] = [
        ("groups", [draw.randrange(max(2, n // 3)) for _ in range(n)]),
        ("weights", [round(draw.gammavariate(2, 1), 2) for _ in range(n)]),
    ]
    for name, column in labels:
        if draw.chance(0.13):
            rows = {f"u{i}": item for i, item in enumerate(column)}
            if draw.chance(0.15):
                rows.popitem()
            keywords[name] = pairs(rows) if by_name and draw.chance(0.9) else column
    if draw.chance(0.2):
        keywords.pop("better", None)
        metric = draw.choice(([], ["AP"], ["latency"], ["accuracy"], ["RMSE"]))
        table = program.step(call("compare", None, pairs(values), *metric, **keywords))
    else:
        table = program.step(call("comparison.compare_values", pairs(values), **keywords))
    outputs(draw, program, table)
    if draw.chance(0.1):
        program.step(method(table, "ranks", "value"))
    if draw.chance(0.05):
        shares = {name: {"dict": [[f"u{i}", round(draw.random(), 2)] for i in range(5)]} for name in names}
        program.step(call("comparison.topic_table", pairs(shares)))
    return program


def gated(draw: Draw, _: Catalogue) -> Program:
    """`assert_not_worse` of values, runs and classifiers."""
    program = Program("gate")
    keywords = draw.maybe(0.4, margin=(0.05, 0.2, 0.5)) | draw.maybe(
        0.2, level=LEVELS, test=("t", "permutation", "sign")
    )
    kind = draw.choice((0, 0, 1, 2))
    if kind == 0:
        n = draw.size()
        one = [round(draw.gauss(0, 1), 2) for _ in range(n)]
        shift = draw.choice((-0.8, -0.4, -0.2, 0.0, 0.1, 0.3))
        if draw.chance(0.2):  # all differences are alike
            one, shift = one[: draw.choice((4, 5, 5, 6))], draw.choice((-0.25, 0.0, 0.25, 0.25))
            two = [value + shift for value in (round(4 * value) / 4 for value in one)]
            one = [value - shift for value in two]
            keywords = {"margin": draw.choice((0.05, 0.5))} | draw.maybe(0.7, test=("t", "permutation"))
        else:
            two = [round(value + shift + draw.gauss(0, 0.3), 2) for value in one]
        keywords |= draw.maybe(0.3, better=("lower", "higher"))
        program.step(call("testing.assert_not_worse", two, one, **keywords))
    elif kind == 1:
        qrels, runs = draw.rankings(2)
        held = [pairs({q: pairs(docs) for q, docs in run.items()}) for run in runs]
        truth = pairs({q: pairs(docs) for q, docs in qrels.items()})
        program.step(
            call("testing.assert_not_worse", *held, draw.choice(("AP", "nDCG@3", "RR")), qrels=truth, **keywords)
        )
    else:
        columns = draw.samples(draw.size())
        keywords.pop("test", None)
        left, right, name = draw.choice(
            (("p", "k", "F1"), ("s", "r", "AUC"), ("k", "p", "Accuracy"), ("r", "s", "Brier"))
        )
        data = [draw.form(columns[column]) for column in (left, right)]
        program.step(call("testing.assert_not_worse", *data, name, y_true=draw.form(columns["y"]), **keywords))
    return program
