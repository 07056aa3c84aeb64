"""Many metrics of many systems: each value with its interval, in one table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from certus import kernels, tasks
from certus.data.codes import coded
from certus.errors import MetricNameError, called
from certus.evaluation._standing import standing
from certus.evaluation.chance import notes
from certus.evaluation.infer import inferred
from certus.evaluation.items import Average, Item, Value, chosen, rows_of
from certus.evaluation.samples import Samples
from certus.evaluation.shown import shown_of
from certus.evaluation.systems import Call, Case, Systems
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.inference.many.subgroups import straddling
from certus.io.paths import PathLike
from certus.io.read import is_path
from certus.metrics import Metric, Metrics, Named
from certus.renamed import renamed
from certus.spelling import suggestion
from certus.table import PerQuery, Row, Table

if TYPE_CHECKING:
    from certus.chance import VersusChance

__all__ = ["evaluate", "evaluated", "report"]

Undefined = float | Literal["nan", "skip"]

_ABOUT_UNDEFINED: dict[object, str] = {
    "nan": "0/0 has no value",
    "skip": "classes whose value is 0/0 are left out of averages",
}


@renamed(method="interval")
def evaluate(
    truth: Any = None,
    predictions: Any = None,
    metrics: Metrics | None = None,
    *,
    task: str | None = None,
    average: Average | None = None,
    undefined: Undefined | None = None,
    by: Any = None,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    chance: bool = False,
    seed: int = 0,
    name: str | None = None,
    **told: Any,
) -> Table:
    """Evaluate predictions of any task: every metric of every system, with its interval.

    Parameters
    ----------
    truth
        What is true: relevance judgments (a path, ``{query: {document: grade}}``, ``{query: {document, ...}}``, rows
        ``(query, document, grade)``, a DataFrame, or what `read_qrels` returns; of one query, a set of documents), or
        a column or table with a row for each sample. Of a task without truth, the predictions. Alone,
        the path of a result of an evaluation tool, or of `certus` itself (see docs/values.md).
    predictions
        What one system predicts, or ``{name: predictions}`` of several. For ranking a run, a list of runs, or runs by
        name; each a path, ``{query: {document: score}}``, ``{query: [document, ...]}``, rows ``(query, document,
        score)``, a DataFrame, or what `read_run` returns; of one query, a list of documents. Otherwise columns or
        tables. A system that predicts several things gives them by name: ``{"y_pred": labels, "y_score": scores}``.
    metrics
        Names such as ``"nDCG@10"`` or ``"F1(average='macro')"``, or metrics such as
        ``certus.ranking.ndcg.using(cutoff=10)``. None takes the usual ones of the task.
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
    level
        Coverage of the intervals, strictly between 0 and 1.
    interval
        Interval method by name, for the metrics whose form has it; for the others, and with None, the default of each.
    per_query
        Also give every query's own value, or that of each item with an id. A table with them, written as JSON, can be
        compared with a later one.
    chance
        Also hold each value against chance, as `Estimate.versus_chance` does: the expected value, the probability to do
        as well by luck, the chance-corrected value and the percentile. Values of single classes are not held.
    seed
        Where the random draws of bootstrap methods start; one seed gives the same bits on any number of threads.
    name
        What to call a single system.
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
        ``units``, ...

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
    """
    if task is None and predictions is None and is_path(truth) and told.keys() <= {"groups"}:
        useless = {"average": average, "undefined": undefined, "name": name, "chance": chance or None}
        options = {"level": level, "interval": interval, "per_query": per_query, "seed": seed, "by": by, **told}
        if (table := _of_log(truth, metrics, useless, options)) is not None:
            return table
    chosen_task = inferred(truth, predictions, metrics, told) if task is None else tasks.task(task)
    for key in told:
        if key not in chosen_task.keywords:
            raise TypeError(
                f"{chosen_task.name} has no use for {key!r}{suggestion(key, sorted(chosen_task.keywords))}; it is told "
                f"{', '.join(sorted(chosen_task.keywords))}"
            )
    Request(level, seed=seed)  # refuses a wrong level or seed before anything is read
    if interval is not None:
        check_method(interval)
    named = None if metrics is None else chosen(metrics, chosen_task.name)
    systems = chosen_task.systems()(Call(chosen_task, truth, predictions, named, told, name))
    return evaluated(
        systems,
        named,
        by=by,
        average=average,
        undefined=undefined,
        level=level,
        interval=interval,
        per_query=per_query,
        chance=chance,
        seed=seed,
    )


def _of_log(
    path: PathLike,
    metrics: Metrics | None,
    told: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Table | None:
    """The table of what an evaluation tool wrote; None where none wrote the file."""
    from certus.evaluation.scores import evaluated_scores
    from certus.io.logs import read_log

    if (log := read_log(path)) is None:
        return None
    if useless := next((name for name, value in told.items() if value is not None), None):
        raise MetricNameError(f"{called(useless)} has no meaning for {log.name}, a result of {log.title}; leave it out")
    listed = [metrics] if isinstance(metrics, Named) else metrics
    asked = None if listed is None else list(map(str, listed))
    for name in ("by", "groups"):
        if not isinstance(options.get(name), str | None):
            raise MetricNameError(f"{called(name)} is no name of a field; of results it is, as in 'metadata.topic'")
    return evaluated_scores([log], asked, **options)


def report(truth: Any = None, predictions: Any = None, **told: Any) -> Table:
    """Evaluate predictions by the usual metrics of their task: `evaluate` with no metric named.

    Parameters
    ----------
    truth, predictions, told
        As for `evaluate`, with all its keywords but `metrics`.

    Examples
    --------
    >>> table = report([3, -0.5, 2, 7, 4], [2.5, 0.0, 2, 8, 4])
    >>> [row.metric for row in table]
    ['MAE', 'RMSE', 'MedAE', 'R2', 'ExplainedVariance', 'CCC', 'Pearson', 'Spearman']
    """
    return evaluate(truth, predictions, **told)


def evaluated(
    systems: Systems,
    metrics: Sequence[Metric] | None,
    *,
    by: Any = None,
    average: Average | None = None,
    undefined: Undefined | None = None,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    chance: bool = False,
    seed: int = 0,
) -> Table:
    """The table of the metrics of all systems, the usual ones where none is named; as for `evaluate`."""
    task = systems.task
    values: list[Value | Row] = []
    single: list[PerQuery] = []
    items: dict[Item, None] = {}
    told: dict[str, list[str]] = {}
    clusters: dict[str, Mapping[str, Sequence[Any]]] = {}
    dependent = ""
    for system, case in systems.cases.items():
        told[system] = [case.size_in_words] if case.size_in_words else []
        stated = _items(case, metrics, average, undefined, told[system])
        items.update(dict.fromkeys(stated))
        for group, part in _parts(case, by):
            for item in stated:
                name, better, place = item.name, item.metric.better, item.average
                for label, estimate in part.estimates(item.metric):
                    values.append(Value(system, name, estimate, group, label, place, better))
                    systems.found[system].append(estimate)
            if metrics is None:
                values += _support(part, system, group, stated)
        case.check_used([item.metric for item in stated])
        if isinstance(case, Samples) and by is not None and (groups := case.conventions.get("groups")) is not None:
            dependent = straddling(coded(by, "by").codes, coded(groups, "groups").codes, "group")
        if per_query:
            of_units = case.single(system, systems.found[system])
            if of_units is None:
                raise MetricNameError(f"{called('per_query')} is for queries, but {task.name} has none; leave it out")
            single += of_units
            if case.clusters:
                clusters[system] = case.clusters
    systems.metrics = [item.metric for item in items]
    rows: Callable[[], list[Row]] | list[Row] = partial(rows_of, values, level, interval, seed, dependent)
    about: list[str] = []
    if chance:
        versus: list[VersusChance] = []
        rows = rows_of(values, level, interval, seed, dependent, versus)
        about = notes(versus)
    elif interval is not None:
        # The default methods cannot fail, so their intervals wait until somebody looks at them.
        rows = rows_of(values, level, interval, seed, dependent)
    signature = {
        "certus": kernels.__version__,
        "task": task.name,
        "metrics": {str(metric): dict(metric.conventions) for metric in systems.metrics},
        **systems.signature,
        "better": {item.name: item.metric.better for item in items},
        "level": level,
        "method": interval,
        "seed": seed,
        "said": _together(told) + about,
    }
    if task.part != "class":
        signature["part"] = task.part
    if clusters:
        signature["clusters"] = clusters
    compared = partial(standing, values, {name: case.units for name, case in systems.cases.items()}, task.paired, level)
    shown = partial(shown_of, systems.cases, level)
    return Table(rows, dict.fromkeys(systems.notices()), signature, single, compared, shown)


def _parts(case: Case, by: Any) -> Iterable[tuple[str | None, Case]]:
    """The whole case, or the samples of each value of `by`."""
    if by is None:
        return [(None, case)]
    if not isinstance(case, Samples):
        raise MetricNameError(f"{called('by')} tells samples apart; the queries of retrieval runs have no subgroups")
    return case.parts(by)


def _support(case: Case, system: str, group: str | None, items: Sequence[Item]) -> Iterator[Row]:
    """The number of true samples of each class; beside averages, of all classes together."""
    if case.support is None:
        return
    n, counts = case.support
    row = partial(Row, system, "Support", n=n, unit="sample", group=group)
    for label, count in counts.items():
        yield row(value=count, label=str(label))
    for average in dict.fromkeys(item.average for item in items if item.average):
        yield row(value=sum(counts.values(), 0.0), average=average)


def _items(
    case: Case, metrics: Sequence[Metric] | None, average: Average | None, undefined: Undefined | None, said: list[str]
) -> list[Item]:
    """The metrics to state, as far as they leave it open with this average and this value of 0/0."""
    if metrics is None:
        items, why = case.default_items(average)
        said += why
    else:
        items = [Item.of(metric, average) for metric in metrics]
    if average is not None and not any(item.averages for item in items):
        raise MetricNameError(f"{called('average')} is {average!r}, but {_no_choice(items)}; leave it out")
    if undefined is not None:
        changed = [item.with_undefined(undefined) for item in items]
        if all(one is other for one, other in zip(items, changed, strict=True)):
            raise MetricNameError(f"{called('undefined')} is {undefined!r}, but {_no_choice(items)}; leave it out")
        items = changed
        said.append(_ABOUT_UNDEFINED.get(undefined, f"0/0 counts as {undefined}"))
    return list(dict.fromkeys(items))


def _no_choice(items: Sequence[Item]) -> str:
    names = list(dict.fromkeys(str(item.metric) for item in items))
    return f"no metric here leaves a choice: {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}"


def _together(told: Mapping[str, Sequence[str]]) -> list[str]:
    """The sentences of all systems; those that differ with the name of the system."""
    common = [one for one in next(iter(told.values()), []) if all(one in others for others in told.values())]
    return common + [f"{system}: {one}" for system, each in told.items() for one in each if one not in common]
