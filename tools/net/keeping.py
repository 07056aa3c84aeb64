"""Random calls that keep rows: states in batches, merged, saved and read; files; tables of Spark."""

from itertools import pairwise
from typing import Any

from net.calls import Node, Program, array, call, file, method, pairs
from net.draw import Columns, Draw
from net.evaluations import fit_of, named_columns, outputs
from net.files import TABLES, picked, shared
from net.metrics import Catalogue, text_of, texts
from net.systems import options

__all__ = ["filed", "kept", "kept_rankings", "kept_systems", "rounded", "sparked", "spilled", "summed"]

KEYWORDS = {"weight": "w", "groups": "g", "by": "b"}


def _updates(
    draw: Draw, program: Program, state: Node, columns: Columns, named: dict[str, Any], parts: int = 3
) -> None:
    n = len(columns["y"])
    cuts = sorted({0, n, *(draw.randint(0, n) for _ in range(parts - 1))})
    for start, end in pairwise(cuts):
        part = pairs({name: values[start:end] for name, values in columns.items()})
        program.step(method(state, "update", part, **named), show=False)


def _bytes(draw: Draw, state: Node) -> Node:
    """The bytes of a state, at times with one of them changed: mostly a number of its head or a value."""
    found = method(state, "to_bytes")
    if draw.chance(0.85):
        return found
    return {"forged": found, "at": draw.random(), "byte": draw.choice((0, 1, 48, 49, 50, 57, 128, 255))}


def kept(draw: Draw, catalogue: Catalogue) -> Program:
    """A state, or two that are merged, by way of bytes or a file; its table."""
    task = draw.choice(
        ("classification", "classification", "regression", "multilabel", "clustering", "values", "efficiency")
    )
    columns = draw.samples(draw.size())
    named = named_columns(draw, task)
    labels = {"labels": named.pop("labels")} if "labels" in named else {}
    named |= (
        draw.maybe(0.2, **KEYWORDS) if task not in ("efficiency", "clustering") else draw.maybe(0.2, groups="g", by="b")
    )
    keywords: dict[str, Any] = {"task": task, **labels} | draw.maybe(
        0.12, rows=True, memory=("1kB", "2kB", "1MB"), exact=False
    )
    metrics = texts(draw, catalogue, task, fit_of(named, task))
    if draw.chance(0.4):
        metrics = {
            "classification": "AUC" if "score" in named else "F1",
            "regression": draw.choice(("R2", "Pearson", "MAE", "MedAE")),
        }.get(task, metrics)
    if "memory" in keywords and task == "classification" and "score" in named and not labels:
        metrics = draw.choice((["AUC", "AP"], "AP", ["AUC"], ["KS"]))
    program = Program(f"state {task}")
    state = program.step(call("State", metrics, **keywords), show=False)
    if named.get("truth") == "y" and "yes" in columns["y"]:
        keywords["pos_label"] = "yes"
        program.steps[-1] = (program.steps[-1][0], call("State", metrics, **keywords))
    _updates(draw, program, state, columns, named)
    if draw.chance(0.5):
        other = program.step(call("State", metrics, **keywords), show=False)
        _updates(draw, program, other, columns, named, 2)
        if draw.chance(0.6):
            kind = call(":builtins.type", other)
            other = program.step(method(kind, "from_bytes", method(other, "to_bytes")), show=False)
        program.step(method(state, "merge", other), show=False)
    if draw.chance(0.3):
        state = program.step(method(call(":builtins.type", state), "from_bytes", _bytes(draw, state)))
    if keywords.get("exact") is False and draw.chance(0.6):
        program.step(method(state, "bounds"))
    extra = draw.maybe(0.15, level=(0.9, 0.8)) | draw.maybe(
        0.05, average=("macro", "micro"), undefined=(0.5, "nan"), chance=True
    )
    if "by" in named and draw.chance(0.4):
        extra["subgroup_mean"] = draw.choice(("random", "fixed", "fixed-weighted"))
    if draw.chance(0.15):
        program.step(method(state, "columns"))
    outputs(draw, program, program.step(method(state, "evaluate", **extra)))
    return program


