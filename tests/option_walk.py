"""Data of the test of every option: files, the modes of every command, and values for each option."""

import csv
import io
import json
import os
import random
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click

from certus import State, audit, tasks
from certus.cli import app
from certus.cli._declare import COMMANDS

__all__ = [
    "AUDITS",
    "BY_DATA",
    "COSMETIC",
    "MODES",
    "NO_USE",
    "command_of",
    "contents",
    "options_of",
    "write_audit",
    "write_files",
]

_TABLE = ("--format", "json")
MODES: dict[str, tuple[str, ...]] = {
    "evaluate": ("evaluate", "qrels", "b.run", "a.run", "-m", "AP", "-m", "nDCG@3", *_TABLE),
    "evaluate labels": ("evaluate", "t.csv", "--task", "classification", "--truth", "y", "--pred", "p", *_TABLE),
    "evaluate scores": ("evaluate", "t.csv", "--task", "classification", "--truth", "y", "--score", "s", *_TABLE),
    "evaluate classes": ("evaluate", "t.csv", "--task", "classification", "--truth", "c", "--pred", "d", *_TABLE),
    "evaluate class scores": (
        *(
            "evaluate",
            "t.csv",
            "--task",
            "classification",
            "--truth",
            "c",
            "--score",
            "A=sa",
            "--score",
            "B=sb",
            "--score",
            "C=sc",
            *_TABLE,
        ),
    ),
    "evaluate budget": ("evaluate", "qrels", "a.run", "--budget", "3", "--task", "classification", *_TABLE),
    "evaluate budget of scores": (
        *("evaluate", "t.csv", "--truth", "y", "--score", "s", "--budget", "60", "--task", "classification", *_TABLE),
    ),
    "evaluate counts": ("evaluate", "--counts", "15,10,0;5,20,0;3,2,0", "--task", "classification", *_TABLE),
    "evaluate regression": ("evaluate", "t.csv", "--task", "regression", "--truth", "u", "--pred", "v", *_TABLE),
    "evaluate outputs": (
        *("evaluate", "t.csv", "--task", "regression", "--truth", "u", "--truth", "s"),
        *("--pred", "v", "--pred", "r", "-m", "MAE", "-m", "R2", *_TABLE),
    ),
    "evaluate multilabel": (
        *("evaluate", "t.csv", "--task", "multilabel", "--truth", "y", "--truth", "l"),
        *("--pred", "p", "--pred", "k", *_TABLE),
    ),
    "evaluate multilabel scores": (
        *("evaluate", "t.csv", "--task", "multilabel", "--truth", "y", "--truth", "l"),
        *("--score", "s", "--score", "r", *_TABLE),
    ),
    "evaluate clustering": ("evaluate", "t.csv", "--task", "clustering", "--truth", "c", "--pred", "d", *_TABLE),
    "evaluate clustering features": (
        *("evaluate", "t.csv", "--task", "clustering", "--pred", "d", "--features", "u,v", *_TABLE),
    ),
    "evaluate efficiency": ("evaluate", "t.csv", "--task", "efficiency", "--time", "s", *_TABLE),
    "evaluate records": (
        *("evaluate", "t.csv", "--task", "efficiency", "--size", "s", "--held", "y", "--staleness", "s"),
        *("--updates", "n", *_TABLE),
    ),
    "evaluate values": ("evaluate", "t.csv", "--task", "values", "--value", "s", *_TABLE),
    "evaluate batches": (
        *("evaluate", "t.csv", "--task", "classification", "--truth", "y", "--pred", "p", "--save-state", "new.state"),
        *_TABLE,
    ),
    "evaluate states": ("evaluate", "--state", "rows.state", *_TABLE),
    "evaluate logs": ("evaluate", "two.json", "one.json", *_TABLE),
    "compare runs": ("compare", "qrels", "a.run", "b.run", "c.run", "-m", "AP", *_TABLE),
    "compare labels": (
        *("compare", "t.csv", "--task", "classification", "--truth", "y", "--pred", "p", "--pred", "k", "--pred", "l"),
        *("-m", "F1(average='macro')", *_TABLE),
    ),
    "compare scores": (
        *("compare", "t.csv", "--task", "classification", "--truth", "y"),
        *("--score", "s", "--score", "r", "--score", "sa", *_TABLE),
    ),
    "compare classes": (
        *("compare", "t.csv", "--task", "classification", "--truth", "c"),
        *("--pred", "d", "--pred", "e", "--pred", "c", *_TABLE),
    ),
    "compare numbers": (
        *("compare", "few.csv", "--task", "regression", "--truth", "u", "--pred", "v", "--pred", "r", "--pred", "s"),
        *("-m", "MAE", *_TABLE),
    ),
    "compare values": ("compare", "few.csv", "--value", "u", "--value", "v", "--value", "s", *_TABLE),
    "compare tables": ("compare", "one.csv", "two.csv", "three.csv", "--value", "u", "--id", "x", *_TABLE),
    "trec-eval 9": ("trec-eval", "qrels", "a.run", "--dialect", "9"),
    "trec-eval 10": ("trec-eval", "qrels", "a.run", "--dialect", "10"),
    "audit known": ("audit", "--positives", "200", "--checked", "50", "--hits", "40", "--predicted", "300", *_TABLE),
    "audit unknown": ("audit", "--checked", "50", "--hits", "40", *_TABLE),
    "audit two samples": (
        *("audit", "--retrieved", "90", "--retrieved-checked", "30", "--retrieved-hits", "20"),
        *("--discarded", "200", "--discarded-checked", "40", "--discarded-hits", "3", *_TABLE),
    ),
    "audit one sample": (
        *("audit", "--population", "290", "--predicted", "90", "--predicted-checked", "30"),
        *("--predicted-hits", "20", "--other-checked", "40", "--other-hits", "3", *_TABLE),
    ),
    "audit plan": ("audit", "plan", "--positives", "200", "--recall", "0.8", "--half-width", "0.1", *_TABLE),
    "audit plan checked": (
        *("audit", "plan", "--positives", "200", "--recall", "0.8", "--half-width", "0.1", "--checked", "60", *_TABLE),
    ),
    "audit plan two samples": (
        *("audit", "plan", "--retrieved", "90", "--discarded", "200", "--precision", "0.7"),
        *("--elusion", "0.05", "--checked", "60", *_TABLE),
    ),
    "audit plan two samples narrow": (
        *("audit", "plan", "--retrieved", "90", "--discarded", "200", "--precision", "0.7"),
        *("--elusion", "0.05", "--half-width", "0.2", *_TABLE),
    ),
    "audit sample": ("audit", "sample", "t.csv", "--size", "5", "--seed", "1"),
    "audit sample by": ("audit", "sample", "t.csv", "--size", "6", "--seed", "1", "--by", "c"),
    "audit sample predicted": (*("audit", "sample", "t.csv", "--size", "6", "--seed", "1", "--predicted", "p"),),
    "audit estimate": ("audit", "estimate", "plain.csv", *_TABLE),
    "audit estimate strata": ("audit", "estimate", "strata.csv", *_TABLE),
    "audit estimate predicted": ("audit", "estimate", "predicted.csv", *_TABLE),
    "audit sequence": ("audit", "sequence", "plain.csv"),
    "audit ranking": ("audit", "ranking", "sampled.txt", "a.run", "b.run", *_TABLE),
    "audit ranking statAP": ("audit", "ranking", "prels.txt", "a.run", "b.run", "-m", "statAP", *_TABLE),
    "hits": ("hits", "-xx-x"),
    "hits of names": ("hits", "x,a,y,b", "--of", "a,b"),
    "hits all": ("hits", "--all", "5"),
    "hits all of three": ("hits", "--all", "5-6", "--hits", "3"),
    "hits all counted": ("hits", "--all", "5", "--count"),
    "curve": ("curve", "qrels", "a.run", "b.run"),
    "curve by rank": ("curve", "qrels", "a.run", "-m", "CG", "-m", "nDCG", "--at", "1-4"),
    "curve of a query": ("curve", "qrels", "a.run", "--query", "q1"),
    "pool": ("pool", "a.run", "b.run", "--depth", "2"),
    "pool of some": ("pool", "a.run", "b.run", "--method", "mtf", "--size", "3", "--judged", "qrels"),
    "pool bias": ("pool", "a.run", "b.run", "--judged", "qrels", "-m", "AP"),
    "hits by rank": ("hits", "2,3,5"),
    "metrics": ("metrics",),
    "metrics of a name": ("metrics", "AP"),
    **{
        f"chance {law}": ("chance", law, *options.split())
        for law, options in {
            "ap": "--items 8 --relevant 3",
            "auc": "--positives 3 --negatives 5",
            "hits": "--items 8 --relevant 3 --cutoff 4",
            "precision": "--items 8 --relevant 3 --cutoff 4",
            "recall": "--items 8 --relevant 3 --cutoff 4",
            "success": "--items 8 --relevant 3 --cutoff 4",
            "rprec": "--items 8 --relevant 3",
            "rr": "--items 8 --relevant 3",
            "dcg": "--grades 2:2,1:2,0:4",
            "ndcg": "--grades 2:2,1:2,0:4",
            "rbp": "--items 8 --relevant 3 --persistence 0.8",
            "bpref": "--relevant 3 --nonrelevant 4",
            "list-score": "--items 8 --relevant 3",
            "hit-rank": "--items 8 --relevant 3 --hit 2",
        }.items()
    },
}
"""A command line that works, for each thing a command does."""


