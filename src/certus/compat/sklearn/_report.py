"""The table of precision, recall and F1 by class."""

from typing import Any

from certus.compat.sklearn._averages import Classes
from certus.compat.sklearn._input import array_of
from certus.compat.sklearn._parameters import checked
from certus.compat.sklearn._targets import Targets
from certus.compat.sklearn._warnings import warn

__all__ = ["classification_report"]

_HEADERS = ("precision", "recall", "f1-score", "support")
_WIDEST = len("weighted avg")


@checked()
def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> Any:
    """Precision, recall and F1 of each class and averaged, as text in scikit-learn's layout or as a dict."""
    targets = Targets(y_true, y_pred, sample_weight)
    shown = targets.present if labels is None else array_of(labels)
    names = _names(shown, target_names, labels is not None)
    support: Any = None

    def row(average: str | None) -> list[Any]:
        nonlocal support
        classes = Classes(targets, shown, None, average, zero_division)
        if average is None:
            support = classes.sums.true
        return [
            classes.precision(warning=True),
            classes.recall(warning=True),
            classes.fbeta(1.0, warning=True),
            support if average is None else support.sum(),
        ]

    # Names may be fewer or more than labels, and need not differ.
    rows = list(zip(names, zip(*row(None), strict=True), strict=False))
    complete = labels is None or set(shown.tolist()) >= set(targets.present.tolist())
    averages = ("micro", "macro", "weighted", "samples") if targets.multilabel else ("micro", "macro", "weighted")
    headings = {
        "accuracy" if average == "micro" and complete and not targets.multilabel else f"{average} avg": average
        for average in averages
    }
    averaged = [(heading, row(average)) for heading, average in headings.items()]
    if not output_dict:
        return _text(rows, averaged, digits)
    table: dict[Any, Any] = {
        name: dict(zip(_HEADERS, map(float, values), strict=True)) for name, values in rows + averaged
    }
    if "accuracy" in headings:
        table["accuracy"] = table["accuracy"]["precision"]
    return table


def _names(labels: Any, target_names: Any, given: bool) -> list[Any]:
    if target_names is None:
        return [str(label) for label in labels]
    if len(labels) != len(target_names):
        if not given:
            raise ValueError(
                f"Number of classes, {len(labels)}, does not match size of target_names, {len(target_names)}. "
                "Try specifying the labels parameter"
            )
        warn(f"labels size, {len(labels)}, does not match size of target_names, {len(target_names)}")
    return list(target_names)


def _text(rows: list[tuple[Any, Any]], averaged: list[tuple[str, Any]], digits: int) -> str:
    width = max(_WIDEST, digits, *(len(name) for name, _ in rows))

    def line(name: str, values: Any) -> str:
        precision, recall, f1, support = values
        left = [f"{number:>9.{digits}f}" for number in (precision, recall, f1)]
        if name == "accuracy":
            left[:2] = [" " * 9] * 2
        return f"{name:>{width}s}  {' '.join(left)} {support:>9}\n"

    heading = " ".join(f"{header:>9}" for header in _HEADERS)
    body, foot = ("".join(line(name, values) for name, values in part) for part in (rows, averaged))
    return f"{'':>{width}s}  {heading}\n\n{body}\n{foot}"
