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
        r"(?i:runid|relstring(?:[_.]\w+)?)",
        "runid, relstring",
        "trec_eval",
        "",
        "is a text and no number; certus trec-eval prints it",
    ),
    Refused(
        r"(?i:yaap|(?:ideal_)?dcg_resid|ideal_dcg)",
        "yaap, ideal_dcg",
        "trec_eval",
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
        r"class_likelihood_ratios|precision_recall_fscore_support|homogeneity_completeness_v_measure",
        "class_likelihood_ratios, precision_recall_fscore_support, homogeneity_completeness_v_measure",
        "scikit-learn",
        "",
        "is several metrics; name them one by one: LR+ and LR-; Precision, Recall and F1; Homogeneity, Completeness "
        "and V",
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
