"""Metrics by their text: ``nDCG@10``, ``AP(rel=2)``, and as other tools spell them.

The grammar is ``NAME [ '(' parameter=value, ... ')' ] [ '@' value ] [ '-l' grade ]``, parentheses first or last. Behind
``@`` stands the cutoff, or what the metric says instead (the recall level of ``IPrec@0.1``); ``k@recall(0.5)`` has it
in parentheses. ``-l2`` is ranx's ``rel=2``. Texts may be quoted or not: ``nDCG(gain='exp')`` and ``nDCG(gain=exp)``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from certus.core import registry
from certus.core.errors import MetricNameError
from certus.core.spelling import compact, nearest, suggestion
from certus.metrics.check import comma_list, short_repr
from certus.metrics.declaration import Metric, declared
from certus.metrics.spellings import IR_MEASURES, Form, Spelling, literal, no_argument, pairs, root


class Reading(NamedTuple):
    """A name, read."""

    metric: Metric
    spelling: Spelling
    chosen: Mapping[str, object]
    """The parameters that the name itself says, and those of the tool."""
    consumed: frozenset[str] = frozenset()
    """The arguments that belong to the name."""


class Names(NamedTuple):
    """Names without arguments: as they are, without case, hyphens and underscores, and with parameters in them."""

    exact: dict[str, Reading]
    by_compact: dict[str, Reading | None]
    """None where several metrics are meant."""
    parametric: list[tuple[Form, Reading]]

    def add(self, metric: Metric, spelling: Spelling) -> None:
        """Take a name in; of several alike the first holds."""
        reading = Reading(metric, spelling, spelling.chosen)
        if spelling.holes:
            self.parametric.append((spelling.form(metric.parameters), reading))
            return
        self.exact.setdefault(spelling.text, reading)
        other = self.by_compact.setdefault(compact(spelling.name), reading)
        if other is not None and other.metric.name != metric.name:
            self.by_compact[compact(spelling.name)] = None

    def read(self, name: str) -> Reading | None:
        """The reading of a name, as it is spelled or in any case; None where it means nothing."""
        return self.exact.get(name) or self.with_parameters(name) or self.by_compact.get(compact(name))

    def without_parameters(self, name: str) -> Reading | None:
        """The reading of a name without parameters in it."""
        return self.exact.get(name) or self.by_compact.get(compact(name))

    def with_parameters(self, name: str) -> Reading | None:
        """The reading of a name with parameters in it."""
        for cased in (True, False):
            for form, reading in self.parametric:
                values = form.values(name, cased=cased)
                if values is not None:
                    return reading._replace(chosen={**reading.chosen, **values})
        return None


class Vocabulary(NamedTuple):
    """The names of a task's metrics, in certus and in other tools; those of certus come first."""

    certus: Names
    of_tools: Names
    tools: dict[str, Names]
    with_arguments: dict[str, list[Reading]]
    readings: dict[tuple[str, str | None], tuple[Reading, str | None] | None]
    """What texts were read as before, by one tool or by all."""

    @classmethod
    def from_task(cls, task: str) -> "Vocabulary":
        """The names of all metrics declared for a task; made again only where one was declared since."""
        metrics = declared(task)
        identities = tuple(map(id, metrics))
        if task not in _CACHE or _CACHE[task][0] != identities:
            _CACHE[task] = identities, cls._build(metrics)
        return _CACHE[task][1]

    @classmethod
    def _build(cls, metrics: Iterable[Metric]) -> "Vocabulary":
        vocabulary = cls(Names({}, {}, []), Names({}, {}, []), {}, {}, {})
        for metric in metrics:
            for text in dict.fromkeys((metric.name, *metric.aliases, metric.function_name)):
                vocabulary.certus.add(metric, Spelling(text))
            for spelling in metric.spelled:
                if spelling.arguments:
                    readings = vocabulary.with_arguments.setdefault(compact(spelling.name), [])
                    readings.append(Reading(metric, spelling, spelling.chosen))
                    continue
                for names in (vocabulary.of_tools, vocabulary.tools.setdefault(spelling.tool, Names({}, {}, []))):
                    names.add(metric, spelling)
        return vocabulary

    @property
    def texts(self) -> list[str]:
        """Every name without a parameter in it, once."""
        return list(self.certus.exact | self.of_tools.exact)

    def read(self, name: str, arguments: Mapping[str, object], tool: str | None = None) -> Reading | None:
        """The reading of a name with arguments, by one tool or by all; None where it means nothing."""
        fitting = [
            reading
            for reading in self.with_arguments.get(compact(name), ())
            if tool in (None, reading.spelling.tool) and _has(arguments, reading.spelling.arguments)
        ]
        if fitting:
            reading = max(fitting, key=lambda reading: len(reading.spelling.arguments))
            consumed = reading.spelling.arguments
            chosen = {**reading.chosen, **_metric_parameters(consumed, arguments)}
            return reading._replace(chosen=chosen, consumed=frozenset(consumed))
        if tool is not None:
            return self.tools[tool].read(name) if tool in self.tools else None
        return self.certus.read(name) or self.of_tools.read(name)

    def lacking_number(self, name: str) -> Metric | None:
        """The metric of which a name lacks the number."""
        reading = self.certus.with_parameters(f"{name}_1") or self.of_tools.with_parameters(f"{name}_1")
        return reading.metric if reading else None


