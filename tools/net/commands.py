"""Random command lines on the shared files."""

from net.calls import Node, Program, file, written
from net.draw import METHODS, SIDES, Draw
from net.evaluations import PICTURES, fit_of, named_columns
from net.files import RANKED, TABLES, picked, shared
from net.metrics import Catalogue, text_of, texts
from net.systems import CORRECTIONS, TESTS

__all__ = ["commanded"]

FORMATS = ("json", "csv", "tsv", "text", "markdown", "latex", "html", "jsonl", "report")
MEASURES = (
    "map",
    "P.5",
    "ndcg_cut.5,10",
    "recip_rank",
    "all_trec",
    "official",
    "num_q",
    "set_F.0.5",
    "success",
    "bpref",
    "gm_map",
)
Words = list[Node]


def commanded(draw: Draw, catalogue: Catalogue) -> Program:
    """A command line."""
    name = draw.choice(sorted(COMMANDS))
    program = Program(f"command {name}")
    words = COMMANDS[name](draw, catalogue)
    if draw.chance(0.03):
        words.append(draw.choice(("--unknown", "--level", "7", "--format=none")))
    known = catalogue["options"].get(" ".join(map(str, words[:2])), catalogue["options"].get(words[0], {}))
    free = [name for name in sorted(known) if name not in words] if draw.chance(0.3) else []
    for option in draw.sample(free, min(len(free), draw.choice((1, 1, 2)))):
        words += [option, *([_value(draw, option, known[option])] if known[option] else [])]
        words += COMPANIONS.get(option, [])
    if (
        draw.chance(0.06)
        and len(words) > 1
        and isinstance(words[1], dict)
        and words[1].get("file", "*").isascii()
        and "*" not in str(words[1])
    ):
        program.step({"command": [words[0], "-", *words[2:]], "input": words[1]})
        return program
    program.step({"command": words})
    if "--save-state" in words:
        program.step({"command": ["evaluate", "--state", "rows.state", *_flags(draw, 0.15, EVALUATED), *_output(draw)]})
    return program


VALUES: dict[str, tuple[str, ...]] = {
    "FILE": ("picture.png",),
    "FILE|FOLDER": ("picture.png",),
    "PATH": ("out.csv", "out.json", "out.txt", "out.tex", "out.html", "out.md"),
    "COL": ("g", "b", "w", "id", "c", "y", "u", "x", "none"),
    "METHOD": ("bca", "percentile", "t", *METHODS[:7]),
    "TEST": ("permutation", "t", *TESTS),
    "FLOAT": ("0.5", "0.9", "0.99", "0", "1", "2.5", "0.1", "-1", "nan"),
    "PLACES": ("1-5", "1,3", "0.2,0.5", "0", "5-1"),
    "ID": ("q1", "q99"),
    "METRIC": ("AP", "F1", "AUC", "RMSE", "nDCG@3", "none"),
    "METRIC|name": ("AP", "F1", "name"),
    "GRADE:COUNT,...": ("2:2,1:3,0:9", "1:2", "0:0", "x"),
    "LOW,HIGH": ("0,1", "-9,9", "1,0"),
    "A,B": ("1,1", "0.5,0.5"),
    "LABEL,...": ("1,0", "a,b,c"),
    "MEASURE": ("map", "P.5", "none"),
    "N|STRATUM=N": ("3", "a=2"),
    "NAME": ("roc", "confusion", "a", "p", "s", "holm", "none"),
}
"""By what the help calls it, values of an option."""
COMPANIONS: dict[str, Words] = {"--picture": ["--plot", "picture.png"], "--prior": ["--bayesian"]}
"""Options without which others mean nothing."""
WHOLE = ("0", "1", "2", "3", "7", "12", "40", "-1", "x")
"""Values of other options."""


def _value(draw: Draw, option: str, kind: str) -> str:
    """A value of an option, by its kind."""
    if option in ("--picture", "--interval") and draw.chance(0.7):
        return draw.choice((*METHODS, "blaker", "posterior") if option == "--interval" else PICTURES)
    listed = [word for part in kind.strip("[]").split("|") for word in VALUES.get(part, (part,))]
    return draw.choice(VALUES.get(kind) or (listed if "|" in kind else None) or WHOLE)


