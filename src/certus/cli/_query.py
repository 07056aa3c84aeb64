"""One SELECT run by DuckDB, which reads the named files and nothing else."""

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from certus.cli._declare import UsageError
from certus.errors import DataError

__all__ = ["relation"]

_SETTINGS = {
    "python_enable_replacements": "false",  # otherwise a table's name may be a variable of this program
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
}
"""Settings of DuckDB before the statement is run, in this order: after the last one none can be changed."""


def relation(sql: str, database: Path | None, files: Iterable[Any]) -> Any:
    """The rows of one SELECT, from a database and these files and patterns of files.

    Raises
    ------
    DataError
        The statement is no single SELECT, names another file, or fails.
    UsageError
        DuckDB is not installed.
    """
    try:
        duckdb = import_module("duckdb")
    except ImportError:
        raise UsageError(
            "queries are run by DuckDB; install it with pip install 'certus[duckdb]'", param_hint="--sql"
        ) from None
    try:
        connection = duckdb.connect() if database is None else duckdb.connect(str(database), read_only=True)
        paths = sorted({form for file in files for form in (str(file), os.path.abspath(file))})
        connection.execute("SET allowed_paths = $paths", {"paths": paths})
        for name, value in _SETTINGS.items():
            connection.execute(f"SET {name} = {value}")
        statements = connection.extract_statements(sql)
        types = [statement.type.name for statement in statements]
        if types != ["SELECT"]:
            raise DataError(f"is {_statements(types)}", "write one SELECT", place="--sql")
        return connection.sql(sql)
    except duckdb.PermissionException as error:
        raise DataError(
            str(error).splitlines()[0], "the files that the statement reads are named before --sql", place="--sql"
        ) from None
    except duckdb.Error as error:
        raise DataError((str(error).splitlines() or ["failed"])[0], place="--sql") from None


def _statements(types: list[str]) -> str:
    if not types:
        return "empty"
    return f"{len(types)} statements" if types[1:] else f"a statement of type {types[0]}"
