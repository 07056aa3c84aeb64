"""The formats a result can be written in; each is one method here, for tables and comparisons alike.

A method that is declared by `output` is a format: the command line offers it by its name and by the suffix of a file.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from certus.core.errors import CertusError, DataError
from certus.core.listing import Listing, StrPath, Tabular, delimited, workbook
from certus.core.registry import Registry
from certus.table.block import html, latex, markdown, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from certus.core.frames import Kind
    from certus.core.note import Note
    from certus.table.block import Block
    from certus.table.methods import Citations
    from certus.table.page import Report


FORMATS: Registry[tuple[str, ...]] = Registry("format")
"""The suffixes of the files of each format, the most usual first; of several formats a suffix stands for the first."""

Layout = Literal["matrix", "rows"]
"""Runs and metrics crossed, or below each other; of a comparison all systems crossed, or a line for each pair."""

LAYOUTS: tuple[Layout, ...] = ("matrix", "rows")

_Writer = TypeVar("_Writer", bound=Callable[..., Any])


def output(*suffixes: str) -> Callable[[_Writer], _Writer]:
    """Declare a method ``to_NAME`` as the format NAME, taken for files with these suffixes."""

    def declare(writer: _Writer) -> _Writer:
        FORMATS.add(writer.__name__.removeprefix("to_"), suffixes)
        return writer

    return declare


_NUMBER_TYPES: dict[Any, "Kind"] = {float: "number", float | None: "number", int: "whole", int | None: "whole"}


def number_kinds(record: type) -> dict[str, "Kind"]:
    """Map the numeric fields of a class of rows to their kinds."""
    return {field.name: _NUMBER_TYPES[field.type] for field in fields(record) if field.type in _NUMBER_TYPES}


class Output(Tabular, ABC):
    """A result with rows, which can be written in every format."""

    _kinds: ClassVar[Mapping[str, "Kind"]] = {}
    """Columns that hold numbers or whole numbers; all others hold text."""

    @abstractmethod
    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries of plain values; None where a value is undefined, with ``reason``."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of rows written as such."""

    @abstractmethod
    def _head(self) -> dict[str, Any]:
        """Everything but the rows, as plain values."""

    @abstractmethod
    def _laid_out(
        self, width: int | None = None, layout: Layout | None = None, paper: bool = False
    ) -> tuple[list["Block"], list["Note"]]:
        """Return the rows as blocks of about `width` characters, or for a paper, and the notes below them."""

    def sentences(self) -> list[str]:
        """Return the findings in plain words, for below the blocks; none for a table of values."""
        return []

    def _formats(self) -> Mapping[str, tuple[str, ...]]:
        """File suffixes of each output format for tables and comparisons."""
        return FORMATS

    @output(".txt", ".text")
    def to_text(
        self, width: int = 100, colour: bool = False, warnings: bool = True, layout: Layout | None = None
    ) -> str:
        """Aligned columns, sentences and notes.

        Parameters
        ----------
        width
            Blocks of many columns are split, and notes folded, at about this many characters. No cell is cut off.
        colour
            Emphasise headings, as for a terminal.
        warnings
            Print the warnings among the notes.
        layout
            ``"matrix"``: runs and metrics crossed, or systems with systems where all pairs were compared; ``"rows"``: a
            line for each. None: a matrix of several runs and metrics, and of more than seven systems.

        Raises
        ------
        CertusError
            There is no such layout, or none of these results.
        """
        _check(layout)
        blocks, notes = self._laid_out(width, layout)
        return text(blocks, [note for note in notes if warnings or not note.is_warning], width, colour)

    @output(".json")
    def to_json(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """One JSON document: signature and warnings, whatever else the result holds, and ``"rows"``, one a line.

        `path` and `force` as for `to_csv`; `from_json` reads the text again.
        """
        rows = ",\n  ".join(map(_json, self.to_dicts()))
        start = _json(self._head())[:-1]
        text = f'{start},\n "rows": [\n  {rows}\n ]}}\n' if rows else f'{start}, "rows": []}}\n'
        return self._write(text, path, force, "json")

    @output(".jsonl", ".ndjson")
    def to_jsonl(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """JSON Lines: everything but the rows, then one row a line; `path` and `force` as for `to_csv`."""
        lines = "".join(_json(item) + "\n" for item in [self._head(), *self.to_dicts()])
        return self._write(lines, path, force, "jsonl")

    @output(".csv")
    def to_csv(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """Comma-separated values with a header line, numbers with all their digits.

        A table with values of single queries is written as `to_pandas` has it: these rows alone, and only their
        columns. Text is quoted where needed. A name that a spreadsheet would run as a formula, because it begins with
        ``=``, ``+``, ``-``, ``@``, a tab or a line end and is not a number, gets an apostrophe in front; so does one
        that begins with apostrophes followed by one of these. JSON and DataFrames have all names unchanged.

        Parameters
        ----------
        path
            The file to write, whole or not at all; None returns the text.
        force
            Replace a file that exists.

        Raises
        ------
        CertusError
            The file exists, its folder does not, or its suffix is that of another format.
        """
        return self._write(self._delimited(","), path, force, "csv")

    @output(".tsv")
    def to_tsv(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """Tab-separated values with a header line; otherwise as `to_csv`."""
        return self._write(self._delimited("\t"), path, force, "tsv")

    @output(".xlsx")
    def to_excel(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """An Excel workbook: the rows as `to_csv` has them, and a sheet of all notes; needs ``certus[excel]``.

        Names are text, never formulas, and have no apostrophe. `path` and `force` as for `to_csv`; without a path the
        content is returned as bytes.

        Raises
        ------
        CertusError
            XlsxWriter is not installed; or as for `to_csv`.
        """
        notes = [(note.kind or "method", str(note)) for note in self._laid_out()[1]]
        about = dict(zip(("kind", "note"), map(list, zip(*notes, strict=True)), strict=True)) if notes else {}
        sheets = {"rows": self._listing(), "notes": Listing(about, dict.fromkeys(about, "text"))}
        return self._write(workbook(sheets), path, force, "excel")

    def _delimited(self, separator: str) -> str:
        """Rows as delimited text with a header line."""
        columns = self._tabular()
        return delimited(columns, columns.values(), separator)

    def _listing(self) -> Listing:
        """Rows as columns, each with its type: text, number or whole number."""
        columns = self._tabular()
        return Listing(columns, {name: self._kinds.get(name, "text") for name in columns})

    def _tabular(self) -> dict[str, list[Any]]:
        """The cells of each column; None where one is empty."""
        rows = self.to_dicts()
        return {name: [row.get(name) for row in rows] for name in self.columns}

    @output(".md", ".markdown")
    def to_markdown(self, path: StrPath | None = None, *, layout: Layout | None = None, force: bool = False) -> Any:
        """Markdown tables, values rounded for reading, the sentences and notes as a list.

        `path` and `force` as for `to_csv`, `layout` as for `to_text`.
        """
        _check(layout)
        return self._write(markdown(*self._laid_out(None, layout)), path, force, "markdown")

    @abstractmethod
    def _method_sentences(self, citations: "Citations") -> "Iterator[str]":
        """Sentences on how the numbers were made."""

    def methods_text(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """A methods paragraph for a paper, and BibTeX of what it cites.

        It names the metrics with their sources and conventions, the units, intervals, tests and corrections, and the
        version of certus. The entries have authors, year, place and DOI; a reference manager completes titles by the
        DOI. `path` and `force` as for `to_csv`.
        """
        from certus.table.methods import Citations, paragraph

        citations = Citations()
        return self._write(paragraph(list(self._method_sentences(citations)), citations), path, force, "text")

    @abstractmethod
    def _report(self) -> "Report":
        """All that a page of the result shows."""

    @output(".html", ".htm")
    def to_report(self, path: StrPath | None = None, *, command: str | None = None, force: bool = False) -> Any:
        """One HTML page that works without a network: findings, charts, sortable tables, and how all was made.

        Its charts need ``pip install 'certus[plot]'``; without it the page has everything but them. Text from the
        input is only ever text there.

        Parameters
        ----------
        path, force
            As for `to_csv`.
        command
            The command line that made the result, to be shown.
        """
        from certus.table.page import page

        return self._write(page(self._report(), command), path, force, "report")

    @output(".html", ".htm")
    def to_html(self, path: StrPath | None = None, *, layout: Layout | None = None, force: bool = False) -> Any:
        """Plain HTML tables without style sheets, the sentences and notes as paragraphs; ASCII, so safe in any page.

        Parameters
        ----------
        path, force
            As for `to_csv`.
        layout
            As for `to_text`.

        Raises
        ------
        CertusError
            There is no such layout, or none of these results; or as for `to_csv`.
        """
        _check(layout)
        return self._write(html(*self._laid_out(None, layout)), path, force, "html")

    @output(".tex", ".latex")
    def to_latex(self, path: StrPath | None = None, *, layout: Layout | None = None, force: bool = False) -> Any:
        """LaTeX tables for the booktabs package, to paste into a paper.

        `path` and `force` as for `to_csv`, `layout` as for `to_text`.
        """
        _check(layout)
        return self._write(latex(*self._laid_out(None, layout, paper=True)), path, force, "latex")

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The result that `to_json` wrote; numbers written as null, undefined or infinite, are NaN.

        Raises
        ------
        DataError
            The text is not JSON, or not that of such a result.

        Examples
        --------
        >>> from certus import Table
        >>> from certus.table import Row
        >>> written = Table([Row("bm25", "AP", 0.25, 0.125, 0.5, 0.95, "t", 9)]).to_json()
        >>> Table.from_json(written).to_json() == written
        True
        """
        import json

        try:
            return cls._from_content(json.loads(text))
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            detail = f"{type(error).__name__}: {error}"
            problem = f"is not what {cls.__name__}.to_json wrote ({detail})"
            raise DataError(problem, "give its text unchanged", argument="text") from None

    @classmethod
    @abstractmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        """The result from its head and its rows as plain values."""

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """HTML tables and notes for notebooks."""
        return html(*self._laid_out())


def _check(layout: object) -> None:
    """Refuse an unknown layout; None is valid."""
    if layout is not None and layout not in LAYOUTS:
        raise CertusError(f"is {layout!r}", f"it must be {' or '.join(map(repr, LAYOUTS))}, or None", argument="layout")


def _json(value: object) -> str:
    """Serialise a value as ASCII JSON; NaN and infinity raise an error."""
    import json

    # ASCII only: any text, even bytes that were not UTF-8, survives any terminal, file encoding and JSON reader
    return json.dumps(value, allow_nan=False)