def imported() -> click.Group:
    """The command line with every command imported."""
    whole = app.commands()
    context = click.Context(whole)
    for name in whole.list_commands(context):
        whole.get_command(context, name)
    return whole


imported()
MODES |= {
    words: tuple(shlex.split(each.example)[1:])
    for words, each in COMMANDS.items()
    if not any(line[: len(words.split())] == tuple(words.split()) for line in MODES.values())
}
"""Of a command without a line above, the example in its help, on the files below."""

_PLUGIN = """import certus
from certus.data import *


def declare(task, kind, name="Mine"):
    def mine(data):
        return [0.5] * len(data)

    mine.__annotations__ = {"data": kind}
    certus.metric(name, task=task)(mine)


declare("ranking", Ranking)
declare("classification", Labels | Scores | ClassScores)
declare("multilabel", Multilabel | MultilabelScores)
declare("regression", Targets)
declare("clustering", Partition)
declare("clustering", Clustered, "Ours")
declare("efficiency", Timings)
declare("efficiency", Sizes, "Theirs")
declare("values", Values)
"""
AUDITS: dict[str, dict[str, Any]] = {
    "plain.csv": {"size": 30},
    "strata.csv": {"size": 30, "by": "c"},
    "predicted.csv": {"size": 30, "predicted": "p"},
}
"""The samples for audits, and how they are drawn."""
COSMETIC = {
    ("trec-eval", "-o"): "No effect",
    ("trec-eval", "-R"): "Only qrels",
    ("trec-eval", "-T"): "Only trec_results",
}
"""Options that do nothing and say so in their help, since they are trec_eval's."""
BY_DATA = {
    ("evaluate class scores", "--positive"),
    ("evaluate class scores", "--plot"),
}
"""Modes and options that are refused with status 3: it is the data that give them no meaning."""
BY_DATA |= {(f"evaluate {rows}", "--state") for rows in ("scores", "classes", "regression", "clustering", "values")}
BY_DATA |= {
    ("compare scores", "--budget"),
    ("evaluate budget of scores", "--missing-values"),
    ("evaluate class scores", "--state"),
    ("evaluate multilabel", "--state"),
    ("evaluate multilabel scores", "--state"),
    ("evaluate efficiency", "--state"),
    ("evaluate records", "--state"),
    ("evaluate outputs", "--state"),
    ("evaluate clustering features", "--state"),
    ("evaluate states", "--bounds"),
}
BY_DATA |= {(name, "--positive") for name in ("evaluate values", "compare values", "compare tables")}
_ANY_NAMES = ("labels", "scores", "classes", "class scores", "clustering", "clustering features", "batches", "logs")
BY_DATA |= {(name, "--missing-values") for name in ("evaluate", *(f"evaluate {each}" for each in _ANY_NAMES))}
BY_DATA |= {(f"compare {each}", "--missing-values") for each in ("runs", "labels", "scores", "classes", "tables")}
NO_USE = {("metrics of a name", "--plugin"), ("evaluate states", "--plugin"), ("evaluate budget", "--undefined")}
"""A plugin could have declared the metric; of the first documents of a run nothing is 0/0."""
NO_USE |= {("evaluate logs", option) for option in ("--time", "--size", "--held", "--staleness", "--updates")}
NO_USE |= {(name, "--identical-passes") for name in MODES if name.startswith("compare")}
"""No two systems are equal on every unit: see tests/comparison/test_gate.py."""
NO_USE |= {("hits by rank", "--ranks")}
"""The list is taken for ranks anyway."""
NO_USE |= {("evaluate", "--value"), ("evaluate logs", "--value")}
NO_USE |= {
    (name, option) for name in ("evaluate", "evaluate logs", "compare runs") for option in ("--query", "--document")
}
"""With a column, several files are one table, and these lack the column."""
NO_USE |= {(name, "--memory") for name, line in MODES.items() if line[0] in ("evaluate", "compare")}
"""No memory changes a digit: see tests/states/test_spilled.py and tests/cli/test_compare_streams.py."""


