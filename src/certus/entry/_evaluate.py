"""Many metrics of many systems: each value with its interval, in one table."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from certus.core import registry
from certus.core.errors import DataError, MetricNameError, options_for
from certus.core.missing import missing_words
from certus.core.note import with_options, with_sentence
from certus.data.columns import coded, refuse_missing
from certus.evaluation.binding import Binding, Call, names_columns, with_labels, with_tables
from certus.evaluation.cases import Average, parse_metrics
from certus.evaluation.infer import infer_task, keyword_remedy, metric_list, ranking_arguments
from certus.evaluation.tabulate import Undefined, tabulate
from certus.inference.declare import check_method
from certus.inference.estimate import MeanOf
from certus.inference.interval import Request
from certus.io.batches import is_spark, is_table
from certus.io.sources import PathLike, is_path, reads_tables
from certus.metrics import Metric
from certus.metrics.names import Metrics
from certus.scoring import is_estimator, predictions_of
from certus.table import Table

if TYPE_CHECKING:
    from certus.tasks import Task


_P = ParamSpec("_P")


def _takes_estimators(function: Callable[_P, Table]) -> Callable[_P, Table]:
    """The function, called with a fitted estimator as ``(model, X, y, metrics)``."""

    @wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> Table:
        call: Callable[..., Table] = function
        if len(args) > 2 and "truth" not in kwargs and is_estimator(args[0]):
            return call(*args[:2], *args[3:], truth=args[2], **kwargs)
        return call(*args, **kwargs)

    return wrapper


@_takes_estimators
@reads_tables
def evaluate(
    data: Any = None,
    predictions: Any = None,
    metrics: Metrics | None = None,
    *,
    truth: Any = None,
    task: str | None = None,
    average: Average | None = None,
    undefined: Undefined | None = None,
    by: Any = None,
    subgroup_mean: MeanOf | None = None,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    chance: bool = False,
    seed: int = 0,
    name: str | None = None,
    missing_values: str | Sequence[str] | None = None,
    memory: int | str | None = None,
    **keywords: Any,
) -> Table:
    """Evaluate predictions of any task: every metric of every system, with its interval.

    Parameters
    ----------
    data
        What is true: relevance judgments (a path, ``{query: {document: grade}}``, ``{query: {document, ...}}``, rows
        ``(query, document, grade)``, a DataFrame, or what `read_qrels` returns; of one query, a set of documents), or
        a column or table with a row for each sample. Of a task without truth, the predictions. Alone,
        the path of a result of an evaluation tool, or of `certus` itself (see docs/values.md).

        Or a fitted classifier or regressor of scikit-learn; then `predictions` are the samples, and what is true
        stands third, before the metrics, or is `truth`: ``evaluate(model, X_test, y_test)``, ``evaluate(model, X_test,
        y_test, "AUC")``. Of two classes the second is positive unless `pos_label` names the first.

        Or, where keywords name its columns, a table with all of them: a DataFrame, an Arrow table, a dict of columns.
        It may come in batches that do not fit into memory together: an iterable of tables, an Arrow stream, a pyarrow
        dataset, a polars LazyFrame, a DuckDB relation, the path of a file, a folder or a pattern (see
        docs/larger-than-memory.md).
    predictions
        What one system predicts, or ``{name: predictions}`` of several. For ranking a run, a list of runs, or runs by
        name; each a path, ``{query: {document: score}}``, ``{query: [document, ...]}``, rows ``(query, document,
        score)``, a DataFrame, or what `read_run` returns; of one query, a list of documents. Otherwise columns or
        tables. A system that predicts several things gives them by name: ``{"y_pred": labels, "y_score": scores}``.
    metrics
        Names such as ``"nDCG@10"`` or ``"F1(average='macro')"``, or metrics such as
        ``certus.ranking.ndcg.using(cutoff=10)``. None takes the usual ones of the task.
    truth
        The name of the column of `data` that holds what is true. `data` may be given by this keyword, too.
    task
        ``"ranking"``, ``"classification"``, ``"multilabel"``, ``"regression"``, ``"clustering"``, ``"efficiency"``,
        ``"values"``, or one of your own. None infers it from the names of the data, the metrics and the keywords. Where
        these leave several, the values decide: truth of two values and fractions within [0, 1] are scores of a
        classifier; text, booleans, or up to 20 different whole numbers on both sides are classes; truth that is not
        whole, or has more than 20 different whole numbers, is quantities; anything else is asked. A note below the
        table says what was taken. A column alone is of ``"values"``.
    average
        How metrics that can average over classes do so unless their names say.
    undefined
        What 0/0 counts as, for metrics that have a choice and whose names do not say: ``"nan"``, ``"skip"`` or a
        number.
    by
        One value for each sample: each subgroup with the same value gets its own rows. The largest gap between
        subgroups and the worst subgroup follow, with limits that hold for all subgroups at once. Of the file of an
        evaluation tool the name of a field of its items, such as ``metadata.topic``; so are its ``groups``.
    subgroup_mean
        Also give the mean of each metric over the subgroups of `by`. ``"random"``: they are a random sample of
        subgroups, such as users; the standard error is that of their values. ``"fixed"``: they are all there are, such
        as countries; it comes from their own standard errors. ``"random-weighted"`` and ``"fixed-weighted"``: each
        counts as its samples do, or their weights (as in GAUC), otherwise all the same. The mean is undefined where a
        subgroup has no value; ``undefined="skip"`` leaves these out. Groups must not have samples in several subgroups.
        None: no mean.
    level
        Coverage of the intervals, strictly between 0 and 1.
    interval
        Interval method by name, for the metrics whose form has it; for the others, and with None, the default of each.
    per_query
        Also give every query's own value, or that of each item with an id. A table with them, written as JSON, can be
        compared with a later one.
    chance
        Also compare each value with chance, as `Estimate.versus_chance` does: the expected value, the probability to do
        as well by luck, the chance-corrected value and the percentile. Values of single classes are not held.
    seed
        Where the random draws of bootstrap methods start; one seed gives the same bits on any number of threads.
    name
        What to call a single system.
    missing_values
        Words that mean a missing value where labels, groups, subgroups or ids stand, such as ``["NA", "null"]``: they
        are refused with their place, as None, NaN and empty cells are. None: words are labels, and those that usually
        mean a missing value are warned of.
    memory
        Bytes that the rows of data in batches may take, such as ``"2GB"``; see `certus.State`.
    keywords
        Data by name (``y_score=``, ``X=``), and what the metrics of the task are told. For ranking: ``queries``, the
        average is over the queries in both files (``"intersection"``, as trec_eval) or over all judged ones, those that
        a run lacks counting 0 (``"judged"``, as ``trec_eval -c``); ``ties``, what counts among documents with equal
        scores: the greater id first (``"trec"``), the order read (``"input"``), the exact expected value over all
        orders (``"average"``), or as ``"trec"`` with the least and greatest value over all orders beside it
        (``"range"``); ``unjudged``, documents without judgment are ``"nonrelevant"``, taken out first (``"remove"``),
        or non-relevant with the value beside it if all of them had the highest grade of their query (``"bounds"``);
        ``drop_self``, leave out of each query's results the document with the query's own id, as BEIR and MTEB do where
        queries are documents (judgments stay as they are);
        ``format_of_qrels`` and ``format_of_run``, the formats of files whose content leaves it open.
        Of tables whose columns have other names: ``query="session"``, ``document="item"``, ``truth="clicked"`` (grades)
        and ``score="p"``, or several such columns; in one table with all of them documents may be without names.
        For the other tasks as every metric of theirs: ``sample_weight``, ``groups``, ``labels``, ``pos_label``,
        ``units``, ... ``threshold``, or for classification ``budget``, makes predicted labels of scores: positive are
        those of at least the threshold, or a budget of the highest ones; of several in a list each has its rows. They
        are evaluated by metrics of labels. Of a table the names of its columns, also by the options of the command
        line: ``pred="guess"``, ``score="p"``, ``weight="w"``, ``groups="user"``, and ``by="country"``.

    Returns
    -------
    Table
        One row for each system and metric, in the order given; of metrics with a value for each class a row for each.
        Then, with `per_query`, one for each query.

    Raises
    ------
    DataError
        The input cannot be read or does not fit together; the message names file and line, or the argument.
    MetricNameError
        There is no such metric, parameter, convention or method; or the task is not clear.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}, "q3": {"d4": 1}}
    >>> run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 2.0, "d1": 1.0}, "q3": {"d4": 0.5}}
    >>> for row in evaluate(qrels, run, ["AP", "P@1"]):
    ...     print(row.metric, round(row.value, 4), round(row.low, 4), round(row.high, 4))
    AP 0.8333 0.0 1.0
    P@1 0.6667 0.1185 0.9829
    >>> for row in evaluate([3, -0.5, 2, 7], {"a": [2.5, 0, 2, 8], "b": [3, -0.5, 2, 9]}, "MAE"):
    ...     print(row.run, row.metric, row.value)
    a MAE 0.5
    b MAE 0.5
    >>> batches = ({"y": [1, 0, 1], "p": [0.9, p, 0.6]} for p in (0.3, 0.7))
    >>> for row in evaluate(batches, metrics="AUC", truth="y", score="p"):
    ...     print(row.metric, row.value, row.n)
    AUC 0.75 6
    """
    if is_spark(data) or is_spark(predictions):
        from certus import spark

        idle = {"missing_values": missing_values, "memory": memory, "per_query": per_query or None}
        for argument, value in idle.items():
            if value is not None:
                raise MetricNameError("does not apply to DataFrames of Spark", "leave it out", argument=argument)
        keywords |= {"average": average, "undefined": undefined, "by": by, "subgroup_mean": subgroup_mean}
        keywords |= {"truth": truth, "task": task, "level": level, "interval": interval, "name": name}
        return spark.evaluate(data, predictions, metrics, chance=chance, seed=seed, **keywords)
    with missing_words(missing_values) as missing:
        if task is truth is predictions is None and is_path(data) and keywords.keys() <= {"groups"}:
            useless = {"average": average, "undefined": undefined, "name": name, "chance": chance or None}
            of_log = {"level": level, "interval": interval, "per_query": per_query, "seed": seed, "by": by}
            of_log |= {"subgroup_mean": subgroup_mean, "missing": missing, **keywords}
            if (table := _of_log(data, metrics, useless, of_log)) is not None:
                return table
        if is_estimator(data):
            name = name or type(data).__name__
            data, predictions, metrics, task, keywords = _call_of_estimator(
                data, predictions, metrics, truth, task, keywords
            )
            truth = None
        if data is not None and (arguments := ranking_arguments(data, predictions, metrics, truth, task, keywords)):
            data, predictions, keywords = arguments
            truth, task = None, "ranking"
        Request(level, seed=seed)  # refuses a wrong level or seed before anything is read
        if interval is not None:
            check_method(interval)
        options: dict[str, Any] = {"subgroup_mean": subgroup_mean, "average": average, "undefined": undefined}
        options |= {"level": level, "interval": interval, "chance": chance, "seed": seed}
        binding = None
        if data is not None and names_columns(truth, keywords):
            problem = "does not apply where columns are named"
            if predictions is not None:
                raise MetricNameError(problem, "name their columns with pred= or score=", argument="predictions")
            if per_query:
                raise MetricNameError(problem, "leave it out", argument="per_query")
            binding = Binding.from_keywords({"truth": truth, "by": by, **keywords}, metrics, task)
            if not is_table(data):
                from certus.states import of_stream

                rows = interval is not None
                state, note = of_stream(data, binding, rows=rows, memory=memory, missing=missing)
                return with_sentence(state.evaluate(name=name, **options), note)
        if memory is not None:
            problem = "is for data that come in batches, or lie in files"
            raise MetricNameError(problem, "these are in memory already, leave it out", argument="memory")
        if binding is None:
            call = _call_on_arrays(data, truth, predictions, metrics, task, keywords, name)
            return _table_of(replace(call, missing=missing), by, per_query=per_query, **options)
        binding = binding.resolve(data, [task_name for task_name in registry.names() if task_name != "ranking"])
        with options_for(binding.words):
            call, by = _call_on_columns(data, binding, name)
            table = _table_of(replace(call, missing=missing), by, **options)
        return with_options(table, binding.words)


def _call_on_arrays(
    data: Any,
    truth: Any,
    predictions: Any,
    metrics: Metrics | None,
    task: str | None,
    keywords: Mapping[str, Any],
    name: str | None,
) -> Call:
    """Call for data that are passed as arguments; infers the task if none is named."""
    if truth is not None and data is not None:
        raise DataError("is given twice", "give it once", argument="truth")
    data = truth if data is None else data
    task, data, predictions = with_tables(task, data, predictions, keywords)
    if task is None:
        chosen, note = infer_task(data, predictions, metrics, keywords)
    else:
        chosen, note = registry.task(task), None
    return _checked_call(Call(chosen, data, predictions, _metric_list(metrics, chosen), keywords, name, note=note))


def _call_of_estimator(
    estimator: Any, samples: Any, metrics: Any, truth: Any, task: str | None, keywords: Mapping[str, Any]
) -> tuple[Any, dict[str, Any], Metrics | None, str, dict[str, Any]]:
    """Predict with a fitted estimator; returns truth, predictions, metrics, task and keywords of the call."""
    if samples is None or truth is None or isinstance(truth, str):
        raise DataError(
            "is a fitted estimator",
            "give samples and their truth, as in certus.evaluate(model, X_test, truth=y_test)",
            argument="data",
        )
    known_task, columns, conventions = predictions_of(estimator, samples, keywords.get("pos_label"))
    if task not in (None, known_task):
        raise MetricNameError(f"is {task!r}", f"{type(estimator).__name__} is for {known_task}", argument="task")
    if "y_score" in columns and any(keywords.get(name) is not None for name in ("threshold", "budget")):
        columns = {"y_score": columns["y_score"]}
    elif metrics is not None:  # what no metric is computed from would have no use
        needed = {
            name for metric in _metric_list(metrics, registry.task(known_task)) or () for name in metric.arguments
        }
        columns = {name: column for name, column in columns.items() if name in needed} or columns
    if "y_score" not in columns:
        conventions.pop("score_labels", None)
    return truth, columns, metrics, known_task, {**conventions, **keywords}


def _call_on_columns(table: Any, binding: Binding, name: str | None) -> tuple[Call, Any]:
    """Call for named columns of a table in memory, and its column of subgroups."""
    chosen = binding.task
    columns, _ = binding.read(table)
    by = columns.pop("by", None)
    first = columns.pop(chosen.data[0].name, None)
    keywords = {**columns, **binding.conventions}
    call = Call(chosen, first, None, _metric_list(binding.metrics, chosen), keywords, name, note=binding.note)
    return _checked_call(call), by


def _table_of(call: Call, by: Any, **options: Any) -> Table:
    """Table of a call, with a sentence on its task and on the rule that made its labels."""
    call = with_labels(call)
    if by is not None and call.missing is not None:
        refuse_missing(coded(by, "by"), "by", call.missing)
    return with_sentence(tabulate(call.task.systems()(call), call.metrics, by=by, **options), call.note)


def _metric_list(metrics: Metrics | None, task: "Task") -> list[Metric] | None:
    """Parse metric names for a task; None stays None."""
    return None if metrics is None else parse_metrics(metrics, task.name)


def _checked_call(call: Call) -> Call:
    """Return the call; refuse a keyword that its task does not know."""
    names = sorted(call.task.keywords)
    for key in call.keywords:
        if key not in names:
            remedy = keyword_remedy(key, names, f"it takes {', '.join(names)}")
            raise TypeError(f"{call.task.name} does not take {key!r}; {remedy}")
    return call


def _of_log(
    path: PathLike,
    metrics: Metrics | None,
    unsupported: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Table | None:
    """Evaluate a file that an evaluation tool wrote; None if no known tool wrote it."""
    from certus.io.logs import read_log
    from certus.tasks.values.scores import evaluate_scores

    if (log := read_log(path)) is None:
        return None
    if useless := next((name for name, value in unsupported.items() if value is not None), None):
        raise MetricNameError(
            f"does not apply to {log.name}, a result of {log.title}", "leave it out", argument=useless
        )
    metric_names = None if metrics is None else list(map(str, metric_list(metrics)))
    for name in ("by", "groups"):
        if not isinstance(options.get(name), str | None):
            raise MetricNameError("is not a name of a field", "of results it is, as in 'metadata.topic'", argument=name)
    return evaluate_scores([log], metric_names, **options)


def report(data: Any = None, predictions: Any = None, **keywords: Any) -> Table:
    """Evaluate predictions by the usual metrics of their task: `evaluate` without naming metrics.

    Parameters
    ----------
    data, predictions, keywords
        As for `evaluate`, with all its keywords but `metrics`.

    Examples
    --------
    >>> table = report([3, -0.5, 2, 7, 4], [2.5, 0.0, 2, 8, 4])
    >>> [row.metric for row in table]
    ['MAE', 'RMSE', 'MedAE', 'R2', 'ExplainedVariance', 'CCC', 'Pearson', 'Spearman']
    """
    return evaluate(data, predictions, **keywords)


def report_of(task: "Task") -> Callable[..., Table]:
    """Create the function that reports on data of the task.

    Examples
    --------
    >>> from certus.tasks import regression
    >>> list(inspect.signature(report_of(regression.TASK)).parameters)[2:9]
    ['metrics', 'average', 'undefined', 'by', 'subgroup_mean', 'sample_weight', 'groups']
    """
    positional = [argument.name for argument in task.data]

    def report(*data: Any, **keywords: Any) -> Table:
        bound = signature.bind(*data, **keywords)
        return evaluate(task=task.name, **bound.arguments)

    parameter = inspect.Parameter
    of_evaluate = inspect.signature(evaluate).parameters
    needed = len(task.needs) == 1
    signature = inspect.Signature(
        [
            *(
                parameter(
                    name, parameter.POSITIONAL_OR_KEYWORD, default=parameter.empty if needed or not index else None
                )
                for index, name in enumerate(positional)
            ),
            parameter("metrics", parameter.POSITIONAL_OR_KEYWORD, default=None),
            *map(of_evaluate.__getitem__, ("average", "undefined", "by", "subgroup_mean")),
            *(
                parameter(argument.name, parameter.KEYWORD_ONLY, default=None)
                for argument in (*task.conventions, *task.options)
            ),
            *map(of_evaluate.__getitem__, ("level", "interval", "seed", "name")),
        ],
        return_annotation="Table",
    )
    report.__dict__["__signature__"] = signature
    report.__doc__ = _doc(task)
    report.__module__, report.__qualname__ = f"certus.{task.name}", "report"
    return report


def _doc(task: "Task") -> str:
    """Docstring of the function that reports on data of the task."""
    lines = [
        f"Report on {task.name} by its usual metrics, or by those named: each value with its interval.",
        "",
        f"The usual metrics are {', '.join(task.usual)}, as far as their data are given.",
        "",
        "Parameters",
        "----------",
    ]
    for argument in task.data:
        lines += [argument.name, f"    {argument.about[:1].upper()}{argument.about[1:]}."]
    lines += ["metrics", "    Names, or metrics; None takes the usual ones."]
    lines += ["average, undefined", "    As for `certus.evaluate`."]
    lines += ["by", "    One value for each row: each subgroup with the same value gets its own rows."]
    lines += ["subgroup_mean", "    As for `certus.evaluate`."]
    for argument in (*task.conventions, *task.options):
        lines += [argument.name, f"    {argument.about[:1].upper()}{argument.about[1:]}."]
    lines += ["level, interval, seed, name", "    As for `certus.evaluate`."]
    lines += ["", "Returns", "-------", "Table", "    One row for each metric, or for each subgroup and metric."]
    lines += [
        "",
        "Raises",
        "------",
        "DataError",
        "    The data do not fit together, or lack what a named metric needs.",
    ]
    lines += ["MetricNameError", "    There is no such metric, parameter or method."]
    return "\n".join(lines)