def _flags(draw: Draw, probability: float, options: dict[str, tuple[str, ...]]) -> Words:
    """Each option with the probability; of one without values the option alone."""
    found: Words = []
    for name, values in options.items():
        if draw.chance(probability):
            found += [name, draw.choice(values)] if values else [name]
    return found


def _output(draw: Draw) -> Words:
    found = ["--format", draw.choice(FORMATS)] if draw.chance(0.6) else []
    options: dict[str, tuple[str, ...]] = {
        "--layout": ("matrix", "rows"),
        "--sort": ("name",),
        "-o": ("out.csv", "out.json", "out.txt"),
        "--quiet": (),
        "--plot": ("picture.png", "picture.svg", "pictures"),
    }
    return found + _flags(draw, 0.05, options)


def _metrics(names: Node) -> Words:
    return [word for name in ([names] if isinstance(names, str) else names) for word in ("-m", name)]


def _ranked(draw: Draw, catalogue: Catalogue, most: int = 3) -> Words:
    names = sorted(catalogue["ranking"])
    return _metrics(
        [text_of(draw, catalogue["ranking"][draw.choice(names)], "ranking") for _ in range(draw.randint(1, most))]
    )


RANKING: dict[str, tuple[str, ...]] = {
    "--queries": ("judged", "intersection"),
    "--ties": ("average", "input", "range", "trec"),
    "--unjudged": ("remove", "bounds"),
    "--level": ("0.9", "0.8"),
}
EVALUATED: dict[str, tuple[str, ...]] = {
    "--level": ("0.9", "0.99"),
    "--interval": ("percentile", "bca", *METHODS[:7]),
    "--chance": (),
    "--seed": ("3",),
}
GATED: dict[str, tuple[str, ...]] = {"--alternative": SIDES, "--fail-if-worse": ()}
COMPARED: dict[str, tuple[str, ...]] = {
    "--test": (*("permutation", "t") * 5, *TESTS),
    "--correction": CORRECTIONS,
    "--margin": ("0.05", "0.2"),
    "--level": ("0.9", "0.6", "0.5"),
    "--bayesian": (),
    "--simultaneous": (),
    "--interval": ("bca", "percentile", "t"),
}


def _columns(draw: Draw, task: str) -> tuple[Words, str]:
    named = named_columns(draw, task)
    labels = named.pop("labels", None)
    words: Words = []
    for name, columns in named.items():
        for column in [columns] if isinstance(columns, str) else columns:
            words += [f"--{name}", f"{column[1:]}={column}" if labels and name == "score" else column]
    return words, fit_of({**named, **({} if labels is None else {"score": ["sa"]})}, task)


def _evaluate_runs(draw: Draw, catalogue: Catalogue) -> Words:
    runs = picked(draw, "runs", draw.choice((1, 1, 2, 3)))
    words: Words = ["evaluate", shared(draw, *picked(draw, "qrels")), *(shared(draw, run) for run in runs)]
    words += [words[-1]] if draw.chance(0.03) else []
    if runs in (["msmarco.tsv"], ["scored.tsv"]) and draw.chance(0.6):
        words += ["--format-of-run", "msmarco"]
    words += _ranked(draw, catalogue) if draw.chance(0.8) else []
    if len(runs) > 1 and draw.chance(0.15):
        words += ["--sort", draw.choice((words[-1], words[-1], "map", "AP", "P_5"))]
    extra: dict[str, tuple[str, ...]] = {"--per-query": (), "--chance": (), "--interval": ("bca", "percentile", "t")}
    return words + _flags(draw, 0.12, {**RANKING, **extra}) + _output(draw)