_MOST_READINGS = 1024
_CACHE: dict[str, tuple[tuple[int, ...], Vocabulary]] = {}
"""By task, the names, and of which metrics; these are kept alive by it, so that no other can have their identity."""


def meant(metric: Metric, name: str) -> list[Spelling]:
    """The names of other tools that are spelled like that, and are the metric's."""
    return [
        spelling
        for spelling in metric.spelled
        if (
            spelling.form(metric.parameters).values(name, cased=False) is not None
            if spelling.holes
            else compact(spelling.name) == compact(name)
        )
    ]


def _has(arguments: Mapping[str, object], required: Mapping[str, object]) -> bool:
    return all(
        key in arguments and (isinstance(value, tuple) or arguments[key] == value) for key, value in required.items()
    )


def _metric_parameters(consumed: Mapping[str, object], arguments: Mapping[str, object]) -> dict[str, object]:
    """The parameters of the metric that the arguments of another tool hold."""
    holes = {key: value[0] for key, value in consumed.items() if isinstance(value, tuple)}
    return {key: root(arguments[key]) if hole.endswith("^2") else arguments[key] for key, hole in holes.items()}


class Refused(NamedTuple):
    """Names that are refused: a group of the pattern stands for ``{0}`` in the reason; `names` are for the docs."""

    pattern: str
    names: str
    tool: str
    task: str
    reason: str


def _refusal(pattern: str, reason: str, names: str = "", *, tool: str = "scikit-learn", task: str = "") -> Refused:
    return Refused(pattern, names or pattern, tool, task, reason)


_SUBTOPICS = "needs judgments by subtopic, which certus does not read"
_STOPPING = "is a measure of the C/W/L framework, which certus does not have; RBP and ERR are its user models"

