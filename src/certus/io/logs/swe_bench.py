"""Reports of SWE-bench: the instances that a run resolved."""

from collections.abc import Iterator
from itertools import chain

from certus.io.files import input_format
from certus.io.logs.content import Content, fields
from certus.io.scores import Scores, of_records
from certus.statistic.common import plural

_TRIED = ("resolved_ids", "unresolved_ids", "error_ids")
_UNTRIED = ("incomplete_ids", "empty_patch_ids")


def _matches(content: Content) -> bool:
    lists = {name for name, value in content.object.items() if isinstance(value, list)}
    return "resolved_ids" in lists or {"resolved", "no_generation"} <= lists


@input_format(
    "swe-bench",
    "SWE-bench",
    results="the report of a run: `total_instances`, `resolved_ids`, `unresolved_ids`, ...",
    matches=_matches,
)
def swe_bench(content: Content) -> Iterator[Scores]:
    """1 for each instance that is resolved, 0 for all others of the data set, submitted or not."""
    if "resolved_ids" not in content.object:
        raise content.error(
            "lists what is resolved, but not all instances", "give the report of the run (`*.RUN_ID.json`)"
        )
    report = content.object
    total, resolved, *_ = fields(content, report, ("total_instances", *_TRIED), "the report")
    # reports of SWE-bench 2.0 list only what was tried
    parts = {name: report.get(name, []) for name in (*_TRIED[1:], *_UNTRIED)}
    items = dict.fromkeys(chain(resolved, *parts.values()))
    if len(items) < total and not set(_UNTRIED) <= set(report):
        raise content.error(
            f"names {len(items)} of its {total} instances; early reports leave out what was not submitted",
            "write the report again with a newer SWE-bench",
        )
    if len(items) != total:
        raise content.error(f"lists {len(items)} instances, but total_instances is {total}", "was the file changed?")
    if report.get("resolved_instances", len(resolved)) != len(resolved):
        text = f"lists {len(resolved)} resolved instances, but resolved_instances is {report['resolved_instances']}"
        raise content.error(text, "was the file changed?")
    if overlap := set(resolved) & set(chain(*parts.values())):
        raise content.error(f"has {min(overlap)!r} as resolved and as not resolved")
    untested = {name: ids for name, ids in parts.items() if name != "unresolved_ids" and ids}
    if untested:
        counts = ", ".join(f"{len(ids)} in {name}" for name, ids in untested.items())
        items_named = tuple(dict.fromkeys(chain(*untested.values())))
        text = f"{len(items_named)} of {total} instances have no test result ({counts}); as in SWE-bench, not resolved"
        content.notice("errors", text, items_named)
    if foreign := [name for name in report.get("submitted_ids") or () if name not in items]:
        text = f"{plural(len(foreign), 'submitted instance')} left out, as the data set has no such instance"
        content.notice("no-value", text, foreign)
    # an instance is called after its repository and the number of a pull request there
    content.about += [(item, {"repo": item.rpartition("-")[0]}) for item in items]
    right, system = set(resolved), content.stem.split(".")[0]
    yield from of_records(((system, "resolved", item, float(item in right)) for item in items), repeats=False)
