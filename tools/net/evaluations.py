"""Random calls that evaluate: one metric, `certus.evaluate`, reports; what their results give and are written as."""

from typing import Any

from net.calls import Node, Program, array, attribute, call, method, pairs
from net.draw import LEVELS, METHODS, Columns, Draw
from net.metrics import POINTS, Catalogue, data_of, keywords_of, text_of, texts

__all__ = [
    "conventions",
    "evaluated",
    "evaluated_batches",
    "evaluated_classes",
    "evaluated_frame",
    "evaluated_rankings",
    "named_columns",
    "one_metric",
    "one_ranking_metric",
    "outputs",
    "reported",
]

TASKS = ("classification", "multilabel", "regression", "clustering", "efficiency", "values")
WRITERS = (
    "to_csv",
    "to_tsv",
    "to_json",
    "to_jsonl",
    "to_latex",
    "to_markdown",
    "to_html",
    "to_report",
    "to_dicts",
    "to_report",
)
PICTURES = (
    *("values", "per-query", "precision-recall", "ndcg", "precision", "recall", "unjudged", "gains", "roc", "det"),
    *("gain", "lift", "calibration", "confusion", "differences"),
    *("matrix", "units", "critical-difference", "ranks"),
)


def outputs(draw: Draw, program: Program, table: Node, names: Node = "name") -> None:
    """Written forms of a table or a comparison, and the table that comes back from pickle."""
    if draw.chance(0.1):
        program.step(call(":pickle.loads", call(":pickle.dumps", table)))
    if draw.chance(0.05):
        program.step(call(":copy.deepcopy", table))
    if draw.chance(0.12):
        program.step(method(table, draw.choice(WRITERS)))
    if draw.chance(0.12):
        options = draw.maybe(0.6, width=(30, 40, 60, 80, 140)) | draw.maybe(0.2, layout=("matrix", "rows"))
        program.step(method(table, "to_text", **options))
    if draw.chance(0.05):
        writer = draw.choice(("to_latex", "to_markdown", "to_html"))
        program.step(method(table, writer, layout=draw.choice(("matrix", "rows"))))
    if draw.chance(0.06 if names == "name" else 0.2):
        name = draw.choice([names] if isinstance(names, str) else names)
        program.step(method(table, "sorted", draw.choice(("name", name, name))))
    if draw.chance(0.05):
        program.step(method(table, "to_pandas"))
    if draw.chance(0.04):
        program.step(
            method(
                table,
                *draw.choice((("overall",), ("per_query",), ("values", "AP"), ("row", "F1", "a"), ("units", "AP"))),
            )
        )
    if draw.chance(0.04):
        kinds = (
            PICTURES[:8] if "rank" in program.kind else PICTURES[8:] if "compare" in program.kind else PICTURES[8:14]
        )
        program.step(method(table, "plot", *([draw.choice(kinds)] if draw.chance(0.6) else [])))
    if draw.chance(0.04):
        kind = call(":builtins.type", table)
        program.step(method(kind, "from_json", method(table, "to_json")))


def conventions(draw: Draw, task: str, columns: Columns, probability: float = 0.2) -> dict[str, Any]:
    """Keywords of a metric beside its data: weights, groups, the positive class."""
    found: dict[str, Any] = {}
    if task in ("classification", "multilabel", "regression", "values") and draw.chance(probability):
        found["sample_weight"] = draw.form(columns["w"])
    if draw.chance(probability):
        found["groups"] = draw.form(columns["g"])
    if task == "classification" and ("yes" in columns["y"] or draw.chance(probability / 3)):
        found["pos_label"] = "yes" if "yes" in columns["y"] else draw.choice((0, 1, "a"))
    if task == "classification" and draw.chance(probability / 6):
        found["labels"] = draw.choice(([1, 0], ["a", "b", "c"]))
    if task == "clustering" and draw.chance(probability):
        found["metric"] = draw.choice(("precomputed", "precomputed", "euclidean", "manhattan", "cosine", "none"))
    if task == "values" and draw.chance(probability):
        found["ids"] = draw.form([f"i{draw.randrange(9)}" for _ in columns["id"]])
    return found