REFUSED = (
    _refusal(
        r"accuracy(?:@|_at_)(\w+)",
        "means two things: a relevant document among the first {0} (sentence-transformers; write Success@{0}), or "
        "the share of relevant documents ranked before others (ir_measures; write Accuracy@{0})",
        "accuracy@{k}",
        tool="sentence-transformers, ir_measures",
        task="ranking",
    ),
    _refusal(
        r"(?i:nauc[s_]\w+)",
        "is how well MTEB's model knows which queries to leave out, not how well it ranks; name the metric itself, "
        "such as nDCG@10",
        "nauc_...",
        tool="MTEB",
    ),
    _refusal(
        r"(?i:(?:alpha_|α_)n?DCG|n?ERR_IA|M?AP_IA|P_IA|n?NRBP|StRecall)\b.*",
        _SUBTOPICS,
        "alpha_DCG, alpha_nDCG, ERR_IA, nERR_IA, AP_IA, MAP_IA, P_IA, NRBP, nNRBP, StRecall",
        tool="ir_measures",
    ),
    _refusal(
        r"(?i:BPM|INST|INSQ|NERR(?:8|9|10|11))\b.*",
        _STOPPING,
        "BPM, INST, INSQ, NERR8, ..., NERR11",
        tool="ir_measures",
    ),
    _refusal(
        r"(?i:SDCG)\b.*",
        "divides by the gains of a list of highest grades only; nDCG here divides by those of the query's judgments",
        "SDCG",
        tool="ir_measures",
    ),
    _refusal(
        r"(?i:Compat)\b.*",
        "is the overlap with the best ranking (rank-biased overlap), which certus does not have; RBP is near it",
        "Compat",
        tool="ir_measures",
    ),
    _refusal(
        r"(?!utility)(\w+?)[._]([0-9.]+)(?:,[0-9.]+)+",
        "names several metrics; name them one by one, beginning with {0}_{1}",
        "P.5,10 and the like",
        tool="trec_eval, pytrec_eval",
    ),
    _refusal(
        r"(?i:official|all_trec)",
        "is a group of measures; name them one by one, or print them by certus trec-eval -m",
        "official, all_trec",
        tool="trec_eval, pytrec_eval",
    ),
    _refusal(
        r"(?i:runid|relstring(?:[_.]\w+)?)",
        "is a text and no number; certus trec-eval prints it",
        "runid, relstring",
        tool="trec_eval, pytrec_eval",
    ),
    _refusal(
        r"(?i:yaap|(?:ideal_)?dcg_resid|ideal_dcg)",
        "is a measure of trec_eval's that is not a metric here; certus trec-eval prints yaap",
        "yaap, ideal_dcg",
        tool="trec_eval, pytrec_eval",
    ),
    _refusal(r"zero_one_loss", "is 1 - Accuracy (of label tables, 1 - SubsetAccuracy); use Accuracy"),
    _refusal(r"class_likelihood_ratios", "is two metrics; use LR+ and LR-"),
    _refusal(r"precision_recall_fscore_support", "is several metrics; use Precision, Recall and F1, or certus.report"),
    _refusal(r"homogeneity_completeness_v_measure", "is three metrics; use Homogeneity, Completeness and V"),
    _refusal(
        r"(?:roc|det|precision_recall)_curve|(?:pair_|multilabel_)?confusion_matrix|classification_report",
        "is a curve or a table and no number; certus.classification and certus.clustering have them, as functions",
        "roc_curve, det_curve, precision_recall_curve, confusion_matrix, multilabel_confusion_matrix, "
        "pair_confusion_matrix, classification_report",
    ),
    _refusal(r"silhouette_samples", "is one value per sample; use Silhouette, whose estimate holds them"),
    _refusal(r"consensus_score", "compares biclusters, which certus does not read"),
)


def refused(text: str, task: str | None = None) -> MetricNameError | None:
    """The error for a name that is refused in a task, or, without one, that no task has."""
    for refusal in REFUSED:
        match = re.fullmatch(refusal.pattern, text)
        if match is not None and (task if refusal.task else "") == refusal.task:
            return MetricNameError(f"{text!r} {refusal.reason.format(*match.groups())}")
    return None


_WORDS = {
    word: meaning
    for meaning, words in {
        "absolute": "abs",
        "accuracy": "acc",
        "average": "avg ave",
        "balanced": "bal",
        "correlation": "corr cor",
        "coefficient": "coef coeff",
        "discounted": "disc discount",
        "error": "err loss",
        "gain": "gains",
        "cumulative": "cum cumulated cumulating",
        "ideal": "max maximum",
        "logarithmic": "log",
        "normalized": "norm normalised",
        "percentage": "pct percent",
        "precision": "prec precisions",
        "recall": "rec recalls",
        "reciprocal": "recip inverse",
        "squared": "sq square",
        "average precision": "ap auprc prauc aucpr areaunderprecisionrecallcurve",
        "mean average precision": "map",
        "reciprocal rank": "rr",
        "mean reciprocal rank": "mrr",
        "discounted cumulative gain": "dcg",
        "normalized discounted cumulative gain": "ndcg",
        "area under curve": "auc auroc rocauc aucroc areaundertheroccurve areaunderroccurve areaunderthecurve",
        "root mean squared error": "rmse",
        "mean squared error": "mse",
        "mean absolute error": "mae",
        "mean absolute percentage error": "mape",
        "matthews correlation coefficient": "mcc",
        "f": "fscore fmeasure fvalue",
    }.items()
    for word in words.split()
}
"""What a word or an acronym is short for."""
_SINGLE_WORDS = {"p": "precision", "r": "recall"}
_NOISE = frozenset(("at", "atk", "score", "scores", "rate", "value", "metric"))
_TOKENS = re.compile(
    "|".join(
        sorted(
            {*_WORDS, *_NOISE, *(word for meaning in _WORDS.values() for word in meaning.split())},
            key=len,
            reverse=True,
        )
    )
    + "|[0-9]+|."
)


