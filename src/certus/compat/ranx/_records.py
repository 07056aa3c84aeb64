"""Judgments and runs as ranx holds them: dicts of dicts, sorted by query and by value."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, KeysView, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

from certus.errors import DataError
from certus.io import as_qrels, as_run, read_qrels, read_run
from certus.statistic.common import whole

__all__ = ["Qrels", "Run"]

_KINDS = {"txt": "trec", "parq": "parquet"}
_FORMATS: dict[str | None, str] = {"json": "json", "trec": "trec"}
"""The formats of the kinds that say one."""
_READ = ("json", "trec", "gz", "parquet")


def _kind(path: str, kind: str | None) -> str:
    """The kind of a file: as it is called, or by the end of its name."""
    if not isinstance(path, str | PathLike):
        raise DataError(f"is {path!r}", "it must be the path of a file", argument="path")
    suffix = Path(path).suffix[1:]
    found = kind or _KINDS.get(suffix, suffix)
    if found == "lz4":
        raise DataError("is a file of ranxhub", "load it with ranx and save it as JSON, TREC or Parquet", place=path)
    if found not in _READ:
        raise DataError(f"kind is {found!r}", f"it must be one of {', '.join(_READ)}", place=path)
    return found


def _listed(given: Any, name: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise DataError(f"is {given!r}", "it must be a list", argument=name)
    return list(given)


class _Records(ABC):
    """Common base of judgments and runs."""

    _what: ClassVar[str]
    _read: ClassVar[Callable[..., Any]]
    name: str | None

    def __init__(self, data: Mapping[str, Mapping[str, Any]] | None = None, name: str | None = None) -> None:
        if not isinstance(name, str | None):
            raise DataError(f"is {name!r}", "it must be a text", argument="name")
        self.name = name
        self._data: dict[str, dict[str, Any]] = {}
        if data is not None:
            self._take(data)

    @classmethod
    def of(cls, given: Any) -> Self:
        """The records themselves, or those of whatever data certus reads.

        Raises
        ------
        DataError
            They cannot be read.
        """
        if given is None:
            raise DataError(f"{cls._what} is None", f"give a {cls.__name__} or a dict of dicts")
        return given if isinstance(given, cls) else cls(given)

    def _take(self, data: Any, **columns: str) -> None:
        """Hold what certus reads in the data, sorted."""
        held = type(self)._read(data, self._what, **columns).to_dict()
        queries = data.items() if isinstance(data, Mapping) else ()
        self._data = {**{str(query): {} for query, found in queries if not found}, **held}
        self.sort()

    def _add(self, queries: Mapping[str, Mapping[str, Any]]) -> None:
        """Add queries, or replace them, without reading the others anew."""
        self._data = dict(sorted({**self._data, **type(self)(queries)._data}.items()))

    def keys(self) -> KeysView[str]:
        """Query ids."""
        return self._data.keys()

    def get_query_ids(self) -> list[str]:
        """Query ids, sorted."""
        return list(self._data)

    def get_doc_ids_and_scores(self) -> list[dict[str, Any]]:
        """Documents and values of each query, the greatest value first."""
        return [dict(found) for found in self._data.values()]

    def add_score(self, q_id: str, doc_id: str, score: float) -> None:
        """Add a document to a query, or change its value."""
        self._add({q_id: {**self._data.get(q_id, {}), doc_id: score}})

    def add(self, q_id: str, doc_ids: Iterable[str], scores: Iterable[float]) -> None:
        """Add a query with its documents, or replace it."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(
        self, q_ids: Iterable[str], doc_ids: Iterable[Iterable[str]], scores: Iterable[Iterable[float]]
    ) -> None:
        """Add several queries with their documents, or replace them."""
        queries, docs, values = _listed(q_ids, "q_ids"), _listed(doc_ids, "doc_ids"), _listed(scores, "scores")
        if not len(queries) == len(docs) == len(values):
            counts = f"{len(queries)} q_ids, {len(docs)} lists of doc_ids and {len(values)} lists of scores"
            raise DataError(f"{counts} were given", "each query has one of each")
        added: dict[str, dict[str, float]] = {}
        for query, its_docs, its_scores in zip(queries, docs, values, strict=True):
            found, numbers = _listed(its_docs, "doc_ids"), _listed(its_scores, "scores")
            if len(found) != len(numbers):
                raise DataError(f"query {query!r} has {len(found)} of doc_ids but {len(numbers)} of scores")
            added[query] = dict(zip(found, numbers, strict=True))
            if len(added[query]) < len(found):
                raise DataError(f"query {query!r} has a document twice", "keep one")
        self._add(added)

    def sort(self) -> None:
        """Sort by query, and the documents of each by decreasing value; of equal ones, the greater id comes first."""
        self._data = {
            query: dict(sorted(self._data[query].items(), key=lambda item: (item[1], item[0]), reverse=True))
            for query in sorted(self._data)
        }

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The values as ``{query: {document: value}}``."""
        return {query: dict(found) for query, found in self._data.items()}

    def to_dataframe(self) -> Any:
        """The values as a pandas DataFrame with columns ``q_id``, ``doc_id`` and ``score``."""
        import pandas as pd

        rows = [(query, doc, value) for query, found in self._data.items() for doc, value in found.items()]
        return pd.DataFrame(rows, columns=["q_id", "doc_id", "score"])

    def save(self, path: str, kind: str | None = None) -> None:
        """Write a JSON, TREC or Parquet file, by `kind` or by the end of its name."""
        import json

        found = _kind(path, kind)
        if found == "gz":
            raise DataError("kind is 'gz'", "it must be json, trec or parquet", place=path)
        if found == "parquet":
            self.to_dataframe().to_parquet(path, index=False)
        elif found == "json":
            Path(path).write_text(json.dumps(self._data, indent=2, ensure_ascii=False), encoding="utf-8")
        else:
            Path(path).write_text("\n".join(map(" ".join, self._lines(path))), encoding="utf-8")

    def _lines(self, path: str) -> Iterable[tuple[str, ...]]:
        """The columns of each line, none of which may hold a blank."""
        for columns in self._columns():
            blank = next((each for each in columns if each.split() != [each]), None)
            if blank is not None:
                raise DataError(
                    f"{blank!r} is not a column of a TREC file, which blanks divide", "save as JSON", place=path
                )
            yield columns

    @abstractmethod
    def _columns(self) -> Iterable[tuple[str, ...]]:
        """The columns of each line of a TREC file."""

    @classmethod
    def from_dict(cls, d: Mapping[str, Mapping[str, Any]], name: str | None = None) -> Self:
        """From ``{query: {document: value}}``."""
        return cls(d, name)

    @classmethod
    def from_df(
        cls,
        df: Any,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        name: str | None = None,
    ) -> Self:
        """From the columns of a DataFrame of any library."""
        made = cls(name=name)
        made._take(df, query=q_id_col, doc=doc_id_col, **{"score" if cls is Run else "grade": score_col})
        return made

    @classmethod
    def from_parquet(
        cls,
        path: str,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Self:
        """From the columns of a Parquet file; `pd_kwargs` are arguments of `pandas.read_parquet`."""
        import pandas as pd

        try:
            frame = pd.read_parquet(path, **(pd_kwargs or {}))
        except (OSError, ValueError) as error:
            raise DataError(f"cannot be read as a Parquet file: {error}", place=path) from None
        return cls.from_df(frame, q_id_col, doc_id_col, score_col, name)

    @property
    def size(self) -> int:
        """Number of queries."""
        return len(self._data)

    def __getitem__(self, q_id: str) -> dict[str, Any]:
        return dict(self._data[q_id])

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return repr(self._data)


class Qrels(_Records):
    """Judgments: ``{query: {document: grade}}``, sorted by query, the highest grade first.

    Examples
    --------
    >>> Qrels({"q2": {"d1": 1}, "q1": {"d1": 1, "d2": 3}})
    {'q1': {'d2': 3, 'd1': 1}, 'q2': {'d1': 1}}
    """

    _what = "qrels"
    _read = as_qrels

    def __init__(self, qrels: Mapping[str, Mapping[str, int]] | None = None, name: str | None = None) -> None:
        super().__init__(qrels, name)

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """The judgments themselves."""
        return self._data

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """Lower all grades, so that those of `rel_lvl` become 1."""
        whole(rel_lvl, "rel_lvl")
        self._take({q: {doc: grade - (rel_lvl - 1) for doc, grade in found.items()} for q, found in self._data.items()})

    def _columns(self) -> Iterable[tuple[str, ...]]:
        return ((query, "0", doc, str(grade)) for query, found in self._data.items() for doc, grade in found.items())

    def save(self, path: str = "qrels.json", kind: str | None = None) -> None:
        """Write a JSON, TREC or Parquet file, by `kind` or by the end of its name."""
        super().save(path, kind)

    @classmethod
    def from_file(cls, path: str, kind: str | None = None) -> Self:
        """From a file of any kind that `certus.io.read_qrels` reads, told by content, or from Parquet."""
        if _kind(path, kind) == "parquet":
            return cls.from_parquet(path)
        return cls(read_qrels(path, format=_FORMATS.get(kind)).to_dict())

    @classmethod
    def from_ir_datasets(cls, dataset_id: str) -> Self:
        """The judgments of a dataset of ir_datasets."""
        return cls(read_qrels(f"ir_datasets:{dataset_id}").to_dict(), dataset_id)


class Run(_Records):
    """Results: ``{query: {document: score}}``, sorted by query, the best document first.

    Attributes
    ----------
    name
        What reports call it.
    scores, mean_scores, std_scores
        What `evaluate` found: metric and query, metric alone.
    metadata
        Whatever is to be kept with it.

    Examples
    --------
    >>> run = Run({"q1": {"d1": 0.2, "d2": 3}}, name="bm25")
    >>> run["q1"], run.name
    ({'d2': 3.0, 'd1': 0.2}, 'bm25')
    """

    _what = "run"
    _read = as_run

    def __init__(self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None) -> None:
        super().__init__(run, name)
        self.metadata: dict[str, Any] = {}
        self.scores: dict[str, dict[str, float]] = {}
        self.mean_scores: dict[str, float] = {}
        self.std_scores: dict[str, float] = {}

    @property
    def run(self) -> dict[str, dict[str, float]]:
        """The results themselves."""
        return self._data

    def make_comparable(self, qrels: Qrels) -> Self:
        """Keep the queries of the judgments only, those that the run lacks with an empty list; changes the run."""
        qrels = Qrels.of(qrels)
        self._data = {query: self._data.get(query, {}) for query in qrels.get_query_ids()}
        return self

    def _columns(self) -> Iterable[tuple[str, ...]]:
        for query, found in self._data.items():
            for rank, (doc, score) in enumerate(found.items(), 1):
                yield query, "Q0", doc, str(rank), str(score), str(self.name)

    def save(self, path: str = "run.json", kind: str | None = None) -> None:
        """Write a JSON, TREC or Parquet file, by `kind` or by the end of its name."""
        super().save(path, kind)

    @classmethod
    def from_ranxhub(cls, run_id: str) -> Self:
        """Runs of ranxhub are not here.

        Raises
        ------
        DataError
            Always; it says what to do.
        """
        raise DataError("runs of ranxhub are loaded by ranx", "save it there as JSON, TREC or Parquet", place=run_id)

    @classmethod
    def from_file(cls, path: str, kind: str | None = None, name: str | None = None) -> Self:
        """From a file of any kind that `certus.io.read_run` reads, told by content, or from Parquet.

        The name, if none is given, is the run tag.
        """
        if _kind(path, kind) == "parquet":
            return cls.from_parquet(path, name=name)
        run = read_run(path, format=_FORMATS.get(kind))
        return cls(run.to_dict(), name or run.tag or None)
