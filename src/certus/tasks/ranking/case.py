"""Retrieval runs, ranked and prepared by the conventions of a call: what evaluating and comparing have in common."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from certus.core.errors import DataError, MetricNameError, keyword, python_only
from certus.core.note import Note
from certus.core.registry import task
from certus.core.spelling import abridged, repeated
from certus.data import Ranking
from certus.evaluation.binding import Call, check_names
from certus.evaluation.cases import Case, Item, Systems, parse_metrics
from certus.evaluation.metric_curves import RECALL_LEVELS, MetricCurve
from certus.inference import Estimate
from certus.io import Qrels, Run, as_qrels, as_run
from certus.io.notices import check_queries, of_qrels, of_ranked
from certus.io.rank import Queries, Ranked, rank, tie_sizes
from certus.io.ranking_values import is_id, is_records, is_run, name_of
from certus.io.rankings import RunLike, files_of_runs, qrels_of_task, runs_in, short_names
from certus.io.sources import is_path, path_name
from certus.metrics import Metric
from certus.metrics.names import resolve_metric
from certus.metrics.orders import TieEffect, extremes, is_small_beside, tie_effect, tie_notices, versus_chance
from certus.metrics.ranking.average_precision import interpolated_precision
from certus.statistic import Mean, Ratio
from certus.statistic.common import plural
from certus.table import PerQuery

Ties = Literal["trec", "input", "average", "range"]
Unjudged = Literal["nonrelevant", "remove", "bounds"]
Runs: TypeAlias = RunLike | Sequence[RunLike] | Mapping[str, RunLike]
_TASK = task("ranking")
_MAX_LINES = 2_000_000
"""Lines of a run that are read again."""
_CHOICES = {each.name: each.choices for each in _TASK.conventions}


@dataclass(frozen=True)
class Conventions:
    """The conventions of a call, checked."""

    queries: Queries
    ties: Ties
    unjudged: Unjudged
    drop_self: bool = False

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, str | bool) or value not in _CHOICES[name]:
                allowed = ", ".join(map(repr, _CHOICES[name]))
                raise MetricNameError(f"is {value!r}", f"it must be one of {allowed}", argument=name)
        if self.ties == "range" and self.unjudged == "bounds":
            clash = f"{keyword('ties', 'range')} and {keyword('unjudged', 'bounds')}"
            raise MetricNameError(f"{clash} each give a range", "ask for one of them at a time")


@dataclass(frozen=True)
class RunCase(Case):
    """One run, ranked and prepared by the conventions of a call; of a state without `judgments` and `run`."""

    ranked: Ranked
    ranking: Ranking
    conventions: Conventions
    judgments: Qrels | None
    run: RunLike | None

    @classmethod
    def from_run(cls, qrels: Qrels, run: RunLike, name: str, conventions: Conventions) -> "RunCase":
        """The run, ranked against the qrels."""
        order: Literal["trec", "input"] = "input" if conventions.ties == "input" else "trec"
        run = run if is_path(run) else as_run(run, name)  # an iterator can be read only once
        ranked = rank(qrels, run, queries=conventions.queries, ties=order, name=name)
        if conventions.drop_self:
            ranked = ranked.without_self()
        return cls(ranked, apply_conventions(ranked.ranking, conventions), conventions, qrels, run)

    @property
    def units(self) -> Sequence[str]:
        """The queries, by which runs are paired."""
        return self.ranking.queries

    def single(self, system: str, estimates: Iterable[Estimate], /) -> Iterator[PerQuery]:
        """The value of each query, of the metrics that have one."""
        units = self.ranking.queries
        for estimate in estimates:
            statistic = estimate.statistic
            values = statistic.values.tolist() if isinstance(statistic, Mean | Ratio) else None
            if values is not None and len(values) == len(units):
                yield PerQuery(system, estimate.metric, units, values, estimate.unit)

    def default_items(self, average: Any) -> tuple[list[Item], list[str]]:
        """The metrics that are stated unless some are named."""
        return [Item.from_metric(metric, average) for metric in parse_metrics(_TASK.usual, "ranking")], []

    def estimates(self, metric: Metric) -> Iterator[tuple[None, Estimate]]:
        """The metric of the run."""
        yield None, self.estimate(metric)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """The conventions hold for every metric."""

    def curves(self, level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """Interpolated precision at eleven levels of recall, the mean over queries with its interval."""
        points = []
        for recall in RECALL_LEVELS:
            precision = self.estimate(interpolated_precision.using(recall=recall))
            interval = precision.interval(level)
            if precision.value == precision.value:
                points.append((recall, precision.value, interval.low, interval.high))
        banded = [point for point in points if point[2] == point[2]]
        outline = [(x, low) for x, _, low, _ in banded] + [(x, high) for x, _, _, high in reversed(banded)]
        levels = {
            f"{recall:.1f}": f"{value:.4f}" + (f" [{low:.4f}, {high:.4f}]" if low == low else "")
            for recall, value, low, high in points
        }
        yield (
            "Precision by recall",
            {
                "x": "recall",
                "y": "interpolated precision",
                "about": f"Mean over queries. Shaded: {100 * level:g}% interval at each level of recall.",
                "line": ([point[0] for point in points], [point[1] for point in points]),
                "band": tuple(map(list, zip(*outline, strict=True))) if outline else None,
                "levels": levels,
            },
        )

    def documents(self, number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """Why there are none; and of each query its first documents: id, grade (None: not judged), whether tied."""
        if self.judgments is None or self.run is None:
            return "Documents are not listed: a state keeps the ranks of judged documents, not their ids.", {}
        if is_path(self.run) and path_name(self.run) == "-":
            return "Documents are not listed: the run came from standard input, which is read once.", {}
        lines = as_run(self.run, self.ranked.name)
        if len(lines) > _MAX_LINES or lines.fingerprint != self.ranked.fingerprint:
            large = len(lines) > _MAX_LINES
            reason = f"it has {plural(len(lines), 'line')}" if large else "it changed since it was ranked"
            return f"Documents are not listed: {self.ranked.name} was not read again, as {reason}.", {}
        judged, by_query = self.judgments.to_dict(), {}
        for query, scores in lines.to_dict().items():
            if query in judged:
                if self.conventions.drop_self:
                    scores.pop(query, None)
                by_query[query] = _first_documents(scores, judged[query], number, self.conventions.ties == "input")
        return "", by_query

    def estimate(self, metric: Metric) -> Estimate:
        """The metric of the run."""
        sizes = self._tie_sizes if self.ranking.average else None
        return estimate_prepared(metric, self.ranking, self.conventions, sizes)

    def _tie_sizes(self) -> list[tuple[int, ...]]:
        """Sizes of all groups of equal scores in each query; the ranking has only those with judged documents."""
        if self.run is None:
            raise DataError("a state does not know which unjudged documents are tied", "evaluate the run itself")
        if is_path(self.run) and path_name(self.run) == "-":
            raise DataError("which unjudged documents are tied is not known of standard input", "read a file instead")
        return tie_sizes(self.run, self.ranked, drop_self=self.conventions.drop_self)

    def notices(self) -> Iterator[Note]:
        """Warnings about the run, and about the queries without a relevant document."""
        name = "qrels" if self.judgments is None else self.judgments.name
        return of_ranked(replace(self.ranked, ranking=self.ranking), name)

    def tie_effect(self, name: str, metrics: Sequence[Metric], estimates: Sequence[Estimate]) -> TieEffect | None:
        """The change that the order of tied documents makes, unless the convention settles it."""
        if self.conventions.ties not in ("trec", "input") or not len(self.ranking.tied()):
            return None
        return tie_effect(
            name, self.ranked.name, self.ranking, metrics, [single_estimate.statistic for single_estimate in estimates]
        )

    def self_notices(self, metrics: Sequence[Metric], estimates: Sequence[Estimate]) -> Iterator[Note]:
        """A warning if the documents with the ids of their queries change a printed value.

        Where queries are documents, each is the best result of itself. Ids that are equal by accident stand anywhere.
        """
        averaged = {*self.ranking.queries}
        ranks = zip(self.ranked.ranking.queries, self.ranked.self_ranks, strict=False)  # a state keeps none
        queries = {query: rank for query, rank in ranks if rank and query in averaged}
        if self.conventions.drop_self or 2 * sum(rank == 1 for rank in queries.values()) < max(1, len(queries)):
            return
        ranking = self.ranked.without_self().ranking
        ranking = ranking.select(np.flatnonzero([query in averaged for query in ranking.queries]))
        ranking = apply_conventions(ranking, self.conventions)
        estimates_without = [estimate_prepared(metric, ranking, self.conventions) for metric in metrics]
        values = [[f"{single.value:.4f}" for single in pair] for pair in zip(estimates, estimates_without, strict=True)]
        pairs = zip(metrics, values, strict=True)
        if changes := [f"{metric} {old} becomes {new}" for metric, (old, new) in pairs if old != new]:
            has, their, such = ("has", "its", "it") if len(queries) == 1 else ("have", "their", "such results")
            text = f"{plural(len(queries), 'query')} {has} a result with {their} own id; where queries are documents, "
            text += f"{keyword('drop_self', True)} leaves {such} out, as BEIR and MTEB do: {abridged(changes, 3)}"
            yield Note(text, self.ranked.name, "self-matches", tuple(queries)[:3], len(queries))


class RunSystems(Systems):
    """Runs over the same judgments, with a hash of each input and warnings about the judgments."""

    def __init__(
        self,
        cases: Mapping[str, RunCase],
        conventions: Conventions,
        inputs: Mapping[str, str],
        about: Iterable[Note],
    ) -> None:
        super().__init__(_TASK, cases)
        self.runs, self.conventions, self.inputs, self.about = cases, conventions, inputs, tuple(about)

    @property
    def signature(self) -> dict[str, Any]:
        """The conventions, how many queries were averaged over, and a hash of each input."""
        averaged = {
            name: {"queries": len(case.ranking), "missing": len(case.ranked.missing)}
            for name, case in self.runs.items()
        }
        return {**vars(self.conventions), "averaged": averaged, "inputs": dict(self.inputs)}

    def notices(self) -> Iterator[Note]:
        """Warnings about judgments and runs, and about the order of ties."""
        yield from self.about
        for name, case in self.runs.items():
            yield from case.notices()
            yield from case.self_notices(self.metrics, self.estimates[name])
        effects = [case.tie_effect(name, self.metrics, self.estimates[name]) for name, case in self.runs.items()]
        if any(effects):
            yield from tie_notices(effects, self._is_small)

    def _is_small(self, run: str, metric: str, width: float) -> bool:
        """True if the width is small beside the interval of the run's value."""
        estimate = self.estimates[run][list(map(str, self.metrics)).index(metric)]
        return is_small_beside(estimate.interval(*self.interval)[:2], width)


