"""Check docstrings, messages and guides for phrases that are not plain English (`make check`).

The rules are those of the house style that a machine can see: a summary states the thing (it does not ask What, Which
or How, and its subject comes first), and a few phrases have a plainer form, which is printed with the complaint.

    python tools/check_words.py
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PHRASES = {
    r"\b(?:is|are|was|were) said\b": "is reported, is stated",
    r"\bhave not (?:the|a|an)\b|\bhas not (?:the|a|an|got)\b": "lack, lacks",
    r"(?:^|[,;(] ?)as of (?!(?:today|now|version)\b)": "for example; that of",
    r", else (?!if\b)": ", otherwise",
    r"\bso many (?:at|cells|items|products|rows|lines|samples|states)\b": "a number: up to 4,096 rows",
    r"\bnothing but\b": "only",
    r"\bthere to be\b|\bbe there where\b": "be present",
    r"\bmemory bears\b|\bline bears\b": "holds",
    r"(?<![Tt]here )\b(?:is|are) no (?!such|longer|more|less|wider|farther|room|time|part|limit|change|other)"
    r"(?!agreement|competitor|contradiction|correlation|obstacle)\w+": "is not a",
    r"\b[Hh](?:as|ave) not(?= [\d{]|[.,;:])": "does not have",
    r"\b[Hh](?:old|olds|eld)\b[^.\"`]{0,45} against\b": "compare with",
    r"\bAs of `": "As for",
    r"\bThere (?:is|are) such\b": "the thing that is there",
}
"""Patterns, and what to write instead."""
QUESTION = re.compile(r"(?:What|Which|How|When|Where|Who|Whether|If|By how)\b")
PROSE = ("docs", "README.md", "CHANGELOG.md")
CODE = ("tools", "tests", "bench")
"""Folders of which summaries alone are checked."""


def complaints(path: Path) -> Iterator[str]:
    """Complaints about one file, as ``path:line: text`` lines."""
    text = path.read_text(encoding="utf-8")
    where = path.relative_to(ROOT)
    found = _of_python(text) if path.suffix == ".py" else enumerate(text.splitlines(), start=1)
    for number, words in found:
        for pattern, plainer in PHRASES.items():
            if match := re.search(pattern, " ".join(words.split())):
                yield f"{where}:{number}: {match[0]!r}; write: {plainer}"
    if path.suffix == ".py":
        yield from _asked(path)
        late = (each for each in _summaries(text) if each[1].startswith("Of "))
        yield from (f"{where}:{number}: the subject comes first: {summary}" for number, summary in late)


def _asked(path: Path) -> list[str]:
    """Complaints about summaries that ask."""
    text, where = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
    asked = (each for each in _summaries(text) if QUESTION.match(each[1]))
    return [f"{where}:{number}: summary asks: {summary}" for number, summary in asked]


def _of_python(text: str) -> Iterator[tuple[int, str]]:
    """Each string literal with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _summaries(text: str) -> Iterator[tuple[int, str]]:
    """The first line of each docstring with the line of what it describes."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield getattr(node, "lineno", 1), (ast.get_docstring(node) or "").partition("\n")[0]


def main() -> int:
    """Print every complaint; 1 when there is one."""
    files = [*(ROOT / "src").rglob("*.py")]
    for name in PROSE:
        files += sorted((ROOT / name).rglob("*.md")) if (ROOT / name).is_dir() else [ROOT / name]
    found = [line for path in sorted(files) for line in complaints(path)]
    for path in sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        found += _asked(path)
    print("\n".join(found) or "no phrase to mend in any docstring, message or guide")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
