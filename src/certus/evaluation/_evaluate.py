"""Many metrics of many systems: each value with its interval, in one table."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.errors import DataError, MetricNameError, options_for
from certus.evaluation.infer import infer_task
from certus.evaluation.items import Average, parse_metrics
from certus.evaluation.systems import Call
from certus.evaluation.tabulate import Undefined, tabulate
from certus.inference.declare import check_method
from certus.inference.estimates import MeanOf
from certus.inference.interval import Request
from certus.io.batches import is_named, is_table
from certus.io.sources import PathLike, is_path
from certus.metrics.names import MetricLike, Metrics
from certus.missing import missing_values_are
from certus.note import with_options
from certus.spelling import suggestion
from certus.table import Table

if TYPE_CHECKING:
    from certus.tasks import Task

_OF_BATCHES = ("is for data that come in batches, or lie in files", "these are in memory already, leave it out")


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
    **told: Any,
) -> Table:
    """Evaluate predictions of any task: every metric of every system, with its interval.

    Parameters
    ----------
    data
        What is true: relevance judgments (a path, ``{query: {document: grade}}``, ``{query: {document, ...}}``, rows
        ``(query, document, grade)``, a DataFrame, or what `read_qrels` returns; of one query, a set of documents), or
        a column or table with a row for each sample. Of a task without truth, the predictions. Alone,
        the path of a result of an evaluation tool, or of `certus` itself (see docs/values.md).

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
        ``"values"``, or one of your own. None infers it from the data, the metrics and the keywords, where these leave
        one only; a column alone is of ``"values"``.
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
    told
        Data by name (``y_score=``, ``X=``), and what the metrics of the task are told. For ranking: ``queries``, the
        average is over the queries in both files (``"intersection"``, as trec_eval) or over all judged ones, those that
        a run lacks counting 0 (``"judged"``, as ``trec_eval -c``); ``ties``, what counts among documents with equal
        scores: the greater id first (``"trec"``), the order read (``"input"``), the exact expected value over all
        orders (``"average"``), or as ``"trec"`` with the least and greatest value over all orders beside it
        (``"range"``); ``unjudged``, documents without judgment are ``"nonrelevant"``, taken out first (``"remove"``),
        or non-relevant with the value beside it if all of them had the highest grade of their query (``"bounds"``);
        ``format_of_qrels`` and ``format_of_run``, the formats of files whose content leaves it open.
        For the other tasks as every metric of theirs: ``sample_weight``, ``groups``, ``labels``, ``pos_label``,
        ``units``, ... Of a table the names of its columns, also by the options of the command line: ``pred="guess"``,
        ``score="p"``, ``weight="w"``, ``groups="user"``, and ``by="country"``.

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
    with missing_values_are(missing_values):
        if task is truth is predictions is None and is_path(data) and told.keys() <= {"groups"}:
            useless = {"average": average, "undefined": undefined, "name": name, "chance": chance or None}
            of_log = {"level": level, "interval": interval, "per_query": per_query, "seed": seed, "by": by}
            of_log |= {"subgroup_mean": subgroup_mean, **told}
            if (table := _of_log(data, metrics, useless, of_log)) is not None:
                return table
        if data is not None and _names_columns(truth, told):
            options = {"average": average, "undefined": undefined, "level": level, "interval": interval}
            options |= {"chance": chance, "seed": seed, "subgroup_mean": subgroup_mean}
            problem = "has no meaning where columns are named"
            if predictions is not None:
                raise MetricNameError(problem, "name their columns with pred= or score=", argument="predictions")
            if per_query:
                raise MetricNameError(problem, "leave it out", argument="per_query")
            columns = {"truth": truth, "by": by, **told}
            return _of_columns(data, metrics, columns, task, options | {"name": name}, memory)
        if memory is not None:
            raise MetricNameError(*_OF_BATCHES, argument="memory")
        if truth is not None:
            if data is not None:
                raise DataError("is given twice", "give it once", argument="truth")
            data = truth
        truth = data
        chosen_task = infer_task(truth, predictions, metrics, told) if task is None else registry.task(task)
        for key in told:
            if key not in chosen_task.keywords:
                raise TypeError(
                    f"{chosen_task.name} has no use for {key!r}; "
                    + suggestion(
                        key, sorted(chosen_task.keywords), f"it takes {', '.join(sorted(chosen_task.keywords))}"
                    )
                )
        Request(level, seed=seed)  # refuses a wrong level or seed before anything is read
        if interval is not None:
            check_method(interval)
        chosen_metrics = None if metrics is None else parse_metrics(metrics, chosen_task.name)
        systems = chosen_task.systems()(Call(chosen_task, truth, predictions, chosen_metrics, told, name))
        return tabulate(
            systems,
            chosen_metrics,
            by=by,
            subgroup_mean=subgroup_mean,
            average=average,
            undefined=undefined,
            level=level,
            interval=interval,
            per_query=per_query,
            chance=chance,
            seed=seed,
        )


def _names_columns(truth: Any, keywords: Mapping[str, Any]) -> bool:
    """True if the keywords name columns of a table."""
    text_keywords = [key for key, value in keywords.items() if isinstance(value, str)]
    return is_named(truth) or any(key in task.aliases for key in text_keywords for task in registry.tasks())


