"""Random calls of the faces of other tools: scikit-learn's functions, pytrec_eval's evaluator, a scorer."""

from typing import Any

from net.calls import Program, array, call, method, pairs
from net.draw import Draw
from net.metrics import Catalogue

__all__ = ["pytrec_eval", "sklearn"]

PREDICTED = (
    *("accuracy_score", "balanced_accuracy_score", "cohen_kappa_score", "confusion_matrix", "f1_score", "hamming_loss"),
    *(
        "jaccard_score",
        "matthews_corrcoef",
        "precision_score",
        "recall_score",
        "zero_one_loss",
        "classification_report",
    ),
    *("precision_recall_fscore_support", "multilabel_confusion_matrix", "class_likelihood_ratios"),
)
SCORED = (
    *("average_precision_score", "roc_auc_score", "roc_curve", "precision_recall_curve", "det_curve"),
    *("brier_score_loss", "log_loss", "d2_brier_score", "d2_log_loss_score", "calibration_curve", "hinge_loss"),
    *("confusion_matrix_at_thresholds",),
)
REGRESSED = (
    *("r2_score", "explained_variance_score", "max_error", "mean_absolute_error", "mean_squared_error"),
    *("median_absolute_error", "root_mean_squared_error", "mean_pinball_loss", "d2_absolute_error_score"),
    *("mean_absolute_percentage_error", "mean_tweedie_deviance", "d2_pinball_score", "d2_tweedie_score"),
    *("mean_squared_log_error", "root_mean_squared_log_error", "mean_gamma_deviance", "mean_poisson_deviance"),
)
CLUSTERED = (
    *("adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score", "fowlkes_mallows_score"),
    *("homogeneity_score", "mutual_info_score", "normalized_mutual_info_score", "pair_confusion_matrix", "rand_score"),
    *("v_measure_score", "homogeneity_completeness_v_measure", "contingency_matrix"),
)
RANKED = (
    *("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", "dcg_score", "ndcg_score"),
)
POINTED = ("silhouette_score", "silhouette_samples", "calinski_harabasz_score", "davies_bouldin_score")


def sklearn(draw: Draw, _: Catalogue) -> Program:
    """A function of scikit-learn's face."""
    columns = draw.samples(draw.size())
    program = Program("sklearn")
    weight: dict[str, Any] = draw.maybe(0.25, sample_weight=columns["w"])
    name, data, keywords = draw.choice(
        (
            (draw.choice(PREDICTED), [columns["y"], columns["p"]], weight),
            (
                draw.choice(PREDICTED),
                [columns["c"], columns["d"]],
                weight,
            ),
            (draw.choice(SCORED), [columns["y"], columns["s"]], weight),
            (draw.choice(REGRESSED), [columns["pos"], columns["s"]], weight),
            (draw.choice(REGRESSED), [columns["u"], columns["v"]], weight),
            (draw.choice(CLUSTERED), [columns["c"], columns["p"]], {}),
            (draw.choice(RANKED), _several(columns), weight),
            (
                draw.choice(POINTED),
                [array([list(r) for r in zip(columns["u"], columns["v"], strict=True)]), columns["c"]],
                {},
            ),
            (
                "top_k_accuracy_score",
                [columns["c"], array([list(r) for r in zip(columns["sa"], columns["sb"], columns["sc"], strict=True)])],
                weight,
            ),
        )
    )
    averaged = ("f1_score", "precision_score", "recall_score", "jaccard_score", "precision_recall_fscore_support")
    if name in averaged and data[0] is columns["c"]:
        keywords = keywords | {"average": draw.choice(("macro", "micro", "weighted"))}
    elif name in averaged:
        keywords = keywords | draw.maybe(0.3, zero_division=(0, 1), average=("macro", "micro", "weighted", None))
    if name in ("mean_tweedie_deviance", "d2_tweedie_score"):
        keywords = keywords | draw.maybe(0.6, power=(0, 1, 1.5, 2))
    if name in ("confusion_matrix",):
        keywords = keywords | draw.maybe(0.3, normalize=("true", "pred", "all"))
    forms = [item if isinstance(item, dict) else draw.form(item) for item in data]
    program.step(call(f"compat.sklearn.{name}", *forms, **keywords))
    return program


def _several(columns: dict[str, list[Any]]) -> list[Any]:
    def table(end: str) -> Any:
        return array([list(row) for row in zip(*(columns[f"m{i}{end}"] for i in (1, 2, 3)), strict=True)])

    return [table(""), table("s")]


def pytrec_eval(draw: Draw, _: Catalogue) -> Program:
    """pytrec_eval's evaluator with some measures; a scorer of certus for scikit-learn."""
    program = Program("pytrec_eval")
    if draw.chance(0.15):
        columns = draw.samples(30)
        fitted = call(":sklearn.dummy.DummyClassifier", strategy="stratified", random_state=0)
        points = array([[value] for value in columns["u"]])
        model = program.step(method(fitted, "fit", points, columns["y"]), show=False)
        maker = program.step(
            call("scorer", draw.choice(("F1(average='macro')", "AUC", "Accuracy", "Brier"))), show=False
        )
        program.step({"on": maker, "method": "__call__", "args": [model, points, columns["y"]], "kw": {}})
        return program
    qrels, (run,) = draw.rankings()
    measures = draw.sample(
        (
            "map",
            "ndcg",
            "P_5",
            "recall_10",
            "recip_rank",
            "bpref",
            "Rprec",
            "ndcg_cut_10",
            "success_1",
            "infAP",
            "gm_map",
            "map_cut_5",
        ),
        4,
    )
    truth, system = (pairs({q: pairs(docs) for q, docs in held.items()}) for held in (qrels, run))
    options = draw.maybe(0.2, relevance_level=(1, 2), judged_docs_only_flag=True)
    evaluator = program.step(
        call("compat.pytrec_eval.RelevanceEvaluator", truth, {"set": measures}, **options), show=False
    )
    program.step(method(evaluator, "evaluate", system))
    if draw.chance(0.3):
        values = [0.1, 0.4, draw.random()]
        program.step(call("compat.pytrec_eval.compute_aggregated_measure", measures[0], values))
    return program