def systems_of(call: Call) -> RunSystems:
    """The runs of an evaluation, each ranked against the qrels."""
    options, qrels, runs, name = dict(call.keywords), call.truth, call.predictions, call.name
    for argument, other in (("qrels", qrels), ("runs", runs)):
        if argument in options and other is not None:
            raise DataError("is given twice", "give it once", argument=argument)
    judgments, systems = options.pop("qrels", qrels), options.pop("runs", runs)
    format_of_qrels, format_of_run = options.pop("format_of_qrels", None), options.pop("format_of_run", None)
    conventions = Conventions(**{**_TASK.defaults, **options})
    judged = qrels_of_task(judgments, format_of_qrels)
    check_queries(judged.name, judged.queries, call.missing)
    run_list = named_runs(systems, format_of_run, has_single_query=judged.is_single_query)
    if name is not None:
        if len(run_list) > 1:
            raise DataError(
                f"is {name!r}, but there are {len(run_list)} runs",
                "give a dict of runs by their names",
                argument="name",
            )
        run_list = [(name, run_list[0][1])]
    cases = {run_name: RunCase.from_run(judged, run, run_name, conventions) for run_name, run in run_list}
    return RunSystems(cases, conventions, inputs_of(judged, cases.values()), of_qrels(judged))


def estimate(
    metric: Metric,
    *data: object,
    queries: Queries = "intersection",
    ties: Ties = "trec",
    unjudged: Unjudged = "nonrelevant",
    drop_self: bool = False,
) -> Estimate:
    """One ranking metric of one run; what calling a metric does."""
    conventions = Conventions(queries, ties, unjudged, drop_self)
    if len(data) == 1 and isinstance(data[0], Ranking):
        if drop_self:
            raise DataError("a ranking keeps no ids of documents", "give qrels and run", argument="drop_self")
        if ties == "average" or data[0].average:
            conventions = replace(conventions, ties="average")
        return estimate_prepared(metric, apply_conventions(data[0], conventions), conventions)
    if len(data) != 2:
        raise DataError(
            f"{metric} was given {plural(len(data), 'thing')} to evaluate", "give qrels and a run, in this order"
        )
    return RunCase.from_run(as_qrels(data[0]), data[1], "run", conventions).estimate(metric)


