"""One SELECT of DuckDB that reads the database and the files it names, and nothing else."""

import glob
import os
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from certus.errors import DataError

_LOCKED = (
    "set python_enable_replacements = false",
    "set autoinstall_known_extensions = false",
    "set autoload_known_extensions = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
"""Settings that end access to variables of Python, extensions, the network and other files; the last one keeps them."""
_SEVERAL = re.compile(r"[*?\[]")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def select(sql: str, database: Path | None, place: str) -> Any:
    """Run the query in the database, or in an empty one, and return its relation.

    Parameters
    ----------
    sql
        One SELECT (or FROM, VALUES, WITH ... SELECT). It reads files whose names, or a pattern of names, stand in it.
    database
        A file of DuckDB, opened for reading only.
    place
        Where the query stands, for errors.
    """
    duckdb = import_module("duckdb")
    try:
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            kind = statements[0].type.name if len(statements) == 1 else f"{len(statements)} statements"
            raise DataError(f"holds {kind}", "write one SELECT", place=place)
        texts = list(_texts(sql, duckdb))
        address = next(filter(_ADDRESS.match, texts), None)
        if address is not None:
            raise DataError(f"names the address {address!r}", "download the file, and name it", place=place)
        connection = duckdb.connect() if database is None else duckdb.connect(str(database), read_only=True)
        names = [text for text in texts if "\0" not in text]
        folders = [
            re.split(_SEVERAL, name)[0].rpartition(os.sep)[0] or os.curdir for name in names if _is_pattern(name)
        ]
        connection.execute("set allowed_paths = ?", [[name for name in names if os.path.isfile(name)]])
        connection.execute("set allowed_directories = ?", [folders])
        for setting in _LOCKED:
            connection.execute(setting)
        relation = connection.sql(sql)
    except duckdb.PermissionException as error:
        found = re.search('"(.+)"', str(error))
        reads = f"reads {found[1]!r}" if found else str(error).splitlines()[0]
        raise DataError(reads, "name a file that is there, or a pattern of files, in the query", place=place) from None
    except duckdb.Error as error:
        raise DataError(str(error).splitlines()[0], place=place) from None
    if relation is None:
        raise DataError("the statement gives no rows", "write a SELECT", place=place)
    return relation


def _texts(sql: str, duckdb: Any) -> Iterator[str]:
    """The quoted texts and quoted names of a query."""
    # DuckDB counts bytes; a token reaches to the next one, with the blanks and comments before it.
    raw = sql.encode()
    tokens = [*duckdb.tokenize(sql), (len(raw), None)]
    for (start, _), (end, _) in pairwise(tokens):
        token = raw[start:end].decode("utf-8", "replace")
        quote = token[:1]
        if quote in ("'", '"') and (last := token.rfind(quote)) > 0:
            yield token[1:last].replace(quote * 2, quote)


def _is_pattern(name: str) -> bool:
    return _SEVERAL.search(name) is not None and next(glob.iglob(name, recursive=True), None) is not None