def _evaluate_table(draw: Draw, catalogue: Catalogue) -> Words:
    task = draw.choice(
        ("classification", "classification", "regression", "multilabel", "clustering", "values", "efficiency")
    )
    columns, fit = _columns(draw, task)
    words: Words = ["evaluate", shared(draw, draw.choice(TABLES)), "--task", task, *columns]
    words += _metrics(texts(draw, catalogue, task, fit)) if draw.chance(0.7) else []
    words += _flags(
        draw,
        0.1,
        {"--weight": ("w",), "--groups": ("g",), "--by": ("b",), "--positive": ("0", "1"), "--memory": ("1MB",)},
    )
    if "--by" in words and draw.chance(0.4):
        words += ["--subgroup-mean", draw.choice(("random", "fixed"))]
    if draw.chance(0.12):
        words += ["--save-state", "rows.state"]
    if draw.chance(0.04) and fit == "scores":
        words += ["--bounds"]
    return words + _flags(draw, 0.06, EVALUATED) + _output(draw)


def _evaluate_counts(draw: Draw, _: Catalogue) -> Words:
    counts = ";".join(",".join(str(draw.randint(0, 30)) for _ in range(2)) for _ in range(2))
    words: Words = ["evaluate", "--counts", counts, "--task", "classification"]
    if draw.chance(0.4):
        words = [
            "evaluate",
            file("qrels.txt"),
            file("a.run"),
            "--budget",
            str(draw.randint(1, 6)),
            "--task",
            "classification",
        ]
    return words + _flags(draw, 0.1, EVALUATED) + _output(draw)


def _evaluate_sql(draw: Draw, _: Catalogue) -> Words:
    text = f"select y, p, s from 'FILES/table.parquet' where w < {draw.randint(2, 4)}"
    words: Words = ["evaluate", "--sql", {"within": text}, "--task", "classification", "--truth", "y"]
    if draw.chance(0.4):
        words[2:3] = [f"select * from rows where w < {draw.randint(2, 4)}", "--database", file("table.duckdb")]
    return words + draw.choice((["--pred", "p"], ["--score", "s", "-m", "AUC"])) + _output(draw)


def _compare_runs(draw: Draw, catalogue: Catalogue) -> Words:
    runs = draw.sample(RANKED["runs"][:7], draw.choice((2, 2, 3, 5)))
    words: Words = ["compare", shared(draw, *picked(draw, "qrels")), *map(file, runs), *_ranked(draw, catalogue, 2)]
    words += _flags(draw, 0.12, COMPARED) + _flags(draw, 0.06, RANKING)
    if draw.chance(0.08):
        words += [
            "--groups",
            written("groups.txt", "".join(f"q{q} {q % 4}\n" for q in range(draw.choice((12, 12, 11))))),
        ]
    if draw.chance(0.35):
        words += ["--baseline", runs[0], *_flags(draw, 0.3, GATED)]
    return words + _output(draw)


def _compare_table(draw: Draw, catalogue: Catalogue) -> Words:
    task, truth, option, names, fit = draw.choice(
        (
            ("classification", "y", "--pred", ["p", "k"], "labels"),
            ("classification", "y", "--score", ["s", "r", "q"], "scores"),
            ("classification", "c", "--pred", ["d", "e"], "classes"),
            ("regression", "u", "--pred", ["v", "t", "x"], "plain"),
        )
    )
    table = draw.choice(("table.csv", "small.csv", "table.parquet", "part-*.csv", "table.jsonl"))
    words: Words = ["compare", file(table), "--task", task, "--truth", truth]
    words += [word for name in names for word in (option, name)] + _metrics(texts(draw, catalogue, task, fit, 2))
    words += _flags(draw, 0.12, COMPARED) + _flags(draw, 0.1, {"--groups": ("g",), "--weight": ("w",)})
    if draw.chance(0.35):
        words += ["--baseline", names[0], *_flags(draw, 0.3, GATED)]
    return words + _output(draw)


