"""Check docstrings, messages, guides and names for what is not plain English (`make check`).

The rules are those of the house style that a machine can see: a summary states the thing (it does not ask What, Which
or How, and its subject comes first), and a few phrases have a plainer form, which is printed with the complaint.

Names and summaries are counted, too. A vague name is a bare participle, pronoun, determiner, preposition or adverb: it
says that something happened, not what the thing is (`told`, `made`, `own`, `_of`). A weak summary opens with "The
same", "This", "For", "True if it", or chains three times "of". `BUDGET` has the numbers that are left; they only fall.

    python tools/check_words.py
    python tools/check_words.py --names [FOLDER ...]     # the counts, with the names
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
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

VAGUE = set(
    """
told made found given said asked known kept held taken drawn stated shown settled called done seen met got put set_
listed named summed filled moved counted checked inverted numbered ordered_ placed added split_ spent formed
one own each others some both whole part_ rest few most least many next_
apart together alone above below within beyond between among over under upto at of by_ in_ on_ from_ to_ with_ than
so_ as_ it its they them that this these those which what why how way ways thing things stuff
plain bare usual odd even_ alike same like looks look worth takes take gives give goes go tells tell
place places sides ends sorts kinds
""".split()  # noqa: SIM905 - read as a text
)
JOINING = {"in", "on", "by", "to", "from", "with", "and", "no", "not"}
"""Words that join others in a name."""
ALLOWED_ARGUMENTS = {"self", "cls", "other", "by"}
"""Arguments that Python and data frames call so."""
OPENS = re.compile(r"(The same|This|These|That|Those|It|They|Of|For|In|What|Which|How|Whether|True if it|The other)\b")
BUDGET = {
    "modules": 0,
    "classes": 0,
    "functions": 21,
    "arguments": 47,
    "attributes": 4,
    "variables": 154,
    "summaries": 0,
}
"""Vague names and weak summaries of src/certus that are left."""


def is_vague(name: str) -> bool:
    """True if every word of the name (split at underscores, capitals, digits) is a vague one."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return bool(words) and all(word in VAGUE or word in JOINING for word in words)


def is_weak(summary: str) -> bool:
    """True if a first line cannot be understood by itself."""
    return bool(OPENS.match(summary)) or len(re.findall(r"\bof\b", summary)) >= 3


def _names(file: Path, tree: ast.AST) -> Iterator[tuple[str, str]]:
    """All names that a file binds, and the first lines of its docstrings, each with its kind."""
    yield "modules", file.stem
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield "functions", name
            case ast.ClassDef(name=name):
                yield "classes", name
            case ast.arg(arg=name) if name not in ALLOWED_ARGUMENTS:
                yield "arguments", name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield "attributes", name
            case ast.Name(id=name, ctx=ast.Store()):
                yield "variables", name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            summary = (ast.get_docstring(node) or "").partition("\n")[0]
            if summary:
                yield "summaries", summary


def count_names(folders: Iterable[Path]) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """The vague names and weak summaries by kind, and how many there are of each kind in all."""
    vague: dict[str, Counter[str]] = {kind: Counter() for kind in BUDGET}
    totals: Counter[str] = Counter()
    for file in sorted(path for folder in folders for path in folder.rglob("*.py")):
        for kind, text in _names(file, ast.parse(file.read_text(encoding="utf-8"))):
            totals[kind] += 1
            if is_weak(text) if kind == "summaries" else is_vague(text):
                vague[kind][text] += 1
    return vague, totals


def over_budget() -> Iterator[str]:
    """A complaint for each kind of which more is vague than the budget says, or less."""
    vague, _ = count_names([ROOT / "src" / "certus"])
    for kind, budget in BUDGET.items():
        count = vague[kind].total()
        if count > budget:
            names = ", ".join(f"{name} ({n})" for name, n in vague[kind].most_common(12))
            yield f"{count} vague {kind}, {budget} were left; name what the thing is: {names}"
        elif count < budget:
            yield f"{count} vague {kind} are left: lower BUDGET in tools/check_words.py from {budget}"


def print_names(folders: Iterable[Path]) -> None:
    """Print the counts with the names that occur most, and all weak summaries."""
    vague, totals = count_names(folders)
    for kind, names in vague.items():
        count = names.total()
        listed = "" if kind == "summaries" else ", ".join(f"{name} {n}" for name, n in names.most_common(15))
        print(f"{kind:<11}{count:6} of {totals[kind]:6} ({count / max(totals[kind], 1):.1%}) {listed}")
    print(*vague["summaries"], sep="\n")


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
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--names", nargs="*", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.names is not None:
        print_names(options.names or [ROOT / "src" / "certus"])
        return 0
    files = [*(ROOT / "src").rglob("*.py")]
    for name in PROSE:
        files += sorted((ROOT / name).rglob("*.md")) if (ROOT / name).is_dir() else [ROOT / name]
    found = [line for path in sorted(files) for line in complaints(path)]
    for path in sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        found += _asked(path)
    found += over_budget()
    print("\n".join(found) or "no phrase to mend in any docstring, message or guide")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
