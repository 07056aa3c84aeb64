"""Random choices, and random data of each task as columns."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

from net.calls import Node, array, call, pairs

__all__ = ["LEVELS", "METHODS", "SIDES", "Draw"]

Item = TypeVar("Item")
Columns = dict[str, list[Any]]

LEVELS = (0.8, 0.9, 0.95, 0.99, 0.5, 0.6)
SIDES = ("two-sided", "greater", "less")
METHODS = (
    *("percentile", "bca", "wilson", "clopper-pearson", "t", "hall", "delta", "jackknife", "influence", "delong"),
    *("logit-delong", "bias-aware", "fisher-z", "blaker", "mid-p", "jeffreys", "normal", "bootstrap-t", "dirichlet"),
    *("beta-moments", "woodruff", "order-statistics", "modified-wilson", "agresti-coull", "wald", "score-delong"),
    *("adjusted-delta", "goutte-gaussier", "hanley-mcneil", "influence-logit", "influence-log", "score-profile"),
)
NAMES = (
    "a_b",
    "x&y",
    "10",
    "2",
    "m|n",
    "<b>",
    "50%",
    "\u00e9t\u00e9",
    "q$^2",
    "the longest name of all the systems",
    "nan",
    "B",
)
"""Names with signs that mean something to a writer, and such as an order of text and of numbers differs for."""
DTYPES: dict[type, tuple[str, ...]] = {
    int: ("int8", "int64", "uint8", "int32", "float64", "object", "bool"),
    float: ("float32", "float32", "float16", "longdouble", "object"),
    str: ("object", "S4"),
}
"""Other kinds of arrays of what a column holds."""


class Draw(random.Random):
    """Random numbers with words for what calls are made of."""

    def chance(self, probability: float) -> bool:
        """True with the probability."""
        return self.random() < probability

    def maybe(self, probability: float, **options: Any) -> dict[str, Any]:
        """The options, each with the probability; of a tuple one of its items."""
        return {
            name: self.choice(value) if isinstance(value, tuple) else value
            for name, value in options.items()
            if self.chance(probability)
        }

    def names(self, names: Sequence[str]) -> list[str]:
        """Names of systems: the usual ones, and others at times."""
        return self.sample(NAMES, len(names)) if self.chance(0.12) else list(names)

    def size(self) -> int:
        """A number of samples: mostly some dozens, at times very few, or more than a byte counts."""
        if self.chance(0.02):
            return self.choice((300, 600))
        return self.choice((1, 2, 3, 5)) if self.chance(0.08) else self.randint(8, 70)

    def numbers(self, n: int, digits: int | None = None) -> list[float]:
        """Normal numbers, rounded so that some are tied where digits are given."""
        values = [self.gauss(0.2, 1.0) for _ in range(n)]
        return values if digits is None else [round(value, digits) for value in values]

    def column(self, n: int) -> Columns:
        """Columns that every task has: weights, groups, subgroups and ids."""
        whole = self.chance(0.3)
        return {
            "w": [self.randint(1, 4) if whole else round(self.gammavariate(2.0, 1.0), 2) for _ in range(n)],
            "g": [self.randrange(max(2, n // 3)) for _ in range(n)],
            "b": [self.choice(("de", "fr", "it")) for _ in range(n)],
            "id": [f"i{index}" for index in range(n)],
        }

    def classes(self) -> list[Any]:
        """The classes of a classification."""
        several: list[list[Any]] = [[0, 1]] * 6 + [[False, True], ["no", "yes"], [-1, 1], [0, 1, 2], list("abcd")]
        return self.choice(several)

    def labels(self, n: int, classes: list[Any], right: float = 0.7) -> tuple[list[Any], list[Any], list[Any]]:
        """True labels and those of two systems."""
        truth = [self.choice(classes) for _ in range(n)]
        if self.chance(0.06):
            truth = [classes[0]] * n
        first, second = ([t if self.chance(right) else self.choice(classes) for t in truth] for _ in range(2))
        return truth, truth[:] if self.chance(0.05) else first, second

    def samples(self, n: int) -> Columns:
        """Samples of two classes: labels, and scores and probabilities of three systems; numbers; several labels."""
        classes = self.choices(([0, 1], [False, True], ["no", "yes"]), (0.85, 0.08, 0.07))[0]
        y, p, k = self.labels(n, classes)
        c, d, e = self.labels(n, list("abc"))
        digits = self.choice((1, 2, None))
        up = [float(label == classes[1]) for label in y]
        found: Columns = {"y": y, "p": p, "k": k, "c": c, "d": d, "e": e, **self.column(n)}
        for name, quality in (("s", 0.5), ("r", 0.3), ("q", 0.1)):
            values = [quality * mark + (1 - quality) * self.random() for mark in up]
            found[name] = [min(max(round(v, digits) if digits else v, 0.01), 0.99) for v in values]
        found["u"] = self.numbers(n, self.choice((1, None)))
        for name, error in (("v", 0.5), ("t", 0.8), ("x", 0.5)):
            found[name] = [value + error * self.gauss(0, 1) for value in found["u"]]
        for name in ("m1", "m2", "m3"):
            found[name] = [int(self.chance(0.5)) for _ in range(n)]
            found[f"{name}p"] = [bit if self.chance(0.75) else 1 - bit for bit in found[name]]
            found[f"{name}s"] = [round(0.4 * bit + 0.6 * self.random(), 2) for bit in found[name]]
        shares = [[self.random() + (label == name) for name in "abc"] for label in c]
        for index, name in enumerate("abc"):
            found[f"s{name}"] = [row[index] / sum(row) for row in shares]
        found["pos"] = [abs(value) + 0.1 for value in found["u"]]
        found["z"] = [round(max(value, 0.0), 1) for value in found["u"]]
        if self.chance(0.08):
            self._degenerate(found, up)
        return found

    def _degenerate(self, columns: Columns, up: list[float]) -> None:
        """Make some columns all alike, or what they predict."""
        n = len(up)
        alike: Columns = {
            "u": [2.0] * n,
            "v": [value + 1 for value in columns["u"]],
            "t": columns["u"],
            "x": [0.5] * n,
            "pos": [1.0] * n,
            "s": [0.25 + mark / 2 for mark in up] if self.chance(0.5) else [0.5] * n,
            "r": columns["s"],
            "w": [0 if self.chance(0.5) else 1 for _ in range(n)],
            "g": self.choice(([0] * n, list(range(n)))),
            "b": ["de"] * n,
            "k": columns["p"],
            "m1": [1] * n,
            "d": columns["c"],
        }
        for name in self.sample(sorted(alike), 3):
            columns[name] = list(alike[name])

    def rankings(self, systems: int = 1) -> tuple[dict[str, dict[str, int]], list[dict[str, dict[str, float]]]]:
        """Judgments, and runs of systems, with ties, unjudged documents and queries on one side alone."""
        documents = [f"d{index}" for index in range(self.choice((6, 12, 25)))]
        prefix = "" if self.chance(0.15) else "q"
        queries = [f"{prefix}{index}" for index in range(self.choice((1, 3, 8, 14)))]
        if self.chance(0.08):  # one id that is not ASCII, or two that are one in Unicode's normal form
            queries[0] = "q\u00e9"
            queries += ["qe\u0301"] if self.chance(0.5) else []
        grades = self.choice(((0, 1), (0, 0, 1, 2), (-1, 0, 0, 1, 3)))
        qrels = {
            query: {name: self.choice(grades) for name in self.sample(documents, self.randint(2, len(documents)))}
            for query in queries
        }
        runs = []
        for index in range(systems):
            quality, digits = (1.0, 0.5, 0.2)[index % 3], self.choice((0, 1, 3))
            run = {
                query: {
                    name: round(quality * judged.get(name, 0) + self.gauss(0, 1), digits)
                    for name in self.sample(documents, self.randint(1, len(documents)))
                }
                for query, judged in qrels.items()
                if self.chance(0.95)
            }
            runs.append(run or {queries[0]: {"d0": 1.0}})
        if self.chance(0.3):
            qrels["q99"] = {"d1": 1}
        return qrels, runs

    def form(self, values: list[Any]) -> Node:
        """A column as a list or an array, or as what a library of frames has for it."""
        if self.chance(0.03) and values and isinstance(values[0], float):
            values = [self.choice((float("nan"), float("inf"), 1e-200, 1e300)), *values[1:]]
        if self.chance(0.03):
            return self.odd_form(values)
        kind = self.random()
        if kind < 0.12 and values and isinstance(values[0], list):
            return call(self.choice((":scipy.sparse.csr_array", ":scipy.sparse.coo_matrix")), array(values))
        if kind > 0.85 and values and isinstance(values[0], list):
            names = [f"m{index}" for index in range(len(values[0]))]
            names = names[::-1] if self.chance(0.2) else names
            return call(":pandas.DataFrame", values, columns=names)
        if kind < 0.3:
            return values
        if kind < 0.8 or isinstance(values[0] if values else 0, list):
            kinds = {type(value) for value in values}
            dtypes = DTYPES.get(kinds.pop(), ()) if len(kinds) == 1 else ()
            dtype = self.choice(dtypes) if dtypes and self.chance(0.3) else None
            return array(values, dtype)
        if kind < 0.9:
            words = all(isinstance(value, str) for value in values)
            options: dict[str, Node] = {"dtype": "category"} if words and self.chance(0.3) else {}
            options |= {"index": list(range(len(values)))[::-1]} if self.chance(0.1) else {}
            return call(":pandas.Series", values, **options)
        return call(":polars.Series", values=values) if kind < 0.95 else call(":pyarrow.array", values)

    def odd_form(self, values: list[Any]) -> Node:
        """A column in a form that few callers give, or that is no column."""
        value = self.choice((None, "a", 2**70, 1.5, True, [1], float("nan"), -1))
        mask = [self.chance(0.05) for _ in values]
        forms: tuple[Node, ...] = (
            {"tuple": values},
            [value, *values[1:]],
            array([value, *values[1:]], "object") if not isinstance(value, list) else [values],
            call(":collections.deque", values),
            call(":numpy.ma.array", array(values), mask=mask if self.chance(0.5) else False),
            [[item] for item in values],
            values[:-1],
            call(":pandas.Series", [None, *values[1:]]),
            call(":polars.Series", values=[None, *values[1:]], strict=False),
            {"set": values[:2]} if not isinstance(values[0] if values else 0, list) else values,
            "text",
            call(":builtins.iter", values),
            pairs({f"i{position}": item for position, item in enumerate(values)}),
        )
        return self.choice(forms)

    def named(self, values: list[Any], names: Sequence[str]) -> Node:
        """Rows as an array, or as a frame whose columns have the names, in another order at times."""
        if self.chance(0.6) or not values:
            return self.form(values)
        order = self.sample(range(len(names)), len(names)) if self.chance(0.5) else range(len(names))
        if self.chance(0.08):
            names = [*names[:-1], self.choice(("z", names[0], "", "1", "NA", "nan"))]
        columns = pairs({names[index]: [row[index] for row in values] for index in order})
        return call(self.choice((":pandas.DataFrame", ":polars.DataFrame", ":pyarrow.table")), columns)

    def frame(self, columns: Columns) -> Node:
        """Columns as a dict or a frame."""
        held = pairs(columns)
        makers = (":pandas.DataFrame", ":polars.DataFrame", ":pyarrow.table")
        return held if self.chance(0.35) else call(self.choice(makers), held)

    def batches(self, columns: Columns) -> Node:
        """Columns as tables in batches."""
        n = len(next(iter(columns.values())))
        cuts = sorted({0, n, *(self.randint(0, n) for _ in range(self.randint(0, 3)))})
        parts = [pairs({name: values[start:end] for name, values in columns.items()}) for start, end in pairwise(cuts)]
        if self.chance(0.5):
            parts = [call(":pyarrow.table", part) for part in parts]
        return call(":builtins.iter", parts)
