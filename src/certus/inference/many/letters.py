"""Letters that show which pairs of systems differ significantly."""

from collections.abc import Sequence
from string import ascii_letters

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.errors import DataError


def letters(significant: ArrayLike, order: Sequence[int] | None = None) -> tuple[str, ...]:
    """Compact letter display of pairwise decisions.

    Two systems share a letter if and only if they do not differ significantly. Every letter starts as a group of all
    systems. Each significant pair splits the groups that hold both, and groups within another one are absorbed (Piepho
    2004). At last a system loses each letter whose other systems it shares further letters with.

    Parameters
    ----------
    significant
        A symmetric table of decisions, one row and one column per system, such as ``tukey_hsd(scores).p <= 0.05``.
    order
        The systems from best to worst: letters are given in that order, so that the first has an "a". The order of
        the table if omitted.

    Returns
    -------
    tuple of str
        The letters of each system, in the order of the table. After "z" they go on with "A" to "Z", and then with
        numbered ones, "a1", "b1", ...

    Raises
    ------
    DataError
        The table is not square or not symmetric, holds anything but decisions, separates a system from itself, or the
        order does not name each system once.

    References
    ----------
    Piepho (2004), J. Comput. Graph. Stat. 13(2):456-466, doi:10.1198/1061860043515; Gramm et al. (2007), Comput. Stat.
    Data Anal. 51:3860-3868 on how few letters suffice.

    Examples
    --------
    Of three systems just the first and the last differ significantly:

    >>> letters([[False, False, True], [False, False, False], [True, False, False]])
    ('a', 'ab', 'b')
    """
    table = _decisions(significant)
    order_indices = list(range(len(table))) if order is None else list(order)
    if sorted(order_indices) != list(range(len(table))):
        raise DataError(
            f"is {order_indices}", f"it must hold each number from 0 to {len(table) - 1} once", argument="order"
        )
    rivals = [
        {other for other in range(len(order_indices)) if table[order_indices[row], order_indices[other]]}
        for row in range(len(order_indices))
    ]
    groups = _without_redundancy(_split(rivals))
    # The letter of the best system comes first, and of two that begin alike that of the one that ends sooner.
    groups.sort(key=lambda group: sorted(group))
    texts = [""] * len(order_indices)
    for number, group in enumerate(groups):
        rounds, index = divmod(number, len(ascii_letters))  # after 52 of them with a number
        for rank in sorted(group):
            texts[order_indices[rank]] += ascii_letters[index] + (str(rounds) if rounds else "")
    return tuple(texts)


def _decisions(significant: ArrayLike) -> NDArray[np.bool_]:
    """Check the table of pairwise decisions, square and symmetric, and return it as booleans."""
    table = np.asarray(significant)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise DataError(f"has shape {table.shape}", "give one row and one column per system", argument="significant")
    if table.dtype != np.bool_:
        raise DataError(f"holds {table.dtype}", "give decisions such as p <= 0.05", argument="significant")
    if table.diagonal().any():
        index = int(np.flatnonzero(table.diagonal())[0])
        raise DataError(f"separates system {index} from itself", argument="significant")
    wrong = np.argwhere(table != table.T)
    if len(wrong):
        row, column = wrong[0].tolist()
        raise DataError(
            f"says different things of systems {row} and {column} in its two halves", argument="significant"
        )
    return table


def _split(rivals: list[set[int]]) -> list[frozenset[int]]:
    """Largest groups without a significant pair (insert and absorb)."""
    groups = [frozenset(range(len(rivals)))] if rivals else []
    for first, first_rivals in enumerate(rivals):
        for second in sorted(rival for rival in first_rivals if rival > first):
            split_groups = [group for group in groups if first in group and second in group]
            remaining = [group for group in groups if not (first in group and second in group)]
            for part in dict.fromkeys(group - {removed} for group in split_groups for removed in (first, second)):
                if not any(part <= group for group in remaining):
                    remaining = [group for group in remaining if not group <= part]
                    remaining.append(part)
            groups = remaining
    return groups


def _without_redundancy(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Drop groups whose pairs are all in other groups."""
    left = sorted((set(group) for group in groups), key=lambda group: (len(group), sorted(group)))
    for group in left:
        for member in sorted(group):
            elsewhere = set().union(*(other for other in left if other is not group and member in other))
            if group <= elsewhere and len(group) > 1:
                group.discard(member)
        if len(group) == 1 and any(group < other for other in left if other is not group):
            group.clear()
    return [frozenset(group) for group in left if group]
