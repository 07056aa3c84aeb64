"""The tables of docs/ about inference methods and formats, from their declarations; make_docs.py writes them."""

import re
from collections.abc import Callable
from pathlib import Path

from certus.inference.declare import declared
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.declare import MEANS, TESTS_BY_KIND
from certus.inference.tests.means import DEFAULT_TEST
from certus.io import formats as files
from certus.io import logs as tools

__all__ = ["fresh"]

DOCS = Path(__file__).resolve().parents[1] / "docs"


def intervals() -> str:
    """One table a form of statistic: its methods, what they are, what they promise, where they come from."""
    parts = []
    for form, methods in sorted(declared(), key=lambda each: each[0].name):
        promise = f"[{{}}]({form.measured})" if form.measured else "{}"
        rows = [
            f"**{form.name[0].upper()}{form.name[1:]}**",
            "",
            "| method | name | limits | coverage | source |",
            "|---|---|---|---|---|",
        ]
        for method in methods.values():
            name = f"`{method.name}`" + (" (default)" if method.name == form.default and form.choose is None else "")
            guarantee = method.guarantee if method.guarantee == "exact" else promise.format(method.guarantee)
            cells = name, method.label, summary(method.summary), guarantee, method.source
            rows.append(f"| {' | '.join(cells)} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def summary(text: str) -> str:
    """The first line of a docstring as a cell of a table: without references into the code."""
    text = re.sub(r"[,;:]? see `[\w.]+`", "", text).removesuffix(".")
    return text.replace("``", "`").replace("|", "\\|")


def corrections() -> str:
    """The corrections: what each holds to the level, and what to know about it."""
    rows = ["| `correction=` | holds the chance of | note | source |", "|---|---|---|---|"]
    for each in CORRECTIONS.values():
        name = f"`{each.name}`" + (" (default)" if each.name == "holm" else "")
        rows.append(f"| {name} | {each.holds} | {each.note} | {each.source} |")
    return "\n".join(rows)


def tests() -> str:
    """The tests of means: what each takes for no difference, and what for granted."""
    rows = ["| `test=` | no difference means | assumes | p | source |", "|---|---|---|---|---|"]
    for each in TESTS_BY_KIND[MEANS].values():
        name = f"`{each.name}`" + (" (default for means)" if each.name == DEFAULT_TEST else "")
        rows.append(f"| {name} | {each.null} | {each.assumes} | {each.guarantee} | {each.source} |")
    return "\n".join(rows)


def tests_of_forms() -> str:
    """The tests that each form has, the default first."""
    rows = ["| what is compared | `test=` |", "|---|---|"]
    for kind, found in TESTS_BY_KIND.items():
        names = ", ".join(f"`{name}`" for name in found)
        rows.append(f"| {kind} | {names} |")
    return "\n".join(rows)


def own_intervals() -> str:
    """The interval that belongs to each test."""
    rows, known = ["| test | interval |", "|---|---|"], set()
    for found in TESTS_BY_KIND.values():
        for each in found.values():
            if each.note and each.name not in known:
                known.add(each.name)
                rows.append(f"| {each.label} | {each.note} |")
    rows.append("| permutation of predictions (F1, MCC by name) | none: `test='t'` has one |")
    return "\n".join(rows)


def formats() -> str:
    """The formats of runs and judgments, TREC's first: what a file holds, the word that asks for it, how it looks."""
    rows = ["| file | `format=` | form |", "|---|---|---|"]
    held = [each for each in files.FORMATS.values() if "results" not in each.forms]
    for each in sorted(held, key=lambda each: each.name != "trec"):
        same = len({*each.forms.values()}) == 1
        named = {
            each.title if same else f"{each.title} {kind}": form
            for kind, form in each.forms.items()
            if same or kind != "table"
        }
        rows += [f"| {title} | `{each.name}` | {form} |" for title, form in named.items()]
    return "\n".join(rows)


def logs() -> str:
    """The results of evaluation tools that are read, with what tells each."""
    held = [each for each in tools.FORMATS.values() if "results" in each.forms]
    return "\n".join(
        ["| tool | file |", "|---|---|", *(f"| {each.title} | {each.forms['results']} |" for each in held)]
    )


PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "intervals.md": {"interval methods": intervals},
    "compare.md": {
        "tests of means": tests,
        "tests of each form": tests_of_forms,
        "intervals of tests": own_intervals,
        "corrections": corrections,
    },
    "reading.md": {"formats": formats},
    "values.md": {"results of tools": logs},
}
"""By page, the parts that are generated, by the name in their marker."""


def fresh() -> dict[Path, str]:
    """Each page with its generated parts as they should be.

    Raises
    ------
    SystemExit
        A page lacks a marker.
    """
    pages = {}
    for page, parts in PARTS.items():
        path = DOCS / page
        text = path.read_text(encoding="utf-8")
        for name, made in parts.items():
            first, last = f"<!-- generated by make docs: {name} -->", f"<!-- end of {name} -->"
            if text.count(first) != 1 or text.count(last) != 1:
                raise SystemExit(f"docs/{page} must have the markers {first} and {last} once each")
            before, _, rest = text.partition(first)
            text = f"{before}{first}\n\n{made()}\n\n{last}{rest.partition(last)[2]}"
        pages[path] = text
    return pages
