"""A budget: the items with the highest scores are called positive, all others negative."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, mention
from certus.data import Labels, Scores
from certus.data.columns import axes
from certus.io import Qrels, as_qrels
from certus.io.sources import is_path
from certus.statistic.common import require_integer

MAX_ITEMS = 10_000_000
"""Items of all queries that are counted one by one."""


class ThresholdedItems(NamedTuple):
    """Truth, call and query of each item; the query is None for one query or samples."""

    true: NDArray[np.bool_]
    predicted: NDArray[np.bool_]
    groups: NDArray[np.int64] | None


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

    size = require_integer(budget, "budget", 1)
    if isinstance(truth, HitList):
        if scores is not None or pos_label is not None:
            raise DataError("a hit list has its truth and its order", "leave scores and pos_label out")
        if population is None:
            raise DataError(
                "is None", "how many items there are cannot be known from a hit list, give it", argument="population"
            )
        table = truth.contingency(population, size)
        return Labels.from_counts([[table.tn, table.fp], [table.fn, table.tp]], [False, True], pos_label=True)
    if scores is None:
        raise DataError("is None", "give the scores of the samples, or a run", argument="scores")
    true, predicted, groups = called_positive(truth, scores, size, population, pos_label)
    return Labels.from_arrays(true, predicted, groups=groups, pos_label=True)


def called_positive(truth: Any, scores: Any, size: int, population: int | None, pos_label: Any) -> ThresholdedItems:
    """Calls that `at_budget` makes for each sample, or each document of a run."""
    if isinstance(truth, Mapping | Qrels) or is_path(truth) or axes(truth) != 1:
        if pos_label is not None:
            raise DataError(f"{mention('pos_label')} is for labels of samples", "judgments have none, leave it out")
        return _of_run(truth, scores, size, population)
    if population is not None:
        raise DataError("is for runs and hit lists", "all samples are in the data, leave it out", argument="population")
    return _of_scores(truth, scores, size, pos_label)


def _of_scores(truth: Any, scores: Any, size: int, pos_label: Any) -> ThresholdedItems:
    data = Scores.from_arrays(truth, scores, pos_label=pos_label)
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
    return ThresholdedItems(np.asarray(data.truth, dtype=np.bool_), chosen, None)


def _of_run(qrels: Any, run: Any, size: int, population: int | None) -> ThresholdedItems:
    from certus.tasks.ranking.case import Conventions, RunCase

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