def one_metric(draw: Draw, catalogue: Catalogue) -> Program:
    """A metric of samples, its intervals and its standing against chance."""
    task = draw.choice((*TASKS, "classification", "classification"))
    name = draw.choice(sorted(catalogue[task]))
    columns = draw.samples(draw.size())
    keywords = keywords_of(draw, catalogue[task][name])
    if "average" in catalogue[task][name]["parameters"] and draw.chance(0.2):
        keywords["average"] = draw.choice((None, None, "macro", "weighted"))
    binary = "average" in catalogue[task][name]["parameters"] and keywords.get("average", "binary") == "binary"
    data = data_of(draw, task, name, columns, binary=binary)
    if task == "clustering" and name not in POINTS and draw.chance(0.15):
        size = draw.randint(1, 4)
        cells: Any = [[draw.randint(0, 9) for _ in range(size)] for _ in range(draw.randint(1, 4))]
        cells[0][0] = draw.choice((cells[0][0], 2.0, 1.5, -1, 2**63, float("nan")))
        data, keywords["contingency"] = [], cells if draw.chance(0.5) else array(cells)
    if task == "classification" and draw.chance(0.06):  # of two sets, or of many labels
        if draw.chance(0.5):
            data = [{"set": draw.sample(range(9), draw.randint(0, 7))} for _ in range(2)]
        else:
            data = [draw.form([[int(draw.chance(0.3)) for _ in range(40)] for _ in range(12)]) for _ in range(2)]
            keywords |= {"average": draw.choice(("samples", "macro", "micro", None))} if "average" in keywords else {}
    program = Program(f"metric {task}")
    estimate = program.step(call(f"{task}.{name}", *data, **keywords, **conventions(draw, task, columns)))
    _intervals(draw, program, estimate)
    if draw.chance(0.1):
        program.step(method(estimate, "versus_chance", replicates=99, seed=draw.randrange(3)))
    return program


def _intervals(draw: Draw, program: Program, estimate: Node) -> None:
    for _ in range(draw.choice((0, 0, 1, 2))):
        known = draw.chance(0.7)
        name = (
            call(":operator.getitem", attribute(estimate, "methods"), draw.choice((0, -1, 1)))
            if known
            else draw.choice(METHODS)
        )
        program.step(method(estimate, "interval", draw.choice(LEVELS), name, replicates=199, seed=draw.randrange(4)))
    if draw.chance(0.1):
        program.step(call(":pickle.loads", call(":pickle.dumps", estimate)))
    if draw.chance(0.1):
        program.step(method(estimate, draw.choice(("to_dict", "to_json"))))


def one_ranking_metric(draw: Draw, catalogue: Catalogue) -> Program:
    """A metric of rankings, its intervals and its standing against chance."""
    name = draw.choice(sorted(catalogue["ranking"]))
    qrels, (run,) = draw.rankings()
    keywords = keywords_of(draw, catalogue["ranking"][name])
    keywords |= ranking_conventions(draw)
    program = Program("metric ranking")
    estimate = program.step(call(f"ranking.{name}", *shapes(draw, qrels, run), **keywords))
    _intervals(draw, program, estimate)
    if draw.chance(0.1):
        program.step(method(estimate, "versus_chance", replicates=99, seed=draw.randrange(3)))
    return program


def ranking_conventions(draw: Draw) -> dict[str, Any]:
    """Conventions of rankings: queries, ties and unjudged documents."""
    return draw.maybe(
        0.15,
        queries=("judged", "intersection"),
        ties=("input", "average", "range", "trec"),
        unjudged=("remove", "bounds", "nonrelevant"),
    )


