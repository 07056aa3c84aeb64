"""Sources of certus: imports that the contracts in pyproject.toml see, in no circle, and no silenced linter."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src"
BY_NAME = {
    "certus/__init__.py": "its names are imported when first used",
    "certus/compat/__init__.py": "its faces are imported when first used",
    "certus/inference/declare.py": "the modules of one package, each with the interval methods of a form",
    "certus/cli/app.py": "the modules of the package, each with a command",
    "certus/cli/_declare.py": "the user names modules",
    "certus/core/lazy.py": "the names of a package are imported when first used",
    "certus/core/frames.py": "the user names a library of tables",
    "certus/io/formats.py": "a pickle names the module of a format",
    "certus/core/registry.py": "the modules of one package, each with metrics or a task",
}
"""Files that import a module whose name they do not write out."""


class Import(NamedTuple):
    module: str
    imported: str
    late: bool
    """Inside a function: when it is called."""


def _modules() -> dict[str, Path]:
    found = {}
    for path in (SOURCE / "certus").rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


@cache
def trees() -> dict[str, ast.Module]:
    """The modules, parsed when a test asks for them and not by each worker that collects it."""
    return {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}


def _imports(module: str, node: ast.AST, late: bool = False) -> Iterator[Import]:
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.stmt | ast.excepthandler | ast.match_case):
            continue  # an expression imports nothing
        if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test):
            continue
        names = []
        if isinstance(each, ast.Import):
            names = [one.name for one in each.names]
        if isinstance(each, ast.ImportFrom):
            full = [f"{each.module}.{one.name}" for one in each.names]
            names = [name if name in MODULES else str(each.module) for name in full]
        yield from (Import(module, name, late) for name in names if name in MODULES)
        yield from _imports(module, each, late or isinstance(each, ast.FunctionDef))


@cache
def every_import() -> list[Import]:
    return [
        each for module, tree in trees().items() for each in (*_imports(module, tree), *_imports_by_name(tree, module))
    ]


def _imports_by_name(tree: ast.Module, module: str) -> Iterator[Import]:
    """Yield the modules that `certus.core.lazy.later` imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "later":
            imported, name = map(ast.literal_eval, node.args)
            assert name in {getattr(each, "name", None) for each in trees()[imported].body}, f"{imported}.{name}"
            yield Import(module, imported, True)


def _acyclic(imports: list[Import]) -> None:
    graph: dict[str, set[str]] = {}
    for each in imports:
        graph.setdefault(each.module, set()).add(each.imported)
    TopologicalSorter(graph).prepare()  # a CycleError shows the circle


def test_the_imports_are_found() -> None:
    assert Import("certus.curves.rates", "certus.plot.threshold_curves", True) in every_import()
    assert Import("certus.curves._curve", "certus.data", False) in every_import()
    assert not any(
        each.imported == "certus.curves" for each in every_import() if each.module == "certus.plot.threshold_curves"
    )


def test_no_modules_import_each_other_in_a_circle_when_they_load() -> None:
    _acyclic([each for each in every_import() if not each.late])


def test_no_import_in_a_function_closes_a_circle() -> None:
    _acyclic(every_import())


def test_no_module_of_certus_is_imported_by_a_string() -> None:
    for module, tree in trees().items():
        where = MODULES[module].relative_to(SOURCE).as_posix()
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if ast.unparse(node.func) not in ("import_module", "importlib.import_module", "__import__"):
                continue
            argument = node.args[0]
            if isinstance(argument, ast.Constant):
                assert not str(argument.value).startswith("certus"), f"{where}:{node.lineno}"
            else:
                assert where in BY_NAME, f"{where}:{node.lineno}"


def test_a_private_module_is_imported_by_its_own_package_only() -> None:
    for each in every_import():
        *above, name = each.imported.split(".")
        for position, part in enumerate([*above, name]):
            if part.startswith("_") and part != "__main__":
                owner = ".".join(above[:position])
                assert f"{each.module}.".startswith(f"{owner}."), f"{each.module} imports {each.imported}"


def test_no_package_defines_what_one_of_its_modules_is_called() -> None:
    """The module takes the name when it is imported, and what was defined can no longer be pickled."""
    for module, path in _modules().items():
        if path.name == "__init__.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            defined = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
            assert not {name for name in defined if f"{module}.{name}" in _modules()}, module


def test_no_linter_is_told_to_be_silent() -> None:
    for path in MODULES.values():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not re.search(r"#\s*(noqa|type: ignore|pyright:|fmt: off)", line), f"{path.name}:{number}"


def test_no_file_of_the_sources_is_longer_than_700_lines() -> None:
    folders = SOURCE / "certus", SOURCE.parent / "crates"
    files = [each for folder in folders for each in folder.rglob("*.*") if each.suffix in (".py", ".rs", ".js", ".css")]
    long = {each.name: lines for each in files if (lines := len(each.read_text(encoding="utf-8").splitlines())) > 700}
    assert files
    assert long == {}


def _rust_imports(crate: Path) -> Iterator[tuple[str, str]]:
    """Pairs of modules of a crate, the first of which names the second outside its tests."""
    sources = {}
    for path in (crate / "src").rglob("*.rs"):
        parts = path.relative_to(crate / "src").with_suffix("").parts
        sources["::".join(parts[:-1] if parts[-1] in ("mod", "lib") else parts)] = path
    for module, path in sources.items():
        text = re.split(r"#\[cfg\(test\)\]\n(?:#.*\n)*mod tests", path.read_text(encoding="utf-8"))[0]
        code = re.sub(r"//.*", "", text)
        code = re.sub(r"use (\w+)::\{([^}]*)\}", lambda use: f"{use[1]}::" + use[2].replace(", ", f" {use[1]}::"), code)
        parent = module.rpartition("::")[0]
        paths = re.findall(r"\bcrate::([a-z_0-9:]+)", code)
        paths += [f"{parent}::{path}".removeprefix("::") for path in re.findall(r"\bsuper::([a-z_0-9:]+)", code)]
        for path_in_code in paths:
            steps = path_in_code.strip(":").split("::")
            names = ("::".join(steps[:length]) for length in range(len(steps), 0, -1))
            named = next((name for name in names if name in sources), module)
            if named != module and sources[named].name != "mod.rs":
                yield module, named


@pytest.mark.parametrize("crate", ["certus-core", "certus-py"])
def test_no_rust_modules_name_each_other_in_a_circle(crate: str) -> None:
    imports = list(_rust_imports(SOURCE.parent / "crates" / crate))
    assert len(imports) > 30
    _acyclic([Import(module, imported, late=False) for module, imported in imports])
