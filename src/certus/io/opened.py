"""From the name of a file to the file and the format it is read by."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from certus.errors import CertusError, MetricNameError
from certus.io._copy import refused
from certus.io._format import File, Format, Kind, Read, Start, choose
from certus.io.formats import FORMATS
from certus.io.paths import PathLike, path_name, readable


@contextmanager
def refusals() -> Iterator[None]:
    """Turns the compiled reader's refusals into DataError."""
    try:
        yield
    except CertusError:
        raise
    except ValueError as error:
        raise refused(error) from None


@contextmanager
def opened(
    path: PathLike,
    kind: Kind,
    asked: str | None = None,
    argument: str = "format",
    among: Iterable[str] = (),
    dialect: Mapping[str, bool] | None = None,
) -> Iterator[tuple[File, Format[File, Read]]]:
    """A file and its format, as `choose` finds it."""
    label, told = path_name(path), dialect or {}
    if (scheme := named_by(path)) is not None:
        if asked not in (None, scheme.name):
            raise MetricNameError(f"is {asked!r}, but {label} is not a file", "leave it out", argument=argument)
        yield File(Path(label), label, Start(b"", whole=True), kind, told), scheme
        return

    def look(start: Path) -> None:
        file = File.at(start, label, kind, told)
        found = choose(file, asked, argument, among)
        if found.by_lines:
            found.read(file)

    with readable(path, look) as (whole, name), refusals():
        file = File.at(whole, name, kind, told)
        yield file, choose(file, asked, argument, among)


def named_by(path: PathLike) -> Format[File, Read] | None:
    """The format that asks for data by a name with a colon, in place of a path; None of other names."""
    name, colon, _ = path_name(path).partition(":")
    found = FORMATS.get(name) if colon and not Path(path_name(path)).exists() else None
    return found if found is not None and found.by_name else None