def shapes(draw: Draw, qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> tuple[Node, Node]:
    """Judgments and a run in some of the shapes in which they may come."""
    graded, scored = pairs({q: pairs(docs) for q, docs in qrels.items()}), pairs({q: pairs(d) for q, d in run.items()})
    rows = [{"tuple": [q, doc, judged]} for q, docs in qrels.items() for doc, judged in docs.items()]
    lines = [{"tuple": [q, doc, score]} for q, docs in run.items() for doc, score in docs.items()]
    query, doc, grade = draw.choice(
        (("query_id", "doc_id", "relevance"), ("qid", "docno", "grade"), ("q_id", "doc", "label"))
    )
    records = [pairs({query: q, doc: d, grade: g}) for q, docs in qrels.items() for d, g in docs.items()]
    held: Columns = {
        "query_id": [q for q, docs in run.items() for _ in docs],
        "doc_id": [doc for docs in run.values() for doc in docs],
        "score": [score for docs in run.values() for score in docs.values()],
    }
    if draw.chance(0.1):  # several runs in a table
        held[draw.choice(("run", "system", "tag"))] = [draw.choice(("a", "b")) for _ in held["score"]]
    frame = call(draw.choice((":pandas.DataFrame", ":polars.DataFrame", ":pyarrow.table")), pairs(held))
    if draw.chance(0.12):
        return odd_shapes(draw, rows, lines, held)
    truth = draw.choice((graded, graded, graded, rows, records, call("io.as_qrels", graded)))
    ordered = {q: sorted(docs, key=lambda doc, docs=docs: -docs[doc]) for q, docs in run.items()}  # type: ignore[misc]
    system = draw.choice((scored, scored, scored, lines, frame, pairs(dict(ordered)), call("io.as_run", scored)))
    return truth, system


def odd_shapes(draw: Draw, rows: list[Node], lines: list[Node], held: Columns) -> tuple[Node, Node]:
    """Judgments and a run in shapes that are unusual, incomplete or wrong."""
    first = lines[0]["tuple"] if lines else ["q0", "d0", 1.0]
    decimal = call(":decimal.Decimal", draw.choice(("1.5", "0.1", "1e400", "nan")))
    wrong: tuple[Any, ...] = (
        decimal,
        decimal,
        call(":numpy.int64", 2),
        call(":numpy.float32", 0.1),
        None,
        float("nan"),
        "x",
        "2",
        -1,
        2**40,
        True,
        [],
        float("inf"),
        "",
        0.5,
    )
    other = [{"tuple": [draw.choice((*first, *wrong)) if draw.chance(0.4) else item for item in first]}]
    queries = dict.fromkeys(held["query_id"])
    names = draw.choice((("qid", "docid", "score"), ("query", "document", "value"), ("a", "b", "c")))
    columns = dict(zip(names, list(held.values())[:3], strict=True))
    named = {"query": names[0], "doc": names[1], "score": names[2]} if draw.chance(0.7) else {}
    runs: tuple[Node, ...] = (
        [*lines, *other],
        [{"tuple": line["tuple"][: draw.choice((2, 2, 1))]} for line in lines],
        pairs({q: [line["tuple"][1] for line in lines if line["tuple"][0] == q] for q in queries}),
        pairs({q: {"set": ["d0", "d1"]} for q in queries}),
        [pairs({"qid": line["tuple"][0], "docid": line["tuple"][1], "score": line["tuple"][2]}) for line in lines],
        call("io.as_run", call(":pandas.DataFrame", pairs(columns)), **named),
        call("io.as_run", call(":polars.DataFrame", pairs(columns)), **draw.maybe(0.5, name="mine"), **named),
        pairs({q: draw.choice((None, {"dict": []}, ["d0", "d0"], "d0", pairs({"d0": "1.5"}))) for q in queries}),
        draw.choice((None, [], {"dict": []}, "", 3, pairs({"q0": pairs({"d0": draw.choice(wrong)})}))),
    )
    truths: tuple[Node, ...] = (
        rows,
        pairs({q: {"set": ["d0", "d2"]} for q in queries}),
        pairs({q: ["d0", "d2"] for q in queries}),
        [*rows, *rows[:1]],
        pairs({q: pairs({"d0": draw.choice(wrong), "d1": 1}) for q in queries}),
    )
    return draw.choice((rows, rows, draw.choice(truths))), draw.choice(runs)


def evaluated(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.evaluate` of arrays: labels or scores or both, one system or several."""
    task = draw.choice(("classification", "classification", "multilabel", "regression", "clustering", "values"))
    columns = draw.samples(draw.size())
    program = Program(f"evaluate {task}")
    keywords: dict[str, Any] = {"task": task, **_options(draw, columns)}
    names: Any
    if task == "classification":
        fit = draw.choice(("labels", "scores", "both"))
        names = texts(draw, catalogue, task, fit)
        truth = draw.form(columns["y"])
        if fit == "both" and draw.chance(0.6):
            predictions: Node = pairs({"y_pred": draw.form(columns["p"]), "y_score": draw.form(columns["s"])})
            if draw.chance(0.5):
                other = pairs({"y_pred": draw.form(columns["k"]), "y_score": draw.form(columns["r"])})
                predictions = pairs(dict(zip(draw.names(("one", "two")), (predictions, other), strict=True)))
        else:
            first, second = ("u" if draw.chance(0.08) else "s", "r") if fit == "scores" else ("p", "k")
            predictions = draw.form(columns[first])
            if draw.chance(0.3):
                both = predictions, draw.form(columns[second])
                predictions = pairs(dict(zip(draw.names(("one", "two")), both, strict=True)))
    else:
        name = draw.choice(sorted(catalogue[task]))
        names = text_of(draw, catalogue[task][name], task)
        truth, *rest = data_of(draw, task, name, columns)
        predictions = rest[0] if rest else None
    metrics = None if draw.chance(0.2) else names
    keywords |= {} if metrics is None else {"metrics": metrics}
    keywords |= conventions(draw, task, columns, 0.12)
    if draw.chance(0.15):
        keywords.pop("task")
    data = (truth,) if predictions is None else (truth, predictions)
    outputs(draw, program, program.step(call("evaluate", *data, **keywords)), metrics or "name")
    return program


def evaluated_classes(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.evaluate` and `certus.compare` of several classes, some more than a table of cells is held whole for."""
    n, size = draw.choice(((60, 5), (60, 20), (150, 70), (300, 120)))
    columns = draw.samples(n)
    classes: list[Any] = list(range(size)) if draw.chance(0.5) else [f"k{index}" for index in range(size)]
    truth, first, second = draw.labels(n, classes)
    several = {"average": draw.choice(("macro", "micro", "weighted"))}
    names = texts(draw, catalogue, "classification", "classes")
    keywords: dict[str, Any] = {"task": "classification"} | conventions(draw, "regression", columns, 0.4)
    program = Program("classes")
    if draw.chance(0.05):  # more classes than a table has
        truth = call(":numpy.arange", 5100)
        weights = {"sample_weight": call(":numpy.linspace", 0.5, draw.choice((2.0, 3.0)), 5100)}
        last = draw.choice((0, draw.randint(4000, 5099)))
        mixed = call(":numpy.minimum", truth, last)
        name = draw.choice(("classification.specificity", "classification.f1"))
        found = call(name, truth, mixed, average=None, **(weights if draw.chance(0.7) else {}))
        single = program.step(method(found, "get", last), show=False)
        program.step(attribute(single, "value"))
        return program
    kind = draw.random()
    if kind < 0.4:
        program.step(call("evaluate", draw.form(truth), draw.form(first), names, **keywords))
    elif kind < 0.6:
        systems = pairs({"a": draw.form(first), "b": draw.form(second)})
        program.step(call("compare", draw.form(truth), systems, names, replicates=200, **keywords))
    else:
        name = draw.choice(
            ("f1", "precision", "recall", "jaccard", "specificity", "balanced_accuracy", "mcc", "accuracy")
        )
        keywords.pop("task")
        keywords |= several if "average" in catalogue["classification"][name]["parameters"] else {}
        found = program.step(call(f"classification.{name}", draw.form(truth), draw.form(first), **keywords))
        _intervals(draw, program, found)
    return program


def _options(draw: Draw, columns: Columns | None = None) -> dict[str, Any]:
    """Options that every evaluation takes."""
    found = draw.maybe(
        0.1, level=LEVELS, interval=("percentile", "percentile", "bca", "t", "delta"), seed=(1, 7), name="mine"
    )
    found |= draw.maybe(0.05, average=("macro", "micro", "weighted"), undefined=("nan", "skip", 0.0, 0.5))
    if draw.chance(0.06):
        found["chance"] = True
    if columns is not None and draw.chance(0.15):
        found["by"] = draw.form(columns["b"])
        found |= draw.maybe(0.5, subgroup_mean=("random", "random-weighted", "fixed", "fixed-weighted"))
    return found


def named_columns(draw: Draw, task: str) -> dict[str, Any]:
    """Names of columns that a task takes from a table, by keyword."""
    if task == "classification":
        kind = draw.random()
        if kind < 0.4:
            return {"truth": "y", "pred": "p"}
        if kind < 0.75:
            return {"truth": "y", "score": "u" if draw.chance(0.07) else "s"}
        if kind < 0.87:
            return {"truth": "y", "pred": "p", "score": "s"}
        if kind < 0.94:
            return {"truth": "c", "pred": "d"}
        return {"truth": "c", "score": ["sa", "sb", "sc"], "labels": ["a", "b", "c"]}
    if task == "multilabel":
        given = draw.choice(("pred", "score"))
        return {"truth": ["m1", "m2", "m3"], given: [f"m{i}{given[0]}" for i in (1, 2, 3)]}
    if task == "regression":
        several = {"truth": ["u", "t"], "pred": ["v", "x"]}
        return draw.choice(({"truth": "u", "pred": "v"}, {"truth": "pos", "pred": "s"}, several))
    if task == "clustering":
        points = {"features": ["u", "v"], "pred": "c"}
        return draw.choice(({"truth": "c", "pred": "d"}, {"truth": "c", "pred": "d"}, points))
    if task == "values":
        return {"value": draw.choice(("u", "pos", "pos"))}
    counted = {"size": "pos", "held": "y", "staleness": "pos", "updates": "z"}
    name = draw.choice(("time", "time", "time", *counted))
    return {name: counted.get(name, "pos")}


EFFICIENCY = {"sizes": "size", "y": "held", "pos": "staleness", "z": "updates"}
"""Kinds of metrics of efficiency (see `metrics.kinds_of`), and the columns that they are computed from."""


def fit_of(named: dict[str, Any], task: str) -> str:
    """The kind of metrics that fit the columns."""
    if task == "classification":
        if isinstance(named.get("score"), list):
            return "shares"
        if named["truth"] == "c":
            return "classes"
        return "both" if {"pred", "score"} <= named.keys() else "scores" if "score" in named else "labels"
    if task == "multilabel":
        return "scores" if "score" in named else "labels"
    if task == "clustering":
        return "points" if "features" in named else "labels"
    return next((fit for fit, name in EFFICIENCY.items() if name in named), "plain")


def _framed(draw: Draw, catalogue: Catalogue, program: Program, data: Node, task: str) -> None:
    named = named_columns(draw, task)
    keywords: dict[str, Any] = {"task": task, **named, **_options(draw)}
    keywords |= draw.maybe(0.15, weight="w", groups="g", by="b")
    if "by" in keywords and draw.chance(0.4):
        keywords["subgroup_mean"] = draw.choice(("random", "random-weighted", "fixed", "fixed-weighted"))
    if task in ("efficiency", "clustering"):
        keywords.pop("weight", None)
    if draw.chance(0.8):
        keywords["metrics"] = texts(draw, catalogue, task, fit_of(named, task))
    outputs(draw, program, program.step(call("evaluate", data, **keywords)))


def evaluated_frame(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.evaluate` of a table whose columns are named."""
    task = draw.choice(("classification", *TASKS))
    program = Program(f"frame {task}")
    _framed(draw, catalogue, program, draw.frame(draw.samples(draw.size())), task)
    return program


def evaluated_batches(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.evaluate` of tables in batches, of a relation of DuckDB, of a lazy frame."""
    task = draw.choice(("classification", *TASKS))
    columns = draw.samples(draw.size())
    program = Program(f"batches {task}")
    kind = draw.random()
    if kind < 0.1:
        table = call(":pyarrow.table", pairs(columns))
        dataset = call(":pyarrow.dataset.dataset", table)
        data = draw.choice((method(table, "to_reader"), dataset, method(dataset, "scanner")))
    elif kind < 0.7:
        data = draw.batches(columns)
    elif kind < 0.85:
        data = call(":duckdb.from_arrow", call(":pyarrow.table", pairs(columns)))
    else:
        data = method(call(":polars.DataFrame", pairs(columns)), "lazy")
    _framed(draw, catalogue, program, data, task)
    return program


def evaluated_rankings(draw: Draw, catalogue: Catalogue) -> Program:
    """`certus.evaluate` of rankings: one run or several."""
    n = draw.choice((1, 1, 2, 3, 5))
    qrels, runs = draw.rankings(n)
    program = Program("evaluate rankings")
    truth, system = shapes(draw, qrels, runs[0])
    if n > 1:
        names = draw.names([f"s{i}" for i in range(n)])
        held = [pairs({q: pairs(docs) for q, docs in run.items()}) for run in runs]
        system = pairs(dict(zip(names, held, strict=True)))
    keywords = ranking_conventions(draw) | draw.maybe(
        0.15, level=LEVELS, interval=("percentile", "bca", "t"), chance=True
    )
    if draw.chance(0.25):
        keywords["per_query"] = True
    if draw.chance(0.8):
        keywords["metrics"] = [
            text_of(draw, catalogue["ranking"][draw.choice(sorted(catalogue["ranking"]))], "ranking")
            for _ in range(draw.randint(1, 4))
        ]
    if draw.chance(0.05):
        keywords["groups"] = pairs({query: draw.randrange(4) for query in qrels})
    table = program.step(call("evaluate", truth, system, **keywords))
    if "per_query" in keywords and draw.chance(0.2):
        program.step(method(table, "to_pandas"))
    outputs(draw, program, table, keywords.get("metrics") or "AP")
    return program


def reported(draw: Draw, catalogue: Catalogue) -> Program:
    """Reports of the tasks' modules; confusion matrices and what belongs to them."""
    columns = draw.samples(draw.size())
    program = Program("report")
    kind = draw.randrange(6)
    if kind < 3:
        task = draw.choice(("classification", "multilabel", "regression", "clustering", "values", "efficiency"))
        name = draw.choice(sorted(catalogue[task]))
        table = call(f"{task}.report", *data_of(draw, task, name, columns), **conventions(draw, task, columns, 0.1))
        outputs(draw, program, program.step(table))
    elif kind == 3:
        options = draw.maybe(0.3, normalize=("true", "pred", "all"), labels=["a", "b", "c"])
        data = [draw.form(columns["c"]), draw.form(columns["d"])]
        matrix = program.step(call("classification.confusion_matrix", *data, **options))
        program.step(method(matrix, "ravel"))
        program.step(method(matrix, "agreement"))
        program.step(method(matrix, "estimate", draw.choice("abc"), draw.choice("abc")))
    elif kind == 4:
        options = {"budget": draw.randint(1, 10)} | draw.maybe(0.2, population=100)
        program.step(call("classification.at_budget", draw.form(columns["y"]), draw.form(columns["s"]), **options))
    else:
        labels = [draw.form(columns["c"]), draw.form(columns["d"])]
        program.step(call("clustering.pair_confusion", *labels))
        program.step(call("clustering.expected_mutual_information", *labels))
        points = array([list(row) for row in zip(columns["u"], columns["v"], strict=True)])
        program.step(call("clustering.silhouette_samples", points, labels[0]))
    return program
