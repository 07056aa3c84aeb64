"""Write what is generated in docs/, from the declarations: metrics of each task, names, tables of methods.

python tools/make_docs.py            write the pages
python tools/make_docs.py --check    say which pages are not fresh, and exit 1 if any
"""

import re
import sys
from importlib import import_module
from pathlib import Path

import method_tables
import names_page

from certus.metrics import Metric, declared
from certus.tasks import Task, tasks

DOCS = Path(__file__).resolve().parents[1] / "docs"
TAKES = {
    "Labels": "predicted labels",
    "Multilabel": "tables of predicted labels",
    "Scores": "a score per sample",
    "ClassScores": "scores",
    "Probabilities": "probabilities",
    "MultilabelScores": "tables of scores",
    "LabelGrades": "tables of scores",
}
"""Data of a metric of classification, beside the truth."""


def bounds(metric: Metric) -> str:
    """The range of a metric's values, as `[0, 1]`."""
    low, high = (f"{bound:g}".replace("inf", "∞") for bound in metric.bounds)
    return f"{'(' if '∞' in low else '['}{low}, {high}{')' if '∞' in high else ']'}"


def direction(metric: Metric) -> str:
    """The better values: higher or lower."""
    return f"{metric.better} is better" if metric.better else "neither direction is better"


def prose(metric: Metric) -> str:
    """The docstring up to its first section, as Markdown."""
    text = re.split(r"\n\n(?=[A-Z][\w ]+\n-{3,}\n)", metric.__doc__ or "", maxsplit=1)[0]
    return re.sub(r"^::\n\n", "", text, flags=re.MULTILINE).replace("::\n", ":\n").strip()


def parameters(metric: Metric) -> list[str]:
    """One line a parameter: its name, what it accepts, its default and what the docstring says of it."""
    section = re.search(r"Parameters\n-{3,}\n(.*?)(?=\n\n[A-Z][\w ]+\n-{3,}\n|\Z)", metric.__doc__ or "", re.DOTALL)
    entries = re.findall(
        r"^(\w[\w, ]*?)(?: :.*)?\n((?:[ ]+.*\n?|\n)+)", f"{section[1]}\n" if section else "", re.MULTILINE
    )
    said = {name.strip(): " ".join(text.split()) for names, text in entries for name in names.split(",")}
    lines = []
    for name, parameter in metric.parameters.items():
        default = f"default `{metric.conventions[name]!r}`" if name in metric.conventions else "must be given"
        lines.append(f"- `{name}`: {parameter.accepts}; {default}. {said.get(name, '')}".rstrip())
    return lines


def section(metric: Metric) -> str:
    """Section of the page on one metric."""
    parts = [f"## {metric.name}", prose(metric)]
    if lines := parameters(metric):
        parts.append("\n".join(lines))
    function = getattr(metric, "__name__", "")
    facts = [f"In Python `certus.{metric.task}.{function}`. Range {bounds(metric)}, {direction(metric)}."]
    if given := [TAKES[kind.__name__] for kind in metric.input_types if kind.__name__ in TAKES]:
        facts.append(f"Computed from {' or '.join(dict.fromkeys(given))}.")
    if metric.aliases:
        facts.append(f"Also called {', '.join(f'`{name}`' for name in metric.aliases)}.")
    if metric.spellings:
        facts.append(f"In [other tools](../names.md): {', '.join(f'`{name}`' for name in metric.spellings)}.")
    if metric.source:
        facts.append(f"Source: {metric.source}.")
    return "\n\n".join([*parts, " ".join(facts)])


def check_face(metric: Metric) -> None:
    """Every metric is a function of its task's module."""
    face = import_module(f"certus.{metric.task}")
    if getattr(face, getattr(metric, "__name__", ""), None) != metric:
        raise SystemExit(f"{metric.name} is not a function of {face.__name__}")


def introduction(task: Task) -> str:
    """Names of the metrics of a task, and their place."""
    table = "" if task.name == "ranking" else f" --task {task.name}"
    options = "" if task.name == "ranking" else f', task="{task.name}"'
    return f"""\
Written by `make docs` from the declarations; do not edit. Each name works in `certus evaluate{table} -m`, in
`certus.parse(name{options})` and in `certus.evaluate`, and each metric is a function of
`certus.{task.name}`. Parameters stand in parentheses: {task.example}.{shared(task)}
"""


def shared(task: Task) -> str:
    """A sentence on what the metrics have in common, with the page that has it."""
    if task.name == "ranking":
        return f" In them {task.about}"
    what = f": {task.about}" if task.about else "."
    return f" Their common parts are in\n[the guide](../{task.name}.md){what}"


def page(task: Task) -> str:
    """The whole page of a task."""
    metrics = declared(task.name)
    rows = ["| name | | parameters |", "|---|---|---|"]
    for metric in metrics:
        check_face(metric)
        anchor = re.sub(r"[^\w-]", "", metric.name.lower())
        names = ", ".join(f"`{name}`" for name in metric.parameters)
        rows.append(f"| [{metric.name}](#{anchor}) | {metric.summary} | {names} |")
    return (
        "\n\n".join(
            [f"# {task.name.capitalize()} metrics", introduction(task).strip(), "\n".join(rows), *map(section, metrics)]
        )
        + "\n"
    )


def main() -> int:
    """Write the pages, or compare them."""
    stale = []
    pages = {DOCS / "metrics" / f"{task.name}.md": page(task) for task in tasks()}
    for path, text in (pages | method_tables.fresh() | names_page.fresh()).items():
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(DOCS.parent)}")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(f"{path.relative_to(DOCS.parent)} is not fresh; run `make docs`")
    for line in stale:
        print(line)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
