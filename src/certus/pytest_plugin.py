"""Pytest plugin that compares the results of tests with a stored baseline.

``pytest_plugins = ["certus.pytest_plugin"]`` in the top conftest.py loads it: the fixture `certus_baseline`, and the
options ``--certus-baseline FILE`` and ``--certus-record``. See docs/integrations.md.
"""

import json
from collections.abc import Callable, Mapping
from math import fsum, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from certus.core.output_file import write_file

if TYPE_CHECKING:
    from certus.inference import Estimate, Estimates
    from certus.table import Table


_KIND = "certus baseline 1"
_KEY = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("certus")
    group.addoption(
        "--certus-baseline", metavar="FILE", type=Path, help="Results that those of tests must not be worse than."
    )
    group.addoption(
        "--certus-record", action="store_true", help="Write the results of tests to the file of --certus-baseline."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the stored baseline."""
    file, record = config.getoption("certus_baseline"), config.getoption("certus_record")
    if record and file is None:
        raise pytest.UsageError("--certus-record needs a file to write; give --certus-baseline FILE")
    if record and (hasattr(config, "workerinput") or getattr(config.option, "numprocesses", None)):
        raise pytest.UsageError("--certus-record needs one process; leave out -n")
    if file is None:
        return
    if not file.exists() and not record:
        raise pytest.UsageError(f"{file}: there is no such file; write it with --certus-record")
    config.stash[_KEY] = _read(file) if file.exists() else {}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what was recorded, as a whole or not at all."""
    config = session.config
    if not config.getoption("certus_record") or _KEY not in config.stash:
        return
    file: Path = config.getoption("certus_baseline")
    text = json.dumps({"kind": _KIND, "results": config.stash[_KEY]}, indent=1, sort_keys=True, allow_nan=False)
    write_file([f"{text}\n".encode()], file, replace=True)


@pytest.fixture
def certus_baseline(request: pytest.FixtureRequest) -> "Callable[..., None]":
    """Compare a Table, Estimate or Estimates with the stored one of this test: ``certus_baseline(table, margin=0.02)``.

    Results with values of single units (a table made with ``per_query=True``, an estimate that is a mean) are compared
    in pairs, as `certus.testing.assert_not_worse` decides; ``identical_passes=True`` lets values pass that are all as
    they were, however few they are. Any other estimate fails if its value is worse by more than
    the margin. Without ``--certus-baseline`` nothing is compared.
    """
    stored = request.config.stash.get(_KEY, None)
    record: bool = request.config.getoption("certus_record")

    def check(
        result: "Table | Estimate | Estimates",
        *,
        name: str = "",
        margin: float | None = None,
        identical_passes: bool = False,
    ) -> None:
        __tracebackhide__ = True
        if stored is None:
            return
        key = f"{request.node.nodeid} {name}".strip()
        entries = _entries_of(result)
        if record:
            stored[key] = entries
        elif key not in stored:
            pytest.fail(f"the baseline has no result of {key}; write it with --certus-record", pytrace=False)
        else:
            _compare(entries, stored[key], margin, identical_passes)

    return check


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"{file}: no baseline can be read from it: {error}") from None
    results = content.get("results") if isinstance(content, dict) and content.get("kind") == _KIND else None
    if not isinstance(results, dict):
        raise pytest.UsageError(f"{file}: it is not a baseline; write it with --certus-record")
    return results


def _entries_of(result: Any) -> dict[str, Any]:
    """Value of each metric and, where there are any, the values of single units."""
    from certus.inference import Estimate, Estimates
    from certus.statistic import Mean
    from certus.table import Table

    entries: dict[str, Any] = {}
    if isinstance(result, Table):
        runs = {row.run for row in result.summary}
        single = {(item.run, item.metric): dict(zip(item.queries, item.values, strict=True)) for item in result.single}
        for row in result.overall().summary:
            parts = [str(item) for item in (row.group, row.subgroup, row.label, row.average) if item is not None]
            key = " ".join([row.metric, *parts, *([f"of {row.run}"] if len(runs) > 1 else [])])
            entries[key] = _entry(row.metric, row.value, {} if parts else single.get((row.run, row.metric), {}))
    elif isinstance(result, Estimate | Estimates):
        for part, item in [("", result)] if isinstance(result, Estimate) else result.items():
            values = item.statistic.values if isinstance(item.statistic, Mean) else ()
            entries[f"{item.metric} {part}".strip()] = _entry(item.metric, item.value, dict(enumerate(values)))
    else:
        raise TypeError(f"result is {type(result).__name__}; give a Table, an Estimate or Estimates")
    undefined = [metric for metric, item in entries.items() if not isfinite(item["value"])]
    if undefined:
        pytest.fail(f"{undefined[0]} is undefined, so it can not be compared with a baseline", pytrace=False)
    return entries


def _entry(metric: str, value: float, units: Mapping[Any, float]) -> dict[str, Any]:
    values = {str(unit): float(unit_value) for unit, unit_value in units.items()}
    return {"name": metric, "value": float(value), "values": values}


def _is_mean(entry: dict[str, Any]) -> bool:
    """True if the metric is the arithmetic mean of its units' values, which GMAP is not."""
    values = entry["values"].values()
    return len(values) > 0 and abs(fsum(values) - entry["value"] * len(values)) <= 1e-9 * len(values)


def _compare(current: dict[str, Any], stored: dict[str, Any], margin: float | None, identical: bool) -> None:
    __tracebackhide__ = True
    from certus.metrics import parse
    from certus.testing import assert_not_worse

    if unlike := sorted(current.keys() ^ stored.keys()):
        complaint = "the baseline has no" if unlike[0] in current else "the result has no"
        pytest.fail(f"{complaint} {unlike[0]}; write the baseline again with --certus-record", pytrace=False)
    for metric, now in current.items():
        before = stored[metric]
        metric_of = parse(now["name"])
        better, bounds = metric_of.better, metric_of.bounds
        if better is None:
            pytest.fail(f"neither higher nor lower values of {metric} are better, so none can be worse", pytrace=False)
        if now["values"].keys() != before["values"].keys():
            pytest.fail(f"{metric} has other units than in the baseline; write it again", pytrace=False)
        if _is_mean(now) and _is_mean(before):
            options: dict[str, Any] = {"value_range": bounds} if isfinite(bounds[1] - bounds[0]) else {}
            pair = now["values"], before["values"]
            assert_not_worse(*pair, metric, better=better, margin=margin, identical_passes=identical, **options)
            continue
        loss = before["value"] - now["value"] if better == "higher" else now["value"] - before["value"]
        if loss > (margin or 0.0):
            pytest.fail(f"{metric} is {now['value']:.6g}, worse than {before['value']:.6g} before", pytrace=False)
