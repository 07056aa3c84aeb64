"""Reports of SWE-bench: the instances that a run resolved."""

from collections.abc import Iterator
from itertools import chain

from certus.io._format import input_format
from certus.io._log import Content, fields
from certus.io.scores import Scores, of_records

__all__ = ["swe_bench"]

_PARTS = ("resolved_ids", "unresolved_ids", "incomplete_ids", "empty_patch_ids", "error_ids")


def _told(content: Content) -> bool:
    lists = {name for name, value in content.object.items() if isinstance(value, list)}
    return "resolved_ids" in lists or {"resolved", "no_generation"} <= lists


@input_format(
    "swe-bench",
    "SWE-bench",
    results="the report of a run: `total_instances`, `resolved_ids`, `unresolved_ids`, ...",
    told=_told,
)
def swe_bench(content: Content) -> Iterator[Scores]:
    """1 for each instance that is resolved, 0 for all others of the data set, submitted or not."""
    if "resolved_ids" not in content.object:
        raise content.error(
            "lists what is resolved, but not all instances", "give the report of the run (`*.RUN_ID.json`)"
        )
    total, *parts = fields(content, content.object, ("total_instances", *_PARTS), "the report")
    items = dict.fromkeys(chain.from_iterable(parts))
    if len(items) != total:
        raise content.error(f"lists {len(items)} instances, but total_instances is {total}", "was the file changed?")
    resolved = set(parts[0])
    if both := resolved & set(chain.from_iterable(parts[1:])):
        raise content.error(f"has {min(both)!r} as resolved and as not resolved")
    # an instance is called after its repository and the number of a pull request there
    content.about += [(item, {"repo": item.rpartition("-")[0]}) for item in items]
    system = content.stem.split(".")[0]
    yield from of_records(((system, "resolved", item, float(item in resolved)) for item in items), repeats=False)
