"""Several runs at once: folders, patterns of paths, and files or DataFrames with a column of runs."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from certus.errors import DataError
from certus.io._held import Run
from certus.io.formats.nested_json import nested_json
from certus.io.formats.trec import trec
from certus.io.opened import named_by, opened
from certus.io.paths import is_path, path_name, streamed
from certus.io.read import RunLike, as_runs, runs_of_file

_PATTERN = "*?["


def expanded(run: Any) -> list[Any]:
    """The files of a folder or of a pattern such as ``runs/*.run``, sorted by name; anything else as it is."""
    if not is_path(run) or path_name(run) == "-":
        return [run]
    path = os.fsdecode(run)
    if not path or "\0" in path:
        return [run]  # the reader says what is wrong with it
    if Path(path).is_dir():
        # a link to nothing is not a file; its reader says so
        entries = [each for each in Path(path).iterdir() if each.is_file() or (each.is_symlink() and not each.exists())]
        found = sorted(str(each) for each in entries if not each.name.startswith("."))
        if not found:
            raise DataError("is a directory without files", "name runs, or a directory of runs", place=path_name(run))
        return list(found)
    if not any(character in path for character in _PATTERN) or Path(path).exists() or named_by(run):
        return [run]
    import glob  # here, as patterns are seldom given

    matching = sorted(glob.glob(path, recursive=True))
    if not matching:
        raise DataError("no file matches this pattern", place=path_name(run))
    return list(matching)


def runs_in(run: RunLike, name: str, format: str | None = None) -> Mapping[str, RunLike]:
    """The runs that a file or a DataFrame holds by their names; of one that names none, the thing itself under ``""``.

    A file of TREC's columns or JSON holds one, and is left to be ranked while it is read. So is a stream.
    """
    if is_path(run):
        if format is None and (streamed(run) or _holds_one(run)):
            return {"": run}
        return runs_of_file(run, format, "format_of_run")
    if isinstance(run, Run | Mapping):
        return {"": run}
    return as_runs(run, name, format=format)


def _holds_one(path: Any) -> bool:
    """True if the format of a file has no column of runs, or the file cannot be opened, which its reader reports."""
    try:
        with opened(path, "run", argument="format_of_run") as (_, found):
            return found in (trec, nested_json)
    except DataError:
        return True


def short_names(paths: Sequence[str]) -> list[str]:
    """Names of paths: those of the files, or where two are alike, all that differs between the paths.

    Examples
    --------
    >>> short_names(["runs/bm25.run", "runs/dpr.run"]), short_names(["old/bm25.run", "new/bm25.run"])
    (['bm25.run', 'dpr.run'], ['old', 'new'])
    """
    parts = [PurePath(path).parts for path in paths]
    if len({each[-1:] for each in parts}) == len(parts):
        return [each[-1] if each else path for each, path in zip(parts, paths, strict=True)]
    for place in (0, -1):
        while all(len(each) > 1 for each in parts) and len({each[place] for each in parts}) == 1:
            parts = [each[1:] if place == 0 else each[:-1] for each in parts]
    return [str(PurePath(*each)) for each in parts]
