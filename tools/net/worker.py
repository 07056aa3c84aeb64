"""One installation at work: reads calls as JSON lines, makes them, and writes what they result in as JSON lines.

It is started by `installation.py` with the interpreter of an installation, uses the public interface alone, and imports
nothing of tools/, so that the old and the new installation run the same text.
"""

import builtins
import csv
import gc
import hashlib
import inspect
import io
import json
import os
import re
import shutil
import signal
import sys
import warnings
import zlib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

LARGEST = 3_000
"""Numbers of an array that are compared one by one; of a larger one every k-th, and a digest of all."""
DEEPEST = 8
SKIPPED = {
    *("statistic", "predictions", "own", "data", "shown", "drawn", "signature", "inputs", "conventions", "held"),
    *("declaration", "chance", "task", "logs", "command"),
}
"""Attributes that hold inputs or the way to a number; what they lead to is compared."""
NOTES = {"warnings", "notices", "notes", "summary"}
"""Attributes whose number is compared, and whose texts only when words are."""


COMMANDS = [
    (name,) for name in ("evaluate", "compare", "audit", "chance", "curve", "hits", "pool", "topics", "metrics")
]
COMMANDS += [("trec-eval",), ("selfcheck",), ("demo",)]
AUDITS = ("estimate", "plan", "ranking", "sample", "sequence")
SPARK = 10
"""A call on Spark may take so many times the seconds of others: the first one starts the JVM."""


class SlowError(Exception):
    """A call took longer than it may."""


def resolve(path: str) -> Any:
    """The object at a dotted path, whose modules are imported as far as need be."""
    module, *names = path.split(".")
    found, reached = import_module(module), module
    for name in names:
        reached += f".{name}"
        if not hasattr(found, name):
            import_module(reached)
        found = getattr(found, name)
    return found


