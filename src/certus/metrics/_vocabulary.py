"""The names of the metrics of a task, and how a name is looked up."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from certus.errors import MetricNameError
from certus.metrics._metric import Metric
from certus.metrics._registry import declared
from certus.metrics.spellings import Form, Spelling, root
from certus.spelling import compact


class Known(NamedTuple):
    """A spelling of a metric, read."""

    metric: Metric
    spelling: Spelling
    form: Form | None
    """The pattern of a name that holds parameters."""
    arguments: Mapping[str, object]

    @property
    def plain(self) -> str:
        """The name without case, hyphens and underscores; empty where it holds a parameter."""
        return "" if self.form else compact(self.spelling.name)

    def reading(self, values: Mapping[str, object], consumed: frozenset[str] = frozenset()) -> "Reading":
        """The metric with the parameters that the name says and holds."""
        return Reading(self.metric, self.spelling, {**self.spelling.chosen, **values}, consumed)


class Reading(NamedTuple):
    """A name, read."""

    metric: Metric
    spelling: Spelling
    chosen: dict[str, object]
    """The parameters that the name itself says, and those of the tool."""
    consumed: frozenset[str]
    """The arguments that belong to the name."""


class Names(NamedTuple):
    """Names without arguments: as they are, without case, hyphens and underscores, and with parameters in them."""

    exact: dict[str, Known]
    alike: dict[str, Known | None]
    """None where several metrics are meant."""
    numbered: list[Known]

    def add(self, known: Known) -> None:
        """Take a name in; of several alike the first holds."""
        if known.form:
            self.numbered.append(known)
            return
        self.exact.setdefault(known.spelling.text, known)
        other = self.alike.setdefault(known.plain, known)
        if other is not None and other.metric.name != known.metric.name:
            self.alike[known.plain] = None

    def read(self, name: str) -> Reading | None:
        """The reading of a name, as it is spelled or in any case; None where it means nothing."""
        if (known := self.exact.get(name)) is not None:
            return known.reading({})
        return self.held(name) or self.plainly(name)

    def plainly(self, name: str) -> Reading | None:
        """The reading of a name without parameters in it."""
        known = self.exact.get(name) or self.alike.get(compact(name))
        return None if known is None else known.reading({})

    def held(self, name: str) -> Reading | None:
        """The metric of a name with parameters in it."""
        for cased in (True, False):
            for known in self.numbered:
                values = known.form.values(name, cased=cased) if known.form else None
                if values is not None:
                    return known.reading(values)
        return None


class Vocabulary(NamedTuple):
    """The names of a task's metrics.

    A name of certus's own, in any case, comes before those of other tools, so that it always means the same.

    Attributes
    ----------
    own
        Name, aliases and the function's name.
    theirs
        The names of all other tools.
    tools
        The names of each.
    called
        Names with arguments, such as ``SetP(relative=True)``, by the plain name.
    """

    own: Names
    theirs: Names
    tools: dict[str, Names]
    called: dict[str, list[Known]]

    @classmethod
    def of(cls, task: str) -> "Vocabulary":
        """The names of all metrics declared for a task; made again only where one was declared since."""
        metrics = declared(task)
        which = tuple(map(id, metrics))
        if task not in _MADE or _MADE[task][0] != which:
            _MADE[task] = which, cls._made(metrics)
        return _MADE[task][1]

    @classmethod
    def _made(cls, metrics: Iterable[Metric]) -> "Vocabulary":
        made = cls(Names({}, {}, []), Names({}, {}, []), {}, {})
        for metric in metrics:
            for text in dict.fromkeys((metric.name, *metric.aliases, metric.function_name)):
                made.own.add(_known(metric, Spelling(text)))
            for spelling in metric.spelled:
                known = _known(metric, spelling)
                if known.arguments:
                    made.called.setdefault(known.plain, []).append(known)
                    continue
                made.theirs.add(known)
                made.tools.setdefault(spelling.tool, Names({}, {}, [])).add(known)
        return made

    @property
    def texts(self) -> list[str]:
        """Every name without a parameter in it, once."""
        return list(self.own.exact | self.theirs.exact)

    def read(self, name: str, given: Mapping[str, object], tool: str | None = None) -> Reading | None:
        """The reading of a name with arguments, by one tool or by all; None where it means nothing."""
        fitting = [known for known in self.called.get(compact(name), ()) if _has(given, known.arguments)]
        for known in sorted(fitting, key=lambda known: -len(known.arguments)):
            if tool in (None, known.spelling.tool):
                return known.reading(_passed(known, given), frozenset(known.arguments))
        if tool is not None:
            return self.tools[tool].read(name) if tool in self.tools else None
        return self.own.read(name) or self.theirs.read(name)

    def numbered(self, name: str) -> Metric | None:
        """The metric of which a name lacks the number."""
        found = self.own.held(f"{name}_1") or self.theirs.held(f"{name}_1")
        return found.metric if found else None

    def meant(self, metric: Metric, name: str) -> list[Spelling]:
        """The names of other tools that are spelled like that, and are the metric's."""
        known = [_known(metric, each) for each in metric.spelled]
        return [
            each.spelling
            for each in known
            if (each.form.values(name, cased=False) is not None if each.form else each.plain == compact(name))
        ]


_MADE: dict[str, tuple[tuple[int, ...], Vocabulary]] = {}
"""By task, the names, and of which metrics; these are kept alive by it, so that no other can have their identity."""


