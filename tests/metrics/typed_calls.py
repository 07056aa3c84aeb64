"""Calls that mypy takes, with their types, and calls that it must refuse: `make lint` fails where it does otherwise."""

from typing import TYPE_CHECKING, assert_type

import certus
from certus import Estimate
from certus.inference import Estimates

Y, P, S = [1, 0, 1], [1, 1, 0], [0.9, 0.2, 0.4]
Q, R = {"q": {"d": 1}}, {"q": {"d": 1.0}}

if TYPE_CHECKING:  # read by mypy, never run
    assert_type(certus.classification.f1(Y, P), Estimate)
    assert_type(certus.classification.f1(Y, P, average=None), Estimates)
    assert_type(certus.classification.f1(Y, P, average="macro", undefined=0.0), Estimate)
    assert_type(certus.classification.f1(certus.data.Labels.from_arrays(Y, P)), Estimate)
    assert_type(certus.ranking.ndcg(Q, R, cutoff=10), Estimate)
    assert_type(certus.ranking.ndcg.using(cutoff=10)(Q, R, ties="average"), Estimate)
    assert_type(certus.clustering.rand(contingency=[[1, 0], [0, 2]]), Estimate)
    assert_type(certus.regression.mae([[1.0, 2.0]], [[1.5, 2.0]], multioutput="raw_values"), Estimates)
    assert_type(certus.efficiency.throughput([0.1, 0.2], units="ms"), Estimate)
    assert_type(certus.data.Scores.from_arrays(Y, S), certus.data.Scores)
    assert_type(certus.io.as_run(R), certus.Run)
    assert_type(certus.efficiency.report([0.1, 0.2], units="ms"), certus.Table)

    # An ignore that ignores nothing is an error of mypy's too.
    certus.evalaute(Q, R)  # type: ignore[attr-defined]
    certus.io.read_rnu("x.run")  # type: ignore[attr-defined]
    certus.data.Lables()  # type: ignore[attr-defined]
    certus.inference.difrence()  # type: ignore[attr-defined]
    certus.ranking.ndcg(Q, R, cutof=10)  # type: ignore[call-overload]
    certus.ranking.ndcg.using(cutof=10)  # type: ignore[call-arg]
    certus.ranking.ndcg(Q, R, ties="avrage")  # type: ignore[call-overload]
    certus.classification.f1(Y, P, undefined="skp")  # type: ignore[call-overload]
    certus.classification.f1(Y, P, average="makro")  # type: ignore[call-overload]
    certus.classification.roc_auc()  # type: ignore[call-overload]
    certus.classification.roc_auc(Y, S, 3)  # type: ignore[call-overload]
    certus.classification.precision_at_recall(Y, S)  # type: ignore[call-overload]
    certus.clustering.rand()  # type: ignore[call-overload]
    certus.regression.mae([1.0], [1.0], multioutput="raw_value")  # type: ignore[call-overload]
    certus.regression.report([1.0])  # type: ignore[call-arg]
    certus.classification.report(Y, P, averge="macro")  # type: ignore[call-arg]
