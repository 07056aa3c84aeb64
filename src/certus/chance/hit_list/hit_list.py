"""Hit lists: which ranks of a ranking hold the hits."""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.chance.hit_list.measures import Measures, Score, Scores, function_of, name_of, value_of
from certus.chance.hit_list.reading import (
    BULLET,
    HIT,
    HOLLOW_BULLET,
    LONGEST,
    MISS,
    Form,
    number_text,
    ranks_of,
    ranks_of_names,
    ranks_of_scores,
)
from certus.chance.probability import require_integer
from certus.core.errors import DataError
from certus.core.listing import Listing
from certus.core.readable import Readable

if TYPE_CHECKING:
    from certus.core.frames import Kind


_MOST_ROWS = 2**20
_SHORT = 80
_LONGEST_SHOWN = 40
_UNICODE = str.maketrans(HIT + MISS, BULLET + HOLLOW_BULLET)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class HitList(Measures, Readable):
    """Ranks of a ranking that hold the hits.

    Its length is the rank of the last hit: the number of ranks that must be looked at to find all hits. The score s and
    the percentiles are of the list down to there. Ranks after the last hit and relevant items that were not retrieved
    count where they matter: in precision, recall, average precision and the contingency table. Hit lists are values:
    frozen, hashable, equal when their hits are at the same ranks, of as many ranks, among as many relevant items.

    Parameters
    ----------
    where
        Text with ``x`` for a hit and ``-`` for a rank without one, or the filled and hollow bullets that
        ``format(hit_list, "u")`` gives. Or a mask: 1 or True for each rank with a hit, 0 or False for the others. Or
        the ranks of the hits, from 1, in any order. Values that are all 0 or 1 are a mask, unless they are a set. Text
        of digits is a mask if it has 0 and 1 alone and starts with 0, has six digits or more, or has commas, as in
        ``"110100"`` and ``"1,1,0"``; otherwise ranks, such as ``"1,2,5"`` and ``"10"``.
    form
        ``"mask"`` or ``"ranks"``: what `where` is, whatever it looks like.
    retrieved
        The number of ranks, with those after the last hit; by default those that `where` has.
    relevant
        The number of relevant items, with those that were not retrieved; by default the hits.

    Raises
    ------
    DataError
        It is empty, has no hit, repeats a rank, or holds anything else than the above; or there are more ranks or hits
        than `retrieved` or `relevant` says; or `form` is for text of x and - or for a hit list.

    Notes
    -----
    Lists, their number and the score s(r) as in Náufel (2024), Comparando listas e rankings; average precision
    is the area under the precision-recall function.

    Examples
    --------
    >>> r = HitList("xx--x")
    >>> r, f"{r:u}", r.length, r.hits, r.ranks
    (HitList('xx--x'), '••◦◦•', 5, 3, (1, 2, 5))
    >>> r == HitList([5, 1, 2]) == HitList([1, 1, 0, 0, 1]) == HitList(r.hit_list())
    True
    >>> r.score(), round(r.average_precision(), 4), round(r.percentile(), 2)
    (0.67, 0.8667, 91.67)
    >>> HitList("xx--x---", relevant=4).recall().tolist()
    [0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75]
    """

    ranks: tuple[int, ...]
    """The ranks of the hits, ascending, from 1."""
    retrieved: int
    """The number of ranks, with those after the last hit."""
    relevant: int
    """The number of relevant items, with those that were not retrieved."""

    def __init__(
        self,
        where: "str | Iterable[float] | HitList",
        *,
        retrieved: int | None = None,
        relevant: int | None = None,
        form: Form | None = None,
    ) -> None:
        if isinstance(where, HitList):
            if form is not None:
                raise DataError(f"is {form!r}", "a hit list needs no reading; leave it out", argument="form")
            ranks, n_ranks, wanted = where.ranks, where.retrieved, where.relevant
        else:
            ranks, n_ranks = ranks_of(where, form)
            wanted = len(ranks)
        n_ranks = n_ranks if retrieved is None else require_integer(retrieved, "retrieved", n_ranks, LONGEST)
        wanted = wanted if relevant is None else require_integer(relevant, "relevant", len(ranks))
        _set(self, ranks, n_ranks, wanted)

    @staticmethod
    def from_names(
        ranking: Iterable[Hashable], relevant: Iterable[Hashable], *, cutoff: int | None = None
    ) -> "HitList":
        """The hit list of a ranking of names.

        Parameters
        ----------
        ranking
            The items, the best first: text, bytes or whole numbers. A number is the same item as the text of its
            digits, as ids of documents are.
        relevant
            The items that are hits, in any order; those that are not in the ranking are relevant and missed.
        cutoff
            How many ranks, from 1, are looked at; by default all.

        Raises
        ------
        DataError
            The ranking has no order or repeats an item, none of its items is relevant, or one is not a name.

        Examples
        --------
        >>> r = HitList.from_names(["x", "a", "y", "b", "c", "z"], {"a", "b", "c", "d"})
        >>> r, r.retrieved, r.relevant, r.average_precision()
        (HitList('-x-xx-', relevant=4), 6, 4, 0.4)
        >>> HitList.from_names(["x", "a", "y", "b", "c", "z"], {"a", "b", "c"}, cutoff=3)
        HitList('-x-', relevant=3)
        """
        ranks, retrieved, wanted = ranks_of_names(ranking, relevant, cutoff)
        return HitList(ranks, retrieved=retrieved, relevant=wanted, form="ranks")

    @staticmethod
    def from_scores(y_true: Iterable[float], y_score: Iterable[float], *, relevant: int | None = None) -> "HitList":
        """The hit list of items in falling order of their scores.

        Parameters
        ----------
        y_true
            The label of each item: 1 or True for a hit, 0 or False for none.
        y_score
            The score of each item; the highest has rank 1.
        relevant
            The number of relevant items, with those that have no score; by default the hits.

        Raises
        ------
        DataError
            The labels are not 0 and 1, no item is a hit, a score is not a number, or a hit and a miss have one score.

        Examples
        --------
        >>> HitList.from_scores([0, 1, 1, 0, 1], [0.1, 0.9, 0.4, 0.6, 0.8])
        HitList('xx-x-')
        """
        ranks, retrieved = ranks_of_scores(y_true, y_score)
        return HitList(ranks, retrieved=retrieved, relevant=relevant, form="ranks")

    def __str__(self) -> str:
        return "".join(HIT if hit else MISS for hit in self.hit_list().tolist())

    def __repr__(self) -> str:
        short = self.retrieved <= _SHORT
        extra = f", retrieved={self.retrieved}" if not short and self.retrieved > self.length else ""
        extra += f", relevant={self.relevant}" if self.relevant > self.hits else ""
        return f"HitList({repr(str(self)) if short else list(self.ranks)}{extra})"

    def __format__(self, spec: str) -> str:
        """Text as ``str.__format__`` makes it; with ``u`` for the type, in bullets: ``f"{r:>12u}"``."""
        return format(str(self).translate(_UNICODE), spec[:-1]) if spec.endswith("u") else format(str(self), spec)

    @staticmethod
    def count(p: int, k: int | None = None) -> int:
        """Number of hit lists with p ranks and k hits: C(p - 1, k - 1), as the last rank is a hit; exact.

        Without k, how many have p ranks: 2^(p - 1).

        Raises
        ------
        DataError
            If p or k is not a whole number from 1.

        Examples
        --------
        >>> HitList.count(5, 3), HitList.count(30, 10), HitList.count(5)
        (6, 10015005, 16)
        """
        ranks = require_integer(p, "p", 1)
        return 1 << (ranks - 1) if k is None else math.comb(ranks - 1, require_integer(k, "k", 1) - 1)

    @staticmethod
    def all(p: int, k: int | None = None) -> "Iterator[HitList]":
        """All hit lists of p ranks and k hits, each made when it is asked for.

        Earlier first hits come first, then earlier second ones, and so on. Without k, those with one hit come first,
        then those with two, up to p.

        Raises
        ------
        DataError
            If p or k is not a whole number from 1.

        Examples
        --------
        >>> print(*HitList.all(5, 3))
        xx--x x-x-x x--xx -xx-x -x-xx --xxx
        """
        last = require_integer(p, "p", 1)
        sizes = range(1, last + 1) if k is None else (require_integer(k, "k", 1),)
        return (_from_ranks((*ranks, last)) for hits in sizes for ranks in combinations(range(1, last), hits - 1))

    @staticmethod
    def table(
        p: int,
        k: int | None = None,
        scores: Score | Scores = ("score",),
        *,
        bullets: bool = False,
        objects: bool = False,
    ) -> Listing:
        """Table of all hit lists that have p ranks and k hits, in the order of `all`.

        Its columns are ``hit_list`` (text), ``hits``, ``length`` and one for each score.

        Parameters
        ----------
        p, k
            As for `all`.
        scores
            A name (``"score"``, ``"average_precision"``) or a function of a hit list, several of them, or a dictionary
            of them by the names of their columns, such as ``{"m=5": lambda r: r.score(m=5)}``.
        bullets
            Whether the lists are written in bullets.
        objects
            Whether a last column, ``object``, holds each `HitList` itself; pyarrow has no such columns.

        Raises
        ------
        DataError
            There are more than about a million; `all` makes them one by one. Or two columns have one name.
        """
        lists = HitList.all(p, k)
        if (count := HitList.count(p, k)) > _MOST_ROWS:
            rows = number_text(count)
            raise DataError(
                f"a table of all hit lists of {p} ranks has {rows} rows", "take them one by one by HitList.all"
            )
        column_types: dict[str, Kind] = {"hit_list": "text", "hits": "whole", "length": "whole"}
        columns: dict[str, list[Any]] = {name: [] for name in column_types}
        functions = _named_scores(scores, [*columns, *(["object"] if objects else [])])
        columns |= {name: [] for name in functions}
        if objects:
            column_types["object"] = "object"
            columns["object"] = []
        for hit_list in lists:
            text = str(hit_list)
            columns["hit_list"].append(text.translate(_UNICODE) if bullets else text)
            columns["hits"].append(hit_list.hits)
            columns["length"].append(hit_list.length)
            for name, score in functions.items():
                columns[name].append(float(value_of(hit_list, score)))
            if objects:
                columns["object"].append(hit_list)
        return Listing(columns, {name: column_types.get(name, "number") for name in columns})

    def plot(self, ax: Any = None, *, regression: bool = True, score: Score | None = None) -> Any:
        """Draw the rank of each hit against its place among the hits; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        regression
            Whether to draw the line of least squares, where there are two hits or more.
        score
            A score for the title, as for `standing`.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.rankings import hit_list as draw_hit_list

        hit_numbers, ranks = np.arange(1.0, self.hits + 1), np.array(self.ranks, dtype=np.float64)
        line = None
        if regression and self.hits > 1:
            across = hit_numbers - hit_numbers.mean()
            slope = float(across @ ranks / (across @ across))
            end_numbers = hit_numbers[[0, -1]]
            line = end_numbers, ranks.mean() + slope * (end_numbers - hit_numbers.mean())
        parts = [str(self)] if self.length <= _LONGEST_SHOWN else []
        if score is not None:
            parts.append(f"{name_of(score)} = {float(value_of(self, score)):.4g}")
        return draw_hit_list(hit_numbers, ranks, ax, line=line, title="   ".join(parts))

    def plot_area(self, ax: Any = None, *, label: str | None = None, fill: bool = True) -> Any:
        """Draw precision at each level of recall, whose area is average precision; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        label
            What the legend calls the list; by default its text.
        fill
            Whether to shade the area.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.rankings import precision_at_recall as draw_precision_at_recall

        n_hits = np.arange(1.0, self.hits + 1)
        recall, precision = n_hits / self.relevant, n_hits / np.array(self.ranks)
        if self.relevant > self.hits:
            recall, precision = np.append(recall, 1.0), np.append(precision, 0.0)
        list_text = str(self) if self.retrieved <= _LONGEST_SHOWN else "list"
        name = f"{list_text if label is None else label}: AP {self.average_precision():.4f}"
        return draw_precision_at_recall(recall, precision, ax, label=name.removeprefix(": "), fill=fill)

    def plot_average_precision_at(self, ax: Any = None) -> Any:
        """Draw AP@K at every rank K, by each of its denominators; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.rankings import average_precision_at as draw_average_precision_at

        items = "relevant" if self.relevant > self.hits else "hits"
        n_hits, ranks = self.hit_function(), np.arange(1, self.retrieved + 1)
        totals = np.cumsum(self.precision() * self.hit_list())
        values = {
            "all relevant items" if items == "relevant" else "all hits": totals / self.relevant,
            f"min(K, {items})": totals / np.minimum(ranks, self.relevant),
            "hits so far": np.divide(totals, n_hits, out=np.zeros(len(ranks)), where=n_hits > 0),
        }
        title_start = f"{self}: " if self.retrieved <= _LONGEST_SHOWN else ""
        return draw_average_precision_at(values, ax, title=f"{title_start}AP@K, divided by")

    @staticmethod
    def plot_scores(k: int, lengths: Iterable[int], m: float | Fraction = 10, ax: Any = None) -> Any:
        """Draw the score s(r) of all hit lists of k hits against their length; needs ``certus[plot]``.

        Parameters
        ----------
        k
            The number of hits.
        lengths
            The lengths, each at least k.
        m
            As for `score`.
        ax
            The matplotlib axes to draw on; by default those of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.

        Raises
        ------
        DataError
            A length is less than k, or there are no lengths, or more than about a million lists.
        """
        lengths = sorted({require_integer(p, "length", require_integer(k, "k", 1)) for p in lengths})
        count = sum(HitList.count(p, k) for p in lengths)
        if not 0 < count <= _MOST_ROWS:
            lists = number_text(count)
            raise DataError(f"{lists} hit lists have {k} hits and these lengths", f"from 1 to {_MOST_ROWS:,} are drawn")
        from certus.plot.rankings import hit_list_scores as draw_hit_list_scores

        scores = {p: np.unique([hit_list.score(m) for hit_list in HitList.all(p, k)]) for p in lengths}
        title = f"Scores of all hit lists with {k} {'hit' if k == 1 else 'hits'}, m = {float(m):g}"
        return draw_hit_list_scores(scores, ax, title=title)


def _named_scores(scores: Score | Scores, names: Iterable[str]) -> dict[str, Score]:
    """The scores by the names of their columns, none of which is another column's."""
    if isinstance(scores, str) or callable(scores):
        scores = [scores]
    if not isinstance(scores, Iterable):
        raise DataError(
            f"is {scores!r}",
            "give a name, a function of a hit list, or a list or dictionary of them",
            argument="scores",
        )
    pairs = scores.items() if isinstance(scores, Mapping) else [(name_of(score), score) for score in scores]
    functions: dict[str, Score] = {}
    for name, score in pairs:
        if name in names or name in functions:
            raise DataError(f"two columns are named {name!r}", "give scores as a dictionary of names and functions")
        function_of(score)
        functions[name] = score
    return functions


def _from_ranks(ranks: tuple[int, ...]) -> HitList:
    """A hit list of ranks that are known to be one."""
    hit_list = object.__new__(HitList)
    _set(hit_list, ranks, ranks[-1], len(ranks))
    return hit_list


def _set(hit_list: HitList, ranks: tuple[int, ...], retrieved: int, relevant: int) -> None:
    for name, value in (("ranks", ranks), ("retrieved", retrieved), ("relevant", relevant)):
        object.__setattr__(hit_list, name, value)
