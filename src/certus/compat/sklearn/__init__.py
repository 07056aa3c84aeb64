"""scikit-learn's classification metrics, computed by certus."""

from certus.compat.sklearn._averages import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from certus.compat.sklearn._class_scores import hinge_loss, top_k_accuracy_score
from certus.compat.sklearn._curves import (
    auc,
    confusion_matrix_at_thresholds,
    det_curve,
    precision_recall_curve,
    roc_curve,
)
from certus.compat.sklearn._label_ranking import (
    coverage_error,
    dcg_score,
    label_ranking_average_precision_score,
    label_ranking_loss,
    ndcg_score,
)
from certus.compat.sklearn._labels import (
    accuracy_score,
    balanced_accuracy_score,
    class_likelihood_ratios,
    cohen_kappa_score,
    confusion_matrix,
    hamming_loss,
    matthews_corrcoef,
    multilabel_confusion_matrix,
    zero_one_loss,
)
from certus.compat.sklearn._losses import (
    brier_score_loss,
    calibration_curve,
    d2_brier_score,
    d2_log_loss_score,
    log_loss,
)
from certus.compat.sklearn._report import classification_report
from certus.compat.sklearn._scores import average_precision_score, roc_auc_score
from certus.compat.sklearn._warnings import InvalidParameterError, UndefinedMetricWarning

__all__ = [
    "InvalidParameterError",
    "UndefinedMetricWarning",
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "calibration_curve",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "d2_brier_score",
    "d2_log_loss_score",
    "dcg_score",
    "det_curve",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "hinge_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "ndcg_score",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
    "zero_one_loss",
]
