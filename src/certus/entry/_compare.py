"""Compare systems: is one better than another, by how much, and how sure."""

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal

from certus.comparison.assemble import assemble
from certus.comparison.options import Options
from certus.comparison.predictions import default_metrics_of, of_predictions, of_runs
from certus.comparison.result import Comparison
from certus.comparison.scores import direction_of, of_scores, of_values, with_range
from certus.core import registry
from certus.core.errors import CertusError, DataError, MetricNameError
from certus.core.missing import missing_words
from certus.core.note import with_sentence
from certus.evaluation.binding import Binding, Call, with_tables
from certus.evaluation.cases import parse_metrics
from certus.evaluation.infer import infer_task, likeliest_task, metric_list, ranking_arguments
from certus.inference.tests.result import Alternative
from certus.io.batches import is_spark, is_table
from certus.io.rank import Queries
from certus.io.scores import Log, named_systems
from certus.io.sources import is_path, reads_tables
from certus.metrics import Metric, parse
from certus.metrics.names import MetricLike, Metrics
from certus.statistic import Ratio
from certus.tasks.ranking.case import Ties, Unjudged


@reads_tables
def compare(
    data: Any,
    predictions: Any,
    metrics: Metrics | None = None,
    *,
    truth: str | list[str] | None = None,
    task: str | None = None,
    groups: Any = None,
    baseline: str | None = None,
    margin: float | None = None,
    assume: Literal["symmetric"] | None = None,
    value_range: tuple[float, float] | None = None,
    test: str | None = None,
    alternative: Alternative = "two-sided",
    correction: str | None = None,
    simultaneous: bool = False,
    level: float = 0.95,
    interval: str | None = None,
    replicates: int | None = None,
    chance: bool = False,
    bayesian: bool = False,
    prior: float | None = None,
    seed: int = 0,
    missing_values: str | Sequence[str] | None = None,
    queries: Queries = "intersection",
    ties: Ties = "trec",
    unjudged: Unjudged = "nonrelevant",
    drop_self: bool = False,
    **conventions: Any,
) -> Comparison:
    """Compare two or more systems on the same queries or samples.

    Parameters
    ----------
    data
        Judgments as `evaluate` takes them; or the truth (``y_true``); or None, when `predictions` are bare values as
        `compare_values` takes them, or paths of results of evaluation tools, paired by item (docs/values.md). With
        `truth`, a table with all columns; it may come in batches, as `evaluate` takes them: an iterable of tables,
        files, a dataset, a DuckDB relation (docs/larger-than-memory.md).
    predictions
        The systems: retrieval runs as `evaluate` takes them, or the predictions of each by name, or a DataFrame with a
        column of predictions for each. With `truth`, the names of their columns: ``["old", "new"]``, ``{"old": "p1",
        "new": "p2"}``, or ``{"old": {"pred": "guess1", "score": "p1"}, ...}``.
    metrics
        Names such as ``"nDCG@10"``, or metrics; None takes those that `certus compare` does: nDCG@10 and AP of runs; of
        predicted classes accuracy and MCC, of scores AUC and AP. Of bare values, the name that the values have.
    truth
        The name of the column of what is true; `groups` and `sample_weight` then name columns, too.
    task
        What the metrics are of. None: the task of metrics given as objects; of names, ``"ranking"`` for judgments, and
        for labels or numbers the first of classification, multilabel, regression and clustering that has them all.
        Where no metric is named, the values say it, as for `evaluate`.
    groups
        What belongs together, such as the samples of a patient or the paraphrases of a query: whole groups, not their
        members, are then independent. One label per sample; of retrieval runs ``{query: group}``, or a file with a
        query and its group on each line; of results of evaluation tools the name of a field of the items.
    baseline
        The system that each other one is compared with. None: the first of two systems; of more, all pairs.
    margin
        Differences up to this size, in the metric's own units, do not matter. Adds the tests of equivalence and of
        non-inferiority, which are the row's own test of a difference as large as the margin, and the verdict ``"tied
        within the margin"``. These p-values are one-sided and compared with half of ``1 - level``: the interval of the
        row lies within the margin if and only if that of equivalence is at most that. For the two-sided alternative.
        Test and limits of means are then such as hold for every number of units and every distribution: exact for
        values that are all 0 or 1, otherwise ``test="betting"`` between the bounds of the metric. Of other forms they
        are approximate.
    assume
        With a margin: ``"symmetric"`` takes the differences of units as symmetric around their mean, and gives the
        narrower limits of the permutation test. They are wrong where losses are rare or skewed.
    value_range
        Least and greatest possible value of a unit, such as ``(0, 1)``: of bare values, and of means of a metric
        without bounds, such as MAE. None: with a margin [0, 1] is taken if all lie there; otherwise a range is guessed
        from those observed, at least 18 standard deviations of them wide, and of fewer than 20 units there are no
        limits. A note says so.
    test
        The test by name, for all metrics. None takes that of the metric's form: for a mean over queries the larger p of
        the permutation test and the skewness-corrected t test (with a margin ``"betting"``), for shares of samples
        McNemar's exact one; see
        `certus.inference.difference`.
    alternative
        ``"two-sided"``; ``"greater"``: the system's value is above the baseline's; ``"less"``: below. One side needs a
        baseline.
    correction
        How the p-values of one metric are adjusted for the number of pairs: ``"holm"`` (None), ``"hochberg"``,
        ``"bonferroni"``, ``"bh"``, ``"by"``, ``"none"`` (see `certus.inference.adjust`), or, for means over the same
        units, ``"max-t"`` and for all pairs ``"tukey-hsd"``, which permute the systems of each unit at random. Metrics
        are not adjusted for each other.
    simultaneous
        True: the intervals of a metric belong to its adjusted p-values and hold together. For means they invert the
        single-step maximum test of joint sign flips (``"max-t"``), otherwise they are Bonferroni's; these two are the
        corrections that they can be asked for with.
    level
        Of the intervals; adjusted p-values of at most 1 less this are significant.
    interval
        Another interval method of the differences by name. None: the interval of the test, which excludes 0 if and
        only if the unadjusted p-value is at most 1 less the level.
    replicates
        Random draws: None takes 10,000 for a bootstrap and for simultaneous intervals with their p-values, 100,000
        permutations for a joint correction without such intervals.
    chance
        Also compare each system's value with chance, as `evaluate` does.
    bayesian
        Also give the posterior probability that the system is better than the other one; with a margin, by more than
        that, that both are practically equivalent, and that it is worse. See `certus.inference.rope`.
    prior
        Of these probabilities for metrics of labels: the parameter of the Dirichlet prior in each cell of the joint
        table of both systems, above 0; 1/2 is Jeffreys's, 1 uniform.
    seed
        Where random draws start; one seed gives the same bits on any number of threads.
    queries
        Compare over ``"intersection"``, the queries that the qrels and every run have, or ``"judged"``, all judged
        queries, those that a run lacks counting 0 for it.
    ties, unjudged
        As for `evaluate`; ``ties="range"`` and ``unjudged="bounds"`` leave values open, and are refused.
    drop_self
        As for `evaluate`: leave out of each query's results the document with the query's own id.
    missing_values
        Words that mean a missing value where labels, groups, subgroups or ids stand, such as ``["NA", "null"]``: they
        are refused with their place, as None, NaN and empty cells are. None: words are labels, and those that usually
        mean a missing value are warned of.
    conventions
        For classification: `labels`, `pos_label` and `sample_weight`, as the metrics take them, and `threshold` or
        `budget`, which make labels of scores as for `evaluate`; for bare values
        `weights`; for retrieval runs `format_of_qrels` and `format_of_run`, as for `evaluate`.

    Returns
    -------
    Comparison
        One row for each metric and pair of systems.

    Raises
    ------
    DataError
        The input cannot be read, there are fewer than two systems, or their units do not pair up.
    MetricNameError
        There is no such metric, test, correction or convention.

    Examples
    --------
    >>> qrels = {f"q{i}": {"d1": 1} for i in range(8)}
    >>> first = {f"q{i}": {"d0": 2.0, "d1": 1.0} for i in range(8)}
    >>> second = {f"q{i}": {"d0": 1.0, "d1": 2.0 if i else 0.5} for i in range(8)}
    >>> row, = compare(qrels, {"first": first, "second": second}, "RR")
    >>> print(f"{row.system} {row.difference:+.4f} p = {row.p:.4f}: {row.verdict}")
    second +0.4375 p = 0.0939: not significant
    """
    arguments = locals()
    if is_spark(data):
        return _of_spark(arguments, conventions)
    with missing_words(missing_values) as missing:
        if data is not None and (ranked := ranking_arguments(data, predictions, metrics, truth, task, conventions)):
            data, predictions, conventions = ranked
            truth, task = None, "ranking"
        options = Options.from_arguments(arguments)
        defaults = registry.task("ranking").defaults
        of_runs_only = {name: arguments[name] for name in defaults if arguments[name] != defaults[name]}
        if value_range is not None and truth is not None:
            raise MetricNameError("is not for columns of a table", "leave it out", argument="value_range")
        if data is None and (logs := _logs(predictions)) is not None:
            useless = {"groups": None if isinstance(groups, str) else groups, **conventions}
            _refuse(
                of_runs_only | {name: value for name, value in useless.items() if value is not None}, "files say it"
            )
            if groups is not None:
                logs = [log.grouped(groups) for log in logs]
            metric_names = None if metrics is None else list(map(str, metric_list(metrics)))
            material = of_scores(named_systems(logs), metric_names, value_range=value_range, missing=missing)
            return assemble(material, options)
        if data is None:
            weights = conventions.pop("weights", None)
            _refuse({**of_runs_only, **conventions}, "bare values have none")
            facts = _facts(metrics)
            material = of_values(predictions, *facts, groups, weights, value_range=value_range, missing=missing)
            return assemble(material, options)
        if truth is not None:
            from certus.states import compare_columns

            _refuse(of_runs_only, "columns of a table have none")
            keywords = {"truth": truth, "groups": groups, **conventions}
            table = data if is_table(data) else None
            binding = Binding.of_comparison(predictions, keywords, metrics, task, table)
            return with_sentence(compare_columns(data, binding, options, missing), binding.note)
        task, data, predictions = with_tables(task, data, predictions, conventions)
        paired = registry.names(paired=True)
        if task is None and metrics is not None:
            chosen, note = registry.task(likeliest_task(data, metrics, paired)), None
        elif task is not None:
            chosen, note = registry.task(task, paired), None
        else:
            inferred, note = infer_task(data, predictions, None, {"groups": groups, **conventions})
            chosen = registry.task(inferred.name, paired)
        if metrics is None:
            is_ranking = chosen.name == "ranking"
            metrics = chosen.compared if is_ranking else default_metrics_of(chosen, data, predictions, conventions)
        if chosen.name == "ranking":
            formats = ("format_of_qrels", "format_of_run")
            _refuse([name for name in conventions if name not in formats], "retrieval runs have none")
            conventions |= {name: arguments[name] for name in defaults}
        else:
            _refuse(of_runs_only, f"a comparison of {chosen.name} has none")
            if groups is not None:
                conventions["groups"] = groups
            chosen.check_compared(conventions)
        call = Call(chosen, data, predictions, parse_metrics(metrics, chosen.name), conventions, None, missing)
        material = of_runs(call, groups) if chosen.name == "ranking" else of_predictions(call)
        comparison = assemble(material if value_range is None else with_range(material, value_range), options)
        return with_sentence(comparison, note)


