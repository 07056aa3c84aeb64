"""One SELECT of DuckDB, restricted to the database and the files that it names."""

import glob
import os
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from certus.core.errors import DataError

_LOCKED = (
    "set python_enable_replacements = false",
    "set autoinstall_known_extensions = false",
    "set autoload_known_extensions = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
"""Settings that end access to variables of Python, extensions, the network and other files; the last one keeps them."""
_SEVERAL = re.compile(r"[*?\[]")
_DOLLARS = re.compile(r"(\$\w*\$)(.*)\1", re.DOTALL)
"""A text in dollars, with or without a tag, which DuckDB takes as it is."""
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def select(sql: str, database: Path | None, location: str) -> Any:
    """Run one SELECT (or FROM, VALUES, WITH ... SELECT) in the database, or an empty one, and return the relation.

    It reads files whose names, or a pattern of names, stand in it; `location` is where it stands, for errors.
    """
    duckdb = import_module("duckdb")
    try:
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            kind = _first_word(sql, duckdb) if len(statements) == 1 else f"{len(statements)} statements"
            raise DataError(f"holds {kind}", "write one SELECT", location=location)
        texts = list(_texts(sql, duckdb))
        address = next(filter(_ADDRESS.match, texts), None)
        if address is not None:
            raise DataError(f"names the address {address!r}", "download the file, and name it", location=location)
        connection = duckdb.connect() if database is None else duckdb.connect(str(database), read_only=True)
        names = [text for text in texts if "\0" not in text]
        connection.execute("set allowed_paths = ?", [[path for name in names for path in _paths(name)]])
        for setting in _LOCKED:
            connection.execute(setting)
        relation = connection.sql(sql)
    except duckdb.PermissionException as error:
        match = re.search('"(.+)"', str(error))
        reads = f"reads {match[1]!r}" if match else str(error).splitlines()[0]
        raise DataError(
            reads, "name a file that is there, or a pattern of files, in the query", location=location
        ) from None
    except duckdb.Error as error:
        raise DataError(str(error).splitlines()[0], location=location) from None
    if relation is None:
        raise DataError("the statement gives no rows", "write a SELECT", location=location)
    return relation


def _texts(sql: str, duckdb: Any) -> Iterator[str]:
    """Quoted texts and quoted names in a query."""
    for token in _tokens(sql, duckdb):
        quote = token[:1]
        if (dollars := _DOLLARS.match(token)) is not None:
            yield dollars[2]
        elif quote in ("'", '"') and (last := token.rfind(quote)) > 0:
            yield token[1:last].replace(quote * 2, quote)


def _first_word(sql: str, duckdb: Any) -> str:
    """First word of a statement, more specific than the type that DuckDB reports."""
    words = (token for token in _tokens(sql, duckdb) if not token.startswith(("--", "/*")))
    return next(words).split()[0].upper()


def _tokens(sql: str, duckdb: Any) -> Iterator[str]:
    """Tokens of a query; each extends to the next one, with preceding blanks and comments."""
    raw = sql.encode()  # DuckDB counts bytes
    for (start, _), (end, _) in pairwise([*duckdb.tokenize(sql), (len(raw), None)]):
        yield raw[start:end].decode("utf-8", "replace")


def _paths(name: str) -> list[str]:
    """The file with this name; for a pattern the pattern itself and the files that match it."""
    if os.path.isfile(name):
        return [name]
    matches = glob.glob(name, recursive=True, include_hidden=True) if _SEVERAL.search(name) else []
    return [name, *matches] if matches else []