def _logs(draw: Draw, _: Catalogue) -> Words:
    if draw.chance(0.5):
        first = draw.choice(
            (
                ["foo.json"],
                ["deep-0.json"],
                ["deep-0.json", "deep-1.json"],
                ["samples_0.jsonl"],
                ["swe-0.json"],
                ["log.eval"],
                ["details.parquet"],
            )
        )
        more: dict[str, tuple[str, ...]] = {
            "--by": ("b", "x"),
            "--groups": ("g",),
            "--per-item": (),
            "--level": ("0.9",),
        }
        return ["evaluate", *(shared(draw, name) for name in first), *_flags(draw, 0.2, more), *_output(draw)]
    names = draw.choice(
        (
            ["foo.json"],
            ["deep-0.json", "deep-1.json"],
            ["samples_0.jsonl", "samples_1.jsonl"],
            ["swe-0.json", "swe-1.json"],
        )
    )
    return ["compare", *map(file, names), *_flags(draw, 0.12, COMPARED), *_output(draw)]


def _compare_several(draw: Draw, catalogue: Catalogue) -> Words:
    kind = draw.choice(("pred", "score"))
    systems = [f"one=m1{kind[0]},m2{kind[0]},m3{kind[0]}", f"two=m2{kind[0]},m3{kind[0]},m1{kind[0]}"]
    words: Words = ["compare", file(draw.choice(("table.csv", "part-*.csv"))), "--task", "multilabel"]
    words += [word for name in ("m1", "m2", "m3") for word in ("--truth", name)]
    words += [word for system in systems for word in (f"--{kind}", system)]
    fit = "labels" if kind == "pred" else "scores"
    return words + _metrics(texts(draw, catalogue, "multilabel", fit, 2)) + _flags(draw, 0.1, COMPARED) + _output(draw)


def _compare_values(draw: Draw, _: Catalogue) -> Words:
    if draw.chance(0.5):
        words: Words = ["compare", file("small.csv"), "--value", "u", "--value", "v", "--value", "t"]
    else:
        files = [file(f"values-{i}.csv") for i in range(3)]
        ids: list[Words] = [[], ["--ids", "intersection"], ["--ids", "union", "--missing", "0"]]
        files = files[: draw.choice((2, 3))] if draw.chance(0.9) else [files[0], files[0]]
        words = ["compare", *files, "--value", "x0", "--id", "x", *draw.choice(ids)]
    more: dict[str, tuple[str, ...]] = {"--lower-is-better": (), "--groups": ("g",), "--weight": ("t",)}
    return words + _flags(draw, 0.12, COMPARED | more | {"--range": ("-9,9", "0,1")}) + _output(draw)


def _compare_models(draw: Draw, catalogue: Catalogue) -> Words:
    """A file with the predictions of each model."""
    task, columns, fit = draw.choice(
        (
            ("classification", ["--truth", "y", "--pred", "p"], "labels"),
            ("classification", ["--truth", "y", "--score", "s"], "scores"),
            ("classification", ["--truth", "y", "--pred", "p", "--score", "s"], "both"),
            ("classification", ["--truth", "c", "--pred", "d"], "classes"),
            ("classification", ["--truth", "c", "--score", "a=sa", "--score", "b=sb", "--score", "c=sc"], "shares"),
            ("regression", ["--truth", "u", "--pred", "v"], "plain"),
        )
    )
    names = draw.sample(("model-0.csv", "model-1.csv", "model-2.csv", "model-3.csv"), draw.choice((2, 2, 3)))
    words: Words = ["compare", *map(file, names), "--task", task, *columns]
    words += ["--id", "id"] if draw.chance(0.95) else []
    words += _metrics(texts(draw, catalogue, task, fit, 2)) if draw.chance(0.8) else []
    words += ["--ids", "intersection"] if "model-3.csv" in names and draw.chance(0.8) else []
    words += _flags(draw, 0.1, COMPARED) + _flags(draw, 0.15, {"--groups": ("g",), "--weight": ("w",)})
    if draw.chance(0.3):
        words += ["--baseline", names[0], *_flags(draw, 0.3, GATED)]
    return words + _output(draw)


