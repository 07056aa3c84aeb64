"""A session of Spark in local mode."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from certus.spark import _jobs


@pytest.fixture(scope="package")
def session() -> Iterator[Any]:
    """One session of Spark for all tests of the folder: it takes seconds to start."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYSPARK_PYTHON", sys.executable)  # otherwise the workers run the first python3 of the path
        environment.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        made = _local()
        yield made
        made.stop()


def _local() -> Any:
    sql = import_module("pyspark.sql")
    made = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "300")
        .config("spark.python.daemon.module", "forking")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    return made


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some tasks of the workers fail after a batch, and are repeated."""

    def failing(work: Any) -> Any:
        def once(*told: Any) -> Iterator[Any]:
            yield from work(*told[:-1], fails_once(told[-1]))

        return once

    def fails_once(batches: Iterator[Any]) -> Iterator[Any]:
        context = import_module("pyspark").TaskContext.get()
        for batch in batches:
            yield batch
            if context.attemptNumber() == 0 and context.partitionId() % 100 == 0:
                raise RuntimeError("the task fails after a batch")

    for name in ("merge_partitions", "states", "add_up_partition", "states_of_queries"):
        monkeypatch.setattr(_jobs, name, failing(getattr(_jobs, name)))
