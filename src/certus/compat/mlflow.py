"""Results as metrics and artifacts of an MLflow run; MLflow is imported when something is logged."""

import math
import re
from collections.abc import Iterator

from certus.comparison import Comparison
from certus.core.errors import DataError
from certus.inference import Estimate, Estimates
from certus.table import Table

__all__ = ["log"]


def __dir__() -> list[str]:
    return __all__


_NOT_ALLOWED = re.compile(r"[^\w\-. /]")
_HINT = "certus.compat.mlflow needs MLflow; install mlflow-skinny or mlflow"


def log(result: Estimate | Estimates | Table | Comparison, name: str = "") -> dict[str, float]:
    """Log a result to the active MLflow run, which is started if there is none.

    Each value is a metric, its limits are the metrics ``KEY.low`` and ``KEY.high``. The key is the name of the metric,
    of a table with several runs behind that of the run, of a comparison behind ``SYSTEM-BASELINE``. MLflow allows few
    characters: ``@`` becomes ``_at_``, others ``_``. Limits that do not exist are left out. The whole result, with its
    methods and warnings, is the artifact ``certus/NAME.json``; a table or comparison is ``certus/NAME.html``, too.

    Parameters
    ----------
    result
        What a metric, `certus.evaluate`, `certus.report` or `certus.compare` returns.
    name
        Put before the keys of the metrics, and the name of the artifacts. Empty: no prefix, and artifacts are named by
        the kind of result.

    Returns
    -------
    dict
        The metrics that were logged.

    Raises
    ------
    DataError
        Two metrics have the same key.
    ImportError
        MLflow is not installed.
    TypeError
        The result is none of these.
    """
    try:
        import mlflow
    except ImportError as error:
        raise ImportError(_HINT) from error
    if not isinstance(result, Estimate | Estimates | Table | Comparison):
        raise TypeError(f"result is {type(result).__name__}; give an Estimate, Estimates, a Table or a Comparison")
    metrics: dict[str, float] = {}
    for parts, numbers in _numbers(result):
        stem = "/".join(_key(part) for part in (name, *parts) if part)
        for key, value in zip((stem, f"{stem}.low", f"{stem}.high"), numbers, strict=True):
            if key in metrics:
                raise DataError(f"two metrics have the key {key!r}", "log them apart, with a name each")
            if value is not None and (key == stem or math.isfinite(value)):
                metrics[key] = float(value)
    artifact = f"certus/{_key(name) or type(result).__name__.lower()}"
    mlflow.log_metrics(metrics)
    if isinstance(result, Estimates):
        mlflow.log_dict({str(part): estimate.to_dict() for part, estimate in result.items()}, f"{artifact}.json")
    else:
        mlflow.log_text(result.to_json(), f"{artifact}.json")
    if isinstance(result, Table | Comparison):
        mlflow.log_text(result.to_html(), f"{artifact}.html")
    return metrics


def _numbers(
    result: Estimate | Estimates | Table | Comparison,
) -> Iterator[tuple[tuple[str, ...], tuple[float, float | None, float | None]]]:
    """The parts of each key, and value, lower and upper limit."""
    if isinstance(result, Estimate):
        yield (result.metric,), (result.value, result.low, result.high)
    elif isinstance(result, Estimates):
        for part, estimate in result.items():
            yield (estimate.metric, str(part)), (estimate.value, estimate.low, estimate.high)
    elif isinstance(result, Comparison):
        for row in result.rows:
            yield (f"{row.system}-{row.baseline}", row.metric), (row.difference, row.low, row.high)
    else:
        rows = result.overall().summary
        has_runs = len({row.run for row in rows}) > 1
        for cell in rows:
            names = (cell.run if has_runs else None, cell.group, cell.among, cell.subgroup, cell.metric, cell.label)
            parts = tuple(str(name) for name in (*names, cell.average) if name is not None)
            yield parts, (cell.value, cell.low, cell.high)


def _key(text: str) -> str:
    return _NOT_ALLOWED.sub("_", text.replace("@", "_at_"))
