"""Make the demo data of certus: known-item search over the docstrings of Python's standard library.

Documents are the public modules, classes, functions, methods and properties that have a docstring. A document's text
is its name, its parameters and its docstring, *without* the first sentence wherever more follows. Queries are first
sentences: whoever types one wants the object it was written for. Relevance comes from the library's own structure:

- 2: the object itself,
- 1: objects that open with the same sentence (overrides and twins of other classes), and the class or module that holds
  the object, where a reader would find it,
- 0: the other members of that class or module, which a reader would have looked at,
- unjudged: all else.

Only ids, ranks, scores and grades are written, no text. The library differs between Python versions, and so does what
this script makes; the version that made the stored files stands in src/certus/demo/README.md.

    python tools/make_demo.py [FOLDER]
"""

import contextlib
import gzip
import hashlib
import importlib
import inspect
import io
import pkgutil
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import bm25s
import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

FOLDER = Path(__file__).resolve().parents[1] / "src" / "certus" / "demo"
QUERIES = 400
DEPTH = 50
SHORTEST_DOCSTRING = 20
SHORTEST_REST = 60
FEWEST_QUERY_WORDS = 5
MOST_TWINS = 4

# Importing these opens a browser, prints a poem, needs a display, or is only there to test Python.
SKIPPED = {"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"}


@dataclass(frozen=True)
class Item:
    """One documented object."""

    name: str
    holder: str
    kind: str
    signature: str
    docstring: str

    @property
    def first_sentence(self) -> str:
        """The docstring up to its first full stop or empty line, on one line."""
        return " ".join(re.split(r"\n\s*\n|(?<=[.!?])\s+(?=[A-Z\"'(`*])", self.docstring, maxsplit=1)[0].split())

    @property
    def rest(self) -> str:
        """The docstring after its first sentence."""
        return " ".join(self.docstring.split())[len(self.first_sentence) :].strip()

    @property
    def text(self) -> str:
        """Text that a ranker sees of it."""
        body = self.rest if len(self.rest) >= SHORTEST_REST else self.docstring
        return f"{self.name} {self.signature} {body}"


def modules() -> Iterator[ModuleType]:
    """Every public module of the standard library that can be imported here, in the order of names."""
    for top in sorted(sys.stdlib_module_names - SKIPPED):
        if top.startswith("_"):
            continue
        names = [top]
        root = load(top)
        if root is not None and hasattr(root, "__path__"):
            names += sorted(m.name for m in pkgutil.walk_packages(root.__path__, f"{top}.", onerror=lambda _: None))
        for name in names:
            if not any(part.startswith("_") or part in {"test", "tests"} for part in name.split(".")):
                module = load(name)
                if module is not None:
                    yield module


def load(name: str) -> ModuleType | None:
    """The module, or None where this platform cannot import it."""
    try:
        return importlib.import_module(name)
    except (ImportError, AttributeError, OSError, ValueError):
        return None


def documented(thing: object) -> str:
    """The object's own docstring, without the signature lines some C functions begin with."""
    text = getattr(thing, "__doc__", None)
    if not isinstance(text, str):
        return ""
    lines = inspect.cleandoc(text).split("\n")
    while lines and re.match(r"[\w.]+\(.*\)( *(->|=>|--|:).*)?$|^[\w.]+\(.*(->|--)", lines[0]):
        del lines[0]
    return "\n".join(lines).strip()


def signature(thing: object) -> str:
    """The names of a callable's parameters, empty where it does not say."""
    try:
        return " ".join(inspect.signature(thing).parameters) if callable(thing) else ""
    except (AttributeError, NameError, TypeError, ValueError):
        return ""


def kind(thing: object, holder: ModuleType | type) -> str:
    """Kind of a documented object."""
    if inspect.ismodule(thing) or inspect.isclass(thing):
        return "module" if inspect.ismodule(thing) else "class"
    if isinstance(thing, property):
        return "property"
    return "method" if inspect.isclass(holder) else "function"


def members(holder: ModuleType | type) -> Iterator[tuple[str, object]]:
    """The public names defined in a module or class, in the order of names."""
    for name, value in sorted(vars(holder).items()):
        if name.startswith("_") or inspect.ismodule(value):
            continue
        thing = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not (inspect.isroutine(thing) or inspect.isclass(thing) or isinstance(thing, property)):
            continue
        home = getattr(thing, "__module__", None) or holder.__name__
        if isinstance(holder, type) or home == holder.__name__ or home.startswith("_"):
            yield name, thing


