"""Truth, predicted labels and scores of samples, and what a report states of them."""

import math
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property, partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, MetricNameError, NotGivenError, keyword, mention
from certus.core.missing import notice_of_words
from certus.core.note import Note
from certus.core.printable import exact
from certus.core.unmatched import contrast
from certus.data import ClassScores, Labels, Multilabel, Probabilities, Scores
from certus.data.classes import (
    check_positive,
    chosen_classes,
    default_positive,
    name_of_column,
    named_in_order,
    names_of,
)
from certus.data.columns import as_array, axes, coded, flat, is_column, sorted_labels
from certus.data.multilabel import are_label_sets, tables_of_sets
from certus.data.samples import prepare, unfit
from certus.evaluation.cases import Average, Item, Samples, select_samples
from certus.metrics import Metric, parse
from certus.statistic import Proportion
from certus.statistic.common import plural, require_integer
from certus.table.block import shortened

if TYPE_CHECKING:
    from certus.curves._curve import Curve
    from certus.inference import Estimate
    from certus.tasks import Task


OF_CLASSES = ("Precision", "Recall", "F1")
"""Metrics stated for each class, and averaged over classes."""
OF_LABELS = ("Accuracy", "BalancedAccuracy", "MCC", "kappa")
OF_LABEL_SETS = ("Accuracy", "Hamming")
"""Metrics stated where a sample has several labels."""
OF_SCORES = ("AUC", "AP")
OF_CLASS_SCORES = ("AUC(multi_class='ovr')", "AP", "TopK(k=1)")
OF_PROBABILITIES = ("LogLoss", "Brier", "ECE")
_POINTS = 400
"""Thresholds whose counts a page can show."""
_CLASSES = 30
"""Classes of the largest confusion matrix that is shown."""