def summed(draw: Draw, _: Catalogue) -> Program:
    """Two states that are merged, of metrics that sums suffice for, or whose labels change their kind on the way."""
    n = draw.size()
    columns = draw.samples(n)
    columns["y"], columns["p"], _k = draw.labels(n, [0, 1])
    if draw.chance(0.2):  # squares of these errors are 0
        columns["u"] = [0.0] * n
        columns["t"] = [draw.choice((0.0, 1e-170)) for _ in range(n)]
    task, named, metrics = draw.choice(
        (
            ("classification", {"truth": "y", "score": "s"}, ("LogLoss", "Brier", "ECE", "AUC", "LogLoss(clip=0.1)")),
            ("classification", {"truth": "y", "pred": "p"}, ("Accuracy", "F1", "MCC")),
            ("regression", {"truth": "u", "pred": draw.choice("vt")}, ("RMSE", "MSE", "MAE", "R2")),
            ("regression", {"truth": "pos", "pred": "z"}, ("RMSLE", "MSLE", "RMSE", "MAPE")),
            ("values", {"value": draw.choice(("pos", "m1"))}, ("Mean", "Median")),
        )
    )
    program = Program("states that are merged")
    keywords: dict[str, Any] = {"task": task} | draw.maybe(0.2, rows=True)
    chosen = list(dict.fromkeys(draw.choice(metrics) for _ in range(draw.randint(1, 2))))
    named = named | draw.maybe(0.15, weight="w", groups="g")
    states = [program.step(call("State", chosen, **keywords), show=False) for _ in range(2)]
    cut = draw.randint(0, n)
    for state, start, end in zip(states, (0, cut), (cut, n), strict=True):
        part = {name: values[start:end] for name, values in columns.items()}
        kind = draw.choice((int, bool, float)) if draw.chance(0.5) else int
        part |= {name: [kind(label) for label in part[name]] for name in ("y", "p")}
        if named.keys() == {"truth", "score"} and draw.chance(0.6):
            dtype = draw.choice(("int8", "int64", "bool"))
            truth = array(part["y"], dtype) if draw.chance(0.7) else part["y"]
            program.step(method(state, "update", truth, score=draw.choice((part["s"], array(part["s"])))), show=False)
        else:
            program.step(method(state, "update", pairs(part), **named), show=False)
    program.step(method(states[0], "merge", states[1]), show=False)
    if draw.chance(0.3):
        program.step(method(states[0], "columns"))
    outputs(draw, program, program.step(method(states[0], "evaluate")))
    return program


SPILLED: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "classification",
        {"truth": "y", "score": "s"},
        ("AUC", "AP", "Gini", "KS", "GainCapture", "LogLoss", "ECE"),
    ),
    ("classification", {"truth": "y", "score": "s"}, ("AUC", "Gini", "GainCapture")),
    ("classification", {"truth": "y", "pred": "p"}, ("Accuracy", "F1", "MCC")),
    (
        "regression",
        {"truth": "u", "pred": "v"},
        (
            *("R2", "ExplainedVariance", "Pearson", "MedAE", "Spearman", "MAE", "CCC", "RMSE", "D2Tweedie(power=0)"),
            *("D2AbsoluteError", "D2Pinball", "D2Tweedie", "MSE", "Spearman"),
        ),
    ),
    ("regression", {"truth": "pos", "pred": "s"}, ("RMSLE", "MAPE", "R2", "D2Tweedie(power=1)")),
    ("values", {"value": "pos"}, ("Median", "Mean")),
)
"""Tasks with columns, and metrics that have ways of their own for rows in a file."""


