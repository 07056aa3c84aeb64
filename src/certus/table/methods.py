"""The methods paragraph of a result for a paper, with BibTeX of what it cites."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from certus.core import registry
from certus.core.spelling import abridged, plural

if TYPE_CHECKING:
    from certus.table.row import Row
    from certus.table.table import Table

_CITED = re.compile(r"((?:(?:(?:van|von|de|der) )*[A-ZÀ-Ž][\w'’-]+(?:, | & | and )?)+) \((\d{4})\),? ?(.*)", re.DOTALL)
"""Authors, year and origin of one publication."""
_MAX_NAMES = 10
"""Metrics or values with one method that are named."""
_CONVENTIONS: Mapping[str, Mapping[object, str]] = {
    "queries": {
        "intersection": "Means are over the queries that have both judgments and results",
        "judged": "Means are over all judged queries; a query without results counts as 0",
    },
    "ties": {
        "trec": "documents with equal scores were ordered by descending identifier, as in trec_eval",
        "input": "documents with equal scores kept the order of the run",
        "average": "values are expectations over all orders of documents with equal scores",
        "range": "ranges are over all orders of documents with equal scores",
    },
    "unjudged": {
        "nonrelevant": "documents without a judgment were treated as not relevant",
        "remove": "documents without a judgment were removed",
        "bounds": "ranges are over all grades of documents without a judgment",
    },
    "drop_self": {True: "the document with the query's own identifier was left out of the results of each query"},
}
"""The conventions of rankings in words."""


RANDOM_METHODS = frozenset({"percentile", "bca", "bootstrap-t", "dirichlet"})
"""Methods that draw at random."""


class Citations:
    """The publications that a text cites, in the order of their first mention."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, ...], str] = {}

    def cite(self, source: str) -> str:
        """`` (Author & Author, year; ...)``, the publications of a source; empty where it names none."""
        cited = []
        for part in source.split("; "):
            if match := _CITED.search(part):
                authors, year, origin = match.groups()
                origin, _, doi = origin.partition("doi:")
                origin = re.sub(r", (?:for|with|section|corrigenda|as below)\b.*", "", origin).strip(", ")
                cited.append(f"{authors}, {year}")
                self._add(authors, year, origin, re.split(r"[,\s]", doi)[0])
        return f" ({'; '.join(cited)})" if cited else ""

    def _add(self, *publication: str) -> None:
        """Add a publication with a BibTeX key from first author and year, unless it is present."""
        if publication in self.entries:
            return
        name = unicodedata.normalize("NFKD", re.split(r", | & ", publication[0])[0]).encode("ascii", "ignore").decode()
        start = re.sub(r"\W", "", name).lower() + publication[1]
        key = next(k for k in (start, *(start + letter for letter in "bcdefghi")) if k not in self.entries.values())
        self.entries[publication] = key

    def bibtex(self) -> str:
        """An entry for each publication, with what its source says; titles come from the DOI."""
        entries = []
        for (authors, year, origin, doi), key in self.entries.items():
            names = re.sub(", | & ", " and ", authors)
            fields = {"author": names, "year": year, "howpublished": origin, "doi": doi}
            lines = [f"  {name} = {{{value.replace('&', chr(92) + '&')}}}" for name, value in fields.items() if value]
            entries.append(f"@misc{{{key},\n" + ",\n".join(lines) + "\n}\n")
        return "\n".join(entries)


def join_names(names: Iterable[str]) -> str:
    """``a, b and c``; of very many the first ones, and how many more there are."""
    names = list(dict.fromkeys(names))
    if len(names) < 2 or len(names) > _MAX_NAMES + 1:
        return abridged(names, _MAX_NAMES)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def name_method(label: str, noun: str) -> str:
    """``the Wilson method``; the noun is left out where the label has one."""
    name, comma, detail = label.partition(", ")
    has_noun = re.search(r"(method|test|bootstrap|limits|posterior|ranks|inverted|values|shares)$", name)
    return f"the {name}{'' if has_noun else f' {noun}'}{f' ({detail})' if comma else ''}"


def units_of(counts: Iterable[tuple[int, str]]) -> str:
    """``400 queries``; where the numbers differ, the least and the greatest."""
    by_unit: dict[str, list[int]] = {}
    for n, unit in counts:
        by_unit.setdefault(unit, []).append(n)
    return join_names(
        plural(max(numbers), unit) if len(set(numbers)) == 1 else f"{min(numbers)} to {plural(max(numbers), unit)}"
        for unit, numbers in by_unit.items()
    )


