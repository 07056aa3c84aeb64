"""Differences between two outcomes, without the changes that are meant."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Changes", "Difference", "differences"]

CLOSE = 1e-12
"""Relative difference of sums in another order."""
CLOSE_PROBABILITY = 1e-15
"""Difference of small probabilities, which are integrals or differences of larger ones."""
PROBABILITIES = {"p", "p_adjusted", "p_equivalent", "equivalent", "below", "above"}
WORDED = {"reason", "how", "method_note", "remedy", "words", "text", "place", "message", "caution", "err", "lines"}
"""Keys of texts that may be worded anew, with the same numbers."""
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
MARK = re.compile(rf"{NUMBER.pattern}|[*~]", re.IGNORECASE)
"""A number, or a mark beside it."""


class Difference(NamedTuple):
    """The path of a fact, its old and new value; `close` if the order of a sum may explain it."""

    path: str
    old: Any
    new: Any
    close: bool = False

    def __str__(self) -> str:
        texts = [text if len(text := repr(value)) < 160 else f"{text[:157]}..." for value in (self.old, self.new)]
        return f"{self.path}: {texts[0]} became {texts[1]}" + (" (close)" if self.close else "")


@dataclass
class Changes:
    """The table of changes that are meant."""

    names: dict[str, str]
    keywords: dict[str, str]
    attributes: dict[str, str]
    options: dict[str, str]
    errors: dict[str, str]
    expected: list[dict[str, str]]
    metrics: dict[str, str]
    texts: dict[str, str]

    @classmethod
    def read(cls, path: Path | None = None) -> "Changes":
        """The table in a file; by default that beside this module."""
        path = path or Path(__file__).with_name("changes.toml")
        with path.open("rb") as stream:
            table = tomllib.load(stream)
        parts = ("names", "keywords", "attributes", "options", "errors", "metrics", "texts")
        return cls(**{part: table.get(part, {}) for part in parts}, expected=table.get("expected", []))

    def translated(self, node: Any) -> Any:
        """A call of the old installation as the new one has it."""
        if isinstance(node, list | tuple):
            return [self.translated(item) for item in node]
        if isinstance(node, str):
            return replaced(node, self.metrics)
        if not isinstance(node, dict):
            return node
        if "command" in node:
            words = [self._option(word) if isinstance(word, str) else self.translated(word) for word in node["command"]]
            return {**node, "command": words}
        if "get" in node:
            return {"on": self.translated(node["on"]), "get": self.attributes.get(node["get"], node["get"])}
        if "kw" not in node:
            return {key: item if key == "array" else self.translated(item) for key, item in node.items()}
        name = node.get("call", f".{node.get('method')}")
        keywords = {
            self.keywords.get(f"{name} {key}", self.keywords.get(f"* {key}", key)): self.translated(item)
            for key, item in node["kw"].items()
        }
        args = self.translated(node["args"])
        if "call" in node:
            return {"call": self.names.get(name, name), "args": args, "kw": keywords}
        now = str(self.names.get(name, name)).removeprefix(".")
        return {"on": self.translated(node["on"]), "method": now, "args": args, "kw": keywords}

    def _option(self, word: str) -> str:
        return replaced(self.options.get(word, word), self.metrics)

    def reason(self, script: str, difference: Difference) -> str | None:
        """Why a difference is meant; None if it is not."""
        line = str(difference)
        for rule in self.expected:
            if re.search(rule.get("call", ""), script) and re.search(rule.get("difference", ""), line):
                return rule["reason"]
        return None


def replaced(text: str, patterns: Mapping[str, str]) -> str:
    """A text with each pattern replaced."""
    for pattern, replacement in patterns.items():
        text = re.sub(pattern, replacement, text)
    return text


def differences(old: Any, new: Any, changes: Changes, words: bool = False, path: str = "") -> Iterator[Difference]:
    """All that differs; what is new beside the old does not."""
    key = path.rpartition(".")[2]
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            now = changes.attributes.get(name, name)
            if now in new:
                yield from differences(value, new[now], changes, words, f"{path}.{name}" if path else name)
            else:
                yield Difference(f"{path}.{name}", value, "nothing")
        for name in new.keys() - old.keys():
            if path == "" or path.endswith("written"):
                yield Difference(f"{path}.{name}", "nothing", new[name])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from differences(left, right, changes, words, path if key in WORDED else f"{path}[{index}]")
    elif isinstance(old, str) and isinstance(new, str):
        yield from _texts(old, new, changes, words, path)
    elif not (isinstance(old, list) and isinstance(new, list) and key in WORDED and not words) and not _equal(old, new):
        yield Difference(path, old, new, _close(old, new, CLOSE_PROBABILITY if key in PROBABILITIES else 0.0))


def _texts(old: str, new: str, changes: Changes, words: bool, path: str) -> Iterator[Difference]:
    old = replaced(old, changes.metrics | changes.texts)
    if old == new:
        return
    key = path.rpartition(".")[2].partition("[")[0]
    if words:
        yield Difference(path, old, new)
    elif key == "class":
        if changes.errors.get(old, old) != new:
            yield Difference(path, old, new)
    elif key in WORDED or re.search(r"\s", old) or (NUMBER.fullmatch(old) and NUMBER.fullmatch(new)):
        left, right = (_marks(text, NUMBER if key in WORDED else MARK) for text in (old, new))
        left, right = (sorted(left), sorted(right)) if key in WORDED else (left, right)
        if bool(old) != bool(new) or left != right or (key == "lines" and old.count("\n") != new.count("\n")):
            close = left != right and len(left) == len(right) and all(map(_close_texts, left, right))
            yield Difference(path, *_parting(old, new), close)
    else:
        yield Difference(path, old, new)


def _marks(text: str, pattern: re.Pattern[str]) -> list[str]:
    return [found.group() for found in pattern.finditer(text)]


def _close_texts(old: str, new: str) -> bool:
    return old == new or (old not in "*~" and new not in "*~" and _close(float(old), float(new)))


def _parting(old: str, new: str) -> tuple[str, str]:
    """Two texts from the first line that differs."""
    left, right = old.splitlines(), new.splitlines()
    start = next((i for i, (one, two) in enumerate(zip(left, right, strict=False)) if one != two), 0)
    return "\n".join(left[start:]), "\n".join(right[start:])


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(old: Any, new: Any) -> bool:
    if _number(old) and _number(new):
        return old == new or (isnan(old) and isnan(new))
    return type(old) is type(new) and bool(old == new)


def _close(old: Any, new: Any, least: float = 0.0) -> bool:
    if not (_number(old) and _number(new)):
        return False
    return bool(abs(old - new) <= max(CLOSE * max(min(abs(old), abs(new)), 1e-300), least))
