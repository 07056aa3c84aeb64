"""Count names and summaries in Python sources that a reader cannot take in alone.

    python tools/plain.py [FOLDER ...] [--show N]

A vague name is a bare participle, pronoun, determiner, preposition or adverb: it says that something happened, not
what the thing is (`found`, `told`, `made`, `own`, `together`, `of`). A weak summary opens a docstring with "The same",
"This", "Of", "For", "True if" of a pronoun, or takes more than one chained "of". The counts are a measure, not a gate:
`str.join` in a loop over `each` is no sin, a function called `_of` is.
"""

import argparse
import ast
import re
from collections import Counter
from pathlib import Path

VAGUE = set(
    """
told made found given said asked known kept held taken drawn stated shown settled called done seen met got left put set_
listed named joined summed filled moved counted checked inverted numbered ordered_ placed added split_ spent formed
one own each other others all_ some any_ both whole part_ rest few most least many first second third last next_
apart together alone above below within beyond between among over under upto at of by_ in_ on_ from_ to_ with_ than
so_ as_ it its they them that this these those which what why how way ways thing things stuff
plain bare usual odd even_ alike same like looks look worth fits fit takes take gives give goes go tells tell
place places side sides ends sorts kinds
""".split()  # noqa: SIM905 - read as a text
)
VAGUE -= {"all_", "any_", "set_", "first", "second", "third", "last", "left", "fit", "fits", "other", "side", "joined"}
BETWEEN = {"in", "on", "by", "to", "from", "with", "and", "no", "not"}
"""Words that join others in a name."""
ALLOWED_ARGUMENTS = {"self", "cls", "other", "by"}  # `other` and `by` are usage of Python and of data frames

OPENS = re.compile(r"(The same|This|These|That|Those|It|They|Of|For|In|What|Which|How|Whether|True if it|The other)\b")


def vague(name: str) -> bool:
    """True if every word of the name (split at underscores, capitals, digits) is one of the vague words."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return bool(words) and all(word in VAGUE or word in BETWEEN for word in words)


def weak(summary: str) -> bool:
    """True if a first line cannot be understood by itself."""
    return bool(OPENS.match(summary)) or len(re.findall(r"\bof\b", summary)) >= 3


def main() -> None:
    """Print the counts, and the names and summaries that occur most."""
    reading = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reading.add_argument("folders", nargs="*", default=["src/certus"])
    reading.add_argument("--show", type=int, default=15)
    asked = reading.parse_args()
    kinds: dict[str, Counter[str]] = {
        k: Counter() for k in ("modules", "classes", "functions", "arguments", "attributes", "variables")
    }
    totals: Counter[str] = Counter()
    summaries: list[str] = []
    total_summaries = lines = code = files = 0
    for file in sorted(p for folder in asked.folders for p in Path(folder).rglob("*.py")):
        text = file.read_text()
        tree = ast.parse(text)
        files += 1
        totals["modules"] += 1
        if vague(file.stem):
            kinds["modules"][file.stem] += 1
        lines += text.count("\n")
        documented: set[int] = set()
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                documented |= {
                    n
                    for each in body
                    if isinstance(each, ast.Expr)
                    and isinstance(each.value, ast.Constant)
                    and isinstance(each.value.value, str)
                    for n in range(each.lineno, (each.end_lineno or each.lineno) + 1)
                }
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
                doc = ast.get_docstring(node)
                if doc:
                    total_summaries += 1
                    if weak(doc.splitlines()[0]):
                        summaries.append(f"{file}: {doc.splitlines()[0]}")
            where, name = None, ""
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                where, name = "functions", node.name
            elif isinstance(node, ast.ClassDef):
                where, name = "classes", node.name
            elif isinstance(node, ast.arg):
                if node.arg in ALLOWED_ARGUMENTS:
                    continue
                where, name = "arguments", node.arg
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                where, name = "attributes", node.attr
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                where, name = "variables", node.id
            if where:
                totals[where] += 1
                if vague(name):
                    kinds[where][name] += 1
        code += sum(
            1
            for i, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#") and i not in documented
        )
    print(f"{files} files, {lines} lines, {code} of code")
    for kind, found in kinds.items():
        n = sum(found.values())
        print(
            f"{kind:<11}{n:6} of {totals[kind]:6} vague ({n / max(totals[kind], 1):.1%}): "
            + ", ".join(f"{name} {count}" for name, count in found.most_common(asked.show))
        )
    print(f"summaries  {len(summaries):6} of {total_summaries:6} weak ({len(summaries) / max(total_summaries, 1):.1%})")
    for line in summaries[:: max(1, len(summaries) // max(asked.show, 1))][: asked.show]:
        print("   ", line)


if __name__ == "__main__":
    main()