class Classified(Samples):
    """Samples with predicted labels, with scores, or with both.

    `data_columns` has ``y_true``, true labels or a table of 0 and 1 with a column for each label, ``y_pred`` and
    ``y_score``. Of two columns of scores, one for each of two classes, that of the positive class is kept. The
    convention ``score_labels`` lists the classes of the columns of ``y_score``, as ``labels`` of
    `ClassScores`; by default they are ``labels``, or the sorted labels of the truth.
    """

    def __init__(
        self, task: "Task", data_columns: Mapping[str, Any], conventions: Mapping[str, Any], *, is_complete: bool = True
    ) -> None:
        other_conventions = dict(conventions)
        score_labels = other_conventions.pop("score_labels", None)
        super().__init__(task, data_columns, other_conventions)
        self.y_true, self.y_pred, self.y_score = (data_columns.get(name) for name in ("y_true", "y_pred", "y_score"))
        self.score_labels = other_conventions.get("labels") if score_labels is None else score_labels
        columns_of_scores = self.y_score is not None and as_array(self.y_score, "y_score").ndim == 2
        if is_complete and score_labels is not None and not columns_of_scores:
            raise MetricNameError(
                "name the columns of y_score, which is not a table", "leave them out", argument="score_labels"
            )
        self._labels_name_scores = columns_of_scores and score_labels is None
        is_single_column = [
            axes(other) == 2 and is_column(other) for other in (self.y_pred, self.y_score) if other is not None
        ]
        if axes(self.y_true) == 2 and is_column(self.y_true) and not all(is_single_column):
            self.y_true = flat(as_array(self.y_true, "y_true"))
        self.multilabel = as_array(self.y_true, "y_true").ndim == 2
        if self.y_score is not None and not self.multilabel:
            self.y_score = self._scores()

    def _check(self) -> None:
        """The classes of data check their columns, and say best what is wrong."""
        if "y_pred" not in self.data_columns and "y_score" not in self.data_columns:
            raise DataError(
                f"neither {mention('y_pred')} nor {mention('y_score')} is given",
                "a report needs predicted labels, scores or both",
                argument="y_pred",
                subject="",
            )

    def _scores(self) -> NDArray[Any]:
        """The scores: the column of the positive class of two, otherwise a column for each class in their order."""
        scores = as_array(self.y_score, "y_score")
        if scores.ndim == 1 or scores.shape[1:] == (1,):
            classes = coded(self.y_true, "y_true").labels
            label = self.conventions.get("pos_label")
            positive = default_positive(classes) if label is None else label
            if positive is not None:
                check_positive(name_of_column(self.y_score), classes, positive, "y_score")
            return scores.reshape(-1)
        column_names = names_of(self.y_score)
        if scores.ndim > 2 or (scores.shape[1] != 2 and column_names is None):
            return scores
        data = ClassScores.from_arrays(self.y_true, self.y_score, labels=self._classes_named(column_names))
        classes_of_columns = self.score_labels = data.classes
        if len(classes_of_columns) != 2:
            return data.scores
        labels = Labels.from_arrays(classes_of_columns, classes_of_columns, pos_label=self.conventions.get("pos_label"))
        return data.scores[:, classes_of_columns.index(labels.classes[labels.positive_class() or 0])]

    def _classes_named(self, names: tuple[Any, ...] | None) -> Any:
        """The classes of the scores: averages need not run over all that columns are named after."""
        chosen = self.conventions.get("labels")
        if names is None or chosen is None or self.score_labels is not chosen:
            return self.score_labels
        class_labels = dict.fromkeys([*(chosen_classes(chosen) or ()), *coded(self.y_true, "y_true").labels])
        named_labels = named_in_order(self.y_score, class_labels)
        return (
            chosen if None in named_labels or set(named_labels) == set(chosen or ()) else sorted_labels(named_labels)[0]
        )

    @property
    def labels(self) -> Labels | Multilabel:
        """Truth and predicted labels."""
        data: Labels | Multilabel = self.prepared_as((Labels, Multilabel))
        return data

    @property
    def class_scores(self) -> bool:
        """True if there is a score for each of several classes or labels."""
        return self.y_score is not None and (self.multilabel or self.y_score.ndim == 2)

    @property
    def positive(self) -> Hashable:
        """The positive class of one score per sample."""
        data: ClassScores = self.prepared_as((ClassScores,))
        label: Hashable = self.conventions.get("pos_label")
        return label if data.positive is None else data.classes[data.positive]

    def prepared(self, metric: Metric) -> Any:
        """The data of a metric; see `prepared_as`."""
        return self.prepared_as(metric.input_types)

    def prepared_as(self, data_classes: tuple[Any, ...]) -> Any:
        """The data as the first of the classes that they fit."""
        if not data_classes:
            raise DataError(
                "its function does not say which data it takes", "annotate its first parameter, as with Labels"
            )
        wanted = set()
        for kind in data_classes:
            other, name = (self.y_pred, "y_pred") if _of_labels(kind) else (self.y_score, "y_score")
            wanted.add(name)
            if other is None:
                continue
            if (kind,) not in self._prepared_data and kind.fits(self.y_true, other):
                self._prepared_data[kind,] = kind.from_arrays(self.y_true, other, **self._conventions_for(kind))
            if (kind,) in self._prepared_data:
                return self._prepared_data[kind,]
        needed = " or ".join(map(mention, sorted(wanted)))
        columns = {"y_pred": self.y_pred, "y_score": self.y_score}
        there = {name: columns[name] for name in sorted(wanted) if columns[name] is not None}
        if not there:
            raise NotGivenError(f"it is computed from {needed}, which is not given")
        raise unfit(data_classes, self.y_true, there)

    def _conventions_for(self, kind: type) -> dict[str, Any]:
        """Keywords for constructing a data class; with a score for each class, labels are those of the columns."""
        if issubclass(kind, ClassScores):
            is_single = as_array(self.y_score, "y_score").ndim == 1
            return {**self.conventions, "labels": None if is_single else self.score_labels}
        return self.conventions

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from the samples has had a use for."""
        prepared_data = [(kind, data) for part in (self, *self._parts) for (kind,), data in part._prepared_data.items()]
        conventions = self.conventions
        self.task.check_asked({"pos_label": conventions.get("pos_label")}, [data for _, data in prepared_data], metrics)
        if "labels" in conventions and not self._labels_name_scores:
            if not any(_of_labels(kind) for kind, _ in prepared_data):
                raise MetricNameError(
                    "are for metrics of predicted labels, and there are none", "leave them out", argument="labels"
                )
            of_labels = [data for kind, data in prepared_data if _of_labels(kind)]
            self.task.check_asked({"labels": conventions["labels"]}, of_labels, metrics)

    def curves(self, level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """ROC and precision-recall curve with their pointwise bands; none for labels alone or several classes."""
        from certus.curves.rates import precision_recall_curve, roc_curve
        from certus.plot.threshold_curves import band_start

        if self.y_score is None or self.class_scores:
            return
        data = self.prepared_as((Scores,))
        roc, pr = roc_curve(data, drop_intermediate=False), precision_recall_curve(data)
        if roc.reason:
            return
        words, band = _band(roc, level)
        yield (
            "ROC",
            {
                "x": "false positive rate",
                "y": "true positive rate",
                "about": words,
                "chance": ([0, 1], [0, 1]),
                "line": (roc.fpr, roc.tpr),
                "band": band,
                "summary": _summary("AUC", roc.auc, level),
                "counts": _counts(roc),
            },
        )
        words, band = _band(pr, level, band_start(pr, pr.recall))
        share = float(pr.positives / (pr.positives + pr.negatives))
        yield (
            "Precision by recall",
            {
                "x": "recall",
                "y": "precision",
                "about": f"{words} Dashed: share of positives, {share:.3g}.",
                "chance": ([0, 1], [share, share]),
                "line": (pr.recall, pr.precision),
                "steps": True,
                "band": band,
                "summary": _summary("AP", pr.average_precision, level),
            },
        )

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """The confusion matrix with the recall of each class; none if there are too many classes."""
        from certus.tasks.classification.confusion import confusion_matrix

        if self.y_pred is None or self.multilabel:
            return
        matrix = confusion_matrix(self.prepared_as((Labels,)))
        names = list(map(str, matrix.classes))
        if len(names) > _CLASSES:
            return
        lines = []
        for name, row, right in zip(names, matrix.values.tolist(), matrix.values.diagonal().tolist(), strict=True):
            count = math.fsum(row)
            lines.append(
                [
                    name,
                    *(f"{count_of_cell:.6g}" for count_of_cell in row),
                    f"{count:.6g}",
                    f"{right / count:.4f}" if count else "-",
                ]
            )
        yield "Confusion matrix", ["true \\ predicted", *names, "all", "recall"], lines

    def not_probabilities_reason(self) -> str:
        """Why the scores cannot be probabilities; empty where they can."""
        scores: NDArray[Any] = as_array(self.y_score, "y_score")
        if scores.size and not (scores.min() >= 0 and scores.max() <= 1):
            return f"they go from {exact(scores.min())} to {exact(scores.max())}"
        try:
            self.prepared_as((Probabilities,))
        except DataError as error:
            return str(error)
        return ""

    def part(self, index: NDArray[Any], n: int) -> "Classified":
        """Some of the `n` samples."""
        columns = {"y_true": self.y_true, "y_pred": self.y_pred, "y_score": self.y_score}
        conventions = {
            **self.conventions,
            **select_samples(self.columns_told, index, n),
            "score_labels": self._classes_of_scores,
        }
        return type(self)(self.task, select_samples(columns, index, n), conventions, is_complete=False)

    @cached_property
    def _classes_of_scores(self) -> Any:
        """The classes of the columns of scores; a subgroup may lack some in its truth."""
        has_class_columns = self.class_scores and not self.multilabel
        return self.prepared_as((ClassScores,)).classes if has_class_columns else self.score_labels

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """The metrics stated unless some are named, and sentences on how they were chosen."""
        notes: list[str] = []
        names: list[str] = []
        averages: list[str] = []
        if self.y_pred is not None:
            data = self.labels
            averages = ["macro", "weighted"]
            if not isinstance(data, Labels):
                averages = ["micro", "macro", "weighted", "samples"]
                names += OF_LABEL_SETS
            elif data.has_all_classes:
                names += OF_LABELS
            else:
                averages = ["micro", "macro", "weighted"]
                notes.append("labels leave out classes that were found: no metrics of all classes together")
        if self.y_score is not None:
            names += OF_CLASS_SCORES if self.class_scores and not self.multilabel else OF_SCORES
            reason = "" if self.multilabel else self.not_probabilities_reason()
            if not (reason or self.multilabel):
                names += OF_PROBABILITIES
                is_named = not self.class_scores and self.positive is not None  # no positive class may be known
                class_suffix = f" of class {shortened(str(self.positive))}" if is_named else ""
                notes.append(f"scores lie between 0 and 1 and are treated as probabilities{class_suffix}")
            elif reason:
                notes.append(
                    f"the scores are not probabilities ({reason}): no log loss, Brier score and calibration error"
                )
        if average is not None and averages:
            averages = [] if average == "binary" else [average]
        of_classes = (None, *averages) if self.y_pred is not None else ()
        items = list(_items_for(tuple(names), of_classes, "sample_weight" in self.conventions))
        return items, notes

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        """Number of samples, and number (or total weight) of true samples in each class."""
        if self.y_pred is None:
            return None
        data = self.labels
        tp, _, fn, _ = data.four
        positives = (tp + fn).tolist()
        return len(data), {data.classes[i]: float(positives[i]) for i in data.selected.tolist()}

    def notices(self) -> Iterator[Note]:
        """Warnings about the labels."""
        yield from super().notices()
        if self.y_pred is not None:
            yield from self.notices_of(self.labels)

    @staticmethod
    def notices_of(data: object) -> Iterator[Note]:
        """Warnings about labels that look as if they were not written as they were meant."""
        if not isinstance(data, Labels):
            return
        by_folded_text: dict[str, list[str]] = {}
        for label in data.classes:
            if isinstance(label, str):
                folded = unicodedata.normalize("NFKC", label).strip().casefold()
                by_folded_text.setdefault(folded, []).append(label)
        for similar in by_folded_text.values():
            if len(similar) > 1:
                text = (
                    f"{plural(len(similar), 'label')} differ only by blanks, case or Unicode form; they are different "
                    "classes"
                )
                yield Note(
                    text, kind="alike-labels", queries=tuple(ascii(label) for label in similar[:3]), count=len(similar)
                )
        truths, predictions = data.counts.sum(1), data.counts.sum(0)
        columns = zip(truths.tolist(), predictions.tolist(), strict=True)
        by_label = {
            label: {"truth": int(truth), "prediction": int(prediction)}
            for label, (truth, prediction) in zip(data.classes, columns, strict=True)
        }
        if (words := notice_of_words(by_label, "classes")) is not None:
            yield words
        true, predicted = truths > 0, predictions > 0
        if len(data) and not (true & predicted).any():
            truth, predicted_labels = (list(compress(data.classes, have.tolist())) for have in (true, predicted))
            example = contrast(truth, predicted_labels, ("the truth has", "the prediction has"))
            text = f"truth and prediction have no label in common: {example}; are they the columns that were meant?"
            yield Note(text, kind="no-common-label")


@cache
def _items_for(names: tuple[str, ...], averages: tuple[Any, ...], weighted: bool) -> tuple[Item, ...]:
    """The metrics named, as far as they have a meaning for the weights, and those of classes with these averages."""
    single_items = [Item(metric) for metric in map(_parse_default, names) if metric.weighted or not weighted]
    of_classes = [
        Item(metric.using(average=average), in_table=average is not None, averages=True)
        for average in averages
        for metric in map(_parse_default, OF_CLASSES)
    ]
    return (*single_items, *of_classes)


@cache
def _parse_default(name: str) -> Metric:
    """One of the metrics named above."""
    return parse(name, task="classification")


def _of_labels(kind: type) -> bool:
    """True if the data class takes predicted labels instead of scores."""
    return getattr(kind, "arguments", ("", "y_score"))[1] == "y_pred"


MEASURES = "precision, recall, F1, Fbeta, E, Fowlkes-Mallows, Jaccard and the false negative rate"


def prepare_data(metric: Metric, data: tuple[Any, ...], conventions: Mapping[str, Any]) -> Any:
    """The data of a metric, from columns or from two sets."""
    if data and all(isinstance(data_set, AbstractSet) for data_set in data):
        return _table_of_sets(metric, data, conventions)
    if "universe" in conventions:
        raise DataError("is for two sets, and these are columns", "leave it out", argument="universe")
    return prepare(metric.input_types, *data, **conventions)


def prepare_tables(metric: Metric, data: tuple[Any, ...], conventions: Mapping[str, Any]) -> Any:
    """The data of a metric, from tables or from a set of labels for each sample."""
    if any(map(are_label_sets, data)):
        input_types: Any = metric.input_types
        columns = dict(zip(input_types[0].arguments, data, strict=True))
        data = tuple(tables_of_sets(columns, conventions.get("labels")).values())
    if len(metric.input_types) > 1:
        return prepare(metric.input_types, *data, **conventions)
    kind: Any = metric.input_types[0]  # which says best what is wrong with tables of another shape
    tables = kind.from_arrays(*data, **conventions)
    if not len(tables) and "sample_weight" not in conventions:
        raise DataError("has no samples", "give a row per sample", argument="y_true")
    if not tables.classes:
        raise DataError("has no labels", "give a column per label", argument="y_true")
    return tables


def versus_chance(metric: Metric, prepared: Any) -> "partial[Any] | None":
    """The comparison of a metric on prepared data with random labels; None where there is none."""
    from certus.metrics.random_labels import binary_scores, versus_random_labels, versus_random_pairs

    if isinstance(prepared, Labels):
        return partial(versus_random_pairs, metric, prepared)
    scores = binary_scores(prepared) if Scores in metric.input_types else None
    return None if scores is None else partial(versus_random_labels, metric, scores)


def _table_of_sets(metric: Metric, data: tuple[AbstractSet[Any], ...], conventions: Mapping[str, Any]) -> Labels:
    """The table of the true set and the predicted one; without a universe of metrics that ignore items in neither."""
    if Labels not in metric.input_types:
        raise DataError(f"{metric.name} does not apply to two sets", f"they have {MEASURES}")
    for name in conventions:
        if name != "universe":
            raise DataError("does not apply to two sets", "leave it out", argument=name)
    true, predicted = data
    text_flags = [{isinstance(item, str) for item in items} for items in data]
    if all(text_flags) and not text_flags[0] & text_flags[1]:
        raise DataError("one set holds text and the other does not, so no item is in both", "give items of one kind")
    n_common = len(true & predicted)
    n_neither = 0
    if (universe := conventions.get("universe")) is not None:
        n_neither = _size_of_universe(universe, true | predicted) - len(true | predicted)
    elif not _ignores_true_negatives(metric):
        raise DataError(
            f"{metric} depends on how many items are in neither set",
            f"give all items or their number with {keyword('universe')}; without it, two sets have {MEASURES}",
        )
    return Labels.from_counts([[n_neither, len(predicted) - n_common], [len(true) - n_common, n_common]], (False, True))


def _size_of_universe(universe: Any, items: AbstractSet[Any]) -> int:
    """The number of all items, which the two sets are part of."""
    if isinstance(universe, range):
        universe = frozenset(universe)
    if not isinstance(universe, AbstractSet):
        size = require_integer(universe, "universe", 0)
        if size < len(items):
            raise DataError(f"is {size}, but the two sets have {len(items)} items", argument="universe")
        return size
    if outside := sorted(map(repr, items - universe)):
        raise DataError(f"lacks {outside[0]}, which is in one of the two sets", argument="universe")
    return len(universe)


@cache
def _ignores_true_negatives(metric: Metric) -> bool:
    """True if neither the value nor the trials of a metric change with the number of true negatives."""
    tables = [Labels.from_counts([[n_neither, 3], [2, 5]], (False, True)) for n_neither in (0, 1)]
    first, second = (metric.compute(table) for table in tables)
    if isinstance(first, Proportion) and isinstance(second, Proportion):
        return (first.successes, first.trials) == (second.successes, second.trials)
    return bool(getattr(first, "value", math.nan) == getattr(second, "value", math.nan))


def _summary(name: str, estimate: "Estimate", level: float) -> str:
    """Name, value and interval as text, such as ``AUC 0.912 [0.870, 0.950]``."""
    interval = estimate.interval(level)
    limits = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval.defined else ""
    return f"{name} {estimate.value:.3f}{limits}"


def _band(curve: "Curve", level: float, start: float = -np.inf) -> tuple[str, Any]:
    """The counts in words and the outline of the band, None for weighted and for grouped samples."""
    from certus.plot.threshold_curves import outline

    counts = f"{curve.positives:g} positives, {curve.negatives:g} negatives"
    if curve.data.weights is not None or curve.data.groups is not None:
        return f"{counts}.", None
    return f"{counts}. Shaded: {100 * level:g}% band at each threshold.", outline(curve.band(level), start, columns=250)


def _counts(curve: "Curve") -> dict[str, Any]:
    """True and false positives at thresholds, of many at equal distances in the order of scores."""
    n = len(curve.true_positives)
    index = np.unique(np.linspace(0, n - 1, min(n, _POINTS)).round().astype(int))
    thresholds = np.append(curve.thresholds, [np.inf] * (n - len(curve.thresholds)))[index].tolist()
    return {
        "thresholds": [f"{value:.6g}" if np.isfinite(value) else "above all scores" for value in thresholds],
        "true": curve.true_positives[index].tolist(),
        "false": curve.false_positives[index].tolist(),
        "positives": float(curve.positives),
        "negatives": float(curve.negatives),
        "of": n,
    }


MOST_CURVES = 7
"""Curves that one picture can show, each in a color of its own."""


def pictures(cases: Mapping[str, Classified], by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes: curves of all systems and subgroups together."""
    from certus.curves.calibration import calibration_curve
    from certus.curves.rates import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
    from certus.tasks.classification.confusion import confusion_matrix

    first, *further_cases = cases.values()
    if first.y_pred is not None and by is None and not further_cases and isinstance(first.labels, Labels):
        yield "confusion", confusion_matrix(first.labels).plot
    if any(case.y_score is None or case.class_scores for case in cases.values()):
        return
    parts: dict[str, Any] = {
        ": ".join(name_part for name_part in (system if further_cases else "", group) if name_part): part
        for system, case in cases.items()
        for group, part in ([("", case)] if by is None else case.parts(by))
    }
    if len(parts) > MOST_CURVES:
        noun = "subgroups" if by is not None else "systems"
        raise DataError(f"{len(parts)} {noun} cannot be told apart in a picture", f"at most {MOST_CURVES} can")
    makers: dict[str, tuple[type, Callable[[Any], Any]]] = {
        "roc": (Scores, roc_curve),
        "precision-recall": (Scores, precision_recall_curve),
        "det": (Scores, det_curve),
        "gain": (Scores, gain_curve),
        "lift": (Scores, lift_curve),
    }
    if not any(case.not_probabilities_reason() for case in cases.values()):
        makers["calibration"] = (Probabilities, calibration_curve)
    for name, (kind, make) in makers.items():
        yield name, partial(_draw, parts, kind, make, level)
    if len(parts) == 1:  # areas of several curves would cover each other
        yield "gini", roc_curve(next(iter(parts.values())).prepared_as((Scores,))).plot_gini


def _draw(parts: Mapping[str, Any], kind: type, make: Callable[[Any], Any], level: float, ax: Any = None) -> Any:
    """Draw one curve for each system or subgroup on the same axes, and return the axes."""
    from certus.plot.canvas import short

    for label, part in parts.items():
        ax = make(part.prepared_as((kind,))).plot(ax, level=level, label=short(label) or None)
    return ax
