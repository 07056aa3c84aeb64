"""Random calls on files whose text the call brings with it, in an odd dialect at times, and damaged at times."""

import json
from collections.abc import Callable
from typing import Any

from net.calls import Node, Program, call, method, pairs, written
from net.draw import LEVELS, Columns, Draw
from net.evaluations import fit_of, named_columns, outputs
from net.files import shared
from net.logs import TOOLS
from net.metrics import Catalogue, text_of, texts

__all__ = ["audited_file", "written_log", "written_ranking", "written_table"]

ODD = (
    *(
        "",
        " ",
        "nan",
        "NA",
        "null",
        "None",
        "inf",
        "-inf",
        "-1",
        "0",
        "1",
        "2",
        "1e400",
        "1e-400",
        "0x1",
        "1_0",
        "\uff11",
    ),
    *(
        "TRUE",
        "false",
        "no",
        "yes",
        "\u00e9",
        "a,b",
        '"',
        '"x"',
        "a\tb",
        "-0",
        "+1",
        "1.0",
        "0.5",
        " 1",
        "9" * 20,
        "\udcff",
    ),
)
"""Texts of cells, some of which are no number, no name or no text."""
FIELDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(TOOLS, ("x", "b")),
    "deepeval": ("b", "g"),
    "promptfoo": ("vars.x", "x"),
    "lm_eval": ("target", "doc.question"),
    "swe_bench": ("repo",),
    "mlflow": ("outputs",),
    "inspect": ("b",),
    "langsmith": ("inputs.x",),
    "langfuse": ("source", "name"),
    "ragas": ("kind", "response"),
}
"""By tool, fields that its items have."""


def damaged(draw: Draw, text: str) -> str:
    """The text with one piece of it changed."""
    lines, cut = text.splitlines(keepends=True), draw.randrange(max(len(text), 1))
    row = draw.randrange(max(len(lines), 1))
    kind = draw.randrange(9)
    if kind == 0 or not lines:
        return text[:cut] + text[cut + 1 :]
    if kind == 1:
        return text[:cut] + draw.choice(('"', ",", "\t", " ", "\n", "\r", "\0", "\udcff", "{", "]", "#")) + text[cut:]
    if kind == 2:
        return "".join((*lines[: row + 1], *lines[row:]))
    if kind == 3:
        return "".join((*lines[:row], *lines[row + 1 :]))
    if kind == 4:
        return text[:cut]
    if kind == 5:
        return "".join((*lines[:row], draw.choice(("\n", " \n", "\t\n", "# a comment\n", "x\n", ",,\n")), *lines[row:]))
    if kind == 6:
        return draw.choice(("", lines[0], "".join(lines[1:])))
    if kind == 7:
        return text.replace("\n", draw.choice(("\r\n", "\r", "\n\n")))
    words = lines[row].split(",") if "," in lines[row] else lines[row].split(" ")
    words[draw.randrange(len(words))] = draw.choice(ODD)
    joint = "," if "," in lines[row] else " "
    return "".join((*lines[:row], joint.join(words).rstrip("\n") + "\n", *lines[row + 1 :]))


def _wild(draw: Draw, text: str, probability: float = 0.22) -> str:
    """The text, damaged with the probability; at times with a mark of the order of bytes, or without the last end."""
    while draw.chance(probability):
        text = damaged(draw, text)
    text = "\ufeff" + text if draw.chance(0.05) else text
    return text.removesuffix("\n") if draw.chance(0.1) else text


def _delimited(draw: Draw, columns: Columns, separator: str) -> str:
    """The columns as delimited text, with quotes where they are needed, and elsewhere at times."""
    quotes = draw.choice((0.0, 0.0, 0.2, 1.0))

    def cell(value: Any) -> str:
        text = str(value)
        needed = any(sign in text for sign in (separator, '"', "\n"))
        return '"' + text.replace('"', '""') + '"' if needed or draw.chance(quotes) else text

    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    return "".join(separator.join(map(cell, row)) + "\n" for row in rows)