def _of_spark(arguments: Mapping[str, Any], conventions: Mapping[str, Any]) -> Comparison:
    """The comparison of columns in a DataFrame of Spark."""
    from certus import spark

    defaults = inspect.signature(compare).parameters
    for name in ("missing_values", "value_range", "queries", "ties", "unjudged", "drop_self"):
        if arguments[name] != defaults[name].default:
            raise MetricNameError("does not apply to DataFrames of Spark", "leave it out", argument=name)
    if arguments["truth"] is None:
        raise DataError("is None", "name the column of what is true", argument="truth")
    names = {"data", "predictions", "metrics", "truth", "task", "groups", *(field.name for field in fields(Options))}
    return spark.compare(**{name: value for name, value in arguments.items() if name in names}, **conventions)


def _facts(metrics: Any) -> tuple[str, Literal["higher", "lower"] | None, tuple[float, float], str]:
    """Name, direction, bounds and unit for plain values; a ranking metric's name implies its facts."""
    if metrics is None:
        return "value", "higher", (-math.inf, math.inf), "unit"
    names = metric_list(metrics)
    if len(names) != 1 or not isinstance(names[0], MetricLike):
        raise MetricNameError(f"is {metrics!r}", "bare values are of one metric, give one name", argument="metrics")
    try:
        metric = names[0] if isinstance(names[0], Metric) else parse(names[0])
    except CertusError:
        metric = None
    # One value for each unit is of a mean: bare values called accuracy are not those of a ranking's pairs.
    is_ratio = metric is not None and inspect.signature(inspect.unwrap(metric)).return_annotation is Ratio
    if metric is None or (isinstance(names[0], str) and is_ratio):
        return str(names[0]), direction_of(str(names[0])), (-math.inf, math.inf), "unit"
    return str(metric), metric.better, metric.bounds, metric.unit


def _logs(runs: Any) -> list[Log] | None:
    """Results of evaluation tools, if the runs are files written by them; otherwise None."""
    paths = [runs] if is_path(runs) else list(runs) if isinstance(runs, list | tuple) else []
    if not paths or not all(map(is_path, paths)):
        return None
    from certus.io.logs import required_log

    problem, remedy = "is not a result of an evaluation tool", "see docs/values.md for those read"
    return [required_log(path, problem, remedy) for path in paths]


def _refuse(conventions: Iterable[str], reason: str) -> None:
    """Raise TypeError for the first of these keywords, with the reason; do nothing if there are none."""
    for name in conventions:
        raise TypeError(f"compare() does not take {name!r} here: {reason}")
