"""Write the imports of metrics in the public modules of tasks, such as certus.classification, from the declarations.

Also certus.metrics._homes, by which a metric is found without importing all others.

python tools/make_faces.py            write them
python tools/make_faces.py --check    say which modules are not fresh, and exit 1 if any
"""

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

from certus.metrics import declared
from certus.tasks import names

SOURCE = Path(__file__).resolve().parents[1] / "src" / "certus"
WIDTH = 120


def face(task: str, text: str) -> str:
    """The text of a task's module, with the imports of its metrics and their names in ``__all__``."""
    families: dict[str, set[str]] = {}
    for metric in declared(task):
        if not metric.__module__.startswith(f"certus.metrics.{task}."):
            continue  # one of somebody's own
        families.setdefault(f"certus.metrics.faces.{task}", set()).add(metric.function_name)
    metrics = {name for names in families.values() for name in names}
    tree, lines = ast.parse(text), text.splitlines()
    replaced: list[tuple[int, int, list[str]]] = []
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and _is_family(node, task)]
    for node in imports:
        # What is not a metric stays, such as a helper, as long as there is one of that name.
        others = {each.name for each in node.names if hasattr(sys.modules.get(str(node.module)), each.name)} - metrics
        known = families.pop(str(node.module), set()) | others
        replaced.append((node.lineno, node.end_lineno or 0, _import(str(node.module), known) if known else []))
    new = [line for module, names in sorted(families.items()) for line in _import(module, names)]
    if new:
        last = max(node.end_lineno or 0 for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
        replaced.append((last + 1, last, new))
    for public in tree.body:
        if isinstance(public, ast.Assign) and ast.unparse(public.targets[0]) == "__all__":
            gone = {each.name for node in imports for each in node.names} - _names(replaced)
            names = sorted((set(ast.literal_eval(public.value)) - gone) | metrics, key=_rank)
            replaced.append((public.lineno, public.end_lineno or 0, _listed("__all__ = [", names, "]", '"')))
    for first, end, text_lines in sorted(replaced, reverse=True):
        lines[first - 1 : end] = text_lines
    return "\n".join(lines) + "\n"


def homes() -> str:
    """The text of certus.metrics._homes: the module of each name and alias of certus's own metrics."""
    lines = [
        '"""The module of each metric by its names and aliases, written by tools/make_faces.py."""\n',
        "HOMES: dict[str, dict[str, str]] = {",
    ]
    for task in names():
        lines.append(f'    "{task}": {{')
        for metric in declared(task):
            package, _, module = metric.__module__.rpartition(".")
            if package == f"certus.metrics.{task}":
                plain = [name for name in (metric.name, *metric.aliases) if "{" not in name]
                lines += [f'        "{name}": "{module}",' for name in plain]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def _is_family(node: ast.ImportFrom, task: str) -> bool:
    package, _, module = (node.module or "").rpartition(".")
    return node.module == f"certus.metrics.faces.{task}" or (
        package == f"certus.metrics.{task}" and not module.startswith("_")
    )


def _names(replaced: Iterable[tuple[int, int, list[str]]]) -> set[str]:
    found = ast.parse("\n".join("\n".join(lines) for _, _, lines in replaced)).body
    return {each.name for node in found if isinstance(node, ast.ImportFrom) for each in node.names}


def _rank(name: str) -> tuple[int, str]:
    """As ruff orders names: constants, classes, the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _import(module: str, names: Iterable[str]) -> list[str]:
    ordered = sorted(names, key=_rank)
    line = f"from {module} import {', '.join(ordered)}"
    return [line] if len(line) <= WIDTH else _listed(f"from {module} import (", ordered, ")", "")


def _listed(before: str, names: Iterable[str], after: str, quote: str) -> list[str]:
    """A list as ruff formats it."""
    quoted = [f"{quote}{name}{quote}" for name in names]
    line = f"{before}{', '.join(quoted)}{after}"
    return [line] if len(line) <= WIDTH else [before, *(f"    {each}," for each in quoted), after]


def main() -> int:
    """Write the modules, or compare them."""
    stale = 0
    found = {f"{task}.py": face(task, (SOURCE / f"{task}.py").read_text(encoding="utf-8")) for task in names()}
    for name, made in (found | {"metrics/_homes.py": homes()}).items():
        path = SOURCE / name
        if made == path.read_text(encoding="utf-8"):
            continue
        stale += 1
        if "--check" in sys.argv[1:]:
            print(f"src/certus/{name} is not fresh; run `make docs`")
        else:
            path.write_text(made, encoding="utf-8")
            print(f"wrote src/certus/{name}")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