def table_text(draw: Draw, columns: Columns) -> Node:
    """A table as a file: delimited or JSON Lines."""
    if draw.chance(0.2):
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        if rows and draw.chance(0.15):
            draw.choice(rows).pop(draw.choice(list(columns)))
        return written("drawn.jsonl", _wild(draw, "".join(json.dumps(row) + "\n" for row in rows)))
    name, separator = draw.choice((("drawn.csv", ","), ("drawn.csv", ","), ("drawn.tsv", "\t"), ("drawn.csv", ";")))
    return written(name, _wild(draw, _delimited(draw, columns, separator)))


def odd_columns(draw: Draw) -> Columns:
    """Samples whose labels, groups, ids and numbers are unusual at times: words, other notations, all alike."""
    columns = draw.samples(draw.choice((1, 2, 6, 14)))
    n = len(columns["y"])
    for name in ("b", "g", "id", "c"):
        if draw.chance(0.15):
            words = draw.sample(ODD[:-1], 2)
            columns[name] = [draw.choice((*words, value)) for value in columns[name]]
    for name in ("y", "p", "m1", "m2", "m1p"):
        if draw.chance(0.12) and set(columns[name]) <= {0, 1}:
            pair = draw.choice(
                (("false", "true"), ("False", "True"), (0.0, 1.0), ("no", "yes"), ("-1", "1"), ("0", "1.0"))
            )
            columns[name] = [pair[int(value)] for value in columns[name]]
    for name in ("u", "s", "pos", "w", "x"):
        if draw.chance(0.1):
            columns[name] = [draw.choice((1, 0.5, 0, columns[name][0]))] * n
    if draw.chance(0.04):
        columns = {name: [] for name in columns}
    return columns


def written_table(draw: Draw, catalogue: Catalogue) -> Program:
    """`evaluate` and `compare`, in Python and on the command line, of a table that the call writes."""
    task = draw.choice(("classification", "classification", "regression", "multilabel", "clustering", "values"))
    columns = odd_columns(draw)
    named = named_columns(draw, task)
    used = [x for value in named.values() for x in (value if isinstance(value, list) else [value]) if x in columns]
    extra = draw.maybe(0.15, weight="w", groups="g", by="b", missing_values=("NA", "null,nan"))
    others = [draw.choice("gbwu"), *(value for value in extra.values() if value in columns)]
    columns = {name: columns[name] for name in dict.fromkeys(["id", *used, *others])}
    metrics = texts(draw, catalogue, task, fit_of(named, task))
    program = Program(f"written {task}")
    if draw.chance(0.12):
        program.step(call("io.read_predictions", table_text(draw, columns), **draw.maybe(0.2, format=("csv", "jsonl"))))
        return program
    if draw.chance(0.5):
        keywords = named | extra | {"metrics": metrics} | draw.maybe(0.7, task=task)
        outputs(draw, program, program.step(call("evaluate", table_text(draw, columns), **keywords)))
        return program
    named.pop("labels", None)
    words: list[Node] = ["evaluate", table_text(draw, columns)]
    words += ["--task", task] if draw.chance(0.8) else []
    for name, value in {**named, **extra}.items():
        for word in value if isinstance(value, list) else [value]:
            words += [f"--{name.replace('_', '-')}", word]
    for metric in metrics if isinstance(metrics, list) else [metrics]:
        words += ["-m", metric]
    words += ["--per-item", "--id", "id"] if draw.chance(0.1) else []
    program.step({"command": words + (["--format", draw.choice(("json", "csv"))] if draw.chance(0.5) else [])})
    return program


