"""ranx's `Report`: a comparison as a table, as LaTeX, as data."""

import json
import sys
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["TESTS", "Comparisons", "Report"]

TESTS = {
    "student": "paired Student's t-test",
    "fisher": "Fisher's randomization test",
    "tukey": "Tukey's HSD test",
}
"""Names of the tests, and what tables call them."""
_RAISED = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ")
_LABELS = {
    "f1": "F1",
    "hit_rate": "Hit Rate",
    "hits": "Hits",
    "precision": "P",
    "recall": "Recall",
    "r-precision": "R-Prec",
    "bpref": "BPref",
    "dcg_burges": "DCG Burges",
    "ndcg_burges": "NDCG Burges",
}


class Comparisons(MutableMapping[Iterable[str], dict[str, dict[str, Any]]]):
    """The findings of pairs, under both orders: ``comparisons["a", "b"]["map"]["p_value"]``."""

    def __init__(self) -> None:
        self._found: dict[frozenset[str], dict[str, dict[str, Any]]] = {}

    def __getitem__(self, pair: Iterable[str]) -> dict[str, dict[str, Any]]:
        return self._found[frozenset(pair)]

    def __setitem__(self, pair: Iterable[str], found: dict[str, dict[str, Any]]) -> None:
        self._found[frozenset(pair)] = found

    def __delitem__(self, pair: Iterable[str]) -> None:
        del self._found[frozenset(pair)]

    def __iter__(self) -> Iterator[frozenset[str]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


@dataclass(repr=False)
class Report:
    """Values of several runs, with p-values of their pairs; printing it gives a table.

    A letter after a value names a run that is worse, with a p-value of at most `max_p`.

    Attributes
    ----------
    model_names, metrics
        The runs' names and the metrics.
    results
        ``{run: {metric: mean}}``.
    comparisons
        ``comparisons["a", "b"][metric]``: ``p_value`` and ``significant``.
    max_p
        p-value up to which a difference is marked.
    win_tie_loss
        ``win_tie_loss["a", "b"][metric]``: queries on which ``a`` wins (``W``), ties (``T``) and loses (``L``).
    rounding_digits, show_percentages
        How values are printed.
    stat_test
        ``"student"``, ``"fisher"`` or ``"tukey"``.
    """

    model_names: list[str]
    results: dict[str, dict[str, float]]
    comparisons: Comparisons
    metrics: list[str]
    max_p: float
    win_tie_loss: dict[tuple[str, str], dict[str, dict[str, int]]]
    rounding_digits: int = 3
    show_percentages: bool = False
    stat_test: str = "student"

    def to_table(self) -> str:
        """The table as text."""
        rows = [["#", "Model", *map(self.get_metric_label, self.metrics)]]
        for place, model in enumerate(self.model_names):
            values = [
                self.format_score(self.results[model][metric]) + "".join(self._beaten(model, metric)).translate(_RAISED)
                for metric in self.metrics
            ]
            rows.append([_letter(place), model, *values])
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        # tabulate, which ranx prints with, makes a column two wider than its heading
        widths = [max(width, len(heading) + 2) for width, heading in zip(widths, rows[0], strict=True)]
        rows.insert(1, ["-" * width for width in widths])
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )

    def to_latex(self) -> str:
        """The table in LaTeX, for the package booktabs; the best value of each metric is bold."""
        best = {metric: max(self._rounded(model, metric) for model in self.model_names) for metric in self.metrics}
        head = " & ".join(["\\#", "Model", *map(self.get_metric_label, self.metrics)])
        lines = [
            "\\begin{table}",
            f"\\caption{{Superscripts: better than that model, {TESTS[self.stat_test]}, $p \\le {self.max_p:g}$.}}",
            f"\\begin{{tabular}}{{ll{'r' * len(self.metrics)}}}",
            "\\toprule",
            f"{head} \\\\",
            "\\midrule",
        ]
        for place, model in enumerate(self.model_names):
            cells = [_letter(place), model]
            for metric in self.metrics:
                score = self.format_score(self.results[model][metric])
                score = f"\\textbf{{{score}}}" if self._rounded(model, metric) == best[metric] else score
                letters = "".join(self._beaten(model, metric))
                cells.append(f"{score}$^{{{letters}}}$" if letters else score)
            lines.append(" & ".join(cells).replace("_", "\\_") + " \\\\")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}"])

    def to_dict(self) -> dict[str, Any]:
        """The report as data: for each run its ``scores``, ``comparisons`` (p-values) and ``win_tie_loss``."""
        made: dict[str, Any] = {
            "stat_test": self.stat_test,
            "metrics": self.metrics,
            "model_names": self.model_names,
        }
        for model in self.model_names:
            others = [other for other in self.model_names if other != model]
            made[model] = {
                "scores": self.results[model],
                "comparisons": {
                    other: {metric: self.comparisons[model, other][metric]["p_value"] for metric in self.metrics}
                    for other in others
                },
                "win_tie_loss": {other: self.win_tie_loss[model, other] for other in others},
            }
        return made

    def to_dataframe(self) -> Any:
        """The values as a pandas DataFrame: the column ``model_names``, and one for each metric."""
        import pandas as pd

        return pd.DataFrame([{"model_names": model, **self.results[model]} for model in self.model_names])

    def save(self, path: str) -> None:
        """Write what `to_dict` gives as JSON."""
        Path(path).write_text(json.dumps(self.to_dict(), indent=4, ensure_ascii=False), encoding="utf-8")

    def print_results(self) -> None:
        """Print the values as JSON."""
        sys.stdout.write(json.dumps(self.results, indent=4, ensure_ascii=False) + "\n")

    def format_score(self, score: float) -> str:
        """A value as the table prints it."""
        if self.show_percentages:
            return f"{score * 100:.{max(0, self.rounding_digits - 2)}f}"
        return f"{score:.{self.rounding_digits}f}"

    def get_stat_test_label(self, stat_test: str) -> str:
        """The test as a text calls it."""
        return TESTS[stat_test]

    def get_metric_label(self, m: str) -> str:
        """The heading of a metric."""
        name, at, rest = m.partition("@")
        name, level, grade = name.partition("-l") if not at else (name, "", "")
        return f"{_LABELS.get(name, name.upper())}{at}{rest}{level}{grade}"

    def _beaten(self, model: str, metric: str) -> list[str]:
        """Letters of the runs that are found worse."""
        return [
            _letter(place)
            for place, other in enumerate(self.model_names)
            if other != model
            and self.comparisons[model, other][metric]["significant"]
            and self.results[model][metric] > self.results[other][metric]
        ]

    def _rounded(self, model: str, metric: str) -> float:
        return round(self.results[model][metric], self.rounding_digits)

    def __repr__(self) -> str:
        return self.to_table()


def _letter(place: int) -> str:
    """Letters a to z, then aa, ab and so on."""
    letter = chr(ord("a") + place % 26)
    return letter if place < 26 else _letter(place // 26 - 1) + letter