def inputs_of(qrels: Qrels, cases: Iterable[RunCase]) -> dict[str, str]:
    """A hash of the qrels and of each run, by their names."""
    inputs = {qrels.name: f"xxh3-128:{qrels.fingerprint}"}
    for case in cases:
        label = case.ranked.name if case.ranked.name != qrels.name else f"{case.ranked.name} (run)"
        inputs[label] = f"xxh3-128:{case.ranked.fingerprint}"
    return inputs


def apply_conventions(ranking: Ranking, conventions: Conventions) -> Ranking:
    """The ranking as the conventions on ties and unjudged documents want it."""
    if conventions.unjudged == "remove":
        ranking = ranking.condensed()
    return replace(ranking, ties="average") if conventions.ties == "average" else ranking


def estimate_prepared(
    metric: Metric,
    ranking: Ranking,
    conventions: Conventions,
    sizes: Callable[[], Sequence[tuple[int, ...]]] | None = None,
) -> Estimate:
    """The metric of a prepared ranking, with the range that the conventions ask for."""
    visible = metric.condense(ranking)
    if visible is not ranking and conventions.unjudged == "bounds":
        raise DataError(
            f"{metric} takes unjudged documents out",
            f"it has no {keyword('unjudged', 'bounds')}",
            argument="unjudged",
            subject="",
        )
    condensed = visible is not ranking or conventions.unjudged == "remove"
    ranking = visible
    statistic = metric.compute(ranking)
    chance = partial(versus_chance, metric, ranking, sizes=sizes, condensed=condensed)
    single = Estimate(
        statistic,
        str(metric),
        metric.bounds,
        {**metric.conventions, **vars(conventions)},
        chance=chance,
        units=ranking.queries,
    )
    if conventions.ties == "range":
        low, high = extremes(metric, ranking)
        return replace(single, range=(low.value, high.value), range_of="ties")
    if conventions.unjudged == "bounds":
        other = metric.compute(ranking.optimistic()).value
        return replace(single, range=(min(single.value, other), max(single.value, other)), range_of="unjudged")
    return single