def spilled(draw: Draw, catalogue: Catalogue) -> Program:
    """A state whose rows exceed its memory, so that they go to a file in parts."""
    columns = draw.samples(draw.choice((40, 90, 200, 400)))
    columns["y"], columns["p"], _k = draw.labels(len(columns["y"]), [0, 1])
    task, named, metrics = draw.choice((*SPILLED, *[SPILLED[3]] * 3))
    if draw.chance(0.1):  # all errors are alike
        columns["v"] = [value + 1 for value in columns["u"]]
    chosen: Any = list(dict.fromkeys(draw.choice(metrics) for _ in range(draw.randint(1, 2))))
    if draw.chance(0.2):
        chosen = texts(draw, catalogue, task, fit_of(named, task))
    named = named | draw.maybe(0.25, weight="w", groups="g") | draw.maybe(0.1, by="b")
    program = Program(f"state in a file {task}")
    memory = draw.choice(("500B", "1kB", "1kB", "5kB") if task != "classification" else ("500B", "1kB", "5kB"))
    state = program.step(call("State", chosen, task=task, memory=memory), show=False)
    _updates(draw, program, state, columns, named, draw.randint(1, 5))
    if draw.chance(0.15):
        state = program.step(method(call(":builtins.type", state), "from_bytes", method(state, "to_bytes")), show=False)
    areas = ("score-delong", "delong", "logit-delong", "influence", "percentile")
    extra = draw.maybe(0.2, level=(0.9, 0.8)) | (draw.maybe(0.4, interval=areas) if "score" in named else {})
    outputs(draw, program, program.step(method(state, "evaluate", **extra)))
    return program


def rounded(draw: Draw, _: Catalogue) -> Program:
    """A state with more samples than it holds one by one, so that it rounds scores, or puts them into a file."""
    program = Program("state of many")
    keywords = draw.choice(({"exact": False}, {"exact": False}, {"memory": "1MB"}))
    metrics = draw.choice((["AUC"], ["AUC", "AP"], ["KS"], ["AP"]))
    states = [
        program.step(call("State", metrics, task="classification", **keywords), show=False)
        for _ in range(draw.choice((1, 2)))
    ]
    for position in range(3):
        numbers = call(":numpy.random.RandomState", draw.randrange(1_000))
        scores = method(numbers, "normal", 0.0, 1.0, 60_000)
        truth = method(numbers, "randint", 0, 2, 60_000)
        program.step(method(states[position % len(states)], "update", truth, score=scores), show=False)
    if len(states) > 1:
        program.step(method(states[0], "merge", states[1]), show=False)
    if keywords.get("exact") is False:
        program.step(method(states[0], "bounds"))
        return program
    program.step(method(states[0], "evaluate"))
    return program


def kept_systems(draw: Draw, catalogue: Catalogue) -> Program:
    """A state of several systems, and its comparison."""
    columns = draw.samples(draw.size())
    names = draw.names("abc"[: draw.choice((2, 2, 3))])
    fit = draw.choice(("scores", "labels", "both", "plain"))
    task = "regression" if fit == "plain" else "classification"
    metrics = texts(draw, catalogue, task, fit, 2)
    program = Program("state of systems")
    state = program.step(call("State", metrics, systems=names, task=task), show=False)
    n = len(columns["y"])
    cut = draw.randint(0, n)
    for start, end in ((0, cut), (cut, n)):
        part = {name: values[start:end] for name, values in columns.items()}
        if fit == "both":
            each: list[Node] = [pairs({"pred": part[p], "score": part[s]}) for p, s in zip("pky", "srq", strict=True)]
        else:
            each = [part[name] for name in {"scores": "srq", "labels": "pky", "plain": "vtx"}[fit]]
        truth = part["u" if fit == "plain" else "y"]
        groups = {"groups": part["g"]} if n % 3 == 0 else {}
        data = pairs(dict(zip(names, each, strict=False)))
        program.step(method(state, "update", truth, data, **groups), show=False)
    if draw.chance(0.4):
        state = program.step(method(call(":builtins.type", state), "from_bytes", method(state, "to_bytes")), show=False)
    keywords = options(draw, names)
    outputs(draw, program, program.step(method(state, "compare", **keywords)))
    return program