def same_words(name: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The texts of the same words, each with the number in the name that it lacks; those that are nearest first."""
    candidates = list(texts)
    number = numbers[0] if len(numbers := re.findall("[0-9]+", name)) == 1 else ""
    for mean in (True, False):
        words = _words(name, mean)
        yield from ((text, "") for text in candidates if _words(text, mean) == words)
        if number:
            without = [_words(name.replace(number, replacement), mean) for replacement in ("", "k")]
            yield from ((text, number) for text in candidates if _words(text, mean) in without)
        else:
            yield from ((text, "") for text in candidates if _words(re.sub("[0-9]", "", text), mean) == words)


def _words(text: str, mean: bool) -> list[str]:
    """The words in full, without those that say nothing, and without "mean" if not `mean`."""
    compacted = compact(text)
    tokens = _TOKENS.findall(compacted) if compacted not in _WORDS else [compacted]
    meaningful = [token for token in tokens if token not in _NOISE] or [compacted]
    full = [_SINGLE_WORDS.get(token, token) for token in meaningful] if len(meaningful) == 1 else meaningful
    return sorted(word for token in full for word in _WORDS.get(token, token).split() if mean or word != "mean")


@runtime_checkable
class Measure(Protocol):
    """A measure as ir_measures has it: ``AP(rel=2)@100``.

    Wherever certus takes the name of a metric, it takes such an object, too.

    Examples
    --------
    >>> class NDCG:
    ...     NAME, AT_PARAM, SUPPORTED_PARAMS, params = "nDCG", "cutoff", {"cutoff": int}, {"cutoff": 10}
    ...
    ...     def __str__(self) -> str:
    ...         return "nDCG@10"
    >>> parse(NDCG())
    <ranking metric nDCG@10>
    """

    NAME: str | None
    AT_PARAM: str
    SUPPORTED_PARAMS: Mapping[str, Any]
    params: Mapping[str, Any]


MetricLike: TypeAlias = str | Metric | Measure
"""A metric, its name, or a measure object of ir_measures."""
Metrics: TypeAlias = MetricLike | Iterable[MetricLike]
"""One metric or several."""

_LONGEST = 200
_TEXT = re.compile(
    r"\s*(?P<name>[^()\s]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*"
    r"(?:@\s*(?P<at>[^()@\s]+?))?\s*(?:\((?P<more>[^()]*)\))?\s*(?:-[lL](?P<level>[0-9]{1,9}))?\s*"
)


class _Parts(NamedTuple):
    """A text in its parts."""

    text: str
    name: str
    cutoff: str | None
    arguments: list[tuple[str | None, object]]
    has_arguments: bool
    """True if arguments stand between the name and the ``@``."""

    @property
    def named_arguments(self) -> dict[str, object]:
        """The arguments that have a name."""
        return {key: value for key, value in self.arguments if key is not None}


def parse(text: str | Measure, *, task: str = "ranking") -> Metric:
    """The metric that a text names.

    Parameters
    ----------
    text
        A name as `str` of a metric gives it, or as trec_eval, pytrec_eval, ir_measures, ranx, MTEB or scikit-learn
        spell it (``map``, ``ndcg_cut_10``, ``P.5``, ``ndcg_burges@10``, ``roc_auc_ovr``). Case, hyphens and underscores
        do not matter where only one metric is meant. ``P`` alone is the precision of the whole list. A measure object
        of ir_measures is the metric that ir_measures means by it.
    task
        Whose names.

    Raises
    ------
    MetricNameError
        If nothing has that name, or a parameter does not exist or does not accept its value.

    Examples
    --------
    >>> str(parse("ndcg_cut_10")), str(parse("MAP(rel=2)")), str(parse("hit_rate@10"))
    ('nDCG@10', 'AP(rel=2)', 'Success@10')
    >>> parse("nDGC@10")
    Traceback (most recent call last):
        ...
    certus.core.errors.MetricNameError: no metric is named 'nDGC'; did you mean 'nDCG@10'?
    """
    metric = resolve_metric(text, task)
    metric._need_all()
    return metric


def resolve_metric(text: str | Measure, task: str) -> Metric:
    """As `parse`, but a parameter without a default may still have no value."""
    if not isinstance(text, str) and isinstance(text, Measure):
        return _build_metric(*_measured(text, task))
    parts = _parts(text)
    return _build_metric(parts, *_find(parts, task))


def spelled_by(tool: str, text: str, task: str = "ranking") -> Metric | None:
    """The metric that one tool means by a text; None where certus has it not."""
    parts = _parts(text)
    reading = _read(parts, task, tool)
    return None if reading is None else _build_metric(parts, *reading)


def task_of(text: object, tasks: Iterable[str]) -> str | None:
    """The first of some tasks that has a metric of that name, whatever its parameters; None where none has."""
    if not isinstance(text, str) and isinstance(text, Measure):
        return next((task for task in tasks if task == "ranking"), None)
    try:
        parts = _parts(text)
    except MetricNameError:
        return None
    return next((task for task in tasks if _read(parts, task)), None)


def has_parameters(text: str, task: str) -> bool:
    """True if the task has a metric of that name with the parameters of the text, whatever their values."""
    parts = _parts(text)
    reading = _read(parts, task)
    return reading is not None and {*parts.named_arguments} <= {*reading[0].metric.parameters}


def meanings(text: str, task: str) -> list[Spelling]:
    """The names of other tools that a text spells, of the task's metric that it names."""
    parts = _parts(text)
    reading, _ = _find(parts, task)
    names = [
        f"{parts.name}{ending}" for ending in ("", f"_{parts.cutoff}", f"@{parts.cutoff}") if parts.cutoff or not ending
    ]
    spellings = [spelling for name in names for spelling in meant(reading.metric, name)]
    fitting = [spelling for spelling in spellings if set(spelling.arguments) <= set(parts.named_arguments)]
    return list({(spelling.text, spelling.tool): spelling for spelling in fitting}.values())


def _parts(text: object) -> _Parts:
    if not isinstance(text, str):
        raise MetricNameError(f"a metric is named by a text such as 'nDCG@10', not by {type(text).__name__}")
    return _split(text)


@lru_cache(maxsize=1024)
def _split(text: str) -> _Parts:
    match = _TEXT.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise MetricNameError(
            f"{short_repr(text)} is not the name of a metric", "write NAME, NAME@10 or NAME(parameter=value)@10"
        )
    arguments = [argument for part in (match["arguments"], match["more"]) for argument in pairs(part or "", text)]
    if match["level"]:
        arguments.append(("rel", int(match["level"])))
    return _Parts(text.strip(), match["name"], match["at"], arguments, match["arguments"] is not None)


def _measured(measure: Measure, task: str) -> tuple[_Parts, Reading, str | None]:
    """A measure of ir_measures, read as ir_measures means it."""
    if hasattr(measure, "runtime_impl"):
        raise MetricNameError(
            f"{measure.NAME or 'a measure'} of ir_measures was defined by a function of its own, which certus does "
            "not run",
            "declare a metric instead (certus.metric)",
        )
    text = str(measure)
    if task != "ranking":
        raise MetricNameError(f"{text!r} of ir_measures is a metric of ranking, not of {task}")
    parts = _Parts(text, str(measure.NAME), None, list(measure.params.items()), has_arguments=True)
    reading = _read_anew(Vocabulary.from_task(task), parts, IR_MEASURES.name)  # the text may lack arguments
    if reading is None:
        raise refused(text, task) or MetricNameError(f"{short_repr(text)} of ir_measures is not a metric of certus")
    spelling = reading[0].spelling
    if spelling.differs and not spelling.chosen:
        raise MetricNameError(f"{text!r} of ir_measures is not a metric of certus: {spelling.note}")
    return parts, *reading


def _build_metric(parts: _Parts, reading: Reading, cutoff: str | None) -> Metric:
    """The metric with the parameters that were read."""
    metric = reading.metric
    chosen: dict[str, object] = {}
    for position, (key, value) in enumerate(parts.arguments):
        if key in reading.consumed:
            continue
        if key is None and ("@" not in metric.name or position):
            raise no_argument(str(value), parts.text)
        _add(chosen, key or metric.at_parameter, value, metric)
    if cutoff is not None:
        if metric.at_parameter not in metric.parameters:
            raise MetricNameError(f"{metric.name} has no {metric.at_parameter}", f"write it without '@{cutoff}'")
        _add(chosen, metric.at_parameter, literal(cutoff), metric)
    for key in reading.spelling.holes:
        _add(chosen, key, reading.chosen[key], metric)
    return metric.using(**{**reading.chosen, **chosen})


def _find(parts: _Parts, task: str) -> tuple[Reading, str | None]:
    """The reading of the text, and what still stands behind the ``@``."""
    if error := refused(parts.text, task):
        raise error
    result = _read(parts, task)
    if result is not None:
        return result
    name = parts.name
    metric = Vocabulary.from_task(task).lacking_number(name)
    if metric is not None:
        raise MetricNameError(
            f"{name!r} names a metric for each {metric.at_parameter}", f"say which, as in '{name}_10'"
        )
    near = suggestion(name, Vocabulary.from_task(task).texts)
    readings = {other: result[0] for other in registry.names() if (result := _read(parts, other)) is not None}
    # A number in it may be a slip: F11 is not an F of ranking where there is F1.
    exact = {other: reading.metric.name for other, reading in readings.items() if not reading.spelling.holes}
    metric_of_task: Mapping[str, str] = exact or (
        {} if near else {other: reading.metric.name for other, reading in readings.items()}
    )
    if metric_of_task:
        first = next(iter(metric_of_task.values()))
        where = comma_list([other for other, text in metric_of_task.items() if text == first])
        raise MetricNameError(f"no {task} metric is named {short_repr(name)}", f"{first} is a metric of {where}")
    raise MetricNameError(f"no metric is named {short_repr(name)}", _suggestion(parts, task))


def _suggestion(parts: _Parts, task: str) -> str:
    """A name of the same words or the nearest one, of this task or another, with the parameters that were given."""
    name, suffix = parts.name, parts.text.removeprefix(parts.name)
    tasks = (task, *(other for other in registry.names() if other != task))
    close = nearest(name, Vocabulary.from_task(task).texts)
    for ending, other_task in ((ending, other_task) for ending in dict.fromkeys((suffix, "")) for other_task in tasks):
        if other_task != task and close is not None and not suffix:
            continue  # a slip in a name of this task is likelier than a name of another task
        for text, number in same_words(name, Vocabulary.from_task(other_task).texts):
            if (accepted := _accepted(f"{text}{'@' * bool(number)}{number}{ending}", other_task)) is not None:
                return f"did you mean {str(accepted)!r}{'' if other_task == task else f', a metric of {other_task}'}?"
    task_of_name: dict[str, str] = {}
    for other_task in registry.names():
        task_of_name = dict.fromkeys(Vocabulary.from_task(other_task).texts, other_task) | task_of_name
    names = Vocabulary.from_task(task).texts
    near = nearest(name, [*names, *task_of_name])
    if near is None:
        return ""
    suggested = (
        f"{near}{suffix}" if _accepted(f"{near}{suffix}", task if near in names else task_of_name[near]) else near
    )
    return f"did you mean {suggested!r}" + ("?" if near in names else f", a metric of {task_of_name[near]}?")


def _accepted(text: str, task: str) -> Metric | None:
    """The metric of a text; None where it is refused."""
    try:
        return resolve_metric(text, task)
    except MetricNameError:
        return None


def _read(parts: _Parts, task: str, tool: str | None = None) -> tuple[Reading, str | None] | None:
    """As `_find`; None where the task has no such metric."""
    vocabulary = Vocabulary.from_task(task)
    if (parts.text, tool) not in vocabulary.readings:
        if len(vocabulary.readings) >= _MOST_READINGS:
            vocabulary.readings.clear()
        vocabulary.readings[parts.text, tool] = _read_anew(vocabulary, parts, tool)
    return vocabulary.readings[parts.text, tool]


def _read_anew(vocabulary: Vocabulary, parts: _Parts, tool: str | None) -> tuple[Reading, str | None] | None:
    arguments = parts.named_arguments
    if parts.cutoff is not None and not parts.has_arguments:
        # The text behind the @ may belong to the name, as in k@recall(0.5).
        reading = None if tool else vocabulary.certus.without_parameters(f"{parts.name}@{parts.cutoff}")
        if reading is not None:
            return reading, None
    reading = vocabulary.read(parts.name, arguments, tool)
    if reading is not None:
        return reading, parts.cutoff
    if parts.cutoff is not None:
        reading = vocabulary.read(f"{parts.name}_{parts.cutoff}", arguments, tool)
        if reading is not None and reading.spelling.holes:
            return reading, None
    return None


def _add(chosen: dict[str, object], key: str, value: object, metric: Metric) -> None:
    if key in chosen:
        raise MetricNameError(f"{key} of {metric.name} is given twice", "give it once")
    chosen[key] = value
