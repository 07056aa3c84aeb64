"""The names of the metrics of a task, how a name is looked up, and words that stand for each other in names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from certus.errors import MetricNameError
from certus.metrics._metric import Metric
from certus.metrics.registry import declared
from certus.metrics.spellings import Form, Spelling, root
from certus.spelling import compact


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
    """The names of a task's metrics.

    A name of certus's own, in any case, comes before those of other tools, so that it always means the same.

    Attributes
    ----------
    certus
        Name, aliases and the function's name.
    of_tools
        The names of all other tools.
    tools
        The names of each tool.
    with_arguments
        Names with arguments, such as ``SetP(relative=True)``, by the compact name.
    """

    certus: Names
    of_tools: Names
    tools: dict[str, Names]
    with_arguments: dict[str, list[Reading]]

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
        vocabulary = cls(Names({}, {}, []), Names({}, {}, []), {}, {})
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
    """Names that are refused.

    Attributes
    ----------
    pattern
        The names; a group in it stands for ``{0}`` in the reason.
    names
        The names as the documentation lists them.
    tool
        Whose names.
    task
        Where they are refused; empty where no task has another metric of the name.
    reason
        Every meaning, and what to write.
    """

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