def _ranking_text(draw: Draw, rows: list[tuple[str, str, Any]], value: str) -> Node:
    """Judgments (`value` "relevance") or a run (`value` "score") in one of the layouts of text."""
    form = draw.choice(("trec", "trec", "csv", "tsv", "jsonl", "json", "plain"))
    more = {draw.choice(("run", "system", "tag")): [draw.choice("aab") for _ in rows]} if draw.chance(0.15) else {}
    if form == "trec":
        middle, end = ("0", "") if value == "relevance" else ("Q0", " tag")
        rank = "" if value == "relevance" else "1 "
        text = "".join(f"{q} {middle} {d} {rank}{x}{end}\n" for q, d, x in rows)
        return written(f"drawn.{value}", _wild(draw, text))
    if form == "plain":
        return written(f"drawn.{value}", _wild(draw, "".join(f"{q} {d} {x}\n" for q, d, x in rows)))
    names = draw.choice((("query_id", "doc_id"), ("qid", "docno"), ("query-id", "corpus-id"), ("query", "document")))
    if form in ("csv", "tsv"):
        columns = dict(zip((*names, value), map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
        columns |= more if value == "score" else {}
        separator = "," if form == "csv" else "\t"
        return written(f"{value}.{form}", _wild(draw, _delimited(draw, columns, separator)))
    if form == "jsonl":
        lines = [json.dumps(dict(zip((*names, value), row, strict=True))) + "\n" for row in rows]
        return written(f"{value}.jsonl", _wild(draw, "".join(lines)))
    nested: dict[str, dict[str, Any]] = {}
    for query, document, number in rows:
        nested.setdefault(query, {})[document] = number
    return written(f"{value}.json", _wild(draw, json.dumps(nested)))


def written_ranking(draw: Draw, catalogue: Catalogue) -> Program:
    """`evaluate`, `compare`, readers and commands of judgments and runs that the call writes."""
    qrels, runs = draw.rankings(2)
    graded = [(q, d, grade) for q, docs in qrels.items() for d, grade in docs.items()]
    one, two = ([(q, d, x) for q, docs in run.items() for d, x in docs.items()] for run in runs)
    truth = (
        _ranking_text(draw, graded, "relevance") if draw.chance(0.6) else pairs({q: pairs(d) for q, d in qrels.items()})
    )
    run = _ranking_text(draw, one, "score")
    metrics = ["AP", text_of(draw, catalogue["ranking"][draw.choice(sorted(catalogue["ranking"]))], "ranking")]
    program = Program("written rankings")
    kind = draw.randrange(5)
    if kind == 0:
        reader = draw.choice(("read_run", "read_runs", "as_run", "read_qrels", "as_qrels"))
        options = draw.maybe(0.2, format=("trec", "msmarco", "csv", "json"))
        data = run if "run" in reader or "text" not in truth else truth
        program.step(call(f"io.{reader}", data, **(options if reader.startswith("read") else {})))
    elif kind == 1 and "text" in truth:
        words = ["evaluate", truth, run, "-m", metrics[1], *draw.choice(([], ["--per-query"], ["--chance"]))]
        program.step({"command": [*words, "--format", draw.choice(("json", "text", "csv"))]})
    elif kind == 2 and "text" in truth:
        flags = draw.choice(([], ["-q"], ["-c"], ["-l", "2"], ["-J"]))
        program.step({"command": ["trec-eval", *flags, truth, run]})
    elif kind == 3:
        other = written("other.run", "".join(f"{q} Q0 {d} 1 {x} tag\n" for q, d, x in two))
        outputs(draw, program, program.step(call("compare", truth, [run, other], "AP")))
    else:
        outputs(draw, program, program.step(call("evaluate", truth, run, metrics)))
    return program


def _changed(draw: Draw, tree: Any) -> Any:
    """The JSON value with one of its parts left out, or of another kind."""
    if isinstance(tree, dict) and tree:
        key = draw.choice(list(tree))
        if draw.chance(0.3):
            return {name: item for name, item in tree.items() if name != key}
        return {**tree, key: _changed(draw, tree[key])}
    if isinstance(tree, list) and tree and draw.chance(0.8):
        position = draw.randrange(len(tree))
        if draw.chance(0.3):
            return draw.choice((tree[:position] + tree[position + 1 :], [*tree, tree[position]]))
        return [*tree[:position], _changed(draw, tree[position]), *tree[position + 1 :]]
    return draw.choice((None, 0, 1, -1, 2.5, "", "x", "C", True, [], {}, "0.5", float("nan"), [1], {"a": 1}))


def _log_text(draw: Draw, name: str, tool: Callable[[Draw], Any]) -> Node:
    content = tool(draw)
    while draw.chance(0.25):
        content = _changed(draw, content)
    if name.endswith(".json"):
        return written(name, json.dumps(content))
    rows = [row for row in content if isinstance(row, dict)] if isinstance(content, list) else []
    if name.endswith(".jsonl"):
        return written(name, "".join(json.dumps(row) + "\n" for row in rows))
    columns = dict.fromkeys(key for row in rows for key in row)
    table = {
        key: [json.dumps(x) if isinstance(x := row.get(key), list | dict) else "" if x is None else x for row in rows]
        for key in columns
    }
    return written(name, _delimited(draw, table, ",") if table else "")


def written_log(draw: Draw, _: Catalogue) -> Program:
    """`evaluate` and `compare` of results as an evaluation tool writes them, which the call writes."""
    name = draw.choice(sorted(TOOLS))
    suffix, tool = TOOLS[name]
    program = Program(f"written {name}")
    logs = [_log_text(draw, f"one{suffix}", tool)]
    logs += [_log_text(draw, f"two{suffix}", tool)] if draw.chance(0.6) else []
    if draw.chance(0.15):  # results that are no text
        logs = [shared(draw, draw.choice(("log.eval", "details.parquet")))]
    options: dict[str, Any] = draw.maybe(0.1, by=draw.choice(FIELDS[name]), groups=draw.choice(FIELDS[name]), level=0.9)
    if draw.chance(0.3) and len(logs) == 2:
        options.pop("by", None)
        outputs(draw, program, program.step(call("compare", None, logs, **options)))
        return program
    if draw.chance(0.4) and len(logs) == 1:
        outputs(draw, program, program.step(call("evaluate", logs[0], **options)))
        return program
    words: list[Node] = ["evaluate" if len(logs) == 1 or draw.chance(0.4) else "compare", *logs]
    words += [word for key, value in options.items() for word in (f"--{key}", str(value))]
    words += ["--per-item"] if words[0] == "evaluate" and draw.chance(0.2) else []
    words += ["-m", draw.choice(("success", "tone", "exact_match", "resolved", "x"))] if draw.chance(0.1) else []
    program.step({"command": [*words, "--format", draw.choice(("json", "text", "csv"))]})
    return program


def audited_file(draw: Draw, _: Catalogue) -> Program:
    """A sample that is drawn to a file, labelled there, and read back."""
    columns = draw.samples(draw.randint(20, 60))
    columns = {name: columns[name] for name in ("id", "c", "m1", "m2")}
    size, table = draw.randint(4, 15), written("all.csv", _delimited(draw, columns, ","))
    parts: dict[str, tuple[str, ...]] = {"--by": ("c",), "--predicted": ("m1",), "--seed": ("1", "2")}
    kind = draw.choice(("estimate", "estimate", "sequence", "read"))
    parts = {"--seed": ("1", "2")} if kind == "sequence" and draw.chance(0.9) else parts
    words: list[Node] = ["audit", "sample", table, "--size", str(size), "-o", "drawn.csv"]
    words += [word for name, choices in draw.maybe(0.4, **parts).items() for word in (name, choices)]
    words += [] if "--seed" in words else ["--seed", "3"]
    program = Program("audit file")
    program.step({"command": words})
    labels: list[Any] = [draw.choice(draw.choice((("yes", "no"), ("1", "0"), ("yes", "no")))) for _ in range(size)]
    if draw.chance(0.5 if kind == "sequence" else 0.1):  # some are not labelled yet
        labels[draw.randrange(size) :] = [""] * (size - draw.randrange(size))
        labels = (labels + [""] * size)[:size]
    drawn = call(":pandas.read_csv", "drawn.csv", dtype="str")
    program.step(method(method(drawn, "assign", label=labels), "to_csv", "drawn.csv", index=False), show=False)
    if kind == "read":
        program.step(call("audit.read_back", "drawn.csv", **draw.maybe(0.2, yes=["no"], no=["yes"])))
        return program
    options = {"--level": tuple(map(str, LEVELS)), "--format": ("json", "text", "csv")}
    options["--interval"] = ("ppr", "wsr") if kind == "sequence" else ("blaker", "posterior", "wilson")
    options |= {"--width": ("0.5", "0.9")} if kind == "sequence" else {"--yes": ("no",), "--no": ("yes",)}
    chosen = draw.maybe(0.2, **options)
    program.step({"command": ["audit", kind, "drawn.csv", *(word for pair in chosen.items() for word in pair)]})
    return program
