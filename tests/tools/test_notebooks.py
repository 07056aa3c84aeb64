"""Tutorials as notebooks run from their first cell to their last, and print what they show."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("[a-z]*.md"))


def executed(source: str, names: dict[str, Any]) -> str:
    """Run a cell and return what it prints, with the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr) and (value := eval(compile(ast.Expression(last.value), "cell", "eval"), names)):
            print(repr(value))
    return out.getvalue()


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_notebooks_run_from_top_to_bottom_and_print_what_they_show(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from notebooks import notebook

    cells = json.loads(notebook(page))["cells"]
    names: dict[str, Any] = {}
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 4
    for cell in code:
        shown = "".join(output["text"] for output in cell["outputs"])
        assert executed(cell["source"], names).split() == shown.split()
    text = "".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert ".md)" not in text
    assert text.count("](attachment:") == sum(len(cell.get("attachments", ())) for cell in cells)
