"""Labels from scores: at least a threshold, or a budget of the highest ones, is called positive, all else negative."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, MetricNameError, mention
from certus.data import Labels, Scores
from certus.data.classes import check_columns
from certus.data.columns import as_array, axes, check_index, floats
from certus.evaluation.rules import Rule, check_budget, check_threshold
from certus.io import Qrels, Run, as_qrels, as_run, read_run
from certus.io.sources import is_path
from certus.statistic.common import require_integer

MAX_ITEMS = 10_000_000
"""Items of all queries that are counted one by one."""


class ThresholdedItems(NamedTuple):
    """Truth, call and query of each item; the query is None for one query or samples."""

    true: NDArray[np.bool_]
    predicted: NDArray[np.bool_]
    groups: NDArray[np.int64] | None


def decide_classes(y_true: Any, y_score: Any, rules: Sequence[Rule], conventions: Mapping[str, Any]) -> tuple[Any, Any]:
    """True labels, and those that each rule predicts, as truth values; used up are ``labels`` and ``pos_label``."""
    scores = as_array(y_score, "y_score")
    if scores.ndim > 1 and scores.shape[1:] != (1,):
        raise MetricNameError(
            f"is for scores of one positive class, but {mention('y_score')} has {scores.shape[1]} columns",
            "give its column alone",
            argument=rules[0].name,
        )
    data = Scores.from_arrays(y_true, y_score, labels=conventions.get("labels"), pos_label=conventions.get("pos_label"))
    return _with_index(y_true, np.asarray(data.truth)), [_positives(data, rule) for rule in rules]


def _with_index(values: Any, array: NDArray[Any]) -> Any:
    """The array with the index of pandas that `values` have, by which columns are checked to belong together."""
    return type(values)(array, index=values.index) if hasattr(values, "iloc") and values.ndim == 1 else array


def decide_labels(y_true: Any, y_score: Any, rules: Sequence[Rule], _conventions: object) -> tuple[Any, Any]:
    """True labels as they are, and tables of those that each threshold predicts for each sample."""
    check_columns(y_true, y_score, "y_score")
    check_index(y_true=y_true, y_score=y_score)
    scores = floats(as_array(y_score, "y_score"), "y_score", infinite=True, dimensions=2)
    return y_true, [scores >= scores.dtype.type(rule.value) for rule in rules]


def at_budget(
    truth: Any, scores: Any = None, *, budget: int, population: int | None = None, pos_label: Any = None
) -> Labels:
    """Call the first `budget` items positive and all others negative: a classification, with all that one can be asked.

    Parameters
    ----------
    truth
        The true label of each sample; or relevance judgments, of a run; or a `certus.HitList`, alone.
    scores
        The score of each sample, higher for what is likelier positive; or a retrieval run, of which each query's first
        `budget` documents are called positive.
    budget
        Q: how many items are called positive; of a run, in each query.
    population
        How many items there are in all; of a run, for each query. For a hit list it must be given; for a run the
        documents retrieved or judged are the population unless it is.
    pos_label
        The positive label of samples.

    Returns
    -------
    certus.data.Labels
        True and predicted labels, False and True, for every metric of predicted labels and for `confusion_matrix`. Of
        several queries each is a group: the queries are independent, not the documents.

    Raises
    ------
    DataError
        The budget is not a whole number from 1 to the number of samples, or it would cut through samples with equal
        scores; or the population is too small, or does not belong to samples.

    Examples
    --------
    Eight items, three of them targets, found at the ranks 1, 2 and 4; the budget is 3.

    >>> from certus.classification import confusion_matrix, precision, recall
    >>> from certus import HitList
    >>> labels = at_budget([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], budget=3)
    >>> confusion_matrix(labels).counts.tolist()
    [[4, 1], [1, 2]]
    >>> print(precision(labels))
    0.6667 [0.1185, 0.9829]  95% modified Wilson, 3 predicted positives
    >>> at_budget(HitList("xx-x----"), budget=3, population=8).counts.tolist()
    [[4, 1], [1, 2]]

    References
    ----------
    Zhang & Su (2012), FSKD, pp. 1348-1352, section I.C and Table I.
    """
    from certus.chance import HitList

    rule = Rule("budget", check_budget(budget))
    if isinstance(truth, HitList):
        if scores is not None or pos_label is not None:
            raise DataError("a hit list has its truth and its order", "leave scores and pos_label out")
        if population is None:
            raise DataError(
                "is None", "how many items there are cannot be known from a hit list, give it", argument="population"
            )
        table = truth.contingency(population, budget)
        return Labels.from_counts([[table.tn, table.fp], [table.fn, table.tp]], [False, True], pos_label=True)
    if scores is None:
        raise DataError("is None", "give the scores of the samples, or a run", argument="scores")
    true, predicted, groups = called_positive(truth, scores, rule, population, pos_label)
    return Labels.from_arrays(true, predicted, groups=groups, pos_label=True)


def at_threshold(
    truth: Any, scores: Any, *, threshold: float, population: int | None = None, pos_label: Any = None
) -> Labels:
    """Call the items with scores of at least `threshold` positive and all others negative: a classification.

    Parameters
    ----------
    truth
        The true label of each sample; or relevance judgments, of a run.
    scores
        The score of each sample, higher for what is likelier positive; or a retrieval run with scores.
    threshold
        The least score that is called positive: an equal score is positive. Scores of 32 bits are compared with the
        threshold in 32 bits.
    population
        How many documents there are in all for each query of a run; by default those retrieved or judged.
    pos_label
        The positive label of samples.

    Returns
    -------
    certus.data.Labels
        True and predicted labels, False and True, as from `at_budget`. Of several queries each is a group.

    Raises
    ------
    DataError
        The threshold is not a number, or truth and scores do not fit together.

    Examples
    --------
    >>> from certus.classification import false_positive_rate, recall
    >>> truth = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]
    >>> scores = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
    >>> labels = at_threshold(truth, scores, threshold=0.5)
    >>> recall(labels).value, false_positive_rate(labels).value
    (1.0, 0.5)
    """
    rule = Rule("threshold", check_threshold(threshold))
    true, predicted, groups = called_positive(truth, scores, rule, population, pos_label)
    return Labels.from_arrays(true, predicted, groups=groups, pos_label=True)


def called_positive(truth: Any, scores: Any, rule: Rule, population: int | None, pos_label: Any) -> ThresholdedItems:
    """Calls of each sample, or each document of a run."""
    if isinstance(truth, Mapping | Qrels) or is_path(truth) or axes(truth) != 1:
        if pos_label is not None:
            raise DataError(f"{mention('pos_label')} is for labels of samples", "judgments have none, leave it out")
        return _of_run(truth, scores, rule, population)
    if population is not None:
        raise DataError("is for runs and hit lists", "all samples are in the data, leave it out", argument="population")
    data = Scores.from_arrays(truth, scores, pos_label=pos_label)
    return ThresholdedItems(np.asarray(data.truth, dtype=np.bool_), _positives(data, rule), None)


def _positives(data: Scores, rule: Rule) -> NDArray[np.bool_]:
    """The samples that a rule calls positive."""
    if rule.name == "threshold":
        return np.asarray(data.score >= data.threshold_number(rule.value))
    size = int(rule.value)
    if size > len(data):
        raise DataError(f"is {size}, but there are {len(data)} samples", argument="budget")
    last = np.partition(data.score, len(data) - size)[len(data) - size]
    chosen = data.score >= last
    if (n_chosen := int(chosen.sum())) != size:
        n_above = int((data.score > last).sum())
        fitting = f"{n_above} or {n_chosen}" if n_above else str(n_chosen)
        raise DataError(
            f"is {size}, but {n_chosen - n_above} samples have the score {last:g} of the last one",
            f"no order tells which of them come first, take a budget of {fitting}",
            argument="budget",
        )
    return np.asarray(chosen)


def _of_run(qrels: Any, run: Any, rule: Rule, population: int | None) -> ThresholdedItems:
    """True and predicted labels of a run's documents, positive by threshold or by budget in each query."""
    from certus.tasks.ranking.case import Conventions, RunCase

    sizes: dict[Hashable, int] = {}
    if rule.name == "threshold":
        run = read_run(run) if is_path(run) else as_run(run)
        sizes = _sizes_above(run, rule.value)
    case = RunCase.from_run(as_qrels(qrels), run, "run", Conventions("intersection", "trec", "nonrelevant"))
    columns = case.ranking.columns
    true, predicted, groups = [], [], []
    total = 0
    for index, query in enumerate(case.ranking.queries):
        hits = slice(int(columns.offsets[index]), int(columns.offsets[index + 1]))
        relevant = columns.grades[hits] > 0
        judged = columns.judged[columns.judged_offsets[index] : columns.judged_offsets[index + 1]]
        retrieved = int(columns.retrieved[index])
        minimum = retrieved + len(judged) - len(relevant)
        items = minimum if population is None else require_integer(population, "population", 1)
        if items < minimum:
            raise DataError(
                f"is {items}, but query {query!r} has {minimum} documents that are retrieved or judged",
                argument="population",
            )
        size = sizes[query] if sizes else int(rule.value)
        chosen = min(size, retrieved)
        tp = int((relevant & (columns.ranks[hits] <= size)).sum())
        fn = int((judged > 0).sum()) - tp
        cells = [items - chosen - fn, chosen - tp, fn, tp]
        total += items
        if total > MAX_ITEMS:
            raise DataError(
                f"the queries have more than {MAX_ITEMS:,} items in all", "leave population out, or take fewer"
            )
        true.append(np.repeat([False, False, True, True], cells))
        predicted.append(np.repeat([False, True, False, True], cells))
        groups.append(np.full(items, index))
    query_codes = np.concatenate(groups) if len(groups) > 1 else None
    return ThresholdedItems(np.concatenate(true), np.concatenate(predicted), query_codes)


def _sizes_above(run: Run, threshold: float) -> dict[Hashable, int]:
    """The number of documents of each query whose scores are at least the threshold."""
    return {
        query: sum(score >= threshold for score in documents.values()) for query, documents in run.to_dict().items()
    }