def items() -> list[Item]:
    """Every documented public object once, under the first name it is found by, in the order of names."""
    found: dict[str, Item] = {}
    seen: set[int] = set()

    def add(name: str, holder: str, thing: object, inside: ModuleType | type) -> None:
        if id(thing) in seen or name in found:
            return
        seen.add(id(thing))
        docstring = documented(thing)
        if len(docstring) >= SHORTEST_DOCSTRING:
            found[name] = Item(name, holder, kind(thing, inside), signature(thing), docstring)
        if inspect.isclass(thing):
            for member, value in members(thing):
                add(f"{name}.{member}", name, value, thing)

    for module in modules():
        add(module.__name__, module.__name__.rpartition(".")[0], module, module)
        for member, value in members(module):
            add(f"{module.__name__}.{member}", module.__name__, value, module)
    return [found[name] for name in sorted(found)]


def words(text: str) -> list[str]:
    """Lower-case words, names taken apart at dots, underscores and capitals."""
    return re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


def known_items(collection: list[Item]) -> list[Item]:
    """The objects whose first sentence is a query: long enough, not too common, and not all there is to find."""
    twins = defaultdict(list)
    for item in collection:
        twins[item.first_sentence].append(item)
    fit = [
        item
        for item in collection
        if len(words(item.first_sentence)) >= FEWEST_QUERY_WORDS
        and len(item.rest) >= SHORTEST_REST
        and len(twins[item.first_sentence]) <= MOST_TWINS
    ]
    # A sample that does not depend on any random generator: by the hash of the name.
    fit.sort(key=lambda item: hashlib.sha256(item.name.encode()).digest())
    return sorted(fit[:QUERIES], key=lambda item: item.name)


def judgments(query: Item, collection: list[Item]) -> dict[str, int]:
    """Grade of every document the rules of the module's docstring judge for a query."""
    grades = {item.name: 0 for item in collection if item.holder == query.holder}
    grades |= {item.name: 1 for item in collection if item.first_sentence == query.first_sentence}
    if any(item.name == query.holder for item in collection):
        grades[query.holder] = 1
    return grades | {query.name: 2}


def bm25_scores(texts: list[str], queries: list[str], **parameters: float | str) -> NDArray[np.float64]:
    """Scores of all documents for all queries, one row a query."""
    index = bm25s.BM25(**parameters)
    with contextlib.redirect_stderr(io.StringIO()):
        index.index([words(text) for text in texts], show_progress=False)
    vocabulary = index.vocab_dict
    known = [[word for word in words(query) if word in vocabulary] for query in queries]
    return np.array([index.get_scores(query) if query else np.zeros(len(texts)) for query in known], dtype=np.float64)


def tfidf_scores(texts: list[str], queries: list[str]) -> NDArray[np.float64]:
    """Cosines of TF-IDF vectors, one row a query."""
    vectorizer = TfidfVectorizer(analyzer=words, sublinear_tf=True)
    documents = vectorizer.fit_transform(texts)
    return np.asarray((vectorizer.transform(queries) @ documents.T).toarray(), dtype=np.float64)


def run_lines(tag: str, names: list[str], scores: NDArray[np.float64], decimals: int) -> Iterator[str]:
    """The lines of a TREC run: the best `DEPTH` documents of each query that share a word with it."""
    for number, row in enumerate(np.round(scores, decimals), start=1):
        best = np.argsort(-row, kind="stable")[:DEPTH]
        for rank, document in enumerate(best[row[best] > 0], start=1):
            yield f"q{number:03d} Q0 {names[document]} {rank} {row[document]:.{decimals}f} {tag}\n"


def write(path: Path, text: str) -> None:
    """Write a gzip file that is the same bytes every time."""
    with path.open("wb") as file, gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=0) as packed:
        packed.write(text.encode())


def main() -> None:
    """Write the qrels and the three runs."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        collection = items()
    wanted = known_items(collection)
    names = [item.name for item in collection]
    texts = [item.text for item in collection]
    queries = [item.first_sentence for item in wanted]

    qrels = [
        f"q{number:03d} 0 {name} {grade}\n"
        for number, item in enumerate(wanted, start=1)
        for name, grade in sorted(judgments(item, collection).items())
    ]
    write(folder / "qrels.txt.gz", "".join(qrels))
    signatures = [f"{item.name} {item.signature}" for item in collection]
    runs = {
        "bm25": run_lines("bm25", names, bm25_scores(texts, queries, method="lucene", k1=1.2, b=0.75), 4),
        "tfidf": run_lines("tfidf", names, tfidf_scores(texts, queries), 4),
        "names": run_lines("names", names, bm25_scores(signatures, queries, method="lucene", k1=1.2, b=0.75), 3),
    }
    for tag, lines in runs.items():
        write(folder / f"{tag}.run.gz", "".join(lines))

    python = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {python}: {len(names)} documents, {len(wanted)} queries, {len(qrels)} judgments")
    for path in sorted(folder.glob("*.gz")):
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
