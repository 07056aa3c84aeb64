"""Write the stubs that are made: of metrics and reports from declarations, of certus itself from its list of names.

src/certus/TASK.pyi, src/certus/entry/reports.pyi and src/certus/__init__.pyi.

python tools/make_stubs.py            write them
python tools/make_stubs.py --check    say which are not fresh, and exit 1 if any

By them editors complete ``ndcg(qrels, run, cutoff=10)``, and mypy refuses ``cutof=10``, ``undefined="skp"`` and
``roc_auc()``.
"""

import ast
import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import certus
from certus.entry._evaluate import report_of
from certus.metrics import Metric, declared
from certus.metrics.check import Gains
from certus.metrics.declaration import hints_of
from certus.tasks import Argument, Task, tasks

SOURCE = Path(__file__).resolve().parents[1] / "src"
EACH: Mapping[str, object] = {"average": None, "multioutput": "raw_values"}
"""The value of a parameter by which a metric gives each class or each output by itself."""
RANKED = ("qrels: QrelsLike", "run: RunLike")
HEAD = """\
# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import {data}
from certus.inference import Estimate, Estimates
{io}from certus.metrics import Metric
"""


def text_of(annotation: Any, without: tuple[object, ...] = ()) -> str:
    """The annotation as a stub writes it, without some of its values."""
    if annotation == Gains:
        return "Mapping[int, float] | tuple[tuple[int, float], ...]"
    if get_origin(annotation) is Annotated:
        return text_of(get_args(annotation)[0], without)
    if annotation is None or annotation is type(None):
        return "" if None in without else "None"
    if get_origin(annotation) is Literal:
        values = [f'"{each}"' if isinstance(each, str) else repr(each) for each in get_args(annotation)]
        kept = [value for value, each in zip(values, get_args(annotation), strict=True) if each not in without]
        return f"Literal[{', '.join(kept)}]" if kept else ""
    if get_origin(annotation) is tuple:
        return f"tuple[{', '.join('...' if each is ... else text_of(each) for each in get_args(annotation))}]"
    if get_args(annotation):
        return " | ".join(dict.fromkeys(filter(None, (text_of(each, without) for each in get_args(annotation)))))
    return str(getattr(annotation, "__name__", annotation))


def _choice(argument: Argument) -> Any:
    """The type of an argument that is one of some choices."""
    return bool if argument.holds == "flag" else Literal[argument.choices]


def conventions(metric: Metric, task: Task) -> dict[str, str]:
    """Options of every call beside the parameters, as far as this metric takes them."""
    known = inspect.signature(metric).parameters
    open_ended = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())
    found = {}
    for each in task.conventions:
        if open_ended or each.name in known:
            found[each.name] = text_of(_choice(each)) if each.choices else "Any"
    return found | dict.fromkeys(metric.keywords_of_sets, "Any")


def calls(metric: Metric, task: Task) -> Iterator[str]:
    """The ways to call a metric: on its data or on prepared ones; each class by itself, or not."""
    hints = hints_of(inspect.unwrap(metric))
    own = {name: hints[name] for name in metric.parameters}
    required = {name for name, each in metric.parameters.items() if name not in metric.conventions}
    told = conventions(metric, task)
    prepared = " | ".join(sorted(kind.__name__ for kind in metric.input_types))
    names = metric.arguments
    forms = [(list(RANKED) if metric.task == "ranking" else [_argument(metric, name) for name in names], told)]
    if "contingency" in told:
        forms = [(data, {name: kind for name, kind in told.items() if name != "contingency"}) for data, told in forms]
        forms.append(([], {"contingency": "Any"}))
    if len(names) != 1 and not metric.takes_one_column:  # one argument of any type takes prepared data, too
        forms.append(([f"data: {prepared}", "/"], {}))
    for data, beside in forms:
        for name, value in EACH.items():
            if name in own and text_of(own[name]) != text_of(own[name], (value,)):
                some = text_of(own[name], (value,))
                only = "None" if value is None else f'Literal["{value}"]'
                default = metric.parameters[name].default == value
                yield _call(data, own, required, beside, {name: (some, default)}, "Estimate")
                yield _call(data, own, required, beside, {name: (only, not default)}, "Estimates")
                break
        else:
            yield _call(data, own, required, beside, {}, "Estimate")


def _argument(metric: Metric, name: str) -> str:
    is_optional = inspect.signature(metric).parameters[name].default is None
    return f"{name}: Any = ..." if is_optional else f"{name}: Any"


def _call(
    data: list[str],
    own: Mapping[str, Any],
    required: set[str],
    beside: Mapping[str, str],
    instead: Mapping[str, tuple[str, bool]],
    result: str,
) -> str:
    keywords = []
    for name, annotation in own.items():
        kind, must = instead.get(name, (text_of(annotation), name in required))
        keywords.append(f"{name}: {kind}" + ("" if must else " = ..."))
    # A contingency table is what the call is about: it must be there.
    keywords += [f"{name}: {kind}" + ("" if data == [] else " = ...") for name, kind in beside.items()]
    arguments = ["self", *data, *(["*", *keywords] if keywords else [])]
    return f"    def __call__({', '.join(arguments)}) -> {result}: ..."