def _known(metric: Metric, spelling: Spelling) -> Known:
    form = spelling.form(metric.parameters) if spelling.holes else None
    return Known(metric, spelling, form, spelling.arguments)


def _has(given: Mapping[str, object], asked: Mapping[str, object]) -> bool:
    return all(key in given and (isinstance(value, tuple) or given[key] == value) for key, value in asked.items())


def _passed(known: Known, given: Mapping[str, object]) -> dict[str, object]:
    """The parameters of the metric that the arguments of another tool hold."""
    holes = {key: value[0] for key, value in known.arguments.items() if isinstance(value, tuple)}
    return {key: root(given[key]) if hole.endswith("^2") else given[key] for key, hole in holes.items()}


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


_SUBTOPICS = "needs judgments by subtopic, which certus does not read"
_STOPPING = "is a measure of the C/W/L framework, which certus does not have; RBP and ERR are its user models"

REFUSED = (
    Refused(
        r"accuracy(?:@|_at_)(\w+)",
        "accuracy@{k}",
        "sentence-transformers, ir_measures",
        "ranking",
        "means two things: a relevant document among the first {0} (sentence-transformers; write Success@{0}), or the "
        "share of relevant documents ranked before others (ir_measures; write Accuracy@{0})",
    ),
    Refused(
        r"(?i:nauc[s_]\w+)",
        "nauc_...",
        "MTEB",
        "",
        "is how well MTEB's model knows which queries to leave out, not how well it ranks; name the metric itself, "
        "such as nDCG@10",
    ),
    Refused(
        r"(?i:(?:alpha_|α_)n?DCG|n?ERR_IA|M?AP_IA|P_IA|n?NRBP|StRecall)\b.*",
        "alpha_DCG, alpha_nDCG, ERR_IA, nERR_IA, AP_IA, MAP_IA, P_IA, NRBP, nNRBP, StRecall",
        "ir_measures",
        "",
        _SUBTOPICS,
    ),
    Refused(
        r"(?i:BPM|INST|INSQ|NERR(?:8|9|10|11))\b.*", "BPM, INST, INSQ, NERR8, ..., NERR11", "ir_measures", "", _STOPPING
    ),
    Refused(
        r"(?i:SDCG)\b.*",
        "SDCG",
        "ir_measures",
        "",
        "divides by the gains of a list of highest grades only; nDCG here divides by those of the query's judgments",
    ),
    Refused(
        r"(?i:Compat)\b.*",
        "Compat",
        "ir_measures",
        "",
        "is the overlap with the best ranking (rank-biased overlap), which certus does not have; RBP is near it",
    ),
    Refused(
        r"(?!utility)(\w+?)[._]([0-9.]+)(?:,[0-9.]+)+",
        "P.5,10 and the like",
        "trec_eval, pytrec_eval",
        "",
        "names several metrics; name them one by one, beginning with {0}_{1}",
    ),
    Refused(
        r"(?i:official|all_trec)",
        "official, all_trec",
        "trec_eval, pytrec_eval",
        "",
        "is a group of measures; name them one by one, or print them by certus trec-eval -m",
    ),
    Refused(
        r"(?i:runid|relstring(?:[_.]\w+)?)",
        "runid, relstring",
        "trec_eval, pytrec_eval",
        "",
        "is a text and no number; certus trec-eval prints it",
    ),
    Refused(
        r"(?i:yaap|(?:ideal_)?dcg_resid|ideal_dcg)",
        "yaap, ideal_dcg",
        "trec_eval, pytrec_eval",
        "",
        "is a measure of trec_eval's that is not a metric here; certus trec-eval prints yaap",
    ),
    Refused(
        r"zero_one_loss",
        "zero_one_loss",
        "scikit-learn",
        "",
        "is 1 - Accuracy (of label tables, 1 - SubsetAccuracy); use Accuracy",
    ),
    Refused(
        r"class_likelihood_ratios", "class_likelihood_ratios", "scikit-learn", "", "is two metrics; use LR+ and LR-"
    ),
    Refused(
        r"precision_recall_fscore_support",
        "precision_recall_fscore_support",
        "scikit-learn",
        "",
        "is several metrics; use Precision, Recall and F1, or certus.report",
    ),
    Refused(
        r"homogeneity_completeness_v_measure",
        "homogeneity_completeness_v_measure",
        "scikit-learn",
        "",
        "is three metrics; use Homogeneity, Completeness and V",
    ),
    Refused(
        r"(?:roc|det|precision_recall)_curve|(?:pair_|multilabel_)?confusion_matrix|classification_report",
        "roc_curve, det_curve, precision_recall_curve, confusion_matrix, multilabel_confusion_matrix, "
        "pair_confusion_matrix, classification_report",
        "scikit-learn",
        "",
        "is a curve or a table and no number; certus.classification and certus.clustering have them, as functions",
    ),
    Refused(
        r"silhouette_samples",
        "silhouette_samples",
        "scikit-learn",
        "",
        "is one value per sample; use Silhouette, whose estimate holds them",
    ),
    Refused(
        r"consensus_score", "consensus_score", "scikit-learn", "", "compares biclusters, which certus does not read"
    ),
)


def refused(text: str, task: str | None = None) -> MetricNameError | None:
    """The error for a name that is refused in a task, or, without one, that no task has."""
    for each in REFUSED:
        match = re.fullmatch(each.pattern, text)
        if match is not None and (task if each.task else "") == each.task:
            return MetricNameError(f"{text!r} {each.reason.format(*match.groups())}")
    return None