def _trec_eval(draw: Draw, _: Catalogue) -> Words:
    flags: dict[str, tuple[str, ...]] = {
        "-q": (),
        "-c": (),
        "-l": ("2",),
        "-M": ("5",),
        "-J": (),
        "-n": (),
        "-N": ("100",),
    }
    measures = [word for name in draw.sample(MEASURES, draw.randint(0, 3)) for word in ("-m", name)]
    files = [
        file(draw.choice(("qrels.txt", "qrels.txt.gz"))),
        file(draw.choice(("a.run", "b.run", "c.run", "wrong.run"))),
    ]
    return ["trec-eval", *_flags(draw, 0.2, flags), *measures, *files, *_flags(draw, 0.2, {"--dialect": ("9", "10")})]


def _audit(draw: Draw, _: Catalogue) -> Words:
    checked = draw.randint(1, 60)
    hits = draw.randint(0, checked)
    words = draw.choice(
        (
            ["audit", "--positives", "200", "--checked", str(checked), "--hits", str(hits), "--predicted", "300"],
            ["audit", "--checked", str(checked), "--hits", str(hits)],
            [
                *("audit", "--retrieved", "90", "--retrieved-checked", "60", "--retrieved-hits", str(hits)),
                *("--discarded", "200", "--discarded-checked", "40", "--discarded-hits", "3"),
            ],
            ["audit", "plan", "--positives", "200", "--recall", draw.choice(("0.6", "0.8")), "--half-width", "0.12"],
            [
                "audit",
                "sample",
                file("table.csv"),
                "--size",
                str(checked),
                "--seed",
                "1",
                *_flags(draw, 0.4, {"--by": ("c",)}),
            ],
            ["audit", "ranking", file("sampled.txt"), file("a.run"), file("b.run")],
        )
    )
    level: Words = [] if words[1] == "sample" else _flags(draw, 0.2, {"--level": ("0.9",)})
    return [*words, *level, *([] if words[1] == "sample" else _output(draw))]


def _chance(draw: Draw, _: Catalogue) -> Words:
    items = draw.randint(3, 40)
    relevant, cutoff = draw.randint(1, items), draw.randint(1, items)
    two = ["--items", str(items), "--relevant", str(relevant)]
    law = draw.choice(
        (
            ["ap", *two],
            ["auc", "--positives", str(relevant), "--negatives", str(items)],
            *([name, *two, "--cutoff", str(cutoff)] for name in ("hits", "precision", "recall", "success")),
            ["rprec", *two],
            ["rr", *two],
            ["dcg", "--grades", "2:2,1:3,0:9"],
            ["ndcg", "--grades", "2:2,1:3,0:9"],
            ["rbp", *two, "--persistence", "0.8"],
            ["bpref", "--relevant", str(relevant), "--nonrelevant", str(items)],
            ["hit-rank", *two, "--hit", "1"],
        )
    )
    return [
        "chance",
        *law,
        *_flags(draw, 0.3, {"--observed": ("0.5", "0.3"), "--format": ("json", "text"), "--plot": ("law.png",)}),
    ]


PLANNED: dict[str, tuple[str, ...]] = {
    "--retrieved": ("90", "300"),
    "--discarded": ("200", "2000"),
    "--precision": ("0.5", "0.8"),
    "--elusion": ("0.05", "0.1"),
    "--checked": ("60",),
    "--half-width": ("0.15",),
}