def _of_columns(
    data: Any,
    metrics: Metrics | None,
    keywords: Mapping[str, Any],
    task: str | None,
    options: dict[str, Any],
    memory: int | str | None,
) -> Table:
    """The table of data whose columns are named."""
    from certus.states import Named, column_words, of_stream, of_table

    named_columns = Named.of(keywords)
    Request(options["level"], seed=options["seed"])
    if options["interval"] is not None:
        check_method(options["interval"])
    if not is_table(data):
        state = of_stream(data, named_columns, task, metrics, rows=options["interval"] is not None, memory=memory)
        return state.evaluate(**options)
    if memory is not None:
        raise MetricNameError(*_OF_BATCHES, argument="memory")
    chosen_task, columns = of_table(data, named_columns, task, metrics)
    first = columns.pop(chosen_task.data[0].name, None)
    words = column_words(chosen_task, named_columns.of_task(chosen_task))
    with options_for(words):
        table = evaluate(first, None, metrics, task=chosen_task.name, **columns, **named_columns.conventions, **options)
    return with_options(table, words)


def _of_log(
    path: PathLike,
    metrics: Metrics | None,
    unsupported: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Table | None:
    """The table of what an evaluation tool wrote; None where none wrote the file."""
    from certus.evaluation.scores import evaluate_scores
    from certus.io.logs import read_log

    if (log := read_log(path)) is None:
        return None
    if useless := next((name for name, value in unsupported.items() if value is not None), None):
        raise MetricNameError(
            f"has no meaning for {log.name}, a result of {log.title}", "leave it out", argument=useless
        )
    metric_list = [metrics] if isinstance(metrics, MetricLike) else metrics
    metric_names = None if metric_list is None else list(map(str, metric_list))
    for name in ("by", "groups"):
        if not isinstance(options.get(name), str | None):
            raise MetricNameError("is not a name of a field", "of results it is, as in 'metadata.topic'", argument=name)
    return evaluate_scores([log], metric_names, **options)


def report(data: Any = None, predictions: Any = None, **told: Any) -> Table:
    """Evaluate predictions by the usual metrics of their task: `evaluate` with no metric named.

    Parameters
    ----------
    data, predictions, told
        As for `evaluate`, with all its keywords but `metrics`.

    Examples
    --------
    >>> table = report([3, -0.5, 2, 7, 4], [2.5, 0.0, 2, 8, 4])
    >>> [row.metric for row in table]
    ['MAE', 'RMSE', 'MedAE', 'R2', 'ExplainedVariance', 'CCC', 'Pearson', 'Spearman']
    """
    return evaluate(data, predictions, **told)


def report_of(task: "Task") -> Callable[..., Table]:
    """The function that reports on data of the task.

    Examples
    --------
    >>> from certus.tasks import regression
    >>> list(inspect.signature(report_of(regression.TASK)).parameters)[2:9]
    ['metrics', 'average', 'undefined', 'by', 'subgroup_mean', 'sample_weight', 'groups']
    """
    positional = [each.name for each in task.data]

    def report(*data: Any, **told: Any) -> Table:
        bound = signature.bind(*data, **told)
        return evaluate(task=task.name, **bound.arguments)

    kinds = inspect.Parameter
    of_evaluate = inspect.signature(evaluate).parameters
    needed = len(task.needs) == 1
    signature = inspect.Signature(
        [
            *(
                kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=kinds.empty if needed or not place else None)
                for place, name in enumerate(positional)
            ),
            kinds("metrics", kinds.POSITIONAL_OR_KEYWORD, default=None),
            *map(of_evaluate.__getitem__, ("average", "undefined", "by", "subgroup_mean")),
            *(kinds(each.name, kinds.KEYWORD_ONLY, default=None) for each in (*task.conventions, *task.options)),
            *map(of_evaluate.__getitem__, ("level", "interval", "seed", "name")),
        ],
        return_annotation="Table",
    )
    report.__dict__["__signature__"] = signature
    report.__doc__ = _doc(task)
    report.__module__, report.__qualname__ = f"certus.{task.name}", "report"
    return report


def _doc(task: "Task") -> str:
    """The docstring, from what the task says of its arguments."""
    lines = [
        f"Report on {task.name} by its usual metrics, or by those named: each value with its interval.",
        "",
        f"The usual metrics are {', '.join(task.usual)}, as far as their data are given.",
        "",
        "Parameters",
        "----------",
    ]
    for each in task.data:
        lines += [each.name, f"    {each.about[:1].upper()}{each.about[1:]}."]
    lines += ["metrics", "    Names, or metrics; None takes the usual ones."]
    lines += ["average, undefined", "    As for `certus.evaluate`."]
    lines += ["by", "    One value for each row: each subgroup with the same value gets its own rows."]
    lines += ["subgroup_mean", "    As for `certus.evaluate`."]
    for each in (*task.conventions, *task.options):
        lines += [each.name, f"    {each.about[:1].upper()}{each.about[1:]}."]
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
