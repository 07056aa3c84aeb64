"""Check the examples of the guides against what certus prints, and write them again.

python tools/refresh_pages.py [--write] [PAGE ...]

Without pages: the README and every page of docs/. An example is a Python prompt or a shell prompt in a fenced block.
`$ certus ...` is run in a copy of the demo folder if any command of its block shows output; the files that a page
makes stay for its later commands. `$ cat FILE` writes the file that it shows. The output is that of standard output,
and of standard error, without its warnings, where the command fails or prints nothing else; with `2>&1` it is both.
`| head -N` keeps N lines.
"""

import argparse
import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(?:console|text)?\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n> *)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
HEAD = re.compile(r" \| head -(\d+)$")


def pages() -> list[Path]:
    """The README and all pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def with_outputs(text: str) -> str:
    """A page in which every command of the shell stands before what it prints."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "demo")
        shutil.copytree(ROOT / "src" / "certus" / "demo", folder)
        with contextlib.chdir(folder):
            return FENCE.sub(lambda block: _run_block(block[0], block[1]), text)


def _run_block(block: str, commands: str) -> str:
    pairs = COMMAND.findall(commands)
    if not any(output for _, output in pairs):
        return block
    blank = ["\n" if output.endswith("\n\n") else "" for _, output in pairs]
    parts = [f"$ {line}\n{_output(line, old)}{end}" for (line, old), end in zip(pairs, blank, strict=True)]
    return block.replace(commands, "".join(parts))


def _output(line: str, old: str) -> str:
    command = re.sub(r"\\\n> *", "", line)
    if command.startswith("cat "):
        Path(command.removeprefix("cat ")).write_text(old.rstrip("\n") + "\n", encoding="utf-8")
        return old.rstrip("\n") + "\n"
    if not command.startswith("certus "):
        return old
    limit = int(match[1]) if (match := HEAD.search(command)) else None
    output = _run(HEAD.sub("", command))
    return "".join(output.splitlines(keepends=True)[:limit]).rstrip("\n") + "\n" if output else ""


def _run(command: str) -> str:
    """Run a command and return what it prints."""
    from certus.cli.app import run

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    words = shlex.split(command.removesuffix(" 2>&1"))[1:]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(words)
    printed, errors = (stream.buffer.getvalue().decode() for stream in (out, err))
    if command.endswith(" 2>&1"):
        return printed + errors
    errors = re.sub(r"^certus: warning: .*\n", "", errors, flags=re.MULTILINE)
    return printed + errors if status or not printed else printed


class _Recorder(doctest.DocTestRunner):
    """Keeps what examples printed where it is not what the page has."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL)
        self.changed: list[tuple[Any, ...]] = []

    def report_failure(self, *event: Any) -> None:
        self.changed.append(event[2:])

    def report_unexpected_exception(self, *event: Any) -> None:
        test, example, error = event[1:]
        raise SystemExit(f"{test.name}: {example.source.strip()}: {error[0].__name__}: {error[1]}")


def with_values(text: str, name: str) -> str:
    """A page in which every Python example stands before what it prints; outputs with an ellipsis stay."""
    runner = _Recorder()
    runner.run(doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0), out=lambda _: None)
    lines = text.splitlines(keepends=True)
    for example, got in reversed(runner.changed):
        if doctest.ELLIPSIS not in example.options:
            start = example.lineno + example.source.count("\n")
            written = re.sub(r"^$(?=\n)", "<BLANKLINE>", got, flags=re.MULTILINE)
            lines[start : start + example.want.count("\n")] = [written]
    return "".join(lines)


def differences(paths: list[Path], *, write: bool) -> Iterator[str]:
    """Pages whose examples print something else, which are written again."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if ">>> " not in text and not FENCE.search(text):
            continue
        fresh = with_values(with_outputs(text), path.name)
        if fresh != text:
            yield str(path.relative_to(ROOT))
            if write:
                path.write_text(fresh, encoding="utf-8")


def main() -> int:
    """Check the pages, or write them; 1 if one has changed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    paths = [path.resolve() for path in options.pages] or pages()
    os.chdir(ROOT)
    changed = list(differences(paths, write=options.write))
    print("\n".join(changed) or "every example prints what its page shows")
    return 1 if changed and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
