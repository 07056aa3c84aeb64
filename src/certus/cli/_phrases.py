"""Names of metrics in words, also Chinese and Portuguese ones; and names of curves, tables and laws."""

import re
from typing import NamedTuple

__all__ = ["Phrase", "phrase"]


class Phrase(NamedTuple):
    """The meaning of a phrase: a metric of a task, or something else, with where certus has it."""

    metric: str = ""
    task: str = ""
    elsewhere: str = ""


def phrase(text: str) -> Phrase | None:
    """The meaning of a phrase; None where nobody listed it."""
    known = folded(re.sub(r"@\s*[A-Za-z]$", " at k", text))
    if (sentence := _ELSEWHERE.get(known)) is not None:
        return Phrase(elsewhere=sentence)
    task, _, metric = _METRICS.get(known, "").partition(" ")
    return Phrase(metric, task) if metric else None


def folded(text: str) -> str:
    """The words of a phrase, without case, hyphens and what stands in parentheses."""
    return " ".join(re.sub(r"\([^()]*\)|['’]", "", text).casefold().replace("-", " ").replace("_", " ").split())


_METRICS = {
    phrase: metric
    for metric, phrases in {
        "ranking AP": "average precision, mean average precision, average precision at k, ap at k, map at k, "
        "平均正确率, 平均精确率, uninterpolated ap, 未插值的ap",
        "ranking P": "precision at k, precision at rank, precision at rank t, p at k, 查准率, 正确率",
        "ranking R": "recall at k, recall at rank, recall at rank t, r at k, 查全率",
        "ranking nDCG": "normalized discounted cumulative gain, normalised discounted cumulative gain, ndcg at k",
        "ranking DCG": "discounted cumulative gain",
        "ranking IdealDCG": "ideal dcg, max dcg, maximum dcg",
        "ranking CG": "cumulative gain, 累计增益值",
        "ranking bpref": "binary preference",
        "ranking BEP": "break point, break even point",
        "ranking 11pt-AP": "11 point average precision, interpolated ap, 11点平均正确率, 插值的ap",
        "ranking E": "e value, e值",
        "ranking F": "f value, f值",
        "ranking Novelty": "novelty ratio, 新颖率",
        "ranking Coverage": "覆盖率",
        "ranking RelativeRecall": "相对查全率",
        "ranking RecallEffort": "查全努力",
        "classification Precision": "precisão, 精确率, tpa, true positive accuracy, confidence",
        "classification Precision(average='macro')": "macro precision",
        "classification Recall(average='macro')": "macro recall",
        "classification Recall": "revocação, revocacao, 召回率, true positive rate, true positive rate recall, 真正率",
        "classification FPR": "false positive rate, 假正率",
        "classification F1": "f score, f1 score, f1 measure, f1分数, f1值",
        "classification AUC": "area under curve, area under the curve, area under the roc curve, auc score, auc分数",
        "classification AP": "average precision score, ap分数",
        "classification Gini": "gini coefficient, 基尼系数",
        "classification LogLoss": "logistic regression loss, cross entropy loss, cross entropy, 对数损失",
        "classification Hinge": "铰链损失",
        "classification kappa": "cohens kappa, kappa系数",
        "classification Accuracy": "准确率",
        "multilabel Hamming": "hamming distance, 海明距离",
        "multilabel Jaccard": "jaccard similarity coefficient, jaccard similarity coefficients, 杰卡德相似系数",
        "multilabel CoverageError": "涵盖误差",
        "multilabel LRAP": "标签排序平均精度",
        "multilabel RankingLoss": "排序误差",
        "regression MAE": "l1 norm loss, 平均绝对误差",
        "regression MSE": "l2 norm loss, 平均平方误差",
        "regression ExplainedVariance": "解释变异",
        "regression R2": "r^2, r squared, 决定系数",
        "clustering Rand": "rand index, 兰德指数",
        "clustering ARI": "adjusted rand index, 调整兰德指数",
        "clustering Entropy": "熵",
        "clustering MI": "mutual information, 互信息",
        "clustering NMI": "normalized mutual information, normalised mutual information, 标准化后的互信息",
        "clustering AMI": "adjusted mutual information, 调整互信息",
        "clustering Silhouette": "silhouette coefficient, 轮廓系数",
        "efficiency MeanLatency": "response time, 响应速度, 时间开销",
        "efficiency MeanSpace": "空间开销",
        "efficiency UpdateRate": "rate of updating, 数据更新速度",
    }.items()
    for phrase in phrases.split(", ")
}
_ELSEWHERE = {
    phrase: sentence
    for phrases, sentence in {
        "hit function, hit list, lista, list": "ranks of the hits: `certus hits xx-x----`, certus.HitList",
        "score s, score of a list": "the score s of a list of hits: `certus hits xx--x`, certus.HitList(...).score()",
        "delta": "hits by rank and so far: `certus hits -x-xx-`, certus.HitList(...).by_rank()",
        "confusion matrix, error matrix, contingency table, tp, fp, fn, tn, 混淆矩阵, 错误矩阵": (
            "counts of true and predicted labels: `certus evaluate --counts '15,10;5,20'`, "
            "certus.classification.confusion_matrix"
        ),
        "budget": (
            "the first Q items called positive: `certus evaluate ... --budget Q`, certus.classification.at_budget"
        ),
        "roc, roc curve, receiver operating characteristic curve, receiver operating characteristic": (
            "a curve of TPR by FPR; its area is the metric AUC: `certus evaluate ... --plot FOLDER`, "
            "certus.classification.roc_curve"
        ),
        "precision recall curve, recall precision curve, p r curve, p r曲线, 精确率 召回率曲线": (
            "a curve: of runs `certus curve QRELS RUN...` and certus.ranking.precision_recall_curve, of scores "
            "`certus evaluate ... --plot FOLDER` and certus.classification.precision_recall_curve"
        ),
        "interpolation": (
            "highest precision at this or a higher recall, the metric IPrec@0.1: `certus curve QRELS RUN...`"
        ),
        "pooling, pool, 缓冲池": "choosing documents to be judged: `certus pool`, certus.pooling.pool",
        "macro average, macro, 宏平均": (
            "the mean over queries or classes: of queries the value of every metric of ranking, of classes "
            "`--average macro`"
        ),
        "micro average, micro, 微平均": (
            "queries or classes counted together: MicroP, MicroR and MicroF of rankings, of classes `--average micro`"
        ),
        "efficiency, 效率": "metrics of time and space: `certus metrics --task efficiency`",
        "effectiveness, 效果": "metrics of rankings: `certus metrics --task ranking`",
        "random selection, random ranking": (
            "distributions of metrics under a random ranking: `certus chance ap --items 1000 --relevant 100`, "
            "certus.chance"
        ),
        "confidence interval, 置信区间, posterior, posterior distribution": (
            "intervals from a checked sample: `certus audit --positives 1000 --checked 500 --hits 400`, certus.audit; "
            "posteriors of precision, recall and F: certus.inference.posteriors"
        ),
        "discount, discounting factor, 折算因子": "the parameter discount of DCG and nDCG: `certus metrics DCG`",
        "roc space": "classifiers as points: certus.plot.roc_points",
    }.items()
    for phrase in phrases.split(", ")
}