def _hits(draw: Draw, _: Catalogue) -> Words:
    text = "".join(draw.choice("x-") for _ in range(draw.randint(1, 9)))
    flags: dict[str, tuple[str, ...]] = {
        "--population": ("20", "100", "3"),
        "--cutoff": ("2", "4"),
        "--relevant": ("4", "9"),
        "--format": ("json", "csv"),
        "--m": ("3", "20"),
        "--plot": ("hits.png",),
    }
    listed: dict[str, tuple[str, ...]] = {
        "--hits": ("1", "2"),
        "--best-first": (),
        "--bullets": (),
        "--format": ("json", "csv"),
        "--m": ("3",),
        "--plot": ("lists.png",),
    }
    choices: tuple[Words, ...] = (
        ["hits", text, *_flags(draw, 0.2, flags)],
        ["hits", draw.choice(("2,3,5", "1,0,1", "0110", "10", "1,1")), *_flags(draw, 0.15, flags | {"--ranks": ()})],
        ["hits", "x,a,y", "--of", draw.choice(("x,y", "a,b")), *_flags(draw, 0.15, flags)],
        ["hits", "1,0,1", "--scores", draw.choice((".2,.9,.5", ".5,.5,.1")), *_flags(draw, 0.15, flags)],
        ["hits", "--all", draw.choice(("5", "3-6", "4")), *_flags(draw, 0.2, listed)],
        ["hits", "--all", draw.choice(("5", "2-9")), "--count", *_flags(draw, 0.3, {"--hits": ("2",)})],
    )
    return draw.choice(choices)


def _curve(draw: Draw, _: Catalogue) -> Words:
    flags: dict[str, tuple[str, ...]] = {
        "-m": ("CG", "nDCG", "P", "IPrec", "R"),
        "--at": ("1-4", "0.5", "1,3"),
        "--query": ("q1", "q2"),
        "--queries": ("judged",),
        "--plot": ("curve.png",),
        "--format": ("json", "csv"),
        "--level": ("0.9",),
    }
    return [
        "curve",
        file("qrels.txt"),
        *map(file, picked(draw, "runs", draw.choice((1, 2)))),
        *_flags(draw, 0.3, flags),
    ]


def _pool(draw: Draw, _: Catalogue) -> Words:
    runs = [file("a.run"), file("b.run"), file("c.run")][: draw.choice((2, 3))]
    flags: dict[str, tuple[str, ...]] = {
        "--depth": ("1", "4"),
        "--method": ("mtf", "rrf", "depth"),
        "--size": ("9", "3"),
        "--seed": ("1",),
        "--rel": ("1", "2"),
        "-m": ("AP", "nDCG@3"),
        "-o": ("pool.txt",),
    }
    judged: Words = ["--judged", file("qrels.txt")] if draw.chance(0.5) else []
    return ["pool", *runs, *judged, *_flags(draw, 0.35, flags)]


def _other(draw: Draw, catalogue: Catalogue) -> Words:
    name = draw.choice(sorted(catalogue[draw.choice(("classification", "ranking", "regression"))]))
    topics: Words = ["topics", file("topics.csv"), "--topic", "x", "--value", "a", "--value", "b", "--value", "c"]
    choices: tuple[Words, ...] = (
        ["audit", "plan", *_flags(draw, 0.8, PLANNED)],
        ["audit", "plan", *_flags(draw, 0.8, PLANNED)],
        ["selfcheck"] if draw.chance(0.6) else ["metrics"],
        ["demo"] if draw.chance(0.2) else ["metrics", "--task", "ranking"],
        ["metrics", name],
        ["metrics", draw.choice(("rank", "area under", "error of", "F", "none such")), *_flags(draw, 0.3, {"AP": ()})],
        [draw.choice(("evaluat", "plan", "Audit", "help")), file("table.csv")],
        [*topics, *_flags(draw, 0.4, {"--floor": ("0.1", "2", "0", "1"), "--format": ("json", "csv")})],
        [*topics, *_flags(draw, 0.4, {"--floor": ("0.1",), "-o": ("out.csv",)})],
        ["--version"],
    )
    return draw.choice(choices)


COMMANDS = {
    "evaluate runs": _evaluate_runs,
    "evaluate table": _evaluate_table,
    "evaluate counts": _evaluate_counts,
    "evaluate sql": _evaluate_sql,
    "compare runs": _compare_runs,
    "compare table": _compare_table,
    "compare values": _compare_values,
    "compare models": _compare_models,
    "compare several": _compare_several,
    "logs": _logs,
    "trec-eval": _trec_eval,
    "audit": _audit,
    "chance": _chance,
    "hits": _hits,
    "curve": _curve,
    "pool": _pool,
    "other": _other,
}