def named_runs(runs: Runs, format: str | None = None, *, has_single_query: bool = False) -> list[tuple[str, RunLike]]:
    """The runs with their names: those given or found in a column of runs, otherwise those of their files.

    `has_single_query` if the judgments are of one query without an id.
    """
    if isinstance(runs, Mapping) and not is_run(runs, has_single_query):
        check_names([str(name) for name in runs], "runs")
        return [
            (str(name), _single_run(runs_in(run_file, str(name), format), str(name))) for name, run_file in runs.items()
        ]
    run_inputs = [runs]
    if isinstance(runs, list | tuple) and not is_records(runs) and not (has_single_query and all(map(is_id, runs))):
        run_inputs = list(runs)
    expanded_runs = [run_file for run_input in run_inputs for run_file in files_of_runs(run_input)]
    if not expanded_runs:
        raise DataError("no run was given", "give at least one")
    default_names = ["run" if len(expanded_runs) == 1 else f"run {i + 1}" for i in range(len(expanded_runs))]
    contents = [runs_in(run, name, format) for run, name in zip(expanded_runs, default_names, strict=True)]
    paths = {
        index: path_name(run) if is_path(run) else run.name if isinstance(run, Run) else name_of(run) or ""
        for index, run in enumerate(expanded_runs)
        if "" in contents[index]
    }
    files = {index: path for index, path in paths.items() if path and path != "-"}
    names = paths | dict(zip(files, short_names(list(files.values())), strict=True))
    names_and_runs = [
        (name or names.get(index) or default_names[index], run)
        for index, run_file in enumerate(contents)
        for name, run in run_file.items()
    ]
    every = [name for name, _ in names_and_runs]
    twice = repeated(every)
    if twice is not None:
        other = python_only(", or a dict of runs by different names")
        raise DataError(f"two runs are named {twice!r}", f"give each run once{other}")
    return names_and_runs


def _single_run(runs: Mapping[str, RunLike], name: str) -> RunLike:
    """Return the only run in a source that the user has named; several are an error."""
    if len(runs) != 1:
        names = ", ".join(map(repr, list(runs)[:3])) + (", ..." if len(runs) > 3 else "")
        raise DataError(f"run {name!r} holds {len(runs)} runs ({names})", "give them without a name of your own")
    return next(iter(runs.values()))


def _first_documents(
    scores: Mapping[str, float], grades: Mapping[str, int], number: int, as_read: bool
) -> list[list[Any]]:
    """First documents of a query as [id, grade or None, 1 if tied], by score and then by the tie rule."""
    order = list(scores) if as_read else sorted(scores, key=lambda name: name.encode("utf-8", "surrogateescape"))[::-1]
    order.sort(key=lambda name: -scores[name])
    rows = []
    for index, name in enumerate(order[:number]):
        near = order[max(index - 1, 0) : index] + order[index + 1 : index + 2]
        grade = grades.get(name)
        tied = any(scores[other] == scores[name] for other in near)
        rows.append([name, grade if grade is not None and grade >= 0 else None, int(tied)])
    return rows