class Calls:
    """Evaluates the nodes of a call, with the values of steps before."""

    def __init__(self, files: Path) -> None:
        self.files = files
        self.values: dict[str, Any] = {}

    def value(self, node: Any) -> Any:
        """The value of a node (see `calls.py`)."""
        if isinstance(node, list):
            return [self.value(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "array" in node:
            return resolve("numpy.array")(node["array"], dtype=node["dtype"])
        if "ref" in node:
            return self.values[node["ref"]]
        if "file" in node:
            return str(self.files / node["file"])
        if "piece" in node:
            data = (self.files / node["piece"]).read_bytes()
            Path(node["piece"]).write_bytes(data[: int(node["keep"] * len(data))])
            return node["piece"]
        if "forged" in node:
            return forged(self.value(node["forged"]), node["at"], node["byte"])
        if "text" in node:
            Path(node["name"]).write_bytes(node["text"].encode("utf-8", "surrogateescape"))
            return node["name"]
        if "within" in node:
            return node["within"].replace("FILES", str(self.files))
        if "dict" in node:
            return {self.value(key): self.value(item) for key, item in node["dict"]}
        if "tuple" in node:
            return tuple(map(self.value, node["tuple"]))
        if "set" in node:
            return set(map(self.value, node["set"]))
        if "command" in node:
            return command(
                [str(self.value(word)) for word in node["command"]], self.value(node.get("input", os.devnull))
            )
        if "get" in node:
            return getattr(self.value(node["on"]), node["get"])
        function = getattr(self.value(node["on"]), node["method"]) if "method" in node else resolve(node["call"])
        return function(*map(self.value, node["args"]), **{name: self.value(item) for name, item in node["kw"].items()})


def forged(state: bytes, at: float, byte: int) -> bytes:
    """Return the bytes of a state with one of them changed, and the checksum of the result."""
    changed = bytearray(state[:-4])
    changed[int(at * len(changed))] = byte
    return bytes(changed) + zlib.crc32(changed).to_bytes(4, "little")


def command(words: list[str], stdin: str = os.devnull) -> dict[str, Any]:
    """Exit status and output of the command line, called by its entry point in this process; files that it wrote."""
    main = import_module("certus.cli").main
    before, argv = {path.name for path in Path().iterdir()}, sys.argv
    streams = sys.stdout, sys.stderr, sys.stdin
    saved = os.dup(0), os.dup(1), os.dup(2)
    with open(".out", "w+b") as out, open(".err", "w+b") as err, open(stdin) as given:
        os.dup2(given.fileno(), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = (
            os.fdopen(os.dup(number), "w", encoding="utf-8", errors="backslashreplace") for number in (1, 2)
        )
        sys.stdin, sys.argv = given, ["certus", *words]
        try:
            status = main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.close()
            (sys.stdout, sys.stderr, sys.stdin), sys.argv = streams, argv
            for target, number in enumerate(saved):
                os.dup2(number, target)
                os.close(number)
            gc.enable()
            gc.unfreeze()
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    written = {
        path.name: _content(path)
        for path in Path().iterdir()
        if path.name not in before and path.name not in (".out", ".err")
    }
    return {"status": status, "out": {"output": parsed_text(texts[0])}, "err": {"lines": texts[1]}, "written": written}


def _content(path: Path) -> Any:
    """Return the text of a file, a digest of a picture, and of other files whether they hold anything."""
    if path.suffix in (".csv", ".tsv", ".txt", ".json", ".jsonl", ".md", ".tex", ".html"):
        return parsed_text(path.read_text(errors="replace"))
    if path.suffix == ".png":
        return {"digest": hashlib.sha256(path.read_bytes()).hexdigest()[:16]}
    return path.stat().st_size > 0


def parsed_text(text: str) -> Any:
    """Parse JSON, JSON Lines, comma- or tab-separated values; return any other text as it is."""
    if text.startswith(("{", "[")):
        for load in (json.loads, lambda lines: [json.loads(line) for line in lines.splitlines()]):
            try:
                return load(text)
            except ValueError:
                continue
    for separator in ",\t":
        try:
            rows = list(csv.reader(io.StringIO(text), delimiter=separator)) if separator in text else []
        except csv.Error:
            continue
        if len(rows) > 1 and len(rows[0]) > 2 and len(set(map(len, rows))) == 1:
            return {name: list(column) for name, column in zip(rows[0], zip(*rows[1:], strict=True), strict=True)}
    return text


def _names(kind: type, names: dict[type, list[str]] = {}) -> list[str]:  # noqa: B006 - a cache
    """The public attributes of a class that are no methods."""
    if kind not in names:
        names[kind] = [
            name
            for name in dir(kind)
            if not name.startswith("_") and name not in SKIPPED and not callable(getattr(kind, name, None))
        ]
    return names[kind]


def facts(value: Any, key: str = "", depth: int = 0) -> Any:
    """The attributes of a result as JSON, with every bit of its numbers."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return parsed_text(value) if depth == 0 else value
    if isinstance(value, int | float):
        number = float(value) if isinstance(value, float) else int(value)
        return (
            number
            if type(value) in (int, float) or hasattr(value, "dtype")
            else {"number": number, **_attributes(value, depth)}
        )
    if depth > DEEPEST:
        return "deeper"
    if isinstance(value, bytes):
        return {"bytes": len(value)}
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return _array(value)
    if isinstance(value, Mapping):
        return {str(name): facts(item, str(name), depth + 1) for name, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple) and (type(value) in (list, tuple) or not hasattr(value, "_fields")):
        if key in NOTES:
            return {"notes": len(value), "words": [str(item) for item in value]}
        return [facts(item, "", depth + 1) for item in value[:LARGEST]]
    if hasattr(value, "to_dict") and hasattr(value, "columns") and hasattr(value, "iloc"):
        return facts(value.to_dict("list"), key, depth + 1)
    if hasattr(value, "toarray"):
        return facts(value.toarray(), key, depth + 1)
    if isinstance(value, Iterator):
        return [facts(item, "", depth + 1) for _, item in zip(range(200), value, strict=False)]
    if callable(getattr(value, "to_bytes", None)) and callable(getattr(value, "merge", None)):
        return {"n": value.n}
    if callable(getattr(value, "ppf", None)):
        return _law(value)
    if hasattr(value, "get_lines"):
        return _axes(value)
    return _attributes(value, depth)


def _array(value: Any) -> Any:
    if value.ndim == 0:
        return facts(value.item())
    if value.dtype.kind == "O":
        return [facts(item) for item in value.ravel().tolist()]
    if value.size > LARGEST:
        digest = hashlib.sha256(value.tobytes()).hexdigest()[:16] if value.dtype.kind in "biu" else None
        return {"size": value.size, "digest": digest, "some": value.ravel()[:: value.size // 500].tolist()}
    return value.tolist()


def _attributes(value: Any, depth: int) -> dict[str, Any]:
    names = _names(type(value))
    own = [name for name in getattr(value, "__dict__", {}) if not name.startswith("_") and name not in names]
    found: dict[str, Any] = {}
    for name in (*names, *own):
        if name in SKIPPED:
            continue
        try:
            item = getattr(value, name)
        except (ArithmeticError, AttributeError, ImportError, LookupError, TypeError, ValueError) as error:
            found[name] = {"raises": type(error).__name__}
            continue
        if not callable(item) or isinstance(item, int | float):
            found[name] = facts(item, name, depth + 1)
    if not found and not isinstance(value, int | float):
        return {"words": str(value)}
    return found


def _law(law: Any) -> dict[str, Any]:
    """A law under chance at a few points, each asked by its public methods."""
    low, high = law.support()
    points = [low, high, law.ppf(0.3), law.ppf(0.975), low + (high - low) / 3]
    found: dict[str, Any] = {"support": [low, high], "points": [facts(point) for point in points]}
    for name in ("cdf", "tail", "sf", "pmf", "logtail"):
        found[name] = [_answer(law, name, point) for point in points[2:]]
    return found | {name: _answer(law, name) for name in ("mean", "var", "skewness", "kurtosis")}


def _answer(law: Any, name: str, *point: float) -> Any:
    """Return what a method of a law answers, or the class of its error: some laws know no probability of one value."""
    try:
        return facts(getattr(law, name)(*point))
    except ValueError as error:
        return {"raises": type(error).__name__}


def _axes(axes: Any) -> dict[str, Any]:
    """Return the lines, areas and labels that are drawn on axes of matplotlib."""
    lines = [facts(line.get_xydata()) for line in axes.get_lines()]
    areas = [facts(path.vertices) for area in axes.collections for path in area.get_paths()]
    labels = [item.get_text() for item in (*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts)]
    return {"lines drawn": lines, "areas": areas, "labels": labels, "limits": facts(axes.axis())}


def make(call: dict[str, Any], files: Path) -> dict[str, Any]:
    """The outcome of a call: what its steps result in, or the error that ends it, and the warnings on the way."""
    calls = Calls(files)
    shown: dict[str, Any] = {}
    outcome: dict[str, Any] = {"results": shown}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        name = ""
        try:
            for name, node in call["steps"]:
                calls.values[name] = calls.value(node)
                if name in call["show"]:
                    shown[name] = facts(calls.values[name], name)
        except SlowError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a call raises is its outcome
            location = getattr(error, "location", getattr(error, "place", None))
            about = {"argument": getattr(error, "argument", None), "at": location}
            outcome["error"] = {"step": name, "class": type(error).__name__, **about, "words": str(error)}
    outcome["warned"] = sorted(item.category.__name__ for item in warned if "certus" in item.filename)
    return outcome


def traced(call: dict[str, Any], files: Path) -> dict[str, Any]:
    """The outcome of a call, and the mutants that it passes (see `net_mutants.probed`)."""
    passed: set[int] = set()
    builtins.PASSED = passed  # type: ignore[attr-defined]
    return make(call, files) | {"passed": sorted(passed)}


def _late(_number: int, _frame: object) -> None:
    raise SlowError


def main() -> None:
    """Answer line after line; each line is a list of calls, each answer a line."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGALRM, _late)
    files, seconds = Path(sys.argv[1]), float(sys.argv[2])
    for line in sys.stdin:
        for call in json.loads(line):
            for path in Path().iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            signal.setitimer(signal.ITIMER_REAL, seconds * (SPARK if call["kind"] == "spark" else 1))
            try:
                outcome = (traced if os.environ.get("NET_TRACE") else make)(call, files)
            except SlowError:
                outcome = {"slow": seconds}
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            line = json.dumps(outcome, default=repr)
            for folder in (files, Path.cwd()):  # whose names may hold digits
                line = line.replace(json.dumps(f"{folder}/")[1:-1], "")
            channel.write(line + "\n")
            channel.flush()


def catalogue() -> dict[str, Any]:
    """The metrics of each public module with their parameters, keywords of functions, and options of commands."""
    return {**_metrics(), "keywords": _keywords(), "options": _options()}


def _metrics() -> dict[str, dict[str, Any]]:
    """The metrics of each public module, by name, with their parameters: the default, and the choices there are."""
    certus = import_module("certus")
    found: dict[str, dict[str, Any]] = {}
    for task in ("classification", "multilabel", "regression", "clustering", "efficiency", "values", "ranking"):
        module = getattr(certus, task)
        metrics = {name: getattr(module, name) for name in module.__all__}
        found[task] = {
            name: {
                "text": str(metric),
                "needed": [key for key in metric.parameters if key not in metric.conventions],
                "parameters": {key: list(item.choices) for key, item in metric.parameters.items()},
            }
            for name, metric in metrics.items()
            if isinstance(metric, certus.Metric)
        }
    return found


def _keywords() -> dict[str, dict[str, list[Any]]]:
    """The keywords of each public function, and of each method by a dot and its name: values that they list."""
    certus = import_module("certus")
    found: dict[str, dict[str, list[Any]]] = {}
    for position in (certus, *(item for name in certus.__all__ if inspect.ismodule(item := getattr(certus, name)))):
        for name in position.__all__:
            item = getattr(position, name)
            if callable(item) and (not isinstance(item, type) or name in ("State", "HitList")):
                found[f"{position.__name__}.{name}"] = _listed(item)
            elif isinstance(item, type):
                methods = {f".{key}": _listed(value) for key, value in vars(item).items() if inspect.isfunction(value)}
                found |= {key: value for key, value in methods.items() if not key.startswith("._")}
    return {name: keywords for name, keywords in sorted(found.items()) if keywords}


def _listed(function: Any) -> dict[str, list[Any]]:
    """The keywords of a function with the values that its annotation or default lets one expect."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    found: dict[str, list[Any]] = {}
    for each in parameters:
        if each.kind is not each.KEYWORD_ONLY:
            continue
        choices = re.findall(r"'([^' ]*)'", str(each.annotation)) if "Literal" in str(each.annotation) else []
        found[each.name] = choices or ([True, False] if isinstance(each.default, bool) else [])
    return found


def _options() -> dict[str, dict[str, str]]:
    """The options of each command with what their help says that they take, which is empty for a flag."""
    found: dict[str, dict[str, str]] = {}
    for words in (*COMMANDS, *(("audit", each) for each in AUDITS)):
        text = command([*words, "--help"])["out"]["output"]
        lines = re.findall(
            r"^  (?:-\w, )?(--[\w-]+)(?:[,/] --[\w-]+| / --[\w-]+)*(?: (\S+(?: RANGE)?))?(?:  |$)", text, re.M
        )
        found[" ".join(words)] = {name: kind for name, kind in lines if name not in ("--help", "--version", "--plugin")}
    return found


if __name__ == "__main__":
    main()
