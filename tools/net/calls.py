"""Calls as data: nodes that JSON holds, how they are written, and the Python script that makes the same call.

A node is a JSON scalar or list, or a dict with one of these keys:

    {"call": "certus.evaluate", "args": [...], "kw": {...}}    a public function or class, by its path
    {"on": node, "method": "interval", "args", "kw"}           a method; {"on": node, "get": name} an attribute
    {"ref": step}, {"file": name}                              the value of a step before; the path of a shared file
    {"array": [...], "dtype": text}, {"dict": [[key, value]]}, {"tuple": [...]}, {"set": [...]}
    {"piece": name, "keep": share}                             a copy of a shared file, cut off (worker.py)
    {"forged": node, "at": share, "byte": value}               a state with one byte changed (worker.py)
    {"text": "...", "name": "x.csv"}                           the name of a file with this text
    {"command": ["evaluate", ...], "input": node}              a command line; its standard input is a file, or empty
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf, isnan
from pathlib import Path
from typing import Any

__all__ = ["Program", "array", "attribute", "call", "file", "method", "pairs", "ref", "script", "written"]

Node = Any


def call(path: str, /, *args: Node, **kw: Node) -> Node:
    """A function or class of certus by its path below it, or of another package by its whole path after a colon."""
    whole = path[1:] if path.startswith(":") else f"certus.{path}"
    return {"call": whole, "args": list(args), "kw": kw}


def method(on: Node, name: str, /, *args: Node, **kw: Node) -> Node:
    """A method of what a node gives."""
    return {"on": on, "method": name, "args": list(args), "kw": kw}


def attribute(on: Node, name: str) -> Node:
    """An attribute of what a node gives."""
    return {"on": on, "get": name}


def ref(name: str) -> Node:
    """The value of a step before."""
    return {"ref": name}


def file(name: str) -> Node:
    """The path of a shared file."""
    return {"file": name}


def written(name: str, text: str) -> Node:
    """The name of a file that the call writes first; a lone surrogate of the text is a byte that is not UTF-8."""
    return {"text": text, "name": name}


def array(values: list[Any], dtype: str | None = None) -> Node:
    """An array of NumPy."""
    return {"array": values, "dtype": dtype}


def pairs(values: dict[Any, Node]) -> Node:
    """A dict of nodes."""
    return {"dict": [[key, value] for key, value in values.items()]}


@dataclass
class Program:
    """A call: steps with names, and the names of those whose values are compared."""

    kind: str
    steps: list[tuple[str, Node]] = field(default_factory=list)
    show: list[str] = field(default_factory=list)
    number: int = 0

    def step(self, node: Node, *, show: bool = True) -> Node:
        """Add a step; a reference to its value."""
        name = f"x{len(self.steps)}"
        self.steps.append((name, node))
        if show:
            self.show.append(name)
        return ref(name)

    def json(self) -> dict[str, Any]:
        """The call as an installation receives it."""
        return {"number": self.number, "kind": self.kind, "steps": self.steps, "show": self.show}


def script(program: dict[str, Any], files: Path) -> str:
    """The Python script that makes the call."""
    lines = [f"{name} = {_source(node, files)}" for name, node in program["steps"]]
    lines += [f"print({name})" for name in program["show"]]
    files_of_call = {node["name"]: node["text"] for node in _files(program["steps"])}
    lines[:0] = [
        f"pathlib.Path({name!r}).write_bytes({text.encode('utf-8', 'surrogateescape')!r})"
        for name, text in files_of_call.items()
    ]
    modules = sorted({path.rpartition(".")[0] for node in program["steps"] for path in _paths(node[1])} - {"builtins"})
    modules += ["pathlib"] if files_of_call else []
    head = [f"import {module}" for module in modules if module]
    return "\n".join([f"# call {program['number']}: {program['kind']}", *head, "", *lines])


def _files(node: Node) -> Iterator[dict[str, str]]:
    for item in node.values() if isinstance(node, dict) else node if isinstance(node, list | tuple) else ():
        if isinstance(item, dict) and "text" in item and "name" in item:
            yield item
        else:
            yield from _files(item)


def _paths(node: Node) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _paths(item)
    elif isinstance(node, dict):
        if "array" in node:
            yield "numpy.array"
            return
        if "call" in node:
            yield node["call"]
        if "command" in node:
            yield "subprocess.run"
        for item in node.values():
            yield from _paths(list(item.values()) if isinstance(item, dict) and "kw" in node else item)


def _word(word: Node, files: Path) -> str:
    if isinstance(word, dict) and ("text" in word or "piece" in word):
        return str(word.get("name") or word.get("piece"))
    if isinstance(word, dict):
        return str(files / word["file"]) if "file" in word else word["within"].replace("FILES", str(files))
    return str(word)


def _source(node: Node, files: Path) -> str:
    def text(item: Node) -> str:
        return _source(item, files)

    if isinstance(node, float) and (isnan(node) or isinf(node)):
        return f"float('{node}')"
    if isinstance(node, list):
        return f"[{', '.join(map(text, node))}]"
    if not isinstance(node, dict):
        return repr(node)
    if "array" in node:
        dtype = "" if node["dtype"] is None else f", dtype={node['dtype']!r}"
        return f"numpy.array({text(node['array'])}{dtype})"
    if "ref" in node:
        return str(node["ref"])
    if "file" in node:
        return repr(str(files / node["file"]))
    if "text" in node:
        return repr(node["name"])
    if "piece" in node:
        return f"piece({str(files / node['piece'])!r}, {node['keep']})"
    if "forged" in node:
        return f"forged({text(node['forged'])}, {node['at']}, {node['byte']})"
    if "dict" in node:
        return "{" + ", ".join(f"{text(key)}: {text(item)}" for key, item in node["dict"]) + "}"
    if "tuple" in node:
        return "(" + "".join(f"{text(item)}, " for item in node["tuple"]) + ")"
    if "set" in node:
        return "{" + ", ".join(map(text, node["set"])) + "}"
    if "command" in node:
        words = [_word(word, files) for word in node["command"]]
        given = f", stdin=open({text(node['input'])})" if "input" in node else ""
        return f"subprocess.run({['certus', *words]!r}{given}, check=False)  # {shlex.join(['certus', *words])}"
    if "get" in node:
        return f"{text(node['on'])}.{node['get']}"
    function = f"{text(node['on'])}.{node['method']}" if "method" in node else node["call"].removeprefix("builtins.")
    arguments = [*map(text, node["args"]), *(f"{name}={text(item)}" for name, item in node["kw"].items())]
    return f"{function}({', '.join(arguments)})"