def members(metric: Metric, task: Task) -> str:
    """The lines of a metric for a type checker: the ways to call it, and to set its parameters."""
    hints = hints_of(inspect.unwrap(metric))
    chosen = "".join(f", {name}: {text_of(hints[name])} = ..." for name in metric.parameters)
    ways = list(dict.fromkeys(calls(metric, task)))
    over = "    @overload\n" if len(ways) > 1 else ""
    using = f"    def using(self{', *' if chosen else ''}{chosen}) -> Self: ...  # type: ignore[override]"
    return "\n".join([*(over + way for way in ways), using])


def stub(task: Task) -> str:
    """The text of a task's stub. Metrics that are called alike have one class, named after the first of them."""
    metrics = sorted(declared(task.name), key=lambda metric: metric.function_name)
    alike: dict[str, list[Metric]] = {}
    for metric in metrics:
        alike.setdefault(members(metric, task), []).append(metric)
    kinds = sorted({kind.__name__ for metric in metrics for kind in metric.input_types})
    io = "from certus.io.rankings import QrelsLike, RunLike\n" if task.name == "ranking" else ""
    parts = [HEAD.format(data=", ".join(kinds), io=io) + "".join(f"{line}\n" for line in _imports(task))]
    types: dict[str, str] = {}
    for body, same in alike.items():
        name = f"_{'like_' * (len(same) > 1)}{same[0].function_name}"
        parts.append(f"class {name}(Metric):\n{body}\n")
        types |= {metric.function_name: name for metric in same}
    public = sorted(import_module(f"certus.{task.name}").__all__)
    parts += [f"{metric.function_name}: {types[metric.function_name]}" for metric in metrics]
    return "\n".join([*parts, f"__all__ = {json.dumps(public)}", ""])


def _imports(task: Task) -> Iterator[str]:
    """Export the functions that the module of a task has beside its metrics."""
    for node in ast.parse((SOURCE / "certus" / f"{task.name}.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module not in ("certus.metrics.declaration", "certus.core.lazy"):
            names = ", ".join(f"{alias.name} as {alias.asname or alias.name}" for alias in node.names)
            yield f"from {node.module} import {names}"


def stub_of_reports() -> str:
    """The text of the stub of the reports of all tasks."""
    lines = [
        "# Written by `make docs` from the declarations of the tasks; do not edit.",
        "from typing import Any, Literal",
        "",
        "from certus.metrics.names import Metrics",
        "from certus.table import Table",
        "",
    ]
    for task in tasks():
        told, choices = [], {each.name: _choice(each) for each in (*task.conventions, *task.options) if each.choices}
        for each in inspect.signature(report_of(task)).parameters.values():
            if each.kind is each.KEYWORD_ONLY and "*" not in told:
                told.append("*")
            kind = "Metrics | None" if each.name == "metrics" else "Any"
            if each.name in choices:
                kind = text_of(choices[each.name] | None)
            elif each.annotation is not each.empty:
                kind = text_of(each.annotation)
            told.append(f"{each.name}: {kind}" + ("" if each.default is each.empty else " = ..."))
        lines.append(f"def {task.name}({', '.join(told)}) -> Table: ...")
    return "\n".join([*lines, ""])


def stub_of_certus() -> str:
    """The text of the stub of certus itself: its names are imported when first used, so a type checker sees none."""
    modules = {module: names for module, names in (certus._PUBLIC | certus._INSIDE).items() if module != "core.kernels"}
    return "\n".join(
        [
            "# Written by `make docs` from the names listed in __init__.py; do not edit.",
            f"from certus import {', '.join(certus._PUBLIC)}",
            *(f"from certus.{module} import {', '.join(names)}" for module, names in modules.items() if names),
            "",
            "__version__: str",
            "_PUBLIC: dict[str, tuple[str, ...]]",
            "_INSIDE: dict[str, tuple[str, ...]]",
            f"__all__ = {json.dumps(certus.__all__)}",
            "",
        ]
    )


def main() -> int:
    """Write the stubs, or compare them."""
    stale = 0
    stubs = {f"{task.name}.pyi": stub(task) for task in tasks()}
    stubs |= {"entry/reports.pyi": stub_of_reports(), "__init__.pyi": stub_of_certus()}
    for name, text in stubs.items():
        path = SOURCE / "certus" / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        shown = path.relative_to(SOURCE.parent).as_posix()
        if "--check" in sys.argv[1:]:
            print(f"{shown} is not fresh; run `make docs`")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {shown}")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