def metric_sentences(
    opening: str, metrics: Sequence[str], facts: Mapping[str, Any], citations: Citations
) -> Iterator[str]:
    """The metrics with their sources, and the conventions that change their values."""
    task, conventions = str(facts.get("task", "")), facts.get("metrics", {})
    names = []
    for metric in metrics:
        full_name = next((name for name in conventions if name.partition("(")[0] == metric), metric)
        names.append(metric + citations.cite(registry.task(task).source_of(full_name) if task else ""))
    yield f"{opening} by {join_names(names)}"
    chosen: dict[str, list[str]] = {}
    for metric, of_metric in conventions.items():
        settings = {key: value for key, value in of_metric.items() if f"{key}=" not in metric and key != "cutoff"}
        omitted: tuple[object, ...] = (None, False, [], (), "nan", [None, None])
        if text := ", ".join(f"{key} = {value}" for key, value in settings.items() if value not in omitted):
            chosen.setdefault(text, []).append(metric)
    if chosen:
        parts = (f"{text} for {join_names(names)}" for text, names in chosen.items())
        yield f"The metrics have the conventions {'; '.join(parts)}"
    if (positive := facts.get("pos_label")) is not None:
        yield f"The positive class is {positive}"
    texts = [texts[facts[name]] for name, texts in _CONVENTIONS.items() if facts.get(name) in texts]
    if texts:
        yield "; ".join(texts)


def interval_sentences(rows: "Sequence[Row]", citations: Citations) -> Iterator[str]:
    """A sentence for each method of an interval, with the values that it was used for."""
    from certus.inference.declare import LABELS, source_of

    rows = [row for row in rows if row.method is not None and row.level is not None and row.low is not None]
    methods: dict[str, set[str]] = {}
    for row in rows:
        methods.setdefault(row.metric, set()).add(str(row.method))
    by_method: dict[tuple[str, float], list[str]] = {}
    has_runs = len({row.run for row in rows}) > 1
    for row in rows:
        parts = (row.run if has_runs else "", row.group, row.label, row.average and f"{row.average} average", row.among)
        where = ", ".join(part for part in parts if part)
        name = row.metric if len(methods[row.metric]) == 1 else f"{row.metric} ({where})"
        by_method.setdefault((str(row.method), row.level or 0.0), []).append(name)
    for (method, level), names in by_method.items():
        label = name_method(LABELS.get(method, method), "method")
        source = citations.cite(source_of(method))
        counts = [(row.n, row.unit) for row in rows if row.method == method]
        start = f"Confidence intervals ({100 * level:.10g}%) of {join_names(names)}"
        yield f"{start} are by {label}{source}, from {units_of(counts)}"


def table_sentences(table: "Table", citations: Citations) -> Iterator[str]:
    """The sentences on a table: systems, units, metrics, conventions and intervals."""
    rows = [row for row in table.summary if row.query is None]
    systems = list(dict.fromkeys(row.run for row in rows))
    was = "was" if len(systems) == 1 else "were"
    counts = "; ".join(str(text) for text in table.signature.get("said", ()) if re.match(r"\d+ ", str(text)))
    size = f" on {counts}" if counts else ""
    opening = f"The system{'s' * (len(systems) > 1)} {join_names(systems)} {was} evaluated{size}"
    yield from metric_sentences(opening, list(dict.fromkeys(row.metric for row in rows)), table.signature, citations)
    yield from interval_sentences(rows, citations)
    yield software(table.signature, any(row.method in RANDOM_METHODS for row in rows))


def software(facts: Mapping[str, Any], random: bool) -> str:
    """The sentence on certus, its version, and the seed where anything was drawn at random."""
    seed = f", with random draws from seed {facts.get('seed', 0)}" if random else ""
    return f"All numbers were computed with certus {facts.get('certus', '')}".rstrip() + seed


def paragraph(sentences: Iterable[str], citations: Citations) -> str:
    """The sentences as one paragraph, then the entries of what it cites."""
    text = " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)
    return f"{text}\n\n{citations.bibtex()}" if citations.entries else f"{text}\n"
