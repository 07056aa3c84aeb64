"""Names that certus refuses, each with the reason: those of several meanings, and those of metrics it does not have."""

import re
from typing import NamedTuple

from certus.errors import MetricNameError

__all__ = ["REFUSED", "Refused", "refused"]


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
        "is a measure of trec_eval's that is no metric here; certus trec-eval prints yaap",
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


_PATTERNS = tuple((each, re.compile(each.pattern)) for each in REFUSED)


def refused(text: str, task: str | None = None) -> MetricNameError | None:
    """The error for a name that is refused in a task, or, without one, that no task has."""
    for each, pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None and (task if each.task else "") == each.task:
            return MetricNameError(f"{text!r} {each.reason.format(*match.groups())}")
    return None
