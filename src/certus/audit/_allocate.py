"""The number of items to draw from each stratum."""

from collections.abc import Mapping

from certus.audit._check import count
from certus.errors import DataError
from certus.spelling import suggestion

__all__ = ["allocated"]


def allocated(size: int | Mapping[str, int], strata: Mapping[str, int], parts: Mapping[str, str]) -> dict[str, int]:
    """The number to draw from each stratum, by name.

    Parameters
    ----------
    size
        The number from each stratum, or one number in all. The latter goes to the groups in proportion to their sizes,
        at least one to each, and within a group to its strata in equal parts.
    strata
        Items of each stratum.
    parts
        The group that each stratum belongs to.

    Raises
    ------
    DataError
        A stratum has fewer items, or there is no such stratum, or there are more strata than items to draw.
    """
    if isinstance(size, Mapping):
        return _named(size, strata)
    total = sum(strata.values())
    if count(size, "size", "the rows to draw", least=1) > total:
        raise DataError(f"size is {size} but there are {total} rows to draw from; draw at most all of them")
    if size < len(strata):
        raise DataError(f"size is {size} but there are {len(strata)} strata; draw at least one row from each")
    groups = {group: [name for name in strata if parts[name] == group] for group in dict.fromkeys(parts.values())}
    sizes = {group: sum(strata[name] for name in names) for group, names in groups.items()}
    chosen = {}
    for group, share in _in_proportion(size, sizes, {group: len(names) for group, names in groups.items()}).items():
        chosen.update(_in_equal_parts(share, {name: strata[name] for name in groups[group]}))
    return {name: chosen[name] for name in strata}


def _named(size: Mapping[str, int], strata: Mapping[str, int]) -> dict[str, int]:
    for name, wanted in size.items():
        if name not in strata:
            hint = suggestion(name, strata) or f"; there are {', '.join(map(repr, list(strata)[:6]))}"
            raise DataError(f"size names the stratum {name!r}, which has no rows{hint}")
        if count(wanted, f"size of {name!r}", "the rows to draw from the stratum", least=1) > strata[name]:
            raise DataError(f"size of {name!r} is {wanted} but the stratum has {strata[name]} rows; draw at most these")
    missing = next((name for name in strata if name not in size), None)
    if missing is not None:
        raise DataError(f"size has no number for the stratum {missing!r}; without it nothing can be said of the whole")
    return {name: int(size[name]) for name in strata}


def _in_proportion(size: int, sizes: Mapping[str, int], least: Mapping[str, int]) -> dict[str, int]:
    """By largest remainders, but at least so many to each."""
    total = sum(sizes.values())
    chosen = {name: size * items // total for name, items in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: -(size * sizes[name] % total))  # ties: as given
    for name in by_remainder[: size - sum(chosen.values())]:
        chosen[name] += 1
    for name in chosen:
        while chosen[name] < least[name]:
            spare = max(chosen, key=lambda other: chosen[other] - least[other])
            chosen[spare] -= 1
            chosen[name] += 1
    return chosen


def _in_equal_parts(size: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Equal numbers, but what a stratum does not have goes to the others."""
    chosen = {}
    left = size
    smallest_first = sorted(sizes, key=lambda name: sizes[name])
    for i, name in enumerate(smallest_first):
        chosen[name] = min(sizes[name], left // (len(sizes) - i))
        left -= chosen[name]
    return chosen
