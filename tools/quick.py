"""Run the tests nearest to what a change touches, for at most a minute: `make quick`.

The files that differ from the branch it left (or, without one, from the last commit) are looked up in the graph of
imports. Tests of the changed files come first, with the generic ones of their folder (test_every_...), since metrics
are imported by name; then the tests that import them, then those that import what imports them, until the time is up.
It prints how many files of tests were run; `make test` runs all.

    python tools/quick.py --seconds 50 --base main
"""

import argparse
import ast
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
AT_ONCE = 8
"""Files that one run of pytest takes."""


def changed(base: str) -> list[str]:
    """The files that differ from the common ancestor with `base`, and those that git does not know yet."""
    ancestor = _git("merge-base", "HEAD", base) or ["HEAD"]
    return sorted({*_git("diff", "--name-only", ancestor[0]), *_git("ls-files", "--others", "--exclude-standard")})


def _git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.split("\n")[:-1] if run.returncode == 0 else []


def nearest(files: Iterable[str]) -> list[str]:
    """Files of tests that see one of the files, the nearest first."""
    tests = [
        path for path in (ROOT / "tests").rglob("test_*.py") if not {"sklearn_suite", "peer_suites"} & {*path.parts}
    ]
    imports = {str(path.relative_to(ROOT)): imported(path) for path in tests}
    graph = grimp.build_graph("certus")
    reached = {name: 0 for name in files if name in imports}
    for file in files:
        module = _module(file)
        if module is None:
            continue
        folder = Path("tests", *Path(file).parts[2:-1])
        generic = [name for name in imports if Path(name).name.startswith("test_every_")]
        reached |= {name: 1 for name in generic if Path(name).parent in (folder, *folder.parents)}
        if module not in graph.modules:
            continue
        own = f"test_{Path(file).stem.lstrip('_')}.py"
        near = {module: 1, **dict.fromkeys(graph.find_downstream_modules(module), 3)}
        near |= dict.fromkeys(graph.find_modules_that_directly_import(module), 2)
        for name, seen in imports.items():
            steps = [near[each] for each in seen if each in near]
            if Path(name).name == own:
                steps.append(0)
            if steps:
                reached[name] = min([*steps, reached.get(name, 9)])
    return sorted(reached, key=lambda name: (reached[name], name))


def _module(file: str) -> str | None:
    path = Path(file)
    if path.suffix != ".py" or path.parts[:2] != ("src", "certus"):
        return None
    parts = path.with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """The modules of certus that a file imports, as far as its text says."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.split(".")[0] == "certus"}


def run(files: Sequence[str], seconds: float) -> int:
    """The exit status of the first run of pytest that fails; 0 if none does in that time."""
    end = time.monotonic() + seconds
    for start in range(0, len(files), AT_ONCE):
        left = end - time.monotonic()
        if left <= 5:
            print(f"{start} of {len(files)} files of tests were run in {seconds:g} s; `make test` runs all")
            return 0
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "auto", *files[start : start + AT_ONCE]]
        try:
            status = subprocess.run(command, cwd=ROOT, timeout=left, check=False).returncode
        except subprocess.TimeoutExpired:
            print(
                f"cut off after at least {start} of {len(files)} files of tests in {seconds:g} s; `make test` runs all"
            )
            return 0
        if status:
            return status
    print(f"all {len(files)} files of tests that see the change were run")
    return 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Run the tests nearest to what a change touches.")
    parser.add_argument("--seconds", type=float, default=50.0, help="for how long (default: 50)")
    parser.add_argument("--base", default="origin/main", help="branch to compare with (default: origin/main)")
    asked = parser.parse_args()
    files = nearest(changed(asked.base))
    if not files:
        print("no file of tests sees what was changed; `make test` runs all")
    return run(files, asked.seconds)


if __name__ == "__main__":
    sys.exit(main())