def options_of(line: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each option of the command, by its first name and by all, but those to explain the command or the version."""
    for parameter in command_of(line).params:
        if parameter.param_type_name == "option" and not parameter.is_eager:
            names = (*parameter.opts, *parameter.secondary_opts)
            yield names[-1] if parameter.default is True else names[0], names


def contents(folder: Path) -> dict[Path, bytes | None]:
    """The bytes of every file in a folder and those below it; folders have None."""
    found: dict[Path, bytes | None] = {}
    for entry in os.scandir(folder):
        if entry.is_dir():
            found |= {Path(entry.path): None, **contents(Path(entry.path))}
        elif entry.is_file():
            with open(entry.path, "rb") as file:
                found[Path(entry.path)] = file.read()
    return found


def write_files(folder: Path) -> None:
    """The files that the modes read, in a folder."""
    draw = random.Random(0)
    texts = {
        "qrels": "".join(f"q{q} 0 d{d} {draw.choice((0, 0, 1, 1, 2))}\n" for q in range(1, 9) for d in range(8)),
        "sampled.txt": "".join(
            f"q{q} 0 d{d} {d % 2} {draw.choice((-1, 0, 1, 1, 2))}\n" for q in range(1, 9) for d in range(8)
        ),
        "prels.txt": "".join(f"q{q} d{d} {draw.choice((0, 1))} 1 0.5\n" for q in range(1, 9) for d in range(8)),
        "plugin.py": _PLUGIN,
        "groups.txt": "".join(f"q{q} {q % 4}\n" for q in range(1, 9)),
        "there.csv": "old",
        "there.png": "old",
        "there/roc.png": "old",
        "there/confusion.png": "old",
        "t.csv": "\n".join(["y,p,k,l,q,c,d,e,s,r,sa,sb,sc,u,v,w,g,n,z", *_rows(draw), ""]),
    }
    texts["ap.csv"] = "topic,A,B\n1,0.02,0.08\n2,0.03,0.04\n3,0.29,0.2\n"
    texts["few.csv"] = "\n".join([*texts["t.csv"].split("\n")[:15], ""])  # tests by permutation list them all
    for name in ("one", "two"):
        tones = [{"name": "tone", "score": draw.random()} for _ in range(9)]
        cases = [
            {"name": f"t{i}", "success": draw.random() < 0.6, "metricsData": [tone], "c": "xy"[i % 2], "g": i // 2}
            for i, tone in enumerate(tones)
        ]
        texts[f"{name}.json"] = json.dumps({"testCases": cases, "identifier": name})
    for name in ("one.csv", "two.csv", "three.csv"):
        rows = [f"{x},{draw.gauss(0, 1)},{draw.gauss(0, 1)},{1 + x % 3},{x // 2}" for x in range(12)]
        texts[name] = "\n".join(["x,u,v,w,g", *rows, ""])
    for name in "abc":
        lines = [
            f"q{q} Q0 d{d} 1 {draw.randrange(9)}.5 {name}\n" for q in range(1, 8) for d in draw.sample(range(12), 7)
        ]
        texts[f"{name}.run"] = "".join([*lines, f"q7 Q0 q7 1 4.25 {name}\n"])  # for --drop-self
    examples = {"qrels.txt": "qrels", "bm25.run": "a.run", "dense.run": "b.run", "predictions.csv": "t.csv"}
    texts |= {name: texts[same] for name, same in examples.items()}
    (folder / "there").mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    state = State()
    state.update([1, 0, 0], pred=[1, 1, 0])
    (folder / "rows.state").write_bytes(state.to_bytes())
    (folder / "result.json").write_text(state.evaluate().to_json())
    for name, options in AUDITS.items():
        write_audit(options, folder / "t.csv", folder / name)


def write_audit(options: dict[str, Any], table: Path, target: Path, column: str = "c") -> None:
    """Draw a sample and fill in its labels, and the same in a column with another name."""
    text = audit.draw(str(table), seed=1, columns=[column], **options).to_csv()
    rows = list(csv.DictReader(io.StringIO(text)))
    with target.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "mark"])
        writer.writeheader()
        for i, row in enumerate(rows):
            writer.writerow({**row, "label": "yes" if i % 3 else "no", "mark": "yes" if i % 2 else "no"})


def _rows(draw: random.Random) -> Iterator[str]:
    for i in range(60):
        y, c, u = draw.randrange(2), draw.choice("ABC"), draw.gauss(0, 1)
        first, second, third = (y if draw.random() < 0.8 else 1 - y for _ in range(3))
        d, e = (c if draw.random() < 0.7 else draw.choice("ABC") for _ in range(2))
        s, r = ((0.3 * y + 0.7 * draw.random()) * 0.9 + 0.05 for _ in range(2))
        cells = (y, first, second, third, "AB"[first], c, d, e, s, r, 0.2, 0.3, 0.5, u, u + draw.gauss(0, 1))
        yield ",".join(map(str, (*cells, 1 + i % 3, i // 4, 1 + i % 5, int(i > 0))))


@cache
def _all_commands(_tasks: tuple[str, ...]) -> Any:
    """The whole command line, whose options depend on the tasks that are known; it takes .1 s to make."""
    return imported()


def command_of(line: Sequence[str]) -> Any:
    """The command that a line calls, with its options."""
    command = _all_commands(tuple(tasks.names()))
    for word in line:
        if word in getattr(command, "commands", {}):
            command = command.commands[word]
    return command