def kept_rankings(draw: Draw, catalogue: Catalogue) -> Program:
    """A state of rankings, in batches of queries."""
    qrels, (run,) = draw.rankings()
    queries = sorted(qrels)
    cut = draw.randint(0, len(queries))
    names = sorted(catalogue["ranking"])
    metrics = [text_of(draw, catalogue["ranking"][draw.choice(names)], "ranking") for _ in range(2)]
    metrics = metrics if draw.chance(0.6) else ["nDCG@3", "AP"]
    keywords = draw.maybe(
        0.2, queries=("judged", "intersection"), ties=("average", "trec"), unjudged=("remove", "bounds")
    )
    program = Program("state of rankings")
    state = program.step(call("State", metrics, task="ranking", **keywords), show=False)
    other = program.step(call("State", metrics, task="ranking", **keywords), show=False)
    parts = [(state, queries[:cut]), (other, queries[cut:])]
    if draw.chance(0.3):  # some queries once more, which a run may have lacked before
        parts.append((draw.choice((state, other)), draw.sample(queries, 1)))
    for held, part in parts:
        truth = pairs({q: pairs(qrels[q]) for q in part})
        there = [q for q in part if q in run and draw.chance(0.9)]
        program.step(method(held, "update", truth, pairs({q: pairs(run[q]) for q in there})), show=False)
    program.step(method(state, "merge", other), show=False)
    if draw.chance(0.4):
        state = program.step(method(call(":builtins.type", state), "from_bytes", _bytes(draw, state)), show=False)
    extra = draw.maybe(0.15, level=(0.9, 0.5), chance=True, interval=("t", "bca", "percentile"), seed=3, name="mine")
    outputs(draw, program, program.step(method(state, "evaluate", **extra)))
    return program


def filed(draw: Draw, catalogue: Catalogue) -> Program:
    """`evaluate`, `compare` and readers of the shared files, in each format."""
    if draw.chance(0.4):
        run, other = picked(draw, "runs", 2)
        truth = file(*picked(draw, "qrels"))
        program = Program("file rankings")
        name = draw.choice(sorted(catalogue["ranking"]))
        metrics = ["AP", text_of(draw, catalogue["ranking"][name], "ranking")]
        if draw.chance(0.3):
            keywords = options(draw, [other.partition(".")[0]])
            outputs(draw, program, program.step(call("compare", truth, [file(run), file(other)], "AP", **keywords)))
        elif draw.chance(0.3):
            form = {"format": "msmarco"} if run == "msmarco.tsv" else {}
            found = program.step(call("io.read_run", file(run), **form), show=False)
            program.step(call("evaluate", call("io.read_qrels", truth), found, metrics))
        else:
            keywords = draw.maybe(0.2, queries=("judged",), ties=("average", "input"))
            outputs(draw, program, program.step(call("evaluate", truth, shared(draw, run), metrics, **keywords)))
        return program
    task = draw.choice(("classification", "classification", "regression", "multilabel", "clustering", "values"))
    named = named_columns(draw, task)
    keywords = {"task": task, **named} | draw.maybe(0.15, **KEYWORDS, memory=("1MB", "100kB"))
    program = Program(f"file {task}")
    metrics = texts(draw, catalogue, task, fit_of(named, task))
    if draw.chance(0.15):
        program.step(call("compare", file(draw.choice(TABLES)), ["s", "r"], "AUC", truth="y", task="classification"))
    else:
        outputs(
            draw,
            program,
            program.step(call("evaluate", shared(draw, draw.choice(TABLES)), metrics=metrics, **keywords)),
        )
    return program


def sparked(draw: Draw, catalogue: Catalogue) -> Program:
    """A table of Spark, in some partitions."""
    task = draw.choice(("classification", "regression"))
    named = named_columns(draw, task)
    metrics = texts(draw, catalogue, task, fit_of(named, task), 2)
    metrics = draw.choice(("R2", "Pearson", "MAE", metrics)) if task == "regression" else metrics
    program = Program("spark")
    builder = method({"call": "pyspark.sql.SparkSession.builder.master", "args": ["local[1]"], "kw": {}}, "getOrCreate")
    session = program.step(builder, show=False)
    read = {"on": session, "get": "read"}
    frame = method(method(read, "parquet", file("table.parquet")), "repartition", draw.choice((1, 3)))
    keywords = {"task": task, **named} | draw.maybe(0.2, by="b", groups="g")
    if draw.chance(0.2):
        program.step(call("spark.compare", frame, ["s", "r"], ["AUC", "AP"], truth="y", task="classification"))
    else:
        program.step(call("spark.evaluate", frame, metrics, **keywords))
    return program