MOST_RUNS = 7
"""Runs that one picture can show, each in a color of its own."""
_RANKS = 20
_UNJUDGED_RANKS = 100
_BY_RANK = {
    "precision": ("P", _RANKS, "P@k (share of the first k that are relevant)"),
    "recall": ("R", _RANKS, "R@k (share of the relevant documents among the first k)"),
    "unjudged": ("Unjudged", _UNJUDGED_RANKS, "Unjudged@k (share of the first k without judgment)"),
}
"""Metric, last rank and label of each picture by rank."""


def pictures(cases: Mapping[str, RunCase], by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes: all runs together."""
    del by  # the queries of runs have no subgroups
    if len(cases) > MOST_RUNS:
        raise DataError(f"{len(cases)} runs cannot be told apart in a picture", f"at most {MOST_RUNS} can")
    yield "precision-recall", partial(_by_recall, cases, level)
    yield "ndcg", partial(_gain_by_rank, cases, level)
    for name, (metric, last, label) in _BY_RANK.items():
        yield name, partial(_by_rank, cases, level, metric, last, label)
    yield "gains", partial(_gains, cases)


def _curve(case: RunCase, metrics: Sequence[str], parameter: str, positions: Sequence[float]) -> MetricCurve:
    """Metrics of one run at several cutoffs or recall levels, `parameter` being the one that varies."""
    chosen = {text: resolve_metric(text, "ranking") for text in metrics}
    estimates = {
        text: tuple(case.estimate(metric.using(**{parameter: position})) for position in positions)
        for text, metric in chosen.items()
    }
    return MetricCurve(
        "rank" if parameter == "cutoff" else "recall", tuple(map(float, positions)), estimates, case.ranking.queries
    )


def _depth(cases: Mapping[str, RunCase], limit: int) -> range:
    """The ranks down to the last one of any list, at most so many."""
    longest = max((float(_values(case, "NumRet").max(initial=1)) for case in cases.values()), default=1)
    return range(1, 1 + max(1, min(limit, int(longest))))


def _values(case: RunCase, metric: str) -> Any:
    """Value of the named metric for each query."""
    statistic: Any = case.estimate(resolve_metric(metric, "ranking")).statistic
    return statistic.values


def _label(cases: Mapping[str, RunCase], name: str) -> str | None:
    """Legend label of a run: its name; None if it is the only one."""
    return name if len(cases) > 1 else None


def _by_recall(cases: Mapping[str, RunCase], level: float, ax: Any = None) -> Any:
    """Draw each run's interpolated precision by recall level on the same axes."""
    for name, case in cases.items():
        ax = _curve(case, ["IPrec"], "recall", RECALL_LEVELS).plot(ax, level=level, label=_label(cases, name))
    return ax


def _gain_by_rank(cases: Mapping[str, RunCase], level: float, ax: Any = None) -> Any:
    """Curves by rank: of one run nDCG with its gain, discounted and ideal; of several nDCG alone."""
    metrics = ["CG", "DCG", "IdealDCG", "nDCG"] if len(cases) == 1 else ["nDCG"]
    ranks = _depth(cases, _RANKS)
    for name, case in cases.items():
        ax = _curve(case, metrics, "cutoff", ranks).plot(ax, level=level, label=_label(cases, name))
    return ax


def _by_rank(cases: Mapping[str, RunCase], level: float, metric: str, last: int, label: str, ax: Any = None) -> Any:
    """Draw a metric of each run by rank, up to `last`, on the same axes."""
    from certus.plot.canvas import fit

    ranks = _depth(cases, last)
    for name, case in cases.items():
        ax = _curve(case, [metric], "cutoff", ranks).plot(ax, level=level, label=_label(cases, name))
    ax.set_ylabel(label)
    fit(ax)
    return ax


def _gains(cases: Mapping[str, RunCase], ax: Any = None) -> Any:
    """The gain of all documents that a run retrieves for a query; NaN where it lacks the query."""
    from certus.plot.rankings import gains as draw_gains

    queries = list(dict.fromkeys(query for case in cases.values() for query in case.units))
    by_metric = {}
    for metric in ("NumRel", "IdealDCG(discount='none')", "CG"):
        for name, case in cases.items():
            values = dict(zip(case.units, _values(case, metric).tolist(), strict=True))
            by_metric[metric, name] = np.array([values.get(query, np.nan) for query in queries])
    relevant, ideal = (
        np.nanmax([by_metric[metric, name] for name in cases], axis=0)
        for metric in ("NumRel", "IdealDCG(discount='none')")
    )
    return draw_gains(relevant, {name: by_metric["CG", name] for name in cases}, ax, ideal=ideal)
