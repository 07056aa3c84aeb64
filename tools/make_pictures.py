"""Draw the pictures of tools/pictures.py into docs/images, and write docs/gallery.md, which shows each with its code.

python tools/make_pictures.py [FOLDER]
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import matplotlib as mpl
import pictures
from generated import save
from matplotlib import pyplot
from public_names import objects, public_names

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "gallery.md"
HEAD = """\
# Gallery

Written by `python tools/make_pictures.py`; do not edit. Every picture that certus draws, with the code that draws it;
pictures need `pip install 'certus[plot]'`. Each function and method takes `ax=`, the matplotlib axes to draw on, and
returns the axes: `axes.figure.savefig("picture.pdf")` writes a file. On the command line `--plot FILE` does.

All examples begin with the data that ship with certus:

```python
{}
```
"""


def drawers() -> dict[str, Callable[..., Any]]:
    """Each function of certus.plot, and each method ``plot...`` of a public class or one of results, by its path."""
    found = {}
    public = {each.value for each in public_names() if isinstance(each.value, type)}
    for path, value in objects():
        if isinstance(value, type) and value not in public and public & {*value.__mro__}:
            continue  # it draws as its base does
        if path.startswith("certus.plot."):
            found[path] = value
        elif isinstance(value, type):
            found |= {f"{path}.{name}": getattr(value, name) for name in dir(value) if name.startswith("plot")}
    return found


@contextmanager
def seen() -> Iterator[set[str]]:
    """The paths of the public functions and methods that draw while this lasts."""
    paths: set[str] = set()
    codes: dict[object, list[str]] = {}
    for path, function in drawers().items():
        codes.setdefault(inspect.unwrap(function).__code__, []).append(path)
    classes = {path: value for path, value in objects() if isinstance(value, type)}

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (called := codes.get(frame.f_code)):
            of = frame.f_locals.get("self")
            holders = (classes.get(path.rpartition(".")[0]) for path in called)
            paths.update(
                path
                for path, kind in zip(called, holders, strict=True)
                if kind is None or of is None or isinstance(of, kind)
            )

    sys.setprofile(watch)
    try:
        yield paths
    finally:
        sys.setprofile(None)


def code(function: Callable[[], Any]) -> str:
    """The body of a function that draws, its last line without ``return``."""
    body = inspect.getsource(function).partition(f'"""{function.__doc__}"""\n')[2].rstrip()
    return re.sub(r"^return ", "", textwrap.dedent(body), flags=re.MULTILINE)


def beginning() -> str:
    """The lines of tools/pictures.py on which all its functions stand."""
    text = Path(pictures.__file__).read_text(encoding="utf-8")
    body = ast.parse(text).body
    first = next(node.lineno for node in body if isinstance(node, ast.FunctionDef))
    lines = text.splitlines()[body[1].lineno - 1 : first - 1]
    return (
        "\n".join(line for line in lines if "typing" not in line and "__all__" not in line)
        .strip()
        .replace("\n\n\n", "\n\n")
    )


def caption(function: Callable[[], Any]) -> str:
    """The heading of a picture."""
    return (function.__doc__ or "").removesuffix(".")


def section(function: Callable[[], Any]) -> tuple[str, Any]:
    """The part of the page that shows a picture; and its axes."""
    with seen() as drawn:
        axes = function()
    by = ", ".join(f"`{path}`" for path in sorted(drawn))
    name = function.__name__.replace("_", "-")
    shown = f"![{caption(function)}](images/{name}.png)\n\n```python\n{code(function)}\n```"
    return f"### {caption(function)}\n\n{shown}\n\nDrawn by {by}.\n", axes


def gallery(shown: Callable[[Callable[[], Any]], str]) -> str:
    """The page, of the parts that a function gives for each picture."""
    parts = [HEAD.format(beginning())]
    for heading, functions in pictures.GALLERY.items():
        parts += [f"## {heading}\n", *map(shown, functions)]
    return "\n".join(parts)


def main() -> None:
    """Write one PNG each, and the gallery."""
    mpl.use("Agg")
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)

    def written(function: Callable[[], Any]) -> str:
        text, axes = section(function)
        save(axes.figure, folder / f"{function.__name__.replace('_', '-')}.png", bbox_inches="tight")
        pyplot.close("all")
        return text

    PAGE.write_text(gallery(written), encoding="utf-8")
    print(f"{sum(map(len, pictures.GALLERY.values()))} pictures written to {folder}")


if __name__ == "__main__":
    main()
